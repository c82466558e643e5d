//! Requests that are refused, or led elsewhere, before anybody looks at what they ask for.

use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, LOCATION};
use hyper::{Method, StatusCode};
use serde_json::json;

use super::wrong;
use crate::http::Asked;
use crate::http::answer::{self, Answer, empty, plain, with};
use crate::http::check::Posted;
use crate::http::headers::VERSION_HEADER;
use crate::http::hub::Hub;
use crate::http::legacy::SESSION;

/// Requests that never reach their route.
pub(super) fn early(hub: &Hub, asked: &Asked, message: &Posted, id: &str, variant: &str) -> Option<Answer> {
    let method = message.method();
    let header = |name: HeaderName| asked.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (gets, posts) = (asked.method == Method::GET, asked.method == Method::POST);
    let modern = asked.headers.get(VERSION_HEADER).is_some_and(|version| version == "2026-07-28");
    let lost = method == Some(if modern { "prompts/list" } else { "ping" });
    let resumes = asked.headers.get("last-event-id").and_then(|value| value.to_str().ok());
    match (id, variant) {
        ("http.endpoint.post", "") if lost => Some(plain(StatusCode::NOT_FOUND, "Not Found")),
        ("http.endpoint.post", _) if lost => {
            Some(with(plain(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed"), "allow", "GET"))
        }
        ("http.endpoint.no-redirect", _) if lost => {
            let answer = plain(StatusCode::TEMPORARY_REDIRECT, "Elsewhere.");
            Some(with(answer, LOCATION.as_str(), "/mcp/"))
        }
        ("http.endpoint.multi-client", _) if method == Some("initialize") && hub.is_in_use() => {
            wrong(StatusCode::BAD_REQUEST, message, "the server is initialized already")
        }
        ("http.endpoint.any-connection", _)
            if asked.fresh && (asked.headers.contains_key(SESSION) || modern && method != Some("server/discover")) =>
        {
            wrong(StatusCode::BAD_REQUEST, message, "the session is on another connection")
        }
        ("http.endpoint.other-methods-405", _) if [Method::PUT, Method::PATCH].contains(&asked.method) => {
            Some(empty(StatusCode::OK))
        }
        ("http.accept.both-any-order", _) if posts && header(ACCEPT) != "application/json, text/event-stream" => {
            Some(plain(StatusCode::NOT_ACCEPTABLE, "Not Acceptable"))
        }
        ("http.request.content-type-parameters", _) if posts && header(CONTENT_TYPE).contains(';') => {
            Some(plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Unsupported Media Type"))
        }
        ("http.request.chunked-body", _) if posts && !asked.headers.contains_key(CONTENT_LENGTH) => {
            Some(plain(StatusCode::LENGTH_REQUIRED, "Length Required"))
        }
        ("http.post.never-202-for-request", how) if method.is_some() => {
            let mistaken = if how.is_empty() { json!(0) } else { json!("") };
            (message.value.get("id") == Some(&mistaken)).then(|| empty(StatusCode::ACCEPTED))
        }
        ("http.post.empty-body", _) if posts && asked.body.is_empty() => Some(empty(StatusCode::OK)),
        ("http.status.no-5xx-for-client-faults", _) if posts && message.value.is_null() => {
            Some(plain(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error"))
        }
        ("http.get.stream-or-405", "") if gets => Some(plain(StatusCode::NOT_FOUND, "Not Found")),
        ("http.get.stream-or-405", "json") if gets => Some(answer::json(StatusCode::OK, "{}".to_owned())),
        ("http.get.stream-or-405", _) if gets => Some(plain(StatusCode::NOT_IMPLEMENTED, "Not Implemented")),
        ("http.resume.post-stream-by-get", "method") if gets => {
            Some(with(plain(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed"), "allow", "POST, DELETE"))
        }
        ("http.resume.post-stream-by-get", _) if gets && resumes.is_some_and(|id| id.starts_with("answer")) => {
            Some(plain(StatusCode::BAD_REQUEST, "There is no such event."))
        }
        ("http.resume.unknown-id-survived", _) if gets && resumes.is_some_and(|id| !id.contains("-1-")) => {
            Some(plain(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error"))
        }
        ("http.streams.concurrent-posts", _) if message.is_request() && is_one_of_many(hub, asked, message) => {
            wrong(StatusCode::BAD_REQUEST, message, "another request is being served")
        }
        _ => None,
    }
}

/// Whether two other connections brought requests of the session just before: one after the other they come on the same.
fn is_one_of_many(hub: &Hub, asked: &Asked, message: &Posted) -> bool {
    // Without sessions those for the same method.
    let session = asked.headers.get(SESSION).and_then(|value| value.to_str().ok()).or(message.method());
    let mut memory = hub.memory();
    let recent = memory.requests.entry(session.unwrap_or_default().to_owned()).or_default();
    recent.retain(|(at, connection)| at.elapsed() < Duration::from_millis(20) && *connection != asked.connection);
    let others = recent.len();
    recent.push((Instant::now(), asked.connection));
    others >= 2
}

/// Bodies that are read as something else.
pub(super) fn reads_otherwise(asked: &mut Asked, id: &str) -> bool {
    if id != "http.request.utf8" {
        return false;
    }
    let text: String = asked.body.iter().map(|byte| char::from(*byte)).collect();
    asked.body = Bytes::from(text);
    true
}
