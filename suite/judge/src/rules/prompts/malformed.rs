//! Requests for prompts that are malformed, and values that a careless server does not look at.

use super::requested_prompt;
use crate::rules::common::{check_invalid_params_refused, stumbles, wants_something};
use crate::rules::tools::is_generated;
use crate::{Case, Collector, Rule, View};
use verdict::{Finding, Intent, Key, Level};

pub(super) const RULE: Rule = Rule {
    name: "prompts/malformed",
    judges: &[
        "prompts.get.missing-name",
        "prompts.get.name-not-string",
        "prompts.get.argument-not-string",
        "prompts.get.arguments-not-object",
        "prompts.get.validates-arguments",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::PromptMissingName).filter(Case::is_decided) {
        check_invalid_params_refused(&case, collector, "prompts.get.missing-name", "A prompt request without a name");
    }
    for case in view.probes(Intent::PromptNameNotString).filter(Case::is_decided) {
        check_invalid_params_refused(
            &case,
            collector,
            "prompts.get.name-not-string",
            "A prompt request whose name is not a string",
        );
    }
    for case in view.probes(Intent::PromptArgumentNotString).filter(Case::is_decided) {
        check_argument(&case, collector);
    }
    for case in view.probes(Intent::PromptArgumentsNotObject).filter(Case::is_decided) {
        check_arguments(&case, collector);
    }
    check_validated(view, collector);
}

fn check_argument(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "prompts.get.argument-not-string";
    // Widely read as text, and as absent.
    if case.result().is_some() && matches!(case.about_str(Key::Kind), Some("number" | "null")) {
        collector.witness(ID);
        return collector.note(ID, "an argument that is a number or null is accepted");
    }
    check_invalid_params_refused(case, collector, ID, "A prompt argument that is not a string");
}

fn check_arguments(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "prompts.get.arguments-not-object";
    // Read as absent, and in some languages an empty array is an empty object: then what is required is missing, of which another
    // requirement speaks.
    if case.reply().is_some() && matches!(case.about_str(Key::Kind), Some("array" | "null")) {
        return collector.witness(ID);
    }
    check_invalid_params_refused(case, collector, ID, "A prompt request whose arguments are not an object");
}

/// Validated by whoever refuses anything wrong; not validated by whoever takes everything, or falls over a value.
fn check_validated(view: &View<'_>, collector: &mut Collector) {
    const ID: &str = "prompts.get.validates-arguments";
    const WRONG: [Intent; 3] =
        [Intent::PromptMissingArgument, Intent::PromptArgumentNotString, Intent::PromptArgumentsNotObject];
    for case in view.probes(Intent::PromptHostileArgument).filter(Case::is_decided) {
        let answered = case.reply().is_some() || case.status().is_some();
        collector.check(ID, answered, || {
            let message =
                "A long or unusual value for a prompt argument is not answered, so anyone can silence the server.";
            let mut finding = case.finding(message, "a result or an error");
            finding.place = case.about_str(Key::Kind).map(str::to_owned);
            finding
        });
    }
    // That a string is served, or refused, shows no validation: these can only fail.
    for case in view.probes(Intent::GeneratedPrompt).filter(Case::is_decided) {
        if stumbles(&case, |other| requested_prompt(other) == requested_prompt(&case)) {
            collector.fail(ID, stumbled_finding(&case));
        }
    }
    // Many generated ones are of one kind alone.
    let scripted = |case: &Case<'_>| case.is_decided() && !is_generated(case);
    let wrong: Vec<Case<'_>> = WRONG.iter().flat_map(|intent| view.probes(*intent)).filter(scripted).collect();
    let taken: Vec<&Case<'_>> = wrong.iter().filter(|case| case.result().is_some() && !wants_something(case)).collect();
    if wrong.iter().any(|case| case.error().is_some()) {
        collector.witness(ID);
    } else if let Some(case) = taken.first().filter(|_| taken.len() > 2 && taken.len() == wrong.len()) {
        let message = "Prompt arguments are not validated: missing ones, wrong types and non-objects are all accepted.";
        collector.fail(ID, case.finding(message, "error -32602 (invalid params)"));
    }
}

