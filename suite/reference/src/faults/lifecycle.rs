//! Faults of the area lifecycle: the handshake and what it settles.

use super::Edit::{After, Before, Drop, Remove, Set, Wrap};
use super::On::{Call, Result};
use super::{Fault, rewrite, switch};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};
use crate::Transport::Stdio;

pub(super) static TABLE: &[Fault] = &[
    rewrite("lifecycle.initialize.answered", "", "initialize is not answered", &[(Result("initialize"), Drop)]),
    switch("lifecycle.initialize.answered", "error", "initialize is answered with an error"),
    switch("lifecycle.initialize.first-message-served", "", "initialize is refused unless something came before")
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
    switch("lifecycle.initialize.extra-client-fields", "", "initialize with a member it does not know is refused"),
    switch("lifecycle.initialize.empty-capabilities", "", "initialize without client capabilities is not answered"),
    switch("lifecycle.initialize.missing-fields-refused", "", "initialize is served whatever it lacks"),
    switch("lifecycle.initialize.missing-fields-code", "", "an ill-formed initialize gives -32603"),
    switch("lifecycle.timeouts.server-requests", "", "the answer to its own requests is waited for for ever")
        .in_a_run(),
    switch("lifecycle.timeouts.cancel-on-expiry", "", "what is no longer waited for is not taken back").in_a_run(),
    switch("lifecycle.timeouts.hard-cap", "", "progress resets the clock, as often as it comes").in_a_run(),
    switch("lifecycle.initialize.again", "", "a second initialize settles another version"),
    switch("lifecycle.initialized.accepted", "", "notifications/initialized is answered with an error"),
    switch("lifecycle.initialized.accepted", "exit", "notifications/initialized ends the process").over(&[Stdio]),
    switch("lifecycle.initialized.serves-after", "", "after the handshake everything is refused"),
    switch("lifecycle.version.same-if-supported", "", "the newest version is never agreed to, only offered").only(&[
        V2024_11_05,
        V2025_03_26,
        V2025_06_18,
    ]),
    switch("lifecycle.version.counter-offer", "", "an unknown version gives an error"),
    switch("lifecycle.version.counter-offer", "silent", "an unknown version gets no answer"),
    switch("lifecycle.version.counter-offer", "exit", "an unknown version ends the process"),
    switch("lifecycle.version.no-blind-echo", "", "any version is agreed to"),
    switch("lifecycle.version.counter-offer-latest", "", "the oldest version is offered"),
    switch("lifecycle.version.released", "", "a version that was never released is offered"),
    switch("lifecycle.version.no-modern-by-handshake", "", "initialize agrees to 2026-07-28"),
    switch("lifecycle.pre-init.server-silent", "", "a notification is sent at the start").over(&[Stdio]),
    switch("lifecycle.pre-init.server-silent", "request", "a request is sent at the start").over(&[Stdio]),
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
    switch("lifecycle.pre-init.requests-not-served", "", "requests are served before initialize"),
    switch("lifecycle.pre-init.connection-survives-early-request", "", "a request before initialize ends the process")
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
    switch("lifecycle.capabilities.declared-served", "", "prompts are declared and not served"),
    switch("lifecycle.capabilities.declared-served", "logging", "logging is declared and not served"),
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
    switch("lifecycle.capabilities.client-requests-backed", "", "the client is asked for what it did not declare"),
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
    switch("lifecycle.shutdown.no-message", "", "shutdown is a method"),
];
