//! Faults of the area discover: versions, capabilities and connections of 2026-07-28.

use serde_json::json;
use wire::mcp::code;

use super::Edit::{Drop, Remove, Set};
use super::Hook::{HttpAnswer, HttpRequest, Request};
use super::On::Result;
use super::http_answers::{refuse_params, replace_text};
use super::replies::{error, unknown};
use super::{Fault, Hook, carried, fault, rewrite};
use crate::Transport::Stdio;
use crate::core::{self, Connection, looks_modern};

pub(super) const DISCOVER: super::On = Result("server/discover");
/// Requests after which a connection has a history.
pub(super) const SOME: u64 = 12;

pub(super) static TABLE: &[Fault] = &[
    rewrite("discover.implemented", "", "server/discover is not answered", &[(DISCOVER, Drop)]),
    fault(
        "discover.implemented",
        "unknown",
        "server/discover is an unknown method",
        Request(|connection, call| {
            modern_request(connection, call, &["server/discover"]).then(|| unknown(&call.method))
        }),
    ),
    rewrite(
        "discover.result.supported-versions",
        "",
        "a supported version is a number",
        &[(DISCOVER, Set("/result/supportedVersions", "[\"2026-07-28\", 7]"))],
    ),
    rewrite(
        "discover.result.supported-versions",
        "string",
        "supportedVersions is a string",
        &[(DISCOVER, Set("/result/supportedVersions", "\"2026-07-28\""))],
    ),
    rewrite(
        "discover.result.supported-versions",
        "missing",
        "supportedVersions is missing",
        &[(DISCOVER, Remove("/result/supportedVersions"))],
    ),
    rewrite(
        "discover.result.supported-versions-non-empty",
        "",
        "supportedVersions is empty",
        &[(DISCOVER, Set("/result/supportedVersions", "[]"))],
    ),
    rewrite(
        "discover.result.supported-versions-non-empty",
        "older",
        "supportedVersions has an older version alone",
        &[(DISCOVER, Set("/result/supportedVersions", "[\"2025-11-25\"]"))],
    ),
    rewrite(
        "discover.result.supported-versions-work",
        "",
        "supportedVersions lists a version that initialize does not settle on",
        &[(DISCOVER, Set("/result/supportedVersions", "[\"2026-07-28\", \"2025-03-26\"]"))],
    )
    .and(Request(|connection, call| {
        if opens_older(connection, call) && call.params["protocolVersion"] == "2025-03-26" {
            call.params["protocolVersion"] = json!("2025-11-25");
        }
        None
    })),
    rewrite(
        "discover.result.supported-versions-unique",
        "",
        "supportedVersions has a version twice",
        &[(DISCOVER, Set("/result/supportedVersions", "[\"2026-07-28\", \"2026-07-28\"]"))],
    ),
    rewrite(
        "discover.result.capabilities",
        "",
        "capabilities is missing",
        &[(DISCOVER, Remove("/result/capabilities"))],
    ),
    rewrite(
        "discover.result.capability-types",
        "",
        "listChanged is a string",
        &[(DISCOVER, Set("/result/capabilities/tools/listChanged", "\"yes\""))],
    ),
    rewrite(
        "discover.result.capability-types",
        "extensions",
        "an extension is true",
        &[(DISCOVER, Set("/result/capabilities/extensions", "{\"com.example/x\": true}"))],
    ),
    rewrite(
        "discover.result.extension-identifiers",
        "",
        "an extension has no prefix",
        &[(DISCOVER, Set("/result/capabilities/extensions", "{\"plain\": {}}"))],
    ),
    rewrite(
        "discover.result.instructions",
        "",
        "instructions is null",
        &[(DISCOVER, Set("/result/instructions", "null"))],
    ),
    rewrite(
        "discover.result.result-type",
        "",
        "resultType is another word",
        &[(DISCOVER, Set("/result/resultType", "\"done\""))],
    ),
    rewrite("discover.result.ttl-ms", "", "ttlMs is missing", &[(DISCOVER, Remove("/result/ttlMs"))]),
    rewrite("discover.result.ttl-ms", "negative", "ttlMs is negative", &[(DISCOVER, Set("/result/ttlMs", "-1"))]),
    rewrite("discover.result.cache-scope", "", "cacheScope is missing", &[(DISCOVER, Remove("/result/cacheScope"))]),
    rewrite(
        "discover.result.cache-scope",
        "other",
        "cacheScope is another word",
        &[(DISCOVER, Set("/result/cacheScope", "\"shared\""))],
    ),
    rewrite(
        "discover.result.server-info",
        "",
        "server/discover does not say who the server is",
        &[(DISCOVER, Remove("/result/_meta/io.modelcontextprotocol~1serverInfo"))],
    ),
    rewrite(
        "discover.result.no-body-server-info",
        "",
        "serverInfo is a member of the result",
        &[(DISCOVER, Set("/result/serverInfo", "{\"name\": \"s\", \"version\": \"1\"}"))],
    ),
    fault(
        "discover.result.capabilities-served",
        "",
        "prompts are declared, and unknown methods",
        Request(|connection, call| {
            (is_modern(connection, call) && call.method.starts_with("prompts/")).then(|| unknown(&call.method))
        }),
    ),
    fault(
        "discover.result.connection-independent",
        "",
        "the instructions change on a connection that was used",
        Hook::Result(|connection, call, result| {
            if has_history(connection, call) && call.method == "server/discover" {
                result["instructions"] = json!("You have asked a lot.");
            }
            None
        }),
    )
    .over(&[Stdio]),
    carried(
        "discover.result.connection-independent",
        "line",
        "the instructions change on a connection that was used",
        HttpAnswer(|_, answer, asked, message| {
            let again = !asked.fresh && message.method() == Some("server/discover");
            let other =
                |answer| replace_text(answer, "A server to test testers with.", "A server that has seen you before.");
            if again { other(answer) } else { answer }
        }),
    ),
    fault(
        "discover.optional-for-client",
        "",
        "requests before server/discover are refused",
        Request(|connection, call| {
            let early = is_first(connection, call) && call.method != "server/discover";
            early.then(|| error(code::INVALID_REQUEST, "server/discover comes first"))
        }),
    )
    .over(&[Stdio]),
    carried(
        "discover.optional-for-client",
        "line",
        "requests before server/discover are refused",
        HttpRequest(|_, asked, message| {
            let early = asked.fresh && message.method().is_some_and(|method| method != "server/discover");
            early.then(|| refuse_params(message, "server/discover comes first"))
        }),
    ),
];

/// Whether a request is one of 2026-07-28, rightly or not.
pub(super) fn is_modern(connection: &Connection, call: &core::Call) -> bool {
    looks_modern(&call.params) || (call.method != "initialize" && connection.session.is_none())
}

pub(super) fn modern_request(connection: &Connection, call: &core::Call, methods: &[&str]) -> bool {
    is_modern(connection, call) && methods.contains(&call.method.as_str())
}

/// Whether a request is the first one of a process.
pub(super) fn is_first(connection: &Connection, call: &core::Call) -> bool {
    is_modern(connection, call) && call.key == 1 && connection.transport == Stdio
}

pub(super) fn has_history(connection: &Connection, call: &core::Call) -> bool {
    connection.transport == Stdio && call.key > SOME
}

pub(super) fn opens_older(connection: &Connection, call: &core::Call) -> bool {
    !is_modern(connection, call) && call.method == "initialize"
}
