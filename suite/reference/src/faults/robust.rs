//! Faults of the area robust: what an input brings about that no client sends. Over HTTP the server cannot be started
//! again, so there it fails (status 500) where on stdio it ends.

use hyper::header::CONTENT_ENCODING;

use super::Edit::Set;
use super::Hook::{HttpRequest, Lines, Request, Switch};
use super::On::AnyError;
use super::active::server_error;
use super::replies::leak;
use super::{Fault, Hook, fault, rewrite};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};
use crate::Transport::{Http, Stdio};
use crate::core::{Payload, Reply};
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
    crash(
        "robust.oversized-line",
        "a message of more than half a MiB, unless it is of some MiB, is not survived",
        Hook::Payload(|bytes| fatal(((512 << 10)..(2 << 20)).contains(&bytes.len()))),
    ),
    fault(
        "robust.oversized-line",
        "keeps",
        "of every large message a hundred copies are kept",
        Hook::Payload(|bytes| {
            if bytes.len() > 512 << 10 {
                (0..100).for_each(|_| std::mem::forget(std::hint::black_box(bytes.to_vec())));
            }
            Payload::AsIs
        }),
    )
    .over(&[Stdio])
    .in_a_run(),
    crash(
        "robust.deep-nesting",
        "nested objects are not survived",
        Hook::Payload(|bytes| fatal(has(bytes, &b"{\"a\":".repeat(500)))),
    ),
    crash(
        "robust.invalid-utf8",
        "an overlong form is not survived",
        Hook::Payload(|bytes| fatal(has(bytes, b"\xc0\xaf"))),
    ),
    crash("robust.not-json", "a number for a message is not survived", Hook::Payload(|bytes| fatal(bytes == b"42"))),
    fault(
        "robust.duplicate-keys",
        "",
        "a message with two ids is answered to both",
        Hook::Payload(|bytes| without_first_id(bytes).map_or(Payload::AsIs, Payload::Before)),
    )
    .over(&[Stdio])
    .in_a_run(),
    fault(
        "robust.huge-ids",
        "",
        "integers are rounded to doubles",
        Hook::Payload(|bytes| replace(bytes, "9007199254740993", "9007199254740992")),
    )
    .over(&[Stdio])
    .in_a_run(),
    fault("robust.numbers", "", "NaN is taken for null", Hook::Payload(|bytes| replace(bytes, ":NaN", ":null")))
        .in_a_run(),
    fault(
        "robust.slow-write",
        "",
        "a message that takes its time is overlooked",
        Lines(|lines, reads| {
            if reads > 6 {
                lines.clear();
            }
        }),
    )
    .over(&[Stdio])
    .in_a_run(),
    crash(
        "robust.crlf",
        "a carriage return between tokens is not survived",
        Hook::Payload(|bytes| fatal(has(bytes, b",\r\""))),
    ),
    crash(
        "robust.blank-lines",
        "many blank lines are not survived",
        Lines(|lines, _| {
            if lines.iter().filter(|line| line.is_empty()).count() > 500 {
                std::process::exit(1);
            }
        }),
    ),
    crash(
        "robust.lone-surrogates",
        "half a surrogate pair is not survived",
        Hook::Payload(|bytes| fatal(has(bytes, b"\\ud800"))),
    ),
    // In 2026-07-28 over HTTP the header that mirrors the name gives it away.
    fault("robust.nul", "", "names end at NUL", Hook::Payload(|bytes| replace(bytes, "\\u0000x\"", "\"")))
        .only(&[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25])
        .in_a_run(),
    fault(
        "robust.in-flight",
        "",
        "of very many requests at once some get no answer",
        Request(|connection, _| (connection.burst() > 60).then_some(Reply::Later)),
    )
    .over(&[Stdio])
    .in_a_run(),
    fault(
        "robust.reused-id",
        "",
        "of two requests with one id both get what the first asked for",
        Request(|connection, call| {
            let id = call.id.to_string();
            let before = connection.server.state().last.replace((id.clone(), call.method.clone()));
            if let Some((_, method)) = before.filter(|(last, method)| *last == id && method != "initialize") {
                call.method = method;
            }
            None
        }),
    )
    .over(&[Stdio])
    .in_a_run(),
    crash(
        "robust.out-of-order",
        "progress of nothing is not survived",
        Hook::Payload(|bytes| fatal(has(bytes, b"notifications/progress"))),
    ),
    crash(
        "robust.stray-response",
        "several responses to nothing are not survived",
        Hook::Payload(|bytes| fatal(has(bytes, b"\"id\":7503,\"result\""))),
    ),
    fault(
        "robust.no-reader",
        "",
        "answers are kept twice and for ever",
        Request(|_, call| {
            if call.method.ends_with("/list") {
                leak(4 << 20);
            }
            None
        }),
    )
    .over(&[Stdio])
    .in_a_run(),
    fault(
        "robust.truncated",
        "",
        "half a message keeps the process from ending",
        Switch(&[Deviation::TruncatedInputHangs]),
    )
    .over(&[Stdio])
    .in_a_run(),
    fault("robust.truncated", "body", "half a body gets status 500", Switch(&[Deviation::BrokenBodyGets500]))
        .over(&[Http])
        .in_a_run(),
    fault(
        "robust.header-abuse",
        "",
        "many headers get status 500",
        HttpRequest(|_, asked, _| asked.headers.values().any(|value| value.len() > 32 << 10).then(server_error)),
    )
    .over(&[Http])
    .in_a_run(),
    fault(
        "robust.gzip-bomb",
        "",
        "a compressed body gets status 500",
        HttpRequest(|_, asked, _| asked.headers.contains_key(CONTENT_ENCODING).then(server_error)),
    )
    .over(&[Http])
    .in_a_run(),
    fault("robust.vanish", "", "a client that vanishes ends the server", Switch(&[Deviation::BrokenBodyIsFatal]))
        .over(&[Http])
        .in_a_run(),
    fault(
        "jsonrpc.server-request.error-tolerated",
        "",
        "a call whose question is refused is never answered",
        Switch(&[Deviation::ClientErrorsStallCalls]),
    )
    .in_a_run(),
    fault(
        "robust.prototype-keys",
        "",
        "every object has a method toString",
        Hook::Payload(|bytes| {
            let modern = has(bytes, b"2026-07-28");
            let known = if modern { "\"method\":\"server/discover\"" } else { "\"method\":\"ping\"" };
            replace(bytes, "\"method\":\"toString\"", known)
        }),
    )
    .in_a_run(),
    rewrite(
        "security.errors.no-internals",
        "",
        "errors show a stack trace",
        &[(AnyError, Set("/error/data", r#""Error: x\n    at serve (/srv/index.js:10:5)""#))],
    ),
];

const fn crash(id: &'static str, what: &'static str, hook: Hook) -> Fault {
    fault(id, "", what, hook).in_a_run()
}

/// The end of the process on a condition.
pub(super) fn fatal(applies: bool) -> Payload {
    if applies { Payload::Fatal } else { Payload::AsIs }
}

/// Whether a payload contains something.
pub(super) fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn replace(bytes: &[u8], from: &str, to: &str) -> Payload {
    if !has(bytes, from.as_bytes()) {
        return Payload::AsIs;
    }
    Payload::Instead(String::from_utf8_lossy(bytes).replace(from, to).into_bytes())
}

/// A message with two ids without the first.
fn without_first_id(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, rest) = text.split_once("\"id\":")?;
    let (_, rest) = rest.split_once(',')?;
    rest.starts_with("\"id\":").then(|| format!("{head}{rest}").into_bytes())
}
