//! From when on a server over HTTP fails every request, also those that it answered before: its state is broken, and what it says
//! to a request from then on says nothing of that request.

use std::collections::HashSet;

use serde_json::Value;
use verdict::{Intent, Key};

use super::{Exchange, ExchangeEnd, Session, message_key};

/// Requests in a row that were answered with a result before, and fail now: fewer may be a moment's trouble.
const ROW: usize = 3;

/// A server that says of itself that it is there again soon is overloaded.
const UNAVAILABLE: u16 = 503;

/// From when on everything fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failing {
    /// The first request that failed: its position in the transcript.
    pub(crate) first: u32,
    /// One that was answered with a result before.
    pub(crate) known: u32,
    /// What was sent last before the first: the request whose response the tester no longer waited for, if any.
    pub(crate) after: Option<u32>,
    /// The tester closed the stream of `after`.
    pub(crate) dropped: bool,
}

fn is_request(exchange: &Exchange<'_>) -> bool {
    exchange.send.http.as_deref() == Some("POST") && !exchange.asks_for_none()
}

/// A status and nothing else.
fn fails(exchange: &Exchange<'_>) -> bool {
    let status = exchange.status.map(|(status, _)| status);
    exchange.answers.is_empty() && status.is_some_and(|status| status >= 500 && status != UNAVAILABLE)
}

/// A response to the request itself: anything may refuse one with a status before the server sees it.
fn is_served(exchange: &Exchange<'_>) -> bool {
    exchange.status.is_some_and(|(status, _)| status < 300) || !exchange.answers.is_empty()
}

/// When it was answered; if that is not known, when it was sent.
fn end(exchange: &Exchange<'_>) -> u32 {
    exchange.closed.map_or(exchange.seq, |closed| closed.seq)
}

/// Finds it, and takes back what came of the messages since.
pub(super) fn note(sessions: &mut [Session<'_>]) -> Option<Failing> {
    let (served, failing) = find(sessions)?;
    let exchanges = sessions.iter_mut().flat_map(|session| &mut session.exchanges);
    for exchange in exchanges.filter(|exchange| fails(exchange) && end(exchange) > served) {
        exchange.end = ExchangeEnd::Gone { alone: false };
        exchange.failing = true;
    }
    Some(failing)
}

/// The last request that was served, and what failed since: some of that may have been sent before.
fn find(sessions: &[Session<'_>]) -> Option<(u32, Failing)> {
    let posts = sessions.iter().flat_map(|session| &session.exchanges).filter(|exchange| is_request(exchange));
    let mut posts: Vec<&Exchange<'_>> = posts.collect();
    posts.sort_by_key(|exchange| exchange.seq);
    let served = posts.iter().rfind(|exchange| is_served(exchange))?.seq;
    let since = || posts.iter().copied().filter(|exchange| fails(exchange) && end(exchange) > served);
    let first = since().min_by_key(|exchange| end(exchange))?;
    let results = posts.iter().filter(|exchange| exchange.status.is_some_and(|(status, _)| status == 200));
    let known: HashSet<String> = results.map(|exchange| message_key(&exchange.send.text)).collect();
    let in_turn = row(since().filter(|exchange| known.contains(&message_key(&exchange.send.text))));
    let known = in_turn.get(..ROW)?.first()?.seq;
    // What was served after a stream was closed clears the closing.
    let dropped = sessions.iter().flat_map(drops).filter(|(at, _)| (served..end(first)).contains(at)).max();
    let before = posts.iter().rfind(|exchange| exchange.seq < first.seq).map(|exchange| exchange.seq);
    let after = dropped.map(|(_, dropped)| dropped).or(before);
    Some((served, Failing { first: first.seq, known, after, dropped: dropped.is_some() }))
}

/// Where the tester closed the stream of a request, and which.
fn drops(session: &Session<'_>) -> Vec<(u32, u32)> {
    let requests = || session.exchanges.iter().filter(|exchange| is_request(exchange));
    let aborted = requests().filter_map(|exchange| Some((exchange.aborted?, exchange.seq)));
    let hung_up = session.probes.iter().filter(|(_, probe)| probe.intent == Intent::HungUp);
    let left = hung_up.filter_map(|(at, probe)| {
        let channel = probe.get(Key::Channel).and_then(Value::as_u64);
        let left = requests().find(|exchange| Some(u64::from(exchange.send.channel)) == channel)?;
        Some((*at, left.seq))
    });
    aborted.chain(left).collect()
}

/// Those that were sent when the one before had failed: a burst may be too much for a server.
fn row<'v, 't: 'v>(failed: impl Iterator<Item = &'v Exchange<'t>>) -> Vec<&'v Exchange<'t>> {
    let mut row: Vec<&Exchange<'_>> = Vec::new();
    for exchange in failed {
        let closed = row.last().map(|last| last.closed.map(|closed| closed.seq));
        if closed.is_none_or(|closed| closed.is_some_and(|closed| closed < exchange.seq)) {
            row.push(exchange);
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Transport};

    use super::Failing;
    use crate::ExchangeEnd;
    use crate::testing::Script;

    fn post(script: Script, id: u32, status: u16) -> Script {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
        let body =
            if status == 200 { format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#) } else { String::new() };
        script.request("POST", Intent::Unknown, Value::Null, &[], &text).respond(status, &[], &body)
    }

    fn answered(statuses: &[u16]) -> Option<Failing> {
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({"tools": {}}));
        let script = statuses.iter().zip(70..).fold(script, |script, (status, id)| post(script, id, *status));
        script.look(|view| view.failing)
    }

    #[test]
    fn what_refuses_before_the_server_does_decides_nothing() {
        assert!(answered(&[200, 500, 403, 500, 500]).is_some());
    }

    #[test]
    fn three_known_requests_in_a_row_that_fail_are_the_end() {
        assert!(answered(&[200, 500, 500, 500]).is_some_and(|failing| !failing.dropped));
        assert_eq!(answered(&[200, 500, 500]), None);
        assert_eq!(answered(&[200, 500, 500, 500, 200]), None);
        assert_eq!(answered(&[500, 500, 500, 500]), None, "it never answered this");
        assert_eq!(answered(&[200, 503, 503, 503]), None);
    }

    #[test]
    fn nothing_that_comes_later_is_decided() {
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({"tools": {}}));
        let script =
            [200, 500, 500, 500].iter().zip(70..).fold(script, |script, (status, id)| post(script, id, *status));
        let ends: Vec<_> =
            script.look(|view| view.calls("tools/list").map(|case| (case.status(), case.exchange.end)).collect());
        assert_eq!(ends[0], (Some(200), ExchangeEnd::Answered));
        assert!(ends[1..].iter().all(|end| *end == (None, ExchangeEnd::Gone { alone: false })), "{ends:?}");
    }
}
