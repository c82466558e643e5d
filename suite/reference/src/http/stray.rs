//! Messages and headers where a deviation wants them: on the streams of others, or noticed where they should not be.

use tokio::net::TcpStream;

use super::answer::Answer;
use super::body::Content;
use super::replay::Deviations;
use crate::core::{Action, Output, Server};
use crate::deviation::Deviation;

/// Whether the names of the headers that are to come are in capitals, or a value has blanks around it; looked at only if a
/// deviation minds.
pub(super) async fn is_loud(server: &Server, stream: &TcpStream) -> bool {
    let minded = [Deviation::NoticesHeaderCapitals, Deviation::NoticesHeaderBlanks];
    if !minded.iter().any(|deviation| server.deviates(*deviation)) {
        return false;
    }
    let mut head = [0; 4096];
    let length = stream.peek(&mut head).await.unwrap_or(0);
    let text = String::from_utf8_lossy(&head[..length]).into_owned();
    if server.deviates(Deviation::NoticesHeaderBlanks) {
        let blanks = |line: &str| line.contains(":  ") || line.ends_with([' ', '\t']);
        return text.split("\r\n").any(|line| line.to_ascii_lowercase().starts_with("mcp-method:") && blanks(line));
    }
    ["MCP-SESSION-ID:", "MCP-METHOD:", "MCP-PARAM-"].iter().any(|name| text.contains(name))
}

/// Whether something reaches the streams of other sessions too.
pub(super) fn reaches_other_sessions(server: &Server, output: &Output) -> bool {
    let progress = matches!(&output.action, Action::Send(text) if text.contains("notifications/progress"));
    progress && server.deviates(Deviation::ProgressToOtherSessions)
}

/// Whether an answer to a payload comes on the GET stream too.
pub(super) fn comes_on_get_too(server: &Server, action: &Action) -> bool {
    let responds = matches!(action, Action::Send(text) if text.contains("\"result\":"));
    responds && server.deviates(Deviation::ResponsesOnGetStreamToo)
}

/// Whether an announcement comes on every stream.
pub(super) fn comes_on_every_stream(server: &Server) -> bool {
    server.deviates(Deviation::AnnouncesOnEveryStream)
}

/// How a stream is replayed.
pub(super) fn replay(server: &Server) -> Deviations {
    let settings = &server.settings;
    Deviations {
        foreign: settings.deviates(Deviation::ReplaysOtherStreams),
        repeats: settings.deviates(Deviation::ReplaysSeenEvent),
        backwards: settings.deviates(Deviation::ReplaysBackwards),
    }
}

/// An answer whose head comes with the first event.
pub(super) async fn with_first_event(mut answer: Answer) -> Answer {
    if let Content::Events(events) = answer.body_mut()
        && let Some(first) = events.actions.recv().await
    {
        events.first.push_back(first);
    }
    answer
}
