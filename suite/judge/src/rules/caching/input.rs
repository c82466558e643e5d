//! A result that asks for input is no result to keep: it has no caching hints.

use serde_json::Value;

use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "caching/input", judges: &["caching.input-required-without-hints"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases() {
        let Some(result) = case.result() else { continue };
        if result.get("resultType").and_then(Value::as_str) != Some("input_required") {
            continue;
        }
        let hint = ["ttlMs", "cacheScope"].into_iter().find(|name| result.get(name).is_some());
        collector.check(ID, hint.is_none(), || {
            let message =
                "A result that asks for input has a caching hint, so a client may cache the question as an answer.";
            let mut finding = case.finding(message, "neither ttlMs nor cacheScope");
            finding.actual = format!("the member {}", hint.unwrap_or_default());
            finding
        });
    }
    collector.not_observed(ID, "no result asked for input");
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn read(result: Value) -> Script {
        let script = Script::new(Revision::V2026_07_28, json!({"resources": {}}));
        script.plain("resources/read", json!({"uri": "a:b"}), json!({"result": result}))
    }

    #[test]
    fn a_question_is_not_to_be_kept() {
        let asks = json!({"resultType": "input_required", "requestState": "x"});
        assert_eq!(read(asks.clone()).status_of(ID), Status::Pass);
        for (name, value) in [("ttlMs", json!(0)), ("cacheScope", json!("private"))] {
            let mut hinted = asks.clone();
            hinted[name] = value;
            assert_eq!(read(hinted).status_of(ID), Status::Fail, "{name}");
        }
    }

    #[test]
    fn complete_results_are_not_meant() {
        let complete = json!({"resultType": "complete", "contents": [], "ttlMs": 0, "cacheScope": "public"});
        assert_eq!(read(complete).status_of(ID), Status::NotObserved);
    }
}
