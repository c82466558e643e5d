//! What is checked before a message is looked at, and the first look at it.

use hyper::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HOST, ORIGIN};
use hyper::{HeaderMap, StatusCode};
use serde_json::Value;

use super::answer::{Answer, plain};

/// Against DNS rebinding: only pages and names of this machine.
pub(super) fn origin(headers: &HeaderMap) -> Result<(), Box<Answer>> {
    for value in headers.get_all(ORIGIN) {
        let local =
            value.to_str().ok().and_then(|origin| origin.split_once("://")).is_some_and(|(_, host)| local(host));
        if !local {
            return Err(Box::new(plain(StatusCode::FORBIDDEN, "This origin is not allowed.")));
        }
    }
    for value in headers.get_all(HOST) {
        if !value.to_str().is_ok_and(local) {
            return Err(Box::new(plain(StatusCode::FORBIDDEN, "This host is not allowed.")));
        }
    }
    Ok(())
}

fn local(host: &str) -> bool {
    let name = if host.starts_with('[') {
        host.split_inclusive(']').next().unwrap_or(host)
    } else {
        host.split(':').next().unwrap_or(host)
    };
    let port = &host[name.len()..];
    let port_is_right = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    port_is_right && ["localhost", "127.0.0.1", "[::1]"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Content-Type and Accept of a POST. Whoever leaves them out is taken to mean the right thing.
pub(super) fn media(headers: &HeaderMap) -> Result<(), Box<Answer>> {
    if let Some(kind) = headers.get(CONTENT_TYPE)
        && !essence(kind.to_str().unwrap_or_default()).eq_ignore_ascii_case("application/json")
    {
        return Err(Box::new(plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.")));
    }
    if headers.get(CONTENT_ENCODING).is_some_and(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Box::new(plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body must not be compressed.")));
    }
    if !accepts(headers, "application/json") || !accepts(headers, "text/event-stream") {
        let text = "Accept must list application/json and text/event-stream.";
        return Err(Box::new(plain(StatusCode::NOT_ACCEPTABLE, text)));
    }
    Ok(())
}

pub(super) fn accepts(headers: &HeaderMap, media: &str) -> bool {
    let mut ranges = headers
        .get_all(ACCEPT)
        .iter()
        .flat_map(|value| value.to_str().unwrap_or_default().split(','))
        .map(essence)
        .peekable();
    let any = format!("{}/*", media.split('/').next().unwrap_or_default());
    ranges.peek().is_none()
        || ranges.any(|range| [media, &any, "*/*"].iter().any(|known| range.eq_ignore_ascii_case(known)))
}

fn essence(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim()
}

/// A body, as far as HTTP has to know it.
pub(super) struct Posted {
    /// `Null` if it is no JSON.
    pub(super) value: Value,
}

impl Posted {
    pub(super) fn read(body: &[u8]) -> Self {
        Self { value: serde_json::from_slice(body).unwrap_or_default() }
    }

    /// The method, if it has one.
    pub(super) fn method(&self) -> Option<&str> {
        self.value["method"].as_str()
    }

    /// The id of a request, if it is one that can be echoed.
    pub(super) fn id(&self) -> Option<&Value> {
        self.value.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64())
    }

    /// A well-formed request.
    pub(super) fn is_request(&self) -> bool {
        self.id().is_some() && self.method().is_some() && self.value["jsonrpc"] == "2.0"
    }

    pub(super) fn is_response(&self) -> bool {
        self.method().is_none() && (self.value.get("result").is_some() || self.value.get("error").is_some())
    }
}
