//! Faults of the area practice: what calls give, and what they bring about.

use std::time::{Duration, Instant};
use wire::mcp::code;

use serde_json::json;

use super::Edit::{Before, Set};
use super::Hook::{Request, Switch};
use super::On::{Call, Error, Result};
use super::calls::calls;
use super::replies::{error, leak};
use super::robust::{fatal, has};
use super::{Fault, Hook, fault, rewrite};
use crate::Transport::{Http, Sse, Stdio};
use crate::core::{self, Connection, Reply, What, failure};
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
    fault("practice.response.json-parses", "", "JSON has a word before it", Switch(&[Deviation::JsonHasPrefix]))
        .in_a_run(),
    fault(
        "practice.response.json-complete",
        "",
        "JSON lacks the ids that Markdown has",
        Switch(&[Deviation::JsonLacksIds]),
    )
    .in_a_run(),
    fault(
        "practice.response.json-consistent",
        "",
        "every other entry lacks a member",
        Switch(&[Deviation::JsonInconsistent]),
    )
    .in_a_run(),
    fault("practice.response.markdown-is-readable", "", "Markdown is JSON", Switch(&[Deviation::MarkdownIsJson]))
        .in_a_run(),
    fault(
        "practice.response.markdown-structured",
        "",
        "Markdown has no marks",
        Switch(&[Deviation::MarkdownUnstructured]),
    )
    .in_a_run(),
    fault(
        "practice.response.markdown-timestamps",
        "",
        "Markdown has times as numbers",
        Switch(&[Deviation::MarkdownTimestampsRaw]),
    )
    .in_a_run(),
    fault("practice.response.size-limit", "", "a text has 27,000 characters", Switch(&[Deviation::StoriesTooLong]))
        .in_a_run(),
    fault("practice.response.truncated-json-valid", "", "JSON breaks off", Switch(&[Deviation::JsonBreaksOff]))
        .in_a_run(),
    fault(
        "practice.response.truncation-flagged",
        "",
        "a part is given for the whole",
        Switch(&[Deviation::TruncationUnflagged]),
    )
    .in_a_run(),
    fault(
        "practice.response.truncation-guidance",
        "",
        "what is missing cannot be had",
        Switch(&[Deviation::TruncationWithoutGuidance]),
    )
    .in_a_run(),
    fault(
        "practice.response.truncation-metadata",
        "",
        "nobody knows how much is missing",
        Switch(&[Deviation::TruncationWithoutCount]),
    )
    .in_a_run(),
    fault(
        "practice.list.limit-honoured",
        "",
        "there is one entry more than asked for",
        Switch(&[Deviation::LimitExceeded]),
    )
    .in_a_run(),
    fault(
        "practice.list.default-page",
        "",
        "without a limit there are 60 entries",
        Switch(&[Deviation::DefaultPageTooLarge]),
    )
    .in_a_run(),
    fault(
        "practice.list.limit-bounded",
        "",
        "the largest limit is never answered",
        Switch(&[Deviation::LargestLimitUnanswered]),
    )
    .in_a_run(),
    fault(
        "practice.list.has-more",
        "",
        "a page does not say whether there is more",
        Switch(&[Deviation::PageWithoutHasMore]),
    )
    .in_a_run(),
    fault(
        "practice.list.next-marker",
        "",
        "a page does not say where the next one begins",
        Switch(&[Deviation::PageWithoutNextOffset]),
    )
    .in_a_run(),
    fault(
        "practice.list.total-count",
        "",
        "a page does not say how many there are",
        Switch(&[Deviation::PageWithoutTotal]),
    )
    .in_a_run(),
    fault("practice.list.count-matches", "", "a page counts one entry too many", Switch(&[Deviation::CountTooHigh]))
        .in_a_run(),
    fault(
        "practice.list.offset-echoed",
        "",
        "a page names the next offset for its own",
        Switch(&[Deviation::OffsetIsNext]),
    )
    .in_a_run(),
    fault("practice.list.next-advances", "", "every page is the first one", Switch(&[Deviation::PagesNeverAdvance]))
        .in_a_run(),
    fault("practice.list.last-page-clean", "", "the last page leads on", Switch(&[Deviation::LastPageLeadsOn]))
        .in_a_run(),
    fault("practice.list.pages-agree-with-total", "", "the total is one too many", Switch(&[Deviation::TotalTooHigh]))
        .in_a_run(),
    rewrite(
        "practice.errors.flagged",
        "",
        "a result that is an error does not say so",
        &[(Call("version"), Set("/result/content/0/text", "\"Error: it failed\""))],
    ),
    rewrite(
        "practice.errors.standard-codes",
        "",
        "an error has the code of an HTTP status",
        &[(Error("prompts/get"), Set("/error/code", "404"))],
    ),
    rewrite(
        "practice.errors.no-stack-trace",
        "",
        "an error is a stack trace",
        &[(
            Call("fail"),
            Set("/result/content/0/text", r#""Traceback (most recent call last):\n  File x, line 1\nKeyError: 1""#),
        )],
    ),
    rewrite(
        "practice.errors.no-file-paths",
        "",
        "an error names a file of the server",
        &[(Call("fail"), Set("/result/content/0/text", r#""It failed in /home/build/server/tools.py.""#))],
    ),
    rewrite(
        "practice.errors.no-secrets",
        "",
        "an error has a password",
        &[(Call("fail"), Set("/result/content/0/text", r#""No connection to postgres://app:hunter2@db.example/x""#))],
    ),
    rewrite(
        "practice.errors.no-internals",
        "",
        "an error has a query",
        &[(Call("fail"), Set("/result/content/0/text", r#""It failed at SELECT name FROM users WHERE id = 1""#))],
    ),
    fault(
        "practice.errors.helpful",
        "",
        "invalid arguments are refused without a reason",
        Switch(&[Deviation::InvalidArgumentsUnexplained]),
    ),
    fault("practice.errors.short", "", "an error has thousands of characters", Switch(&[Deviation::ErrorsAreLong])),
    fault(
        "practice.errors.cleanup",
        "",
        "every failing call keeps its memory",
        Request(|connection, call| {
            if calls(call) && !is_known(connection, call) {
                leak(512 << 10);
            }
            None
        }),
    )
    .over(&[Stdio])
    .in_a_run(),
    fault("practice.input.path-traversal", "", "a path may lead outside", Switch(&[Deviation::PathsLeadOutside]))
        .in_a_run(),
    fault(
        "practice.input.command-injection",
        "",
        "what stands in $() is worked out",
        Request(|_, call| {
            if calls(call)
                && let Some(message) = call.params["arguments"]["message"].as_str().map(expand)
            {
                call.params["arguments"]["message"] = json!(message);
            }
            None
        }),
    )
    .in_a_run(),
    fault("practice.input.url-validated", "", "file: is followed", Switch(&[Deviation::FileUrlsFollowed])).in_a_run(),
    fault("practice.input.id-validated", "", "an id with quotes finds everything", Switch(&[Deviation::IdsInjectable]))
        .in_a_run(),
    fault(
        "practice.input.oversized",
        "",
        "very large arguments are not answered",
        Request(|_, call| (calls(call) && call.params.to_string().len() > 512 << 10).then_some(Reply::Later)),
    )
    .in_a_run(),
    fault(
        "practice.input.ranges",
        "",
        "a limit out of range is an internal error",
        Request(|_, call| {
            let limit = call.params["arguments"]["limit"].as_f64().filter(|_| calls(call));
            let out = limit.is_some_and(|limit| !(1.0..=50.0).contains(&limit));
            out.then(|| error(code::INTERNAL_ERROR, "Internal error"))
        }),
    )
    .in_a_run(),
    fault(
        "practice.input.deep-nesting",
        "",
        "deep arguments are not survived",
        Hook::Payload(|bytes| fatal(has(bytes, b"tools/call") && has(bytes, &b"[".repeat(500)))),
    )
    .over(&[Stdio])
    .in_a_run(),
    fault(
        "practice.input.unicode",
        "",
        "half a surrogate pair in arguments is not survived",
        Hook::Payload(|bytes| fatal(has(bytes, b"tools/call") && has(bytes, b"\\ud800"))),
    )
    .over(&[Stdio])
    .in_a_run(),
    fault(
        "practice.input.prototype-keys",
        "",
        "what __proto__ holds stands in every later result",
        Request(|connection, call| {
            let members = call.params["arguments"]["__proto__"].clone();
            if calls(call) && members.is_object() {
                connection.server.state().meta = members;
            }
            None
        }),
    )
    .and(Hook::Result(|connection, call, result| {
        let left = connection.server.state().meta.clone();
        if calls(call) && result["isError"] != true && left.as_object().is_some_and(|members| !members.is_empty()) {
            result["_meta"] = left;
        }
        None
    }))
    .in_a_run(),
    fault(
        "practice.timeout.reported",
        "",
        "a call that got nowhere in its time has an ordinary result",
        Switch(&[Deviation::TimeoutsLookFine]),
    )
    .in_a_run(),
    fault(
        "practice.timeout.answers",
        "",
        "a tool never answers",
        Request(|_, call| (call.tool() == Some("version")).then_some(Reply::Later)),
    )
    .in_a_run(),
    fault(
        "practice.auth.missing-key-message",
        "",
        "without its key a tool fails and does not say what is missing",
        Request(|_, call| {
            let fails = call.tool() == Some("version") && std::env::var_os(KEY).is_none();
            fails.then(|| Reply::Result(failure("The version could not be found out.")))
        }),
    )
    .over(&[Stdio])
    .in_a_run(),
    fault(
        "practice.progress.long-operations",
        "",
        "a tool takes very long and says nothing",
        Request(|_, call| (call.tool() == Some("version")).then_some(Reply::Later)),
    )
    .in_a_run(),
    fault(
        "practice.rate-limit.survives-burst",
        "",
        "of many calls at once some get no answer",
        Request(|connection, call| (calls(call) && is_one_of_many(connection, call)).then_some(Reply::Later)),
    )
    .in_a_run(),
    fault(
        "practice.rate-limit.says-so",
        "",
        "of many calls at once some fail without a reason",
        Request(|connection, call| {
            (calls(call) && is_one_of_many(connection, call)).then(|| Reply::Result(failure("Something failed.")))
        }),
    )
    .in_a_run(),
    fault("practice.load.concurrent-clients", "", "while a call lasts nobody else is answered", Request(block))
        .over(&[Http, Sse])
        .in_a_run(),
    fault(
        "practice.transport.cleanup",
        "",
        "what requests hold is never released, until nothing is left",
        Request(|connection, call| match call.method.as_str() {
            "tools/list" => {
                connection.server.state().spent += 1;
                None
            }
            "ping" | "server/discover" => (connection.server.state().spent > HELD).then_some(Reply::Later),
            _ => None,
        }),
    )
    .over(&[Http])
    .in_a_run(),
    rewrite(
        "practice.stdio.stdout-protocol-only",
        "",
        "a line on standard output is no message",
        &[(Result("tools/list"), Before("+++"))],
    )
    .over(&[Stdio]),
    rewrite(
        "practice.stdio.logs-on-stderr",
        "",
        "log lines go to standard output",
        &[(Result("tools/list"), Before("INFO the tools were listed"))],
    )
    .over(&[Stdio]),
];

/// The environment variable without which a fault has a tool fail.
const KEY: &str = "MCP_CONFORM_REFERENCE_KEY";
/// How often the same call is served: nobody makes it more often, but in a burst.
const MANY: u64 = 60;
/// Requests that can be held.
const HELD: u64 = 80;

/// Whether the same call was made too often.
fn is_one_of_many(connection: &Connection, call: &core::Call) -> bool {
    let same = format!("{} {}", call.params["name"], call.params["arguments"]);
    let mut state = connection.server.state();
    let count = state.calls.entry(same).or_default();
    *count += 1;
    *count > MANY
}

fn is_known(connection: &Connection, call: &core::Call) -> bool {
    let server = &connection.server;
    call.tool().is_some_and(|tool| server.find_tool((call.revision, connection.transport), tool).is_some())
}

/// Has everybody wait for the call that lasts: not for one that is over at once, nor for one that lasts for minutes.
fn block(connection: &mut Connection, call: &mut core::Call) -> Option<Reply> {
    const LASTS: std::ops::Range<u64> = 500..2_000;
    const BEHIND: Duration = Duration::from_millis(50);
    if call.tool() == Some("work_slowly") {
        let given = |name: &str, default: f64| call.params["arguments"][name].as_f64().unwrap_or(default);
        let busy = (given("steps", 3.0) * given("milliseconds", 40.0)) as u64;
        if LASTS.contains(&busy) {
            connection.server.state().busy = Some(Instant::now() + Duration::from_millis(busy));
        }
        return None;
    }
    let left = connection.server.state().busy?.saturating_duration_since(Instant::now());
    if left.is_zero() || !["ping", "server/discover"].contains(&call.method.as_str()) {
        return None;
    }
    // Each connection has a clock of its own: behind the call, whatever they differ by.
    connection.later(left + BEHIND, Some(call.key), What::Finish(Box::new(call.clone()), Reply::Result(json!({}))));
    Some(Reply::Later)
}

/// Expands `$(printf 'format%s' word)` as a shell does.
fn expand(text: &str) -> String {
    let Some((head, rest)) = text.split_once("$(printf '") else { return text.to_owned() };
    let Some((inner, tail)) = rest.split_once(')') else { return text.to_owned() };
    let Some((format, word)) = inner.split_once("' ") else { return text.to_owned() };
    format!("{head}{}{tail}", format.replace("%s", word))
}
