//! Requests of the server's own that a client refuses, or never answers.

use serde_json::Value;
use verdict::{Intent, Key};
use wire::Kind;

use crate::{Case, Collector, ExchangeEnd, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/own-requests",
    judges: &[
        "jsonrpc.server-request.error-tolerated",
        "lifecycle.timeouts.server-requests",
        "lifecycle.timeouts.cancel-on-expiry",
        "lifecycle.timeouts.hard-cap",
    ],
    judge,
};

const TOLERATED: &str = RULE.judges[0];
const LIMIT: &str = RULE.judges[1];
const CANCEL: &str = RULE.judges[2];
const CAP: &str = RULE.judges[3];
/// Longer than any time limit that a server could mean.
const LONG: u64 = 600;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::CallRefused) {
        if server_request_during(&case).is_some() {
            check_refused(&case, collector);
        }
    }
    for case in view.probes(Intent::CallWithheld) {
        if let Some(request) = server_request_during(&case) {
            check_withheld(&case, request, collector);
        }
    }
    for case in view.probes(Intent::CallProgressing) {
        if let Some(request) = server_request_during(&case) {
            check_progressing(&case, request, collector);
        }
    }
    let how = "server_waits = SECONDS in mcp-conform.toml, or --only 'lifecycle.timeouts*' --timeout 600";
    let needs = "needs a tool that sends requests to its client, and time to wait";
    for id in [LIMIT, CANCEL, CAP] {
        collector.not_observed(id, format!("{needs}: {how}"));
    }
}

fn check_progressing(case: &Case<'_>, request: &Incoming<'_>, collector: &mut Collector) {
    let token = request.message().and_then(|message| message.params()?.pointer("/_meta/progressToken"));
    if token.is_none() {
        return collector
            .not_observed(CAP, "no request of the server asks for progress, the only thing that could keep it open");
    }
    if case.exchange.end == ExchangeEnd::Answered && case.exchange.gave_up.is_none() {
        collector.witness(CAP);
    } else if waited_enough(case) {
        let message =
            "As long as the client reports progress, the server waits forever for the answer to its own request.";
        collector.fail(CAP, case.finding(message, "the call ends, however much progress is reported"));
    } else {
        collector.not_observed(CAP, "the call had not ended when the run stopped waiting");
    }
}

/// Longer than any server would mean, or than the user says that this one does.
fn waited_enough(case: &Case<'_>) -> bool {
    let waited = case.about(Key::Seconds).and_then(Value::as_u64).unwrap_or(0);
    case.exchange.gave_up.is_some() && (waited >= LONG || case.about(Key::Told) == Some(&Value::Bool(true)))
}

/// Returns the requests that the server made in the course of a call.
fn server_request_during<'v>(case: &Case<'v>) -> Option<&'v Incoming<'v>> {
    let until = case.answer().map_or(u32::MAX, |answer| answer.seq);
    case.session.incoming.iter().find(|incoming| {
        let own = incoming.message().is_some_and(|message| message.kind == Kind::Request);
        own && incoming.method() != Some("ping") && (case.exchange.seq..until).contains(&incoming.seq)
    })
}

fn check_refused(case: &Case<'_>, collector: &mut Collector) {
    let message = "When the client refuses a request from a tool, the tool call is never answered: the client waits until its own timeout.";
    match case.exchange.end {
        ExchangeEnd::Answered => collector.witness(TOLERATED),
        ExchangeEnd::GaveUp | ExchangeEnd::Settled | ExchangeEnd::Gone { alone: true } => {
            collector.fail(TOLERATED, case.finding(message, "a result or an error for the call"));
        }
        _ => {}
    }
}

fn check_withheld(case: &Case<'_>, request: &Incoming<'_>, collector: &mut Collector) {
    let answered = case.exchange.end == ExchangeEnd::Answered && case.exchange.gave_up.is_none();
    if answered {
        collector.witness(LIMIT);
        let id = request.message().and_then(|message| message.member("id"));
        let cancels = |incoming: &&Incoming<'_>| {
            incoming.method() == Some("notifications/cancelled")
                && incoming.message().and_then(|message| message.params()?.get("requestId")) == id
        };
        let cancelled = case.session.incoming.iter().any(|incoming| cancels(&incoming));
        collector.check(CANCEL, cancelled, || {
            let message =
                "The server abandons its own request without telling the client, which keeps working on it for nothing.";
            case.finding(message, "notifications/cancelled with the id of the request")
        });
    } else if waited_enough(case) {
        let message = "The server waits forever for the answer to its own request, and so does the call that made it.";
        collector.fail(LIMIT, case.finding(message, "the call ends with a result or an error"));
    } else {
        collector.not_observed(
            LIMIT,
            "the call had not ended when the run stopped waiting: --timeout 600 waits long enough",
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Revision, Status};

    use super::*;
    use crate::testing::Script;

    const ROOTS: &str = r#"{"jsonrpc":"2.0","id":"r","method":"roots/list"}"#;

    fn called(intent: Intent, seconds: u64) -> Script {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let call = r#"{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{"name":"x"}}"#;
        script.raw(intent, json!({"seconds": seconds}), call).says(ROOTS)
    }

    fn answered(script: Script) -> Script {
        script.says(r#"{"jsonrpc":"2.0","id":70,"result":{"content":[]}}"#)
    }

    #[test]
    fn a_call_whose_question_is_refused_is_answered() {
        assert_eq!(answered(called(Intent::CallRefused, 0)).status_of(TOLERATED), Status::Pass);
        assert_eq!(called(Intent::CallRefused, 0).gave_up().status_of(TOLERATED), Status::Fail);
    }

    #[test]
    fn a_call_whose_question_nobody_answers_ends_and_the_question_is_cancelled() {
        let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"r"}}"#;
        let whole = answered(called(Intent::CallWithheld, 5).says(cancelled));
        assert_eq!(whole.status_of(LIMIT), Status::Pass);
        assert_eq!(whole.status_of(CANCEL), Status::Pass);
        assert_eq!(answered(called(Intent::CallWithheld, 5)).status_of(CANCEL), Status::Fail);
        assert_eq!(called(Intent::CallWithheld, 5).gave_up().status_of(LIMIT), Status::NotObserved);
        assert_eq!(called(Intent::CallWithheld, 600).gave_up().status_of(LIMIT), Status::Fail);
    }
}