/// Either the server fails with a string that it should bear, or it refuses one without saying that it does.
fn stumbled_finding(case: &Case<'_>) -> Finding {
    let message = "A string for a prompt argument causes an internal error, though other strings are served.";
    let expected = "the prompt, or error -32602 (invalid params) if the value is not allowed";
    let place = requested_prompt(case).map(str::to_owned);
    Finding { level: Some(Level::Advice), place, ..case.finding(message, expected) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status, Transport};

    use crate::testing::{Script, declared};

    const ARGUMENT: &str = "prompts.get.argument-not-string";
    const ARGUMENTS: &str = "prompts.get.arguments-not-object";
    const VALIDATES: &str = "prompts.get.validates-arguments";
    const ALL: [(Intent, &str); 4] = [
        (Intent::PromptMissingName, "prompts.get.missing-name"),
        (Intent::PromptNameNotString, "prompts.get.name-not-string"),
        (Intent::PromptArgumentNotString, ARGUMENT),
        (Intent::PromptArgumentsNotObject, ARGUMENTS),
    ];

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"prompts": {}}))
    }

    fn probe(script: Script, intent: Intent, kind: &str, answer: Value) -> Script {
        script.probe_about(intent, json!({"kind": kind}), "prompts/get", json!({"name": "p"}), answer)
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    fn good() -> Value {
        json!({"result": {"messages": []}})
    }

    #[test]
    fn wrong_params_are_refused() {
        for (intent, id) in ALL {
            let run = |answer| probe(start(), intent, "object", answer);
            assert_eq!(run(error(-32602)).status_of(id), Status::Pass);
            assert_eq!(run(error(-32603)).fails(), [id]);
            assert_eq!(run(good()).fails(), [id]);
        }
    }

    #[test]
    fn the_headers_of_2026_may_be_blamed_first() {
        for (intent, id) in &ALL[..2] {
            let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"prompts": {}}));
            assert_eq!(probe(script, *intent, "number", error(-32020)).status_of(id), Status::Pass);
        }
    }

    #[test]
    fn what_is_widely_coerced_is_no_finding() {
        for kind in ["number", "null"] {
            let verdict = probe(start(), Intent::PromptArgumentNotString, kind, good()).verdict(ARGUMENT);
            assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
        }
        for (kind, answer) in [("array", good()), ("null", good()), ("null", error(-32603))] {
            assert_eq!(
                probe(start(), Intent::PromptArgumentsNotObject, kind, answer).status_of(ARGUMENTS),
                Status::Pass
            );
        }
    }

    #[test]
    fn who_takes_everything_does_not_validate() {
        let script = probe(start(), Intent::PromptMissingArgument, "", good());
        let script = probe(script, Intent::PromptArgumentNotString, "object", good());
        assert_eq!(script.status_of(VALIDATES), Status::NotObserved);
        let all = probe(script, Intent::PromptArgumentsNotObject, "string", good());
        assert_eq!(all.status_of(VALIDATES), Status::Fail);
        assert_eq!(
            probe(all, Intent::PromptArgumentNotString, "array", error(-32602)).status_of(VALIDATES),
            Status::Pass
        );
    }

    #[test]
    fn any_answer_to_a_strange_value_will_do() {
        for answer in [good(), error(-32602), error(-32603)] {
            assert_eq!(
                probe(start(), Intent::PromptHostileArgument, "long", answer).status_of(VALIDATES),
                Status::Pass
            );
        }
        let script = start().unanswered(Intent::PromptHostileArgument, "prompts/get", json!({"name": "p"})).settled();
        assert_eq!(script.fails(), [VALIDATES]);
    }

    fn generated(script: Script, mark: &str, answer: Value) -> Script {
        let about = declared(Intent::GeneratedPrompt, json!({"subject": "p", "case": 1, (mark): 1}));
        script.probe_about(
            Intent::GeneratedPrompt,
            about,
            "prompts/get",
            json!({"name": "p", "arguments": {"a": ""}}),
            answer,
        )
    }

    #[test]
    fn an_internal_error_for_one_string_is_advice_where_others_are_served_and_it_comes_again() {
        let other = || generated(start(), "first", good());
        let again = generated(generated(other(), "first", error(-32603)), "again", error(-32603));
        let verdict = again.verdict(VALIDATES);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        assert_eq!(verdict.findings[0].place.as_deref(), Some("p"));
        assert_eq!(generated(other(), "first", error(-32603)).status_of(VALIDATES), Status::NotObserved);
        assert_eq!(generated(start(), "again", error(-32603)).status_of(VALIDATES), Status::NotObserved);
        assert_eq!(generated(other(), "again", error(-32602)).status_of(VALIDATES), Status::NotObserved);
        let said = json!({"error": {"code": -32603, "message": "Invalid city"}});
        assert_eq!(generated(other(), "again", said).status_of(VALIDATES), Status::NotObserved);
    }
}
