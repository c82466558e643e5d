//! Several clients, several requests and several streams at the same time.

use std::collections::{HashMap, HashSet};

use verdict::{Intent, Key};

use super::common::{answers_odd_id, is_listening, is_no_verdict, is_own, is_stream, is_success};
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "http/several",
    judges: &[
        "http.streams.concurrent-posts",
        "http.streams.concurrent-gets",
        "http.streams.no-broadcast",
        "http.endpoint.multi-client",
    ],
    judge,
};

const POSTS: &str = RULE.judges[0];
const GETS: &str = RULE.judges[1];
const ONCE: &str = RULE.judges[2];
const CLIENTS: &str = RULE.judges[3];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::ConcurrentPost).filter(Case::is_decided) {
        check_posts(&case, collector);
    }
    for case in view.probes(Intent::SecondGet).filter(Case::is_decided) {
        check_gets(&case, collector);
    }
    for case in view.probes(Intent::SecondClient).filter(Case::is_decided) {
        check_clients(&case, collector);
    }
    for session in view.judged() {
        check_once(view, session, collector);
        if !view.revision.is_handshake() {
            check_twins(view, session, collector);
        }
    }
}

fn cases<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> impl Iterator<Item = Case<'v>> {
    session.exchanges.iter().map(move |exchange| Case { view, session, exchange })
}

fn check_posts(case: &Case<'_>, collector: &mut Collector) {
    let control = cases(case.view, case.session)
        .any(|other| other.intent() == Some(Intent::HttpControl) && other.result().is_some());
    if case.result().is_some() {
        collector.witness(POSTS);
    } else if control && !is_no_verdict(case) {
        let message = "Of several requests posted at the same time, not all are served.";
        collector.fail(POSTS, case.finding(message, "a response to each of them"));
    }
}

fn check_gets(case: &Case<'_>, collector: &mut Collector) {
    let first = cases(case.view, case.session).find(|other| {
        is_listening(other)
            && is_stream(other)
            && other.exchange.seq < case.exchange.seq
            && other.intent() != Some(Intent::SecondGet)
    });
    let Some(first) = first.filter(|first| first.closed().is_none_or(|closed| closed.seq > case.exchange.seq)) else {
        return;
    };
    if is_stream(case) {
        collector.witness(GETS);
        let replaced = first.closed().is_some_and(|closed| case.closed().is_none_or(|own| closed.seq < own.seq));
        if replaced {
            collector.note(GETS, "a second GET stream replaces the first");
        }
    } else if case.status() == Some(409) {
        collector.witness(GETS);
        collector.note(GETS, "a second GET stream in a session is refused with 409");
    } else if !is_no_verdict(case) && case.status() != Some(405) {
        let message = "A second GET stream in a session is refused as if the request were invalid.";
        collector.fail(GETS, case.finding(message, "another stream (or 409 if the server offers only one)"));
    }
}

fn check_clients(case: &Case<'_>, collector: &mut Collector) {
    if is_no_verdict(case) {
        return;
    }
    if !is_success(case) || case.result().is_none() {
        let message = "A second client is not served while there is a first one.";
        return collector.fail(CLIENTS, case.finding(message, "a handshake with every client"));
    }
    check_twins(case.view, case.session, collector);
}

/// Requests of two clients with the same ids.
fn check_twins(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    let twins: Vec<Case<'_>> = cases(view, session).filter(|twin| twin.intent() == Some(Intent::Twin)).collect();
    let served: HashSet<Option<u64>> = twins.iter().filter(|twin| twin.result().is_some()).map(client_number).collect();
    for twin in twins.iter().filter(|twin| twin.is_decided() && !is_no_verdict(twin)) {
        let other_served = served.iter().any(|client| *client != client_number(twin));
        collector.check(CLIENTS, twin.result().is_some() || !other_served, || {
            let message = "Of two clients that use the same ids at the same time, one does not get its responses.";
            twin.finding(message, "for each client, the responses to its own requests")
        });
    }
}

fn client_number(twin: &Case<'_>) -> Option<u64> {
    twin.about(Key::Client)?.as_u64()
}

