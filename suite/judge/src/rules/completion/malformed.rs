//! Completions of what is not offered, and requests that are malformed.
//!
//! In 2024-11-05 only servers that complete anything at all are judged.

use verdict::Intent;
use wire::mcp::code;

use super::values;
use crate::rules::common::{check_invalid_params_refused, wants_something};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "completion/malformed",
    judges: &[
        "completion.ref.unknown-type",
        "completion.argument.missing",
        "completion.argument.wrong-type",
        "completion.ref.unknown-prompt",
        "completion.ref.unknown-resource",
        "completion.argument.unknown-name",
    ],
    judge,
};

const MALFORMED: [(Intent, &str, &str); 3] = [
    (
        Intent::CompleteUnknownType,
        "completion.ref.unknown-type",
        "A completion for something that is neither a prompt nor a resource",
    ),
    (
        Intent::CompleteArgumentMissing,
        "completion.argument.missing",
        "A completion without an argument, its name or its value",
    ),
    (
        Intent::CompleteArgumentWrongType,
        "completion.argument.wrong-type",
        "A completion of something that is not a string",
    ),
];
const UNKNOWN: [(Intent, &str, &str); 2] = [
    (Intent::CompleteUnknownTemplate, "completion.ref.unknown-resource", "a template that it does not offer"),
    (Intent::CompleteUnknownArgument, "completion.argument.unknown-name", "an argument that does not exist"),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let completes = view.calls("completion/complete").any(|case| case.result().is_some());
    if !view.revision.traits().completions_capability && !completes {
        return;
    }
    for (intent, id, what) in MALFORMED {
        for case in view.probes(intent).filter(Case::is_decided) {
            check_invalid_params_refused(&case, collector, id, what);
        }
    }
    for case in view.probes(Intent::CompleteUnknownPrompt).filter(Case::is_decided) {
        check_prompt(&case, collector);
    }
    for (intent, id, what) in UNKNOWN {
        for case in view.probes(intent).filter(Case::is_decided).filter(|case| !wants_something(case)) {
            check_unknown(&case, collector, id, what);
        }
    }
}

fn check_prompt(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "completion.ref.unknown-prompt";
    if values(case).is_some_and(Vec::is_empty) {
        collector.witness(ID);
        return collector.note(ID, "a completion for an unknown prompt returns no values instead of error -32602");
    }
    check_invalid_params_refused(case, collector, ID, "A completion for an unknown prompt");
}

fn check_unknown(case: &Case<'_>, collector: &mut Collector, id: &'static str, what: &str) {
    let good = case.error_code() == Some(code::INVALID_PARAMS) || values(case).is_some_and(Vec::is_empty);
    collector.check(id, good, || {
        let how = if case.error().is_some() {
            "returns the wrong error code"
        } else if case.result().is_some() {
            "suggests values for"
        } else {
            "does not answer a completion of"
        };
        let message = if case.error().is_some() {
            format!("The server {how} for a completion of {what}.")
        } else {
            format!("The server {how} {what}.")
        };
        case.finding(message, "error -32602, or a result without values")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use super::{MALFORMED, UNKNOWN};
    use crate::testing::Script;

    const PROMPT: &str = "completion.ref.unknown-prompt";

    fn ask(revision: Revision, intent: Intent, answer: Value) -> Script {
        let script = Script::new(revision, json!({"completions": {}, "prompts": {}, "resources": {}}));
        script.probe(intent, "completion/complete", json!({"ref": {}}), answer)
    }

    fn run(intent: Intent, answer: Value) -> Script {
        ask(Revision::V2025_11_25, intent, answer)
    }

    fn values(values: &[&str]) -> Value {
        json!({"result": {"completion": {"values": values}}})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    #[test]
    fn malformed_requests_are_wrong_params() {
        for (intent, id, _) in MALFORMED {
            assert_eq!(run(intent, error(-32602)).status_of(id), Status::Pass);
            assert_eq!(run(intent, error(-32603)).fails_in("completion"), [id]);
            assert_eq!(run(intent, values(&[])).fails_in("completion"), [id]);
        }
    }

    #[test]
    fn an_unknown_prompt_is_refused_or_gives_nothing() {
        assert_eq!(run(Intent::CompleteUnknownPrompt, error(-32602)).status_of(PROMPT), Status::Pass);
        let verdict = run(Intent::CompleteUnknownPrompt, values(&[])).verdict(PROMPT);
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
        assert_eq!(run(Intent::CompleteUnknownPrompt, values(&["x"])).fails(), [PROMPT]);
        assert_eq!(run(Intent::CompleteUnknownPrompt, error(-32603)).fails(), [PROMPT]);
    }

    #[test]
    fn what_the_text_does_not_settle_is_advice() {
        for (intent, id, _) in UNKNOWN {
            assert_eq!(run(intent, error(-32602)).status_of(id), Status::Pass);
            assert_eq!(run(intent, values(&[])).status_of(id), Status::Pass);
            for bad in [error(-32603), values(&["x"])] {
                let verdict = run(intent, bad).verdict(id);
                assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
            }
        }
    }

    #[test]
    fn in_2024_a_server_may_know_nothing_of_it() {
        let script = ask(Revision::V2024_11_05, Intent::CompleteUnknownType, error(-32601));
        assert_eq!(script.status_of("completion.ref.unknown-type"), Status::NotObserved);
    }
}
