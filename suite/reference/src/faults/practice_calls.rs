//! Faults of the area practice: what calls give, and what they bring about.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Edit::{Before, Set};
use super::On::{Call, Error, Result};
use super::{Fault, rewrite, switch};
use crate::Transport::{Http, Sse, Stdio};
use crate::core::{self, Connection, Reply, What};
use crate::error::RpcError;
use crate::settings::Settings;
use crate::tools::failure;

pub(super) static TABLE: &[Fault] = &[
    switch("practice.response.json-parses", "", "JSON has a word before it").in_a_run(),
    switch("practice.response.json-complete", "", "JSON lacks the ids that Markdown has").in_a_run(),
    switch("practice.response.json-consistent", "", "every other entry lacks a member").in_a_run(),
    switch("practice.response.markdown-is-readable", "", "Markdown is JSON").in_a_run(),
    switch("practice.response.markdown-structured", "", "Markdown has no marks").in_a_run(),
    switch("practice.response.markdown-timestamps", "", "Markdown has times as numbers").in_a_run(),
    switch("practice.response.size-limit", "", "a text has 27,000 characters").in_a_run(),
    switch("practice.response.truncated-json-valid", "", "JSON breaks off").in_a_run(),
    switch("practice.response.truncation-flagged", "", "a part is given for the whole").in_a_run(),
    switch("practice.response.truncation-guidance", "", "what is missing cannot be had").in_a_run(),
    switch("practice.response.truncation-metadata", "", "nobody knows how much is missing").in_a_run(),
    switch("practice.list.limit-honoured", "", "there is one entry more than asked for").in_a_run(),
    switch("practice.list.default-page", "", "without a limit there are 60 entries").in_a_run(),
    switch("practice.list.limit-bounded", "", "the largest limit is never answered").in_a_run(),
    switch("practice.list.has-more", "", "a page does not say whether there is more").in_a_run(),
    switch("practice.list.next-marker", "", "a page does not say where the next one begins").in_a_run(),
    switch("practice.list.total-count", "", "a page does not say how many there are").in_a_run(),
    switch("practice.list.count-matches", "", "a page counts one entry too many").in_a_run(),
    switch("practice.list.offset-echoed", "", "a page names the next offset for its own").in_a_run(),
    switch("practice.list.next-advances", "", "every page is the first one").in_a_run(),
    switch("practice.list.last-page-clean", "", "the last page leads on").in_a_run(),
    switch("practice.list.pages-agree-with-total", "", "the total is one too many").in_a_run(),
    rewrite(
        "practice.errors.flagged",
        "",
        "a result that is an error does not say so",
        &[(Call("version"), Set("/result/content/0/text", "\"Error: it failed\""))],
    ),
    rewrite(
        "practice.errors.standard-codes",
        "",
        "an error has the code of an HTTP status",
        &[(Error("prompts/get"), Set("/error/code", "404"))],
    ),
    rewrite(
        "practice.errors.no-stack-trace",
        "",
        "an error is a stack trace",
        &[(
            Call("fail"),
            Set("/result/content/0/text", r#""Traceback (most recent call last):\n  File x, line 1\nKeyError: 1""#),
        )],
    ),
    rewrite(
        "practice.errors.no-file-paths",
        "",
        "an error names a file of the server",
        &[(Call("fail"), Set("/result/content/0/text", r#""It failed in /home/build/server/tools.py.""#))],
    ),
    rewrite(
        "practice.errors.no-secrets",
        "",
        "an error has a password",
        &[(Call("fail"), Set("/result/content/0/text", r#""No connection to postgres://app:hunter2@db.example/x""#))],
    ),
    rewrite(
        "practice.errors.no-internals",
        "",
        "an error has a query",
        &[(Call("fail"), Set("/result/content/0/text", r#""It failed at SELECT name FROM users WHERE id = 1""#))],
    ),
    switch("practice.errors.helpful", "", "invalid arguments are refused without a reason"),
    switch("practice.errors.short", "", "an error has thousands of characters"),
    switch("practice.errors.cleanup", "", "every failing call keeps its memory").over(&[Stdio]).in_a_run(),
    switch("practice.input.path-traversal", "", "a path may lead outside").in_a_run(),
    switch("practice.input.command-injection", "", "what stands in $() is worked out").in_a_run(),
    switch("practice.input.url-validated", "", "file: is followed").in_a_run(),
    switch("practice.input.id-validated", "", "an id with quotes finds everything").in_a_run(),
    switch("practice.input.oversized", "", "very large arguments are not answered").in_a_run(),
    switch("practice.input.ranges", "", "a limit out of range is an internal error").in_a_run(),
    switch("practice.input.deep-nesting", "", "deep arguments are not survived").over(&[Stdio]).in_a_run(),
    switch("practice.input.unicode", "", "half a surrogate pair in arguments is not survived")
        .over(&[Stdio])
        .in_a_run(),
    switch("practice.input.prototype-keys", "", "what __proto__ holds stands in every later result").in_a_run(),
    switch("practice.timeout.reported", "", "a call that got nowhere in its time has an ordinary result").in_a_run(),
    switch("practice.timeout.answers", "", "a tool never answers").in_a_run(),
    switch("practice.auth.missing-key-message", "", "without its key a tool fails and does not say what is missing")
        .over(&[Stdio])
        .in_a_run(),
    switch("practice.progress.long-operations", "", "a tool takes very long and says nothing").in_a_run(),
    switch("practice.rate-limit.survives-burst", "", "of many calls at once some get no answer").in_a_run(),
    switch("practice.rate-limit.says-so", "", "of many calls at once some fail without a reason").in_a_run(),
    switch("practice.load.concurrent-clients", "", "while a call lasts nobody else is answered")
        .over(&[Http, Sse])
        .in_a_run(),
    switch("practice.transport.cleanup", "", "what requests hold is never released, until nothing is left")
        .over(&[Http])
        .in_a_run(),
    rewrite(
        "practice.stdio.stdout-protocol-only",
        "",
        "a line on standard output is no message",
        &[(Result("tools/list"), Before("+++"))],
    )
    .over(&[Stdio]),
    rewrite(
        "practice.stdio.logs-on-stderr",
        "",
        "log lines go to standard output",
        &[(Result("tools/list"), Before("INFO the tools were listed"))],
    )
    .over(&[Stdio]),
];

/// The environment variable without which a fault has a tool fail.
const KEY: &str = "MCP_CONFORM_REFERENCE_KEY";
/// Calls of one client after which it is taken for a burst.
const MANY: u64 = 60;
/// Requests that can be held.
const HELD: u64 = 80;

pub(super) fn intercept(connection: &mut Connection, call: &mut core::Call, id: &str) -> Option<Reply> {
    let calls = call.method == "tools/call";
    match id {
        "practice.timeout.answers" | "practice.progress.long-operations" if call.tool() == Some("version") => {
            Some(Reply::Later)
        }
        "practice.auth.missing-key-message" if call.tool() == Some("version") && std::env::var_os(KEY).is_none() => {
            Some(Reply::Result(failure("The version could not be found out.")))
        }
        "practice.rate-limit.survives-burst" if calls && counted(connection, MANY) => Some(Reply::Later),
        "practice.rate-limit.says-so" if calls && counted(connection, MANY) => {
            Some(Reply::Result(failure("Something failed.")))
        }
        "practice.transport.cleanup" if call.method == "tools/list" => {
            counted(connection, HELD);
            None
        }
        "practice.transport.cleanup" if ["ping", "server/discover"].contains(&call.method.as_str()) => {
            let held = connection.server.state().spent > HELD;
            held.then_some(Reply::Later)
        }
        "practice.load.concurrent-clients" => blocked(connection, call),
        "practice.errors.cleanup" if calls && !known(connection, call) => {
            std::mem::forget(std::hint::black_box(vec![1_u8; 512 << 10]));
            None
        }
        "practice.input.oversized" if calls && call.params.to_string().len() > 512 << 10 => Some(Reply::Later),
        "practice.input.ranges" if calls => {
            let limit = call.params["arguments"]["limit"].as_f64();
            let out = limit.is_some_and(|limit| !(1.0..=50.0).contains(&limit));
            out.then(|| RpcError::new(-32603, "Internal error").into())
        }
        "practice.input.command-injection" if calls => {
            if let Some(message) = call.params["arguments"]["message"].as_str().map(expanded) {
                call.params["arguments"]["message"] = json!(message);
            }
            None
        }
        "practice.input.prototype-keys" if calls => {
            let members = call.params["arguments"]["__proto__"].clone();
            if members.is_object() {
                connection.server.state().meta = members;
            }
            None
        }
        _ => None,
    }
}

/// One more; whether there were too many.
fn counted(connection: &Connection, many: u64) -> bool {
    let mut state = connection.server.state();
    state.spent += 1;
    state.spent > many
}

fn known(connection: &Connection, call: &core::Call) -> bool {
    let server = &connection.server;
    call.tool().is_some_and(|tool| server.toolbox.find(server, (call.revision, connection.transport), tool).is_some())
}

/// Everybody waits for the call that lasts.
fn blocked(connection: &mut Connection, call: &core::Call) -> Option<Reply> {
    if call.tool() == Some("work_slowly") {
        let given = |name: &str, default: f64| call.params["arguments"][name].as_f64().unwrap_or(default);
        let busy = Duration::from_millis((given("steps", 3.0) * given("milliseconds", 40.0)) as u64);
        // Each connection has a clock of its own.
        connection.server.state().busy = Some((busy, Instant::now() + busy));
        return None;
    }
    let (busy, until) = connection.server.state().busy?;
    let over = Instant::now() >= until;
    if over || busy < Duration::from_millis(500) || !["ping", "server/discover"].contains(&call.method.as_str()) {
        return None;
    }
    connection.later(busy, Some(call.key), What::Finish(Box::new(call.clone()), Reply::Result(json!({}))));
    Some(Reply::Later)
}

/// As a shell does with `$(printf 'format%s' word)`.
fn expanded(text: &str) -> String {
    let Some((head, rest)) = text.split_once("$(printf '") else { return text.to_owned() };
    let Some((inner, tail)) = rest.split_once(')') else { return text.to_owned() };
    let Some((format, word)) = inner.split_once("' ") else { return text.to_owned() };
    format!("{head}{}{tail}", format.replace("%s", word))
}

/// What is left in every later result.
pub(super) fn amend_result(connection: &Connection, call: &core::Call, id: &str, result: &mut Value) {
    if id == "practice.input.prototype-keys" && call.method == "tools/call" && result["isError"] != true {
        let left = connection.server.state().meta.clone();
        let Some(members) = left.as_object().filter(|members| !members.is_empty()) else { return };
        result["_meta"] = json!(members);
    }
}

/// Whether a payload is one that is not survived.
pub(super) fn is_fatal(settings: &Settings, bytes: &[u8]) -> bool {
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    let call = has(b"tools/call");
    (settings.faulty("practice.input.deep-nesting") && call && has(&b"[".repeat(500)))
        || (settings.faulty("practice.input.unicode") && call && has(b"\\ud800"))
}
