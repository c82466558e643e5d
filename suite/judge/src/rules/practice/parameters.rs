//! Parameters of tools.

use serde_json::Value;

use super::words::{is_verb, verb};
use super::{finding, fold, parameters, some, tools};
use crate::rules::lists::Listed;
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/parameters",
    judges: &[
        "practice.tool.schema-typed",
        "practice.tool.schema-described",
        "practice.tool.schema-bounded",
        "practice.tool.schema-closed",
        "practice.tool.atomic",
        "practice.response.format-parameter",
        "practice.list.pagination-offered",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let listed = tools(view);
    let taking: Vec<&Listed<'_>> = listed.iter().filter(|tool| !of(tool).is_empty()).collect();
    let any = |test: fn(&str, &Value) -> bool| {
        move |tool: &Listed<'_>| of(tool).iter().any(|(name, schema)| test(name, schema))
    };
    fold(
        collector,
        RULE.judges[0],
        &taking,
        any(|_, schema| !is_typed(schema)),
        "have a parameter without a type",
        "a type, enum, const or reference",
    );
    fold(
        collector,
        RULE.judges[1],
        &taking,
        any(|_, schema| !is_described(schema)),
        "have a parameter without a description",
        "a description for each",
    );
    fold(
        collector,
        RULE.judges[2],
        &taking,
        any(is_boundless),
        "have a limit, page, count or size parameter without bounds",
        "minimum and maximum",
    );
    fold(
        collector,
        RULE.judges[3],
        &taking,
        |tool| !is_closed(tool),
        "accept unknown parameters silently, so a misspelled one is lost",
        "additionalProperties false",
    );
    fold(
        collector,
        RULE.judges[4],
        &taking,
        any(is_switch),
        "do several things, chosen by a parameter",
        "a separate tool for each",
    );
    check_formats(&listed, collector);
    check_pages(&listed, collector);
}

fn of<'v>(tool: &Listed<'v>) -> Vec<(&'v str, &'v Value)> {
    tool.definition.get("inputSchema").map(parameters).unwrap_or_default()
}

fn is_typed(schema: &Value) -> bool {
    const WORDS: [&str; 9] = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf", "$dynamicRef", "not"];
    WORDS.iter().any(|word| schema.get(word).is_some())
}

/// A reference may say it where it leads.
fn is_described(schema: &Value) -> bool {
    let said = |member: &str| schema.get(member).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
    said("description") || schema.get("$ref").is_some()
}

fn is_boundless(name: &str, schema: &Value) -> bool {
    const COUNTED: [&str; 9] =
        ["limit", "offset", "page", "count", "size", "page_size", "pagesize", "per_page", "max_results"];
    let number = matches!(schema.get("type").and_then(Value::as_str), Some("integer" | "number"));
    let has = |names: [&str; 2]| names.iter().any(|name| schema.get(name).is_some());
    let below = ["offset", "page"].contains(&name.to_lowercase().as_str()) || has(["maximum", "exclusiveMaximum"]);
    number && COUNTED.contains(&name.to_lowercase().as_str()) && !(has(["minimum", "exclusiveMinimum"]) && below)
}

fn is_closed(tool: &Listed<'_>) -> bool {
    let shut = |member: &str| tool.definition["inputSchema"].get(member) == Some(&Value::Bool(false));
    shut("additionalProperties") || shut("unevaluatedProperties")
}

fn is_switch(name: &str, schema: &Value) -> bool {
    let choices = schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    ["action", "operation", "mode", "command"].contains(&name.to_lowercase().as_str())
        && choices.filter(|choice| is_verb(&choice.to_lowercase())).count() > 1
}

fn has_parameter(tool: &Listed<'_>, names: &[&str]) -> bool {
    of(tool).iter().any(|(name, _)| names.contains(&name.to_lowercase().replace('_', "").as_str()))
}

/// With structured content the client formats by itself.
fn check_formats(tools: &[Listed<'_>], collector: &mut Collector) {
    const ID: &str = RULE.judges[5];
    let data: Vec<&Listed<'_>> = tools
        .iter()
        .filter(|tool| matches!(verb(tool.name).as_deref(), Some("get" | "list" | "search" | "find")))
        .collect();
    if data.is_empty() {
        return;
    }
    let chosen = |tool: &&&Listed<'_>| {
        has_parameter(tool, &["responseformat", "format", "outputformat"])
            || tool.definition.get("outputSchema").is_some()
    };
    collector.check(ID, data.iter().any(|tool| chosen(&tool)), || {
        let message = "No tool that returns data lets the caller choose between text and data.".to_owned();
        finding(message, "response_format, or an outputSchema", some(data.iter().map(|tool| tool.name)))
    });
}

fn check_pages(tools: &[Listed<'_>], collector: &mut Collector) {
    let lists: Vec<&Listed<'_>> =
        tools.iter().filter(|tool| matches!(verb(tool.name).as_deref(), Some("list" | "search"))).collect();
    let limit = ["limit", "pagesize", "perpage", "count", "maxresults", "first", "size", "top"];
    let place = ["offset", "page", "cursor", "after", "start", "pagetoken", "skip"];
    fold(
        collector,
        RULE.judges[6],
        &lists,
        |tool| !(has_parameter(tool, &limit) && has_parameter(tool, &place)),
        "list or search without pagination, so a long list fills the model's context",
        "limit, together with offset, page or cursor",
    );
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tests::advised;

    fn with(properties: Value, closed: bool) -> Value {
        json!([{"name": "shop_list_orders",
            "inputSchema": {"type": "object", "properties": properties, "additionalProperties": !closed}}])
    }

    #[test]
    fn a_good_schema_is_not_advised_against() {
        let good = json!({
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many."},
            "offset": {"type": "integer", "minimum": 0, "description": "From where."},
            "response_format": {"enum": ["json", "markdown"], "description": "How."}});
        for id in super::RULE.judges {
            assert!(!advised(id, with(good.clone(), true)), "{id}");
        }
    }

    #[test]
    fn each_advice_has_its_schema() {
        let limit = json!({"limit": {"type": "integer"}});
        let cases = [
            ("practice.tool.schema-typed", json!({"a": {"description": "A."}})),
            (
                "practice.tool.schema-described",
                json!({"a": {"type": "object", "properties": {"b": {"type": "null"}}, "description": "A."}}),
            ),
            ("practice.tool.schema-bounded", limit.clone()),
            ("practice.tool.schema-closed", limit.clone()),
            ("practice.tool.atomic", json!({"action": {"enum": ["create", "delete"]}})),
            ("practice.response.format-parameter", limit.clone()),
            ("practice.list.pagination-offered", limit),
        ];
        for (id, properties) in cases {
            assert!(advised(id, with(properties, false)), "{id}");
        }
    }

    #[test]
    fn what_takes_nothing_needs_nothing() {
        for id in &super::RULE.judges[..5] {
            assert!(!advised(id, json!([{"name": "shop_ping"}])), "{id}");
        }
    }
}
