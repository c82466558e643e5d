//! Faults of the area robust: what an input brings about that no client sends. Over HTTP the server cannot be started
//! again, so there it fails (status 500) where on stdio it ends.

use super::Edit::Set;
use super::On::AnyError;
use super::{Fault, rewrite, switch};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};
use crate::Transport::{Http, Stdio};
use crate::core::{Call, Connection, Reply};
use crate::settings::Settings;

pub(super) static TABLE: &[Fault] = &[
    ends("robust.oversized-line", "a message of more than half a MiB, unless it is of some MiB, is not survived"),
    switch("robust.oversized-line", "keeps", "of every large message a hundred copies are kept")
        .over(&[Stdio])
        .in_a_run(),
    ends("robust.deep-nesting", "nested objects are not survived"),
    ends("robust.invalid-utf8", "an overlong form is not survived"),
    ends("robust.not-json", "a number for a message is not survived"),
    switch("robust.duplicate-keys", "", "a message with two ids is answered to both").over(&[Stdio]).in_a_run(),
    switch("robust.huge-ids", "", "integers are rounded to doubles").over(&[Stdio]).in_a_run(),
    switch("robust.numbers", "", "NaN is taken for null").in_a_run(),
    switch("robust.slow-write", "", "a message that takes its time is overlooked").over(&[Stdio]).in_a_run(),
    ends("robust.crlf", "a carriage return between tokens is not survived"),
    ends("robust.blank-lines", "many blank lines are not survived"),
    ends("robust.lone-surrogates", "half a surrogate pair is not survived"),
    // In 2026-07-28 over HTTP the header that mirrors the name gives it away.
    switch("robust.nul", "", "names end at NUL").only(&[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25]).in_a_run(),
    switch("robust.in-flight", "", "of very many requests at once some get no answer").over(&[Stdio]).in_a_run(),
    switch("robust.reused-id", "", "of two requests with one id both get what the first asked for")
        .over(&[Stdio])
        .in_a_run(),
    ends("robust.out-of-order", "progress of nothing is not survived"),
    ends("robust.stray-response", "several responses to nothing are not survived"),
    switch("robust.no-reader", "", "answers are kept twice and for ever").over(&[Stdio]).in_a_run(),
    switch("robust.truncated", "", "half a message keeps the process from ending").over(&[Stdio]).in_a_run(),
    switch("robust.truncated", "body", "half a body gets status 500").over(&[Http]).in_a_run(),
    switch("robust.header-abuse", "", "many headers get status 500").over(&[Http]).in_a_run(),
    switch("robust.gzip-bomb", "", "a compressed body gets status 500").over(&[Http]).in_a_run(),
    switch("robust.vanish", "", "a client that vanishes ends the server").over(&[Http]).in_a_run(),
    switch("jsonrpc.server-request.error-tolerated", "", "a call whose question is refused is never answered")
        .in_a_run(),
    switch("robust.prototype-keys", "", "every object has a method toString").in_a_run(),
    rewrite(
        "security.errors.no-internals",
        "",
        "errors show a stack trace",
        &[(AnyError, Set("/error/data", r#""Error: x\n    at serve (/srv/index.js:10:5)""#))],
    ),
];

const fn ends(id: &'static str, what: &'static str) -> Fault {
    switch(id, "", what).in_a_run()
}

/// Whether a payload is one that a fault does not survive.
pub(crate) fn is_fatal(settings: &Settings, bytes: &[u8]) -> bool {
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    let other = super::practice_calls::is_fatal(settings, bytes);
    other
        || settings.faults().iter().any(|fault| match (fault.id, fault.variant) {
            ("robust.oversized-line", "") => ((512 << 10)..(2 << 20)).contains(&bytes.len()),
            ("robust.deep-nesting", _) => has(&b"{\"a\":".repeat(500)),
            ("robust.invalid-utf8", _) => has(b"\xc0\xaf"),
            ("robust.not-json", _) => bytes == b"42",
            ("robust.crlf", _) => has(b",\r\""),
            ("robust.lone-surrogates", _) => has(b"\\ud800"),
            ("robust.out-of-order", _) => has(b"notifications/progress"),
            ("robust.stray-response", _) => has(b"\"id\":7503,\"result\""),
            _ => false,
        })
}

/// What a payload becomes before it is read.
pub(crate) fn misread(settings: &Settings, bytes: &[u8]) -> Option<Vec<u8>> {
    let text = || String::from_utf8_lossy(bytes);
    if settings.faulty("robust.numbers") && text().contains(":NaN") {
        return Some(text().replace(":NaN", ":null").into_bytes());
    }
    if settings.faulty("robust.nul") && text().contains("\\u0000x\"") {
        return Some(text().replace("\\u0000x\"", "\"").into_bytes());
    }
    if settings.faulty("robust.huge-ids") {
        return Some(text().replace("9007199254740993", "9007199254740992").into_bytes());
    }
    if settings.faulty("robust.prototype-keys") {
        let known =
            if text().contains("2026-07-28") { "\"method\":\"server/discover\"" } else { "\"method\":\"ping\"" };
        return Some(text().replace("\"method\":\"toString\"", known).into_bytes());
    }
    None
}

/// What a fault does with a payload beside serving it.
pub(crate) fn on_payload(settings: &Settings, bytes: &[u8]) -> Option<Vec<u8>> {
    if settings.faulty_as("robust.oversized-line", "keeps") && bytes.len() > 512 << 10 {
        (0..100).for_each(|_| std::mem::forget(std::hint::black_box(bytes.to_vec())));
    }
    if !settings.faulty("robust.duplicate-keys") {
        return None;
    }
    // The same once more without the first id.
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, rest) = text.split_once("\"id\":")?;
    let (_, rest) = rest.split_once(',')?;
    rest.starts_with("\"id\":").then(|| format!("{head}{rest}").into_bytes())
}

/// Whether a request over HTTP fails for its head.
pub(crate) fn is_failing(settings: &Settings, headers: &hyper::HeaderMap) -> bool {
    settings.faulty("robust.header-abuse") && headers.values().any(|value| value.len() > 32 << 10)
        || settings.faulty("robust.gzip-bomb") && headers.contains_key(hyper::header::CONTENT_ENCODING)
}

/// What a body that breaks off does: status 500, or the end.
pub(crate) fn broken_off(settings: &Settings) -> bool {
    if settings.faulty("robust.vanish") {
        std::process::exit(1);
    }
    settings.faulty_as("robust.truncated", "body")
}

pub(super) fn intercept(connection: &mut Connection, call: &mut Call, id: &str) -> Option<Reply> {
    match id {
        "robust.in-flight" if connection.burst() > 60 => Some(Reply::Later),
        "robust.reused-id" => {
            let id = call.id.to_string();
            let before = connection.server.state().last.replace((id.clone(), call.method.clone()));
            if let Some((_, method)) = before.filter(|(last, method)| *last == id && method != "initialize") {
                call.method = method;
            }
            None
        }
        "robust.no-reader" if call.method.ends_with("/list") => {
            std::mem::forget(std::hint::black_box(vec![1_u8; 4 << 20]));
            None
        }
        _ => None,
    }
}
