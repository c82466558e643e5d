//! The parameters that a tool describes: the form of a tool without any, and required names that nothing describes.

use schema::walk;
use serde_json::{Map, Value};

use super::lists::{self, Listed};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/parameters",
    judges: &["tools.input-schema.no-parameters-form", "tools.input-schema.required-known"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let tools = lists::all(view);
    for tool in &tools {
        check_form(tool, collector);
        if let Some(schema) = tool.schema("inputSchema") {
            check_required(tool, schema, collector);
        }
    }
    if !tools.is_empty() {
        collector.not_applicable("tools.input-schema.no-parameters-form", "every tool has parameters");
    }
}

/// Keywords by which a schema without properties still describes or admits some.
const DESCRIBES: [&str; 16] = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "patternProperties",
    "propertyNames",
    "required",
    "minProperties",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "enum",
];

fn has_none(schema: &Map<String, Value>) -> bool {
    let open = schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false));
    let properties =
        schema.get("properties").is_some_and(|properties| properties.as_object().is_none_or(|map| !map.is_empty()));
    let described =
        DESCRIBES.iter().any(|keyword| schema.get(*keyword).is_some_and(|value| *value != Value::Array(Vec::new())));
    !open && !properties && !described
}

fn check_form(tool: &Listed<'_>, collector: &mut Collector) {
    const ID: &str = "tools.input-schema.no-parameters-form";
    let schema = tool.definition.get("inputSchema");
    let object = match schema {
        Some(Value::Object(schema)) if !has_none(schema) => return,
        Some(Value::Object(schema)) => schema.get("type") == Some(&Value::String("object".into())),
        Some(Value::Null) | None => false,
        Some(_) => return,
    };
    collector.check(ID, object, || {
        let message = "A tool without parameters does not declare this in a form that clients understand.";
        let actual = schema.map_or_else(|| "no inputSchema".to_owned(), ToString::to_string);
        tool.finding("/inputSchema", message, "{\"type\": \"object\", \"additionalProperties\": false}", actual)
    });
    if object && schema.is_some_and(|schema| schema.get("additionalProperties").is_none()) {
        collector.note(
            ID,
            format!(
                "{} has no parameters but accepts any: additionalProperties false would declare that there are none",
                tool.name
            ),
        );
    }
}

fn check_required(tool: &Listed<'_>, schema: &Value, collector: &mut Collector) {
    const ID: &str = "tools.input-schema.required-known";
    let names: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    // Where names are made of patterns or references, nothing is certain.
    let certain = schema.get("patternProperties").is_none()
        && schema.get("$ref").is_none()
        && schema.get("additionalProperties").is_none_or(Value::is_boolean);
    if names.is_empty() || !certain {
        return;
    }
    let nodes = walk(schema);
    let described = |name: &str| nodes.iter().any(|node| node.schema["properties"].get(name).is_some());
    let references = nodes.iter().any(|node| node.path.len() == 1 && node.schema.get("$ref").is_some());
    for name in names.into_iter().filter(|_| !references) {
        collector.check(ID, described(name), || {
            let message =
                "inputSchema requires a property that it does not describe, almost always a renamed parameter.";
            tool.finding(
                "/inputSchema/required",
                message,
                "an entry in properties",
                format!("{name:?} is not described"),
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    const FORM: &str = "tools.input-schema.no-parameters-form";
    const KNOWN: &str = "tools.input-schema.required-known";

    fn with(tool: Value) -> Script {
        Script::new(Revision::V2025_11_25, json!({"tools": {}})).plain(
            "tools/list",
            json!({}),
            json!({"result": {"tools": [tool]}}),
        )
    }

    fn input(schema: Value) -> Script {
        with(json!({"name": "a", "inputSchema": schema}))
    }

    #[test]
    fn a_tool_without_parameters_says_so() {
        assert_eq!(input(json!({"type": "object", "additionalProperties": false})).verdict(FORM).notes.len(), 0);
        let verdict = input(json!({"type": "object", "properties": {}, "required": []})).verdict(FORM);
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
        assert!(input(json!({})).fails().contains(&FORM));
        assert!(with(json!({"name": "a"})).fails().contains(&FORM));
    }

    #[test]
    fn tools_with_parameters_of_any_kind_are_left_alone() {
        for schema in [
            json!({"$ref": "#/$defs/x"}),
            json!({"additionalProperties": true}),
            json!({"properties": {"a": {}}}),
            json!({"anyOf": [{}]}),
        ] {
            assert_eq!(input(schema).status_of(FORM), Status::NotApplicable);
        }
    }

    #[test]
    fn required_names_are_described_somewhere() {
        let schema = |properties: Value| json!({"type": "object", "properties": properties, "required": ["path"]});
        assert_eq!(input(schema(json!({"file": {}}))).fails(), [KNOWN]);
        assert_eq!(input(schema(json!({"path": {}}))).status_of(KNOWN), Status::Pass);
        let branch = json!({"type": "object", "required": ["path"], "anyOf": [{"properties": {"path": {}}}]});
        assert_eq!(input(branch).status_of(KNOWN), Status::Pass);
        let pattern = json!({"type": "object", "required": ["path"], "patternProperties": {"^p": {}}});
        assert_eq!(input(pattern).status_of(KNOWN), Status::NotObserved);
    }
}
