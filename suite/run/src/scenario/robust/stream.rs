//! Inputs that stop in the middle: half a message and the end of the input (stdio); bodies that stall or are cut off, and clients
//! that vanish (HTTP).

use std::time::Duration;

use serde_json::{Value, json};
use verdict::probes::values::Expect;
use verdict::{Intent, Purpose, Transport};

use super::{Cx, INTENT, Scenario, Stage, allowed, open_for_inputs, params, post, request, thorough};
use crate::{Opening, Piece, Session, Wear};

const NAME: &str = "robust/stream";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["robust.truncated", "robust.vanish", "robust.slow-write"],
    stage: Stage::Last,
    applies: allowed,
    run: |cx| Box::pin(run(cx)),
};

/// How often clients vanish, and when it is asked for by name.
const TIMES: (usize, usize) = (10, 100);

async fn run(cx: Cx) {
    if cx.profile.transport == Transport::Stdio {
        return provoke_half(&cx).await;
    }
    let Some(session) = open_for_inputs(&cx, false).await else { return };
    let body = request("7001", &json!(cx.profile.liveness()).to_string(), &params(&cx, "1")).into_bytes();
    // Whatever fell over this does not get any more: it would only echo.
    if !provoke_cut(&cx, &session, &body).await {
        return session.kill().await;
    }
    if cx.wants("robust.slow-write") && !session.is_down() {
        provoke_stall(&cx, &session, &body).await;
    }
    if cx.wants("robust.vanish") && !session.is_down() {
        let times = if thorough(&cx) { TIMES.1 } else { TIMES.0 };
        provoke_vanish(&cx, &session, &body, times).await;
    }
    session.kill().await;
}

fn about(of: &str, kind: &str) -> Value {
    super::about(of, kind, Expect::Any)
}

/// Half a message and the end of the input.
async fn provoke_half(cx: &Cx) {
    cx.for_half.known().await;
    let session = match cx.handed(&cx.for_half, Purpose::Robust.word(), Wear::Any) {
        Some(session) => Ok(session),
        None => cx.lease(Opening::new(Purpose::Robust, cx.profile.revision), Wear::Any).await,
    };
    let Ok(session) = session else { return };
    let half = b"{\"jsonrpc\":\"2.0\",\"id\":7002,\"meth".to_vec();
    let half_ = about("robust.truncated", "half a message and the end of the input");
    session.record_probe(NAME, Intent::Eof, json!({"when": "mid-message"}));
    session.raw("").pieces(vec![Piece::Bytes(half)]).probe(NAME, INTENT, half_).send().await;
    session.end_of_input(session.limit() + session.started_in() * 2).await;
}

/// Less of a body than its head announces. Says whether the server still stands.
async fn provoke_cut(cx: &Cx, session: &Session, body: &[u8]) -> bool {
    if !cx.wants("robust.truncated") {
        return true;
    }
    for (kind, last) in
        [("half a body and the end of the stream", Piece::HalfClose), ("half a body and a reset", Piece::Abort)]
    {
        let pieces = vec![Piece::Bytes(body[..body.len() / 2].to_vec()), last];
        let whole = body.len().to_string();
        let http = post(cx, session).header("Content-Length", Some(&whole)).pieces(pieces);
        http.probe(NAME, INTENT, about("robust.truncated", kind)).limit(Duration::from_millis(300)).send().await;
        if !session.is_alive().await {
            return false;
        }
    }
    true
}

/// Half a body, and nothing more: somebody else is served meanwhile.
async fn provoke_stall(cx: &Cx, session: &Session, body: &[u8]) {
    let pieces = vec![Piece::Bytes(body[..body.len() / 2].to_vec()), Piece::Pause(session.limit() * 10)];
    let whole = body.len().to_string();
    let http = post(cx, session).header("Content-Length", Some(&whole)).pieces(pieces);
    let channel = http.probe(NAME, INTENT, about("robust.slow-write", "a body that stalls")).start();
    session.is_alive().await;
    session.abort_exchange(channel);
}

async fn provoke_vanish(cx: &Cx, session: &Session, body: &[u8], times: usize) {
    const OF: &str = "robust.vanish";
    for _ in 0..times {
        let whole = post(cx, session).body(body.to_vec()).probe(NAME, INTENT, about(OF, "behind a request")).start();
        let pieces = vec![Piece::Bytes(body[..body.len() / 2].to_vec()), Piece::Abort];
        let half = post(cx, session).header("Content-Length", Some(&body.len().to_string())).pieces(pieces);
        let half = half.probe(NAME, INTENT, about(OF, "in the middle of a body")).start();
        let stream = session.http("GET").probe(NAME, INTENT, about(OF, "with a stream open")).start();
        // The head of the stream shows that connections are made by now; where none comes, there was time to.
        session.heads(stream, session.limit() / 20).await;
        for channel in [whole, half, stream] {
            session.abort_exchange(channel);
        }
    }
    session.is_alive().await;
}
