//! Answers to ping.

use std::time::Duration;

use verdict::{Intent, Key, Level};

use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "ping/answers",
    judges: &[
        "ping.answered",
        "ping.result-empty",
        "ping.prompt",
        "ping.while-busy",
        "ping.before-initialize",
        "ping.with-meta",
        "ping.repeated",
        "ping.http-any-session",
        "ping.before-initialized",
    ],
    judge,
};

/// Intent, requirement, and what is wrong when there is no result.
const RESULT: [(Intent, &str, &str); 5] = [
    (
        Intent::PingPlain,
        "ping.answered",
        "ping does not return a result, so clients that use it to monitor the connection consider the server dead.",
    ),
    (
        Intent::PingMeta,
        "ping.with-meta",
        "ping with params that hold only _meta is not answered like ping without params.",
    ),
    (Intent::PingRepeated, "ping.repeated", "Not every one of several pings is answered."),
    (
        Intent::PingBeforeInitialized,
        "ping.before-initialized",
        "A ping between the initialize result and notifications/initialized is not answered, though it is the only request allowed there.",
    ),
    (
        Intent::PingPlain,
        "ping.http-any-session",
        "A ping posted within a session is not answered like any other request.",
    ),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let plain: Vec<Case<'_>> = view.probes(Intent::PingPlain).filter(Case::is_decided).collect();
    let unserved = !plain.is_empty() && !plain.iter().any(is_pong);
    for (intent, id, message) in RESULT {
        for case in view.probes(intent).filter(Case::is_decided) {
            if unserved && intent != Intent::PingPlain {
                collector.not_observed(id, "the server does not serve ping at all");
                continue;
            }
            collector.check(id, is_pong(&case), || {
                let mut finding = case.finding(message, "a result: {}");
                if case.result().is_some() {
                    "a result that says isError".clone_into(&mut finding.actual);
                }
                finding.place = case.about_str(Key::Kind).map(str::to_owned);
                finding
            });
        }
    }
    for case in view.calls("ping") {
        check_empty(&case, collector);
    }
    for case in view.probes(Intent::PingIdle) {
        check_prompt(&case, collector);
    }
    for case in view.probes(Intent::PingWhileBusy) {
        check_busy(&case, collector);
    }
    for session in &view.sessions {
        let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
        for case in cases.filter(|case| case.intent() == Some(Intent::PingFirst)) {
            check_first(&case, collector);
        }
    }
}

/// A result that says isError is an error: what some servers answer to every method that they do not know.
fn is_pong(case: &Case<'_>) -> bool {
    case.result().is_some_and(|result| result.get("isError") != Some(&serde_json::Value::Bool(true)))
}

/// The type leaves room for more, the text does not: further members are a hint.
fn check_empty(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "ping.result-empty";
    let Some(result) = case.result().filter(|_| is_pong(case)) else { return };
    let extra = result.as_object().map(|members| members.keys().filter(|name| *name != "_meta").count());
    if extra == Some(0) {
        return collector.witness(ID);
    }
    let mut finding = case.finding("The result of ping is not empty.", "an empty object");
    (if extra.is_some() { "an object with members" } else { "no object" }).clone_into(&mut finding.actual);
    finding.level = extra.map(|_| Level::Advice);
    collector.fail(ID, finding);
}

fn check_prompt(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "ping.prompt";
    if case.session.open.confirm {
        collector.repeated(ID);
    }
    if case.exchange.gave_up.is_some() {
        let message = "On an idle connection, ping is not answered in time, so clients that use it to monitor the connection give up on the server.";
        let mut finding = case.finding(message, "an answer within the time limit");
        "no answer within the time limit".clone_into(&mut finding.actual);
        collector.suspect(ID, case, finding);
    } else if case.result().is_some() && !is_pong(case) {
        let message = "ping gets a result that says isError, so the connection is not shown to be alive.";
        let mut finding = case.finding(message, "a result: {}");
        "a result that says isError".clone_into(&mut finding.actual);
        collector.fail(ID, finding);
    } else if case.exchange.end == ExchangeEnd::Answered {
        collector.witness(ID);
    }
}

