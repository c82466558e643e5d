//! Malformed and excessive heads of HTTP requests, and a compressed body that unpacks to a huge one.

use serde_json::{Value, json};
use verdict::Transport;
use verdict::probes::values::Expect;

use super::{Cx, INTENT, Scenario, Stage, allowed, gzip, open_for_inputs, params, post, request, thorough};
use crate::{Http, Piece, Session};

const NAME: &str = "robust/heads";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["robust.header-abuse", "robust.gzip-bomb"],
    stage: Stage::Last,
    applies: |profile| allowed(profile) && profile.transport != Transport::Stdio,
    run: |cx| Box::pin(run(cx)),
};

/// Bytes of one header, and how many there are of small ones.
const LARGE: (usize, usize) = (64 << 10, 1_000);

async fn run(cx: Cx) {
    let Some(session) = open_for_inputs(&cx, false).await else { return };
    let body = request("7003", &json!(cx.profile.liveness()).to_string(), &params(&cx, "1"));
    if cx.wants("robust.header-abuse") {
        for kind in [
            "a header of 64 KiB",
            "1,000 headers",
            "a control byte",
            "no length",
            "two lengths",
            "length and chunked",
            "expect",
        ] {
            provoke_abuse(&cx, &session, kind, &body).await;
            session.is_alive().await;
            if session.is_down() {
                break;
            }
        }
    }
    if cx.wants("robust.gzip-bomb") && !session.is_down() {
        provoke_bomb(&cx, &session).await;
    }
    session.kill().await;
}

fn about(of: &str, kind: &str) -> Value {
    json!({"of": of, "kind": kind, "expect": Expect::Any, "ids": []})
}

async fn provoke_abuse(cx: &Cx, session: &Session, kind: &str, body: &str) {
    let whole = || post(cx, session).body(body).verbatim();
    let length = body.len().to_string();
    let http: Http<'_> = match kind {
        "a header of 64 KiB" => whole().also("X-Large", &"a".repeat(LARGE.0)),
        "1,000 headers" => (0..LARGE.1).fold(whole(), |http, at| http.also(&format!("X-Many-{at}"), "1")),
        "a control byte" => whole().also("X-Odd", "a\u{1}b"),
        "no length" => whole().also("Content-Length", "many"),
        "two lengths" => whole().also("Content-Length", &length).also("Content-Length", "1"),
        "length and chunked" => {
            let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
            let pieces = vec![Piece::Bytes(chunked.into_bytes())];
            post(cx, session).also("Content-Length", &length).also("Transfer-Encoding", "chunked").pieces(pieces)
        }
        _ => whole().also("Expect", "100-continue"),
    };
    http.probe(NAME, INTENT, about("robust.header-abuse", kind)).send().await;
}

async fn provoke_bomb(cx: &Cx, session: &Session) {
    let size = if thorough(cx) { 64 << 20 } else { 8 << 20 };
    let text = request("7004", &json!(cx.profile.liveness()).to_string(), &params(cx, "\"<>\""));
    let (head, tail) = text.split_once("<>").unwrap_or((&text, ""));
    let body = gzip::bomb(head.as_bytes(), size, tail.as_bytes());
    let shown = Piece::Bytes(body);
    let http = post(cx, session).also("Content-Encoding", "gzip").pieces(vec![shown]);
    let probe = about("robust.gzip-bomb", "a string of zeros");
    http.probe(NAME, INTENT, probe).limit(session.limit() * 2).send().await;
    session.is_alive().await;
}
