//! Quirks: each makes use of one thing that a server may do, and nothing may be flagged for it.

mod dress;
mod spell;

use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};

use crate::Revision;
use crate::core::{About, Action, Call, Connection, Edits, Interceptor, Payload, Reply, Stream, Transport};
use crate::error::RpcError;
use crate::settings::Settings;

/// Something a server may do and the plain one does not.
#[derive(Debug)]
pub struct Quirk {
    /// How it is asked for.
    pub name: &'static str,
    /// The allowance of the catalogue that it makes use of, if one names it.
    pub allowance: Option<&'static str>,
    /// The behavior, as a sentence about the server.
    pub what: &'static str,
    /// The transport makes use of it, or it takes tasks, which no two runs have alike: nothing of it shows in what the core
    /// sends.
    pub carried: bool,
}

/// All quirks.
pub fn quirks() -> &'static [Quirk] {
    TABLE
}

const fn quirk(name: &'static str, allowance: &'static str, what: &'static str) -> Quirk {
    Quirk { name, allowance: if allowance.is_empty() { None } else { Some(allowance) }, what, carried: false }
}

/// A quirk of how messages are carried.
const fn carried(name: &'static str, allowance: &'static str, what: &'static str) -> Quirk {
    Quirk { carried: true, ..quirk(name, allowance, what) }
}

