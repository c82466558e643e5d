//! POST of 2026-07-28: every request stands alone.

use std::sync::Arc;

use hyper::{HeaderMap, StatusCode};

use super::answer::{self, Answer, AnswerStyle, empty, refusal};
use super::check::Posted;
use super::headers;
use super::hub::{Hub, Peer};
use super::write::Writer;
use crate::core::looks_modern;
use crate::deviation::Deviation;
use crate::error::RpcError;

/// Whether a POST is to be judged by 2026-07-28.
pub(super) fn is_for(hub: &Hub, headers: &HeaderMap, message: &Posted) -> bool {
    if !hub.server.settings.modern() {
        return false;
    }
    let serves_legacy = hub.server.newest_legacy().is_some();
    let claims = looks_modern(&message.value["params"]);
    if message.method() == Some("initialize") && serves_legacy {
        return claims;
    }
    let header = headers::value(headers, headers::VERSION_HEADER).ok().flatten();
    !serves_legacy || header == Some("2026-07-28") || claims
}

pub(super) async fn post(
    hub: &Arc<Hub>,
    headers: &HeaderMap,
    message: &Posted,
    (body, caller): (&[u8], &Option<String>),
) -> Answer {
    if message.is_response() && hub.server.deviates(Deviation::PostedResponsesAreAnswered) {
        let result = serde_json::json!({"jsonrpc": "2.0", "id": message.id(), "result": {}});
        return answer::json(StatusCode::OK, result.to_string());
    }
    if message.is_response() {
        let error = RpcError::invalid_request("responses have no meaning here");
        return refusal(StatusCode::BAD_REQUEST, None, &error);
    }
    let shakes_hands = message.method() == Some("initialize") && !looks_modern(&message.value["params"]);
    if message.is_request() && !shakes_hands {
        if let Err(error) = headers::check(&hub.server, headers, message) {
            return refusal(StatusCode::BAD_REQUEST, message.id(), &error);
        }
    } else if message.method().is_some() && message.id().is_none() && message.value.get("id").is_none() {
        return empty(StatusCode::ACCEPTED);
    }
    let peer = Peer::new(hub);
    peer.with(|connection| {
        connection.speak_modern();
        connection.caller.clone_from(caller);
    });
    let (payload, actions) = peer.receive(body);
    let style = AnswerStyle {
        modern: true,
        always_stream: hub.server.quirk("always-sse") || super::legacy::streams_for_a_fault(hub),
        always_json: hub.server.quirk("always-json") && message.method() != Some("subscriptions/listen"),
        strict_errors: hub.server.quirk("errors-as-400"),
        writer: Writer::plain(&hub.server),
    };
    answer::answer(actions, peer.hold(Some(payload), true), style).await
}
