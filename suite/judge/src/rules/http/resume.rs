//! Event ids, and streams that are resumed with them.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use verdict::{Intent, Key};
use wire::IdKey;

use super::common::{SESSION, events, is_no_verdict, is_stream};
use crate::rules::own_doing::is_cancelled;
use crate::{Case, Collector, Exchange, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "http/resume",
    judges: &[
        "http.resume.event-id-unique",
        "http.resume.event-id-header-safe",
        "http.resume.same-stream-only",
        "http.resume.after-the-id",
        "http.resume.post-stream-by-get",
        "http.resume.unknown-id-survived",
        "http.cancel.disconnect-is-not-cancel",
    ],
    judge,
};

const UNIQUE: &str = RULE.judges[0];
const SAFE: &str = RULE.judges[1];
const SAME: &str = RULE.judges[2];
const AFTER: &str = RULE.judges[3];
const POST: &str = RULE.judges[4];
const UNKNOWN: &str = RULE.judges[5];
const CANCEL: &str = RULE.judges[6];

/// An id beyond this may not fit into a header.
const LONGEST: usize = 1024;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        check_unique(view, session, collector);
        for case in cases(view, session) {
            match case.intent() {
                Some(Intent::Resume | Intent::Reconnect) if case.is_decided() => check_resumed(&case, collector),
                Some(Intent::UnknownEvent) if case.is_decided() => check_unknown(&case, collector),
                _ => {}
            }
        }
    }
}

fn cases<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> impl Iterator<Item = Case<'v>> {
    session.exchanges.iter().map(move |exchange| Case { view, session, exchange })
}

/// The session that an exchange belongs to on the server's side: further clients have their own.
fn owner<'v>(case: &Case<'v>) -> Option<&'v str> {
    case.sent_header(SESSION).or_else(|| case.header(SESSION))
}

fn check_unique(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    let mut seen: HashSet<(Option<&str>, &str)> = HashSet::new();
    let fresh = |case: &Case<'_>| case.sent_header("last-event-id").is_none();
    // Without session ids nothing tells a further client from the first.
    let own = |case: &Case<'_>| owner(case).is_some() || case.intent().is_none() || case.method() != Some("initialize");
    for case in cases(view, session).filter(|case| is_stream(case) && fresh(case) && own(case)) {
        for event in events(&case) {
            let Some(id) = event.id.filter(|id| !id.is_empty()) else { continue };
            collector.check(UNIQUE, seen.insert((owner(&case), id)), || {
                let message = "An event id occurs twice in a session, so a client that resumes with it may get the rest of another stream.";
                let mut finding = case.finding(message, "ids that are unique across all streams of the session");
                "an id that another event already had".clone_into(&mut finding.actual);
                finding
            });
            let safe = id.bytes().all(|byte| (0x20..0x7f).contains(&byte)) && id.trim() == id && id.len() <= LONGEST;
            collector.check(SAFE, safe, || {
                let message = "An event id cannot be sent back in a header.";
                let mut finding = case.finding(message, "visible ASCII of moderate length");
                "an id with other characters, or a very long one".clone_into(&mut finding.actual);
                finding
            });
        }
    }
}

/// The exchange on a channel of the same session.
fn on_channel<'v>(case: &Case<'v>, channel: &Value) -> Option<Case<'v>> {
    let channel = u32::try_from(channel.as_u64()?).ok()?;
    let (view, session) = (case.view, case.session);
    let exchange: &Exchange<'_> = session.exchanges.iter().find(|exchange| exchange.send.channel == channel)?;
    Some(Case { view, session, exchange })
}

/// The texts of the messages of an exchange, in order.
fn messages<'v>(case: &Case<'v>) -> Vec<&'v str> {
    events(case).filter(|event| !event.data().is_empty()).map(|event| event.data()).collect()
}

