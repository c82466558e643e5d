//! Whether the schemas that the server publishes are schemas: inputSchema and outputSchema of tools, requestedSchema of
//! elicitations.
//!
//! From 2025-11-25 on a schema without `$schema` is 2020-12. Before, no dialect is the default, and a schema is faulty only if
//! it is under both draft-07 and 2020-12. Unknown dialects are not judged.

use schema::{Declared, Dialect, Flaw, declared, meta_flaw};
use serde_json::Value;
use verdict::Finding;

use super::lists::{self, Listed};
use crate::{Collector, Rule, View, dialects};

pub(super) const RULE: Rule = Rule {
    name: "tools/schemas",
    judges: &[
        "tools.input-schema.valid-2020-12",
        "tools.input-schema.valid-declared-dialect",
        "tools.input-schema.prefers-2020-12",
        "tools.output-schema.valid-2020-12",
        "tools.output-schema.valid-declared-dialect",
        "jsonrpc.schema.valid",
        "jsonrpc.schema.dialect-declaration",
        "jsonrpc.schema.dialect-recommended",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for tool in lists::all(view) {
        for (member, default, explicit) in [
            ("inputSchema", "tools.input-schema.valid-2020-12", "tools.input-schema.valid-declared-dialect"),
            ("outputSchema", "tools.output-schema.valid-2020-12", "tools.output-schema.valid-declared-dialect"),
        ] {
            if let Some(schema) = tool.schema(member) {
                tool_schema(&tool, member, schema, [default, explicit], collector);
            }
        }
    }
    for (_, incoming) in view.incoming() {
        let requested = || incoming.message()?.params()?.get("requestedSchema").filter(|schema| schema.is_object());
        if incoming.method() == Some("elicitation/create")
            && let Some(schema) = requested()
        {
            any_schema(schema, view, collector, |message, expected, actual| {
                finding_about(incoming.wire(), message, expected, actual)
            });
        }
    }
}

fn tool_schema(
    tool: &Listed<'_>,
    member: &str,
    schema: &Value,
    [default, explicit]: [&'static str; 2],
    collector: &mut Collector,
) {
    let place = format!("/{member}");
    let finding = |message: &str, expected: &str, actual: String| tool.finding(&place, message, expected, actual);
    any_schema(schema, tool.case.view, collector, finding);
    let id = if matches!(declared(schema), Declared::Absent) { default } else { explicit };
    let Some(verdict) = validity(schema, tool.case.view) else {
        return collector.not_observed(id, "the declared dialect is not supported by mcp-conform");
    };
    collector.check(id, verdict.is_none(), || {
        let message =
            format!("The {member} of a tool is not a valid JSON Schema, so clients that compile it refuse the tool.");
        finding(&message, "a schema that is valid in its dialect", words(verdict))
    });
    if member == "inputSchema" {
        check_recommended(schema, "tools.input-schema.prefers-2020-12", collector);
    }
}

fn any_schema(
    schema: &Value,
    view: &View<'_>,
    collector: &mut Collector,
    finding: impl Fn(&str, &str, String) -> Finding,
) {
    if let Some(verdict) = validity(schema, view) {
        collector.check("jsonrpc.schema.valid", verdict.is_none(), || {
            let message = "A published schema is not a valid JSON Schema, so compiling it fails.";
            finding(message, "a schema that is valid in its dialect", words(verdict))
        });
    }
    let named = match schema.get("$schema") {
        None => None,
        Some(Value::String(uri)) => Some(url::Url::parse(uri).is_ok()),
        Some(_) => Some(false),
    };
    if let Some(named) = named {
        collector.check("jsonrpc.schema.dialect-declaration", named, || {
            let message = "$schema of a published schema is not an absolute URI, so it does not name a dialect.";
            finding(message, "the URI of a dialect", format!("$schema is {}", schema["$schema"]))
        });
    }
    check_recommended(schema, "jsonrpc.schema.dialect-recommended", collector);
}

/// None: cannot be judged. Some(None): valid. Some(flaw): invalid.
#[expect(clippy::option_option, reason = "three answers, each used")]
fn validity(schema: &Value, view: &View<'_>) -> Option<Option<Flaw>> {
    match declared(schema) {
        Declared::Absent => {
            let flaws: Vec<Option<Flaw>> =
                dialects(view.revision).iter().map(|dialect| meta_flaw(schema, *dialect)).collect();
            let faulty = flaws.iter().all(Option::is_some);
            Some(flaws.into_iter().next().flatten().filter(|_| faulty))
        }
        Declared::Known(dialect) => Some(meta_flaw(schema, dialect)),
        Declared::Unknown(_) | Declared::NotString => None,
    }
}

/// Another dialect is allowed: worth a note, never a finding, and no witness of the recommended one either.
fn check_recommended(schema: &Value, id: &'static str, collector: &mut Collector) {
    match declared(schema) {
        Declared::Absent | Declared::Known(Dialect::Draft202012) => collector.witness(id),
        Declared::Known(dialect) => {
            collector.note(id, format!("{dialect} is declared: allowed, though 2020-12 is recommended"));
            collector.not_observed(id, format!("the schemas declare {dialect}, which is allowed"));
        }
        Declared::Unknown(_) | Declared::NotString => {}
    }
}

fn words(flaw: Option<Flaw>) -> String {
    flaw.map_or_else(String::new, |flaw| {
        let at = if flaw.at.is_empty() { "its root" } else { &flaw.at };
        format!("invalid at {at}: {}", flaw.keyword)
    })
}

fn finding_about(wire: String, message: &str, expected: &str, actual: String) -> Finding {
    Finding { place: Some("elicitation/create".into()), ..Finding::new(message, expected, actual, vec![wire]) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Level, Revision, Status};

    use crate::testing::Script;

    const V: Revision = Revision::V2025_11_25;

    fn with(revision: Revision, member: &str, schema: Value) -> Script {
        let mut tool = json!({"name": "a", "inputSchema": {"type": "object", "properties": {"n": {}}}});
        tool[member] = schema;
        Script::new(revision, json!({"tools": {}})).plain("tools/list", json!({}), json!({"result": {"tools": [tool]}}))
    }

    fn input(revision: Revision, property: Value) -> Script {
        with(revision, "inputSchema", json!({"type": "object", "properties": {"n": property}}))
    }

    #[test]
    fn a_schema_for_draft_7_is_invalid_without_saying_so_from_2025_11_25() {
        let tuple = json!({"type": "array", "items": [{"type": "string"}]});
        assert_eq!(input(V, tuple.clone()).fails(), ["jsonrpc.schema.valid", "tools.input-schema.valid-2020-12"]);
        assert_eq!(input(Revision::V2025_06_18, tuple.clone()).fails(), [""; 0]);
        let declared =
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"n": tuple}});
        let script = with(V, "inputSchema", declared);
        assert_eq!(script.fails(), [""; 0]);
        assert_eq!(script.status_of("tools.input-schema.valid-declared-dialect"), Status::Pass);
    }

    #[test]
    fn a_schema_that_is_one_in_no_dialect_fails_everywhere() {
        let verdict = input(Revision::V2024_11_05, json!({"type": "text"})).verdict("tools.input-schema.valid-2020-12");
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
        assert_eq!(verdict.findings[0].place.as_deref(), Some("/inputSchema"));
    }

    #[test]
    fn the_declared_dialect_is_kept() {
        let schema = json!({"$schema": "http://json-schema.org/draft-07/schema", "type": "object", "properties": {"n": {"minimum": "1"}}});
        assert_eq!(
            with(V, "inputSchema", schema.clone()).fails(),
            ["jsonrpc.schema.valid", "tools.input-schema.valid-declared-dialect"]
        );
        assert_eq!(
            with(V, "outputSchema", schema).fails(),
            ["jsonrpc.schema.valid", "tools.output-schema.valid-declared-dialect"]
        );
        let plain = json!({"type": "object", "required": "n"});
        assert!(with(V, "outputSchema", plain).fails().contains(&"tools.output-schema.valid-2020-12"));
    }

    #[test]
    fn unknown_dialects_keywords_formats_and_patterns_are_not_judged() {
        let schema = json!({"$schema": "https://example.com/dialect", "type": "object", "properties": 7});
        assert_eq!(
            with(V, "outputSchema", schema).status_of("tools.output-schema.valid-declared-dialect"),
            Status::NotObserved
        );
        let odd = json!({"type": "string", "format": "colour", "x-order": 1, "pattern": "[^]"});
        assert_eq!(input(V, odd).fails(), [""; 0]);
    }

    #[test]
    fn another_dialect_is_noted_never_failed() {
        let schema =
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"n": {}}});
        let verdict = with(V, "inputSchema", schema).verdict("tools.input-schema.prefers-2020-12");
        assert_eq!((verdict.status, verdict.notes.len()), (Status::NotObserved, 1));
        assert_eq!(input(V, json!({})).status_of("jsonrpc.schema.dialect-recommended"), Status::Pass);
    }

    #[test]
    fn a_dialect_is_declared_by_a_uri() {
        const ID: &str = "jsonrpc.schema.dialect-declaration";
        let declares = |value: Value| with(V, "outputSchema", json!({"$schema": value, "type": "object"}));
        assert!(declares(json!("draft-07")).fails().contains(&ID));
        assert!(declares(json!(7)).fails().contains(&ID));
        assert_eq!(declares(json!("urn:mine")).status_of(ID), Status::Pass);
    }

    #[test]
    fn schemas_of_elicitations_count() {
        let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create",
            "params": {"message": "?", "requestedSchema": {"type": "object", "properties": {"n": {"type": "text"}}}}});
        let script = Script::new(V, json!({"tools": {}})).says_json(&ask);
        assert!(script.fails().contains(&"jsonrpc.schema.valid"));
    }
}
