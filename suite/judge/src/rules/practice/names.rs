//! Names of tools.

use std::collections::BTreeSet;

use super::words::{is_verb, verb, words};
use super::{finding, fold, some, tools};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/names",
    judges: &[
        "practice.tool-name.snake-case",
        "practice.tool-name.service-prefix",
        "practice.tool-name.verb",
        "practice.tool-name.service-action-resource",
        "practice.tool-name.specific",
        "practice.tool-name.consistent",
    ],
    judge,
};

/// Words that tools of many servers are called.
const COMMON: [&str; 16] = [
    "search", "query", "run", "execute", "get", "list", "read", "write", "fetch", "help", "test", "create", "delete",
    "update", "call", "ask",
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let listed = tools(view);
    let tools: Vec<_> = listed.iter().collect();
    if tools.is_empty() {
        return;
    }
    fold(
        collector,
        RULE.judges[0],
        &tools,
        |tool| style(tool.name) != "snake_case",
        "have a name that is not in snake_case",
        "snake_case",
    );
    check_prefix(collector, &tools.iter().map(|tool| tool.name).collect::<Vec<_>>());
    collector.check(RULE.judges[2], tools.iter().any(|tool| verb(tool.name).is_some()), || {
        let message = "No tool name says what the tool does: none begins with a verb after its prefix.".to_owned();
        finding(message, "a verb, as in service_list_things", some(tools.iter().map(|tool| tool.name)))
    });
    let shaped = |name: &str| matches!(words(name).as_slice(), [_, verb, _, ..] if is_verb(verb));
    fold(
        collector,
        RULE.judges[3],
        &tools,
        |tool| !shaped(tool.name),
        "have a name that does not follow service_action_resource",
        "service_action_resource",
    );
    let common = |name: &str| COMMON.contains(&name.to_lowercase().as_str());
    fold(
        collector,
        RULE.judges[4],
        &tools,
        |tool| common(tool.name),
        "have a common word as their name, which collides with tools of other servers",
        "a name that includes the service",
    );
    check_consistent(collector, &tools.iter().map(|tool| tool.name).collect::<Vec<_>>());
}

fn check_prefix(collector: &mut Collector, names: &[&str]) {
    if names.len() < 2 {
        return;
    }
    let first: BTreeSet<String> = names.iter().filter_map(|name| words(name).into_iter().next()).collect();
    let shared = first.len() == 1 && !first.iter().any(|word| is_verb(word));
    collector.check(RULE.judges[1], shared, || {
        let message = "Tool names do not begin with the service, so they collide with those of other servers.";
        finding(message.to_owned(), "the same prefix for all", some(first.iter().map(String::as_str)))
    });
}

fn check_consistent(collector: &mut Collector, names: &[&str]) {
    // One word is of every style.
    let styles: BTreeSet<&str> = names.iter().filter(|name| words(name).len() > 1).map(|name| style(name)).collect();
    if styles.is_empty() {
        return;
    }
    collector.check(RULE.judges[5], styles.len() == 1, || {
        let message = "Tool names use several styles.".to_owned();
        finding(message, "one style", some(styles.iter().copied()))
    });
}

fn style(name: &str) -> &'static str {
    let lower = !name.contains(char::is_uppercase);
    match () {
        () if name.contains(['.', '/']) => "dotted",
        () if name.contains('-') => "kebab-case",
        () if lower => "snake_case",
        () if name.contains('_') => "Mixed_Case",
        () if name.starts_with(char::is_uppercase) => "PascalCase",
        () => "camelCase",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tests::advised;

    fn named(names: &[&str]) -> Value {
        names.iter().map(|name| json!({"name": name})).collect()
    }

    #[test]
    fn a_well_named_server_is_not_advised() {
        let good = || named(&["github_list_issues", "github_create_issue"]);
        for id in super::RULE.judges {
            assert!(!advised(id, good()), "{id}");
        }
    }

    #[test]
    fn each_advice_has_its_names() {
        let cases: [(&str, &[&str]); 6] = [
            ("practice.tool-name.snake-case", &["listIssues"]),
            ("practice.tool-name.service-prefix", &["list_issues", "create_issue"]),
            ("practice.tool-name.verb", &["issues", "weather_now"]),
            ("practice.tool-name.service-action-resource", &["list_issues"]),
            ("practice.tool-name.specific", &["search"]),
            ("practice.tool-name.consistent", &["list_issues", "create-issue"]),
        ];
        for (id, names) in cases {
            assert!(advised(id, named(names)), "{id}");
        }
    }

    #[test]
    fn one_tool_needs_no_prefix_and_one_word_has_no_style() {
        assert!(!advised("practice.tool-name.service-prefix", named(&["list_issues"])));
        assert!(!advised("practice.tool-name.consistent", named(&["echo", "listIssues", "createIssue"])));
    }
}
