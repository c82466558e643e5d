//! `logging/setLevel` until 2025-11-25: every level is accepted, at any time, and minded.

use serde_json::Value;
use verdict::{Intent, Key, Level};
use wire::mcp::{LOG_LEVELS, code};

use super::{gravity, logs, rank};
use crate::rules::during::{answer, request, told_of};
use crate::{Case, Collector, Exchange, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "logging/levels",
    judges: &[
        "logging.set-level.accepted",
        "logging.set-level.every-level",
        "logging.set-level.changeable",
        "logging.set-level.threshold",
        "logging.set-level.higher-still-sent",
        "logging.set-level.undeclared",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::LogLevel).filter(Case::is_decided) {
        check_accepted(&case, collector);
    }
    for case in view.probes(Intent::LogLevelUndeclared).filter(Case::is_decided) {
        check_undeclared(&case, collector);
    }
    for session in view.judged() {
        for (seq, _) in session.probes.iter().filter(|(_, probe)| probe.intent == Intent::LogThreshold) {
            check_minded(view, session, *seq, collector);
        }
    }
}

fn check_accepted(case: &Case<'_>, collector: &mut Collector) {
    if case.result().is_some_and(Value::is_object) {
        collector.witness("logging.set-level.accepted");
        collector.witness("logging.set-level.every-level");
        let more =
            case.result().and_then(Value::as_object).is_some_and(|result| result.keys().any(|name| name != "_meta"));
        if more {
            collector.note(
                "logging.set-level.accepted",
                "the result of logging/setLevel has members instead of being empty",
            );
        }
        return;
    }
    let served = case.view.probes(Intent::LogLevel).any(|other| other.result().is_some());
    let (id, message) = match (served, case.about_str(Key::Kind)) {
        (false, _) => {
            ("logging.set-level.accepted", "The server declares logging but does not serve logging/setLevel.")
        }
        (true, Some("again")) => ("logging.set-level.changeable", "The log level cannot be changed once it is set."),
        (true, _) => ("logging.set-level.every-level", "One of the eight log levels is not accepted."),
    };
    let mut finding = case.finding(message, "an empty result");
    finding.place = served.then(|| case.param("level").and_then(Value::as_str).map(str::to_owned)).flatten();
    if case.answer().is_none() && case.status().is_none() {
        collector.suspect(id, case, finding);
    } else {
        collector.fail(id, finding);
    }
}

fn check_undeclared(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "logging.set-level.undeclared";
    if case.view.declares("logging") {
        return;
    }
    let refused = case.error_code() == Some(code::METHOD_NOT_FOUND)
        || case.reply().is_none() && case.status().is_some_and(|s| s >= 400);
    collector.check(ID, refused, || {
        let message = "The server does not declare logging, but does not refuse logging/setLevel as unknown.";
        let mut finding = case.finding(message, "error -32601, as for any unsupported method");
        // That more is served than was declared no clause of these revisions forbids.
        finding.level = case.result().map(|_| Level::Advice);
        finding
    });
}

/// From a threshold to the next change of the level.
fn check_minded(view: &View<'_>, session: &Session<'_>, from: u32, collector: &mut Collector) {
    let sets =
        |exchange: &&Exchange<'_>| request(exchange).is_some_and(|sent| sent.method() == Some("logging/setLevel"));
    let Some(set) = session.exchanges.iter().rfind(|exchange| exchange.seq < from && sets(exchange)) else { return };
    let until = session
        .exchanges
        .iter()
        .find(|exchange| exchange.seq > from && sets(exchange))
        .map_or(u32::MAX, |next| next.seq);
    let case = Case { view, session, exchange: set };
    if forgets(view, session) {
        return;
    }
    let Some(level) = rank(case.param("level")).filter(|_| case.result().is_some()) else { return };
    if session.open.confirm {
        collector.repeated("logging.set-level.threshold");
        collector.repeated("logging.set-level.higher-still-sent");
        collector.repeated("logging.set-level.changeable");
    }
    let low =
        logs(session).find(|log| (from..until).contains(&log.seq) && gravity(log).is_some_and(|found| found < level));
    if let Some(log) = low {
        let message = "After a log level is set, messages below it still arrive.";
        let expected = format!("messages of level {} and above", LOG_LEVELS[level]);
        let actual = "a message of a lower level";
        collector.suspect("logging.set-level.threshold", &case, told_of(set, log, message, &expected, actual));
    }
    for exchange in session.exchanges.iter().filter(|exchange| (from..until).contains(&exchange.seq)) {
        check_exercised(&Case { view, session, exchange }, &case, level, until, collector);
    }
}

/// Over HTTP without a session id there is nothing that a level could be kept with.
fn forgets(view: &View<'_>, session: &Session<'_>) -> bool {
    let opening = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    let greeted = opening.into_iter().find(|case| case.method() == Some("initialize") && case.result().is_some());
    view.transport == verdict::Transport::Http
        && greeted.is_some_and(|case| case.header(crate::view::SESSION_ID).is_none())
}

