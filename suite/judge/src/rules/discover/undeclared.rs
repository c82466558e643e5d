//! No result asks for input of a kind that the request did not declare.

use serde_json::Value;

use super::common::declared_capabilities;
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "discover/undeclared", judges: &["discover.stateless.no-reliance-on-undeclared"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in
        view.cases().filter(|case| matches!(case.method(), Some("tools/call" | "prompts/get" | "resources/read")))
    {
        let (Some(result), Some(declared)) = (case.result(), declared_capabilities(&case)) else { continue };
        let inputs = result.get("inputRequests").and_then(Value::as_object);
        let undeclared =
            inputs.into_iter().flatten().find_map(|(_, input)| wanted(input).filter(|name| !has(declared, name)));
        collector.check(ID, undeclared.is_none(), || {
            let message = "A result asks for input that the client did not declare support for, so the request can never be completed.";
            let mut finding = case.finding(message, "no request for an undeclared kind of input, or error -32021");
            finding.actual = format!("a request for {}", undeclared.unwrap_or_default());
            finding
        });
    }
}

/// The capability that a request for input takes.
fn wanted(input: &Value) -> Option<&'static str> {
    let url = input.pointer("/params/mode").and_then(Value::as_str) == Some("url");
    match input.get("method")?.as_str()? {
        "sampling/createMessage" => Some("sampling"),
        "roots/list" => Some("roots"),
        "elicitation/create" if url => Some("elicitation.url"),
        "elicitation/create" => Some("elicitation.form"),
        _ => None,
    }
}

/// An elicitation without modes is one with forms.
fn has(declared: &Value, name: &str) -> bool {
    let elicitation = declared.get("elicitation");
    match name {
        "elicitation.url" => elicitation.is_some_and(|modes| modes.get("url").is_some()),
        "elicitation.form" => {
            elicitation.is_some_and(|modes| modes.get("form").is_some() || modes.get("url").is_none())
        }
        _ => declared.get(name).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn called(capabilities: Value, result: Value) -> Script {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": capabilities});
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
        script.plain("tools/call", json!({"name": "ask", "arguments": {}, "_meta": meta}), json!({"result": result}))
    }

    fn asks(method: &str, params: Value) -> Value {
        json!({"resultType": "input_required", "inputRequests": {"a": {"method": method, "params": params}}})
    }

    fn form() -> Value {
        json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}})
    }

    #[test]
    fn results_that_ask_for_nothing_pass() {
        let complete = json!({"resultType": "complete", "content": []});
        let state = json!({"resultType": "input_required", "requestState": "x"});
        for result in [complete, state] {
            assert_eq!(called(json!({}), result).status_of(ID), Status::Pass);
        }
    }

    #[test]
    fn what_was_declared_may_be_asked_for() {
        for (capabilities, method) in
            [(json!({"elicitation": {}}), "elicitation/create"), (json!({"roots": {}}), "roots/list")]
        {
            assert_eq!(called(capabilities, asks(method, form())).status_of(ID), Status::Pass, "{method}");
            assert_eq!(called(json!({}), asks(method, form())).status_of(ID), Status::Fail, "{method}");
        }
    }

    #[test]
    fn each_mode_is_declared_by_itself() {
        let url = || json!({"mode": "url", "message": "?", "url": "https://example.com/", "elicitationId": "1"});
        let forms_only = called(json!({"elicitation": {"form": {}}}), asks("elicitation/create", url()));
        assert_eq!(forms_only.status_of(ID), Status::Fail);
        let urls_only = called(json!({"elicitation": {"url": {}}}), asks("elicitation/create", form()));
        assert_eq!(urls_only.status_of(ID), Status::Fail);
    }
}
