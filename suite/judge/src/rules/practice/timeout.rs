//! Rules about the answer of a tool that waits for something in vain.

use verdict::Intent;
use wire::mcp::code;

use super::probed;
use crate::rules::asks::asks_again;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "practice/timeout", judges: &["practice.timeout.reported"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in probed(view, Intent::PracticeTimeout) {
        if case.reply().is_none() {
            collector.not_observed(ID, "the call [triggers] times_out had not ended when the tester stopped waiting: --timeout gives it more time");
        } else if is_refused(&case) {
            collector.not_observed(ID, "the call [triggers] times_out is refused before it waits for anything");
        } else {
            collector.check(ID, case.error().is_some() || case.is_tool_error(), || {
                let message =
                    "A call whose tool timed out returns an ordinary result, so a model mistakes it for a success.";
                case.finding(message, "isError true, or an error")
            });
        }
    }
    collector.not_observed(ID, "needs a call that waits longer than the tool's own time limit: times_out in the table [triggers] of mcp-conform.toml");
}

/// The tool never began: it is unknown, cannot be called so, or wants something first.
fn is_refused(case: &Case<'_>) -> bool {
    let unlisted = case.tool().is_none_or(|name| case.view.tool(name).is_none());
    // Some SDKs put such an error into the text of a result.
    let codes = ["-32600", "-32601", "-32602"];
    let told = case.result().filter(|_| case.is_tool_error()).map(ToString::to_string).unwrap_or_default();
    unlisted
        || asks_again(case)
        || matches!(case.error_code(), Some(code::INVALID_PARAMS..=code::INVALID_REQUEST))
        || codes.iter().any(|code| told.contains(code))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Status};

    use super::super::tests::listed;
    use super::ID;
    use crate::testing::Script;

    fn waited(tool: &str, answer: Value) -> Script {
        let script = listed(json!([{"name": "fetch_it"}]));
        script.probe_about(Intent::PracticeTimeout, json!({"tool": tool}), "tools/call", json!({"name": tool}), answer)
    }

    #[test]
    fn a_timeout_is_an_error() {
        let text = json!([{"type": "text", "text": "The backend did not answer in time."}]);
        let result = |error: bool| json!({"result": {"content": text, "isError": error}});
        assert_eq!(waited("fetch_it", result(true)).status_of(ID), Status::Pass);
        assert_eq!(waited("fetch_it", result(false)).status_of(ID), Status::Fail);
        let error = |code: i32| json!({"error": {"code": code, "message": "timeout"}});
        assert_eq!(waited("fetch_it", error(-32603)).status_of(ID), Status::Pass);
    }

    #[test]
    fn what_never_began_shows_nothing() {
        let refused = json!({"error": {"code": -32602, "message": "unknown tool"}});
        assert_eq!(waited("fetch_it", refused).status_of(ID), Status::NotObserved);
        let text = json!([{"type": "text", "text": "MCP error -32602: Input validation error"}]);
        let told = json!({"result": {"content": text, "isError": true}});
        assert_eq!(waited("fetch_it", told).status_of(ID), Status::NotObserved);
        assert_eq!(waited("other", json!({"result": {"content": []}})).status_of(ID), Status::NotObserved);
    }

    #[test]
    fn silence_decides_nothing() {
        let mut script = listed(json!([{"name": "fetch_it"}]));
        script.ask(Some((Intent::PracticeTimeout, json!({}))), "tools/call", json!({"name": "fetch_it"}));
        assert_eq!(script.gave_up().status_of(ID), Status::NotObserved);
    }
}
