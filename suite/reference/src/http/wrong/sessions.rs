//! Session ids: how they are made, and what those are good for that are missing, unknown or over.

use hyper::{Method, StatusCode};
use serde_json::json;

use super::wrong;
use crate::http::Asked;
use crate::http::answer::{self, Answer, empty};
use crate::http::check::Posted;
use crate::http::hub::Hub;
use crate::http::legacy::SESSION;

/// Requests whose session id is taken ill.
pub(super) fn early(hub: &Hub, asked: &mut Asked, message: &Posted, id: &str, variant: &str) -> Option<Answer> {
    let named = asked.headers.get(SESSION).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let opens = message.method() == Some("initialize");
    let ended = named.as_ref().is_some_and(|named| hub.memory().ended.contains(named));
    let live = named.as_ref().is_some_and(|named| hub.session(named).is_some());
    let (gets, deletes) = (asked.method == Method::GET, asked.method == Method::DELETE);
    let served = || {
        let result = json!({"jsonrpc": "2.0", "id": message.id(), "result": {}});
        Some(answer::json(StatusCode::OK, result.to_string()))
    };
    match (id, variant) {
        ("http.session.issued-on-initialize", "late") if !live && !opens => {
            let late = hub.memory().late.clone().and_then(|late| late.parse().ok())?;
            asked.headers.insert(SESSION, late);
            None
        }
        ("http.session.accepted-on-all-methods", "") if gets => {
            wrong(StatusCode::BAD_REQUEST, message, "there is no such session")
        }
        ("http.session.accepted-on-all-methods", "delete") if deletes => {
            wrong(StatusCode::BAD_REQUEST, message, "there is no such session")
        }
        ("http.session.missing-id-400", how) if named.is_none() && !opens && message.is_request() => {
            let status = if how == "ok" { StatusCode::OK } else { StatusCode::INTERNAL_SERVER_ERROR };
            wrong(status, message, "the header Mcp-Session-Id is missing")
        }
        ("http.session.terminated-404", "") if ended => {
            wrong(StatusCode::BAD_REQUEST, message, "there is no such session")
        }
        ("http.session.terminated-404", "served") if ended && message.is_request() => served(),
        ("http.session.terminated-404", "get") if ended && gets => Some(empty(StatusCode::OK)),
        ("http.session.unknown-404", "") if !live && !ended && named.is_some() && message.is_request() => served(),
        ("http.session.unknown-404", "server-error") if !live && !ended && named.is_some() && message.is_request() => {
            wrong(StatusCode::INTERNAL_SERVER_ERROR, message, "there is no such session")
        }
        ("http.session.delete-or-405", how) if deletes && live => {
            let status = if how.is_empty() { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::BAD_REQUEST };
            wrong(status, message, "the session could not be ended")
        }
        ("http.session.delete-without-id", _) if deletes && named.is_none() => Some(empty(StatusCode::NO_CONTENT)),
        _ => None,
    }
}

/// A session id as faults will have it.
pub(in crate::http) fn session_id(hub: &Hub, random: String) -> String {
    let mut memory = hub.memory();
    memory.minted += 1;
    let count = memory.minted;
    for fault in hub.server.settings.faults() {
        match (fault.id, fault.variant) {
            ("http.session.visible-ascii", _) => return format!("{} {}", &random[..16], &random[16..]),
            // Those that sessions in use have are left alone.
            ("security.session.id-unique", _) if count > 12 => {
                return format!("{:032x}", 0x5eed_f00d_u64 * (1 + count % 4));
            }
            ("security.session.id-unguessable", "") => return random[..8].to_owned(),
            ("security.session.id-unguessable", _) => {
                let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
                return format!("{:026x}{}", now.as_millis(), &random[..2]);
            }
            ("security.session.id-non-deterministic", _) => return format!("session-of-the-reference-{count:08}"),
            _ => {}
        }
    }
    random
}
