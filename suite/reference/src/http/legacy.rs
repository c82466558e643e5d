//! POST, GET and DELETE of the revisions that open with a handshake.

use std::collections::VecDeque;
use std::sync::Arc;

use hyper::{HeaderMap, StatusCode};

use super::answer::{self, Answer, AnswerStyle, empty, plain, refusal, with};
use super::body::Events;
use super::check::{Posted, accepts};
use super::headers::{self, VERSION_HEADER};
use super::hub::{Hub, Peer};
use super::replay::{Name, Position};
use super::write::Writer;
use crate::deviation::Deviation;
use crate::error::RpcError;
use crate::{Revision, fixtures};

pub(crate) const SESSION: &str = "mcp-session-id";

pub(super) async fn post(
    hub: &Arc<Hub>,
    headers: &HeaderMap,
    message: &Posted,
    (body, caller): (&[u8], &Option<String>),
) -> Answer {
    let opens = message.method() == Some("initialize") && message.id().is_some();
    let known = session(hub, headers);
    let peer = match known {
        Ok(peer) => match version(hub, headers, &peer) {
            Ok(()) => peer,
            Err(error) => return refusal(StatusCode::BAD_REQUEST, message.id(), &error),
        },
        Err(_) if opens => return open(hub, body, caller).await,
        Err(_) if asks_for_no_session(hub) => match stateless(hub, headers) {
            Ok(peer) => peer,
            Err(error) => return refusal(StatusCode::BAD_REQUEST, message.id(), &error),
        },
        Err((status, error)) => {
            let unreadable = message.value.is_null() && status == StatusCode::BAD_REQUEST;
            let error = if unreadable { RpcError::parse() } else { error };
            return refusal(status, message.id(), &error);
        }
    };
    let (payload, actions) = peer.receive(body);
    let mut style = answer_style(hub, &peer, payload);
    if fixtures::breaks_stream(&hub.server, &message.value) && style.writer.breaks_off() {
        let _hold = peer.hold(None, false);
        return answer::stream(Events { actions, first: VecDeque::new(), writer: style.writer, _hold });
    }
    style.always_stream |=
        message.method() == Some("tasks/get") && hub.server.deviates(Deviation::TaskStatusIsStreamed);
    // A connection that breaks off is no cancellation in this era.
    let cancelled =
        hub.server.deviates(Deviation::DisconnectsCancel) || hub.server.deviates(Deviation::DisconnectsForgetTasks);
    answer::answer(actions, peer.hold(cancelled.then_some(payload), false), style).await
}

/// Whether requests without a session are served.
fn asks_for_no_session(hub: &Hub) -> bool {
    hub.server.quirk("no-session-id") || hub.server.deviates(Deviation::ServesBeforeInitialize)
}

fn answer_style(hub: &Hub, peer: &Peer, payload: u64) -> AnswerStyle {
    let server = &hub.server;
    let revision = peer.with(|connection| connection.revision());
    let comes_back = hub.keeps_sessions() && hub.listens();
    AnswerStyle {
        modern: false,
        always_stream: server.quirk("always-sse") || server.quirk("polling") || streams_for_a_fault(hub),
        always_json: server.quirk("always-json"),
        strict_errors: hub.server.quirk("errors-as-400"),
        writer: if comes_back { Writer::new(server, revision, Name::Answer(payload)) } else { Writer::plain(server) },
    }
}

pub(super) fn streams_for_a_fault(hub: &Hub) -> bool {
    hub.server.deviates(Deviation::AlwaysStreams)
}

async fn open(hub: &Arc<Hub>, body: &[u8], caller: &Option<String>) -> Answer {
    let peer = Peer::new(hub);
    peer.with(|connection| connection.caller.clone_from(caller));
    let (payload, actions) = peer.receive(body);
    let opened = peer.with(|connection| connection.revision().is_some());
    let style = answer_style(hub, &peer, payload);
    let answer = answer::answer(actions, peer.clone().hold(None, false), style).await;
    if !opened || !hub.keeps_sessions() {
        return answer;
    }
    with(answer, SESSION, &hub.keep(peer))
}

fn session(hub: &Hub, headers: &HeaderMap) -> Result<Arc<Peer>, (StatusCode, RpcError)> {
    let Ok(Some(id)) = headers::value(headers, SESSION) else {
        let error = RpcError::invalid_request("the header Mcp-Session-Id is missing");
        return Err((StatusCode::BAD_REQUEST, error));
    };
    hub.session(id).ok_or_else(|| (StatusCode::NOT_FOUND, RpcError::invalid_request("there is no such session")))
}

