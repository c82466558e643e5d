//! Faults of the area ping.

use std::time::Duration;

use serde_json::{Value, json};

use super::Edit::Set;
use super::On::Result;
use super::intercept::{invalid, refused};
use super::{Fault, rewrite, switch};
use crate::Transport::{Http, Stdio};
use crate::core::{Action, Call, Connection, Reply, Stream, What};

/// Longer than the time limit of a selftest.
const LATE: Duration = Duration::from_secs(4);
/// Pings at once: more than a minute's worth.
const MANY: u32 = 75;
/// The id of the one ping that a fault sends.
const OWN: &str = "server-ping";

pub(super) static TABLE: &[Fault] = &[
    switch("ping.answered", "", "ping is an unknown method"),
    switch("ping.answered", "silent", "ping gets no answer"),
    rewrite("ping.result-empty", "", "the result of ping is null", &[(Result("ping"), Set("/result", "null"))]),
    switch("ping.prompt", "", "ping is answered after some seconds").in_a_run(),
    switch("ping.while-busy", "", "ping gets no answer while a tool is at work").in_a_run(),
    switch("ping.with-meta", "", "ping with _meta is refused").in_a_run(),
    switch("ping.repeated", "", "of many pings at once some get no answer").in_a_run(),
    switch("ping.before-initialized", "", "ping is refused until notifications/initialized").in_a_run(),
    rewrite(
        "ping.server-ping-shape",
        "",
        "the server pings with params",
        &[(
            Result("tools/list"),
            super::Edit::After(r#"{"jsonrpc":"2.0","id":"ping-1","method":"ping","params":{"n":1}}"#),
        )],
    )
    .over(&[Stdio]),
    switch("ping.server-accepts-answer", "", "the process ends when its ping is answered").over(&[Stdio]),
    switch("ping.server-rate", "", "the server pings many times at once").over(&[Stdio]),
    switch("ping.http-any-session", "", "ping is an unknown method").over(&[Http]),
];

pub(super) fn intercept(connection: &mut Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    if call.method != "ping" {
        return None;
    }
    let unknown = || refused(-32601, "Method not found: ping");
    match (id, variant) {
        ("ping.answered", "silent") => Some(Reply::Later),
        ("ping.answered", _) => unknown(),
        ("ping.http-any-session", _) if connection.transport == crate::Transport::Http => unknown(),
        ("ping.prompt", _) => {
            let what = What::Finish(Box::new(call.clone()), Reply::Result(json!({})));
            connection.later(LATE, Some(call.key), what);
            Some(Reply::Later)
        }
        ("ping.while-busy", _) if connection.is_busy() => Some(Reply::Later),
        ("ping.with-meta", _) if call.params.get("_meta").is_some() => invalid("_meta is not known"),
        ("ping.repeated", _) if connection.burst() > 5 => Some(Reply::Later),
        ("ping.before-initialized", _) if connection.session.as_ref().is_some_and(|session| !session.initialized) => {
            refused(-32600, "notifications/initialized comes first")
        }
        _ => None,
    }
}

/// What the server does of its own accord once the client is initialized.
pub(crate) fn initialized(connection: &mut Connection) {
    let settings = &connection.server.settings;
    let one = settings.faulty("ping.server-accepts-answer") || settings.quirk("pings");
    let count = if settings.faulty("ping.server-rate") { MANY } else { u32::from(one) };
    let pressing = settings.quirk("pings") && connection.transport == crate::Transport::Stdio;
    if pressing {
        connection.expect(json!(OWN), "ping");
    }
    for at in 0..count {
        let id = if at == 0 { json!(OWN) } else { connection.next_ask() };
        connection.request_of_ours(Stream::Standalone, id, "ping", json!({}));
    }
}

/// What the answer to it does.
pub(crate) fn pinged(connection: &mut Connection, id: &Value) {
    if *id == OWN && connection.server.faulty("ping.server-accepts-answer") {
        connection.act(Action::Exit(0));
    }
}
