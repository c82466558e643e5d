//! Rules about errors of calls: results with isError, and the codes of JSON-RPC errors.

use serde_json::Value;
use wire::mcp::code;

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "tools/errors", judges: &["tools.error.actionable-content", "tools.error.standard-codes"], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.calls("tools/call").filter(Case::is_decided) {
        if case.is_tool_error() {
            check_actionable(&case, collector);
        }
        if let Some(code) = case.error_code() {
            collector.witness("tools.error.standard-codes");
            if code != code::PARSE_ERROR && !(code::INTERNAL_ERROR..=code::INVALID_REQUEST).contains(&code) {
                collector.note(
                    "tools.error.standard-codes",
                    format!("a call was answered with error {code}, which JSON-RPC does not define"),
                );
            }
        }
    }
}

fn check_actionable(case: &Case<'_>, collector: &mut Collector) {
    let Some(content) = case.result().and_then(|result| result["content"].as_array()) else { return };
    let texts = content
        .iter()
        .filter(|block| block["type"] == "text")
        .filter_map(|block| block.get("text").and_then(Value::as_str));
    collector.check("tools.error.actionable-content", texts.into_iter().any(|text| !text.trim().is_empty()), || {
        let message = "A tool's error says nothing: the result has isError true but no text, so the model cannot tell what to change.";
        case.finding(message, "text that says what went wrong")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    const ID: &str = "tools.error.actionable-content";

    fn call(answer: Value) -> Script {
        Script::new(Revision::V2025_11_25, json!({"tools": {}})).plain(
            "tools/call",
            json!({"name": "a", "arguments": {}}),
            answer,
        )
    }

    #[test]
    fn an_error_without_text_fails() {
        for content in [
            json!([]),
            json!([{"type": "text", "text": " \n"}]),
            json!([{"type": "image", "data": "", "mimeType": "image/png"}]),
        ] {
            assert!(call(json!({"result": {"content": content, "isError": true}})).fails().contains(&ID), "{content}");
        }
    }

    #[test]
    fn any_text_passes_and_success_needs_none() {
        let said = json!({"result": {"content": [{"type": "text", "text": "no"}], "isError": true}});
        assert_eq!(call(said).status_of(ID), Status::Pass);
        assert_eq!(call(json!({"result": {"content": []}})).status_of(ID), Status::NotObserved);
    }

    #[test]
    fn other_codes_are_only_noted() {
        let verdict = call(json!({"error": {"code": -32000, "message": "x"}})).verdict("tools.error.standard-codes");
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
    }
}
