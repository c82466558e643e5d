//! HTTP+SSE of 2024-11-05 over the core: each client reads a stream of its own and posts its messages to the place that
//! the stream's first event names. Faults and quirks of this transport are asked for here.

use std::sync::Arc;

use hyper::{HeaderMap, Method, Request, StatusCode};
use tokio::sync::mpsc::UnboundedReceiver;

use super::answer::{Answer, empty, plain, stream, with};
use super::body::Events;
use super::check::Posted;
use super::hub::{Hub, Peer};
use super::write::Writer;
use super::{Arriving, read};
use crate::Transport;
use crate::core::Action;
use crate::deviation::Deviation;

/// Where the stream is read.
pub(super) const STREAM: &str = "/sse";
/// Where messages are posted; which stream they belong to is in the query.
const MESSAGES: &str = "/messages";

/// Whether a request is for one of the two places.
pub(super) fn is_for(request: &Request<Arriving>) -> bool {
    [STREAM, MESSAGES].contains(&request.uri().path())
}

/// Whether a fault has the server not look at the Origin of this request.
pub(super) fn is_blind(hub: &Hub, request: &Request<Arriving>) -> bool {
    let settings = &hub.server.settings;
    match request.uri().path() {
        STREAM => settings.deviates(Deviation::OriginOfSseStreamUnchecked),
        MESSAGES => settings.deviates(Deviation::OriginOfSsePostUnchecked),
        _ => false,
    }
}

pub(super) async fn serve(hub: &Arc<Hub>, request: Request<Arriving>) -> Answer {
    let (head, body) = request.into_parts();
    match (head.uri.path(), head.method) {
        (STREAM, Method::GET) => open(hub, &head.headers),
        (STREAM, method) => refuse_streamable(hub, &method),
        (MESSAGES, Method::POST) => match read(&hub.server.settings, body).await {
            Ok(body) => post(hub, head.uri.query().unwrap_or_default(), &body).await,
            Err(refusal) => *refusal,
        },
        (MESSAGES, _) => with(plain(StatusCode::METHOD_NOT_ALLOWED, "Messages are posted here."), "allow", "POST"),
        _ => plain(StatusCode::NOT_FOUND, "There is nothing here. The stream is at /sse."),
    }
}

/// Refuses newer clients that try Streamable HTTP first.
fn refuse_streamable(hub: &Hub, method: &Method) -> Answer {
    let (server, posts) = (&hub.server, method == Method::POST);
    match () {
        () if posts && server.deviates(Deviation::StreamPostAccepted) => empty(StatusCode::ACCEPTED),
        () if posts && server.deviates(Deviation::StreamPostFails) => {
            plain(StatusCode::INTERNAL_SERVER_ERROR, "Cannot POST.")
        }
        () => with(plain(StatusCode::METHOD_NOT_ALLOWED, "The stream is read with GET."), "allow", "GET"),
    }
}

fn open(hub: &Arc<Hub>, headers: &HeaderMap) -> Answer {
    let settings = &hub.server.settings;
    if !super::check::accepts(headers, "text/event-stream") {
        return plain(StatusCode::NOT_ACCEPTABLE, "Accept must list text/event-stream.");
    }
    let crowded = settings.deviates(Deviation::SecondClientTurnedAway) && hub.first().is_some();
    if crowded || settings.deviates(Deviation::DisconnectTurnsOthersAway) && hub.has_lost_one() {
        return plain(StatusCode::SERVICE_UNAVAILABLE, "Another client is being served.");
    }
    let peer = Peer::over(hub, Transport::Sse);
    let id = hub.join(&peer);
    let (_, actions) = peer.listen();
    let first = first_events(hub, headers, &peer, &id).into_iter().map(|text| Action::Raw(text.into_bytes())).collect();
    let answer = stream(Events { actions, first, writer: Writer::plain(&hub.server), _hold: peer.hold(None, false) });
    if settings.deviates(Deviation::StreamIsPlainText) {
        return with(answer, "content-type", "text/plain");
    }
    if settings.deviates(Deviation::StreamOpensWith201) {
        let mut answer = answer;
        *answer.status_mut() = StatusCode::CREATED;
        return answer;
    }
    answer
}

