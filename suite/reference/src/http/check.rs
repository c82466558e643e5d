//! Checks that come before a message is looked at, and the first look at it.

use hyper::header::HeaderValue;
use hyper::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HOST, ORIGIN};
use hyper::{HeaderMap, Method, StatusCode};
use serde_json::Value;

use super::answer::{Answer, plain, refusal, with};
use crate::deviation::Deviation;
use crate::error::RpcError;
use crate::settings::Settings;

/// Against DNS rebinding: only pages and names of this machine.
pub(super) fn origin(settings: &Settings, method: &Method, headers: &HeaderMap) -> Result<(), Box<Answer>> {
    let unchecked = settings.deviates(Deviation::OriginUnchecked)
        || (*method == Method::GET && settings.deviates(Deviation::OriginOfGetUnchecked))
        || (*method == Method::DELETE && settings.deviates(Deviation::OriginOfDeleteUnchecked));
    let host = headers.get(HOST).and_then(|value| value.to_str().ok());
    for value in headers.get_all(ORIGIN) {
        if !unchecked && !value.to_str().is_ok_and(|origin| is_allowed_origin(settings, origin, host)) {
            return Err(Box::new(refuse_origin(settings)));
        }
    }
    let unnamed =
        settings.deviates(Deviation::HostUnchecked) || settings.deviates(Deviation::OriginMatchingHostAllowed);
    for value in headers.get_all(HOST) {
        if !unnamed && !value.to_str().is_ok_and(local) {
            return Err(Box::new(plain(StatusCode::FORBIDDEN, "This host is not allowed.")));
        }
    }
    Ok(())
}

fn is_allowed_origin(settings: &Settings, origin: &str, host: Option<&str>) -> bool {
    let named = origin.split_once("://").map(|(_, host)| host);
    let own = named.is_some_and(local) && !settings.quirk("no-own-origin");
    let contains = origin.contains("localhost") || origin.contains("127.0.0.1");
    let begins = ["http://localhost", "http://127.0.0.1"].iter().any(|good| origin.starts_with(good));
    own || (settings.deviates(Deviation::OriginSubstringAllowed) && contains)
        || (settings.deviates(Deviation::OriginPrefixAllowed) && begins)
        || (settings.deviates(Deviation::OriginMatchingHostAllowed) && named.is_some() && named == host)
        || (settings.deviates(Deviation::OriginNullAllowed) && origin == "null")
        || (settings.deviates(Deviation::MalformedOriginAllowed) && named.is_none() && origin != "null")
}

fn refuse_origin(settings: &Settings) -> Answer {
    let bad = settings.deviates(Deviation::OriginRefusedWith400);
    let status = if bad { StatusCode::BAD_REQUEST } else { StatusCode::FORBIDDEN };
    if settings.quirk("origin-body") {
        return refusal(status, None, &RpcError::invalid_request("this origin is not allowed"));
    }
    plain(status, "This origin is not allowed.")
}

/// Lets pages of every origin read an answer, if a deviation wants it.
pub(super) fn reflect_origin(settings: &Settings, origin: Option<&HeaderValue>, answer: Answer) -> Answer {
    match origin.and_then(|origin| origin.to_str().ok()) {
        Some(origin) if settings.deviates(Deviation::OriginReflected) => {
            let answer = with(answer, "access-control-allow-origin", origin);
            with(answer, "access-control-allow-credentials", "true")
        }
        _ => answer,
    }
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
pub(super) fn media(settings: &Settings, headers: &HeaderMap) -> Result<(), Box<Answer>> {
    if let Some(kind) = headers.get(CONTENT_TYPE)
        && !settings.deviates(Deviation::ContentTypeUnchecked)
        && !essence(kind.to_str().unwrap_or_default()).eq_ignore_ascii_case("application/json")
    {
        return Err(Box::new(plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.")));
    }
    if headers.get(CONTENT_ENCODING).is_some_and(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Box::new(plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body must not be compressed.")));
    }
    if settings.quirk("any-accept") {
        return Ok(());
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
pub(crate) struct Posted {
    /// `Null` if it is no JSON.
    pub(crate) value: Value,
}

impl Posted {
    pub(crate) fn read(body: &[u8]) -> Self {
        Self { value: serde_json::from_slice(body).unwrap_or_default() }
    }

    /// The method, if it has one.
    pub(crate) fn method(&self) -> Option<&str> {
        self.value["method"].as_str()
    }

    /// The id of a request, if it is one that can be echoed.
    pub(crate) fn id(&self) -> Option<&Value> {
        // That of a response is an id of ours.
        let id = self.value.get("id").filter(|_| !self.is_response());
        id.filter(|id| id.is_string() || id.is_i64() || id.is_u64())
    }

    /// A well-formed request.
    pub(crate) fn is_request(&self) -> bool {
        self.id().is_some() && self.method().is_some() && self.value["jsonrpc"] == "2.0"
    }

    pub(crate) fn is_response(&self) -> bool {
        self.method().is_none() && (self.value.get("result").is_some() || self.value.get("error").is_some())
    }
}
