//! The process: it speaks over plain pipes, lives on while requests are open, and writes text to standard error.

use verdict::transcript::Ending;
use verdict::{Intent, Transport};

use wire::Message;

use super::finding;
use crate::{Case, Collector, Exchange, ExchangeEnd, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "stdio/process",
    judges: &["stdio.process.works-over-pipes", "stdio.process.stays-alive", "stdio.stderr.utf8"],
    judge,
};

const PIPES: &str = RULE.judges[0];
const ALIVE: &str = RULE.judges[1];
const STDERR: &str = RULE.judges[2];

/// Input larger than this is a probe of size, for other rules.
const LARGE: usize = 64 << 10;

fn judge(view: &View<'_>, collector: &mut Collector) {
    if view.transport != Transport::Stdio {
        return;
    }
    for session in &view.sessions {
        if let Some(exchange) = session.exchanges.first() {
            check_opening(&Case { view, session, exchange }, collector);
        }
    }
    for session in view.judged() {
        check_alive(session, collector);
        // What a process says while it is being made to end may come in time or not.
        let ends = session.open.purpose.starts_with("stdio/");
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

/// A server may end by itself, but not with well-formed requests unanswered. What ends over malformed or hostile input
/// is for the rules about that input.
fn check_alive(session: &Session<'_>, collector: &mut Collector) {
    let own = session.exit.filter(|(_, exit)| exit.after == Ending::Nothing);
    let open = |exchange: &&Exchange<'_>| matches!(exchange.end, ExchangeEnd::Gone { .. }) && !asks_for_none(exchange);
    if own.is_none() && session.closed.is_none() {
        if session.exchanges.iter().any(|exchange| exchange.end == ExchangeEnd::Answered) {
            collector.witness(ALIVE);
        }
        return;
    }
    let open: Vec<&Exchange<'_>> = session.exchanges.iter().filter(open).collect();
    // With several it is not known which; they are sent again one by one. After odd input it may be that.
    let [only] = open.as_slice() else { return };
    let before = session.exchanges.iter().filter(|exchange| exchange.seq < only.seq);
    let odd = before.clone().any(|exchange| !is_plain(exchange) && !asks_for_none(exchange));
    if is_plain(only) && !odd && only.end == (ExchangeEnd::Gone { alone: true }) {
        let wire = vec![format!("> {}", crate::view::clip(&only.send.text))];
        let actual = own.map_or("it closed its output".to_owned(), |(_, exit)| format!("it {exit}"));
        let message = "The server exits on a well-formed request; the client waits in vain, and every tool is gone.";
        collector.fail(ALIVE, finding(session, message, "an answer, and a process that keeps running", &actual, wire));
    }
}

/// A well-formed notification or response.
fn asks_for_none(exchange: &Exchange<'_>) -> bool {
    let none = |message: &Message| message.kind != wire::Kind::Request && message.defects.is_empty();
    matches!(exchange.parsed.messages(), [message] if none(message))
}

/// A well-formed request of ordinary size that is no probe of robustness.
fn is_plain(exchange: &Exchange<'_>) -> bool {
    let hostile = [
        Intent::DeepNesting,
        Intent::LargeMessage,
        Intent::IdInFlight,
        Intent::InvalidUtf8,
        Intent::OneWrite,
        Intent::ModernProbe,
    ];
    let probe = exchange.send.probe.as_ref().is_some_and(|probe| hostile.contains(&probe.intent));
    let [message] = exchange.parsed.messages() else { return false };
    !probe
        && exchange.send.text.len() < LARGE
        && message.kind == wire::Kind::Request
        && message.defects.is_empty()
        && exchange.parsed.duplicates.is_empty()
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

    #[test]
    fn a_server_that_ends_over_a_plain_request_fails() {
        let script = script().settled().unanswered_plainly("tools/list", json!({})).exits(0);
        assert_eq!(script.fails_in("stdio"), [ALIVE]);
    }

    #[test]
    fn an_idle_end_is_allowed_and_one_over_odd_input_is_for_others() {
        assert_eq!(script().exits(0).status_of(ALIVE), Status::NotObserved);
        assert_eq!(script().raw(Intent::MalformedJson, json!({}), "{").exits(1).status_of(ALIVE), Status::NotObserved);
        let deep = script().unanswered(Intent::DeepNesting, "ping", json!({})).exits(1);
        assert_eq!(deep.status_of(ALIVE), Status::NotObserved);
        assert_eq!(script().status_of(ALIVE), Status::Pass);
    }

    #[test]
    fn bytes_on_standard_error_are_advice() {
        let said = |not_utf8| script().add(Kind::Stderr { text: "x".into(), not_utf8 });
        assert_eq!(said(true).fails_in("stdio"), [STDERR]);
        assert_eq!(said(false).status_of(STDERR), Status::Pass);
        assert_eq!(script().status_of(STDERR), Status::NotObserved);
    }
}
