//! Errors about arguments: whether they name what is wrong.

use std::collections::BTreeMap;

use serde_json::Value;
use verdict::{Intent, Key};

use super::sheet::{Sheet, Words};
use super::{page::normalized_name, parameters};
use crate::rules::tools::Compared;
use crate::rules::wording::failure_text;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "practice/helpful", judges: &["practice.errors.helpful"], judge };

const WORDS: &[Words] = &[Words {
    id: RULE.judges[0],
    what: "refuse arguments without naming the invalid one, so a model can only guess",
    expected: "the name of the parameter, and what it accepts",
}];

fn judge(view: &View<'_>, collector: &mut Collector) {
    // A tool that names the parameter once knows how to: the rest may be another layer's words.
    let mut helped: BTreeMap<&str, (bool, Case<'_>)> = BTreeMap::new();
    let compared = Compared::new(view);
    for case in view.probes(Intent::InvalidCall).filter(Case::is_decided) {
        let Some(tool) = case.tool() else { continue };
        // What good arguments are told, too, is not about the arguments.
        let Some(text) = failure_text(&case).filter(|_| !compared.is_told_valid_ones_too(&case)) else { continue };
        // Where there is one parameter at most there is nothing to choose from.
        let Some(names) = names(&case, tool) else { continue };
        let good = is_specific(&text, &names) || shows_value(&text, &case);
        let entry = helped.entry(tool).or_insert((good, case));
        if good {
            *entry = (true, case);
        }
    }
    let mut sheet = Sheet::default();
    for (good, case) in helped.values() {
        sheet.note(RULE.judges[0], case, *good);
    }
    sheet.tell(collector, WORDS);
}

/// The parameters that the schema knows and those that were sent.
fn names(case: &Case<'_>, tool: &str) -> Option<Vec<String>> {
    let schema = case.view.tool(tool)?.input_schema()?;
    let mut names: Vec<String> = parameters(schema).into_iter().map(|(name, _)| normalized_name(name)).collect();
    if names.len() < 2 {
        return None;
    }
    let sent = case.param("arguments").and_then(Value::as_object);
    names.extend(sent.into_iter().flatten().map(|(name, _)| normalized_name(name)));
    names.retain(|name| !name.is_empty());
    Some(names)
}

/// The end of a word may be another one: `userId` in `userIdentifier`.
fn is_specific(text: &str, names: &[String]) -> bool {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && !"_-".contains(letter)).map(normalized_name);
    words.into_iter().any(|word| names.contains(&word))
}

/// Whether a text shows enough of the value at the place to recognize it.
fn shows_value(text: &str, case: &Case<'_>) -> bool {
    let Some(at) = case.about_str(Key::At).filter(|at| !at.is_empty()) else { return false };
    let value = case.param("arguments").and_then(|arguments| arguments.pointer(at));
    let shown = value.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    shown.is_some_and(|shown| shown.len() > 2 && text.contains(&shown))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Status};

    use super::super::tests::listed;
    use super::RULE;
    use crate::testing::Script;

    const ID: &str = RULE.judges[0];

    fn script() -> Script {
        let schema = json!({"type": "object", "properties": {"user_id": {"type": "integer"}, "full": {}}, "required": ["user_id"]});
        listed(json!([{"name": "get_user", "inputSchema": schema}]))
    }

    fn refused(script: Script, arguments: Value, at: &str, text: &str) -> Script {
        let result = json!({"result": {"content": [{"type": "text", "text": text}], "isError": true}});
        let params = json!({"name": "get_user", "arguments": arguments});
        script.probe_about(Intent::InvalidCall, json!({"tool": "get_user", "at": at}), "tools/call", params, result)
    }

    #[test]
    fn a_parameter_or_its_value_is_help() {
        for text in ["user_id is required", "Invalid input: userId must be a number", "[user-id]: no"] {
            assert_eq!(refused(script(), json!({}), "", text).status_of(ID), Status::Pass, "{text}");
        }
        let shown = refused(script(), json!({"user_id": "mcp-conform"}), "/user_id", "'mcp-conform' is no integer");
        assert_eq!(shown.status_of(ID), Status::Pass);
    }

    #[test]
    fn a_bare_word_is_none() {
        let vague = refused(script(), json!({}), "", "Invalid params");
        assert_eq!(vague.status_of(ID), Status::Fail);
        // It knows how to.
        let once = refused(vague, json!({"user_id": []}), "/user_id", "user_id: expected integer");
        assert_eq!(once.status_of(ID), Status::Pass);
    }

    #[test]
    fn what_good_arguments_are_told_too_is_about_something_else() {
        let result = json!({"result": {"content": [{"type": "text", "text": "No network."}], "isError": true}});
        let params = json!({"name": "get_user", "arguments": {"user_id": 1}});
        let always = script().probe(Intent::ValidCall, "tools/call", params, result);
        assert_eq!(refused(always, json!({}), "", "No network.").status_of(ID), Status::NotObserved);
    }

    #[test]
    fn a_duration_makes_no_other_error_of_it() {
        let result = json!({"result": {"content": [{"type": "text", "text": "No network (0 ms)."}], "isError": true}});
        let params = json!({"name": "get_user", "arguments": {"user_id": 1}});
        let always = script().probe(Intent::ValidCall, "tools/call", params, result);
        assert_eq!(refused(always, json!({}), "", "No network (14 ms).").status_of(ID), Status::NotObserved);
    }

    #[test]
    fn one_parameter_needs_no_name() {
        let one =
            listed(json!([{"name": "get_user", "inputSchema": {"type": "object", "properties": {"user_id": {}}}}]));
        assert_eq!(refused(one, json!({}), "", "Invalid params").status_of(ID), Status::NotObserved);
    }
}
