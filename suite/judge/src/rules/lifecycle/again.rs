//! A second `initialize` in an open session, the ping after it, and methods to end a session that do not exist.

use verdict::Intent;

use super::handshake::{Greeting, greetings, openings, short};
use crate::view::ExchangeEnd;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "lifecycle/again", judges: &["lifecycle.initialize.again", "lifecycle.shutdown.no-message"], judge };

const AGAIN: &str = RULE.judges[0];
const SHUTDOWN: &str = RULE.judges[1];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let openings = openings(view);
    for greeting in greetings(view).iter().filter(|greeting| greeting.case.intent() == Some(Intent::InitializeAgain)) {
        let asked_first = openings.iter().filter(|opening| opening.asked() == greeting.asked());
        // What the server chose itself it has to take when it is asked for.
        let offered = openings.iter().filter_map(Greeting::chosen).find(|chosen| greeting.asked() == Some(*chosen));
        let first = asked_first.filter_map(Greeting::chosen).next().or(offered);
        if greeting.case.exchange.end == (ExchangeEnd::Gone { alone: true }) {
            let message = "A second initialize terminates the server or the connection.";
            collector.fail(AGAIN, greeting.case.finding(message, "an answer"));
        } else if let (Some(first), Some(chosen)) = (first, greeting.chosen()) {
            collector.check(AGAIN, first == chosen, || {
                let message = "A second initialize gets a different version than a first one would.";
                greeting.finding(message, &format!("protocolVersion {}", short(first)))
            });
        } else if greeting.case.error().is_some() {
            collector.witness(AGAIN);
        }
    }
    for case in everywhere(view, Intent::PingAfterInitializeAgain).filter(pinged_before) {
        collector.check(AGAIN, case.result().is_some(), || {
            case.finding("After a second initialize, the session no longer works.", "an empty result for ping")
        });
    }
    for case in everywhere(view, Intent::ShutdownRequest) {
        collector.check(SHUTDOWN, case.result().is_none(), || {
            case.finding(
                "The protocol has no method to end a session, but the server serves one.",
                "error -32601 (method not found)",
            )
        });
    }
}

/// Whether a ping was served in this session before: a server that has none is not broken by a second initialize.
fn pinged_before(case: &Case<'_>) -> bool {
    let (view, session) = (case.view, case.session);
    let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    cases.any(|other| {
        other.method() == Some("ping") && other.exchange.seq < case.exchange.seq && other.result().is_some()
    })
}

/// Probes in every session: a handshake for another revision shows this as well.
fn everywhere<'v>(view: &'v View<'v>, intent: Intent) -> impl Iterator<Item = Case<'v>> {
    let cases = view
        .sessions
        .iter()
        .flat_map(move |session| session.exchanges.iter().map(move |exchange| Case { view, session, exchange }));
    cases.filter(move |case| case.intent() == Some(intent) && case.is_decided())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::{AGAIN, SHUTDOWN};
    use crate::testing::Script;

    fn again(answer: Value) -> Script {
        let params =
            json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        Script::new(Revision::V2025_03_26, json!({})).probe(Intent::InitializeAgain, "initialize", params, answer)
    }

    fn result(version: &str) -> Value {
        json!({"result": {"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}})
    }

    #[test]
    fn an_error_and_the_same_version_pass() {
        let refusal = json!({"error": {"code": -32600, "message": "already initialized"}});
        assert_eq!(again(refusal).status_of(AGAIN), Status::Pass);
        assert_eq!(again(result("2025-03-26")).status_of(AGAIN), Status::Pass);
    }

    #[test]
    fn another_version_fails() {
        assert_eq!(again(result("2025-11-25")).status_of(AGAIN), Status::Fail);
    }

    #[test]
    fn a_session_that_is_broken_afterwards_fails() {
        let dead = || json!({"error": {"code": -32000, "message": "not initialized"}});
        let params =
            json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let run = |pong: Value| {
            let script = Script::new(Revision::V2025_03_26, json!({})).plain("ping", json!({}), pong);
            let script = script.probe(Intent::InitializeAgain, "initialize", params.clone(), result("2025-03-26"));
            script.probe(Intent::PingAfterInitializeAgain, "ping", json!({}), dead())
        };
        assert_eq!(run(json!({"result": {}})).status_of(AGAIN), Status::Fail);
        assert_eq!(run(dead()).status_of(AGAIN), Status::Pass, "it never served ping");
    }

    #[test]
    fn shutdown_is_an_unknown_method() {
        let run = |answer| {
            let script = Script::new(Revision::V2025_03_26, json!({}));
            script.probe(Intent::ShutdownRequest, "shutdown", json!({}), answer)
        };
        assert_eq!(run(json!({"error": {"code": -32601, "message": "no"}})).status_of(SHUTDOWN), Status::Pass);
        assert_eq!(run(json!({"result": {}})).fails(), [SHUTDOWN]);
    }
}
