//! A request that is the first thing a connection hears: nothing must have come before it.

use verdict::{Intent, Transport};

use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "discover/first",
    judges: &["discover.optional-for-client", "discover.stateless.no-handshake", "discover.stateless.fresh-process"],
    judge,
};

const OPTIONAL: &str = RULE.judges[0];
const HANDSHAKE: &str = RULE.judges[1];
const PROCESS: &str = RULE.judges[2];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::FirstMessage).filter(Case::is_decided) {
        check_first(view, &case, collector);
    }
    for id in RULE.judges {
        collector.not_observed(id, "the server declares no list that could be requested first");
    }
}

fn check_first(view: &View<'_>, case: &Case<'_>, collector: &mut Collector) {
    if case.result().is_some() {
        return RULE.judges.iter().for_each(|id| collector.witness(id));
    }
    if is_answered(view, case.session, Intent::AfterDiscover) {
        let message = "A request is served only after server/discover, though every request is self-contained.";
        tell(OPTIONAL, case, message, collector);
    } else {
        collector.not_observed(OPTIONAL, "the same request is not served after server/discover either");
    }
    let shaken = view.sessions.iter().any(|session| is_answered(view, session, Intent::AfterHandshake));
    if shaken && !is_served(view, case) {
        let message = "A request of 2026-07-28 is served only after initialize, though this revision has no handshake.";
        tell(HANDSHAKE, case, message, collector);
    } else {
        collector.not_observed(HANDSHAKE, "the same request is not served after a handshake either");
    }
    if view.transport == Transport::Stdio && is_served(view, case) {
        let message = "A fresh process does not serve a request that an older process serves.";
        tell(PROCESS, case, message, collector);
    }
}

/// A probe of the session got a result.
fn is_answered(view: &View<'_>, session: &Session<'_>, intent: Intent) -> bool {
    let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    cases.any(|case| case.intent() == Some(intent) && case.result().is_some())
}

/// An ordinary request of the same method got a result.
fn is_served(view: &View<'_>, case: &Case<'_>) -> bool {
    let ordinary =
        |other: &Case<'_>| other.method() == case.method() && matches!(other.intent(), None | Some(Intent::Walk));
    view.cases().filter(ordinary).any(|other| other.result().is_some())
}

fn tell(id: &'static str, case: &Case<'_>, message: &str, collector: &mut Collector) {
    let finding = case.finding(message, "a result");
    // A process that starts slowly is asked once more.
    if case.error().is_some() { collector.fail(id, finding) } else { collector.suspect(id, case, finding) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::{HANDSHAKE, OPTIONAL, PROCESS, RULE};
    use crate::testing::Script;

    fn listed() -> Value {
        json!({"result": {"resultType": "complete", "prompts": [], "ttlMs": 0, "cacheScope": "public"}})
    }

    fn refused() -> Value {
        json!({"error": {"code": -32600, "message": "Something else comes first"}})
    }

    fn start() -> Script {
        Script::new(Revision::V2026_07_28, json!({"prompts": {}}))
    }

    #[test]
    fn a_list_may_come_first() {
        let script = start().plain("prompts/list", json!({}), listed()).bare();
        let script = script.probe(Intent::FirstMessage, "prompts/list", json!({}), listed());
        for id in RULE.judges {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn a_server_that_waits_for_discover_fails() {
        let script = start().plain("prompts/list", json!({}), listed()).bare();
        let script = script.probe(Intent::FirstMessage, "prompts/list", json!({}), refused());
        let script = script.probe(Intent::AfterDiscover, "prompts/list", json!({}), listed());
        assert_eq!(script.fails_in("discover"), [OPTIONAL, PROCESS]);
    }

    #[test]
    fn a_server_that_waits_for_initialize_fails() {
        let script = start().plain("prompts/list", json!({}), refused()).bare();
        let script = script.probe(Intent::FirstMessage, "prompts/list", json!({}), refused());
        let script = script.probe(Intent::AfterDiscover, "prompts/list", json!({}), refused());
        assert_eq!(script.status_of(HANDSHAKE), Status::NotObserved);
        let script = script.undecided().probe(Intent::AfterHandshake, "prompts/list", json!({}), listed());
        assert_eq!(script.status_of(HANDSHAKE), Status::Fail);
        assert_eq!(script.status_of(OPTIONAL), Status::NotObserved);
    }

    #[test]
    fn a_slow_process_is_asked_again() {
        let silent = |script: Script| script.unanswered(Intent::FirstMessage, "prompts/list", json!({})).gave_up();
        let script = silent(start().plain("prompts/list", json!({}), listed()).bare());
        assert_eq!(script.status_of(PROCESS), Status::Inconclusive);
        let script = silent(script.session(true, json!({"prompts": {}})));
        assert_eq!(script.status_of(PROCESS), Status::Fail);
    }
}
