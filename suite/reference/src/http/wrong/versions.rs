//! The header MCP-Protocol-Version, refused or accepted wrongly.

use hyper::{Method, StatusCode};

use super::wrong;
use crate::Revision;
use crate::http::Asked;
use crate::http::answer::Answer;
use crate::http::check::Posted;
use crate::http::headers::VERSION_HEADER;
use crate::http::hub::Hub;
use crate::http::legacy::SESSION;

/// Requests whose version header is taken ill.
pub(super) fn early(hub: &Hub, asked: &mut Asked, message: &Posted, id: &str, variant: &str) -> Option<Answer> {
    if asked.loud && id == "http.headers.names-case-insensitive" {
        for name in [SESSION, VERSION_HEADER, "mcp-method"] {
            asked.headers.remove(name);
        }
    }
    let named = asked.headers.get(VERSION_HEADER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let known = named.as_ref().is_some_and(|named| named.parse::<Revision>().is_ok());
    let opens = message.method() == Some("initialize");
    let why = "the version in MCP-Protocol-Version is not supported";
    let refuse = || wrong(StatusCode::BAD_REQUEST, message, why);
    match (id, variant) {
        ("http.version-header.negotiated-accepted", _) if !opens && known => refuse(),
        ("http.version-header.unsupported-400", "status") if !opens && named.is_some() && !known => {
            wrong(StatusCode::UNPROCESSABLE_ENTITY, message, why)
        }
        ("http.version-header.unsupported-400", how) if !opens && !known => {
            let date = named.is_some_and(|named| named.starts_with(|first: char| first.is_ascii_digit()));
            if how.is_empty() || !date {
                asked.headers.remove(VERSION_HEADER);
            }
            None
        }
        ("http.version-header.absent-on-initialize", _) if opens && named.is_none() && hub.is_in_use() => refuse(),
        ("http.version-header.ignored-on-initialize", _) if opens && named.is_some() && !known => refuse(),
        ("http.version-header.absent-later", _) if !opens && named.is_none() && asked.method == Method::POST => {
            refuse()
        }
        _ => None,
    }
}
