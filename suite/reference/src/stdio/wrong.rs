//! What faults make of the process: of what it writes, and of how it ends.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::core::Server;

/// What a process does wrong before it has said anything.
pub(super) fn at_start(server: &Server) {
    if server.faulty("stdio.stderr.utf8") {
        let _ = std::io::stderr().write_all(b"ready: caf\xe9\n");
    }
    if server.faulty("stdio.shutdown.no-orphans") {
        let mut helper = Command::new("sleep");
        let helper = helper.arg("600").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let _ = helper.spawn();
    }
    if server.faulty("stdio.shutdown.sigterm") {
        ignore_sigterm();
    }
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

/// A message as it is written, with its line end. `begun` is whether something was written before.
pub(super) fn line(server: &Server, text: &str, end: &str, begun: bool) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let lists = text.contains("\"prompts\":[");
    if lists && server.faulty("stdio.framing.one-message-per-line") {
        bytes = pretty(text);
    }
    if lists && server.faulty("stdio.encoding.utf8-output") {
        // The first string of the first prompt, in Latin-1.
        let at = text.find("\"description\":\"").map_or(0, |at| at + "\"description\":\"".len());
        bytes.splice(at..at, [b'\xe9', b' ']);
    }
    if !begun && server.faulty("stdio.encoding.no-bom") {
        bytes.splice(0..0, [0xef, 0xbb, 0xbf]);
    }
    let crlf = server.faulty("stdio.framing.lf-only-output");
    bytes.extend(if crlf { b"\r\n" } else { end.as_bytes() });
    bytes
}

fn pretty(text: &str) -> Vec<u8> {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    value.and_then(|value| serde_json::to_vec_pretty(&value).ok()).unwrap_or_default()
}

/// Whether a message is written without its newline until something else is: answers to a request for a sign of life.
pub(super) fn is_held(server: &Server, text: &str, begun: bool) -> bool {
    let sign = text.contains("\"result\":{}") || text.contains("\"supportedVersions\":");
    begun && sign && server.faulty("stdio.framing.newline-terminated")
}

/// How the end of the input finds the server.
#[derive(Clone, Copy)]
pub(super) struct Ended {
    pub(super) busy: bool,
    pub(super) said: bool,
    /// Nobody reads the output.
    pub(super) deaf: bool,
}

/// Whether it goes on for ever.
pub(super) fn stays(server: &Server, ended: Ended) -> bool {
    let idle = ended.said && !ended.busy;
    idle && server.faulty("stdio.shutdown.exits-on-eof")
        || !ended.said && server.faulty("stdio.shutdown.exits-on-immediate-eof")
        || ended.busy && server.faulty("stdio.shutdown.exits-on-eof-mid-request")
        || ended.deaf && server.faulty("stdio.shutdown.closed-stdout")
}