static TABLE: &[Quirk] = &[
    quirk("one-page", "pagination.page-size-free", "every list is one page"),
    quirk("empty-pages", "pagination.page-size-free", "before every page but the first comes an empty one"),
    quirk("empty-cursor", "pagination.empty-string-cursor", "the cursor of the second page is the empty string"),
    quirk("out-of-order", "jsonrpc.response.out-of-order", "every other answer comes late, after later ones"),
    quirk("interleaved", "logging.set-level.default", "a log message comes before every answer"),
    quirk("error-data", "jsonrpc.error.data-any", "errors have data of any kind"),
    quirk("unknown-members", "lifecycle.capabilities.unknown-allowed", "objects have members that no revision knows"),
    quirk("unicode-escapes", "", "characters beyond ASCII and slashes are escaped"),
    quirk("half-surrogates", "", "descriptions end in an escaped half of a surrogate pair"),
    quirk("odd-spacing", "", "there is white space between all tokens"),
    carried("crlf", "", "lines end with CR LF"),
    quirk("chatter", "stdio.stderr.logging-allowed", "standard error has a line for every request"),
    quirk(
        "tracebacks",
        "stdio.stderr.logging-allowed",
        "standard error has a traceback for every fifth request, although that is answered",
    ),
    quirk("pings", "ping.no-answer-consequences", "the client is pinged once, and must answer"),
    carried("slow-blank-lines", "", "each empty line takes a moment, and standard error has a line for it"),
    carried("alone", "", "a process ends at once while another one is running"),
    carried("ends-when-idle", "stdio.process.server-may-end", "a process that has nothing to do for a while ends"),
    quirk("slow-start", "", "the first answer takes a second"),
    quirk("silent-on-malformed", "", "malformed input on stdio is not answered"),
    carried(
        "drops-bad-tokens",
        "",
        "until 2025-06-18 a request with a progress token of no valid type is not answered",
    ),
    quirk("null-id", "", "errors that answer unreadable input have id null in every revision"),
    quirk("no-null-id", "", "errors that answer unreadable input have no id in any revision"),
    quirk("batches-in-2024-11-05", "jsonrpc.batch.old-revision", "batches are served in 2024-11-05"),
    quirk("batched-answers", "jsonrpc.batch.server-may-send", "in 2025-03-26 answers on stdio come in arrays"),
    quirk("refuse-early-requests", "lifecycle.initialized.early-requests", "before initialized requests are refused"),
    quirk("needs-sampling", "lifecycle.operation.capability-shutdown-error", "clients without sampling are refused"),
    quirk("no-instructions", "", "there are no instructions"),
    quirk("invalid-arguments-as-error", "", "invalid arguments get -32602 in 2026-07-28"),
    quirk("invalid-arguments-as-result", "", "invalid arguments get an isError result before 2025-11-25"),
    quirk(
        "backend-down",
        "",
        "every call of a tool fails alike, whatever its arguments: a service that it needs is down",
    ),
    quirk("own-not-found", "", "a tool says of its own subject that it is not found, and names itself"),
    quirk("converts-arguments", "", "a number, a boolean or a string that is sent as another of them is converted"),
    quirk(
        "rule-between-parameters",
        "",
        "a tool takes one parameter only with another, which its schema does not state",
    ),
    quirk("long-texts", "", "descriptions have 20,000 characters, and texts that tools return 10,000"),
    quirk("many-tools", "", "there are 300 tools more"),
    quirk("no-tools", "tools.list.may-be-empty", "the list of tools is empty"),
    quirk("no-descriptions", "tools.definition.description-optional", "tools have no description"),
    quirk("no-annotations", "tools.annotations.optional-hints", "tools have no annotations"),
    quirk("false-hints", "tools.annotations.not-guaranteed", "a tool that changes something says it is read-only"),
    quirk("schema-keywords", "tools.input-schema.any-keyword-allowed", "an input schema has keywords of every kind"),
    quirk(
        "draft-07-tuples",
        "jsonrpc.schema.old-revisions-no-dialect",
        "until 2025-06-18 a schema is good in draft-07 only",
    ),
    quirk("execution-in-2026", "tools.execution.gone-in-2026", "execution is still shown in 2026-07-28"),
    quirk("unlisted-link", "tools.content.link-not-listed", "a resource_link is in no list"),
    quirk(
        "structured-without-schema",
        "tools.structured.without-output-schema",
        "a tool without output schema gives structuredContent",
    ),
    quirk(
        "unsolicited-list-changed",
        "tools.list-changed.unsolicited-allowed",
        "list changes are announced without a change",
    ),
    carried("slow-announcements", "", "changes are announced 700 ms after they are made"),
    carried(
        "brief-changes",
        "",
        "a tool that a call adds to the list goes again a moment later, and both are announced",
    ),
    quirk("float-progress", "progress.float", "progress is a fraction, and there is no total"),
    quirk(
        "url-elicitation-required",
        "elicitation.url-required.allowed",
        "a page is to be visited before a tool can be called",
    ),
    quirk("ignore-cancellation", "cancellation.may-ignore", "what is cancelled is finished and answered all the same"),
    quirk("ttl-per-page", "caching.ttl-may-differ-per-page", "each further page may be kept for a shorter time"),
    quirk("stale-hints", "caching.data-may-change-early", "what changes at any time may be kept for long all the same"),
    quirk("early-hints", "caching.absent-in-older-revisions", "results of every revision have caching hints"),
    quirk("private-cache", "caching.ttl-without-list-changed", "nothing may be kept or shared"),
    quirk(
        "unusual-resources",
        "resources.read.multiple-contents",
        "a bare resource, and a folder that is read as files",
    ),
    quirk(
        "bare-capabilities",
        "resources.capability.sub-features-optional",
        "no changes are announced, none can be subscribed",
    ),
    quirk("empty-lists", "resources.list.may-be-empty", "the lists of resources, templates and prompts are empty"),
    quirk(
        "asks-first",
        "resources.read.input-required-allowed",
        "in 2026-07-28 a read and a prompt ask for a name first",
    ),
    quirk(
        "deprecated-input-requests",
        "mrtr.may-respond",
        "in 2026-07-28 too there are tools that ask for roots and sampling",
    ),
    quirk(
        "states-unused",
        "",
        "in 2026-07-28 a retry is as good without its requestState, or with one that was changed",
    ),
    quirk("no-tasks", "", "in 2025-11-25 nothing can be a task"),
    quirk("tasks-only", "tasks.receiver-may-require", "tools that can be tasks are refused without"),
    carried("silent-tasks", "tasks.notification.optional", "no status of a task is announced"),
    carried(
        "endless-tasks",
        "tasks.object.ttl-override",
        "tasks are kept without a limit, whatever the client asks for",
    ),
    carried("short-tasks", "tasks.lifecycle.ttl-expiry", "tasks are forgotten after two seconds"),
    carried("forgets-cancelled-tasks", "tasks.cancel.deletion-allowed", "a cancelled task is forgotten at once"),
    carried("tasks-ask-at-once", "", "a task asks the client before its result is asked for"),
    carried("always-sse", "", "HTTP answers are event streams, however short"),
    carried("always-json", "progress.optional", "HTTP answers are JSON; what would come before is not sent"),
    carried("no-session-id", "http.session.optional", "HTTP without session ids"),
    carried("get-405", "", "GET is refused: there is no stream without a request"),
    carried("one-get", "", "a second GET of a session is refused while the first is read"),
    carried("short-gets", "http.get.may-close", "a stream opened by GET ends after every event"),
    carried("slow-gets", "", "a GET waits for 100 ms before its session is looked up"),
    carried("delete-405", "", "clients may not end their sessions"),
    carried("any-accept", "http.accept.incomplete", "requests are served whatever they accept"),
    carried("short-queue", "", "five connections wait in a queue, and are taken one after the other"),
    carried("comments", "http.sse.keepalive-comments", "a comment goes before every event"),
    carried("no-event-ids", "http.resume.event-ids-optional", "events have no ids"),
    carried(
        "polling",
        "http.sse.may-disconnect-after-id",
        "in 2025-11-25 a stream ends after its first event, to be resumed",
    ),
    carried("errors-as-400", "http.status.other-errors", "every error comes with status 400"),
    carried("sse-keepalive", "sse.message.keepalive-comments", "comments and pings stand between events"),
    carried("sse-beside", "sse.compat.hosted-alongside", "HTTP+SSE is served beside Streamable HTTP"),
    carried("sse-preamble", "", "the stream begins with a byte order mark, a comment and a retry"),
    carried("sse-absolute-endpoint", "", "the endpoint event has an absolute URL"),
    carried("sse-ok-body", "", "posts get status 200 and a body"),
    carried("sse-untyped-events", "", "messages are events without a type"),
    carried("sse-split-data", "", "the data of a message stands on two lines"),
    carried(
        "own-keys",
        "auth.custom-strategy",
        "clients are asked for keys of the server's own, not for those of OAuth",
    ),
    carried("open-discovery", "auth.optional", "only tool calls take a token"),
    carried("no-own-origin", "security.origin.own-origin", "pages of this machine are refused like any other"),
    carried("origin-body", "security.origin.body-without-id", "a refused Origin gets a JSON-RPC error without an id"),
];