/// The version header, from 2025-06-18 on; whoever leaves it out has what was negotiated.
fn version(hub: &Hub, headers: &HeaderMap, peer: &Peer) -> Result<(), RpcError> {
    let negotiated = peer.with(|connection| connection.revision());
    if negotiated < Some(Revision::V2025_06_18) {
        return Ok(());
    }
    named_version(hub, headers).map(|_| ())
}

fn named_version(hub: &Hub, headers: &HeaderMap) -> Result<Option<Revision>, RpcError> {
    let wrong = || RpcError::invalid_request("the version in MCP-Protocol-Version is not supported");
    let Some(name) = headers::value(headers, VERSION_HEADER).map_err(|_| wrong())? else { return Ok(None) };
    let revision = name.parse::<Revision>().ok();
    revision.filter(|revision| hub.server.settings.legacy().contains(revision)).map(Some).ok_or_else(wrong)
}

/// Without session ids each request brings what is needed to know of the handshake.
fn stateless(hub: &Arc<Hub>, headers: &HeaderMap) -> Result<Arc<Peer>, RpcError> {
    let revision = named_version(hub, headers)?.unwrap_or(Revision::V2025_03_26);
    let peer = Peer::new(hub);
    peer.with(|connection| connection.assume(revision));
    Ok(peer)
}

pub(super) fn get(hub: &Arc<Hub>, headers: &HeaderMap) -> Answer {
    let peer = match find(hub, headers) {
        Ok((_, peer)) => peer,
        Err(answer) => return *answer,
    };
    if !accepts(headers, "text/event-stream") {
        return plain(StatusCode::NOT_ACCEPTABLE, "Accept must list text/event-stream.");
    }
    let Some(id) = headers.get("last-event-id") else { return listen(hub, peer) };
    let position = id.to_str().ok().and_then(Position::read);
    let others = if hub.server.deviates(Deviation::ReplaysOtherSessions) { hub.others(&peer) } else { Vec::new() };
    let resume = |position| others.iter().chain([&peer]).find_map(|peer| peer.resume(position));
    let Some((position, actions)) = position.and_then(|position| Some((position, resume(position)?))) else {
        let error = RpcError::invalid_request("no event with the id in Last-Event-ID is kept");
        return refusal(StatusCode::BAD_REQUEST, None, &error);
    };
    let revision = peer.with(|connection| connection.revision());
    let writer = Writer::resumed(&hub.server, revision, position);
    answer::stream(Events { actions, first: VecDeque::new(), writer, _hold: peer.hold(None, false) })
}

/// Opens a stream for what is related to no request.
fn listen(hub: &Hub, peer: Arc<Peer>) -> Answer {
    if hub.server.quirk("one-get") && peer.is_listened_to() {
        return plain(StatusCode::CONFLICT, "There is such a stream already.");
    }
    if hub.server.deviates(Deviation::SecondGetRefused) && peer.is_listened_to() {
        return plain(StatusCode::BAD_REQUEST, "There is such a stream already.");
    }
    let revision = peer.with(|connection| connection.revision());
    let (name, actions) = peer.listen();
    let writer = Writer::new(&hub.server, revision, name);
    answer::stream(Events { actions, first: VecDeque::new(), writer, _hold: peer.hold(None, false) })
}

pub(super) fn delete(hub: &Arc<Hub>, headers: &HeaderMap) -> Answer {
    match find(hub, headers) {
        Ok((id, _)) => {
            hub.forget(&id);
            empty(StatusCode::NO_CONTENT)
        }
        Err(answer) => *answer,
    }
}

fn find(hub: &Hub, headers: &HeaderMap) -> Result<(String, Arc<Peer>), Box<Answer>> {
    if hub.server.settings.modern() && headers.get(VERSION_HEADER).is_some_and(|version| version == "2026-07-28") {
        let answer = plain(StatusCode::METHOD_NOT_ALLOWED, "Only POST in this revision.");
        return Err(Box::new(with(answer, "allow", "POST")));
    }
    let peer = session(hub, headers).map_err(|(status, error)| Box::new(refusal(status, None, &error)))?;
    version(hub, headers, &peer).map_err(|error| Box::new(refusal(StatusCode::BAD_REQUEST, None, &error)))?;
    let id = headers::value(headers, SESSION).ok().flatten().unwrap_or_default();
    Ok((id.to_owned(), peer))
}
