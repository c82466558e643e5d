//! Which error codes a server uses. Passive: every error of the run is looked at; intents are those of other rules.

use std::collections::BTreeSet;
use wire::mcp::code;
use wire::mcp::meta;

use serde_json::Value;
use verdict::Transport;

use super::common::{frame, is_page, speaks_its_era};
use crate::{Case, Collector, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/code",
    judges: &[
        "jsonrpc.error-codes.json-rpc-reserved",
        "jsonrpc.error-codes.mcp-range-undefined",
        "jsonrpc.error-codes.defined-meaning",
        "jsonrpc.error-codes.no-32002",
        "jsonrpc.error-codes.no-32042",
        "jsonrpc.error-codes.legacy-range",
        "jsonrpc.error-codes.new-outside-reserved",
    ],
    judge,
};

/// The codes of JSON-RPC itself.
const JSON_RPC: [i64; 5] =
    [code::PARSE_ERROR, code::INVALID_REQUEST, code::METHOD_NOT_FOUND, code::INVALID_PARAMS, code::INTERNAL_ERROR];
/// The codes that 2026-07-28 defines.
const MCP: [i64; 3] = [code::HEADER_MISMATCH, code::MISSING_CLIENT_CAPABILITY, code::UNSUPPORTED_PROTOCOL_VERSION];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (session, incoming) in view.incoming() {
        if let Some(code) = incoming.message().and_then(wire::Message::error_code)
            && !is_page(session, incoming)
            && !is_of_no_era(session, incoming)
        {
            check_ranges(code, incoming, collector);
        }
    }
    for case in view.cases() {
        if let Some(code) = case.error_code() {
            check_meaning(&case, code, collector);
            if case.method() == Some("resources/read") && code != code::RESOURCE_NOT_FOUND {
                collector.witness("jsonrpc.error-codes.no-32002");
            }
        }
    }
}

/// It answers a request that does not say in 2026-07-28's way that it is of that revision: a server of both eras may have
/// taken it for an older one.
fn is_of_no_era(session: &crate::Session<'_>, incoming: &Incoming<'_>) -> bool {
    let exchange = incoming.answers.and_then(|at| session.exchanges.get(at));
    let plain = |exchange: &crate::Exchange<'_>| {
        speaks_its_era(session, exchange)
            && matches!(&exchange.parsed.content, wire::Content::One(message) if message.kind == wire::Kind::Request)
    };
    let stateless = session.revision.is_some_and(|revision| !revision.is_handshake());
    stateless && exchange.is_some_and(|exchange| !plain(exchange))
}

fn check_ranges(code: i64, incoming: &Incoming<'_>, collector: &mut Collector) {
    let told = |message: &str, expected: &str| frame(incoming, message, expected, format!("error {code}"));
    collector.check(
        "jsonrpc.error-codes.json-rpc-reserved",
        !(-32768..=-32100).contains(&code) || JSON_RPC.contains(&code),
        || {
            told(
                "An error has a code that JSON-RPC reserves but does not define.",
                "a code of JSON-RPC with its meaning, or one outside -32768 to -32100",
            )
        },
    );
    collector.check(
        "jsonrpc.error-codes.mcp-range-undefined",
        !(-32099..=code::HEADER_MISMATCH).contains(&code) || MCP.contains(&code),
        || {
            told(
                "An error has a code from the range of the MCP specification that the specification does not define.",
                "-32020, -32021, -32022, or a code outside -32099 to -32020",
            )
        },
    );
    collector.check("jsonrpc.error-codes.no-32042", code != code::URL_ELICITATION_REQUIRED, || {
        told("An error has the code -32042, which only 2025-11-25 defines.", "an input_required result")
    });
    if code == code::RESOURCE_NOT_FOUND {
        let message = "An error has the code -32002, which this revision has withdrawn.";
        return collector.fail("jsonrpc.error-codes.no-32002", told(message, "error -32602 (invalid params)"));
    }
    collector.check("jsonrpc.error-codes.legacy-range", !(-32019..=code::SERVER_ERROR).contains(&code), || {
        told(
            "An error has a code from the range that is closed to new implementations.",
            "a code of JSON-RPC or of the specification, or one outside -32768 to -32000",
        )
    });
    // Those of the range that is closed to new implementations are not new, or have a requirement of their own.
    let own = (-32768..-32019).contains(&code) && !JSON_RPC.contains(&code) && !MCP.contains(&code);
    collector.check("jsonrpc.error-codes.new-outside-reserved", !own, || {
        told("An application-defined error has a reserved code.", "a code outside -32768 to -32000")
    });
}

