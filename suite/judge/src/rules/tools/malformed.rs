//! Calls that are no calls: without a name, without params, with a name or arguments of the wrong type.

use verdict::{Intent, Key, Transport};
use wire::mcp::code;

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/malformed",
    judges: &[
        "tools.call.missing-name",
        "tools.call.missing-params",
        "tools.call.name-not-string",
        "tools.call.arguments-not-object",
    ],
    judge,
};

const PROBES: [(Intent, &str, &str); 4] = [
    (Intent::CallMissingName, "tools.call.missing-name", "A call without a tool name"),
    (Intent::CallMissingParams, "tools.call.missing-params", "A call without params"),
    (Intent::CallNameNotString, "tools.call.name-not-string", "A call whose tool name is not a string"),
    (Intent::CallArgumentsNotObject, "tools.call.arguments-not-object", "A call whose arguments are not an object"),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (intent, id, what) in PROBES {
        for case in view.probes(intent).filter(Case::is_decided) {
            check_refused(&case, collector, id, what);
        }
    }
}

fn check_refused(case: &Case<'_>, collector: &mut Collector, id: &'static str, what: &str) {
    match case.error_code() {
        Some(code::INVALID_PARAMS) => return collector.witness(id),
        Some(code::INVALID_REQUEST) => {
            collector.witness(id);
            return collector.note(id, format!("{what} is refused with -32600; -32602 is the code for invalid params"));
        }
        // No header can mirror such a body, so that may be noticed first.
        Some(code::HEADER_MISMATCH) if is_http_2026(case) => return collector.witness(id),
        _ => {}
    }
    if case.reply().is_none() && case.status().is_some_and(|status| (400..500).contains(&status)) {
        collector.witness(id);
        return collector.note(id, format!("{what} is refused with a bare HTTP status"));
    }
    // Until 2025-06-18 invalid arguments of any kind may be left to the tool.
    if case.is_tool_error()
        && id == "tools.call.arguments-not-object"
        && case.view.revision.traits().tools_report_malformed_arguments
    {
        return collector.witness(id);
    }
    let how = if case.error().is_some() {
        "gets the wrong error code"
    } else if case.is_tool_error() {
        "is answered with a tool result with isError, so clients mistake it for a tool that failed"
    } else if case.result().is_some() {
        "is accepted as valid"
    } else {
        "is not answered"
    };
    let mut finding = case.finding(format!("{what} {how}."), "error -32602 (invalid params)");
    finding.place = case.about_str(Key::Kind).map(str::to_owned);
    collector.fail(id, finding);
}

fn is_http_2026(case: &Case<'_>) -> bool {
    case.view.transport == Transport::Http && case.view.revision.is_stateless()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::PROBES;
    use crate::testing::Script;

    fn probe(revision: Revision, intent: Intent, answer: Value) -> Script {
        Script::new(revision, json!({"tools": {}})).probe(intent, "tools/call", json!({}), answer)
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    #[test]
    fn each_must_be_refused_with_invalid_params() {
        for (intent, id, _) in PROBES {
            let run = |answer| probe(Revision::V2025_11_25, intent, answer);
            assert_eq!(run(error(-32602)).status_of(id), Status::Pass);
            assert_eq!(run(error(-32600)).verdict(id).notes.len(), 1);
            assert_eq!(run(error(-32603)).fails(), [id]);
            assert_eq!(run(json!({"result": {"content": []}})).fails(), [id]);
            assert_eq!(
                run(json!({"result": {"content": [{"type": "text", "text": "no"}], "isError": true}})).fails(),
                [id]
            );
        }
    }

    #[test]
    fn silence_is_no_refusal() {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let script = script.unanswered(Intent::CallMissingName, "tools/call", json!({})).settled();
        assert_eq!(script.fails(), ["tools.call.missing-name"]);
    }

    #[test]
    fn older_revisions_leave_arguments_to_the_tool() {
        let tool_error = json!({"result": {"content": [{"type": "text", "text": "no"}], "isError": true}});
        let script = probe(Revision::V2025_06_18, Intent::CallArgumentsNotObject, tool_error);
        assert_eq!(script.status_of("tools.call.arguments-not-object"), Status::Pass);
    }

    #[test]
    fn the_headers_of_2026_may_be_blamed_first() {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"tools": {}}));
        let script = script.probe(Intent::CallNameNotString, "tools/call", json!({"name": 42}), error(-32020));
        assert_eq!(script.status_of("tools.call.name-not-string"), Status::Pass);
    }
}
