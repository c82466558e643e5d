//! Comparisons of several handshakes: the counter-offer is the newest version, equal requests have equal answers,
//! and a client that does not take an offer can come back.

use std::collections::BTreeMap;

use verdict::{Finding, Revision};

use super::handshake::{Greeting, greetings, handshake_revision, openings};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "lifecycle/latest",
    judges: &[
        "lifecycle.version.counter-offer-latest",
        "lifecycle.version.deterministic",
        "lifecycle.version.mismatch-survivable",
    ],
    judge,
};

const LATEST: &str = RULE.judges[0];
const SAME: &str = RULE.judges[1];
const RETURN: &str = RULE.judges[2];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let (openings, all) = (openings(view), greetings(view));
    for greeting in openings.iter().filter(|greeting| greeting.is_unknown()) {
        check_latest(greeting, &openings, collector);
        check_survivable(greeting, &all, collector);
    }
    check_deterministic(&openings, collector);
}

fn check_latest(greeting: &Greeting<'_>, openings: &[Greeting<'_>], collector: &mut Collector) {
    let Some(offer) = greeting.chosen().and_then(handshake_revision) else { return };
    let newest = openings.iter().filter_map(Greeting::agreed).max();
    if let Some(newest) = newest.filter(|newest| offer < *newest) {
        let finding = greeting.finding(
            "A client that requests an unknown version is offered an older version than the newest one the server supports.",
            &format!("a result with protocolVersion \"{newest}\", which the server accepts when requested"),
        );
        collector.fail(LATEST, finding);
    } else if offer == Revision::LATEST_HANDSHAKE || openings.iter().any(|other| asks_beyond(other, offer)) {
        collector.witness(LATEST);
    } else {
        collector.not_observed(LATEST, "no version newer than the counter-offer was requested");
    }
}

fn asks_beyond(greeting: &Greeting<'_>, offer: Revision) -> bool {
    greeting.asked().and_then(handshake_revision).is_some_and(|asked| asked > offer)
}

fn check_deterministic(openings: &[Greeting<'_>], collector: &mut Collector) {
    let mut chosen: BTreeMap<&str, &Greeting<'_>> = BTreeMap::new();
    for greeting in openings.iter().filter(|greeting| greeting.chosen().is_some()) {
        let Some(asked) = greeting.asked() else { continue };
        let Some(first) = chosen.get(asked) else {
            chosen.insert(asked, greeting);
            continue;
        };
        collector.check(SAME, first.chosen() == greeting.chosen(), || {
            let message = "The same initialize gets a different version in another session.";
            let expected =
                first.chosen().map_or_else(String::new, |version| format!("protocolVersion {version:?}, as before"));
            greeting.finding(message, &expected)
        });
    }
}

/// Whether a later session got the version that an earlier one was offered.
fn check_survivable(greeting: &Greeting<'_>, all: &[Greeting<'_>], collector: &mut Collector) {
    let Some(offer) = greeting.chosen().filter(|chosen| greeting.asked() != Some(*chosen)) else { return };
    let Some(heard) = greeting.case.answer().map(|answer| answer.seq) else { return };
    let returns = |other: &&Greeting<'_>| other.asked() == Some(offer) && other.case.exchange.seq > heard;
    // Where a session is open already, it need not be taken.
    let serves = |other: &&Greeting<'_>| other.case.result().is_some() || other.first && !other.is_ill_formed();
    let later = all.iter().filter(returns).filter(serves);
    // A client without capabilities may be refused for that.
    for other in later.filter(|other| other.case.result().is_some() || !other.has_no_capabilities()) {
        collector.check(RETURN, other.case.result().is_some(), || {
            let message = "A client that initializes again with the version it was offered is not served.";
            Finding { ..other.finding(message, "a result with that version") }
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::{LATEST, RETURN, SAME};
    use crate::testing::Script;

    fn greet(script: Script, intent: Intent, asked: &str, chosen: &str) -> Script {
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let result =
            json!({"protocolVersion": chosen, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}});
        script.bare().probe(intent, "initialize", params, json!({"result": result}))
    }

    fn start() -> Script {
        Script::new(Revision::V2025_06_18, json!({}))
    }

    #[test]
    fn an_unknown_version_may_be_asked_for_in_a_session_that_is_open() {
        let again = |intent, asked: &str, answer: Value| {
            let params =
                json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
            greet(start(), Intent::Unknown, "2025-11-25", "2025-11-25").probe(intent, "initialize", params, answer)
        };
        let result = |chosen: &str| json!({"result": {"protocolVersion": chosen, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}});
        let offered = |chosen| again(Intent::InitializeUnknown, "1999-01-01", result(chosen)).status_of(LATEST);
        assert_eq!((offered("2025-11-25"), offered("2025-06-18")), (Status::Pass, Status::Fail));
        let refused = json!({"error": {"code": -32600, "message": "already initialized"}});
        let refused = again(Intent::InitializeUnknown, "1999-01-01", refused);
        assert!(!refused.fails_in("lifecycle").contains(&LATEST), "it need not be taken there");
    }

    #[test]
    fn the_newest_version_is_offered() {
        let script = greet(start(), Intent::InitializeUnknown, "1999-01-01", "2025-11-25");
        assert_eq!(script.status_of(LATEST), Status::Pass);
        let script = greet(start(), Intent::InitializeUnknown, "1999-01-01", "2025-06-18");
        assert_eq!(script.status_of(LATEST), Status::NotObserved, "nobody asked for a newer one");
        let script = greet(script, Intent::Unknown, "2025-11-25", "2025-06-18");
        assert_eq!(script.status_of(LATEST), Status::Pass);
    }

    #[test]
    fn an_older_offer_fails() {
        let script = greet(start(), Intent::InitializeUnknown, "1999-01-01", "2024-11-05");
        assert_eq!(script.fails(), [LATEST]);
    }

    #[test]
    fn the_same_question_gets_the_same_answer() {
        let script = greet(start(), Intent::Unknown, "2025-06-18", "2025-06-18");
        assert_eq!(script.status_of(SAME), Status::Pass);
        let script = greet(
            greet(start(), Intent::Unknown, "2024-11-05", "2024-11-05"),
            Intent::Unknown,
            "2024-11-05",
            "2025-03-26",
        );
        assert!(script.fails().contains(&SAME));
    }

    #[test]
    fn a_client_can_come_back_with_the_offer() {
        let script = greet(start(), Intent::InitializeUnknown, "1999-01-01", "2025-06-18");
        let back = greet(script, Intent::Unknown, "2025-06-18", "2025-06-18");
        assert_eq!(back.status_of(RETURN), Status::Pass);
        let script = greet(start(), Intent::InitializeUnknown, "1999-01-01", "2025-06-18").bare();
        let refused = |script: Script, capabilities: Value| {
            let info = json!({"name": "t", "version": "1"});
            let params = json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": info});
            script.plain("initialize", params, json!({"error": {"code": -32000, "message": "no"}}))
        };
        let bare = refused(script, json!({}));
        assert_eq!(bare.status_of(RETURN), Status::NotObserved, "it may need capabilities");
        assert_eq!(refused(bare.bare(), json!({"roots": {}})).status_of(RETURN), Status::Fail);
    }
}
