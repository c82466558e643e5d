//! `x-mcp-header`: parameters that are mirrored into HTTP headers (2026-07-28).

use std::collections::HashSet;

use schema::{Node, Step, pointer, walk};
use serde_json::Value;

use super::lists::{self, Listed};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/x-mcp-header",
    judges: &[
        "tools.x-mcp-header.string",
        "tools.x-mcp-header.not-empty",
        "tools.x-mcp-header.token",
        "tools.x-mcp-header.no-control",
        "tools.x-mcp-header.unique",
        "tools.x-mcp-header.primitive-type",
        "tools.x-mcp-header.statically-reachable",
        "tools.x-mcp-header.not-sensitive",
    ],
    judge,
};

/// One annotation.
struct Mark<'v> {
    tool: Listed<'v>,
    node: Node<'v>,
}

impl Mark<'_> {
    fn finding(&self, message: &str, expected: &str, actual: String) -> verdict::Finding {
        self.tool.finding(format!("/inputSchema{}", pointer(&self.node.path)), message, expected, actual)
    }

    fn property(&self) -> Option<&str> {
        match self.node.path.last() {
            Some(Step::Property(name)) => Some(name),
            _ => None,
        }
    }
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut found = false;
    let tools = lists::all(view);
    for tool in &tools {
        let Some(schema) = tool.schema("inputSchema") else { continue };
        let mut names = HashSet::new();
        for node in walk(schema) {
            let Some(value) = node.schema.get("x-mcp-header") else { continue };
            found = true;
            let mark = Mark { tool: *tool, node };
            check_place(&mark, collector);
            collector.check("tools.x-mcp-header.string", value.is_string(), || {
                mark.finding(
                    "x-mcp-header is not a string, so it does not name a header.",
                    "the name of a header",
                    format!("{value}"),
                )
            });
            if let Some(name) = value.as_str() {
                check_spelling(&mark, name, collector);
                collector.check("tools.x-mcp-header.unique", names.insert(name.to_lowercase()), || {
                    let message =
                        "Two parameters of one tool are mirrored into the same header, so one of them is lost.";
                    mark.finding(message, "a unique name, ignoring case", format!("{name:?} twice"))
                });
            }
        }
    }
    if !found && !tools.is_empty() {
        for id in RULE.judges {
            collector.not_applicable(id, "no tool has a parameter with x-mcp-header");
        }
    }
}

fn check_spelling(mark: &Mark<'_>, name: &str, collector: &mut Collector) {
    let actual = || format!("{name:?}");
    collector.check("tools.x-mcp-header.not-empty", !name.is_empty(), || {
        mark.finding("x-mcp-header is empty, so it does not name a header.", "the name of a header", actual())
    });
    if name.is_empty() {
        return;
    }
    let token = |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+.^_`|~-".contains(letter);
    collector.check("tools.x-mcp-header.token", name.chars().all(token), || {
        mark.finding(
            "x-mcp-header is not a valid header name, so HTTP clients cannot call the tool.",
            "letters, digits and !#$%&'*+-.^_`|~",
            actual(),
        )
    });
    let control = |letter: char| u32::from(letter) < 0x20 || letter == '\u{7f}';
    collector.check("tools.x-mcp-header.no-control", !name.chars().any(control), || {
        mark.finding(
            "x-mcp-header contains a control character, which could be used to inject other headers.",
            "no control character",
            actual(),
        )
    });
}

fn check_place(mark: &Mark<'_>, collector: &mut Collector) {
    const REACHABLE: &str = "tools.x-mcp-header.statically-reachable";
    let by_properties = mark.node.path.iter().all(|step| matches!(step, Step::Property(_)));
    collector.check(REACHABLE, by_properties, || {
        let message =
            "A parameter with x-mcp-header cannot be found without evaluating the schema, so clients cannot mirror it.";
        mark.finding(message, "a path from the root through properties only", pointer(&mark.node.path))
    });
    check_kind(mark, collector);
    if let Some(name) = mark.property() {
        check_sensitive(mark, name, collector);
    }
}

fn check_kind(mark: &Mark<'_>, collector: &mut Collector) {
    const ID: &str = "tools.x-mcp-header.primitive-type";
    let primitive = |value: &Value| matches!(value.as_str(), Some("string" | "integer" | "boolean"));
    let good = match mark.node.schema.get("type") {
        Some(Value::Array(kinds)) => {
            let fits = kinds.iter().all(|kind| primitive(kind) || kind == "null") && kinds.iter().any(primitive);
            if fits {
                collector.note(
                    ID,
                    "x-mcp-header is on a property with several types, which the specification does not cover",
                );
            }
            fits
        }
        Some(kind) => primitive(kind),
        None => return check_untyped(mark, collector),
    };
    collector.check(ID, good, || {
        let message = "x-mcp-header is on a property that is not a string, integer or boolean, so its value has no representation in a header.";
        mark.finding(message, "type string, integer or boolean", format!("type {}", mark.node.schema["type"]))
    });
}

