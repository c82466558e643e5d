//! Faults of the area stdio: how lines are read and written, and how the process ends.

use serde_json::json;
use wire::mcp::code;

use std::io::Write;
use std::process::{Command, Stdio as Streams};
use std::time::Duration;

use super::Edit::{Before, Set};
use super::Hook::{Delay, Line, Lines, Request, Start, Stays, Switch};
use super::On::{AnyError, Result};
use super::replies::{error, exit};
use super::{Fault, fault, piped, rewrite};
use crate::Transport::Stdio;
use crate::core::{Call, Reply, What};
use crate::deviation::Deviation;

const ANSWERED: &str = "jsonrpc.response.every-request-answered";
const OPENED: &str = "lifecycle.initialize.answered";

/// How long a process lives that ends by itself: longer than it takes to greet a client.
const LIFE: Duration = Duration::from_millis(700);

pub(super) static TABLE: &[Fault] = &[
    piped("stdio.process.stays-alive", "", "the process ends a moment after its start", Start(end_soon)),
    fault(
        ANSWERED,
        "prompts",
        "the process ends when a prompt is asked for",
        Request(|connection, call| {
            let ends = call.method == "prompts/get" || call.tool() == Some("version");
            ends.then(|| exit(connection))
        }),
    )
    .over(&[Stdio]),
    piped(
        "stdio.framing.one-message-per-line",
        "",
        "the list of prompts is spread over many lines",
        Line(|text, _, line| {
            if lists_prompts(text) {
                line.text = pretty(text);
            }
        }),
    ),
    piped(
        "stdio.framing.one-message-per-line",
        "all",
        "every message is spread over many lines",
        Line(|text, _, line| line.text = pretty(text)),
    ),
    piped(
        "stdio.framing.one-message-per-line",
        "several",
        "two messages share a line",
        Line(|_, _, line| line.text.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/nothing"}"#)),
    ),
    piped(
        "stdio.framing.newline-terminated",
        "none",
        "no message ends with a line feed",
        Line(|_, _, line| line.end = ""),
    ),
    piped(
        "stdio.framing.newline-terminated",
        "",
        "some answers wait for their newline until the next one",
        // Answers to a request for a sign of life.
        Line(|text, begun, line| {
            let sign = text.contains("\"result\":{}") || text.contains("\"supportedVersions\":");
            line.held |= begun && sign;
        }),
    ),
    piped(OPENED, "unflushed", "nothing is written before the input ends", Switch(&[Deviation::OutputIsNotFlushed])),
    piped(OPENED, "lumps", "four messages are written at once", Switch(&[Deviation::OutputComesInLumps])),
    piped(
        ANSWERED,
        "sometimes",
        "some answers are lost: those to every ninth request",
        Request(|_, call| (call.method != "initialize" && call.key % 9 == 8).then_some(Reply::Later)),
    ),
    piped(
        "stdio.stdout.only-json",
        "sometimes",
        "some answers are cut off",
        Line(|text, begun, line| {
            let sum = text.bytes().fold(0, u8::wrapping_add);
            if begun && sum % 16 == 3 && text.contains("\"result\"") {
                line.text.truncate(text.len() / 2);
            }
        }),
    ),
    piped(
        "stdio.framing.pipelined-messages",
        "",
        "of many messages in one read the last are lost",
        Lines(|lines, _| lines.truncate(4)),
    ),
    piped(
        "stdio.framing.split-writes",
        "",
        "what one read returns is taken for whole messages",
        Switch(&[Deviation::ReadsAreMessages]),
    ),
    piped(
        "stdio.framing.only-lf-splits",
        "",
        "lines end at U+2028, U+2029 and U+0085 too",
        Lines(|lines, _| {
            let split = |line: &Vec<u8>| {
                let text = String::from_utf8_lossy(line).into_owned();
                text.split(['\u{2028}', '\u{2029}', '\u{85}']).map(|part| part.as_bytes().to_vec()).collect::<Vec<_>>()
            };
            *lines = lines.iter().flat_map(split).collect();
        }),
    ),
    piped(
        "stdio.framing.crlf-input-tolerated",
        "",
        "a message that ends with CR LF is refused",
        Lines(|lines, _| lines.iter_mut().filter(|line| line.ends_with(b"\r")).for_each(|line| line.push(b'?'))),
    ),
    fault(
        "stdio.framing.blank-line-input-tolerated",
        "",
        "a blank line is answered with the id 0",
        Switch(&[Deviation::BlankLinesAreAnswered]),
    )
    .over(&[Stdio]),
    piped("stdio.framing.lf-only-output", "", "lines end with CR LF", Line(|_, _, line| line.end = "\r\n")),
    piped(
        "stdio.encoding.utf8-output",
        "",
        "the list of prompts is written in Latin-1",
        Line(|text, _, line| {
            if lists_prompts(text) {
                // The first string of the first prompt, in Latin-1.
                let at = text.find("\"description\":\"").map_or(0, |at| at + "\"description\":\"".len());
                line.text.splice(at..at, [b'\xe9', b' ']);
            }
        }),
    ),
    piped(
        "stdio.encoding.utf8-input",
        "",
        "the input is read as Latin-1",
        // Every byte is taken for a character.
        Lines(|lines, _| {
            let read =
                |line: &mut Vec<u8>| *line = line.iter().copied().map(char::from).collect::<String>().into_bytes();
            lines.iter_mut().for_each(read);
        }),
    ),
    piped(
        "stdio.encoding.no-bom",
        "",
        "a byte order mark stands at the start of the output",
        Line(|_, begun, line| {
            if !begun {
                line.text.splice(0..0, [0xef, 0xbb, 0xbf]);
            }
        }),
    ),
    rewrite(
        "stdio.stdout.only-json",
        "",
        "a line of text comes before each list",
        &[(Result("tools/list"), Before("Listing tools"))],
    )
    .over(&[Stdio]),
    rewrite(
        "stdio.stdout.only-json",
        "header",
        "lists have a length header",
        &[(Result("tools/list"), Before("Content-Length: 2048"))],
    )
    .over(&[Stdio]),
    piped(
        "stdio.stdout.only-json",
        "framed",
        "every message follows a length header and has no line feed",
        Line(|text, _, line| {
            line.text = format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes();
            line.end = "";
        }),
    ),
    piped(
        "stdio.stdout.only-json",
        "prefix",
        "a time stands before every message",
        Line(|text, _, line| line.text = format!("[12:00:00] {text}").into_bytes()),
    ),
    piped(
        "stdio.stdout.only-json",
        "banner",
        "a banner comes before the first message",
        Line(|text, begun, line| {
            if !begun {
                line.text = format!("Weather server, ready.\nListening on stdio ...\n{text}").into_bytes();
            }
        }),
    ),
    rewrite(
        "stdio.stdout.valid-message",
        "",
        "log lines in JSON are mixed in",
        &[(Result("tools/list"), Before(r#"{"level":"info","message":"listing tools"}"#))],
    )
    .over(&[Stdio]),
    rewrite(
        "stdio.stdout.no-blank-lines",
        "",
        "an empty line comes before each list",
        &[(Result("tools/list"), Before(""))],
    )
    .over(&[Stdio]),
    fault(
        "stdio.stdout.nothing-unprompted",
        "",
        "a log message comes when nothing is asked any more",
        Request(|connection, call| {
            if call.method == "server/discover" {
                let log = json!({"level": "info", "data": "discovered"});
                let what = What::Notify(Box::new(call.clone()), "notifications/message", log);
                connection.later(Duration::from_millis(30), None, what);
            }
            None
        }),
    )
    .over(&[Stdio]),
    rewrite(
        "stdio.errors.no-header-mismatch",
        "",
        "errors are about headers",
        &[(AnyError, Set("/error/code", "-32020"))],
    )
    .over(&[Stdio]),
    piped(
        "stdio.stderr.utf8",
        "",
        "standard error is written in Latin-1",
        Start(|| {
            let _ = std::io::stderr().write_all(b"ready: caf\xe9\n");
        }),
    ),
    piped(
        "stdio.shutdown.exits-on-eof",
        "",
        "the end of the input is overlooked",
        Stays(|ended| ended.said && !ended.busy),
    ),
    piped(
        "stdio.shutdown.exits-on-immediate-eof",
        "",
        "the end of the input is overlooked if there was none",
        Stays(|ended| !ended.said),
    ),
    piped(
        "stdio.shutdown.exits-on-eof-mid-request",
        "",
        "the end of the input is overlooked during a call",
        Stays(|ended| ended.busy),
    ),
    piped(
        "stdio.shutdown.flushes-pending",
        "",
        "what is at work is dropped at the end of the input",
        Switch(&[Deviation::PendingAnswersDropped]),
    )
    .and(Delay(Duration::from_millis(20))),
    piped(
        "stdio.shutdown.clean-exit-status",
        "",
        "the process ends with status 3",
        Switch(&[Deviation::ExitsWithError]),
    ),
    piped("stdio.shutdown.sigterm", "", "SIGTERM is ignored", Start(ignore_sigterm)),
    piped(
        "stdio.shutdown.no-orphans",
        "",
        "a helper outlives the server",
        Start(|| {
            let mut helper = Command::new("sleep");
            let helper = helper.arg("600").stdin(Streams::null()).stdout(Streams::null()).stderr(Streams::null());
            let _ = helper.spawn();
        }),
    ),
    piped(
        "stdio.shutdown.closed-stdout",
        "",
        "that nobody reads the output is overlooked, and so is the end of the input",
        Switch(&[Deviation::ClosedOutputIgnored]),
    )
    .and(Stays(|ended| ended.deaf)),
    fault(
        "stdio.compat.survives-modern-probe",
        "",
        "server/discover ends the process unless initialize came first",
        Request(|connection, call| match call.method.as_str() {
            _ if connection.session.is_some() => None,
            "server/discover" => Some(exit(connection)),
            _ => refuse_late_initialize(call),
        }),
    )
    .over(&[Stdio]),
    fault(
        "stdio.compat.survives-modern-probe",
        "refuses",
        "after server/discover initialize is refused",
        Request(|connection, call| match call.method.as_str() {
            _ if connection.session.is_some() => None,
            "server/discover" => Some(error(code::METHOD_NOT_FOUND, "Method not found: server/discover")),
            _ => refuse_late_initialize(call),
        }),
    )
    .over(&[Stdio]),
];

/// Ends the process when it has lived for a moment.
fn end_soon() {
    std::thread::spawn(|| {
        std::thread::sleep(LIFE);
        std::process::exit(1);
    });
}

/// A handler stays for as long as the process lives; nothing is answered before it is there.
#[cfg(unix)]
fn ignore_sigterm() {
    use tokio::signal::unix::{SignalKind, signal};
    let (there, ready) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(async {
                if let Ok(mut signal) = signal(SignalKind::terminate()) {
                    let _ = there.send(());
                    while signal.recv().await.is_some() {}
                }
            });
        }
    });
    let _ = ready.recv();
}

#[cfg(not(unix))]
fn ignore_sigterm() {}

fn lists_prompts(text: &str) -> bool {
    text.contains("\"prompts\":[")
}

fn pretty(text: &str) -> Vec<u8> {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    value.and_then(|value| serde_json::to_vec_pretty(&value).ok()).unwrap_or_default()
}

/// Refuses an initialize that is not the first request.
fn refuse_late_initialize(call: &Call) -> Option<Reply> {
    let late = call.method == "initialize" && call.key > 1;
    late.then(|| error(code::INVALID_REQUEST, "The server has been asked for something else"))
}
