//! `resultType` of the results of calls (2026-07-28).

use serde_json::Value;

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "tools/result", judges: &["tools.call.result-type"], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    const ID: &str = "tools.call.result-type";
    let extended = view.capabilities()["extensions"].as_object().is_some_and(|extensions| !extensions.is_empty());
    for case in view.calls("tools/call").filter(Case::is_decided) {
        let Some(result) = case.result() else { continue };
        let kind = result.get("resultType");
        match kind.and_then(Value::as_str) {
            Some("complete" | "input_required") => collector.witness(ID),
            // An extension that the server advertises may have added it.
            Some(other) if extended => collector.note(ID, format!("a call returned a result of type {other}")),
            _ => {
                let message = "The result of a call does not have `resultType: complete`, so a client cannot know that it is finished.";
                let mut finding = case.finding(message, "resultType \"complete\"");
                finding.actual = kind.map_or_else(|| "no resultType".into(), |kind| format!("resultType {kind}"));
                collector.fail(ID, finding);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    const ID: &str = "tools.call.result-type";

    fn call(capabilities: Value, result: Value) -> Script {
        let script = Script::new(Revision::V2026_07_28, capabilities);
        script.plain("tools/call", json!({"name": "a"}), json!({"result": result}))
    }

    #[test]
    fn a_finished_result_says_so() {
        let tools = json!({"tools": {}});
        assert_eq!(call(tools.clone(), json!({"resultType": "complete", "content": []})).status_of(ID), Status::Pass);
        for result in [
            json!({"content": []}),
            json!({"content": [], "resultType": null}),
            json!({"content": [], "resultType": "done"}),
        ] {
            assert!(call(tools.clone(), result.clone()).fails().contains(&ID), "{result}");
        }
        let extended = json!({"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
        assert_eq!(call(extended, json!({"resultType": "task"})).status_of(ID), Status::NotObserved);
    }
}
