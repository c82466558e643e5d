//! Descriptions of tools, and whether definitions stay what they are.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::words::words;
use super::{finding, fold, parameters, some, tools};
use crate::rules::lists::{Listed, TOOLS, Walk, complete, notices};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/descriptions",
    judges: &[
        "practice.tool.description-present",
        "practice.tool.description-informative",
        "practice.tool.description-narrow",
        "practice.tool.description-distinct",
        "practice.tool.examples",
        "practice.tool.returns-documented",
        "practice.tool.definitions-stable",
    ],
    judge,
};

/// Characters from which on nobody reads a description.
const LONG: usize = 2_000;
const STOP: [&str; 20] = [
    "a", "an", "the", "of", "to", "for", "in", "on", "and", "or", "with", "by", "from", "this", "that", "tool", "is",
    "it", "be", "as",
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let listed = tools(view);
    let all: Vec<&Listed<'_>> = listed.iter().collect();
    let described: Vec<&Listed<'_>> = listed.iter().filter(|tool| !text(tool).trim().is_empty()).collect();
    fold(collector, RULE.judges[0], &all, |tool| text(tool).trim().is_empty(), "have no description", "a description");
    let expected = "what the tool does, in at least one sentence";
    fold(
        collector,
        RULE.judges[1],
        &described,
        |tool| !is_informative(tool),
        "are described by little more than their name",
        expected,
    );
    let long = |tool: &Listed<'_>| text(tool).chars().count() > LONG;
    fold(
        collector,
        RULE.judges[2],
        &described,
        long,
        "have a description of more than 2,000 characters",
        "a short one, about one function",
    );
    check_distinct(&described, collector);
    let expected = "an example in the description, or examples in the schema";
    fold(collector, RULE.judges[4], &all, |tool| !has_example(tool), "have no usage example", expected);
    let expected = "an outputSchema, or a note on what is returned";
    fold(collector, RULE.judges[5], &all, |tool| !documents_result(tool), "do not say what they return", expected);
    check_stable(view, collector);
}

fn text<'v>(tool: &Listed<'v>) -> &'v str {
    tool.definition.get("description").and_then(Value::as_str).unwrap_or_default()
}

fn is_informative(tool: &Listed<'_>) -> bool {
    let name = words(tool.name);
    let said = words(text(tool));
    let own = said.iter().filter(|word| !STOP.contains(&word.as_str()) && !name.contains(word)).count();
    // Scripts without spaces say much in few words.
    text(tool).chars().count() >= 20 && (own >= 3 || !text(tool).is_ascii())
}

fn check_distinct(tools: &[&Listed<'_>], collector: &mut Collector) {
    const ID: &str = RULE.judges[3];
    let mut by_text: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for tool in tools {
        let plain = text(tool).split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        by_text.entry(plain).or_default().push(tool.name);
    }
    let twins: Vec<&str> = by_text.values().filter(|names| names.len() > 1).flatten().copied().collect();
    if !tools.is_empty() {
        collector.check(ID, twins.is_empty(), || {
            let message =
                format!("{} of {} tools have the same description as another tool.", twins.len(), tools.len());
            finding(message, "descriptions that distinguish the tools", some(twins.iter().copied()))
        });
    }
}

fn has_example(tool: &Listed<'_>) -> bool {
    let text = text(tool).to_lowercase();
    let said = ["example", "e.g.", "for instance", "such as", "`"].iter().any(|word| text.contains(word));
    let schema = tool.definition.get("inputSchema");
    let shown = |(_, property): &(&str, &Value)| {
        let described = property.get("description").and_then(Value::as_str).unwrap_or_default().to_lowercase();
        property.get("examples").is_some()
            || property.get("default").is_some()
            || property.get("enum").is_some()
            || described.contains("e.g.")
            || described.contains("example")
    };
    let described = schema.map(parameters).unwrap_or_default();
    // Without parameters there is nothing to show.
    said || described.is_empty() || described.iter().any(shown)
}

fn documents_result(tool: &Listed<'_>) -> bool {
    let words = words(text(tool));
    let speaks =
        ["return", "returns", "returned", "returning", "result", "results", "output", "outputs", "response", "gives"];
    tool.definition.get("outputSchema").is_some() || words.iter().any(|word| speaks.contains(&word.as_str()))
}

/// Between two walks of a session, unless a change was announced.
fn check_stable(view: &View<'_>, collector: &mut Collector) {
    const ID: &str = RULE.judges[6];
    let walks = complete(view, &TOOLS);
    for pair in walks.windows(2).filter(|pair| pair[0].session.id == pair[1].session.id) {
        let said =
            notices(pair[0].session, &TOOLS).any(|notice| notice.seq > pair[0].start() && notice.seq < pair[1].end());
        let changed = changed(&pair[0], &pair[1]);
        if said {
            continue;
        }
        collector.check(ID, changed.is_empty(), || {
            let message = "Tool definitions change while the server runs, without any notification.".to_owned();
            finding(message, "the same definition, or notifications/tools/list_changed", some(changed.iter().copied()))
        });
    }
}

fn changed<'v>(before: &Walk<'v>, after: &Walk<'v>) -> Vec<&'v str> {
    let old: HashMap<&str, &Value> = before.entries().into_iter().map(|tool| (tool.name, tool.definition)).collect();
    let differs = |tool: &Listed<'v>| old.get(tool.name).is_some_and(|definition| *definition != tool.definition);
    after.entries().into_iter().filter(differs).map(|tool| tool.name).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::Status;

    use super::super::tests::{advised, listed};

    const GOOD: &str = "Finds open issues by label, e.g. bug, and returns their titles with links.";

    fn described(text: &str) -> Value {
        json!([{"name": "github_list_issues", "description": text,
            "inputSchema": {"type": "object", "properties": {"label": {"type": "string"}}}}])
    }

    #[test]
    fn a_good_description_is_not_advised_against() {
        for id in &super::RULE.judges[..6] {
            assert!(!advised(id, described(GOOD)), "{id}");
        }
    }

    #[test]
    fn each_advice_has_its_description() {
        assert!(advised("practice.tool.description-present", described(" ")));
        assert!(advised("practice.tool.description-informative", described("List the github issues.")));
        assert!(!advised(
            "practice.tool.description-informative",
            described("列出仓库中的所有未解决问题及其标签和作者信息")
        ));
        assert!(advised("practice.tool.description-narrow", described(&GOOD.repeat(40))));
        assert!(advised("practice.tool.examples", described("Finds open issues by label.")));
        assert!(advised("practice.tool.returns-documented", described("Finds open issues by label.")));
        let twins = json!([{"name": "a", "description": "Finds it."}, {"name": "b", "description": "finds  it."}]);
        assert!(advised("practice.tool.description-distinct", twins));
    }

    #[test]
    fn a_definition_that_changes_silently_is_advised_against() {
        const ID: &str = "practice.tool.definitions-stable";
        let again = |text: &str| {
            listed(described(GOOD)).plain("tools/list", json!({}), json!({"result": {"tools": described(text)}}))
        };
        assert_eq!(again("Something else.").status_of(ID), Status::Fail);
        assert_eq!(listed(described(GOOD)).status_of(ID), Status::NotObserved);
        let notice = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
        let said = listed(described(GOOD)).says_json(&notice);
        let said = said.plain("tools/list", json!({}), json!({"result": {"tools": described("Something else.")}}));
        assert_eq!(said.status_of(ID), Status::NotObserved);
    }
}
