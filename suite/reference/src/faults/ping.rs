//! Faults of the area ping.

use std::time::Duration;
use wire::mcp::code;

use serde_json::json;

use super::Edit::Set;
use super::Hook::{Answered, Initialized, Request};
use super::On::Result;
use super::replies::{empty, error, invalid};
use super::{Fault, fault, rewrite};
use crate::Transport::{Http, Stdio};
use crate::core::{Action, Call, Reply, Stream, What};

/// Longer than the time limit of a selftest.
const LATE: Duration = Duration::from_secs(4);
/// Pings at once: more than a minute's worth.
const MANY: u32 = 75;
/// The id of the one ping that a fault sends.
const OWN: &str = "server-ping";

pub(super) static TABLE: &[Fault] = &[
    fault("ping.answered", "", "ping is an unknown method", Request(|_, call| pings(call).then(unknown_ping))),
    fault("ping.answered", "silent", "ping gets no answer", Request(|_, call| pings(call).then_some(Reply::Later))),
    fault(
        "ping.answered",
        "is-error",
        "ping gets a result that says isError, like any method that is not known",
        Request(|_, call| {
            let said = json!({"content": [{"type": "text", "text": "Method not found: ping"}], "isError": true});
            pings(call).then(|| Reply::Result(said))
        }),
    ),
    rewrite("ping.result-empty", "", "the result of ping is null", &[(Result("ping"), Set("/result", "null"))]),
    fault(
        "ping.prompt",
        "",
        "ping is answered after some seconds",
        Request(|connection, call| {
            if !pings(call) {
                return None;
            }
            connection.later(LATE, Some(call.key), What::Finish(Box::new(call.clone()), empty()));
            Some(Reply::Later)
        }),
    )
    .in_a_run(),
    fault(
        "ping.while-busy",
        "",
        "ping gets no answer while a tool is at work",
        Request(|connection, call| (pings(call) && connection.is_busy()).then_some(Reply::Later)),
    )
    .in_a_run(),
    fault(
        "ping.while-busy",
        "behind",
        "ping is answered when the tool that is at work has ended",
        Request(|connection, call| {
            let wait = pings(call).then(|| connection.busy_for()).flatten()?;
            connection.later(wait, Some(call.key), What::Finish(Box::new(call.clone()), empty()));
            Some(Reply::Later)
        }),
    )
    .in_a_run(),
    fault(
        "ping.with-meta",
        "",
        "ping with _meta is refused",
        Request(|_, call| (pings(call) && call.params.get("_meta").is_some()).then(|| invalid("_meta is not known"))),
    )
    .in_a_run(),
    fault(
        "ping.repeated",
        "",
        "of many pings at once some get no answer",
        Request(|connection, call| (pings(call) && connection.burst() > 5).then_some(Reply::Later)),
    )
    .in_a_run(),
    fault(
        "ping.before-initialized",
        "",
        "ping is refused until notifications/initialized",
        Request(|connection, call| {
            let early = connection.session.as_ref().is_some_and(|session| !session.initialized);
            (pings(call) && early).then(|| error(code::INVALID_REQUEST, "notifications/initialized comes first"))
        }),
    )
    .in_a_run(),
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
    fault(
        "ping.server-accepts-answer",
        "",
        "the process ends when its ping is answered",
        Initialized(|connection| {
            connection.request_of_ours(Stream::Standalone, json!(OWN), "ping", json!({}));
        }),
    )
    .and(Answered(|connection, id| {
        if *id == OWN {
            connection.act(Action::Exit(0));
        }
    }))
    .over(&[Stdio]),
    fault(
        "ping.server-rate",
        "",
        "the server pings many times at once",
        Initialized(|connection| {
            for _ in 0..MANY {
                let id = connection.next_ask();
                connection.request_of_ours(Stream::Standalone, id, "ping", json!({}));
            }
        }),
    )
    .over(&[Stdio]),
    fault(
        "ping.http-any-session",
        "",
        "ping is an unknown method",
        Request(|connection, call| (pings(call) && connection.transport == Http).then(unknown_ping)),
    )
    .over(&[Http]),
];

fn pings(call: &Call) -> bool {
    call.method == "ping"
}

fn unknown_ping() -> Reply {
    error(code::METHOD_NOT_FOUND, "Method not found: ping")
}