fn check_untyped(mark: &Mark<'_>, collector: &mut Collector) {
    const ID: &str = "tools.x-mcp-header.primitive-type";
    let scalar = |value: &Value| value.is_string() || value.is_boolean() || value.is_i64() || value.is_u64();
    let schema = mark.node.schema;
    let listed = schema.get("enum").and_then(Value::as_array).is_some_and(|values| values.iter().all(scalar));
    if listed || schema.get("const").is_some_and(scalar) || schema.get("$ref").is_some() {
        collector.witness(ID);
    } else {
        collector.note(ID, "x-mcp-header is on a property without a type");
    }
}

fn check_sensitive(mark: &Mark<'_>, name: &str, collector: &mut Collector) {
    const ID: &str = "tools.x-mcp-header.not-sensitive";
    const WORDS: [&str; 9] =
        ["password", "passwd", "secret", "token", "apikey", "credential", "email", "privatekey", "ssn"];
    let bare: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    collector.check(ID, !WORDS.iter().any(|word| bare.contains(word)), || {
        let message = "A parameter whose name suggests something secret or personal is mirrored into a header, which proxies log.";
        mark.finding(message, "no x-mcp-header on such a parameter", format!("the parameter {name:?}"))
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::RULE;
    use crate::testing::Script;

    fn with(properties: Value) -> Script {
        schema(json!({"type": "object", "properties": properties}))
    }

    fn schema(schema: Value) -> Script {
        let tools = json!([{"name": "a", "inputSchema": schema}]);
        let answer = json!({"result": {"resultType": "complete", "tools": tools, "ttlMs": 0, "cacheScope": "public"}});
        Script::new(Revision::V2026_07_28, json!({"tools": {}})).plain("tools/list", json!({}), answer)
    }

    fn fails(script: &Script) -> Vec<&'static str> {
        let ours = script.fails().into_iter().filter_map(|id| id.strip_prefix("tools.x-mcp-header."));
        ours.collect()
    }

    fn mark(name: Value) -> Value {
        json!({"r": {"type": "string", "x-mcp-header": name}})
    }

    #[test]
    fn a_good_annotation_passes_everything() {
        let script = with(
            json!({"region": {"type": "string", "x-mcp-header": "Region"}, "o": {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}}}),
        );
        for id in RULE.judges {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn each_rule_of_the_name_is_broken() {
        assert_eq!(fails(&with(mark(json!(7)))), ["string"]);
        assert_eq!(fails(&with(mark(json!("")))), ["not-empty"]);
        assert_eq!(fails(&with(mark(json!("a b")))), ["token"]);
        assert_eq!(fails(&with(mark(json!("a\r\nb")))), ["token", "no-control"]);
        let twice = json!({"a": {"type": "string", "x-mcp-header": "X"}, "b": {"type": "string", "x-mcp-header": "x"}});
        assert_eq!(fails(&with(twice)), ["unique"]);
    }

    #[test]
    fn each_rule_of_the_place_is_broken() {
        assert_eq!(fails(&with(json!({"n": {"type": "number", "x-mcp-header": "N"}}))), ["primitive-type"]);
        assert_eq!(
            fails(&with(json!({"l": {"type": "array", "items": {"type": "string", "x-mcp-header": "L"}}}))),
            ["statically-reachable"]
        );
        assert_eq!(
            fails(&schema(json!({"type": "object", "$defs": {"d": {"type": "string", "x-mcp-header": "D"}}}))),
            ["statically-reachable"]
        );
        assert_eq!(fails(&with(json!({"api_key": {"type": "string", "x-mcp-header": "K"}}))), ["not-sensitive"]);
    }

    #[test]
    fn names_data_and_open_questions_are_no_findings() {
        assert_eq!(
            with(json!({"x-mcp-header": {"type": "number"}, "d": {"default": {"x-mcp-header": 1}}}))
                .status_of(RULE.judges[0]),
            Status::NotApplicable
        );
        assert_eq!(fails(&with(json!({"s": {"type": ["string", "null"], "x-mcp-header": "S"}}))), [""; 0]);
        assert_eq!(fails(&with(json!({"s": {"enum": ["a", 1], "x-mcp-header": "S"}}))), [""; 0]);
        assert_eq!(fails(&with(json!({"s": {"x-mcp-header": "S"}}))), [""; 0]);
    }
}
