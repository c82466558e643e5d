//! Sessions that a server has lost over HTTP: from some request on none of them is answered any more, though each gets a status.
//! The first shows what is wrong; the rest are echoes of it and decide nothing.

use verdict::Transport;
use wire::Message;

use super::{Exchange, ExchangeEnd, Session};

/// Takes the verdict from requests of a session that had been lost before.
pub(super) fn spare_echoes(session: &mut Session<'_>) {
    if session.open.transport != Transport::Http {
        return;
    }
    // A request for a sign of life names the session as it is.
    let Some(id) =
        session.exchanges.iter().rev().filter(|exchange| is_liveness(exchange)).find_map(Exchange::session_id)
    else {
        return;
    };
    let own = |exchange: &Exchange<'_>| asks(exchange) && exchange.session_id() == Some(id);
    let last = session.exchanges.iter().rposition(|exchange| own(exchange) && is_answered(exchange));
    let from = last.map_or(0, |at| at + 1);
    let unanswered = |at: &usize| own(&session.exchanges[*at]) && session.exchanges[*at].status.is_some();
    let echoes: Vec<usize> = (from..session.exchanges.len()).filter(unanswered).skip(1).collect();
    if last.is_some() && echoes.iter().any(|at| is_liveness(&session.exchanges[*at])) {
        let early: Vec<usize> = (0..from).filter(unanswered).filter(|at| is_caught(session, *at, from - 1)).collect();
        for at in early.into_iter().chain(echoes) {
            session.exchanges[at].end = ExchangeEnd::Gone { alone: false };
        }
    }
}

/// Whether it was under way when the session was lost over a later one: of those after it, this one was still answered.
fn is_caught(session: &Session<'_>, at: usize, answered: usize) -> bool {
    let exchange = &session.exchanges[at];
    let answers = &session.exchanges[answered].answers;
    let served = answers.iter().filter_map(|answer| session.incoming.get(*answer)).map(|answer| answer.seq).max();
    !is_answered(exchange) && exchange.closed.zip(served).is_some_and(|(closed, served)| closed.seq > served)
}

fn is_liveness(exchange: &Exchange<'_>) -> bool {
    exchange.send.probe.is_none() && asks(exchange)
}

fn asks(exchange: &Exchange<'_>) -> bool {
    let request = |message: &Message| message.id.is_some() && message.method().is_some();
    exchange.send.http.as_deref() == Some("POST") && exchange.parsed.messages().iter().any(request)
}

/// An error that names no request answers it, unless it says that the session is unknown.
fn is_answered(exchange: &Exchange<'_>) -> bool {
    let unknown = exchange.status.is_some_and(|(status, _)| status == 404);
    !exchange.answers.is_empty() || (!exchange.unmatched.is_empty() && !unknown)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Transport};

    use crate::testing::Script;

    const ID: &[(&str, &str)] = &[("Mcp-Session-Id", "s")];

    fn post(script: Script, id: u32, intent: Option<Intent>, answer: Option<Value>) -> Script {
        let text = json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string();
        let script = script.request("POST", intent, Value::Null, ID, &text);
        let body = answer.map(|answer| answer.to_string()).unwrap_or_default();
        script.respond(200, &[("content-type", "application/json")], &body)
    }

    fn decided(script: &Script) -> Vec<bool> {
        script.look(|view| view.probes(Intent::PromptUnknown).map(|case| case.is_decided()).collect())
    }

    #[test]
    fn only_the_first_request_of_a_lost_session_decides_something() {
        let script = || Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        let result = |id: u32| Some(json!({"jsonrpc": "2.0", "id": id, "result": {}}));
        let probe = |script, id, answer| post(script, id, Some(Intent::PromptUnknown), answer);
        let lost = probe(probe(post(script(), 70, None, result(70)), 71, None), 72, None);
        assert_eq!(decided(&post(lost, 73, None, None)), [true, false]);
        // It goes on: each of them is on its own.
        let lives = probe(probe(post(script(), 70, None, result(70)), 71, None), 72, None);
        assert_eq!(decided(&post(lives, 73, None, result(73))), [true, true]);
    }

    #[test]
    fn what_was_under_way_when_a_later_one_was_answered_did_not_do_it() {
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        let text = |id: u32| json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string();
        let script = script.request("POST", Intent::PromptUnknown, Value::Null, ID, &text(70)).head(200, &[]);
        let caught = script.last_channel();
        let script = post(script, 71, None, Some(json!({"jsonrpc": "2.0", "id": 71, "result": {}})));
        let script = script.request("POST", Intent::PromptUnknown, Value::Null, ID, &text(72)).head(200, &[]);
        let lost = script.last_channel();
        let script = script.ends_on(caught, None).ends_on(lost, None);
        assert_eq!(decided(&post(script, 73, None, None)), [false, true]);
    }
}
