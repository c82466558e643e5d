//! Values chosen before, as the context of a completion.

use verdict::{Intent, Key};

use super::target;
use crate::rules::common::wants_something;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "completion/context",
    judges: &["completion.context.accepted", "completion.context.optional", "completion.context.unknown-tolerated"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let cases: Vec<Case<'_>> = view.probes(Intent::CompleteContext).filter(Case::is_decided).collect();
    let knows = view.revision.traits().completion_context;
    for case in cases.iter().filter(|case| !wants_something(case)) {
        // Each is the control of the others.
        let served = |other: &&Case<'_>| target(other) == target(case) && other.result().is_some();
        if !cases.iter().any(|other| served(&other)) {
            continue;
        }
        match case.about_str(Key::Kind) {
            Some("given") if knows => check_accepted(case, collector, "completion.context.accepted"),
            Some("given") => check_accepted(case, collector, "completion.context.unknown-tolerated"),
            _ => check_optional(case, collector),
        }
    }
}

fn check_accepted(case: &Case<'_>, collector: &mut Collector, id: &'static str) {
    collector.check(id, case.result().is_some(), || {
        let message =
            "A completion is refused because the request contains the values chosen before, which clients send along.";
        let mut finding = case.finding(message, "a result, as without context");
        finding.place = Some(target(case));
        finding
    });
}

fn check_optional(case: &Case<'_>, collector: &mut Collector) {
    collector.check("completion.context.optional", case.result().is_some(), || {
        let message = "A completion is refused because no values were chosen before.";
        let mut finding = case.finding(message, "a result, as with a context");
        finding.place = Some(format!("{} {}", target(case), case.about_str(Key::Kind).unwrap_or_default()));
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    const ACCEPTED: &str = "completion.context.accepted";
    const OPTIONAL: &str = "completion.context.optional";
    const TOLERATED: &str = "completion.context.unknown-tolerated";

    fn ask(script: Script, kind: &str, answer: Value) -> Script {
        let params = json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}});
        script.probe_about(Intent::CompleteContext, json!({"kind": kind}), "completion/complete", params, answer)
    }

    fn start(revision: Revision) -> Script {
        Script::new(revision, json!({"completions": {}, "prompts": {}}))
    }

    fn good() -> Value {
        json!({"result": {"completion": {"values": []}}})
    }

    fn error() -> Value {
        json!({"error": {"code": -32602, "message": "no"}})
    }

    #[test]
    fn with_and_without_are_served() {
        let both = |given, empty| ask(ask(start(Revision::V2025_11_25), "given", given), "empty", empty);
        assert_eq!(both(good(), good()).status_of(ACCEPTED), Status::Pass);
        assert_eq!(both(good(), good()).status_of(OPTIONAL), Status::Pass);
        assert_eq!(both(error(), good()).fails(), [ACCEPTED]);
        assert_eq!(both(good(), error()).fails(), [OPTIONAL]);
        assert_eq!(both(error(), error()).status_of(OPTIONAL), Status::NotObserved);
    }

    #[test]
    fn before_2025_06_18_it_is_an_unknown_member() {
        let script = ask(ask(start(Revision::V2025_03_26), "none", good()), "given", error());
        let verdict = script.verdict(TOLERATED);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
    }
}
