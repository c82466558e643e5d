//! `requestState` is what an attacker may send too: made up, changed, or brought to another request.

use serde_json::Value;
use verdict::{Finding, Intent, Key, Level};

use crate::rules::asks::asks_again;
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "mrtr/state",
    judges: &[
        "mrtr.state-garbage-handled",
        "mrtr.state-tampered-rejected",
        "mrtr.state-bound-to-request",
        "mrtr.retry-state-only",
    ],
    judge,
};

/// Words that show up in stack traces and crash reports.
const TRACES: [&str; 5] = ["Traceback (most recent", "    at ", "panicked at", "goroutine ", "Error: Unexpected token"];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::MrtrStateGarbage).filter(Case::is_decided) {
        check_garbage(&case, collector);
    }
    // Only the author knows whether anything depends on the state.
    for (intent, id, message) in [
        (
            Intent::MrtrStateTampered,
            "mrtr.state-tampered-rejected",
            "A requestState that was changed in transit is accepted.",
        ),
        (
            Intent::MrtrStateOther,
            "mrtr.state-bound-to-request",
            "A requestState is accepted with a request other than the one it was issued for.",
        ),
    ] {
        for case in view.probes(intent).filter(Case::is_decided).filter(|case| !is_unused(view, case)) {
            collector.check(id, is_rejected(&case), || {
                let finding = case.finding(message, "an error, a result with isError, or the request for input again");
                Finding { place: case.about_str(Key::Kind).map(str::to_owned), level: Some(Level::Should), ..finding }
            });
        }
    }
    for case in view.probes(Intent::MrtrStateOnly).filter(Case::is_decided) {
        collector.check("mrtr.retry-state-only", case.result().is_some(), || {
            let message = "A request that echoes a requestState as instructed is refused.";
            case.finding(message, "a result, or another request for input")
        });
    }
}

fn is_rejected(case: &Case<'_>) -> bool {
    case.result().is_none() || case.is_tool_error() || asks_again(case)
}

/// Whether the same request came to the same without any state: then nothing depends on it, and nothing is gained by changing it.
pub(super) fn is_unused(view: &View<'_>, case: &Case<'_>) -> bool {
    let Some(result) = case.result().map(without_meta) else { return false };
    let subject = |case: &Case<'_>| ["name", "uri"].map(|member| case.param(member).cloned());
    let same = |other: &Case<'_>| {
        other.param("requestState").is_none()
            && (other.method(), subject(other)) == (case.method(), subject(case))
            && !is_rejected(other)
            && other.result().map(without_meta).as_ref() == Some(&result)
    };
    view.probes(Intent::MrtrStateGarbage).any(|other| same(&other))
}

fn without_meta(result: &Value) -> Value {
    let mut result = result.clone();
    if let Some(members) = result.as_object_mut() {
        members.shift_remove("_meta");
    }
    result
}

fn check_garbage(case: &Case<'_>, collector: &mut Collector) {
    let crashed = matches!(case.exchange.end, ExchangeEnd::Gone { alone: true });
    let silent = case.answer().is_none() && case.status().is_none();
    let traces = case.answer().is_some_and(|answer| TRACES.iter().any(|trace| answer.receive.text.contains(trace)));
    collector.check("mrtr.state-garbage-handled", !crashed && !silent && !traces, || {
        let message = if traces {
            "A made-up requestState is answered with a stack trace, which exposes the server's internals."
        } else {
            "A made-up requestState gets no answer."
        };
        let finding = case.finding(message, "an error, or any other proper answer");
        Finding { place: case.about_str(Key::Kind).map(str::to_owned), ..finding }
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    fn call(intent: Intent, answer: Value) -> Script {
        Script::new(Revision::V2026_07_28, json!({"tools": {}})).probe(
            intent,
            "tools/call",
            json!({"name": "x"}),
            answer,
        )
    }

    fn error(message: &str) -> Value {
        json!({"error": {"code": -32602, "message": message}})
    }

    fn done() -> Value {
        json!({"result": {"resultType": "complete", "content": []}})
    }

    #[test]
    fn a_changed_state_is_rejected() {
        for (intent, id) in [
            (Intent::MrtrStateTampered, "mrtr.state-tampered-rejected"),
            (Intent::MrtrStateOther, "mrtr.state-bound-to-request"),
        ] {
            assert_eq!(call(intent, error("no")).status_of(id), Status::Pass);
            let verdict = call(intent, done()).verdict(id);
            assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
        }
    }

    #[test]
    fn a_state_that_nothing_depends_on_may_be_changed() {
        let stated = json!({"name": "x", "requestState": "other"});
        for (intent, id) in [
            (Intent::MrtrStateTampered, "mrtr.state-tampered-rejected"),
            (Intent::MrtrStateOther, "mrtr.state-bound-to-request"),
        ] {
            let without =
                |answer| call(Intent::MrtrStateGarbage, answer).probe(intent, "tools/call", stated.clone(), done());
            assert_eq!(without(done()).status_of(id), Status::NotObserved);
            assert_eq!(without(error("no")).status_of(id), Status::Fail);
            let other = json!({"result": {"resultType": "complete", "content": [{"type": "text", "text": "other"}]}});
            assert_eq!(without(other).status_of(id), Status::Fail);
        }
    }

    #[test]
    fn a_made_up_one_is_handled() {
        const ID: &str = "mrtr.state-garbage-handled";
        assert_eq!(call(Intent::MrtrStateGarbage, error("no")).status_of(ID), Status::Pass);
        assert_eq!(call(Intent::MrtrStateGarbage, done()).status_of(ID), Status::Pass);
        assert_eq!(call(Intent::MrtrStateGarbage, error("Traceback (most recent call last):")).fails_in("mrtr"), [ID]);
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
        let silent = script.unanswered(Intent::MrtrStateGarbage, "tools/call", json!({"name": "x"})).gave_up();
        assert_eq!(silent.fails_in("mrtr"), [ID]);
    }

    #[test]
    fn a_state_alone_is_taken_back() {
        assert_eq!(call(Intent::MrtrStateOnly, done()).status_of("mrtr.retry-state-only"), Status::Pass);
        assert_eq!(call(Intent::MrtrStateOnly, error("no")).fails_in("mrtr"), ["mrtr.retry-state-only"]);
    }
}
