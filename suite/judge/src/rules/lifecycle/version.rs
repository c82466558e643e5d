//! The version that `initialize` is answered with. Looks at every session: one that asks for a version that does not
//! exist settles on another revision, or on none.

use serde_json::Value;
use wire::mcp::code;

use super::handshake::{Greeting, greetings, handshake_revision, openings};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "lifecycle/version",
    judges: &[
        "lifecycle.version.same-if-supported",
        "lifecycle.version.counter-offer",
        "lifecycle.version.no-blind-echo",
        "lifecycle.version.no-modern-by-handshake",
        "lifecycle.version.released",
    ],
    judge,
};

const SAME: &str = RULE.judges[0];
const OFFER: &str = RULE.judges[1];
const ECHO: &str = RULE.judges[2];
const MODERN: &str = RULE.judges[3];
const RELEASED: &str = RULE.judges[4];

const MODERN_NAME: &str = "2026-07-28";

fn judge(view: &View<'_>, collector: &mut Collector) {
    let openings = openings(view);
    let offered: Vec<&str> = openings.iter().filter_map(Greeting::chosen).collect();
    for greeting in &openings {
        check_same(greeting, &offered, collector);
        if greeting.is_unknown() {
            counter_offer(greeting, collector);
        }
    }
    for greeting in greetings(view).iter().filter(|greeting| !greeting.is_ill_formed()) {
        check_echo(greeting, collector);
        check_modern(greeting, collector);
        check_released(greeting, &offered, collector);
    }
}

/// A version that the server named itself, in whatever session, is one that it supports.
fn check_same(greeting: &Greeting<'_>, offered: &[&str], collector: &mut Collector) {
    let Some(asked) = greeting.asked().filter(|asked| handshake_revision(asked).is_some()) else { return };
    let Some(chosen) = greeting.chosen() else { return };
    if chosen == asked {
        collector.witness(SAME);
    } else if offered.contains(&asked) {
        let message = "A version that the server itself has offered is not accepted when a client requests it.";
        collector.fail(SAME, greeting.finding(message, "a result with the requested version"));
    } else {
        collector.note(SAME, format!("{asked} is answered with a different version; the server may not support it"));
    }
}

fn counter_offer(greeting: &Greeting<'_>, collector: &mut Collector) {
    if greeting.case.session.open.confirm {
        collector.repeated(OFFER);
    }
    if greeting.case.result().is_some() {
        // A result that repeats the version asked for is the business of no-blind-echo.
        if greeting.chosen() != greeting.asked() {
            collector.witness(OFFER);
        }
    } else if names_supported(&greeting.case) {
        collector.note(
            OFFER,
            "an unknown version is refused with an error that lists the supported ones, instead of a counter-offer",
        );
        collector.not_observed(
            OFFER,
            "an unknown version is refused with an error that lists the supported ones, as in an example on the specification page",
        );
    } else if !greeting.has_extras() {
        let finding = greeting.finding(
            "A client that requests a version unknown to the server is refused instead of being offered another version.",
            "a result with a protocolVersion that the server supports",
        );
        collector.fail_or_suspect(OFFER, &greeting.case, finding);
    }
}

fn names_supported(case: &Case<'_>) -> bool {
    let supported = case.error().and_then(|error| error.pointer("/data/supported")).and_then(Value::as_array);
    case.error_code() == Some(code::INVALID_PARAMS) && supported.is_some_and(|supported| !supported.is_empty())
}

fn check_echo(greeting: &Greeting<'_>, collector: &mut Collector) {
    if !greeting.is_unknown() {
        return;
    }
    match greeting.chosen() {
        Some(chosen) if greeting.asked() == Some(chosen) => {
            let message = "A nonexistent protocol version is accepted as if the server supported it.";
            collector.fail(ECHO, greeting.finding(message, "a different version that the server supports"));
        }
        Some(_) => collector.witness(ECHO),
        // Later in a session the refusal may be for being the second initialize.
        None if greeting.first && greeting.case.error().is_some() => collector.witness(ECHO),
        None => {}
    }
}

fn check_modern(greeting: &Greeting<'_>, collector: &mut Collector) {
    if greeting.chosen() == Some(MODERN_NAME) {
        let message = "initialize is answered with 2026-07-28, a revision without initialize.";
        collector.fail(MODERN, greeting.finding(message, "a revision up to 2025-11-25, or an error"));
    } else if greeting.asked() == Some(MODERN_NAME) && greeting.case.reply().is_some() {
        collector.witness(MODERN);
    }
}

