//! Messages as events of HTTP+SSE.

use crate::core::Server;
use crate::deviation::Deviation;

/// A message as an event, with whatever stands around it.
pub(super) fn event(server: &Server, text: &str) -> Vec<u8> {
    let settings = &server.settings;
    let mut bytes = Vec::new();
    if server.quirk("sse-keepalive") {
        bytes.extend_from_slice(b": ping\n\nevent: ping\ndata: {\"time\": 1}\n\n");
    }
    if settings.deviates(Deviation::StreamIsNotUtf8) {
        bytes.extend_from_slice(b": caf\xe9\n\n");
    }
    if settings.deviates(Deviation::MessagesAreResponseEvents) {
        bytes.extend_from_slice(b"event: response\n");
    } else if !server.quirk("sse-untyped-events") {
        bytes.extend_from_slice(b"event: message\n");
    }
    let wrapped = match () {
        () if settings.deviates(Deviation::ListEventIsArray) && text.contains("\"tools\":[") => format!("[{text}]"),
        () if settings.deviates(Deviation::ListEventHoldsTwo) && text.contains("\"prompts\":[") => {
            format!("{text}\n{NOTICE}")
        }
        () => text.to_owned(),
    };
    let split = if server.quirk("sse-split-data") { wrapped.replacen(':', ":\n", 1) } else { wrapped };
    for line in split.split('\n') {
        bytes.extend_from_slice(b"data: ");
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
    }
    bytes.push(b'\n');
    bytes
}

const NOTICE: &str = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"listed"}}"#;