/// How long a ping waits that is said to wait: any answer may take a moment.
const WAITS: Duration = Duration::from_millis(250);
/// One that waits so long is not answered promptly; below it is a matter of opinion.
const LONG: Duration = Duration::from_millis(700);

/// A ping that is answered right behind a call, and only then, waited for its end.
fn check_busy(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "ping.while-busy";
    let calls = case.session.exchanges.iter().filter(|other| other.seq < case.exchange.seq);
    let call =
        calls.rev().find(|other| other.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::SlowCall));
    let Some(call) = call else { return };
    if case.session.open.confirm {
        collector.repeated(ID);
    }
    let done = call.answers.first().and_then(|at| case.session.incoming.get(*at));
    match (case.answer(), case.exchange.end) {
        (Some(_), _) if case.result().is_some() && !is_pong(case) => {}
        (Some(answer), _) if done.is_none_or(|done| answer.seq < done.seq) => collector.witness(ID),
        (Some(answer), _) => {
            let waited = answer.at.saturating_sub(case.exchange.at);
            let behind = done.map_or(Duration::MAX, |done| answer.at.saturating_sub(done.at));
            if waited < WAITS || behind > waited / 4 {
                return collector.not_observed(ID, "the call was over before the ping was answered");
            }
            let message = "While a tool is running, ping is not answered: it waits for the end of the call, and clients give up on the server in the middle of a longer one.";
            let mut finding = case.finding(message, "an answer before the call ends, whatever else is running");
            "an answer right behind the result of the call".clone_into(&mut finding.actual);
            finding.level = (waited < LONG).then_some(Level::Should);
            collector.suspect(ID, case, finding);
        }
        (None, ExchangeEnd::GaveUp) => {
            let message = "While a tool is running, ping is not answered in time, so clients give up on the server in the middle of a call.";
            collector.fail(ID, case.finding(message, "an answer within the time limit, whatever else is running"));
        }
        _ => {}
    }
}