fn check_resumed(case: &Case<'_>, collector: &mut Collector) {
    let Some(origin) = case.about(Key::Of).and_then(|channel| on_channel(case, channel)) else { return };
    if case.sent_header("last-event-id").is_none() {
        return;
    }
    check_whole(case, &origin, collector);
    if !is_stream(case) {
        return;
    }
    let replayed = messages(case);
    check_foreign(case, &origin, &replayed, collector);
    let known = before(&origin, case.sent_header("last-event-id"));
    let rest: Vec<&str> = messages(&origin).into_iter().skip(known.len()).collect();
    if !replayed.is_empty() {
        let again = replayed.iter().any(|text| known.contains(text) && !rest.contains(text) && is_telling(text));
        let ordered = in_order(&replayed, &rest);
        collector.check(AFTER, !again && ordered, || {
            let message = if again {
                "A resumed stream repeats messages that the client has already received."
            } else {
                "A resumed stream delivers its messages in a different order."
            };
            let mut finding = case.finding(message, "the messages after the given event, in their original order");
            "other messages".clone_into(&mut finding.actual);
            finding.wire.extend(replayed.iter().take(4).map(|text| format!("< {}", crate::view::clip(text))));
            finding
        });
    }
}

/// The messages up to and including the event with this id.
fn before<'v>(origin: &Case<'v>, id: Option<&str>) -> Vec<&'v str> {
    let all: Vec<_> = events(origin).collect();
    let Some(at) = all.iter().position(|event| event.id == id) else { return Vec::new() };
    all[..=at].iter().filter(|event| !event.data().is_empty()).map(|event| event.data()).collect()
}

/// Responses, requests and progress differ from each other; logs may be alike.
fn is_telling(text: &str) -> bool {
    text.contains("\"id\":") || text.contains("\"progressToken\"")
}

/// Whether the replayed messages keep the order of the rest of the stream; messages not sent before may follow.
fn in_order(replayed: &[&str], rest: &[&str]) -> bool {
    let positions: Vec<usize> =
        replayed.iter().filter_map(|text| rest.iter().position(|known| known == text)).collect();
    positions.windows(2).all(|pair| pair[0] <= pair[1])
}

fn check_foreign(case: &Case<'_>, origin: &Case<'_>, replayed: &[&str], collector: &mut Collector) {
    let own: HashSet<&str> = messages(origin).into_iter().collect();
    let mut elsewhere: HashMap<&str, u32> = HashMap::new();
    for other in
        cases(case.view, case.session).filter(|other| other.exchange.seq < case.exchange.seq && is_stream(other))
    {
        for text in messages(&other) {
            elsewhere.insert(text, other.exchange.send.channel);
        }
    }
    let keys: HashSet<IdKey> =
        origin.sent().and_then(|sent| sent.id.as_ref()).and_then(wire::Id::key).into_iter().collect();
    let mut clean = !replayed.is_empty();
    for incoming in case.received() {
        let text = incoming.receive.text.as_str();
        let response = incoming.message().filter(|message| message.is_answer());
        let key = response.and_then(|message| message.id.as_ref()).and_then(wire::Id::key);
        // Two requests with the same id are answered alike.
        if key.as_ref().is_some_and(|key| keys.contains(key)) {
            continue;
        }
        let wrong_answer = key.is_some() && origin.http() == Some("POST");
        let of_another = is_telling(text) && !own.contains(text) && elsewhere.contains_key(text);
        if wrong_answer || of_another {
            clean = false;
            let message = "A resumed stream delivers messages that belong to another stream.";
            let mut finding = case.finding(message, "only messages of the stream that the event id belongs to");
            "a message of another stream".clone_into(&mut finding.actual);
            finding.wire.push(incoming.wire());
            collector.fail(SAME, finding);
        }
    }
    if clean {
        collector.witness(SAME);
    }
}