/// Returns the identity of a message: the server's own requests by their id, progress and responses by their text.
fn identity(session: &Session<'_>, incoming: &crate::Incoming<'_>) -> Option<String> {
    let message = incoming.message().filter(|message| !answers_odd_id(session, message))?;
    let progress = message.method() == Some("notifications/progress");
    let asks = message.kind == wire::Kind::Request && message.id.is_some();
    (progress || asks || message.is_answer()).then(|| wire::write::message(message))
}

/// Each message comes on one stream only. What is posted with the same id by two clients is answered alike, and is not the
/// same message: a stream opened by GET has to be one of the two.
fn check_once(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    let listening: Vec<Case<'_>> = cases(view, session).filter(|case| is_listening(case) && is_stream(case)).collect();
    if listening.is_empty() {
        return;
    }
    let mut seen: HashMap<String, u32> = HashMap::new();
    for case in &listening {
        for incoming in case.received() {
            let Some(identity) = identity(session, incoming) else { continue };
            let channel = incoming.receive.channel;
            let first = *seen.entry(identity).or_insert(channel);
            collector.check(ONCE, first == channel, || broadcast_finding(case, incoming));
        }
    }
    let own = |case: &Case<'_>| case.http() == Some("POST") && is_stream(case) && is_own(case);
    for case in cases(view, session).filter(own) {
        for incoming in case.received() {
            let again = identity(session, incoming).is_some_and(|identity| seen.contains_key(&identity));
            collector.check(ONCE, !again, || broadcast_finding(&case, incoming));
        }
    }
    check_announcements(session, &listening, collector);
}

fn broadcast_finding(case: &Case<'_>, incoming: &crate::Incoming<'_>) -> verdict::Finding {
    let message = "The same message arrives on more than one stream, so clients act on it more than once.";
    let mut finding = case.finding(message, "each message on one stream only");
    finding.actual = format!("{} on two streams", incoming.method().unwrap_or("a response"));
    finding.wire.push(incoming.wire());
    finding
}

