//! `initialize` is answered: as the first message, to a client without capabilities, and to one that says more than the
//! server knows.

use super::handshake::{Greeting, handshake_revision, openings};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "lifecycle/opening",
    judges: &[
        "lifecycle.initialize.answered",
        "lifecycle.initialize.first-message-served",
        "lifecycle.initialize.extra-client-fields",
        "lifecycle.initialize.empty-capabilities",
        "lifecycle.server-info.non-empty",
    ],
    judge,
};

const ANSWERED: &str = RULE.judges[0];
const FIRST: &str = RULE.judges[1];
const EXTRAS: &str = RULE.judges[2];
const EMPTY: &str = RULE.judges[3];
const INFO: &str = RULE.judges[4];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let openings = openings(view);
    // What is answered only when the input ends, no client waits for.
    if openings.iter().any(Greeting::is_at_the_end) && openings.iter().all(is_unflushed) {
        openings
            .iter()
            .filter(|greeting| greeting.case.exchange.gave_up.is_some())
            .for_each(|one| check_flushed(one, collector));
        return;
    }
    for greeting in &openings {
        if greeting.case.result().is_some() {
            check_served(greeting, collector);
        } else if !greeting.is_unknown() && greeting.asked().and_then(handshake_revision).is_some() {
            check_refused(greeting, &openings, collector);
        }
    }
}

/// Whether it had no answer as long as one was waited for.
fn is_unflushed(greeting: &Greeting<'_>) -> bool {
    greeting.is_at_the_end() || greeting.case.exchange.gave_up.is_some()
}

fn check_flushed(greeting: &Greeting<'_>, collector: &mut Collector) {
    let mut finding = greeting.finding(
        "initialize is answered only when the input ends: the output is not flushed, and clients wait for it in vain.",
        "a result that is flushed as soon as it is written",
    );
    "no answer before the input ended".clone_into(&mut finding.actual);
    collector.fail(ANSWERED, finding);
}

fn check_served(greeting: &Greeting<'_>, collector: &mut Collector) {
    if greeting.case.session.open.confirm {
        RULE.judges[..4].iter().for_each(|id| collector.repeated(id));
    }
    collector.witness(FIRST);
    if greeting.has_no_capabilities() {
        collector.witness(EMPTY);
    }
    if greeting.has_extras() {
        collector.witness(EXTRAS);
    }
    if !greeting.is_unknown() {
        collector.witness(ANSWERED);
        check_info(greeting, collector);
    }
}

fn check_info(greeting: &Greeting<'_>, collector: &mut Collector) {
    let info = greeting.case.result().and_then(|result| result.get("serverInfo"));
    for member in ["name", "version"] {
        let Some(text) = info.and_then(|info| info.get(member)).and_then(serde_json::Value::as_str) else { continue };
        collector.check(INFO, !text.trim().is_empty(), || {
            let mut finding = greeting.case.finding(
                "The server does not identify itself: users and logs show an empty name or version.",
                "a name and a version that are not blank",
            );
            (finding.actual, finding.place) = ("an empty string".to_owned(), Some(format!("serverInfo.{member}")));
            finding
        });
    }
}

/// An opening with a version that this server takes from others, or that nobody got any answer to.
fn check_refused(greeting: &Greeting<'_>, openings: &[Greeting<'_>], collector: &mut Collector) {
    let served: Vec<&Greeting<'_>> = openings.iter().filter(|other| other.case.result().is_some()).collect();
    let alike = || served.iter().filter(|other| other.chosen() == greeting.asked());
    if later(greeting, openings) {
        let finding = greeting.finding(
            "initialize is served only after another message, but it is the first message that a client sends.",
            "a result for initialize as the first message",
        );
        collector.fail_or_suspect(FIRST, &greeting.case, finding);
    } else if served.is_empty() {
        let finding = greeting.finding(
            "initialize does not return a result, so no client can start a session.",
            "a result with protocolVersion, capabilities and serverInfo",
        );
        collector.fail(ANSWERED, finding);
    } else if greeting.has_extras() {
        if alike().any(|other| !other.has_extras()) {
            collector.fail_or_suspect(EXTRAS, &greeting.case, extras_finding(greeting));
        }
    } else if greeting.has_no_capabilities() && alike().any(|other| !other.has_no_capabilities()) {
        without_capabilities(greeting, &served, collector);
    } else if alike().count() > 0 {
        let finding = greeting.finding("initialize does not return a result.", "a result, as in other sessions");
        collector.suspect(ANSWERED, &greeting.case, finding);
    }
}

fn extras_finding(greeting: &Greeting<'_>) -> verdict::Finding {
    greeting.finding(
        "A client whose initialize contains members unknown to the server is refused, so newer clients cannot connect.",
        "a result, as without the additional members",
    )
}

/// A server may refuse a client that lacks what it cannot do without, but it has to say so.
/// Silence is the server's way only if no such client was ever served: otherwise it was slow.
fn without_capabilities(greeting: &Greeting<'_>, served: &[&Greeting<'_>], collector: &mut Collector) {
    if greeting.case.error().is_some() {
        collector.not_observed(
            EMPTY,
            "the server refuses clients without capabilities, which is allowed if it cannot work without them",
        );
        collector.not_observed(ANSWERED, "the server refuses clients without capabilities");
    } else {
        let finding = greeting.finding(
            "initialize with empty capabilities is not answered, though clients need not have any.",
            "a result, as for clients with capabilities",
        );
        if served.iter().any(|other| other.has_no_capabilities()) {
            collector.suspect(EMPTY, &greeting.case, finding);
        } else {
            collector.fail(EMPTY, finding);
        }
    }
}

