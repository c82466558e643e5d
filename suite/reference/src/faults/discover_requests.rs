//! Faults of the area discover: requests of 2026-07-28, their versions, capabilities and connections.

use serde_json::{Value, json};
use wire::mcp::code;
use wire::mcp::meta;

use super::Edit::Set;
use super::Hook::{Error, HttpAnswer, HttpRequest, Request, Switch};
use super::On::Call;
use super::discover::{DISCOVER, has_history, is_first, is_modern, modern_request, opens_older};
use super::http_answers::{refuse_params, replace_text};
use super::replies::{empty, error, exit, invalid, recode, unknown};
use super::{Fault, Hook, carried, fault, rewrite};
use crate::Transport::Stdio;
use crate::core::{self, Connection, Reply, VERSION, failure};
use crate::deviation::Deviation;
use crate::error::RpcError;

const UNSUPPORTED: i64 = code::UNSUPPORTED_PROTOCOL_VERSION;
const MISSING_CAPABILITY: i64 = code::MISSING_CLIENT_CAPABILITY;
const LISTS: [&str; 4] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

pub(super) static TABLE: &[Fault] = &[
    fault(
        "discover.version.unsupported-code",
        "",
        "an unsupported version gives -32602",
        Error(|_, error| recode(error.code == UNSUPPORTED, error, code::INVALID_PARAMS)),
    ),
    fault(
        "discover.version.unsupported-code",
        "draft",
        "an unsupported version gives -32004",
        Error(|_, error| recode(error.code == UNSUPPORTED, error, -32004)),
    ),
    fault(
        "discover.version.unsupported-code",
        "served",
        "any version is served",
        Request(|connection, call| serve_version(connection, call, |_, _| true)),
    ),
    fault(
        "discover.version.unsupported-supported-list",
        "",
        "data.supported is empty",
        Error(|_, error| set_data(error, UNSUPPORTED, "supported", json!([]))),
    ),
    fault(
        "discover.version.unsupported-supported-list",
        "missing",
        "the error has no data",
        Error(|_, error| drop_data(error, UNSUPPORTED)),
    ),
    fault(
        "discover.version.unsupported-requested-echo",
        "",
        "data.requested is another version",
        Error(|_, error| set_data(error, UNSUPPORTED, "requested", json!("2026-07-28"))),
    ),
    fault(
        "discover.version.unsupported-requested-echo",
        "missing",
        "data.requested is missing",
        Error(|_, error| set_data(error, UNSUPPORTED, "requested", Value::Null)),
    ),
    fault(
        "discover.version.lists-agree",
        "",
        "data.supported has a version more than supportedVersions",
        Error(|_, error| set_data(error, UNSUPPORTED, "supported", json!(["2026-07-28", "2027-03-01"]))),
    ),
    fault(
        "discover.version.refused-not-listed",
        "",
        "data.supported has the older versions, which are refused",
        Error(|_, error| set_data(error, UNSUPPORTED, "supported", json!(["2026-07-28", "2025-11-25"]))),
    ),
    fault(
        "discover.version.per-request",
        "",
        "after an unsupported version further requests are refused too",
        Request(|connection, call| {
            if !is_modern(connection, call) {
                return None;
            }
            let (version, known) = requested_version(connection, call);
            let mut state = connection.server.state();
            state.spoilt |= !known;
            (state.spoilt && known).then(|| RpcError::unsupported_version(&version, &["2026-07-28"]).into())
        }),
    ),
    fault(
        "discover.version.any-method",
        "",
        "only server/discover and the lists look at the version",
        Request(|connection, call| {
            serve_version(connection, call, |call, _| {
                !LISTS.contains(&&*call.method) && call.method != "server/discover"
            })
        }),
    ),
    fault(
        "discover.version.legacy-name-per-request",
        "",
        "an older version is served like the newest",
        Request(|connection, call| serve_version(connection, call, |_, version| version.starts_with("2025-"))),
    ),
    fault(
        "discover.stateless.no-handshake",
        "",
        "lists are refused until there was a handshake",
        Request(|connection, call| {
            modern_request(connection, call, &LISTS).then(|| error(code::INVALID_REQUEST, "initialize comes first"))
        }),
    ),
    fault(
        "discover.stateless.meta-not-inherited",
        "",
        "what _meta lacks is taken from the request before",
        Request(|connection, call| {
            let meta = call.params.get("_meta").cloned().unwrap_or_default();
            if !is_modern(connection, call) {
                return None;
            }
            let mut state = connection.server.state();
            if is_complete(&meta) {
                state.meta = meta;
            } else if state.meta.is_object() && (call.params.is_null() || call.params.is_object()) && !meta.is_array() {
                for name in [VERSION, meta::CLIENT_CAPABILITIES] {
                    if meta.get(name).is_none() {
                        call.params["_meta"][name] = state.meta[name].clone();
                    }
                }
            }
            None
        }),
    ),
    fault(
        "discover.stateless.capabilities-not-inherited",
        "",
        "capabilities of an earlier request still count",
        Request(|connection, call| {
            let meta = call.params.get("_meta").cloned().unwrap_or_default();
            if !is_modern(connection, call) || !is_complete(&meta) {
                return None;
            }
            let mut state = connection.server.state();
            if meta[meta::CLIENT_CAPABILITIES] == json!({}) && state.meta.is_object() {
                call.params["_meta"][meta::CLIENT_CAPABILITIES] = state.meta[meta::CLIENT_CAPABILITIES].clone();
            } else {
                state.meta = meta;
            }
            None
        }),
    ),
    fault(
        "discover.stateless.no-reliance-on-undeclared",
        "",
        "clients that cannot answer are asked all the same",
        Switch(&[Deviation::AsksWithoutCapability]),
    ),
    carried(
        "discover.stateless.other-connection",
        "",
        "a resource is read only where something was asked before",
        HttpRequest(|_, asked, message| {
            let early = asked.fresh && message.method() == Some("resources/read");
            early.then(|| refuse_params(message, "this connection has not listed the resource"))
        }),
    ),
    fault(
        "discover.stateless.interleaving",
        "",
        "an answer tells of the client that asked before",
        Hook::Result(|connection, call, result| {
            let name = call.params["_meta"][meta::CLIENT_INFO]["name"].as_str().unwrap_or_default().to_owned();
            let before = std::mem::replace(&mut connection.server.state().client, name.clone());
            if before != name {
                result["com.example/before"] = json!(before);
            }
            None
        }),
    ),
    fault(
        "discover.stateless.lists-not-history-dependent",
        "",
        "after some requests a connection sees another list",
        Hook::Result(|connection, call, result| {
            let prompts = result.get_mut("prompts").and_then(Value::as_array_mut);
            if let Some(prompts) = prompts.filter(|_| has_history(connection, call)) {
                prompts.pop();
            }
            None
        }),
    )
    .over(&[Stdio]),
    carried(
        "discover.stateless.lists-not-history-dependent",
        "line",
        "a connection that was used sees another list",
        HttpAnswer(|_, answer, asked, message| {
            let again = !asked.fresh && message.method() == Some("prompts/list");
            let other = |answer| replace_text(answer, "\"prompts\":[", "\"prompts\":[{\"name\":\"again\"},");
            if again { other(answer) } else { answer }
        }),
    ),
    fault(
        "discover.stateless.fresh-process",
        "",
        "the first request for a list is refused",
        Request(|connection, call| {
            let refused = is_first(connection, call) && LISTS.contains(&&*call.method);
            refused.then(|| error(code::INTERNAL_ERROR, "The server is not ready"))
        }),
    )
    .over(&[Stdio]),
    fault(
        "discover.missing-capability.code",
        "",
        "a missing capability gives -32601",
        Error(|_, error| recode(error.code == MISSING_CAPABILITY, error, code::METHOD_NOT_FOUND)),
    ),
    fault(
        "discover.missing-capability.code",
        "result",
        "a missing capability gives a result with isError",
        Error(|_, error| (error.code == MISSING_CAPABILITY).then(|| Reply::Result(failure(&error.message)))),
    ),
    fault(
        "discover.missing-capability.data",
        "",
        "requiredCapabilities is an array of names",
        Error(|_, error| set_data(error, MISSING_CAPABILITY, "requiredCapabilities", json!(["elicitation"]))),
    ),
    fault(
        "discover.missing-capability.data",
        "missing",
        "the error has no data",
        Error(|_, error| drop_data(error, MISSING_CAPABILITY)),
    ),
    fault(
        "discover.missing-capability.really-missing",
        "",
        "requiredCapabilities repeats what is declared",
        Error(|call, error| {
            let declared = call.params["_meta"][meta::CLIENT_CAPABILITIES].as_object().cloned().unwrap_or_default();
            let data = error.data.as_mut().filter(|_| error.code == MISSING_CAPABILITY);
            if let Some(required) = data.and_then(|data| data["requiredCapabilities"].as_object_mut()) {
                required.extend(declared);
            }
            None
        }),
    ),
    fault(
        "discover.missing-capability.retry-with",
        "",
        "requiredCapabilities leaves out one of two",
        Request(|connection, call| {
            let lacks = is_modern(connection, call)
                && call.tool() == Some("ask_name")
                && call.params["_meta"][meta::CLIENT_CAPABILITIES].get("sampling").is_none();
            lacks.then(|| RpcError::missing_capability("elicitation").into())
        }),
    ),
    rewrite(
        "discover.extension.fallback",
        "",
        "everybody gets results of an extension",
        &[
            (DISCOVER, Set("/result/capabilities/extensions", "{\"com.example/partial\": {}}")),
            (Call("version"), Set("/result/resultType", "\"partial\"")),
        ],
    ),
    fault(
        "discover.removed.ping",
        "",
        "ping is answered",
        Request(|connection, call| modern_request(connection, call, &["ping"]).then(empty)),
    ),
    fault(
        "discover.removed.logging-setlevel",
        "",
        "logging/setLevel is answered",
        Request(|connection, call| modern_request(connection, call, &["logging/setLevel"]).then(empty)),
    ),
    fault(
        "discover.removed.tasks-core",
        "",
        "tasks/list is answered",
        Request(|connection, call| {
            modern_request(connection, call, &["tasks/list"]).then(|| Reply::Result(json!({"tasks": []})))
        }),
    ),
    fault(
        "discover.removed.tasks-core",
        "code",
        "tasks/result gives -32602",
        Request(|connection, call| {
            modern_request(connection, call, &["tasks/result"]).then(|| invalid("there is no such task"))
        }),
    ),
    fault(
        "discover.legacy.initialize-refusal-names-versions",
        "",
        "initialize is an unknown method",
        Request(|connection, call| opens_older(connection, call).then(|| unknown("initialize"))),
    ),
    fault(
        "discover.legacy.initialize-error",
        "",
        "initialize ends the process, or gets 202",
        Request(|connection, call| {
            if !opens_older(connection, call) {
                return None;
            }
            if connection.transport == Stdio {
                return Some(exit(connection));
            }
            connection.abandon(call.key);
            Some(Reply::Later)
        }),
    ),
    fault(
        "discover.legacy.dual-era-initialize",
        "",
        "sessions are asked for _meta",
        Request(|connection, call| {
            let refused = !is_modern(connection, call) && LISTS.contains(&&*call.method);
            refused.then(|| invalid("_meta is missing"))
        }),
    ),
];

