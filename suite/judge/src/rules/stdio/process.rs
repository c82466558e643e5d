//! The process: it speaks over plain pipes, lives on while requests are open, and writes text to standard error.

use verdict::{Finding, Intent, Purpose, Transport};

use super::finding;
use crate::falls::{self, Cause, Fallen};
use crate::{Case, Collector, ExchangeEnd, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "stdio/process",
    judges: &["stdio.process.works-over-pipes", "stdio.process.stays-alive", "stdio.stderr.utf8"],
    judge,
};

const PIPES: &str = RULE.judges[0];
const ALIVE: &str = RULE.judges[1];
const STDERR: &str = RULE.judges[2];

fn judge(view: &View<'_>, collector: &mut Collector) {
    if view.transport != Transport::Stdio {
        return;
    }
    for session in &view.sessions {
        if let Some(exchange) = session.exchanges.first() {
            check_opening(&Case { view, session, exchange }, collector);
        }
    }
    check_alive(view, collector);
    for session in view.judged() {
        // What a process says while it is being made to end may come in time or not.
        let ends = session.open.is_for(Purpose::Ending);
        if !session.stderr.is_empty() && !ends {
            collector.check(STDERR, !session.odd_stderr, || {
                let message = "Standard error contains invalid UTF-8, so logs are garbled wherever they are shown.";
                finding(session, message, "UTF-8 text", "invalid UTF-8", Vec::new())
            });
        }
    }
}

/// The first thing said to a process: a plain `initialize` or `server/discover`.
fn check_opening(case: &Case<'_>, collector: &mut Collector) {
    let method = if case.view.revision.is_handshake() { "initialize" } else { "server/discover" };
    if case.method() != Some(method) || case.intent().is_some() {
        return;
    }
    match case.exchange.end {
        ExchangeEnd::Answered => collector.witness(PIPES),
        // In another session it was answered: then it is the time that was short, not the pipes.
        ExchangeEnd::GaveUp if case.view.judged().all(|session| session.incoming.is_empty()) => collector.fail(
            PIPES,
            case.finding(
                "Started as a child process with pipes, the server does not answer the first request.",
                "an answer, whether or not there is a terminal",
            ),
        ),
        _ => {}
    }
}

/// A server may end by itself, but not with requests outstanding. What certain messages brought about is for the requirements about
/// those messages; what is left is a process that ends whatever it is asked, or now and then. In whatever session it ended, nobody
/// can say any more that it stays alive.
fn check_alive(view: &View<'_>, collector: &mut Collector) {
    let idle = view.sessions.iter().filter(|session| session.fall.is_some() && is_left_alone(session));
    for session in idle {
        let message =
            "The process ends a moment after it was started, although nothing was asked of it: every tool is gone.";
        collector.fail(ALIVE, ended(session, message));
    }
    let fallen: Vec<Fallen> = falls::of(view).into_iter().filter(|fallen| fallen.ended).collect();
    for fallen in fallen.iter().filter(|fallen| fallen.cause == Cause::Unrepeated) {
        let message = "The process ends by itself with a request outstanding, though not again when the same is sent to a fresh one: the client waits in vain, and every tool is gone.";
        let sessions = view.sessions.iter().filter(|session| session.id == fallen.session);
        sessions.for_each(|session| collector.fail(ALIVE, ended(session, message)));
    }
    if !fallen.is_empty() {
        let reason = "the process ended by itself over input that other requirements are about";
        return collector.not_observed(ALIVE, reason);
    }
    for _ in view.judged().filter(|session| has_answered(session)) {
        collector.witness(ALIVE);
    }
}

/// Whether a process is only watched, to see whether it ends by itself.
fn is_left_alone(session: &Session<'_>) -> bool {
    session.open.confirm && session.probes.iter().any(|(_, probe)| probe.intent == Intent::Reproduced)
}

fn has_answered(session: &Session<'_>) -> bool {
    session.exchanges.iter().any(|exchange| exchange.end == ExchangeEnd::Answered)
}

/// The end of a process as a finding, with what was outstanding.
fn ended(session: &Session<'_>, message: &str) -> Finding {
    let mut open = session.exchanges.iter().filter(|exchange| matches!(exchange.end, ExchangeEnd::Gone { .. }));
    let last = open.next_back().or(session.exchanges.last());
    let wire = last.map(|exchange| format!("> {}", crate::view::clip(&exchange.send.text))).into_iter().collect();
    let actual = session.exit.map_or("it closed its output".to_owned(), |(_, exit)| format!("it {exit}"));
    finding(session, message, "a process that keeps running while its input is open", &actual, wire).fells()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::transcript::Kind;
    use verdict::{Intent, Revision, Status};

    use super::*;
    use crate::testing::Script;

    fn script() -> Script {
        Script::new(Revision::V2025_11_25, json!({}))
    }

    #[test]
    fn an_answered_opening_passes_and_one_that_nobody_answers_fails() {
        assert_eq!(script().status_of(PIPES), Status::Pass);
        let silent = Script::empty(Revision::V2026_07_28).undecided();
        let silent = silent.unanswered_plainly("server/discover", json!({})).gave_up();
        assert_eq!(silent.fails_in("stdio"), [PIPES]);
    }

    fn fresh() -> Script {
        script().plain("ping", json!({}), json!({"result": {}})).session(true, json!({}))
    }

    #[test]
    fn a_process_that_ends_over_what_others_are_about_does_not_pass() {
        let over = |script: Script| script.status_of(ALIVE);
        assert_eq!(over(script()), Status::Pass);
        assert_eq!(over(script().settled().unanswered_plainly("tools/list", json!({})).exits(0)), Status::NotObserved);
        assert_eq!(over(script().raw(Intent::MalformedJson, json!({}), "{").exits(1)), Status::NotObserved);
        assert_eq!(over(script().unanswered(Intent::DeepNesting, "ping", json!({})).exits(1)), Status::NotObserved);
    }

    #[test]
    fn a_session_that_the_server_ends_in_order_is_none_of_these() {
        assert_eq!(script().plain("ping", json!({}), json!({"result": {}})).exits(0).status_of(ALIVE), Status::Pass);
        let crashed = script().plain("ping", json!({}), json!({"result": {}})).exits(1);
        assert_eq!(crashed.status_of(ALIVE), Status::NotObserved);
    }

    #[test]
    fn a_process_that_ends_whatever_it_is_asked_fails() {
        let left = fresh().means(Intent::Reproduced, json!({"of": "nothing"}));
        assert_eq!(left.exits(1).fails_in("stdio"), [ALIVE]);
    }

    #[test]
    fn an_end_that_does_not_come_again_fails_too() {
        let ended = script().settled().unanswered(Intent::PromptGet, "prompts/get", json!({"name": "x"}));
        let ended = ended.means(Intent::Unrepeated, json!({})).exits(1);
        assert_eq!(ended.fails_in("stdio"), [ALIVE]);
        assert_eq!(ended.verdict(ALIVE).level, verdict::Level::Should);
    }

    #[test]
    fn bytes_on_standard_error_are_advice() {
        let said = |not_utf8| script().add(Kind::Stderr { text: "x".into(), not_utf8 });
        assert_eq!(said(true).fails_in("stdio"), [STDERR]);
        assert_eq!(said(false).status_of(STDERR), Status::Pass);
        assert_eq!(script().status_of(STDERR), Status::NotObserved);
    }
}