/// The response to the request whose connection was lost.
fn check_whole(case: &Case<'_>, origin: &Case<'_>, collector: &mut Collector) {
    if origin.http() != Some("POST") || case.about_str(Key::Kind) == Some("replay") {
        return;
    }
    let dropped = case.about_str(Key::Kind) == Some("dropped");
    let here = origin.answers().any(|answer| answer.receive.channel == case.exchange.send.channel);
    if here {
        collector.witness(POST);
        if dropped {
            collector.witness(CANCEL);
        }
        return;
    }
    if is_no_verdict(case) || origin.answer().is_some() || is_cancelled(origin) {
        return;
    }
    let ended = case.closed().is_some_and(|closed| closed.fault.is_none());
    if !is_stream(case) {
        let mut finding = case.finding(
            "Events of a POST stream have ids, but the stream cannot be resumed by GET, so a lost connection means a lost response.",
            "the remaining messages of the stream",
        );
        finding.place = None;
        collector.fail(POST, finding);
    } else if ended && !came_back_again(case) {
        collector.fail(POST, case.finding("A POST stream resumed by GET ends without the response.", "the response"));
        if dropped && replays(case) {
            let message = "A request whose connection was lost is never answered, as if it had been canceled.";
            collector.fail(CANCEL, case.finding(message, "the response on the resumed stream"));
        }
    }
}

/// The connection of the resumed stream was closed too, and the client came back once more.
fn came_back_again(case: &Case<'_>) -> bool {
    let channel = u64::from(case.exchange.send.channel);
    case.view
        .probes(Intent::Reconnect)
        .any(|get| get.session.id == case.session.id && get.about(Key::Of).and_then(Value::as_u64) == Some(channel))
}

/// Streams are resumed in general.
fn replays(case: &Case<'_>) -> bool {
    let mut others = cases(case.view, case.session)
        .filter(|other| matches!(other.intent(), Some(Intent::Resume | Intent::Reconnect)));
    others.any(|other| is_stream(&other) && !messages(&other).is_empty())
}

