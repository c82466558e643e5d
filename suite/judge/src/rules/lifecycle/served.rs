//! Everything that the server declares can be used: the list of each declared feature, log levels, completions.

use verdict::{Intent, Level};
use wire::mcp::code;

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "lifecycle/served", judges: &["lifecycle.capabilities.declared-served"], judge };

const ID: &str = RULE.judges[0];

/// Capability, method, and whether its plain form cannot be wrong: requests with arguments may be refused for those.
const FEATURES: [(&str, &str, bool); 5] = [
    ("tools", "tools/list", true),
    ("prompts", "prompts/list", true),
    ("resources", "resources/list", true),
    ("logging", "logging/setLevel", false),
    ("completions", "completion/complete", false),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (capability, method, plain) in FEATURES {
        // 2024-11-05 knows no `completions`: the name says nothing there.
        let known = capability != "completions" || view.revision.traits().completions_capability;
        if known && view.declares(capability) {
            check_feature(view, capability, method, plain, collector);
        }
    }
    let templates =
        view.calls("resources/templates/list").filter(|case| case.error_code() == Some(code::METHOD_NOT_FOUND));
    if templates.count() > 0 && view.declares("resources") {
        collector.note(ID, "resources/templates/list is not served, though resources are declared");
    }
    if view
        .capabilities()
        .as_object()
        .is_some_and(|declared| FEATURES.iter().all(|(name, ..)| !declared.contains_key(*name)))
    {
        collector.not_applicable(ID, "the server declares no feature");
    }
}

fn check_feature(view: &View<'_>, capability: &str, method: &str, plain: bool, collector: &mut Collector) {
    let ordinary = |case: &Case<'_>| match case.intent() {
        None | Some(Intent::Walk | Intent::WalkOnce | Intent::FirstPage) => true,
        // Whatever mutation has made of it.
        Some(Intent::Fuzz) => false,
        Some(_) => !plain,
    };
    let cases: Vec<Case<'_>> = view.calls(method).filter(Case::is_decided).filter(ordinary).collect();
    if cases.iter().any(|case| case.result().is_some()) {
        collector.witness(ID);
        return;
    }
    let refused = cases
        .iter()
        .find(|case| case.error().is_some() && (plain || case.error_code() == Some(code::METHOD_NOT_FOUND)));
    let message = "The server declares a capability that it does not serve, so clients offer what does not work.";
    let placed = |case: &Case<'_>| {
        let finding = case.finding(message, format!("a result, as the server declares {capability}"));
        // That clients may set a level says no clause to be owed by a server that sends log messages.
        let level = (capability == "logging").then_some(Level::Should);
        verdict::Finding { place: Some(method.to_owned()), level, ..finding }
    };
    if let Some(case) = refused {
        collector.fail(ID, placed(case));
    } else if let Some(case) = cases.first().filter(|_| plain) {
        collector.suspect(ID, case, placed(case));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Level, Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn start(capabilities: Value) -> Script {
        Script::new(Revision::V2025_06_18, capabilities)
    }

    fn not_found() -> Value {
        json!({"error": {"code": -32601, "message": "Method not found"}})
    }

    #[test]
    fn an_empty_list_is_a_result() {
        let script = start(json!({"prompts": {}})).plain("prompts/list", json!({}), json!({"result": {"prompts": []}}));
        assert_eq!(script.status_of(ID), Status::Pass);
    }

    #[test]
    fn a_declared_feature_that_is_not_served_fails() {
        let script = start(json!({"prompts": {}})).plain("prompts/list", json!({}), not_found());
        assert_eq!((script.status_of(ID), script.verdict(ID).level), (Status::Fail, Level::Must));
        let old = Script::new(Revision::V2024_11_05, json!({"prompts": {}}));
        assert_eq!(old.plain("prompts/list", json!({}), not_found()).verdict(ID).level, Level::Should);
    }

    #[test]
    fn an_undeclared_feature_is_none_of_it() {
        let script = start(json!({})).plain("prompts/list", json!({}), not_found());
        assert_eq!(script.status_of(ID), Status::NotApplicable);
    }

    #[test]
    fn a_log_level_that_is_refused_is_served_and_an_unknown_method_is_not() {
        let run = |answer| start(json!({"logging": {}})).plain("logging/setLevel", json!({"level": "loud"}), answer);
        assert_eq!(run(json!({"error": {"code": -32602, "message": "no"}})).status_of(ID), Status::NotObserved);
        assert_eq!((run(not_found()).status_of(ID), run(not_found()).verdict(ID).level), (Status::Fail, Level::Should));
    }

    #[test]
    fn a_missing_list_of_templates_is_noted() {
        let script = start(json!({"resources": {}}));
        let script = script.plain("resources/list", json!({}), json!({"result": {"resources": []}}));
        let script = script.plain("resources/templates/list", json!({}), not_found());
        assert_eq!((script.status_of(ID), script.verdict(ID).notes.len()), (Status::Pass, 1));
    }
}