fn check_meaning(case: &Case<'_>, code: i64, collector: &mut Collector) {
    const ID: &str = "jsonrpc.error-codes.defined-meaning";
    let unfit = match code {
        code::HEADER_MISMATCH => header_unfit(case),
        code::MISSING_CLIENT_CAPABILITY => capability_unfit(case),
        code::UNSUPPORTED_PROTOCOL_VERSION => version_unfit(case),
        _ => return,
    };
    match unfit {
        Some((message, expected)) => collector.fail(ID, case.finding(message, expected)),
        None => collector.witness(ID),
    }
}

type Unfit = Option<(&'static str, &'static str)>;

/// -32020: a header is missing, malformed or differs from the body.
fn header_unfit(case: &Case<'_>) -> Unfit {
    const EXPECTED: &str = "another code: -32020 is for headers that are missing, malformed or different from the body";
    if case.view.transport == Transport::Stdio {
        return Some(("The error -32020 is about HTTP headers, which stdio does not have.", EXPECTED));
    }
    let body = case.sent().filter(|message| message.defects.is_empty());
    let method = body.and_then(wire::Message::method)?;
    let params = body.and_then(wire::Message::params);
    let meta = params.and_then(|params| params.get("_meta"));
    let version = meta.and_then(|meta| meta.get(meta::PROTOCOL_VERSION)).and_then(Value::as_str);
    let name = match method {
        // Mirrored arguments (Mcp-Param headers) have rules of their own.
        "tools/call" => return None,
        // An extension has a name in the header of these; for those of older revisions nothing says which headers they need.
        "tasks/get" | "tasks/update" | "tasks/cancel" | "tasks/result" => return None,
        "resources/subscribe" | "resources/unsubscribe" => return None,
        "prompts/get" => params.and_then(|params| params.get("name")),
        "resources/read" => params.and_then(|params| params.get("uri")),
        _ => None,
    };
    let named = !matches!(method, "prompts/get" | "resources/read")
        || name.and_then(Value::as_str).is_some_and(|name| header(case, "mcp-name") == Some(name));
    let agrees = version.is_some()
        && header(case, "mcp-protocol-version") == version
        && header(case, "mcp-method") == Some(method)
        && named;
    agrees.then_some(("The error -32020 answers a request whose headers are complete and match its body.", EXPECTED))
}

/// The value of a header that was sent exactly once.
fn header<'v>(case: &Case<'v>, name: &str) -> Option<&'v str> {
    let mut values = case.exchange.send.headers.iter().filter(|(header, _)| header.eq_ignore_ascii_case(name));
    let value = values.next().map(|(_, value)| value.as_str());
    value.filter(|_| values.next().is_none())
}

/// -32021: the request lacks a capability, which the error names.
fn capability_unfit(case: &Case<'_>) -> Unfit {
    const EXPECTED: &str = "data.requiredCapabilities with a capability that the request did not declare";
    let data = case.reply().and_then(wire::Message::error_data);
    let Some(required) = data.and_then(|data| data.get("requiredCapabilities")).and_then(Value::as_object) else {
        return Some(("The error -32021 does not say which capability is missing.", EXPECTED));
    };
    let declared = case.param("_meta").and_then(|meta| meta.get(meta::CLIENT_CAPABILITIES));
    let all = declared.is_some_and(|declared| required.iter().all(|(name, value)| covers(declared, name, value)));
    all.then_some(("The error -32021 asks for capabilities that the request declared.", EXPECTED))
}

/// Whether a capability and each part of it that is asked for is declared.
fn covers(declared: &Value, name: &str, required: &Value) -> bool {
    declared
        .get(name)
        .is_some_and(|own| required.as_object().is_none_or(|parts| parts.keys().all(|part| own.get(part).is_some())))
}

