//! The list of prompts: declared, answered, the same for all, without doubles, and its changes.

use std::collections::HashSet;

use serde_json::Value;

use crate::rules::lists::{self, CapabilityIds, PROMPTS};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "prompts/list",
    judges: &[
        "prompts.capability.declared",
        "prompts.capability.undeclared-method-not-found",
        "prompts.capability.list-answered",
        "prompts.list.accepts-missing-params",
        "prompts.list.not-per-connection",
        "prompts.list.not-side-effect",
        "prompts.definition.name-unique",
        "prompts.definition.argument-names-unique",
        "prompts.list-changed.sent",
        "prompts.list-changed.only-if-declared",
    ],
    judge,
};

const IDS: CapabilityIds = CapabilityIds {
    declared: "prompts.capability.declared",
    undeclared: "prompts.capability.undeclared-method-not-found",
    answered: "prompts.capability.list-answered",
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    lists::capability(view, collector, &PROMPTS, IDS);
    lists::bare(view, collector, &PROMPTS, "prompts.list.accepts-missing-params");
    lists::same(view, collector, &PROMPTS, "prompts.list.not-per-connection", "prompts.list.not-side-effect");
    lists::changed(view, collector, &PROMPTS, "prompts.list-changed.sent", "prompts.list-changed.only-if-declared");
    lists::unique(view, collector, &PROMPTS, "prompts.definition.name-unique");
    check_arguments(view, collector);
}

fn check_arguments(view: &View<'_>, collector: &mut Collector) {
    const ID: &str = "prompts.definition.argument-names-unique";
    for prompt in lists::all(view, &PROMPTS) {
        let Some(arguments) = prompt.definition.get("arguments").and_then(Value::as_array) else { continue };
        let names = arguments.iter().filter_map(|argument| argument.get("name")?.as_str());
        let mut seen = HashSet::new();
        match names.into_iter().find(|name| !seen.insert(*name)) {
            None if seen.is_empty() => {}
            None => collector.witness(ID),
            Some(_) => {
                let message = "Two arguments of a prompt have the same name, so one of them can never be given.";
                collector.fail(ID, prompt.finding("/arguments", message, "each name once", "a name twice"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    const V: Revision = Revision::V2025_11_25;

    fn page(names: &[&str]) -> Value {
        let prompts: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
        json!({"result": {"resultType": "complete", "prompts": prompts, "ttlMs": 0, "cacheScope": "public"}})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    fn list(script: Script, names: &[&str]) -> Script {
        script.plain("prompts/list", json!({}), page(names))
    }

    fn start() -> Script {
        Script::new(V, json!({"prompts": {}}))
    }

    #[test]
    fn who_lists_declares_and_the_other_way_round() {
        const CODE: &str = "prompts.capability.undeclared-method-not-found";
        let undeclared =
            |answer| Script::new(V, json!({})).probe(Intent::PromptsUndeclared, "prompts/list", json!({}), answer);
        assert_eq!(undeclared(page(&["a"])).fails(), ["prompts.capability.declared", CODE]);
        assert_eq!(undeclared(page(&[])).status_of("prompts.capability.declared"), Status::Pass);
        assert_eq!(undeclared(error(-32601)).fails(), [""; 0]);
        assert_eq!(undeclared(error(-32602)).fails(), [CODE]);
        const ANSWERED: &str = "prompts.capability.list-answered";
        assert!(start().plain("prompts/list", json!({}), error(-32603)).fails().contains(&ANSWERED));
        assert_eq!(list(start(), &[]).status_of(ANSWERED), Status::Pass);
    }

    #[test]
    fn params_may_be_left_out() {
        const ID: &str = "prompts.list.accepts-missing-params";
        let bare = |answer| list(start(), &["a"]).probe(Intent::PromptsListBare, "prompts/list", json!({}), answer);
        assert_eq!(bare(page(&["a"])).status_of(ID), Status::Pass);
        assert_eq!(bare(error(-32602)).fails(), [ID]);
    }

    #[test]
    fn names_are_unique() {
        assert_eq!(list(start(), &["a", "a"]).fails(), ["prompts.definition.name-unique"]);
        assert_eq!(list(start(), &["a", "b"]).status_of("prompts.definition.name-unique"), Status::Pass);
    }

    #[test]
    fn names_of_arguments_are_unique_within_a_prompt() {
        const ID: &str = "prompts.definition.argument-names-unique";
        let with = |arguments: Value| {
            let prompts = json!([{"name": "p", "arguments": arguments}, {"name": "q", "arguments": [{"name": "a"}]}]);
            start().plain("prompts/list", json!({}), json!({"result": {"prompts": prompts}}))
        };
        assert_eq!(with(json!([{"name": "a"}, {"name": "b"}])).status_of(ID), Status::Pass);
        let verdict = with(json!([{"name": "a"}, {"name": "a"}])).verdict(ID);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
    }

    #[test]
    fn a_change_is_announced_by_those_who_say_so() {
        let notice = json!({"jsonrpc": "2.0", "method": "notifications/prompts/list_changed"});
        let ping = |script: Script| script.pauses(1_100).plain("ping", json!({}), json!({"result": {}}));
        let declared = || list(Script::new(V, json!({"prompts": {"listChanged": true}})), &["a"]);
        assert_eq!(ping(list(declared(), &["b"])).fails(), ["prompts.list-changed.sent"]);
        let said = ping(list(declared().says_json(&notice), &["b"]));
        assert_eq!(said.status_of("prompts.list-changed.sent"), Status::Pass);
        const ONLY: &str = "prompts.list-changed.only-if-declared";
        assert!(list(start(), &[]).says_json(&notice).fails().contains(&ONLY));
        assert_eq!(list(start(), &[]).status_of(ONLY), Status::Pass);
    }

    #[test]
    fn one_set_for_every_connection() {
        let stateless = || Script::new(Revision::V2026_07_28, json!({"prompts": {}}));
        let fresh = |script: Script| script.session(false, json!({"prompts": {}}));
        let script = list(fresh(list(stateless(), &["one"])), &["two"]);
        let script = list(list(script.resume(0), &["one"]).resume(1), &["two"]);
        assert_eq!(script.status_of("prompts.list.not-per-connection"), Status::Fail);
        let busy = list(list(stateless(), &["a"]).plain("tools/call", json!({"name": "t"}), error(-32602)), &["b"]);
        assert_eq!(list(fresh(busy), &["a"]).status_of("prompts.list.not-side-effect"), Status::Fail);
        let same = list(fresh(list(stateless(), &["a"])), &["a"]);
        assert_eq!(same.status_of("prompts.list.not-per-connection"), Status::Pass);
    }
}
