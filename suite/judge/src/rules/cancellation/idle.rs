//! Cancellations that have nothing to cancel are ignored: of unknown and finished requests, malformed ones, and such that cross
//! the response.

use verdict::{Intent, Key};

use crate::falls::{self, Cause};
use crate::rules::jsonrpc::falls::actual;
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "cancellation/idle",
    judges: &[
        "cancellation.unknown-id-ignored",
        "cancellation.completed-id-ignored",
        "cancellation.malformed-ignored",
        "cancellation.race-graceful",
        "cancellation.no-reply",
    ],
    judge,
};

const RACE: &str = "cancellation.race-graceful";
const NO_REPLY: &str = "cancellation.no-reply";

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (intent, id, what) in [
        (Intent::CancelUnknown, "cancellation.unknown-id-ignored", "The cancellation of an unknown request"),
        (
            Intent::CancelCompleted,
            "cancellation.completed-id-ignored",
            "The cancellation of a request that is already answered",
        ),
        (Intent::CancelMalformed, "cancellation.malformed-ignored", "A malformed cancellation"),
    ] {
        for case in view.probes(intent) {
            check_ignored(&case, id, what, collector);
        }
    }
    for case in view.probes(Intent::RaceRequest).filter(Case::is_told) {
        check_raced(&case, collector);
    }
    for case in view.probes(Intent::RaceCancel) {
        check_ignored(&case, RACE, "A cancellation that crosses the response in transit", collector);
    }
    check_survived(view, collector);
}

/// Nobody can tell which of the cancellations did it: the first request without a response stands for them.
fn check_survived(view: &View<'_>, collector: &mut Collector) {
    for fallen in falls::of(view).into_iter().filter(|fallen| fallen.cause == Cause::Raced) {
        let mut raced = view.probes(Intent::RaceRequest);
        let open = raced.find(|case| case.session.id == fallen.session && fallen.open.contains(&case.exchange.seq));
        let Some(case) = open else { continue };
        let message = "Requests that are cancelled immediately after they are sent end the server: a cancellation that crosses the response takes every tool away.";
        let mut finding = case.finding(message, "a response or none, and a server that goes on");
        finding.actual = actual(case.session, &case);
        collector.fail(RACE, finding.fells());
    }
}

/// Nothing answers it, and the server goes on. Over HTTP a status that refuses is as good.
fn check_ignored(case: &Case<'_>, id: &'static str, what: &str, collector: &mut Collector) {
    let crashed = matches!(case.exchange.end, ExchangeEnd::Gone { alone: true });
    let replied = case.answers().next().is_some() && case.status().is_none_or(|status| status < 400);
    let settled = matches!(case.exchange.end, ExchangeEnd::Settled | ExchangeEnd::Answered);
    let place = case.about_str(Key::Kind).map(str::to_owned);
    if replied {
        let message = format!(
            "{what} is answered: notifications get no response, so the client takes it for the response to something else."
        );
        let mut finding = case.finding(message, "no message");
        finding.place = place;
        return collector.fail(NO_REPLY, finding);
    }
    if crashed {
        let mut finding =
            case.finding(format!("{what} terminates the server or its connection."), "the notification is ignored");
        finding.place = place;
        return collector.fail(id, finding);
    }
    if settled {
        collector.witness(id);
        collector.witness(NO_REPLY);
    }
}

fn check_raced(case: &Case<'_>, collector: &mut Collector) {
    if case.exchange.answers.len() > 1 {
        let message = "A request that was cancelled immediately after it was sent is answered twice.";
        let mut finding = case.finding(message, "one response, or none");
        finding.actual = "two responses with the same id".to_owned();
        return collector.fail(RACE, finding);
    }
    collector.witness(RACE);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::{NO_REPLY, RACE};
    use crate::Cause;
    use crate::testing::Script;

    const UNKNOWN: &str = "cancellation.unknown-id-ignored";

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"tools": {}}))
    }

    fn cancel(script: Script, intent: Intent) -> Script {
        let text = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "none"}});
        script.raw(intent, Value::Null, &text.to_string())
    }

    fn ping(script: Script) -> Script {
        script.plain("ping", json!({}), json!({"result": {}}))
    }

    #[test]
    fn silence_and_a_server_that_goes_on_pass() {
        let script = ping(cancel(start(), Intent::CancelUnknown)).settled();
        assert_eq!((script.status_of(UNKNOWN), script.status_of(NO_REPLY)), (Status::Pass, Status::Pass));
        assert_eq!(cancel(start(), Intent::CancelUnknown).status_of(UNKNOWN), Status::NotObserved);
    }

    #[test]
    fn an_error_without_id_and_an_end_fail() {
        let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"unknown request"}}"#;
        let script = ping(cancel(ping(start()).settled(), Intent::CancelUnknown).says(error)).settled();
        assert_eq!(script.fails_in("cancellation"), [NO_REPLY]);
        assert_eq!(
            cancel(ping(start()).settled(), Intent::CancelMalformed).exits(1).fails_in("cancellation"),
            ["cancellation.malformed-ignored"]
        );
        assert_eq!(
            cancel(ping(start()).settled(), Intent::CancelCompleted).exits(1).fails_in("cancellation"),
            ["cancellation.completed-id-ignored"]
        );
    }

    /// One request is answered in time, and over the next the server ends, or over `other`.
    fn raced(other: impl FnOnce(Script) -> Script) -> Script {
        raced_on(start(), other)
    }

    fn raced_on(start: Script, other: impl FnOnce(Script) -> Script) -> Script {
        let script = ping(start).settled().probe(Intent::RaceRequest, "ping", json!({}), json!({"result": {}}));
        let script = cancel(script, Intent::RaceCancel).unanswered(Intent::RaceRequest, "ping", json!({}));
        other(cancel(script, Intent::RaceCancel)).unanswered_plainly("ping", json!({})).exits(1)
    }

    #[test]
    fn a_server_that_ends_in_a_race_fails_that_requirement_alone() {
        let ended = raced(|script| script);
        assert_eq!(ended.fails(), [RACE]);
        assert_eq!(ended.examined().falls.first().map(|fallen| fallen.cause), Some(Cause::Raced));
        // What else was outstanding may have done it.
        let other = raced(|script| script.unanswered(Intent::ValidCall, "tools/call", json!({"name": "x"})));
        assert!(!other.fails().contains(&RACE));
    }

    #[test]
    fn what_came_before_somebody_else_had_the_connection_is_done_with() {
        let about = json!({"of": "robust.out-of-order", "kind": "k", "expect": "any", "ids": []});
        let early = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let ended = raced_on(start().raw(Intent::Robust, about, early).goes_on("rough"), |script| script);
        assert_eq!(ended.examined().falls.first().map(|fallen| fallen.cause), Some(Cause::Raced));
    }

    #[test]
    fn a_race_may_end_either_way_but_not_both() {
        let list = || json!({"result": {"tools": []}});
        let answered = start().probe(Intent::RaceRequest, "tools/list", json!({}), list());
        assert_eq!(answered.status_of(RACE), Status::Pass);
        let silent = ping(start().unanswered(Intent::RaceRequest, "tools/list", json!({}))).settled();
        assert_eq!(silent.status_of(RACE), Status::Pass);
        let twice = answered.says(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32800,"message":"cancelled"}}"#);
        assert_eq!(twice.fails_in("cancellation"), [RACE]);
    }
}
