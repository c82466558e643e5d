//! Faults of the area lifecycle: the handshake and what it settles.

use serde_json::{Value, json};

use super::Edit::{After, Before, Drop, Remove, Set, Wrap};
use super::Hook::{Error, Request, Switch};
use super::On::{Call, Result};
use super::replies::{empty, error, exit, invalid, recode, unknown};
use super::{Fault, Hook, fault, rewrite};
use crate::Revision;
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};
use crate::Transport::Stdio;
use crate::core::{self, Connection, Reply, looks_modern};
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
    rewrite("lifecycle.initialize.answered", "", "initialize is not answered", &[(Result("initialize"), Drop)]),
    fault(
        "lifecycle.initialize.answered",
        "error",
        "initialize is answered with an error",
        Request(|connection, call| opening(connection, call).map(|_| error(-32603, "The server could not be started"))),
    ),
    fault(
        "lifecycle.initialize.first-message-served",
        "",
        "initialize is refused unless something came before",
        Request(|connection, call| {
            opening(connection, call).filter(|_| call.key == 1).map(|_| error(-32600, "Send something else first"))
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
        Error(|call, error| recode(call.method == "initialize" && error.code == -32602, error, -32603)),
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
            (ready && call.method != "ping").then(|| error(-32600, "The server is not ready"))
        }),
    ),
    fault(
        "lifecycle.version.same-if-supported",
        "",
        "the newest version is never agreed to, only offered",
        Request(|connection, call| {
            let opening = opening(connection, call)?;
            if opening.requested == opening.newest && opening.legacy.len() > 1 {
                call.params["protocolVersion"] = json!(opening.legacy[opening.legacy.len() - 2].as_str());
            }
            None
        }),
    )
    .only(&[V2024_11_05, V2025_03_26, V2025_06_18]),
    fault(
        "lifecycle.version.counter-offer",
        "",
        "an unknown version gives an error",
        Request(|connection, call| {
            opening(connection, call)
                .filter(|opening| !opening.supported)
                .map(|_| invalid("protocolVersion is not supported"))
        }),
    ),
    fault(
        "lifecycle.version.counter-offer",
        "silent",
        "an unknown version gets no answer",
        Request(|connection, call| {
            opening(connection, call).filter(|opening| !opening.supported).map(|_| Reply::Later)
        }),
    ),
    fault(
        "lifecycle.version.counter-offer",
        "exit",
        "an unknown version ends the process",
        Request(|connection, call| {
            opening(connection, call).filter(|opening| !opening.supported).map(|_| exit(connection))
        }),
    ),
    fault(
        "lifecycle.version.no-blind-echo",
        "",
        "any version is agreed to",
        Hook::Result(|_, call, result| {
            if call.method == "initialize" {
                result["protocolVersion"] = call.params["protocolVersion"].clone();
            }
            None
        }),
    ),
    fault(
        "lifecycle.version.counter-offer-latest",
        "",
        "the oldest version is offered",
        Request(|connection, call| {
            let opening = opening(connection, call).filter(|opening| !opening.supported)?;
            call.params["protocolVersion"] = json!(opening.legacy[0].as_str());
            None
        }),
    ),
    fault(
        "lifecycle.version.released",
        "",
        "a version that was never released is offered",
        Hook::Result(|_, call, result| {
            if offers_another(call, result) {
                result["protocolVersion"] = json!("2024-10-07");
            }
            None
        }),
    ),
    fault(
        "lifecycle.version.no-modern-by-handshake",
        "",
        "initialize agrees to 2026-07-28",
        Hook::Result(|_, call, result| {
            if offers_another(call, result) && call.params["protocolVersion"] == "2026-07-28" {
                result["protocolVersion"] = json!("2026-07-28");
            }
            None
        }),
    ),
    fault(
        "lifecycle.pre-init.server-silent",
        "",
        "a notification is sent at the start",
        Switch(&[Deviation::NotifiesAtStart]),
    )
    .over(&[Stdio]),
    fault(
        "lifecycle.pre-init.server-silent",
        "request",
        "a request is sent at the start",
        Switch(&[Deviation::AsksAtStart]),
    )
    .over(&[Stdio]),
    rewrite(
        "lifecycle.pre-init.no-server-requests",
        "",
        "roots are asked for before the handshake is over",
        &[(Result("initialize"), After(r#"{"jsonrpc":"2.0","id":"early","method":"roots/list"}"#))],
    ),
    rewrite(
        "lifecycle.pre-init.other-notifications",
        "",
        "a list change is sent before the handshake is over",
        &[(Result("initialize"), After(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#))],
    ),
    fault(
        "lifecycle.pre-init.requests-not-served",
        "",
        "requests are served before initialize",
        Switch(&[Deviation::ServesBeforeInitialize]),
    ),
    fault(
        "lifecycle.pre-init.connection-survives-early-request",
        "",
        "a request before initialize ends the process",
        Request(|connection, call| {
            let early = connection.session.is_none()
                && !["initialize", "ping"].contains(&call.method.as_str())
                && !looks_modern(&call.params);
            early.then(|| exit(connection))
        }),
    )
    .over(&[Stdio]),
    rewrite(
        "lifecycle.capabilities.objects",
        "",
        "the capability logging is true",
        &[(Result("initialize"), Set("/result/capabilities/logging", "true"))],
    ),
    rewrite(
        "lifecycle.capabilities.objects",
        "null",
        "the capability prompts is null",
        &[(Result("initialize"), Set("/result/capabilities/prompts", "null"))],
    ),
    rewrite(
        "lifecycle.capabilities.objects",
        "array",
        "the capability resources is an array",
        &[(Result("initialize"), Set("/result/capabilities/resources", "[]"))],
    ),
    rewrite(
        "lifecycle.capabilities.objects",
        "completions",
        "the capability completions is true",
        &[(Result("initialize"), Set("/result/capabilities/completions", "true"))],
    )
    .only(&[V2025_03_26, V2025_06_18, V2025_11_25]),
    rewrite(
        "lifecycle.capabilities.list-changed-boolean",
        "",
        "listChanged of prompts is a string",
        &[(Result("initialize"), Set("/result/capabilities/prompts/listChanged", "\"no\""))],
    ),
    rewrite(
        "lifecycle.capabilities.subscribe-boolean",
        "",
        "subscribe is a string",
        &[(Result("initialize"), Set("/result/capabilities/resources/subscribe", "\"yes\""))],
    ),
    rewrite(
        "lifecycle.capabilities.experimental",
        "",
        "experimental holds a boolean",
        &[(Result("initialize"), Set("/result/capabilities/experimental", "{\"com.example/new\": true}"))],
    ),
    rewrite(
        "lifecycle.capabilities.experimental",
        "array",
        "experimental is an array",
        &[(Result("initialize"), Set("/result/capabilities/experimental", "[\"com.example/new\"]"))],
    ),
    fault(
        "lifecycle.capabilities.declared-served",
        "",
        "prompts are declared and not served",
        Request(|_, call| call.method.starts_with("prompts/").then(|| unknown(&call.method))),
    ),
    fault(
        "lifecycle.capabilities.declared-served",
        "logging",
        "logging is declared and not served",
        Request(|_, call| (call.method == "logging/setLevel").then(|| unknown(&call.method))),
    ),
    rewrite(
        "lifecycle.capabilities.notifications-backed",
        "",
        "log messages are sent and logging is not declared",
        &[(Result("initialize"), Remove("/result/capabilities/logging"))],
    ),
    rewrite(
        "lifecycle.capabilities.notifications-backed",
        "list-changed",
        "list changes are sent and not declared",
        &[(Result("initialize"), Remove("/result/capabilities/tools/listChanged"))],
    ),
    rewrite(
        "lifecycle.capabilities.notifications-backed",
        "updated",
        "updates are sent, unasked, and subscribe is not declared",
        &[
            (Result("initialize"), Remove("/result/capabilities/resources/subscribe")),
            (
                Call("bump_counter"),
                Before(
                    r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"memory://counter"}}"#,
                ),
            ),
        ],
    ),
    fault(
        "lifecycle.capabilities.client-requests-backed",
        "",
        "the client is asked for what it did not declare",
        Switch(&[Deviation::RequestsWithoutCapability]),
    ),
    rewrite(
        "lifecycle.operation.version-respected",
        "",
        "a notification of a later revision",
        &[(
            Call("version"),
            Before(concat!(
                r#"{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t","status":"working","#,
                r#""createdAt":"2026-01-12T15:00:58Z","lastUpdatedAt":"2026-01-12T15:00:58Z","ttl":null}}"#
            )),
        )],
    )
    .only(&[V2024_11_05, V2025_03_26, V2025_06_18]),
    rewrite(
        "lifecycle.operation.version-respected",
        "content",
        "a content type of a later revision",
        &[(
            Call("version"),
            Set("/result/content", r#"[{"type": "resource_link", "uri": "memory://poem", "name": "poem"}]"#),
        )],
    )
    .only(&[V2024_11_05, V2025_03_26]),
    rewrite(
        "lifecycle.operation.version-respected",
        "array",
        "an answer comes in an array",
        &[(Call("version"), Wrap)],
    )
    .only(&[V2024_11_05, V2025_06_18, V2025_11_25]),
    fault(
        "lifecycle.shutdown.no-message",
        "",
        "shutdown is a method",
        Request(|_, call| ["shutdown", "exit"].contains(&call.method.as_str()).then(empty)),
    ),
];

/// The version that initialize requests, and those that the server supports.
struct Opening {
    legacy: Vec<Revision>,
    requested: String,
    supported: bool,
    newest: &'static str,
}

/// The opening of a connection, if a request is one that can succeed.
fn opening(connection: &Connection, call: &core::Call) -> Option<Opening> {
    let legacy = connection.server.settings.legacy();
    let newest = legacy.last().filter(|_| call.method == "initialize")?.as_str();
    let requested = call.params["protocolVersion"].as_str().unwrap_or_default().to_owned();
    let supported = legacy.iter().any(|revision| revision.as_str() == requested);
    Some(Opening { legacy, requested, supported, newest })
}

fn offers_another(call: &core::Call, result: &Value) -> bool {
    call.method == "initialize" && result["protocolVersion"] != call.params["protocolVersion"]
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
