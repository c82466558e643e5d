//! Faults of the area lifecycle: the handshake and what it settles.

use hyper::StatusCode;
use serde_json::{Value, json};
use wire::mcp::code;

use super::Edit::{Drop, Remove, Set, Twice};
use super::Hook::{Error, HttpRequest, Request, Switch};
use super::On::Result;
use super::jsonrpc::SESSIONS;
use super::replies::{error, invalid, recode};
use super::{Fault, carried, fault, rewrite};
use crate::Revision;
use crate::Transport::{Http, Stdio};
use crate::core::{self, Connection, Reply};
use crate::deviation::Deviation;
use crate::http::answer::{empty, plain, with};

pub(super) static TABLE: &[Fault] = &[
    rewrite("lifecycle.initialize.answered", "", "initialize is not answered", &[(Result("initialize"), Drop)]),
    rewrite(
        "lifecycle.initialize.answered",
        "neither",
        "initialize is answered with neither a result nor an error",
        &[(Result("initialize"), Remove("/result"))],
    ),
    rewrite(
        "lifecycle.initialize.answered",
        "stream",
        "initialize is answered with a stream without events",
        &[(Result("initialize"), Drop)],
    )
    .and(Switch(&[Deviation::AlwaysStreams]))
    .only(SESSIONS)
    .over(&[Http]),
    carried(
        "lifecycle.initialize.answered",
        "accepted",
        "initialize is accepted like a notification",
        HttpRequest(|_, _, message| (message.method() == Some("initialize")).then(|| empty(StatusCode::ACCEPTED))),
    )
    .only(SESSIONS),
    carried(
        "lifecycle.initialize.answered",
        "html",
        "initialize is answered with a web page",
        HttpRequest(|_, _, message| {
            (message.method() == Some("initialize"))
                .then(|| with(plain(StatusCode::OK, "<p>Welcome</p>"), "content-type", "text/html"))
        }),
    )
    .only(SESSIONS),
    fault(
        "lifecycle.initialize.answered",
        "error",
        "initialize is answered with an error",
        Request(|connection, call| {
            opening(connection, call).map(|_| error(code::INTERNAL_ERROR, "The server could not be started"))
        }),
    ),
    fault(
        "lifecycle.initialize.first-message-served",
        "",
        "initialize is refused unless something came before",
        Request(|connection, call| {
            opening(connection, call)
                .filter(|_| call.key == 1)
                .map(|_| error(code::INVALID_REQUEST, "Send something else first"))
        }),
    )
    .over(&[Stdio]),
    rewrite(
        "lifecycle.initialize.protocol-version",
        "",
        "protocolVersion is a number",
        &[(Result("initialize"), Set("/result/protocolVersion", "20251125"))],
    ),
    rewrite(
        "lifecycle.initialize.protocol-version",
        "missing",
        "protocolVersion is missing",
        &[(Result("initialize"), Remove("/result/protocolVersion"))],
    ),
    rewrite(
        "lifecycle.initialize.capabilities",
        "",
        "capabilities is missing",
        &[(Result("initialize"), Remove("/result/capabilities"))],
    ),
    rewrite(
        "lifecycle.initialize.capabilities",
        "array",
        "capabilities is an array",
        &[(Result("initialize"), Set("/result/capabilities", "[]"))],
    ),
    rewrite(
        "lifecycle.version.released",
        "own",
        "every initialize is answered with a version of the server's own",
        &[(Result("initialize"), Set("/result/protocolVersion", "\"1.0\""))],
    ),
    rewrite(
        "lifecycle.version.released",
        "never",
        "every initialize is answered with a version that was never published",
        &[(Result("initialize"), Set("/result/protocolVersion", "\"2025-12-31\""))],
    ),
    rewrite(
        "jsonrpc.response.result-object",
        "initialize",
        "the result of initialize is null",
        &[(Result("initialize"), Set("/result", "null"))],
    )
    .only(super::jsonrpc::HANDSHAKE),
    rewrite(
        "jsonrpc.response.exactly-one",
        "initialize",
        "initialize is answered twice",
        &[(Result("initialize"), Twice)],
    )
    .only(super::jsonrpc::HANDSHAKE)
    .over(&[Stdio]),
    rewrite(
        "lifecycle.initialize.server-info",
        "",
        "serverInfo is missing",
        &[(Result("initialize"), Remove("/result/serverInfo"))],
    ),
    rewrite(
        "lifecycle.initialize.server-info",
        "version",
        "serverInfo has no version",
        &[(Result("initialize"), Remove("/result/serverInfo/version"))],
    ),
    rewrite(
        "lifecycle.initialize.server-info",
        "name",
        "the name in serverInfo is null",
        &[(Result("initialize"), Set("/result/serverInfo/name", "null"))],
    ),
    rewrite(
        "lifecycle.server-info.non-empty",
        "",
        "the version in serverInfo is empty",
        &[(Result("initialize"), Set("/result/serverInfo/version", "\"\""))],
    ),
    rewrite(
        "lifecycle.server-info.title-type",
        "",
        "the title in serverInfo is null",
        &[(Result("initialize"), Set("/result/serverInfo/title", "null"))],
    ),
    rewrite(
        "lifecycle.server-info.description-type",
        "",
        "the description in serverInfo is null",
        &[(Result("initialize"), Set("/result/serverInfo/description", "null"))],
    ),
    rewrite(
        "lifecycle.server-info.website-url",
        "",
        "websiteUrl is no URI",
        &[(Result("initialize"), Set("/result/serverInfo/websiteUrl", "\"our site\""))],
    ),
    rewrite(
        "lifecycle.server-info.website-url",
        "null",
        "websiteUrl is null",
        &[(Result("initialize"), Set("/result/serverInfo/websiteUrl", "null"))],
    ),
    rewrite(
        "lifecycle.server-info.icons",
        "",
        "an icon in serverInfo has no src",
        &[(Result("initialize"), Remove("/result/serverInfo/icons/0/src"))],
    ),
    rewrite(
        "lifecycle.server-info.icons",
        "string",
        "icons in serverInfo is a string",
        &[(Result("initialize"), Set("/result/serverInfo/icons", "\"icon.png\""))],
    ),
    rewrite(
        "lifecycle.instructions.type",
        "",
        "instructions is null",
        &[(Result("initialize"), Set("/result/instructions", "null"))],
    ),
    fault(
        "lifecycle.initialize.extra-client-fields",
        "",
        "initialize with a member it does not know is refused",
        Request(|connection, call| {
            opening(connection, call).filter(|_| has_extra_fields(&call.params)).map(|_| invalid("unknown member"))
        }),
    ),
    fault(
        "lifecycle.initialize.empty-capabilities",
        "",
        "initialize without client capabilities is not answered",
        Request(|connection, call| {
            opening(connection, call).filter(|_| call.params["capabilities"] == json!({})).map(|_| Reply::Later)
        }),
    ),
    fault(
        "lifecycle.initialize.missing-fields-refused",
        "",
        "initialize is served whatever it lacks",
        Request(|connection, call| {
            let newest = opening(connection, call)?.newest;
            complete(&mut call.params, newest);
            None
        }),
    ),
    fault(
        "lifecycle.initialize.missing-fields-code",
        "",
        "an ill-formed initialize gives -32603",
        Error(|call, error| {
            recode(call.method == "initialize" && error.code == code::INVALID_PARAMS, error, code::INTERNAL_ERROR)
        }),
    ),
    fault(
        "lifecycle.timeouts.server-requests",
        "",
        "the answer to its own requests is waited for for ever",
        Switch(&[Deviation::NeverStopsWaiting, Deviation::ExpiresSoon]),
    )
    .in_a_run(),
    fault(
        "lifecycle.timeouts.cancel-on-expiry",
        "",
        "what is no longer waited for is not taken back",
        Switch(&[Deviation::ExpiresSilently, Deviation::ExpiresSoon]),
    )
    .in_a_run(),
    fault(
        "lifecycle.timeouts.hard-cap",
        "",
        "progress resets the clock, as often as it comes",
        Switch(&[Deviation::ProgressExtendsTimeouts, Deviation::ExpiresSoon]),
    )
    .in_a_run(),
    fault(
        "lifecycle.initialize.again",
        "",
        "a second initialize settles another version",
        Request(|connection, call| {
            let legacy = opening(connection, call)?.legacy;
            let before = connection.session.take()?.revision;
            let other = legacy.iter().find(|revision| **revision != before).unwrap_or(&legacy[0]);
            call.params["protocolVersion"] = json!(other.as_str());
            None
        }),
    ),
    fault(
        "lifecycle.initialized.accepted",
        "",
        "notifications/initialized is answered with an error",
        Switch(&[Deviation::InitializedIsRefused]),
    ),
    fault(
        "lifecycle.initialized.accepted",
        "params",
        "notifications/initialized is answered with an error if it has params",
        Switch(&[Deviation::InitializedWithParamsIsRefused]),
    )
    .in_a_run(),
    fault(
        "lifecycle.initialized.accepted",
        "exit",
        "notifications/initialized ends the process",
        Switch(&[Deviation::InitializedIsFatal]),
    )
    .over(&[Stdio]),
    fault(
        "lifecycle.initialized.serves-after",
        "",
        "after the handshake everything is refused",
        Request(|connection, call| {
            let ready = connection.session.as_ref().is_some_and(|session| session.initialized);
            (ready && call.method != "ping").then(|| error(code::INVALID_REQUEST, "The server is not ready"))
        }),
    ),
];

