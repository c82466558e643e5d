//! The request that brings what was asked for: in order, incomplete, with something else, malformed, declined, or never.

use verdict::{Finding, Intent, Key, Transport};
use wire::mcp::code;

use crate::rules::asks::asks_again;
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "mrtr/retry",
    judges: &[
        "mrtr.retry-accepted",
        "mrtr.retry-on-new-connection",
        "mrtr.missing-response-reasked",
        "mrtr.wrong-key-reasked",
        "mrtr.unexpected-ignored",
        "mrtr.responses-validated",
        "mrtr.malformed-responses-error",
        "mrtr.declined-handled",
        "mrtr.unsolicited-responses-ignored",
        "mrtr.abandoned-retry",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let each = |intent: Intent| view.probes(intent).filter(Case::is_decided);
    for case in each(Intent::MrtrRetry) {
        let message = "A retry with the requested input is refused, so the request can never be served.";
        check_accepted(&case, "mrtr.retry-accepted", message, collector);
    }
    for case in each(Intent::MrtrElsewhere) {
        check_elsewhere(&case, collector);
    }
    for case in each(Intent::MrtrExtra) {
        let message = "A retry with the requested input and additional responses is refused.";
        check_accepted(&case, "mrtr.unexpected-ignored", message, collector);
    }
    for (intent, id) in
        [(Intent::MrtrMissing, "mrtr.missing-response-reasked"), (Intent::MrtrWrongKey, "mrtr.wrong-key-reasked")]
    {
        for case in each(intent) {
            collector.check(id, asks_again(&case), || {
                let message =
                    "A retry without the requested input is not asked for it again, so the client cannot correct it.";
                case.finding(message, "another result that asks for input")
            });
        }
    }
    for case in each(Intent::MrtrIllResponse) {
        let plain = case.result().is_some() && !case.is_tool_error() && !asks_again(&case);
        collector.check("mrtr.responses-validated", !plain, || {
            let message = "A malformed response to a request for input is accepted as valid.";
            placed_finding(&case, message, "an error, a result with isError, or the same request for input again")
        });
    }
    for case in each(Intent::MrtrIllResponses) {
        let orderly = case.error().is_some() || asks_again(&case) || case.status().is_some_and(|status| status == 400);
        collector.check("mrtr.malformed-responses-error", orderly, || {
            placed_finding(
                &case,
                "inputResponses is not an object, but the request is not refused.",
                "error -32602 (invalid params)",
            )
        });
    }
    for case in each(Intent::MrtrDeclined) {
        let crashed = matches!(case.exchange.end, ExchangeEnd::Gone { alone: true });
        let silent = case.answer().is_none() && case.status().is_none();
        collector.check("mrtr.declined-handled", !crashed && !silent, || {
            placed_finding(
                &case,
                "A declined request for input is not handled: the request gets no answer.",
                "a result or an error",
            )
        });
    }
    for case in
        each(Intent::MrtrUnsolicited).filter(|case| case.about(Key::Plain) == Some(&serde_json::Value::Bool(true)))
    {
        let message = "A call is refused because it carries responses that the server did not ask for.";
        check_accepted(&case, "mrtr.unsolicited-responses-ignored", message, collector);
    }
    for case in each(Intent::MrtrAfter) {
        let answered = case.answer().is_some();
        collector.check("mrtr.abandoned-retry", answered, || {
            let message = "After abandoned requests for input, the server no longer answers.";
            case.finding(message, "an answer")
        });
    }
}

fn placed_finding(case: &Case<'_>, message: &str, expected: &str) -> Finding {
    let finding = case.finding(message, expected);
    Finding { place: case.about_str(Key::Kind).map(str::to_owned), ..finding }
}

/// A result, or one more demand. A value may be refused by the server's own logic where results cannot say so.
fn check_accepted(case: &Case<'_>, id: &'static str, message: &str, collector: &mut Collector) {
    let by_value = case.error_code() == Some(code::INVALID_PARAMS) && case.method() != Some("tools/call");
    collector.check(id, case.result().is_some() || by_value, || {
        case.finding(message, "a result, or another request for input")
    });
}