/// Returns the events with which the stream begins.
fn first_events(hub: &Hub, headers: &HeaderMap, peer: &Peer, id: &str) -> Vec<String> {
    let settings = &hub.server.settings;
    let later = peer.number > 1;
    let mut first = Vec::new();
    if hub.server.quirk("sse-preamble") {
        first.push("\u{feff}: welcome\n\nretry: 3000\n\n".to_owned());
    }
    if settings.deviates(Deviation::EventBeforeEndpoint) {
        first.push("event: connected\ndata: welcome\n\n".to_owned());
    }
    if settings.deviates(Deviation::EndpointNeverSent) || (settings.deviates(Deviation::EndpointSentOnce) && later) {
        return first;
    }
    let mut place = format!("{MESSAGES}?session={id}");
    let host = headers.get(hyper::header::HOST).and_then(|host| host.to_str().ok());
    match host {
        Some(host) if hub.server.quirk("sse-absolute-endpoint") => place = format!("http://{host}{place}"),
        Some(host) if settings.deviates(Deviation::EndpointOnOtherHost) => {
            let port = host.rsplit(':').next().unwrap_or_default();
            place = format!("http://inner.example:{port}{place}");
        }
        _ => {}
    }
    if settings.deviates(Deviation::EndpointInObject) {
        place = format!("{{\"uri\":\"{place}\"}}");
    }
    if settings.deviates(Deviation::EndpointQuoted) {
        place = format!("\"{place}\"");
    }
    let name = if settings.deviates(Deviation::EndpointMisnamed) { "url" } else { "endpoint" };
    let event = format!("event: {name}\ndata: {place}\n\n");
    if settings.deviates(Deviation::EndpointSentTwice) {
        first.push(event.clone());
    }
    first.push(event);
    first
}

async fn post(hub: &Arc<Hub>, query: &str, body: &[u8]) -> Answer {
    let settings = &hub.server.settings;
    let id = query.split('&').find_map(|pair| pair.strip_prefix("session=")).unwrap_or_default();
    let Some(peer) = hub.session(id).or_else(|| hub.first().filter(|_| runs_for_others(hub))) else {
        if settings.deviates(Deviation::UnknownSessionPostAccepted) {
            return empty(StatusCode::ACCEPTED);
        }
        return plain(StatusCode::NOT_FOUND, "There is no such session.");
    };
    let message = Posted::read(body);
    if message.value.is_null() {
        return refuse_unreadable(hub, &peer, id, body).await;
    }
    let unheard = settings.deviates(Deviation::SecondClientUnanswered);
    if unheard && hub.first().is_some_and(|first| !Arc::ptr_eq(&first, &peer)) {
        return empty(StatusCode::ACCEPTED);
    }
    if settings.deviates(Deviation::ResponsesInPost) && message.is_request() {
        let (_, answers) = peer.receive(body);
        return body_of(StatusCode::OK, answers).await;
    }
    peer.take(body);
    if settings.deviates(Deviation::EndpointChanges) && message.method() == Some("notifications/initialized") {
        let other = hub.join(&peer);
        peer.say(format!("event: endpoint\ndata: {MESSAGES}?session={other}\n\n"));
    }
    accept_post(hub, &message)
}

fn runs_for_others(hub: &Hub) -> bool {
    hub.server.settings.deviates(Deviation::UnknownSessionPostExecuted)
}

/// A body that is no JSON is refused there and then.
async fn refuse_unreadable(hub: &Arc<Hub>, peer: &Arc<Peer>, id: &str, body: &[u8]) -> Answer {
    if hub.server.deviates(Deviation::MalformedPostAccepted) {
        return empty(StatusCode::ACCEPTED);
    }
    if hub.server.deviates(Deviation::MalformedPostEndsStream) {
        hub.forget(id);
        return empty(StatusCode::ACCEPTED);
    }
    body_of(StatusCode::BAD_REQUEST, peer.receive(body).1).await
}

/// The first message that the core has for a payload, as the body of the POST.
async fn body_of(status: StatusCode, mut answers: UnboundedReceiver<Action>) -> Answer {
    while let Some(action) = answers.recv().await {
        match action {
            Action::Send(text) => return with(plain(status, &text), "content-type", "application/json"),
            Action::End => break,
            _ => {}
        }
    }
    empty(status)
}

fn accept_post(hub: &Hub, message: &Posted) -> Answer {
    let settings = &hub.server.settings;
    if settings.deviates(Deviation::PostsAreRedirected) {
        return with(empty(StatusCode::FOUND), "location", STREAM);
    }
    if settings.deviates(Deviation::NotificationPostFails) && !message.is_request() {
        return plain(StatusCode::INTERNAL_SERVER_ERROR, "This message has no id.");
    }
    if hub.server.quirk("sse-ok-body") {
        return plain(StatusCode::OK, "ok");
    }
    empty(StatusCode::ACCEPTED)
}