fn check_released(greeting: &Greeting<'_>, offered: &[&str], collector: &mut Collector) {
    let Some(chosen) = greeting.chosen() else { return };
    if greeting.is_unknown() && greeting.asked() == Some(chosen) {
        return;
    }
    collector.check(RELEASED, chosen.parse::<verdict::Revision>().is_ok(), || {
        let message = "initialize is answered with a version that is not a released revision.";
        let mut finding = greeting.finding(message, "one of the released revisions");
        // Who offers no other is of no use to any client.
        let never = !offered.iter().any(|version| version.parse::<verdict::Revision>().is_ok());
        finding.level = never.then_some(verdict::Level::Should);
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use super::{ECHO, MODERN, OFFER, RELEASED, SAME};
    use crate::testing::Script;

    fn start() -> Script {
        Script::new(Revision::V2025_06_18, json!({}))
    }

    fn result(version: &str) -> Value {
        json!({"result": {"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}})
    }

    fn params(version: &str) -> Value {
        json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
    }

    fn unknown(script: Script, version: &str, answer: Value) -> Script {
        script.probe(Intent::InitializeUnknown, "initialize", params(version), answer)
    }

    fn refusal(data: &Value) -> Value {
        json!({"error": {"code": -32602, "message": "Unsupported protocol version", "data": data}})
    }

    #[test]
    fn a_counter_offer_passes() {
        let script = unknown(start().bare(), "1999-01-01", result("2025-11-25"));
        for id in [SAME, OFFER, ECHO, RELEASED] {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn an_offered_version_must_be_taken() {
        let script = unknown(start().bare(), "1999-01-01", result("2025-11-25"));
        let script = script.bare().plain("initialize", params("2025-11-25"), result("2025-06-18"));
        assert_eq!(script.status_of(SAME), Status::Fail);
    }

    #[test]
    fn an_older_version_that_was_never_offered_may_be_unsupported() {
        let script = start().bare().plain("initialize", params("2024-11-05"), result("2025-06-18"));
        assert!(script.fails().is_empty());
        assert_eq!(script.verdict(SAME).notes.len(), 1);
    }

    #[test]
    fn an_error_is_no_counter_offer() {
        let script = unknown(start().bare(), "2099-12-31", refusal(&Value::Null));
        assert_eq!(script.fails(), [OFFER]);
        let mut silent = start().bare();
        silent.ask(Some((Intent::InitializeUnknown, Value::Null)), "initialize", params("2099-12-31"));
        assert_eq!(silent.exits(1).status_of(OFFER), Status::Fail);
    }

    #[test]
    fn an_error_that_lists_the_versions_is_a_warning() {
        let script = unknown(start().bare(), "2099-12-31", refusal(&json!({"supported": ["2025-06-18"]})));
        assert_eq!((script.status_of(OFFER), script.verdict(OFFER).notes.len()), (Status::NotObserved, 1));
    }

    #[test]
    fn a_version_that_does_not_exist_is_not_repeated() {
        for version in ["1999-01-01", "not-a-version", ""] {
            let script = unknown(start().bare(), version, result(version));
            assert_eq!(script.fails(), [ECHO], "{version}");
            assert!(unknown(start().bare(), "", refusal(&json!({"supported": ["2025-06-18"]}))).fails().is_empty());
        }
    }

    #[test]
    fn a_second_initialize_may_be_refused_and_still_shows_an_echo() {
        let script = unknown(start().bare(), "1999-01-01", result("2025-06-18"));
        let script = unknown(script, "not-a-version", refusal(&Value::Null));
        assert!(script.fails().is_empty());
        assert_eq!(unknown(script, "", result("")).fails(), [ECHO]);
    }

    #[test]
    fn the_handshake_does_not_select_the_revision_without_one() {
        let ask = |answer| start().bare().plain("initialize", params("2026-07-28"), answer);
        assert_eq!(ask(result("2025-11-25")).status_of(MODERN), Status::Pass);
        assert_eq!(ask(refusal(&Value::Null)).status_of(MODERN), Status::Pass);
        assert_eq!(ask(result("2026-07-28")).fails(), [MODERN]);
    }

    #[test]
    fn an_unreleased_version_is_an_advice() {
        let script = unknown(start().bare(), "1999-01-01", result("2024-10-07"));
        assert_eq!(script.fails(), [RELEASED]);
        assert_eq!(script.verdict(RELEASED).level, Level::Advice, "it offered another one elsewhere");
        let only = Script::empty(Revision::V2025_06_18).bare();
        let only = only.plain("initialize", params("2025-06-18"), result("2024-10-07"));
        assert_eq!(only.verdict(RELEASED).findings[0].level, Some(Level::Should), "nothing else is offered");
    }
}
