//! From when on a server over HTTP fails every request, also those that it answered before, or answers none any more: its state is
//! broken, and what it says to a request from then on says nothing of that request.

mod ended;
pub(crate) mod faltering;

use std::collections::HashSet;

use serde_json::Value;
use verdict::{Intent, Key};

use super::{Exchange, ExchangeEnd, Session};

/// Requests in a row that were answered before, and fail now: fewer may be a moment's trouble.
pub const FAILURES: usize = 3;

/// A server that says of itself that it is there again soon is overloaded.
const UNAVAILABLE: u16 = 503;

/// Whether an HTTP status says that the server failed.
#[must_use]
pub fn is_failure(status: u16) -> bool {
    status >= 500 && status != UNAVAILABLE
}

/// From when on everything fails. Requests are named by their position in the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failing {
    /// What was on its way when a request was answered for the last time, else the first that was sent then: one of them broke the
    /// server, unless what came before did.
    pub(crate) suspects: Vec<u32>,
    /// One that was answered before.
    pub(crate) known: u32,
    /// What was sent last before all of them, or the request whose stream the tester closed.
    pub(crate) after: Option<u32>,
    /// The tester closed the stream of `after`.
    pub(crate) dropped: bool,
    /// It accepts no connection any more.
    pub(crate) ended: bool,
    /// Then: the suspects are of one kind, or there is only one, so that what is known of them is judged.
    pub(crate) alike: bool,
}

/// A request, and what came of it.
#[derive(Clone, Copy)]
struct Post<'v, 't> {
    exchange: &'v Exchange<'t>,
    session: u32,
    came: Came,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Came {
    /// A response to the request itself, and its `seq`: anything may refuse one before the server sees it, also in JSON-RPC.
    Served(u32),
    /// A status and nothing else; `seq` of its end.
    Failed(u32),
    /// Nothing at all; `seq` of when the time limit passed.
    Silence(u32),
    /// The connection ended before a response, or there was none; `seq` of its end.
    Gone(u32),
    /// What says nothing of the server's state.
    Other,
}

fn posts<'v, 't>(session: &'v Session<'t>) -> impl Iterator<Item = Post<'v, 't>> {
    let requests = session.exchanges.iter().filter(|exchange| is_request(exchange));
    requests.map(|exchange| post(session, exchange))
}

fn post<'v, 't>(session: &Session<'t>, exchange: &'v Exchange<'t>) -> Post<'v, 't> {
    Post { exchange, session: session.id, came: came(session, exchange) }
}

fn is_request(exchange: &Exchange<'_>) -> bool {
    exchange.send.http.as_deref() == Some("POST") && !exchange.asks_for_none()
}

fn came(session: &Session<'_>, exchange: &Exchange<'_>) -> Came {
    let said = |status: &u16| super::answers(session.open.transport, exchange.send, *status);
    let status = exchange.status.map(|(status, _)| status).filter(said);
    let answered = exchange.answers.iter().filter_map(|at| session.incoming.get(*at)).map(|answer| answer.seq).max();
    let closed = exchange.closed.map_or(exchange.seq, |closed| closed.seq);
    let broke = exchange.closed.is_some_and(|closed| closed.fault.is_some()) && exchange.aborted.is_none();
    match (status, answered, exchange.gave_up) {
        (Some(200) | None, Some(at), _) => Came::Served(at),
        (Some(200) | None, None, _) if broke => Came::Gone(closed),
        (Some(status), None, _) if is_failure(status) => Came::Failed(closed),
        (Some(200) | None, None, Some(at)) if exchange.unmatched.is_empty() => Came::Silence(at),
        (Some(200), None, None) => Came::Served(closed),
        _ => Came::Other,
    }
}

impl Post<'_, '_> {
    /// When it came to its end.
    fn end(&self) -> u32 {
        match self.came {
            Came::Served(end) | Came::Failed(end) | Came::Silence(end) | Came::Gone(end) => end,
            Came::Other => self.exchange.seq,
        }
    }

    fn is_served(&self) -> bool {
        matches!(self.came, Came::Served(_))
    }

