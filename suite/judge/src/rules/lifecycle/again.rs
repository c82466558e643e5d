//! A second `initialize` in an open session (intent `initialize-again`), the ping after it (intent
//! `ping-after-initialize-again`), and methods to end a session that do not exist (intent `shutdown-request`).

use super::handshake::{greetings, opened, short};
use crate::view::End;
use crate::{Bench, Case, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "lifecycle/again", judges: &["lifecycle.initialize.again", "lifecycle.shutdown.no-message"], judge };

const AGAIN: &str = RULE.judges[0];
const SHUTDOWN: &str = RULE.judges[1];

fn judge(view: &View<'_>, bench: &mut Bench) {
    for greeting in greetings(view).iter().filter(|greeting| greeting.case.intent() == Some("initialize-again")) {
        let Some(first) = opened(view, greeting.case.session) else { continue };
        let comparable = first.asked() == greeting.asked();
        if greeting.case.exchange.end == (End::Gone { alone: true }) {
            bench.fail(
                AGAIN,
                greeting.case.finding("A second initialize ends the server or the connection.", "an answer"),
            );
        } else if let Some(chosen) = greeting.chosen().filter(|_| comparable) {
            bench.check(AGAIN, first.chosen() == Some(chosen), || {
                let expected =
                    first.chosen().map_or_else(String::new, |first| format!("protocolVersion {}", short(first)));
                greeting.finding("A second initialize with the same params gets another version.", &expected)
            });
        } else if greeting.case.error().is_some() {
            bench.saw(AGAIN);
        }
    }
    for case in view.probes("ping-after-initialize-again").filter(Case::is_decided) {
        bench.check(AGAIN, case.result().is_some(), || {
            case.finding("After a second initialize the session does not work any more.", "an empty result for ping")
        });
    }
    for case in view.probes("shutdown-request").filter(Case::is_decided) {
        bench.check(SHUTDOWN, case.result().is_none(), || {
            case.finding(
                "There is no method to end a session, but the server serves one.",
                "error -32601 (method not found)",
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::{AGAIN, SHUTDOWN};
    use crate::testing::Script;

    fn again(answer: Value) -> Script {
        let params =
            json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        Script::new(Revision::V2025_03_26, json!({})).probe("initialize-again", "initialize", params, answer)
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
        let script = again(result("2025-03-26"));
        let dead = json!({"error": {"code": -32000, "message": "not initialized"}});
        assert_eq!(script.probe("ping-after-initialize-again", "ping", json!({}), dead).fails(), [AGAIN]);
    }

    #[test]
    fn shutdown_is_an_unknown_method() {
        let run = |answer| {
            let script = Script::new(Revision::V2025_03_26, json!({}));
            script.probe("shutdown-request", "shutdown", json!({}), answer)
        };
        assert_eq!(run(json!({"error": {"code": -32601, "message": "no"}})).status_of(SHUTDOWN), Status::Pass);
        assert_eq!(run(json!({"result": {}})).fails(), [SHUTDOWN]);
    }
}
