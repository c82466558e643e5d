//! Faults of the area lifecycle: versions, what comes before initialize, capabilities, shutdown.

use serde_json::{Value, json};

use super::Edit::{After, Before, Remove, Set, Wrap};
use super::Hook::{Request, Switch};
use super::On::{Call, Result};
use super::lifecycle::opening;
use super::replies::{empty, exit, invalid, unknown};
use super::{Fault, Hook, fault, rewrite};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};
use crate::Transport::Stdio;
use crate::core::{self, Reply, looks_modern};
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
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

fn offers_another(call: &core::Call, result: &Value) -> bool {
    call.method == "initialize" && result["protocolVersion"] != call.params["protocolVersion"]
}
