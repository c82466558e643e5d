//! The input schema reaches clients as the author of the tool wrote it. Only those who know the original can tell.

use serde_json::Value;
use verdict::{Finding, Intent, Key};

use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "tools/written", judges: &["tools.input-schema.keywords-preserved"], judge };

const ID: &str = RULE.judges[0];
/// Keywords that 2025-11-25 covers.
const FEW: [&str; 3] = ["$schema", "$defs", "additionalProperties"];
/// Members of a schema that hold schemas by names that are nobody's keywords.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// How deep it is looked.
const DEPTH: usize = 64;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let told =
        view.judged().flat_map(|session| &session.probes).filter(|(_, probe)| probe.intent == Intent::SchemaTold);
    for (_, probe) in told {
        let (Some(name), Some(written)) = (probe.get(Key::Tool).and_then(Value::as_str), probe.get(Key::Schema)) else {
            continue;
        };
        let Some(listed) = view.tool(name).and_then(|tool| tool.definition.get("inputSchema")) else {
            collector.not_observed(ID, "a tool named in the table [schemas] is not listed");
            continue;
        };
        let mut lost = Vec::new();
        missing(written, listed, view.revision.is_handshake(), (String::new(), 0), &mut lost);
        collector.check(ID, lost.is_empty(), || {
            let message = "Parts of an input schema that the author wrote do not reach the client, which then builds different arguments.";
            let actual = format!("missing or changed: {}", lost.join(", "));
            let wire = vec![format!("< {}", crate::view::clip(&listed.to_string()))];
            Finding { tool: Some(name.to_owned()), ..Finding::new(message, "every keyword as written", actual, wire) }
        });
    }
    collector.not_observed(
        ID,
        "needs the schema as it was written: a table [schemas] in mcp-conform.toml, TOOL = \"FILE.json\"",
    );
}

/// Keywords of the first that the second lacks or has otherwise; what was added to it is no loss.
fn missing(written: &Value, listed: &Value, few: bool, (path, depth): (String, usize), lost: &mut Vec<String>) {
    if depth > DEPTH {
        return;
    }
    let (Some(written), Some(found)) = (written.as_object(), listed.as_object()) else {
        if written != listed && !few {
            lost.push(path);
        }
        return;
    };
    for (keyword, value) in written {
        let here = format!("{path}/{keyword}");
        let below = (here.clone(), depth + 1);
        let counts = !few || FEW.contains(&keyword.as_str());
        match found.get(keyword) {
            None if counts => lost.push(here),
            None => {}
            Some(other) if NAMED.contains(&keyword.as_str()) => members(value, other, few, below, lost),
            Some(other) if value.is_object() => missing(value, other, few, below, lost),
            Some(other) if value != other && counts => lost.push(here),
            Some(_) => {}
        }
    }
}

fn members(written: &Value, listed: &Value, few: bool, (path, depth): (String, usize), lost: &mut Vec<String>) {
    for (name, schema) in written.as_object().into_iter().flatten() {
        match listed.get(name) {
            Some(other) => missing(schema, other, few, (format!("{path}/{name}"), depth + 1), lost),
            None => lost.push(format!("{path}/{name}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn compared(revision: Revision, written: &Value, listed: &Value) -> Status {
        let list = json!({"result": {"tools": [{"name": "t", "inputSchema": listed}]}});
        let script = Script::new(revision, json!({"tools": {}})).plain("tools/list", json!({}), list);
        script.means(Intent::SchemaTold, json!({"tool": "t", "schema": written})).status_of(ID)
    }

    #[test]
    fn what_was_written_is_listed() {
        let written = json!({"type": "object", "$defs": {"a": {"type": "string", "minLength": 1}},
            "properties": {"x": {"$ref": "#/$defs/a"}}, "allOf": [{"required": ["x"]}], "additionalProperties": false});
        let mut more = written.clone();
        more["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
            assert_eq!(compared(revision, &written, &more), Status::Pass);
            let mut open = written.clone();
            open.as_object_mut().expect("an object").remove("additionalProperties");
            assert_eq!(compared(revision, &written, &open), Status::Fail);
        }
        let mut loose = written.clone();
        loose["allOf"] = json!([]);
        assert_eq!(compared(Revision::V2025_11_25, &written, &loose), Status::Pass);
        assert_eq!(compared(Revision::V2026_07_28, &written, &loose), Status::Fail);
        let mut short = written.clone();
        short["$defs"]["a"] = json!({"type": "string"});
        assert_eq!(compared(Revision::V2026_07_28, &written, &short), Status::Fail);
    }

    #[test]
    fn what_nobody_told_is_not_judged() {
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
        assert_eq!(script.status_of(ID), Status::NotObserved);
    }
}