/// One sentence lets clients do it, another bars it: nothing but an answer counts.
fn check_first(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "ping.before-initialize";
    if is_pong(case) {
        collector.witness(ID);
    } else {
        collector.not_observed(ID, "a ping before initialize is not answered with a result, which a server may do");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Revision, Status, Transport};

    use super::*;
    use crate::testing::Script;

    fn script() -> Script {
        Script::new(Revision::V2025_11_25, json!({}))
    }

    fn pinged(script: Script, intent: Intent) -> Script {
        script.probe(intent, "ping", json!({}), json!({"result": {}}))
    }

    #[test]
    fn a_result_passes_and_anything_else_fails() {
        let error = json!({"error": {"code": -32601, "message": "x"}});
        for (intent, id, _) in &RESULT[..4] {
            assert_eq!(pinged(script(), *intent).status_of(id), Status::Pass);
            let refused = script().probe(*intent, "ping", json!({}), error.clone());
            assert_eq!(refused.fails_in("ping"), [*id]);
            assert_eq!(script().unanswered(*intent, "ping", json!({})).gave_up().fails_in("ping"), [*id]);
            assert_eq!(script().unanswered(*intent, "ping", json!({})).status_of(id), Status::NotObserved);
        }
        let http = || Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        assert_eq!(pinged(http(), Intent::PingPlain).status_of("ping.http-any-session"), Status::Pass);
        let refused =
            http().raw(Intent::PingPlain, json!({}), r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#).status(400);
        assert_eq!(refused.fails_in("ping"), ["ping.answered", "ping.http-any-session"]);
    }

    #[test]
    fn a_result_that_says_is_error_is_no_answer() {
        let unknown =
            json!({"result": {"content": [{"type": "text", "text": "Method not found: ping"}], "isError": true}});
        for (intent, id) in [
            (Intent::PingPlain, "ping.answered"),
            (Intent::PingRepeated, "ping.repeated"),
            (Intent::PingIdle, "ping.prompt"),
        ] {
            assert_eq!(script().probe(intent, "ping", json!({}), unknown.clone()).fails_in("ping"), [id]);
        }
    }

    #[test]
    fn the_result_is_empty_but_for_meta() {
        let with = |result: serde_json::Value| script().plain("ping", json!({}), json!({"result": result}));
        assert_eq!(with(json!({})).status_of("ping.result-empty"), Status::Pass);
        assert_eq!(with(json!({"_meta": {}})).status_of("ping.result-empty"), Status::Pass);
        let more = with(json!({"ok": true})).verdict("ping.result-empty");
        assert_eq!((more.status, more.level), (Status::Fail, Level::Advice));
        let wrong = with(json!("pong")).verdict("ping.result-empty");
        assert_eq!((wrong.status, wrong.level), (Status::Fail, Level::Must));
    }

    #[test]
    fn a_late_answer_on_an_idle_connection_fails_if_it_is_late_again() {
        let late = script().unanswered(Intent::PingIdle, "ping", json!({})).gave_up();
        assert_eq!(late.status_of("ping.prompt"), Status::Inconclusive);
        let again = late.session(true, json!({})).unanswered(Intent::PingIdle, "ping", json!({})).gave_up();
        assert_eq!(again.fails_in("ping"), ["ping.prompt"]);
        assert_eq!(pinged(script(), Intent::PingIdle).status_of("ping.prompt"), Status::Pass);
    }

    #[test]
    fn a_busy_server_answers_ping_in_time() {
        const ID: &str = "ping.while-busy";
        let call = || {
            script().raw(
                Intent::SlowCall,
                json!({}),
                r#"{"jsonrpc":"2.0","id":90,"method":"tools/call","params":{"name":"x"}}"#,
            )
        };
        let answer = r#"{"jsonrpc":"2.0","id":90,"result":{"content":[]}}"#;
        assert_eq!(pinged(call(), Intent::PingWhileBusy).says(answer).status_of(ID), Status::Pass);
        assert_eq!(pinged(call().says(answer), Intent::PingWhileBusy).status_of(ID), Status::NotObserved);
        let stuck = call().unanswered(Intent::PingWhileBusy, "ping", json!({})).gave_up().says(answer);
        assert_eq!(stuck.fails_in("ping"), [ID]);
    }

    #[test]
    fn a_ping_that_waits_for_the_end_of_a_call_fails_if_it_waits_again() {
        const ID: &str = "ping.while-busy";
        let call = r#"{"jsonrpc":"2.0","id":90,"method":"tools/call","params":{"name":"x"}}"#;
        let done = r#"{"jsonrpc":"2.0","id":90,"result":{"content":[]}}"#;
        let waits = |script: Script, milliseconds, more| {
            let script = script.raw(Intent::SlowCall, json!({}), call);
            let script = script.raw(Intent::PingWhileBusy, json!({}), r#"{"jsonrpc":"2.0","id":91,"method":"ping"}"#);
            script.pauses(milliseconds).says(done).pauses(more).says(r#"{"jsonrpc":"2.0","id":91,"result":{}}"#)
        };
        let once = |milliseconds, more| waits(script(), milliseconds, more);
        assert_eq!(once(900, 0).status_of(ID), Status::Inconclusive);
        let twice = |milliseconds| waits(once(milliseconds, 0).session(true, json!({})), milliseconds, 0).verdict(ID);
        assert_eq!((twice(900).status, twice(900).level), (Status::Fail, Level::Must));
        assert_eq!((twice(400).status, twice(400).level), (Status::Fail, Level::Should));
        assert_eq!(once(100, 0).status_of(ID), Status::NotObserved);
        assert_eq!(once(300, 300).status_of(ID), Status::NotObserved, "it waited for something else");
    }

    #[test]
    fn before_initialize_nothing_is_a_failure() {
        const ID: &str = "ping.before-initialize";
        assert_eq!(
            pinged(Script::empty(Revision::V2025_11_25).undecided(), Intent::PingFirst).status_of(ID),
            Status::Pass
        );
        let silent =
            Script::empty(Revision::V2025_11_25).undecided().unanswered(Intent::PingFirst, "ping", json!({})).exits(1);
        assert_eq!(silent.status_of(ID), Status::NotObserved);
    }
}
