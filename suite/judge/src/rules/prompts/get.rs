//! Getting what is listed.

use serde_json::Value;
use verdict::probes::values::Values;
use verdict::{Intent, Key};
use wire::mcp::code;

use super::requested_prompt;
use crate::rules::common::{ALIKE, error_text, fails_like, is_bare_refusal, wants_something};
use crate::rules::tools::is_generated;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "prompts/get",
    judges: &[
        "prompts.get.listed-gettable",
        "prompts.get.internal-error-code",
        "prompts.get.arguments-optional",
        "prompts.get.unknown-name",
        "prompts.get.missing-required-argument",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::PromptGet).filter(Case::is_decided) {
        check_gettable(&case, collector);
        check_internal(&case, collector);
    }
    for case in view.probes(Intent::PromptGetBare).filter(Case::is_decided) {
        check_bare(&case, collector);
    }
    for case in view.probes(Intent::PromptUnknown).filter(Case::is_decided) {
        check_unknown(&case, collector);
    }
    for case in view.probes(Intent::PromptMissingArgument).filter(Case::is_decided) {
        check_missing(&case, collector);
    }
}

fn finding_about(case: &Case<'_>, message: &str, expected: &str) -> verdict::Finding {
    let mut finding = case.finding(message, expected);
    finding.place = requested_prompt(case).map(str::to_owned);
    finding
}

fn check_gettable(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "prompts.get.listed-gettable";
    if case.result().is_some() {
        return collector.witness(ID);
    }
    if wants_something(case) {
        return collector.not_observed(ID, "the server requires something from the client before it returns a prompt");
    }
    let message = "A listed prompt cannot be retrieved, so clients offer a prompt that does not work.";
    let finding = finding_about(case, message, "the messages of the prompt");
    let Some(code) = case.error_code() else {
        return collector.suspect(ID, case, finding);
    };
    let values = case.value().unwrap_or(Values::Made);
    // Values that nobody vouches for may be refused, or lead into the void.
    let text = error_text(case);
    let denies = ["unknown prompt", "prompt not found", "no such prompt"].iter().any(|words| text.contains(words));
    if values == Values::None
        || code == code::METHOD_NOT_FOUND
        || denies
        || (values == Values::Told && code != code::INVALID_PARAMS)
    {
        collector.fail(ID, finding);
    } else {
        collector.note(ID, "a prompt is refused with values that may be invalid");
        collector.not_observed(
            ID,
            "every prompt takes values that only its author knows; they can be set in the configuration",
        );
    }
}

/// A prompt that takes nothing and yet fails: nothing but the server can be the cause.
fn check_internal(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "prompts.get.internal-error-code";
    let Some(code) = case.error_code() else { return };
    let text = error_text(case);
    let absent = ["unknown", "not found", "no such", "required", "missing"].iter().any(|word| text.contains(word));
    let other = [code::INVALID_PARAMS, code::METHOD_NOT_FOUND, code::INVALID_REQUEST].contains(&code)
        || absent
        || wants_something(case);
    if case.value() != Some(Values::None) || other {
        return;
    }
    collector.check(ID, code == code::INTERNAL_ERROR, || {
        let message = "A prompt that fails inside the server gets an error code other than that of an internal error, so clients cannot tell whose fault it is.";
        finding_about(case, message, "error -32603 (internal error)")
    });
}

fn check_bare(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "prompts.get.arguments-optional";
    if case.result().is_some() {
        return collector.witness(ID);
    }
    let control = case
        .view
        .probes(Intent::PromptGet)
        .any(|other| requested_prompt(&other) == requested_prompt(case) && other.result().is_some());
    if control && !wants_something(case) {
        let message =
            "A prompt that needs no arguments is refused without `arguments`, though the member may be omitted.";
        collector.fail(ID, finding_about(case, message, "the same result as with empty arguments"));
    }
}

fn check_unknown(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "prompts.get.unknown-name";
    if wants_something(case) {
        return;
    }
    if fails_like(case, case.view.probes(Intent::PromptGet).filter(Case::is_decided)) {
        return collector.undecided(ID, ALIKE);
    }
    if is_bare_refusal(case) {
        collector.witness(ID);
        return collector.note(ID, "an unknown prompt is refused with a bare HTTP status");
    }
    collector.check(ID, case.error_code() == Some(code::INVALID_PARAMS), || {
        let message = if case.error().is_some() {
            "A request for an unknown prompt gets the wrong error code."
        } else if case.result().is_some() {
            "A prompt that does not exist is returned anyway."
        } else {
            "A request for an unknown prompt is not answered."
        };
        case.finding(message, "error -32602 (invalid params)")
    });
}