/// The version that initialize requests, and those that the server supports.
pub(super) struct Opening {
    pub(super) legacy: Vec<Revision>,
    pub(super) requested: String,
    pub(super) supported: bool,
    pub(super) newest: &'static str,
}

/// The opening of a connection, if a request is one that can succeed.
pub(super) fn opening(connection: &Connection, call: &core::Call) -> Option<Opening> {
    let legacy = connection.server.settings.legacy();
    let newest = legacy.last().filter(|_| call.method == "initialize")?.as_str();
    let requested = call.params["protocolVersion"].as_str().unwrap_or_default().to_owned();
    let supported = legacy.iter().any(|revision| revision.as_str() == requested);
    Some(Opening { legacy, requested, supported, newest })
}

fn has_extra_fields(params: &Value) -> bool {
    let beyond = |value: &Value, known: &[&str]| {
        value.as_object().is_some_and(|object| object.keys().any(|key| !known.contains(&key.as_str())))
    };
    beyond(params, &["protocolVersion", "capabilities", "clientInfo"])
        || beyond(&params["clientInfo"], &["name", "version"])
        || beyond(&params["capabilities"], &["roots", "sampling", "elicitation"])
}

/// Puts good values in place of what initialize lacks.
fn complete(params: &mut Value, newest: &str) {
    if !params.is_object() {
        *params = json!({});
    }
    if !params["protocolVersion"].is_string() {
        params["protocolVersion"] = json!(newest);
    }
    if !params["capabilities"].is_object() {
        params["capabilities"] = json!({});
    }
    if !params["clientInfo"]["name"].is_string() || !params["clientInfo"]["version"].is_string() {
        params["clientInfo"] = json!({"name": "", "version": ""});
    }
}
