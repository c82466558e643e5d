//! Whether `completions` is declared by those who complete, and by no others.

use verdict::{Intent, Key, Level};
use wire::mcp::code;

use super::values;
use crate::rules::common::wants_something;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "completion/capability", judges: &["completion.capability-declared", "completion.undeclared"], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    if !view.revision.traits().completions_capability {
        return;
    }
    if view.declares("completions") {
        collector.not_applicable(RULE.judges[1], "the server declares completions");
        let served = view.calls("completion/complete").filter(|case| case.result().is_some()).count();
        collector.witness_times(RULE.judges[0], u32::from(served > 0));
    }
    for case in view.probes(Intent::CompleteUndeclared).filter(Case::is_decided) {
        check_declared(&case, collector);
        check_undeclared(&case, collector);
    }
}

fn check_declared(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = RULE.judges[0];
    match values(case) {
        Some(values) if values.is_empty() => {
            collector.witness(ID);
            collector.note(ID, "completion/complete returns no values, although completions is not declared");
        }
        Some(_) => {
            let message =
                "The server completes arguments but does not declare completions, so clients will not request them.";
            collector
                .fail(ID, case.finding(message, "capabilities.completions in the response that opens the session"));
        }
        None if case.error().is_some() => collector.witness(ID),
        None => {}
    }
}

fn check_undeclared(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = RULE.judges[1];
    if wants_something(case) || (case.reply().is_none() && case.status().is_some()) {
        return collector.not_observed(ID, "the request is answered with a bare HTTP status");
    }
    let other = case.error().is_some() && case.error_code() != Some(code::METHOD_NOT_FOUND);
    // What is refused may be the reference.
    if other && case.about_str(Key::Kind) != Some("offered") {
        return collector.not_observed(ID, "the server offers nothing to complete");
    }
    collector.check(ID, case.error_code() == Some(code::METHOD_NOT_FOUND), || {
        let message = if other {
            "completion/complete is refused with a code other than -32601, though the server does not declare completions."
        } else {
            "completion/complete is not refused, though the server does not declare completions."
        };
        let mut finding = case.finding(message, "error -32601 (method not found)");
        // A default handler that has nothing to give misleads nobody.
        finding.level = values(case).is_some_and(Vec::is_empty).then_some(Level::Advice);
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    const DECLARED: &str = "completion.capability-declared";
    const UNDECLARED: &str = "completion.undeclared";

    fn complete(revision: Revision, kind: &str, answer: Value) -> Script {
        let params = json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}});
        let script = Script::new(revision, json!({"prompts": {}}));
        script.probe_about(Intent::CompleteUndeclared, json!({"kind": kind}), "completion/complete", params, answer)
    }

    fn values(values: &[&str]) -> Value {
        json!({"result": {"resultType": "complete", "completion": {"values": values}}})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    #[test]
    fn who_completes_declares() {
        for revision in [Revision::V2025_03_26, Revision::V2026_07_28] {
            let script = complete(revision, "offered", values(&["x"]));
            assert_eq!(script.fails_in("completion"), [DECLARED, UNDECLARED]);
            assert_eq!(complete(revision, "offered", error(-32601)).fails_in("completion"), [""; 0]);
        }
    }

    #[test]
    fn no_values_are_weak_evidence() {
        let script = complete(Revision::V2025_11_25, "offered", values(&[]));
        assert_eq!((script.status_of(DECLARED), script.verdict(DECLARED).notes.len()), (Status::Pass, 1));
        assert_eq!((script.fails(), script.verdict(UNDECLARED).level), (vec![UNDECLARED], Level::Advice));
    }

    #[test]
    fn another_code_counts_only_for_what_is_offered() {
        assert_eq!(complete(Revision::V2025_11_25, "offered", error(-32602)).fails(), [UNDECLARED]);
        assert_eq!(complete(Revision::V2025_11_25, "random", error(-32602)).status_of(UNDECLARED), Status::NotObserved);
    }

    #[test]
    fn in_2024_there_is_nothing_to_declare() {
        assert_eq!(complete(Revision::V2024_11_05, "offered", values(&["x"])).fails(), [""; 0]);
    }

    #[test]
    fn who_declares_is_not_asked() {
        let script = Script::new(Revision::V2025_11_25, json!({"completions": {}}));
        assert_eq!(script.status_of(UNDECLARED), Status::NotApplicable);
    }
}