fn check_missing(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "prompts.get.missing-required-argument";
    if wants_something(case) {
        return;
    }
    // Only if it is given with all arguments does the missing one say anything.
    let mut given =
        [Intent::PromptGet, Intent::GeneratedPrompt].into_iter().flat_map(|intent| case.view.probes(intent));
    let control = given.any(|other| requested_prompt(&other) == requested_prompt(case) && other.result().is_some());
    let served = case.result().is_some();
    // Beside generated strings the error may be about one of them.
    let beside = case.param("arguments").and_then(Value::as_object).is_some_and(|given| !given.is_empty());
    if is_generated(case) && beside && case.error().is_some() {
        return;
    }
    if !control && !served {
        return collector.not_observed(ID, "no prompt with required arguments could be retrieved with them");
    }
    collector.check(ID, case.error_code() == Some(code::INVALID_PARAMS) || is_bare_refusal(case), || {
        let message = if case.error().is_some() {
            "A prompt request without a required argument gets the wrong error code."
        } else if served {
            "A prompt is returned without an argument that it requires, so its messages lack their subject."
        } else {
            "A prompt request without a required argument is not answered."
        };
        let argument = case.about(Key::Argument).and_then(Value::as_str).unwrap_or_default();
        let mut finding = finding_about(case, message, "error -32602 (invalid params)");
        finding.place = finding.place.map(|name| format!("{name} {argument}"));
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::{Script, declared};

    const GETTABLE: &str = "prompts.get.listed-gettable";
    const INTERNAL: &str = "prompts.get.internal-error-code";

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"prompts": {}}))
    }

    fn get(script: Script, values: &str, answer: Value) -> Script {
        script.probe_about(Intent::PromptGet, json!({"values": values}), "prompts/get", json!({"name": "p"}), answer)
    }

    fn then(script: Script, intent: Intent, answer: Value) -> Script {
        script.probe_about(
            intent,
            declared(intent, json!({"argument": "a"})),
            "prompts/get",
            json!({"name": "p"}),
            answer,
        )
    }

    fn error(code: i64, message: &str) -> Value {
        json!({"error": {"code": code, "message": message}})
    }

    fn good() -> Value {
        json!({"result": {"resultType": "complete", "messages": []}})
    }

    #[test]
    fn a_prompt_without_arguments_can_be_had() {
        assert_eq!(get(start(), "none", good()).status_of(GETTABLE), Status::Pass);
        assert_eq!(get(start(), "none", error(-32603, "oops")).fails(), [GETTABLE]);
        assert_eq!(get(start(), "none", error(-32602, "no")).fails(), [GETTABLE]);
    }

    #[test]
    fn made_values_may_be_refused_but_the_prompt_not_denied() {
        for code in [-32602, -32603, 0] {
            assert_eq!(get(start(), "made", error(code, "no such language")).status_of(GETTABLE), Status::NotObserved);
        }
        assert_eq!(get(start(), "made", error(-32602, "Unknown prompt: p")).fails(), [GETTABLE]);
        assert_eq!(get(start(), "told", error(-32603, "oops")).fails(), [GETTABLE]);
        assert_eq!(get(start(), "told", error(-32602, "b is wrong")).status_of(GETTABLE), Status::NotObserved);
    }

    #[test]
    fn a_server_that_wants_something_first_is_not_judged() {
        assert_eq!(get(start(), "none", error(-32042, "visit")).fails_in("prompts"), [""; 0]);
        let stateless = Script::new(Revision::V2026_07_28, json!({"prompts": {}}));
        let asks = json!({"result": {"resultType": "input_required", "inputRequests": {}}});
        assert!(then(stateless, Intent::PromptMissingArgument, asks).fails_in("prompts").is_empty());
    }

    #[test]
    fn a_failure_inside_has_a_code_of_its_own() {
        assert_eq!(get(start(), "none", error(-32603, "oops")).status_of(INTERNAL), Status::Pass);
        assert!(get(start(), "none", error(0, "oops")).fails().contains(&INTERNAL));
        assert_eq!(get(start(), "none", error(0, "Unknown prompt")).status_of(INTERNAL), Status::NotObserved);
        assert_eq!(get(start(), "made", error(0, "oops")).status_of(INTERNAL), Status::NotObserved);
    }

    #[test]
    fn arguments_may_be_left_out_where_none_is_required() {
        const ID: &str = "prompts.get.arguments-optional";
        let bare = |control, answer| then(get(start(), "none", control), Intent::PromptGetBare, answer);
        assert_eq!(bare(good(), good()).status_of(ID), Status::Pass);
        assert_eq!(bare(good(), error(-32602, "no")).fails(), [ID]);
        assert_eq!(bare(error(-32603, "oops"), error(-32603, "oops")).status_of(ID), Status::NotObserved);
    }

    #[test]
    fn an_unknown_prompt_is_wrong_params() {
        const ID: &str = "prompts.get.unknown-name";
        let unknown = |answer| then(start(), Intent::PromptUnknown, answer);
        assert_eq!(unknown(error(-32602, "no")).status_of(ID), Status::Pass);
        assert_eq!(unknown(error(-32603, "no")).fails(), [ID]);
        let down = |control| then(get(start(), "made", control), Intent::PromptUnknown, error(-32603, "no backend"));
        assert_eq!(down(error(-32603, "no backend")).status_of(ID), Status::Inconclusive);
        assert_eq!(down(error(-32603, "other")).status_of(ID), Status::Fail);
        assert_eq!(down(good()).status_of(ID), Status::Fail);
        assert_eq!(unknown(good()).fails(), [ID]);
        let script = start().unanswered(Intent::PromptUnknown, "prompts/get", json!({"name": "x"})).settled();
        assert_eq!(script.fails(), [ID]);
    }

    #[test]
    fn a_missing_argument_is_wrong_params() {
        const ID: &str = "prompts.get.missing-required-argument";
        let missing = |answer| then(get(start(), "made", good()), Intent::PromptMissingArgument, answer);
        assert_eq!(missing(error(-32602, "a is required")).status_of(ID), Status::Pass);
        assert_eq!(missing(error(-32603, "oops")).fails(), [ID]);
        assert_eq!(missing(good()).fails(), [ID]);
        let made = then(start(), Intent::GeneratedPrompt, good());
        assert_eq!(then(made, Intent::PromptMissingArgument, error(-32603, "oops")).fails(), [ID]);
        let both =
            then(get(start(), "made", error(-32603, "oops")), Intent::PromptMissingArgument, error(-32603, "oops"));
        assert_eq!(both.status_of(ID), Status::NotObserved);
    }
}