/// Notices of a change may be alike and yet two: only if every stream has every one of them they are the same.
fn check_announcements(session: &Session<'_>, listening: &[Case<'_>], collector: &mut Collector) {
    let called = session.probes.iter().any(|(_, probe)| probe.intent == Intent::Announced);
    let together: Vec<&Case<'_>> = listening
        .iter()
        .filter(|case| matches!(case.intent(), None | Some(Intent::SecondGet)) && case.closed().is_none())
        .collect();
    let [first, second] = together.as_slice() else { return };
    let changes = |case: &Case<'_>| -> Vec<String> {
        let listed = |method: &str| method.ends_with("/list_changed");
        case.received().filter_map(crate::Incoming::method).filter(|method| listed(method)).map(str::to_owned).collect()
    };
    let (one, two) = (changes(first), changes(second));
    if !called || one.is_empty() && two.is_empty() {
        return;
    }
    if one == two {
        let notice = second
            .received()
            .find(|incoming| incoming.method().is_some_and(|method| method.ends_with("/list_changed")));
        if let Some(notice) = notice {
            return collector.suspect(ONCE, second, broadcast_finding(second, notice));
        }
    }
    collector.repeated(ONCE);
    collector.witness(ONCE);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Level, Revision, Status};

    use super::super::scripts::{JSON, OWN, SSE, ask, error, notice, open, result};
    use super::*;
    use crate::testing::Script;

    const REV: Revision = Revision::V2025_11_25;

    #[test]
    fn requests_at_the_same_time_are_all_served() {
        let control = || open(REV).ping(6, Intent::HttpControl, Value::Null, (200, &result(6)));
        let good = control().ping(7, Intent::ConcurrentPost, Value::Null, (200, &result(7)));
        assert_eq!(good.status_of(POSTS), Status::Pass);
        let bad = control().ping(7, Intent::ConcurrentPost, Value::Null, (400, &error("busy")));
        assert!(bad.fails().contains(&POSTS));
        let busy = control().ping(7, Intent::ConcurrentPost, Value::Null, (429, ""));
        assert_eq!(busy.status_of(POSTS), Status::NotObserved);
    }

    fn second(status: u16, headers: &[(&str, &str)]) -> Script {
        let script = open(REV).request("GET", None, Value::Null, OWN, "").head(200, SSE);
        script.request("GET", Intent::SecondGet, Value::Null, OWN, "").head(status, headers)
    }

    #[test]
    fn a_second_get_is_served_or_refused_with_409() {
        assert_eq!(second(200, SSE).status_of(GETS), Status::Pass);
        let noted = second(409, JSON).verdict(GETS);
        assert_eq!((noted.status, noted.notes.len()), (Status::Pass, 1));
        let failed = second(400, JSON).verdict(GETS);
        assert_eq!((failed.status, failed.level), (Status::Fail, Level::Should));
    }

    #[test]
    fn without_a_first_stream_a_second_shows_nothing() {
        let script = open(REV).request("GET", None, Value::Null, OWN, "").respond(405, &[], "");
        let script = script.request("GET", Intent::SecondGet, Value::Null, OWN, "").respond(405, &[], "");
        assert_eq!(script.status_of(GETS), Status::NotApplicable);
    }

    fn client(status: u16, body: &str) -> Script {
        let sent = json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {}}).to_string();
        open(REV).request("POST", Intent::SecondClient, Value::Null, &[], &sent).respond(status, JSON, body)
    }

    #[test]
    fn a_second_client_is_served_beside_the_first() {
        let twins = |theirs: (u16, &str)| {
            let script = client(200, &result(7)).ping(8, Intent::Twin, json!({"client": 1}), (200, &result(8)));
            script.ping(8, Intent::Twin, json!({"client": 2}), theirs)
        };
        let second_only = client(200, &result(7)).ping(8, Intent::Twin, json!({"client": 1}), (400, &error("no")));
        let second_only = second_only.ping(8, Intent::Twin, json!({"client": 2}), (200, &result(8)));
        assert!(second_only.fails().contains(&CLIENTS));
        assert_eq!(twins((200, &result(8))).status_of(CLIENTS), Status::Pass);
        assert!(twins((400, &error("no"))).fails().contains(&CLIENTS));
        assert!(client(400, &error("Server already initialized")).fails().contains(&CLIENTS));
        assert_eq!(client(503, "").status_of(CLIENTS), Status::NotObserved);
    }

    #[test]
    fn a_request_of_the_server_on_two_streams_fails() {
        let asked = json!({"jsonrpc": "2.0", "id": "q", "method": "roots/list"}).to_string();
        let script = open(REV).request("GET", None, Value::Null, OWN, "").head(200, SSE);
        let get = script.last_channel();
        let script = script.request("POST", None, Value::Null, OWN, &ask(7, "tools/call")).head(200, SSE);
        let good = script.sse(&asked).sse(&result(7)).ends();
        assert_eq!(good.status_of(ONCE), Status::Pass);
        assert!(good.sse_on(get, None, None, &asked).fails().contains(&ONCE));
    }

    #[test]
    fn answers_that_differ_in_their_ids_alone_are_two() {
        let answer = |id: u32| json!({"jsonrpc": "2.0", "id": id, "result": {"text": "t".repeat(1000)}}).to_string();
        let status = |again: u32| {
            let script = open(REV).request("GET", None, Value::Null, OWN, "").head(200, SSE);
            let get = script.last_channel();
            let script = script.request("POST", None, Value::Null, OWN, &ask(7, "tools/call")).respond(202, &[], "");
            let script = script.sse_on(get, None, None, &answer(7));
            let script = script.request("POST", None, Value::Null, OWN, &ask(8, "tools/call")).head(200, SSE);
            script.sse(&answer(again)).ends().status_of(ONCE)
        };
        assert_eq!([status(8), status(7)], [Status::Pass, Status::Fail]);
    }

    #[test]
    fn a_change_that_is_told_on_every_stream_is_tried_again() {
        let changed = notice("notifications/tools/list_changed");
        let script = second(200, SSE).means(Intent::Announced, Value::Null);
        let (one, two) = (script.last_channel() - 1, script.last_channel());
        let good = script.sse_on(one, None, None, &changed);
        assert_eq!(good.status_of(ONCE), Status::Pass);
        assert_eq!(good.sse_on(two, None, None, &changed).status_of(ONCE), Status::Inconclusive);
    }
}
