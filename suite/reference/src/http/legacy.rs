//! POST, GET and DELETE of the revisions that open with a handshake.

use std::sync::Arc;

use hyper::{HeaderMap, StatusCode};

use super::answer::{self, Answer, Manner, empty, plain, refusal, stream, with};
use super::body::{Events, Hold};
use super::check::{Posted, accepts};
use super::headers::{self, VERSION_HEADER};
use super::hub::Hub;
use super::peer::Peer;
use crate::Revision;
use crate::error::RpcError;

const SESSION: &str = "mcp-session-id";

pub(super) async fn post(hub: &Arc<Hub>, headers: &HeaderMap, message: &Posted, body: &[u8]) -> Answer {
    let opens = message.method() == Some("initialize") && message.id().is_some();
    let known = session(hub, headers);
    let peer = match known {
        Ok(peer) => match version(hub, headers, &peer) {
            Ok(()) => peer,
            Err(error) => return refusal(StatusCode::BAD_REQUEST, message.id(), &error),
        },
        Err(_) if opens => return open(hub, body).await,
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
    let (_, actions) = peer.receive(body);
    // A connection that breaks off is no cancellation in this era.
    answer::answer(actions, Hold { peer, payload: None }, manner(hub)).await
}

/// Whether requests without a session are served.
fn asks_for_no_session(hub: &Hub) -> bool {
    hub.server.quirk("no-session-id") || hub.server.faulty("lifecycle.pre-init.requests-not-served")
}

fn manner(hub: &Hub) -> Manner {
    Manner {
        modern: false,
        always_stream: hub.server.quirk("always-sse"),
        always_json: hub.server.quirk("always-json"),
    }
}

async fn open(hub: &Arc<Hub>, body: &[u8]) -> Answer {
    let peer = Peer::new(hub);
    let (_, actions) = peer.receive(body);
    let opened = peer.with(|connection| connection.revision().is_some());
    let answer = answer::answer(actions, Hold { peer: peer.clone(), payload: None }, manner(hub)).await;
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
    let actions = peer.listen();
    stream(Events { actions, first: Vec::new(), _hold: Hold { peer, payload: None } })
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