/// -32022: the version of the request is none of those the error lists.
fn version_unfit(case: &Case<'_>) -> Unfit {
    let data = case.reply().and_then(wire::Message::error_data);
    let supported: BTreeSet<&str> = data
        .and_then(|data| data.get("supported"))
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let asked = case
        .param("_meta")
        .and_then(|meta| meta.get(meta::PROTOCOL_VERSION))
        .or(case.param("protocolVersion"))
        .and_then(Value::as_str)?;
    supported.contains(asked).then_some((
        "The error -32022 refuses a version that it lists as supported.",
        "the request is served, or data.supported lacks its version",
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const MODERN: Revision = Revision::V2026_07_28;

    fn coded(revision: Revision, code: i64) -> Script {
        let script = Script::new(revision, json!({}));
        script.plain("tools/x", json!({}), json!({"error": {"code": code, "message": "no"}}))
    }

    fn broken(revision: Revision, code: i64) -> Vec<&'static str> {
        let fails = coded(revision, code).fails_in("jsonrpc");
        fails.into_iter().filter_map(|id| id.strip_prefix("jsonrpc.error-codes.")).collect()
    }

    #[test]
    fn codes_of_json_rpc_and_of_applications_pass_everywhere() {
        for code in [-32700, -32600, -32601, -32602, -32603, 0, 404, -31999, -32769] {
            assert!(broken(MODERN, code).is_empty(), "{code}");
            assert!(broken(Revision::V2024_11_05, code).is_empty(), "{code}");
        }
        assert_eq!(coded(MODERN, -32601).status_of("jsonrpc.error-codes.no-32042"), Status::Pass);
    }

    #[test]
    fn reserved_codes_fail_by_range_and_revision() {
        assert_eq!(broken(Revision::V2025_11_25, -32500), ["json-rpc-reserved"]);
        assert!(broken(Revision::V2025_11_25, -32042).is_empty());
        assert!(broken(Revision::V2025_11_25, -32002).is_empty());
        assert_eq!(broken(MODERN, -32050), ["mcp-range-undefined", "new-outside-reserved"]);
        assert_eq!(broken(MODERN, -32042), ["mcp-range-undefined", "no-32042", "new-outside-reserved"]);
        assert_eq!(broken(MODERN, -32002), ["no-32002"]);
        assert_eq!(broken(MODERN, -32001), ["legacy-range"]);
    }

    #[test]
    fn an_unknown_resource_without_32002_is_the_witness() {
        let script = Script::new(MODERN, json!({"resources": {}}));
        let answer = json!({"error": {"code": -32602, "message": "no"}});
        let script = script.plain("resources/read", json!({"uri": "x:y"}), answer);
        assert_eq!(script.status_of("jsonrpc.error-codes.no-32002"), Status::Pass);
    }

    const MEANING: &str = "jsonrpc.error-codes.defined-meaning";

    fn refused(code: i64, data: Value, capabilities: Value) -> Script {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        });
        let error = json!({"error": {"code": code, "message": "no", "data": data}});
        Script::new(MODERN, json!({})).plain("tools/list", json!({"_meta": meta}), error)
    }

    #[test]
    fn a_header_error_needs_headers_that_disagree() {
        assert_eq!(refused(-32020, json!({}), json!({})).status_of(MEANING), Status::Fail);
        let sent_to = |method: &str, version: &str| {
            let script = Script::over(Transport::Http, MODERN, json!({}));
            let meta = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
            let text = json!({"jsonrpc": "2.0", "id": 50, "method": method, "params": meta}).to_string();
            let script = script.raw(Intent::Unknown, json!({}), &text);
            let script = script.headers(&[("MCP-Protocol-Version", version), ("Mcp-Method", method)]);
            script.says(r#"{"jsonrpc":"2.0","id":50,"error":{"code":-32020,"message":"no"}}"#)
        };
        assert_eq!(sent_to("tools/list", "2026-07-28").status_of(MEANING), Status::Fail);
        assert_eq!(sent_to("tools/list", "2025-11-25").status_of(MEANING), Status::Pass);
        for method in ["tasks/get", "resources/subscribe"] {
            assert_eq!(sent_to(method, "2026-07-28").status_of(MEANING), Status::Pass, "{method}");
        }
    }

    #[test]
    fn a_capability_error_names_what_was_not_declared() {
        let data = json!({"requiredCapabilities": {"sampling": {}}});
        assert_eq!(refused(-32021, data.clone(), json!({})).status_of(MEANING), Status::Pass);
        assert_eq!(refused(-32021, data, json!({"sampling": {}})).status_of(MEANING), Status::Fail);
        assert_eq!(refused(-32021, json!({}), json!({})).status_of(MEANING), Status::Fail);
        let mode = json!({"requiredCapabilities": {"elicitation": {"url": {}}}});
        assert_eq!(refused(-32021, mode, json!({"elicitation": {"form": {}}})).status_of(MEANING), Status::Pass);
    }

    #[test]
    fn a_version_error_does_not_list_the_version_it_refuses() {
        let other = json!({"supported": ["2025-11-25"], "requested": "2026-07-28"});
        assert_eq!(refused(-32022, other, json!({})).status_of(MEANING), Status::Pass);
        let same = json!({"supported": ["2026-07-28"], "requested": "2026-07-28"});
        assert_eq!(refused(-32022, same, json!({})).status_of(MEANING), Status::Fail);
    }
}