fn is_complete(meta: &Value) -> bool {
    meta[VERSION].is_string() && meta[meta::CLIENT_CAPABILITIES].is_object()
}

/// The version that a request names, and whether the server has it.
fn requested_version(connection: &Connection, call: &core::Call) -> (String, bool) {
    let version = call.params["_meta"][VERSION].as_str().unwrap_or_default().to_owned();
    let known = connection.server.modern_versions().contains(&version.as_str());
    (version, known)
}

/// Takes an unsupported version for a supported one.
fn serve_version(
    connection: &Connection,
    call: &mut core::Call,
    applies: fn(&core::Call, &str) -> bool,
) -> Option<Reply> {
    let (version, known) = requested_version(connection, call);
    if is_modern(connection, call) && applies(call, &version) && !known && !version.is_empty() {
        call.params["_meta"][VERSION] = json!("2026-07-28");
    }
    None
}

/// Puts a value into the data of an error of this code; null removes it.
fn set_data(error: &mut RpcError, code: i64, name: &str, value: Value) -> Option<Reply> {
    let data = error.data.as_mut().filter(|_| error.code == code).and_then(Value::as_object_mut);
    if let Some(data) = data {
        if value.is_null() {
            data.shift_remove(name);
        } else {
            data.insert(name.to_owned(), value);
        }
    }
    None
}

fn drop_data(error: &mut RpcError, code: i64) -> Option<Reply> {
    if error.code == code {
        error.data = None;
    }
    None
}
