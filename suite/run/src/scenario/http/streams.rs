//! Calls that may be answered with streams, in two sessions at the same time, while streams are open that GET opened; then
//! streams that are resumed: some that have ended, and one whose connection is dropped.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::join;
use tokio::task::JoinSet;
use verdict::transcript::{Event, Kind, Receive, Via};
use verdict::{Intent, Transport};

use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Arguments, Http, ServerProfile, Session, Tool};

const NAME: &str = "http/streams";
/// Tools that are called.
const TOOLS: usize = 12;
/// How long a stream may stay open after its response, and an idle GET without a head.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a replay may take to begin.
const LEISURE: Duration = Duration::from_millis(300);
/// How long a replay that is complete may take to end, or to bring more than it should.
const SHORT: Duration = Duration::from_millis(30);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "http.post.response-202",
        "http.sse.one-message-per-event",
        "http.sse.event-type",
        "http.sse.retry-is-number",
        "http.sse.only-own-response",
        "http.sse.related-messages",
        "http.sse.response-arrives",
        "http.sse.no-early-close",
        "http.sse.closes-after-response",
        "http.sse.close-only-after-id",
        "http.sse.retry-before-close",
        "http.sse.priming-event",
        "http.sse.no-priming-for-older",
        "http.get.stream-or-405",
        "http.get.headers-at-once",
        "http.get.no-responses",
        "http.get.unrelated-messages",
        "http.streams.concurrent-gets",
        "http.streams.no-broadcast",
        "http.resume.event-id-unique",
        "http.resume.event-id-header-safe",
        "http.resume.same-stream-only",
        "http.resume.after-the-id",
        "http.resume.post-stream-by-get",
        "http.resume.unknown-id-survived",
        "http.cancel.disconnect-is-not-cancel",
        "security.session.no-cross-delivery",
        "security.session.replay-scoped",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.transport == Transport::Http,
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let open = || cx.open_ready(Opening::new(NAME, cx.profile.revision).full());
    if !cx.profile.is_handshake() {
        let Ok(session) = open().await else { return };
        let from = session.mark();
        let calls = calls(&cx);
        join!(all(&session, &calls, "first", 0), failing(&session));
        awaited(&session, from).await;
        session.close(Duration::ZERO).await;
        return;
    }
    let (Ok(first), Ok(second)) = join!(open(), open()) else { return };
    listened(&first).await;
    let calls = calls(&cx);
    let from = first.mark();
    join!(all(&first, &calls, "first", 0), all(&second, &calls, "second", 1), failing(&first));
    awaited(&first, from).await;
    join!(resumed(&first, &second, from), second_get(&first), unknown(&first), dropped(&first, from));
    first.settle().await;
    join!(first.close(Duration::ZERO), second.close(Duration::ZERO));
}

/// The head of the answer to the GET with which the session began.
async fn listened(session: &Session) {
    let Some(channel) = session.listening() else { return };
    session.heads(channel, PATIENCE).await;
    session.record_probe(NAME, Intent::GetAwaited, json!({"channel": channel}));
}

/// A call that may be repeated.
#[derive(Clone)]
struct Call {
    tool: String,
    arguments: Value,
}

/// Tools that change nothing, first those that sound as if they took their time, told of it or asked the client.
fn calls(cx: &Cx) -> Vec<Call> {
    let mut tools: Vec<&Tool> =
        cx.profile.callable().filter(|tool| tool.hints("readOnlyHint") || is_old(&cx.profile)).collect();
    tools.sort_by_key(|tool| std::cmp::Reverse(promise(tool)));
    let fitting = |tool: &&Tool| {
        let made = Arguments::of(tool, cx.profile.revision, &cx.options).valid.ok()?;
        Some(Call { tool: tool.name.clone(), arguments: made })
    };
    tools.iter().filter_map(fitting).take(TOOLS).collect()
}

/// Where no annotations exist, whoever allows calls allows these.
fn is_old(profile: &ServerProfile) -> bool {
    profile.tools.iter().all(|tool| tool.definition.get("annotations").is_none())
}

fn promise(tool: &Tool) -> usize {
    const WORDS: [&str; 16] = [
        "progress",
        "notif",
        "stream",
        "slow",
        "long",
        "step",
        "delay",
        "duration",
        "wait",
        "sleep",
        "log",
        "sampl",
        "elicit",
        "roots",
        "model",
        "reconnect",
    ];
    let text = tool.definition.to_string().to_ascii_lowercase();
    WORDS.iter().filter(|word| text.contains(*word)).count()
}