/// A call of a tool that is known to log.
fn check_exercised(case: &Case<'_>, set: &Case<'_>, level: usize, until: u32, collector: &mut Collector) {
    if case.intent() != Some(Intent::LogExercise) || answer(case.session, case.exchange).is_none() {
        return;
    }
    if level > 0 {
        collector.witness("logging.set-level.threshold");
    }
    let known = case.about(Key::Levels).and_then(Value::as_array);
    let due = known.into_iter().flatten().any(|known| rank(Some(known)).is_some_and(|known| known >= level));
    if !due {
        return;
    }
    // Lowered from the highest level, the lower ones must come again.
    let again = level == 0;
    let lower = again
        && case
            .about(Key::Levels)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .any(|known| rank(Some(known)) < Some(7));
    let enough = |found: usize| found >= level && !(lower && found == 7);
    let came =
        logs(case.session).any(|log| (case.exchange.seq..until).contains(&log.seq) && gravity(log).is_some_and(enough));
    let id = if again { "logging.set-level.changeable" } else { "logging.set-level.higher-still-sent" };
    if came {
        return collector.witness(id);
    }
    let message = if again {
        "After the log level is lowered again, messages that it allows no longer arrive."
    } else {
        "After a log level is set, messages at or above it no longer arrive."
    };
    let mut finding = case.finding(message, format!("messages of level {} and above", LOG_LEVELS[level]));
    finding.actual = "no message".to_owned();
    finding.wire.splice(0..0, set.wire());
    collector.suspect(id, case, finding);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    const THRESHOLD: &str = "logging.set-level.threshold";
    const HIGHER: &str = "logging.set-level.higher-still-sent";
    const AGAIN: &str = "logging.set-level.changeable";

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"logging": {}}))
    }

    fn set(script: Script, kind: &str, level: &str, answer: Value) -> Script {
        let about = json!({"kind": kind});
        script.probe_about(Intent::LogLevel, about, "logging/setLevel", json!({"level": level}), answer)
    }

    fn good() -> Value {
        json!({"result": {}})
    }

    fn bad() -> Value {
        json!({"error": {"code": -32603, "message": "no"}})
    }

    /// A call of a tool that logs at two levels, after a level was set for good.
    fn call(script: Script, levels: &[&str]) -> Script {
        let about = json!({"levels": ["debug", "error"]});
        let mut script = script.means(Intent::LogThreshold, Value::Null);
        script.ask(Some((Intent::LogExercise, about)), "tools/call", json!({"name": "logs"}));
        for level in levels {
            let params = json!({"level": level, "data": 1});
            script = script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/message", "params": params}));
        }
        script.answer(json!({"result": {"content": []}}));
        script
    }

    #[test]
    fn every_level_is_accepted() {
        let all = wire::mcp::LOG_LEVELS.iter().fold(start(), |script, level| set(script, "each", level, good()));
        assert_eq!(all.status_of("logging.set-level.every-level"), Status::Pass);
        let one = set(set(start(), "each", "info", good()), "each", "notice", bad());
        assert_eq!(one.fails_in("logging"), ["logging.set-level.every-level"]);
        assert_eq!(set(start(), "each", "info", bad()).fails_in("logging"), ["logging.set-level.accepted"]);
        let twice = set(set(start(), "each", "info", good()), "again", "debug", bad());
        assert_eq!(twice.fails_in("logging"), [AGAIN]);
    }

    #[test]
    fn members_in_the_result_are_noted() {
        let verdict =
            set(start(), "each", "info", json!({"result": {"ok": true}})).verdict("logging.set-level.accepted");
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
    }

    #[test]
    fn the_level_is_minded_and_what_it_lets_through_still_comes() {
        let script = call(set(start(), "each", "error", good()), &["error"]);
        assert_eq!((script.status_of(THRESHOLD), script.status_of(HIGHER)), (Status::Pass, Status::Pass));
        let low = call(set(start(), "each", "error", good()), &["debug", "error"]);
        assert_eq!(low.status_of(THRESHOLD), Status::Inconclusive);
        let again = low.session(true, json!({"logging": {}}));
        assert_eq!(call(set(again, "each", "error", good()), &["debug", "error"]).fails(), [THRESHOLD]);
        let mute = call(set(start(), "each", "error", good()), &[]);
        assert_eq!(mute.status_of(HIGHER), Status::Inconclusive);
    }

    #[test]
    fn lowering_it_again_has_an_effect() {
        let there = || set(start(), "each", "emergency", good());
        let back = |levels: &[&str]| call(set(there(), "again", "debug", good()), levels);
        assert_eq!(back(&["debug"]).status_of(AGAIN), Status::Pass);
        assert_eq!(back(&[]).status_of(AGAIN), Status::Inconclusive);
    }

    #[test]
    fn what_was_under_way_when_the_level_was_set_may_arrive() {
        let script = set(start(), "each", "error", good());
        let params = json!({"level": "debug", "data": 1});
        let script = script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/message", "params": params}));
        assert_eq!(call(script, &["error"]).status_of(THRESHOLD), Status::Pass);
    }

    #[test]
    fn without_logging_the_method_is_unknown() {
        const ID: &str = "logging.set-level.undeclared";
        let ask = |answer| {
            let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
            script.probe(Intent::LogLevelUndeclared, "logging/setLevel", json!({"level": "info"}), answer)
        };
        assert_eq!(ask(json!({"error": {"code": -32601, "message": "no"}})).status_of(ID), Status::Pass);
        assert_eq!(ask(good()).fails_in("logging"), [ID]);
        assert_eq!(ask(bad()).fails_in("logging"), [ID]);
    }
}
