//! HTTP as faults will have it: some requests never reach their route, some answers are changed on their way.

mod answers;
mod route;
mod sessions;
mod versions;

use std::sync::Arc;

use hyper::StatusCode;
use tokio::net::TcpStream;

use super::answer::{Answer, plain, refusal};
use super::check::Posted;
use super::hub::Hub;
use super::replay::Faults;
use super::{Asked, route as good_route, wrong_modern};
use crate::core::{Action, Output};
use crate::error::RpcError;
use crate::faults;
pub(super) use answers::latin_1;
pub(super) use sessions::session_id;

/// Serves a request as the faults of the server have it.
pub(super) async fn serve(hub: &Arc<Hub>, mut asked: Asked) -> Answer {
    let settings = &hub.server.settings;
    if hub.server.state().upset
        || faults::is_fatal(settings, &asked.body)
        || faults::is_failing(settings, &asked.headers)
    {
        return plain(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error");
    }
    let mut message = Posted::read(&asked.body);
    for fault in hub.server.settings.faults() {
        let early = route::early(hub, &asked, &message, fault.id, fault.variant)
            .or_else(|| sessions::early(hub, &mut asked, &message, fault.id, fault.variant))
            .or_else(|| versions::early(hub, &mut asked, &message, fault.id, fault.variant))
            .or_else(|| wrong_modern::early(&asked, &message, fault.id, fault.variant));
        if let Some(answer) = early {
            return answer;
        }
        if route::reads_otherwise(&mut asked, fault.id) {
            message = Posted::read(&asked.body);
        }
    }
    let mut answer = good_route(hub, &asked).await;
    for fault in hub.server.settings.faults() {
        answer = answers::posted(answer, &asked, &message, fault.id, fault.variant);
        answer = answers::headed(hub, answer, &asked, &message, fault.id, fault.variant).await;
        answer = wrong_modern::late(answer, &asked, &message, fault.id, fault.variant);
    }
    answer
}

fn wrong(status: StatusCode, message: &Posted, why: &str) -> Option<Answer> {
    Some(refusal(status, message.id(), &RpcError::invalid_request(why)))
}

/// Whether the names of the headers that are to come are in capitals, or a value has blanks around it; looked at only if a
/// fault minds.
pub(super) async fn is_loud(hub: &Hub, stream: &TcpStream) -> bool {
    let minded =
        ["http.headers.names-case-insensitive", "http.param.name-case-insensitive", "http.headers.whitespace-trimmed"];
    if !minded.iter().any(|id| hub.server.faulty(id)) {
        return false;
    }
    let mut head = [0; 4096];
    let length = stream.peek(&mut head).await.unwrap_or(0);
    let text = String::from_utf8_lossy(&head[..length]).into_owned();
    if hub.server.faulty("http.headers.whitespace-trimmed") {
        let blanks = |line: &str| line.contains(":  ") || line.ends_with([' ', '\t']);
        return text.split("\r\n").any(|line| line.to_ascii_lowercase().starts_with("mcp-method:") && blanks(line));
    }
    ["MCP-SESSION-ID:", "MCP-METHOD:", "MCP-PARAM-"].iter().any(|name| text.contains(name))
}

/// Whether something reaches the streams of other sessions too.
pub(super) fn strays(hub: &Hub, output: &Output) -> bool {
    let progress = matches!(&output.action, Action::Send(text) if text.contains("notifications/progress"));
    progress && hub.server.faulty("security.session.no-cross-delivery")
}

/// Whether an answer to a payload comes on the GET stream too.
pub(super) fn copies(hub: Option<&Hub>, action: &Action) -> bool {
    let responds = matches!(action, Action::Send(text) if text.contains("\"result\":"));
    responds && hub.is_some_and(|hub| hub.server.faulty("http.get.no-responses"))
}

/// Whether an announcement comes on every stream.
pub(super) fn broadcasts(hub: Option<&Hub>) -> bool {
    hub.is_some_and(|hub| hub.server.faulty("http.streams.no-broadcast"))
}

/// How a stream is replayed.
pub(super) fn replay(hub: Option<&Hub>) -> Faults {
    let Some(settings) = hub.map(|hub| &hub.server.settings) else { return Faults::default() };
    Faults {
        foreign: settings.faulty("http.resume.same-stream-only"),
        repeats: settings.faulty_as("http.resume.after-the-id", ""),
        backwards: settings.faulty_as("http.resume.after-the-id", "order"),
    }
}
