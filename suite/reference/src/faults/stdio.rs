//! Faults of the area stdio: how lines are read and written, and how the process ends.

use serde_json::json;

use super::Edit::{Before, Set};
use super::On::{AnyError, Result};
use super::intercept::refused;
use super::{Fault, piped, rewrite, switch};
use crate::Transport::Stdio;
use crate::core::{Action, Call, Connection, Reply, What};

pub(super) static TABLE: &[Fault] = &[
    switch("stdio.process.stays-alive", "", "the process ends when a prompt is asked for").over(&[Stdio]),
    piped("stdio.framing.one-message-per-line", "", "the list of prompts is spread over many lines"),
    piped("stdio.framing.newline-terminated", "", "some answers wait for their newline until the next one"),
    piped("stdio.framing.pipelined-messages", "", "of many messages in one read the last are lost"),
    piped("stdio.framing.split-writes", "", "what one read returns is taken for whole messages"),
    piped("stdio.framing.only-lf-splits", "", "lines end at U+2028, U+2029 and U+0085 too"),
    piped("stdio.framing.crlf-input-tolerated", "", "a message that ends with CR LF is refused"),
    switch("stdio.framing.blank-line-input-tolerated", "", "a blank line is answered with the id 0").over(&[Stdio]),
    piped("stdio.framing.lf-only-output", "", "lines end with CR LF"),
    piped("stdio.encoding.utf8-output", "", "the list of prompts is written in Latin-1"),
    piped("stdio.encoding.utf8-input", "", "the input is read as Latin-1"),
    piped("stdio.encoding.no-bom", "", "a byte order mark stands at the start of the output"),
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
    switch("stdio.stdout.nothing-unprompted", "", "a log message comes when nothing is asked any more").over(&[Stdio]),
    rewrite(
        "stdio.errors.no-header-mismatch",
        "",
        "errors are about headers",
        &[(AnyError, Set("/error/code", "-32020"))],
    )
    .over(&[Stdio]),
    piped("stdio.stderr.utf8", "", "standard error is written in Latin-1"),
    piped("stdio.shutdown.exits-on-eof", "", "the end of the input is overlooked"),
    piped("stdio.shutdown.exits-on-immediate-eof", "", "the end of the input is overlooked if there was none"),
    piped("stdio.shutdown.exits-on-eof-mid-request", "", "the end of the input is overlooked during a call"),
    piped("stdio.shutdown.flushes-pending", "", "what is at work is dropped at the end of the input"),
    piped("stdio.shutdown.clean-exit-status", "", "the process ends with status 3"),
    piped("stdio.shutdown.sigterm", "", "SIGTERM is ignored"),
    piped("stdio.shutdown.no-orphans", "", "a helper outlives the server"),
    piped(
        "stdio.shutdown.closed-stdout",
        "",
        "that nobody reads the output is overlooked, and so is the end of the input",
    ),
    switch("stdio.compat.survives-modern-probe", "", "server/discover ends the process unless initialize came first")
        .over(&[Stdio]),
    switch("stdio.compat.survives-modern-probe", "refuses", "after server/discover initialize is refused")
        .over(&[Stdio]),
];

pub(super) fn intercept(connection: &mut Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let discovers = call.method == "server/discover";
    match (id, variant) {
        ("stdio.process.stays-alive", _) if call.method == "prompts/get" || call.tool() == Some("version") => {
            connection.act(Action::Exit(1));
            Some(Reply::Later)
        }
        ("stdio.stdout.nothing-unprompted", _) if discovers => {
            let log = json!({"level": "info", "data": "discovered"});
            let what = What::Notify(Box::new(call.clone()), "notifications/message", log);
            connection.later(std::time::Duration::from_millis(30), None, what);
            None
        }
        ("stdio.compat.survives-modern-probe", "") if discovers && connection.session.is_none() => {
            connection.act(Action::Exit(1));
            Some(Reply::Later)
        }
        ("stdio.compat.survives-modern-probe", _) if connection.session.is_none() => match call.method.as_str() {
            "server/discover" => refused(-32601, "Method not found: server/discover"),
            "initialize" if call.key > 1 => refused(-32600, "The server has been asked for something else"),
            _ => None,
        },
        _ => None,
    }
}