/// Calls everything at the same time, each with a token for its progress, and with ids from `first` on. Two sessions may use the
/// same ids; where they begin differently each id is of different calls, which tells what is answered to one from the other's.
async fn all(session: &Session, calls: &[Call], who: &'static str, first: usize) {
    let mut under_way = JoinSet::new();
    for (at, call) in calls.iter().cloned().enumerate() {
        let session = session.clone();
        let id = format!("\"call-{}\"", first + at);
        under_way.spawn_local(async move {
            let meta = json!({"progressToken": format!("mcp-conform-{who}-{at}")});
            let params = json!({"name": call.tool, "arguments": call.arguments, "_meta": meta});
            session.ask("tools/call", params).id(id).probe(NAME, Intent::StreamedCall, json!({})).send().await;
        });
    }
    // A tool may take its time, and nobody waits for it.
    let _ = tokio::time::timeout(PATIENCE, async { while under_way.join_next().await.is_some() {} }).await;
    under_way.abort_all();
}

/// Requests that get an error: their streams are to end as well.
async fn failing(session: &Session) {
    let wrong =
        [("mcp-conform/no-such-method", json!({})), ("tools/call", json!({"name": "mcp-conform-no-such-tool"}))];
    for (method, params) in wrong {
        session.ask(method, params).probe(NAME, Intent::StreamedCall, json!({})).send().await;
    }
}

/// The ends of the streams that have their response.
async fn awaited(session: &Session, from: usize) {
    let mut waiting = JoinSet::new();
    for channel in session.answered_streams(from) {
        let session = session.clone();
        waiting.spawn_local(async move {
            session.ends(channel, PATIENCE).await;
            session.record_probe(NAME, Intent::StreamAwaited, json!({"channel": channel}));
        });
    }
    waiting.join_all().await;
}

async fn second_get(session: &Session) {
    let reply = session.http("GET").probe(NAME, Intent::SecondGet, Value::Null).send().await;
    if reply.is_stream() {
        session.settle().await;
    }
}

async fn unknown(session: &Session) {
    let get = session.http("GET").header("Last-Event-ID", Some("no-such-event")).probe(
        NAME,
        Intent::UnknownEvent,
        Value::Null,
    );
    let reply = get.send().await;
    if reply.is_stream() {
        session.ends(reply.channel, LEISURE).await;
        session.abort_exchange(reply.channel);
    }
}

/// Streams of several events that have ended are asked for again from their first event on, in their own session and in
/// another.
async fn resumed(session: &Session, other: &Session, from: usize) {
    for place in session.places(from).into_iter().take(2) {
        let about = json!({"of": place.channel, "after": place.id, "kind": "replay"});
        let get = session.http("GET").header("Last-Event-ID", Some(&place.id)).probe(NAME, Intent::Resume, about);
        let foreign =
            other.http("GET").header("Last-Event-ID", Some(&place.id)).probe(NAME, Intent::ForeignResume, json!({}));
        join!(replayed(session, get, place.rest), replayed(other, foreign, place.rest));
    }
}

/// Waits until a replay has brought so many messages, or ends, or takes too long.
async fn replayed(session: &Session, get: Http<'_>, rest: usize) {
    let from = session.mark();
    let reply = get.send().await;
    if reply.is_stream() {
        session.brings(from, reply.channel, rest, None, LEISURE).await;
        session.ends(reply.channel, SHORT).await;
        session.abort_exchange(reply.channel);
    }
}

/// The connection of a call is dropped as soon as it has an event id, and the stream asked for again.
async fn dropped(session: &Session, from: usize) {
    let Some(mut request) = session.slowest(from).and_then(|sent| serde_json::from_str::<Value>(&sent).ok()) else {
        return;
    };
    request["id"] = json!(Intent::DroppedCall);
    request["params"]["_meta"]["progressToken"] = json!("mcp-conform-dropped");
    let mark = session.mark();
    let call = session.http("POST").body(request.to_string()).probe(NAME, Intent::DroppedCall, json!({}));
    let channel = call.send().await.channel;
    // An event that only tells the id will do, and comes first.
    let number = session.id();
    let decides = |event: &Event| match &event.kind {
        Kind::Receive(Receive { channel: of, via: Via::Sse { id: Some(id), .. }, .. }) => {
            *of == channel && !id.is_empty()
        }
        Kind::Closed { channel: of, .. } => *of == channel,
        _ => false,
    };
    let here = |event: &Event| event.session == number && decides(event);
    session.until(mark, session.limit(), |events| events.iter().any(here)).await;
    let Some(event) = session.event_id(mark, channel) else { return };
    session.abort_exchange(channel);
    let about = json!({"of": channel, "after": event, "kind": "dropped"});
    let get = session.http("GET").header("Last-Event-ID", Some(&event)).probe(NAME, Intent::Resume, about);
    let reply = get.send().await;
    if reply.is_stream() {
        session.brings(mark, reply.channel, usize::MAX, Some("\"dropped-call\""), session.limit()).await;
        session.ends(reply.channel, LEISURE).await;
        session.abort_exchange(reply.channel);
    }
}
