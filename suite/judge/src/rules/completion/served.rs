//! Completing what is offered.

use serde_json::Value;
use verdict::probes::values;
use verdict::{Finding, Intent, Key, Level};
use wire::mcp::code;

use super::{target, values};
use crate::rules::common::{stumbles, wants_something};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "completion/served",
    judges: &[
        "completion.served",
        "completion.ref.prompt",
        "completion.ref.resource",
        "completion.argument.empty-value",
        "completion.result.consistent",
        "completion.inputs-validated",
    ],
    judge,
};

const SERVED: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let prompts: Vec<Case<'_>> = view.probes(Intent::CompletePrompt).filter(Case::is_decided).collect();
    let templates: Vec<Case<'_>> = view.probes(Intent::CompleteTemplate).filter(Case::is_decided).collect();
    let all: Vec<Case<'_>> = prompts.iter().chain(&templates).copied().collect();
    check_served(view, &all, collector);
    check_kind(&prompts, &templates, collector, "completion.ref.prompt", "prompts");
    check_kind(&templates, &prompts, collector, "completion.ref.resource", "templates");
    for case in all.iter().filter(|case| case.value() == Some(values::Value::Empty)) {
        check_empty(case, &all, collector);
    }
    for case in view.calls("completion/complete").filter(Case::is_decided) {
        check_consistent(&case, collector);
    }
    for case in view.probes(Intent::CompleteHostile).filter(Case::is_decided) {
        check_hostile(&case, collector);
    }
    // These can only fail: what validates is seen of the hostile ones.
    for case in view.probes(Intent::GeneratedCompletion).filter(Case::is_decided) {
        if stumbles(&case, |other| target(other) == target(&case)) {
            collector.fail(RULE.judges[5], stumbled_finding(&case));
        }
    }
}

/// 2024-11-05 has no capability: whoever answers one request supports it.
fn supports(view: &View<'_>, all: &[Case<'_>]) -> bool {
    if view.revision.traits().completions_capability {
        view.declares("completions")
    } else {
        all.iter().any(|case| case.result().is_some())
    }
}

fn check_served(view: &View<'_>, all: &[Case<'_>], collector: &mut Collector) {
    if !supports(view, all) {
        if !view.revision.traits().completions_capability && !all.is_empty() {
            collector.not_applicable(
                SERVED,
                "the server does not support completion, and in this revision no capability says so",
            );
        }
        return;
    }
    if all.iter().any(|case| case.result().is_some()) {
        return collector.witness(SERVED);
    }
    let Some(case) = all.iter().find(|case| !wants_something(case)) else {
        return collector.not_observed(SERVED, "the server offers no prompt with arguments and no template");
    };
    let message =
        "The server declares completions, but completes none of its own prompt arguments and template variables.";
    let finding = case.finding(message, "a result for at least one of them");
    if case.error().is_some() { collector.fail(SERVED, finding) } else { collector.suspect(SERVED, case, finding) }
}

/// Some servers complete one kind only, and no sentence forbids that. One that refuses some of its own prompts while it serves
/// others does something else.
fn check_kind(own: &[Case<'_>], others: &[Case<'_>], collector: &mut Collector, id: &'static str, things: &str) {
    let plain = |case: &&Case<'_>| !wants_something(case) && case.error_code() != Some(code::METHOD_NOT_FOUND);
    let any = own.iter().chain(others).any(|case| case.result().is_some());
    for case in own.iter().filter(|_| any).filter(plain) {
        if case.result().is_some() {
            collector.witness(id);
        } else if case.error().is_some() {
            let mixed = own.iter().any(|case| case.result().is_some());
            let message = if mixed {
                format!("Completion is refused for some of the server's {things} but not for others.")
            } else {
                format!("Completion is refused for all of the server's {things}, as if they did not exist.")
            };
            let mut finding = case.finding(message, "a result, possibly without values");
            finding.level = Some(Level::Advice);
            finding.place = Some(target(case));
            collector.fail(id, finding);
        }
    }
    if own.is_empty() {
        collector.not_observed(id, format!("the server offers no {things} with anything to complete"));
    }
}

