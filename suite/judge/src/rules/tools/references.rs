//! References in tool schemas: they lead somewhere, and not to the network.

use schema::{Declared, Dialect, Reference, Target, declared, references};

use super::lists::{self, Listed};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/references",
    judges: &[
        "tools.input-schema.local-refs-resolve",
        "tools.input-schema.no-network-ref",
        "jsonrpc.schema.self-contained",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let tools = lists::all(view);
    let mut found = 0;
    for tool in &tools {
        for member in ["inputSchema", "outputSchema"] {
            let Some(schema) = tool.schema(member) else { continue };
            let dialect = match declared(schema) {
                Declared::Known(dialect) => dialect,
                Declared::Absent => Dialect::Draft202012,
                // Its references may mean anything.
                Declared::Unknown(_) | Declared::NotString => continue,
            };
            for reference in references(schema, dialect) {
                found += 1;
                judge_one(tool, member, &reference, collector);
            }
        }
    }
    if found == 0 && !tools.is_empty() {
        for id in RULE.judges {
            collector.not_applicable(id, "no tool schema has a $ref");
        }
    }
}

fn judge_one(tool: &Listed<'_>, member: &str, reference: &Reference, collector: &mut Collector) {
    const LOCAL: &str = "tools.input-schema.local-refs-resolve";
    const NETWORK: &str = "tools.input-schema.no-network-ref";
    const CONTAINED: &str = "jsonrpc.schema.self-contained";
    let place = format!("/{member}{}", reference.at);
    let actual = format!("a reference to {}", reference.text);
    match &reference.target {
        Target::Local => {
            collector.witness(LOCAL);
            collector.witness(NETWORK);
            collector.witness(CONTAINED);
        }
        Target::Dangling => {
            let message = "A reference in a tool's schema cannot be resolved, so the schema is unusable and clients refuse the tool.";
            collector.fail(LOCAL, tool.finding(&place, message, "a target inside the same schema", actual));
        }
        Target::MetaSchema => {
            collector.witness(NETWORK);
            collector.note(NETWORK, "a schema refers to a JSON Schema meta-schema, which not every client includes");
        }
        Target::Remote(_) => {
            let message = "A tool's schema refers to an address outside itself, which clients must not fetch: they will refuse the tool or accept anything.";
            collector.fail(NETWORK, tool.finding(&place, message, "a self-contained schema", actual.clone()));
            collector.fail(CONTAINED, tool.finding(&place, message, "a self-contained schema", actual));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Level, Revision, Status};

    use crate::testing::Script;

    const LOCAL: &str = "tools.input-schema.local-refs-resolve";
    const NETWORK: &str = "tools.input-schema.no-network-ref";

    fn with(revision: Revision, property: Value) -> Script {
        let schema = json!({"type": "object", "properties": {"n": property}, "$defs": {"x": {"type": "string"}}});
        let tools = json!([{"name": "a", "inputSchema": schema}]);
        Script::new(revision, json!({"tools": {}})).plain(
            "tools/list",
            json!({}),
            json!({"result": {"resultType": "complete", "tools": tools}}),
        )
    }

    #[test]
    fn a_reference_inside_the_schema_passes() {
        let script = with(Revision::V2026_07_28, json!({"$ref": "#/$defs/x"}));
        assert_eq!((script.status_of(LOCAL), script.status_of(NETWORK)), (Status::Pass, Status::Pass));
        assert_eq!(with(Revision::V2026_07_28, json!({})).status_of(LOCAL), Status::NotApplicable);
    }

    #[test]
    fn a_dangling_reference_fails_in_either_schema() {
        let verdict = with(Revision::V2026_07_28, json!({"$ref": "#/$defs/y"})).verdict(LOCAL);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
        assert_eq!(verdict.findings[0].place.as_deref(), Some("/inputSchema/properties/n"));
        let output = json!({"type": "object", "properties": {"n": {"$ref": "#/$defs/y"}}});
        let tools = json!([{"name": "a", "inputSchema": {"type": "object"}, "outputSchema": output}]);
        let script = Script::new(Revision::V2025_06_18, json!({"tools": {}}));
        let verdict = script.plain("tools/list", json!({}), json!({"result": {"tools": tools}})).verdict(LOCAL);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
        assert_eq!(verdict.findings[0].place.as_deref(), Some("/outputSchema/properties/n"));
    }

    #[test]
    fn a_network_address_fails_in_2026_and_is_not_dangling() {
        let script = with(Revision::V2026_07_28, json!({"$ref": "https://example.com/x.json"}));
        let fails: Vec<&str> = script.fails().into_iter().filter(|id| id.contains("schema")).collect();
        assert_eq!(fails, ["jsonrpc.schema.self-contained", NETWORK]);
        assert_eq!(with(Revision::V2025_11_25, json!({"$ref": "https://example.com/x.json"})).fails(), [""; 0]);
    }

    #[test]
    fn a_meta_schema_and_data_are_no_network_reference() {
        let script = with(Revision::V2026_07_28, json!({"$ref": "https://json-schema.org/draft/2020-12/schema"}));
        assert_eq!(script.verdict(NETWORK).notes.len(), 1);
        assert_eq!(
            with(Revision::V2026_07_28, json!({"const": {"$ref": "http://x.example/"}})).status_of(NETWORK),
            Status::NotApplicable
        );
    }
}
