//! Annotations of tools.

use serde_json::Value;

use super::words::{verb, words};
use super::{fold, tools};
use crate::rules::lists::Listed;
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/hints",
    judges: &["practice.annotations.present", "practice.annotations.title", "practice.annotations.match-verb"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let listed = tools(view);
    let all: Vec<&Listed<'_>> = listed.iter().collect();
    let expected =
        "readOnlyHint and openWorldHint; also destructiveHint and idempotentHint if the tool changes something";
    fold(
        collector,
        RULE.judges[0],
        &all,
        |tool| !is_annotated(tool),
        "leave out hints about what they change, destroy or reach outside",
        expected,
    );
    fold(
        collector,
        RULE.judges[1],
        &all,
        |tool| !is_titled(tool),
        "have no human-readable title",
        "title, or annotations.title",
    );
    let annotated: Vec<&Listed<'_>> = listed.iter().filter(|tool| tool.definition["annotations"].is_object()).collect();
    let expected = "hints that match the name";
    fold(collector, RULE.judges[2], &annotated, contradicts, "have hints that contradict their name", expected);
}

fn hint(tool: &Listed<'_>, name: &str) -> Option<bool> {
    tool.definition.get("annotations")?.get(name)?.as_bool()
}

fn is_annotated(tool: &Listed<'_>) -> bool {
    let has = |name| hint(tool, name).is_some();
    let harmless = hint(tool, "readOnlyHint") == Some(true);
    has("readOnlyHint") && has("openWorldHint") && (harmless || (has("destructiveHint") && has("idempotentHint")))
}

fn is_titled(tool: &Listed<'_>) -> bool {
    let own = tool.definition.get("title");
    let title = own.or_else(|| tool.definition.get("annotations")?.get("title")).and_then(Value::as_str);
    title.is_some_and(|title| !title.trim().is_empty())
}

fn contradicts(tool: &Listed<'_>) -> bool {
    // get_or_create does both.
    if words(tool.name).iter().any(|word| word == "or") {
        return false;
    }
    let Some(verb) = verb(tool.name) else { return false };
    let verb = verb.as_str();
    let read_only = hint(tool, "readOnlyHint");
    let writes = ["create", "update", "delete", "send", "write", "remove", "insert", "drop", "upload"].contains(&verb);
    let reads = ["get", "list", "search", "read"].contains(&verb);
    let destroys = ["delete", "remove", "drop"].contains(&verb);
    (writes && read_only == Some(true))
        || (reads && read_only == Some(false))
        || (destroys && read_only != Some(true) && hint(tool, "destructiveHint") == Some(false))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tests::advised;

    fn annotated(name: &str, annotations: Value) -> Value {
        json!([{"name": name, "annotations": annotations}])
    }

    #[test]
    fn hints_are_complete_or_not() {
        const ID: &str = "practice.annotations.present";
        assert!(!advised(ID, annotated("a", json!({"readOnlyHint": true, "openWorldHint": false}))));
        assert!(advised(ID, annotated("a", json!({"readOnlyHint": false, "openWorldHint": false}))));
        assert!(advised(ID, json!([{"name": "a"}])));
    }

    #[test]
    fn titles_stand_in_two_places() {
        const ID: &str = "practice.annotations.title";
        assert!(!advised(ID, annotated("a", json!({"title": "A"}))));
        assert!(!advised(ID, json!([{"name": "a", "title": "A"}])));
        assert!(advised(ID, json!([{"name": "a"}])));
    }

    #[test]
    fn names_and_hints_agree() {
        const ID: &str = "practice.annotations.match-verb";
        assert!(advised(ID, annotated("delete_file", json!({"readOnlyHint": true}))));
        assert!(advised(ID, annotated("fs_list_files", json!({"readOnlyHint": false}))));
        assert!(advised(ID, annotated("remove_it", json!({"destructiveHint": false}))));
        assert!(!advised(ID, annotated("get_or_create_file", json!({"readOnlyHint": false}))));
        assert!(!advised(ID, annotated("delete_file", json!({"destructiveHint": true}))));
    }
}