fn check_empty(case: &Case<'_>, all: &[Case<'_>], collector: &mut Collector) {
    const ID: &str = "completion.argument.empty-value";
    if case.result().is_some() {
        return collector.witness(ID);
    }
    let typed = |other: &&Case<'_>| other.value() == Some(values::Value::Typed) && target(other) == target(case);
    let control = all.iter().filter(typed).any(|other| other.result().is_some());
    if control && !wants_something(case) && case.reply().is_some() {
        let message = "An empty value is refused, so clients cannot show suggestions before the user types.";
        let mut finding = case.finding(message, "a result, as for other values");
        finding.place = Some(target(case));
        collector.fail(ID, finding);
    }
}

fn check_consistent(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "completion.result.consistent";
    let Some(completion) = case.result().and_then(|result| result.get("completion")) else { return };
    let (Some(values), Some(total)) = (values(case), completion.get("total").and_then(Value::as_i64)) else { return };
    let count = i64::try_from(values.len()).unwrap_or(i64::MAX);
    let more = completion.get("hasMore").and_then(Value::as_bool);
    let good = total >= count && more.is_none_or(|more| more == (total > count));
    collector.check(ID, good, || {
        let message = "total, hasMore and the number of values contradict each other, so clients cannot tell whether to ask for more.";
        let mut finding = case.finding(message, "total at least the number of values; hasMore true exactly if total is greater");
        finding.place = Some(target(case));
        finding.actual = if total < count { "a total below the number of values" } else { "hasMore and total disagree" }.into();
        finding
    });
}

fn check_hostile(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "completion.inputs-validated";
    let answered = case.reply().is_some() || case.status().is_some();
    let leaks = values(case).into_iter().flatten().filter_map(Value::as_str).any(|value| {
        case.about_str(Key::Kind) == Some("traversal")
            && (value.contains("passwd") && !value.contains("..") || value.starts_with("root:"))
    });
    collector.check(ID, answered && !leaks, || {
        let message = if answered {
            "A value with .. makes completion list files on the server's machine."
        } else {
            "A long or unusual value is not answered, so anyone can silence the server."
        };
        let mut finding = case.finding(message, "a result or an error");
        finding.place = case.about_str(Key::Kind).map(str::to_owned);
        finding
    });
}