fn check_unknown(case: &Case<'_>, collector: &mut Collector) {
    match case.status() {
        Some(429 | 503) | None => {}
        Some(400..=499) => collector.witness(UNKNOWN),
        Some(200..=299) => {
            let known: HashSet<&str> = cases(case.view, case.session)
                .filter(|other| other.exchange.seq < case.exchange.seq)
                .flat_map(|other| messages(&other))
                .filter(|text| is_telling(text))
                .collect();
            let replayed = messages(case).into_iter().any(|text| known.contains(text));
            collector.check(UNKNOWN, !replayed, || {
                case.finding(
                    "Resuming with an event id that was never issued replays the messages of some stream.",
                    "a stream that replays nothing, or a 4xx status",
                )
            });
        }
        Some(_) => {
            let message = "An event id that was never issued is reported as a server failure.";
            collector.fail(UNKNOWN, case.finding(message, "a 4xx status, or a stream that replays nothing"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Level, Revision, Status};

    use super::super::scripts::{JSON, OWN, SSE, ask, open, result};
    use super::*;
    use crate::testing::Script;

    const REV: Revision = Revision::V2025_11_25;

    fn progress(step: u32) -> String {
        json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "a", "progress": step}}).to_string()
    }

    /// A stream with three messages, and a GET that resumes it after the first.
    fn replay(events: &[&str]) -> Script {
        let script = open(REV).request("POST", None, Value::Null, OWN, &ask(7, "tools/call")).head(200, SSE);
        let of = script.last_channel();
        let script = script.sse_on(of, None, Some("e1"), &progress(1)).sse_on(of, None, Some("e2"), &progress(2));
        let script = script.sse_on(of, None, Some("e3"), &result(7)).ends();
        let script = other(script);
        let headers = [("Mcp-Session-Id", "s1"), ("Last-Event-ID", "e1")];
        let script =
            script.request("GET", Intent::Resume, json!({"of": of, "kind": "replay", "after": "e1"}), &headers, "");
        events.iter().fold(script.head(200, SSE), |script, data| script.sse(data)).ends()
    }

    fn other(script: Script) -> Script {
        let script = script.request("POST", None, Value::Null, OWN, &ask(8, "tools/call")).head(200, SSE);
        let of = script.last_channel();
        script.sse_on(of, None, Some("f1"), &result(8)).ends()
    }

    #[test]
    fn the_rest_of_the_stream_in_its_order_passes() {
        let script = replay(&[&progress(2), &result(7)]);
        assert!([SAME, AFTER, UNIQUE, SAFE].iter().all(|id| script.status_of(id) == Status::Pass));
        assert_eq!(replay(&[]).status_of(SAME), Status::NotObserved, "replaying is a may");
    }

    #[test]
    fn repeated_reordered_and_foreign_messages_fail() {
        assert!(replay(&[&progress(1), &progress(2), &result(7)]).fails().contains(&AFTER));
        assert!(replay(&[&result(7), &progress(2)]).fails().contains(&AFTER));
        assert!(replay(&[&result(8), &progress(2), &result(7)]).fails().contains(&SAME));
    }

    #[test]
    fn an_id_on_two_streams_fails_but_not_in_two_sessions() {
        let two = |headers: &[(&str, &str)]| {
            let script =
                other(open(REV)).request("POST", None, Value::Null, headers, &ask(9, "tools/call")).head(200, SSE);
            let of = script.last_channel();
            script.sse_on(of, None, Some("f1"), &result(9)).ends()
        };
        assert!(two(OWN).fails().contains(&UNIQUE));
        assert!(!two(&[("Mcp-Session-Id", "s2")]).fails().contains(&UNIQUE));
        let script = open(REV).request("POST", None, Value::Null, OWN, &ask(9, "tools/call")).head(200, SSE);
        let of = script.last_channel();
        assert!(script.sse_on(of, None, Some("é"), &result(9)).ends().fails().contains(&SAFE));
    }

    fn dropped(status: u16, headers: &[(&str, &str)], event: Option<&str>) -> Script {
        let script = other(open(REV)).request("POST", None, Value::Null, OWN, &ask(7, "tools/call")).head(200, SSE);
        let of = script.last_channel();
        let script = script.sse_on(of, None, Some("e1"), "").means(Intent::Forsaken, json!({"channel": of}));
        let sent = [("Mcp-Session-Id", "s1"), ("Last-Event-ID", "e1")];
        let script =
            script.request("GET", Intent::Resume, json!({"of": of, "kind": "dropped", "after": "e1"}), &sent, "");
        let script = script.head(status, headers);
        if let Some(event) = event { script.sse(event).ends() } else { script.ends() }
    }

    #[test]
    fn a_lost_connection_is_no_lost_answer() {
        let script = dropped(200, SSE, Some(&result(7)));
        assert!([POST, CANCEL].iter().all(|id| script.status_of(id) == Status::Pass));
        let refused = dropped(405, &[], None);
        assert_eq!((refused.verdict(POST).level, refused.status_of(CANCEL)), (Level::Should, Status::NotObserved));
        assert!(refused.fails().contains(&POST));
        assert!(dropped(200, SSE, None).fails().contains(&POST));
        let cancelled = dropped(200, SSE, Some(&progress(1)));
        assert!(cancelled.fails().contains(&CANCEL));
    }

    #[test]
    fn an_unknown_id_is_refused_or_brings_nothing() {
        let got = |status, headers: &[(&str, &str)], body: Option<&str>| {
            let headers_sent = [("Mcp-Session-Id", "s1"), ("Last-Event-ID", "no-such-event")];
            let script = other(open(REV))
                .request("GET", Intent::UnknownEvent, Value::Null, &headers_sent, "")
                .head(status, headers);
            if let Some(body) = body { script.sse(body).ends() } else { script.ends() }
        };
        assert_eq!(got(400, JSON, None).status_of(UNKNOWN), Status::Pass);
        assert_eq!(got(200, SSE, None).status_of(UNKNOWN), Status::Pass);
        assert!(got(500, JSON, None).fails().contains(&UNKNOWN));
        assert!(got(200, SSE, Some(&result(8))).fails().contains(&UNKNOWN));
    }
}
