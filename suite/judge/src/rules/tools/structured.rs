//! `structuredContent`: there where an outputSchema promises it, valid against that schema, and repeated as text.

use schema::Readings;
use serde_json::Value;

use super::call::excuse_held_back;
use super::came::{Came, came};
use crate::{Case, Collector, Rule, View, dialects};

pub(super) const RULE: Rule = Rule {
    name: "tools/structured",
    judges: &[
        "tools.structured.present",
        "tools.structured.conforms",
        "tools.structured.error-conforms-if-present",
        "tools.structured.text-twin",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let tools = view
        .tools()
        .iter()
        .filter_map(|tool| Some((tool.name.as_str(), tool.output_schema().filter(|schema| schema.is_object())?)));
    let schemas: std::collections::BTreeMap<&str, _> =
        tools.map(|(name, schema)| (name, Readings::new(schema, dialects(view.revision)))).collect();
    if schemas.is_empty() && !view.tools().is_empty() {
        for id in &RULE.judges[..3] {
            collector.not_applicable(id, "no tool has an outputSchema");
        }
    }
    for case in view.calls("tools/call").filter(Case::is_decided) {
        let Some(content) = structured(&case) else { continue };
        if let Some(schema) = case.tool().and_then(|name| schemas.get(name)) {
            check_present(&case, content, collector);
            match (schema, content) {
                (Ok(schema), Some(content)) => check_conforms(&case, content, schema, collector),
                (Err(unusable), _) => collector.not_observed("tools.structured.conforms", unusable.to_string()),
                (Ok(_), None) => {}
            }
        }
        if let Some(content) = content.filter(|_| !case.is_tool_error()) {
            check_twin(&case, content, collector);
        }
    }
    excuse_held_back(view, collector, RULE.judges);
}

/// The structured content of an ordinary result, by key: null is a value.
#[expect(clippy::option_option, reason = "no ordinary result; a result without; a result with")]
fn structured<'v>(case: &Case<'v>) -> Option<Option<&'v Value>> {
    matches!(came(case), Came::Plain | Came::ToolError).then(|| case.result()?.get("structuredContent"))
}

fn check_present(case: &Case<'_>, content: Option<&Value>, collector: &mut Collector) {
    if !case.is_tool_error() {
        collector.check("tools.structured.present", content.is_some(), || {
            let message = "A tool with an outputSchema returns a result without structuredContent, so clients that rely on the schema get nothing.";
            case.finding(message, "structuredContent that satisfies the outputSchema")
        });
    }
}

fn check_conforms(case: &Case<'_>, content: &Value, schema: &Readings, collector: &mut Collector) {
    let id =
        if case.is_tool_error() { "tools.structured.error-conforms-if-present" } else { "tools.structured.conforms" };
    let Some(flaw) = schema.refuse(content) else { return collector.witness(id) };
    let message = "structuredContent does not satisfy the tool's own outputSchema, so clients that validate will throw the result away.";
    let mut finding = case.finding(message, "structuredContent that satisfies the outputSchema");
    finding.actual = flaw.to_string();
    collector.fail(id, finding);
}

fn check_twin(case: &Case<'_>, content: &Value, collector: &mut Collector) {
    let blocks = case.result().and_then(|result| result["content"].as_array()).into_iter().flatten();
    let mut texts = blocks.filter(|block| block["type"] == "text").filter_map(|block| block["text"].as_str());
    // Python's SDK puts what is no object into one, and gives the text of what is in it: nothing is missing there.
    let only = content.as_object().filter(|members| members.len() == 1).and_then(|members| members.values().next());
    let repeats = |text: &str| {
        let twin = wire::value(text);
        [Some(content), only].into_iter().flatten().any(|content| {
            content.as_str() == Some(text) || twin.as_ref().is_some_and(|twin| is_same_json(twin, content))
        })
    };
    collector.check("tools.structured.text-twin", texts.any(repeats), || {
        let message =
            "A result has structuredContent but no text with the same JSON, so clients that read only text miss it.";
        case.finding(message, "a text item that contains structuredContent as JSON")
    });
}

/// Equal as JSON values: 1 is 1.0, and members have no order.
fn is_same_json(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same_json(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|twin| is_same_json(value, twin)))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    const V: Revision = Revision::V2025_11_25;

    fn call(revision: Revision, schema: Value, mut result: Value) -> Script {
        let tools = json!([{"name": "a", "inputSchema": {"type": "object", "additionalProperties": false}, "outputSchema": schema}]);
        let script = Script::new(revision, json!({"tools": {}})).plain(
            "tools/list",
            json!({}),
            json!({"result": {"resultType": "complete", "tools": tools}}),
        );
        if revision >= Revision::V2026_07_28 && result.get("resultType").is_none() {
            result["resultType"] = json!("complete");
        }
        script.plain("tools/call", json!({"name": "a", "arguments": {}}), json!({"result": result}))
    }

    fn schema() -> Value {
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false})
    }

    fn result(structured: &Value, text: &str) -> Value {
        json!({"content": [{"type": "text", "text": text}], "structuredContent": structured})
    }

    #[test]
    fn content_that_keeps_the_promise_passes() {
        let script = call(V, schema(), result(&json!({"n": 1}), "{ \"n\": 1.0 }"));
        for id in ["tools.structured.present", "tools.structured.conforms", "tools.structured.text-twin"] {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn each_promise_is_broken_alone() {
        assert_eq!(call(V, schema(), json!({"content": []})).fails(), ["tools.structured.present"]);
        let more = result(&json!({"n": 1, "m": 2}), "{\"m\":2,\"n\":1}");
        assert_eq!(call(V, schema(), more).fails(), ["tools.structured.conforms"]);
        assert_eq!(call(V, schema(), result(&json!({"n": 1}), "one")).fails(), ["tools.structured.text-twin"]);
        assert!(call(V, schema(), result(&json!({"n": 1}), "1")).fails().is_empty(), "the only member is all there is");
        let mut wrong = result(&json!({"n": "x"}), "{\"n\":\"x\"}");
        wrong["isError"] = json!(true);
        assert_eq!(call(V, schema(), wrong).fails(), ["tools.structured.error-conforms-if-present"]);
    }

    #[test]
    fn errors_requests_for_input_and_null_are_no_breach() {
        let error = json!({"content": [{"type": "text", "text": "no"}], "isError": true});
        assert_eq!(call(V, schema(), error).fails(), [""; 0]);
        let asks = json!({"resultType": "input_required", "inputRequests": {}, "requestState": "x"});
        assert_eq!(
            call(Revision::V2026_07_28, schema(), asks).status_of("tools.structured.present"),
            Status::NotObserved
        );
        let null = call(Revision::V2026_07_28, json!({"type": "null"}), result(&Value::Null, "null"));
        assert_eq!(null.status_of("tools.structured.conforms"), Status::Pass);
    }

    #[test]
    fn formats_assert_nothing_and_foreign_schemas_are_not_judged() {
        let date = json!({"type": "object", "properties": {"d": {"type": "string", "format": "date"}}});
        assert_eq!(
            call(V, date, result(&json!({"d": "soon"}), "{\"d\":\"soon\"}")).status_of("tools.structured.conforms"),
            Status::Pass
        );
        let foreign = json!({"type": "object", "$ref": "https://example.com/schema"});
        assert_eq!(
            call(V, foreign, result(&json!({}), "{}")).status_of("tools.structured.conforms"),
            Status::NotObserved
        );
    }
}
