//! Everything that server/discover declares can be used: the list of each declared feature gives a result.

use verdict::Intent;
use wire::mcp::code;

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "discover/served", judges: &["discover.result.capabilities-served"], judge };

const ID: &str = RULE.judges[0];

/// Capability, method, and whether its plain form cannot be wrong: requests with arguments may be refused for those.
const FEATURES: [(&str, &str, bool); 4] = [
    ("tools", "tools/list", true),
    ("prompts", "prompts/list", true),
    ("resources", "resources/list", true),
    ("completions", "completion/complete", false),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (capability, method, plain) in FEATURES.into_iter().filter(|(capability, ..)| view.declares(capability)) {
        check_feature(view, capability, method, plain, collector);
    }
    if view.capabilities().is_object() && !FEATURES.iter().any(|(capability, ..)| view.declares(capability)) {
        collector.not_applicable(ID, "the server declares no feature with a method of its own");
    }
}

fn check_feature(view: &View<'_>, capability: &str, method: &str, plain: bool, collector: &mut Collector) {
    let ordinary = |case: &Case<'_>| !plain || matches!(case.intent(), None | Some(Intent::Walk | Intent::WalkAfter));
    let cases: Vec<Case<'_>> = view.calls(method).filter(Case::is_decided).filter(ordinary).collect();
    if cases.iter().any(|case| case.result().is_some()) {
        return collector.witness(ID);
    }
    let message =
        "The server declares a capability that it does not serve, so clients offer features that do not work.";
    let placed = |case: &Case<'_>| {
        let finding = case.finding(message, format!("a result, because the server declares {capability}"));
        verdict::Finding { place: Some(method.to_owned()), ..finding }
    };
    let refused = cases
        .iter()
        .find(|case| case.error().is_some() && (plain || case.error_code() == Some(code::METHOD_NOT_FOUND)));
    if let Some(case) = refused {
        collector.fail(ID, placed(case));
    } else if let Some(case) = cases.first().filter(|case| plain && !matches!(case.status(), Some(401 | 403))) {
        collector.suspect(ID, case, placed(case));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn listed(capabilities: Value, method: &str, answer: Value) -> Script {
        Script::new(Revision::V2026_07_28, capabilities).plain(method, json!({}), answer)
    }

    fn prompts() -> Value {
        json!({"result": {"resultType": "complete", "prompts": [], "ttlMs": 0, "cacheScope": "public"}})
    }

    fn not_found() -> Value {
        json!({"error": {"code": -32601, "message": "Method not found"}})
    }

    #[test]
    fn a_declared_feature_has_its_list() {
        assert_eq!(listed(json!({"prompts": {}}), "prompts/list", prompts()).status_of(ID), Status::Pass);
        assert_eq!(listed(json!({"prompts": {}}), "prompts/list", not_found()).status_of(ID), Status::Fail);
    }

    #[test]
    fn arguments_may_be_the_reason_of_a_refusal() {
        let refused = json!({"error": {"code": -32602, "message": "no such prompt"}});
        let completions = || json!({"completions": {}});
        assert_eq!(listed(completions(), "completion/complete", refused).status_of(ID), Status::NotObserved);
        assert_eq!(listed(completions(), "completion/complete", not_found()).status_of(ID), Status::Fail);
    }

    #[test]
    fn what_is_not_declared_need_not_be_served() {
        assert_eq!(listed(json!({}), "prompts/list", not_found()).status_of(ID), Status::NotApplicable);
    }
}
