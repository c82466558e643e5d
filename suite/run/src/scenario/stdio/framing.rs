//! Lines in every shape that a pipe may give them, in a process with the C locale; then the end of its input.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;
use verdict::transcript::{Event, Kind};
use wire::write;

use super::{Cx, Scenario, Stage, spawned};
use crate::{Opening, Piece, RequestOutcome, Session};

const NAME: &str = "stdio/framing";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "stdio.process.works-over-pipes",
        "stdio.framing.newline-terminated",
        "stdio.framing.pipelined-messages",
        "stdio.framing.split-writes",
        "stdio.framing.only-lf-splits",
        "stdio.framing.crlf-input-tolerated",
        "stdio.encoding.utf8-input",
        "stdio.stdout.nothing-unprompted",
        "stdio.shutdown.exits-on-eof",
        "stdio.shutdown.clean-exit-status",
        "stdio.shutdown.no-orphans",
        "ping.before-initialized",
    ],
    stage: Stage::Alone,
    applies: spawned,
    run: |cx| Box::pin(provoke_framing(cx)),
};

/// Between the pieces of a message.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a server is left alone to see whether it speaks by itself.
const IDLE: Duration = Duration::from_millis(150);
/// Messages in one write.
const TOGETHER: usize = 5;
/// Characters of two, three and four bytes.
const BEYOND_ASCII: &str = "\"h\u{e9}llo \u{20ac} \u{1f600}\"";
/// Characters at which some line readers split, and JSON does not.
const SEPARATORS: &str = "\"a\u{2028}b\u{2029}c\u{85}d\"";

async fn provoke_framing(cx: Cx) {
    let plain = || Opening::new(NAME, cx.profile.revision);
    let session = match open_with_ping(&cx, plain().env("LC_ALL", "C")).await {
        Some(session) => session,
        // Some programs refuse to run in that locale, which is not what is asked here.
        None => match open_with_ping(&cx, plain()).await {
            Some(session) => session,
            None => return,
        },
    };
    provoke_lines(&cx, &session).await;
    if !session.is_down() {
        return eof(&session).await;
    }
    session.kill().await;
    if let Ok(session) = cx.open_ready(plain()).await {
        session.is_alive().await;
        eof(&session).await;
    }
}

/// With a ping on the way where the handshake has room for one.
async fn open_with_ping(cx: &Cx, opening: Opening) -> Option<Session> {
    if !cx.profile.is_handshake() {
        return cx.open_ready(opening).await.ok();
    }
    let session = cx.open(opening).await.ok()?;
    session.initialize(cx.profile.revision.as_str(), json!({}), None).await;
    if session.revision() != Some(cx.profile.revision) {
        session.kill().await;
        return None;
    }
    session.ask("ping", json!({})).probe(NAME, Intent::PingBeforeInitialized, json!({})).send().await;
    session.notify("notifications/initialized", None).send().await;
    Some(session)
}

async fn provoke_lines(cx: &Cx, session: &Session) {
    // Without anything behind it: what is held back in a buffer does not come.
    let alone = session.ask(cx.profile.liveness(), json!({})).probe(NAME, Intent::Alone, Value::Null).send().await;
    if matches!(alone, RequestOutcome::Silent) && !session.is_alive().await {
        return;
    }
    if !cx.profile.is_handshake() {
        idle(session).await;
    }
    for (intent, id) in [(Intent::Utf8Id, BEYOND_ASCII), (Intent::OnlyLf, SEPARATORS)] {
        session.ask(cx.profile.liveness(), json!({})).id(id).probe(NAME, intent, json!({})).send().await;
    }
    let crlf = format!("{}\r", request(cx, session, "{}"));
    session.raw(crlf).probe(NAME, Intent::Crlf, json!({})).answered().await;
    provoke_together(cx, session).await;
    split(cx, session).await;
}

/// Sends several requests in one turn of this thread, so that they go out in a single write.
async fn provoke_together(cx: &Cx, session: &Session) {
    let mut asks = JoinSet::new();
    for _ in 0..TOGETHER {
        let (session, method) = (session.clone(), cx.profile.liveness());
        asks.spawn_local(async move {
            session.ask(method, json!({})).probe(NAME, Intent::OneWrite, json!({})).send().await
        });
    }
    asks.join_all().await;
}

/// Nothing is asked: who speaks now does so by itself.
async fn idle(session: &Session) {
    let speaks = |event: &Event| {
        let own = event.session == session.id();
        own && matches!(&event.kind, Kind::Receive(receive) if receive.text.contains("\"method\""))
    };
    session.until(session.mark(), IDLE, |events| events.iter().any(speaks)).await;
    session.record_probe(NAME, Intent::Idle, json!({}));
}

/// Three pieces, the first cut inside a character.
async fn split(cx: &Cx, session: &Session) {
    let bytes = request(cx, session, r#"{"com.example/note": "é"}"#).into_bytes();
    let inside = bytes.iter().position(|byte| *byte == 0xc3).map_or(bytes.len() / 2, |at| at + 1);
    let late = bytes.len() - 3;
    let piece = |part: &[u8]| Piece::Bytes(part.to_vec());
    let pieces = vec![
        piece(&bytes[..inside]),
        Piece::Pause(PAUSE),
        piece(&bytes[inside..late]),
        Piece::Pause(PAUSE),
        piece(&bytes[late..]),
        piece(b"\n"),
    ];
    let outcome = session.raw("").pieces(pieces).probe(NAME, Intent::SplitWrite, json!({})).answered().await;
    if matches!(outcome, RequestOutcome::Silent) && session.is_alive().await {
        session.note_piece_lost();
    }
}

/// An ordinary request with these members of `_meta` too.
fn request(cx: &Cx, session: &Session, meta: &str) -> String {
    let mut params = json!({"_meta": serde_json::from_str::<Value>(meta).unwrap_or_default()});
    if !cx.profile.is_handshake()
        && let (Some(meta), Value::Object(needed)) = (params["_meta"].as_object_mut(), session.meta())
    {
        meta.extend(needed);
    }
    write::request(session.fresh_id(), cx.profile.liveness(), Some(&params))
}

/// On an idle session: nobody owes anything, so nothing keeps the server from ending.
async fn eof(session: &Session) {
    let family = session.family();
    session.record_probe(NAME, Intent::Eof, json!({"when": "idle"}));
    session.end_of_input(session.limit() + session.started_in() * 2).await;
    let left = family.outlived(session.limit().min(Duration::from_secs(1))).await;
    session.record_probe(NAME, Intent::Family, json!({"started": !family.is_empty(), "left": left}));
}