    fn fails(&self) -> bool {
        matches!(self.came, Came::Failed(_) | Came::Silence(_))
    }
}

/// Finds it, and takes back what came of the messages since.
pub(super) fn note(sessions: &mut [Session<'_>]) -> Option<Failing> {
    let (failed, failing) = ended::find(sessions).or_else(|| find(sessions))?;
    take_back(sessions, &failed);
    Some(failing)
}

/// What came of these messages says nothing of them.
fn take_back(sessions: &mut [Session<'_>], failed: &HashSet<u32>) {
    let exchanges = sessions.iter_mut().flat_map(|session| &mut session.exchanges);
    for exchange in exchanges.filter(|exchange| failed.contains(&exchange.seq)) {
        exchange.end = ExchangeEnd::Gone { alone: false };
        exchange.failing = true;
    }
}

/// All that failed since, by `seq`, and what shows it.
fn find(sessions: &[Session<'_>]) -> Option<(HashSet<u32>, Failing)> {
    let mut posts: Vec<Post<'_, '_>> = sessions.iter().flat_map(posts).collect();
    posts.sort_by_key(|post| post.exchange.seq);
    let served = posts.iter().rfind(|post| post.is_served())?.exchange.seq;
    let since = || posts.iter().copied().filter(|post| post.fails() && post.end() > served);
    let behind = since().filter(|post| post.exchange.seq > served);
    // The messages can be long.
    behind.clone().next()?;
    let answered = posts.iter().filter(|post| post.is_served());
    let answered: HashSet<String> = answered.map(|post| post.exchange.key()).collect();
    let known = behind.filter(|post| answered.contains(&post.exchange.key()));
    // One session may be broken by itself, and a server that has as many clients as it takes lets in no other.
    let places: HashSet<u32> = known.clone().map(|post| post.session).collect();
    let open = posts.iter().any(|post| post.is_served() && places.contains(&post.session));
    if places.len() < 2 || !open {
        return None;
    }
    let known = row(known).get(..FAILURES)?.first()?.exchange.seq;
    let suspects = suspects(&posts, since());
    let first = *suspects.first()?;
    let fails = since().map(|post| post.end()).min()?;
    // What was served after a stream was closed clears the closing.
    let dropped = sessions.iter().flat_map(drops).filter(|(at, _)| (served..fails).contains(at)).max();
    let before = posts.iter().rfind(|post| post.exchange.seq < first).map(|post| post.exchange.seq);
    let after = dropped.map(|(_, dropped)| dropped).or(before);
    let failing = Failing { suspects, known, after, dropped: dropped.is_some(), ended: false, alike: false };
    let others = sessions.iter().flat_map(|session| others(session, served));
    Some((since().map(|post| post.exchange.seq).chain(others).collect(), failing))
}

/// What is no request and failed with a status since then, by `seq`.
fn others(session: &Session<'_>, since: u32) -> impl Iterator<Item = u32> {
    let others = session.exchanges.iter().filter(|exchange| !is_request(exchange));
    let failed = others.filter(move |other| matches!(came(session, other), Came::Failed(end) if end > since));
    failed.map(|other| other.seq)
}

/// What had been sent when something was answered for the last time; of what failed with a status the first.
fn suspects<'v, 't: 'v>(posts: &[Post<'v, 't>], since: impl Iterator<Item = Post<'v, 't>> + Clone) -> Vec<u32> {
    let answers = posts.iter().filter(|post| post.is_served()).map(Post::end).max().unwrap_or_default();
    let first = since.clone().min_by_key(|post| match post.came {
        Came::Failed(end) => end,
        _ => post.exchange.seq.max(answers),
    });
    let Some(first) = first.filter(|first| matches!(first.came, Came::Silence(_))) else {
        return first.map(|first| first.exchange.seq).into_iter().collect();
    };
    let outstanding: Vec<u32> = since.map(|post| post.exchange.seq).filter(|seq| *seq < answers).collect();
    if outstanding.is_empty() { vec![first.exchange.seq] } else { outstanding }
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
fn row<'v, 't>(failed: impl Iterator<Item = Post<'v, 't>>) -> Vec<Post<'v, 't>> {
    let mut row: Vec<Post<'_, '_>> = Vec::new();
    for post in failed {
        if row.last().is_none_or(|last| last.end() < post.exchange.seq) {
            row.push(post);
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

    fn silent(script: Script, id: u32) -> Script {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
        script.request("POST", Intent::Unknown, Value::Null, &[], &text).gave_up()
    }

    fn start() -> Script {
        Script::over(Transport::Http, Revision::V2025_11_25, json!({"tools": {}}))
    }

    fn failing(script: &Script) -> Option<Failing> {
        script.look(|view| view.failing.clone())
    }

    /// The last of them in a session of its own.
    fn answered(statuses: &[u16]) -> Option<Failing> {
        let (last, own) = statuses.split_last()?;
        let script = own.iter().zip(70..).fold(start(), |script, (status, id)| post(script, id, *status));
        failing(&post(script.bare(), 90, *last))
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
    fn silence_is_the_end_too() {
        let begun = || silent(silent(post(start(), 70, 200), 71), 72);
        let script = || silent(begun().bare(), 73);
        assert!(failing(&script()).is_some());
        assert_eq!(failing(&begun()), None, "two may be load");
        assert_eq!(failing(&post(script(), 74, 200)), None, "it is there");
    }

    #[test]
    fn neither_one_session_nor_those_that_are_not_let_in_are_all() {
        let three = |script: Script| (71..74).fold(script, silent);
        assert_eq!(failing(&three(post(start(), 70, 200))), None);
        assert_eq!(failing(&three(post(start(), 70, 200).bare())), None);
        let waits = (71..74).fold(post(start(), 70, 200), |script, id| silent(script.bare(), id));
        assert_eq!(failing(&waits), None, "it may have as many clients as it takes");
    }

    #[test]
    fn nothing_that_comes_later_is_decided() {
        let script = [200, 500, 500].iter().zip(70..).fold(start(), |script, (status, id)| post(script, id, *status));
        let script = post(script.bare(), 90, 500);
        let ends: Vec<_> =
            script.look(|view| view.calls("tools/list").map(|case| (case.status(), case.exchange.end)).collect());
        assert_eq!(ends[0], (Some(200), ExchangeEnd::Answered));
        assert!(ends[1..].iter().all(|end| *end == (None, ExchangeEnd::Gone { alone: false })), "{ends:?}");
    }
}