/// On stdio another connection is another process, which may have keys of its own.
fn check_elsewhere(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "mrtr.retry-on-new-connection";
    if case.result().is_some() {
        return collector.witness(ID);
    }
    if case.view.transport == Transport::Http {
        let message = "Input requested on one connection cannot be provided on another.";
        collector.fail(ID, case.finding(message, "a result, or another request for input"));
    } else {
        collector.witness(ID);
        collector.note(ID, "a request started with one process cannot be completed with another");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::{Script, declared};

    fn call(intent: Intent, answer: Value) -> Script {
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
        script.probe_about(intent, declared(intent, json!({"plain": true})), "tools/call", json!({"name": "x"}), answer)
    }

    fn done() -> Value {
        json!({"result": {"resultType": "complete", "content": []}})
    }

    fn failed() -> Value {
        json!({"result": {"resultType": "complete", "content": [{"type": "text", "text": "no"}], "isError": true}})
    }

    fn error() -> Value {
        json!({"error": {"code": -32602, "message": "no"}})
    }

    fn again() -> Value {
        json!({"result": {"resultType": "input_required", "requestState": "s"}})
    }

    #[test]
    fn each_kind_of_retry_has_outcomes_that_pass_and_some_that_fail() {
        let cases: [(Intent, &str, &[Value], &[Value]); 9] = [
            (Intent::MrtrRetry, "mrtr.retry-accepted", &[done(), failed(), again()], &[error()]),
            (Intent::MrtrExtra, "mrtr.unexpected-ignored", &[done(), again()], &[error()]),
            (Intent::MrtrMissing, "mrtr.missing-response-reasked", &[again()], &[error(), done(), failed()]),
            (Intent::MrtrWrongKey, "mrtr.wrong-key-reasked", &[again()], &[error(), done()]),
            (Intent::MrtrIllResponse, "mrtr.responses-validated", &[error(), failed(), again()], &[done()]),
            (Intent::MrtrIllResponses, "mrtr.malformed-responses-error", &[error(), again()], &[done(), failed()]),
            (Intent::MrtrUnsolicited, "mrtr.unsolicited-responses-ignored", &[done()], &[error()]),
            (Intent::MrtrDeclined, "mrtr.declined-handled", &[done(), failed(), again(), error()], &[]),
            (Intent::MrtrAfter, "mrtr.abandoned-retry", &[done(), error()], &[]),
        ];
        for (intent, id, good, bad) in cases {
            for answer in good {
                assert_eq!(call(intent, answer.clone()).status_of(id), Status::Pass, "{id} {answer}");
            }
            for answer in bad {
                assert_eq!(call(intent, answer.clone()).fails_in("mrtr"), [id], "{answer}");
            }
        }
    }

    #[test]
    fn silence_is_no_way_to_handle_it() {
        let silent = |intent: Intent| {
            let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
            script.unanswered(intent, "tools/call", json!({"name": "x"})).gave_up()
        };
        assert_eq!(silent(Intent::MrtrDeclined).fails_in("mrtr"), ["mrtr.declined-handled"]);
        assert_eq!(silent(Intent::MrtrAfter).fails_in("mrtr"), ["mrtr.abandoned-retry"]);
    }

    #[test]
    fn what_ends_the_session_later_does_not_explain_silence_that_was_over() {
        let asked = || {
            let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
            script.unanswered(Intent::MrtrAfter, "server/discover", json!({})).gave_up()
        };
        let falls = |script: Script| {
            let script = script.unanswered(Intent::PromptUnknown, "prompts/get", json!({"name": "x"})).gave_up();
            script.unanswered_plainly("server/discover", json!({})).gave_up()
        };
        let served = asked().plain("tools/list", json!({}), json!({"result": {"tools": []}}));
        assert_eq!(falls(served).fails_in("mrtr"), ["mrtr.abandoned-retry"]);
        assert_eq!(falls(asked()).status_of("mrtr.abandoned-retry"), Status::NotObserved);
    }

    #[test]
    fn another_process_need_not_know() {
        let verdict = call(Intent::MrtrElsewhere, error()).verdict("mrtr.retry-on-new-connection");
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
    }
}
