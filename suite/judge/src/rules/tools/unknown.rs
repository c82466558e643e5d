//! A call that names a tool the server does not offer.

use std::collections::BTreeSet;

use verdict::{Intent, Key};
use wire::mcp::code;

use crate::rules::wording::{failure_text, pattern};
use crate::{Case, Collector, Rule, View};

const UNKNOWN: &str = "tools.call.unknown-tool";

pub(super) const RULE: Rule = Rule { name: "tools/unknown", judges: &[UNKNOWN, "tools.call.unknown-tool-code"], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    let failures = known_failures(view);
    for case in view.probes(Intent::UnknownTool).filter(Case::is_decided) {
        if case.is_tool_error() && failure_text(&case).is_some_and(|text| failures.contains(&pattern(&text))) {
            collector
                .inconclusive(UNKNOWN, "a tool that is listed fails in the same words: they say nothing of the name");
            continue;
        }
        check_error(&case, collector);
        if case.about_str(Key::Kind) == Some("random") {
            check_code(&case, collector);
        }
    }
}

/// What tools that are listed say when they fail, whatever it is that they lack.
fn known_failures(view: &View<'_>) -> BTreeSet<String> {
    let calls = view.probes(Intent::ValidCall).filter(|case| case.is_decided() && case.is_tool_error());
    calls.filter_map(|case| Some(pattern(&failure_text(&case)?))).collect()
}

fn check_error(case: &Case<'_>, collector: &mut Collector) {
    // Over HTTP a bare 4xx is a refusal too.
    let refused = case.error().is_some() || case.status().is_some_and(|status| (400..500).contains(&status));
    collector.check(UNKNOWN, refused, || {
        let message = if case.is_tool_error() {
            "A call of a tool that does not exist is answered with a tool result with isError, so clients mistake it for a tool that failed."
        } else {
            "A call of a tool that does not exist is not refused."
        };
        case.finding(message, "a JSON-RPC error with code -32602 and no result")
    });
}

fn check_code(case: &Case<'_>, collector: &mut Collector) {
    if case.error().is_some() {
        collector.check("tools.call.unknown-tool-code", case.error_code() == Some(code::INVALID_PARAMS), || {
            case.finding(
                "The error for a tool that does not exist has a code other than -32602.",
                "error -32602 (invalid params)",
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    fn call(answer: Value) -> Script {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        script.probe_about(
            Intent::UnknownTool,
            json!({"kind": "random"}),
            "tools/call",
            json!({"name": "nope", "arguments": {}}),
            answer,
        )
    }

    #[test]
    fn an_error_with_the_code_passes() {
        let script = call(json!({"error": {"code": -32602, "message": "Unknown tool: nope"}}));
        assert_eq!(script.status_of("tools.call.unknown-tool"), Status::Pass);
        assert_eq!(script.status_of("tools.call.unknown-tool-code"), Status::Pass);
    }

    #[test]
    fn a_tool_result_with_is_error_fails_and_says_nothing_of_the_code() {
        let script =
            call(json!({"result": {"content": [{"type": "text", "text": "MCP error -32602"}], "isError": true}}));
        assert_eq!(script.fails(), ["tools.call.unknown-tool"]);
        assert_eq!(script.status_of("tools.call.unknown-tool-code"), Status::NotObserved);
    }

    #[test]
    fn what_a_listed_tool_says_too_is_not_about_the_name() {
        let failed = |text: &str| json!({"result": {"content": [{"type": "text", "text": text}], "isError": true}});
        let both = |valid: &str, unknown: &str| {
            let about = json!({"tool": "fetch"});
            let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
            let params = json!({"name": "fetch", "arguments": {}});
            let script = script.probe_about(Intent::ValidCall, about, "tools/call", params, failed(valid));
            let params = json!({"name": "nope", "arguments": {}});
            script.probe_about(Intent::UnknownTool, json!({"kind": "random"}), "tools/call", params, failed(unknown))
        };
        let status = |valid: &str, unknown: &str| both(valid, unknown).status_of(super::UNKNOWN);
        assert_eq!(status("no browser in /opt/1", "no browser in /opt/2"), Status::Inconclusive);
        assert_eq!(status("no browser", "Tool nope not found"), Status::Fail);
    }

    #[test]
    fn another_code_is_a_should_before_2026() {
        let verdict = call(json!({"error": {"code": -32601, "message": "no"}})).verdict("tools.call.unknown-tool-code");
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
    }

    #[test]
    fn silence_is_no_refusal() {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let script = script.unanswered(Intent::UnknownTool, "tools/call", json!({"name": "nope"})).gave_up();
        assert_eq!(script.status_of("tools.call.unknown-tool"), Status::Fail);
    }
}