/// The quirks of a server, called where they act.
pub(crate) struct Quirks {
    settings: Settings,
}

impl Quirks {
    /// The quirks of these settings.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { settings: settings.clone() }
    }
}

/// How long an empty line takes.
const BLANK: Duration = Duration::from_millis(5);

/// As the `logging` of Python writes one.
const TRACEBACK: &str = "ERROR:server:a job in the background failed\nTraceback (most recent call last):\n  File \"/srv/jobs.py\", line 12, in run\n    refresh()\nConnectionError: no route to host";

impl Interceptor for Quirks {
    fn lines(&self, read: &mut Vec<Vec<u8>>, _reads: u32) {
        if !self.settings.quirk("slow-blank-lines") {
            return;
        }
        for _ in read.iter().filter(|line| line.is_empty()) {
            std::thread::sleep(BLANK);
            let _ = writeln!(std::io::stderr(), "reference: an empty line");
        }
    }

    fn payload(&self, connection: &mut Connection, bytes: &[u8]) -> Payload {
        let drops = self.settings.quirk("drops-bad-tokens") && connection.transport == Transport::Stdio;
        let bad = drops && connection.revision() <= Some(Revision::V2025_06_18) && has_bad_token(bytes);
        if bad { Payload::Dropped } else { Payload::AsIs }
    }

    fn request(&self, connection: &mut Connection, call: &mut Call) -> Option<Reply> {
        let opens = call.method == "initialize";
        if opens && self.settings.quirk("needs-sampling") && !call.params["capabilities"]["sampling"].is_object() {
            return Some(RpcError::invalid_params("the client capability sampling is required").into());
        }
        let early = connection.session.as_ref().is_some_and(|session| !session.initialized);
        let held = !opens && call.method != "ping" && early && !crate::core::looks_modern(&call.params);
        (held && self.settings.quirk("refuse-early-requests"))
            .then(|| RpcError::invalid_request("notifications/initialized comes first").into())
    }

    fn delay(&self, connection: &Connection, call: &Call) -> Option<Duration> {
        if self.settings.quirk("slow-start") && call.key == 1 && connection.number == 1 {
            return Some(Duration::from_secs(1));
        }
        let late = call.key % 2 == 1 && call.method != "initialize";
        (late && self.settings.quirk("out-of-order")).then_some(Duration::from_millis(40))
    }

    fn before_answer(&self, connection: &mut Connection, call: &Call, plain: bool) {
        if self.settings.quirk("chatter") {
            let method = crate::error::shorten(&call.method);
            connection.act(Action::Chatter(format!("reference: {method} is answered")));
        }
        if self.settings.quirk("tracebacks") && call.key.is_multiple_of(5) {
            connection.act(Action::Chatter(TRACEBACK.to_owned()));
        }
        if self.settings.quirk("interleaved") && call.method != "initialize" && !plain {
            connection.log(call, 6, json!({"answering": crate::error::shorten(&call.method)}));
        }
        let ready = connection.session.as_ref().is_some_and(|session| session.initialized);
        let calls = call.tool().is_some() && call.modern.is_none();
        if self.settings.quirk("unsolicited-list-changed") && ready && calls {
            connection.notify(Stream::Standalone, "notifications/tools/list_changed", Value::Null);
        }
    }

    fn client_initialized(&self, connection: &mut Connection) {
        if !self.settings.quirk("pings") {
            return;
        }
        let id = json!("server-ping");
        if connection.transport == Transport::Stdio {
            connection.expect(id.clone(), "ping");
        }
        connection.request_of_ours(Stream::Standalone, id, "ping", json!({}));
    }

    fn message(&self, _connection: &Connection, about: &About<'_>, message: &mut Value, _edits: &mut Edits) {
        dress::dress(&self.settings, about, message);
    }

    fn text(&self, text: String) -> String {
        spell::spell(&self.settings, text)
    }

    fn wraps(&self, connection: &Connection) -> bool {
        self.settings.quirk("batched-answers")
            && connection.transport == Transport::Stdio
            && connection.revision() == Some(Revision::V2025_03_26)
            && connection.session.as_ref().is_some_and(|session| session.initialized)
    }

    fn tool_shown(&self, revision: Revision, shown: &mut Value) {
        dress::show(&self.settings, revision, shown);
    }
}

/// Whether a message has a progress token that is neither a string nor a number.
fn has_bad_token(bytes: &[u8]) -> bool {
    let message = serde_json::from_slice::<Value>(bytes).unwrap_or_default();
    let token = message.pointer("/params/_meta/progressToken");
    token.is_some_and(|token| !token.is_string() && !token.is_number())
}