/// No string is invalid here: whatever is typed, there is a list of what it could become, if need be an empty one.
fn stumbled_finding(case: &Case<'_>) -> Finding {
    let message = "A string to complete causes an internal error, though other strings are completed.";
    let finding = case.finding(message, "a result, possibly without values");
    Finding { level: Some(Level::Advice), place: Some(target(case)), ..finding }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use super::SERVED;
    use crate::testing::{Script, declared};

    const PROMPT: &str = "completion.ref.prompt";
    const RESOURCE: &str = "completion.ref.resource";
    const EMPTY: &str = "completion.argument.empty-value";
    const CONSISTENT: &str = "completion.result.consistent";
    const VALIDATED: &str = "completion.inputs-validated";

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"completions": {}, "prompts": {}, "resources": {}}))
    }

    fn params(name: &str) -> Value {
        json!({"ref": {"type": "ref/prompt", "name": name}, "argument": {"name": "a", "value": ""}})
    }

    fn ask(script: Script, intent: Intent, value: &str, answer: Value) -> Script {
        named(script, intent, "p", value, answer)
    }

    fn named(script: Script, intent: Intent, name: &str, value: &str, answer: Value) -> Script {
        let about = declared(intent, json!({"value": value, "kind": value}));
        script.probe_about(intent, about, "completion/complete", params(name), answer)
    }

    fn good() -> Value {
        json!({"result": {"completion": {"values": ["x", "y"], "total": 2, "hasMore": false}}})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    #[test]
    fn one_result_is_enough() {
        let script = ask(start(), Intent::CompletePrompt, "empty", error(-32602));
        assert_eq!(script.fails(), [SERVED]);
        let script = ask(script, Intent::CompleteTemplate, "empty", good());
        assert_eq!(script.status_of(SERVED), Status::Pass);
        assert_eq!(start().status_of(SERVED), Status::NotObserved);
    }

    #[test]
    fn a_server_that_completes_one_kind_only_is_given_advice() {
        let script = ask(
            ask(start(), Intent::CompletePrompt, "empty", error(-32602)),
            Intent::CompleteTemplate,
            "empty",
            good(),
        );
        let verdict = script.verdict(PROMPT);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        assert_eq!(script.status_of(RESOURCE), Status::Pass);
        let other = ask(
            ask(start(), Intent::CompleteTemplate, "empty", error(-32602)),
            Intent::CompletePrompt,
            "empty",
            good(),
        );
        assert_eq!((other.status_of(RESOURCE), other.status_of(PROMPT)), (Status::Fail, Status::Pass));
    }

    #[test]
    fn in_2024_a_refusal_says_that_nothing_is_completed() {
        let start = || Script::new(Revision::V2024_11_05, json!({"prompts": {}}));
        assert_eq!(
            ask(start(), Intent::CompletePrompt, "empty", error(-32601)).status_of(SERVED),
            Status::NotApplicable
        );
        assert_eq!(ask(start(), Intent::CompletePrompt, "empty", good()).status_of(SERVED), Status::Pass);
    }

    #[test]
    fn an_empty_value_is_refused_only_if_others_are_not() {
        let both = |empty, typed| {
            ask(ask(start(), Intent::CompletePrompt, "empty", empty), Intent::CompletePrompt, "typed", typed)
        };
        assert_eq!(both(good(), good()).status_of(EMPTY), Status::Pass);
        assert!(both(error(-32602), good()).fails().contains(&EMPTY));
        assert_eq!(both(error(-32602), error(-32602)).status_of(EMPTY), Status::NotObserved);
        let elsewhere = named(both(error(-32602), error(-32602)), Intent::CompletePrompt, "q", "typed", good());
        assert_eq!(elsewhere.status_of(EMPTY), Status::NotObserved);
    }

    #[test]
    fn numbers_agree() {
        let result = |completion: Value| {
            ask(start(), Intent::CompletePrompt, "empty", json!({"result": {"completion": completion}}))
        };
        assert_eq!(result(json!({"values": ["x"], "total": 3, "hasMore": true})).status_of(CONSISTENT), Status::Pass);
        assert_eq!(result(json!({"values": ["x"], "total": 3})).status_of(CONSISTENT), Status::Pass);
        assert_eq!(result(json!({"values": ["x"]})).status_of(CONSISTENT), Status::NotObserved);
        for bad in [
            json!({"values": ["x", "y"], "total": 1}),
            json!({"values": ["x"], "total": 3, "hasMore": false}),
            json!({"values": ["x"], "total": 1, "hasMore": true}),
        ] {
            assert_eq!(result(bad).status_of(CONSISTENT), Status::Fail);
        }
    }

    #[test]
    fn any_answer_to_a_strange_value_will_do_but_no_foreign_files() {
        for answer in [good(), error(-32602), error(-32603)] {
            assert_eq!(ask(start(), Intent::CompleteHostile, "long", answer).status_of(VALIDATED), Status::Pass);
        }
        let files = json!({"result": {"completion": {"values": ["/etc/passwd"]}}});
        assert_eq!(ask(start(), Intent::CompleteHostile, "traversal", files).fails(), [VALIDATED]);
        let echo = json!({"result": {"completion": {"values": ["../../../etc/passwd"]}}});
        assert_eq!(ask(start(), Intent::CompleteHostile, "traversal", echo).status_of(VALIDATED), Status::Pass);
        let script = start().unanswered(Intent::CompleteHostile, "completion/complete", params("p")).settled();
        assert_eq!(script.fails_in("completion"), [VALIDATED]);
    }

    #[test]
    fn an_internal_error_for_one_string_is_advice_where_others_are_completed_and_it_comes_again() {
        let again = |script: Script, name: &str, mark: &str, answer| {
            let about = declared(Intent::GeneratedCompletion, json!({"subject": "p a", "case": 1, (mark): 1}));
            script.probe_about(Intent::GeneratedCompletion, about, "completion/complete", params(name), answer)
        };
        let other = || again(start(), "p", "first", good());
        let verdict = again(other(), "p", "again", error(-32603)).verdict(VALIDATED);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        assert_eq!(again(other(), "p", "first", error(-32603)).status_of(VALIDATED), Status::NotObserved);
        assert_eq!(again(other(), "q", "again", error(-32603)).status_of(VALIDATED), Status::NotObserved);
        assert_eq!(again(other(), "p", "again", error(-32602)).status_of(VALIDATED), Status::NotObserved);
    }
}