/// Whether the same version is taken behind another message, and by nobody as the first one.
fn later(greeting: &Greeting<'_>, openings: &[Greeting<'_>]) -> bool {
    let same = |other: &Greeting<'_>| other.chosen().is_some() && other.chosen() == greeting.asked();
    let all = super::handshake::greetings(greeting.case.view);
    !openings.iter().any(same) && all.iter().any(|other| !other.first && same(other))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::{ANSWERED, EMPTY, EXTRAS, FIRST, INFO};
    use crate::testing::Script;

    const REVISION: Revision = Revision::V2025_06_18;

    fn params(capabilities: &Value) -> Value {
        json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}})
    }

    fn result(info: &Value) -> Value {
        json!({"result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": info}})
    }

    fn error() -> Value {
        json!({"error": {"code": -32602, "message": "no"}})
    }

    fn good() -> Script {
        Script::new(REVISION, json!({}))
    }

    #[test]
    fn an_ordinary_opening_passes() {
        for id in [ANSWERED, FIRST, EMPTY, INFO] {
            assert_eq!(good().status_of(id), Status::Pass, "{id}");
        }
        assert_eq!(good().status_of(EXTRAS), Status::NotObserved);
    }

    #[test]
    fn an_error_for_every_client_is_no_answer() {
        let script = Script::empty(REVISION).bare().plain("initialize", params(&json!({})), error());
        assert_eq!(script.fails(), [ANSWERED]);
    }

    #[test]
    fn a_result_at_the_end_of_the_input_is_none_that_anyone_waits_for() {
        let silent = || Script::empty(REVISION).bare().unanswered_plainly("initialize", params(&json!({}))).gave_up();
        let end = |script: Script| script.bare().means(Intent::Eof, json!({"when": "handshake"}));
        let flushes = |script: &Script| {
            let verdict = script.verdict(ANSWERED);
            assert_eq!(verdict.status, Status::Fail);
            !verdict.findings.iter().any(|finding| finding.message.contains("not flushed"))
        };
        let info = json!({"name": "s", "version": "1"});
        assert!(!flushes(&end(silent()).plain("initialize", params(&json!({})), result(&info))));
        assert!(flushes(&end(silent()).unanswered_plainly("initialize", params(&json!({})))));
    }

    #[test]
    fn neither_a_result_nor_an_error_is_no_result() {
        let script = Script::empty(REVISION).bare().plain("initialize", params(&json!({})), json!({}));
        assert_eq!(script.fails(), [ANSWERED]);
    }

    #[test]
    fn silence_in_one_session_of_two_is_looked_at_again() {
        let mut script = good().bare();
        script.ask(None, "initialize", params(&json!({})));
        assert_eq!(script.gave_up().status_of(ANSWERED), Status::Inconclusive);
    }

    #[test]
    fn a_slow_start_is_no_finding() {
        let full = Script::new(REVISION, json!({})).bare().plain(
            "initialize",
            params(&json!({"roots": {}})),
            result(&json!({})),
        );
        let mut script = full.bare();
        script.ask(None, "initialize", params(&json!({})));
        assert_eq!(script.gave_up().status_of(EMPTY), Status::Inconclusive);
    }

    #[test]
    fn additional_members_must_not_matter() {
        let about = json!({"extras": true});
        let taken = good().bare().probe_about(
            Intent::InitializeExtras,
            about.clone(),
            "initialize",
            params(&json!({})),
            result(&json!({})),
        );
        assert_eq!(taken.status_of(EXTRAS), Status::Pass);
        let refused =
            good().bare().probe_about(Intent::InitializeExtras, about, "initialize", params(&json!({})), error());
        assert_eq!(refused.fails(), [EXTRAS]);
    }

    #[test]
    fn a_refusal_of_an_unknown_version_says_nothing_of_additional_members() {
        let about = json!({"extras": true});
        let script = good().bare().probe_about(
            Intent::InitializeUnknown,
            about,
            "initialize",
            json!({"protocolVersion": "2099-12-31"}),
            error(),
        );
        assert_eq!(script.status_of(EXTRAS), Status::NotObserved);
    }

    #[test]
    fn a_server_may_need_capabilities_but_must_say_so() {
        let rich = params(&json!({"sampling": {}}));
        let script = Script::empty(REVISION).bare().plain(
            "initialize",
            rich.clone(),
            result(&json!({"name": "s", "version": "1"})),
        );
        let refused = script.bare().plain("initialize", params(&json!({})), error());
        assert_eq!(refused.status_of(EMPTY), Status::NotObserved);
        assert!(refused.fails().is_empty());
        let script =
            Script::empty(REVISION).bare().plain("initialize", rich, result(&json!({"name": "s", "version": "1"})));
        let mut script = script.bare();
        script.ask(None, "initialize", params(&json!({})));
        assert_eq!(script.exits(1).fails(), [EMPTY]);
    }

    #[test]
    fn a_server_that_wants_another_message_first_fails() {
        let script = Script::empty(REVISION).bare().plain("initialize", params(&json!({})), error());
        let script = script.bare().plain("ping", json!({}), json!({"result": {}}));
        let script = script.plain("initialize", params(&json!({})), result(&json!({"name": "s", "version": "1"})));
        assert_eq!(script.fails(), [FIRST]);
    }

    #[test]
    fn an_empty_version_is_an_advice() {
        let script = Script::empty(REVISION).bare();
        let script = script.plain("initialize", params(&json!({})), result(&json!({"name": "s", "version": ""})));
        assert_eq!(script.fails(), [INFO]);
    }
}
