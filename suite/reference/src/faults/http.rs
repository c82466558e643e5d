//! Faults of how messages are posted over HTTP, and of how they are answered.

use bytes::Bytes;
use hyper::header::{ACCEPT, ALLOW, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::Hook::{HttpAnswer, HttpRequest, Switch};
use super::active::server_error;
use super::http_answers::{bad_request, header, names_modern, opens, posts, refuse, rewrite_body, with_status_if};
use super::{Fault, carried};
use crate::Revision;
use crate::Revision::{V2025_03_26, V2025_06_18, V2025_11_25};
use crate::deviation::Deviation;
use crate::http::Asked;
use crate::http::answer::{self, Answer, plain, with};
use crate::http::body::Content;
use crate::http::check::Posted;
use crate::http::headers::VERSION_HEADER;
use crate::http::hub::Hub;
use crate::http::legacy::SESSION;
use crate::http::write::latin_1;

/// Where there are sessions.
const HANDSHAKE: &[Revision] = &[V2025_03_26, V2025_06_18, V2025_11_25];

pub(super) static TABLE: &[Fault] = &[
    carried(
        "http.endpoint.post",
        "",
        "ping is answered with 404, as if there were no such route",
        HttpRequest(|_, asked, message| is_lost(asked, message).then(|| plain(StatusCode::NOT_FOUND, "Not Found"))),
    ),
    carried(
        "http.endpoint.post",
        "method",
        "ping is answered with 405",
        HttpRequest(|_, asked, message| {
            let answer = || with(plain(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed"), "allow", "GET");
            is_lost(asked, message).then(answer)
        }),
    ),
    carried(
        "http.endpoint.no-redirect",
        "",
        "ping is redirected to another path",
        HttpRequest(|_, asked, message| {
            let answer = || with(plain(StatusCode::TEMPORARY_REDIRECT, "Elsewhere."), LOCATION.as_str(), "/mcp/");
            is_lost(asked, message).then(answer)
        }),
    ),
    carried(
        "http.endpoint.multi-client",
        "",
        "a second client is refused while the first is there",
        HttpRequest(|hub, _, message| {
            let second = message.method() == Some("initialize") && hub.is_in_use();
            second.then(|| bad_request(message, "the server is initialized already"))
        }),
    )
    .only(HANDSHAKE),
    carried(
        "http.endpoint.multi-client",
        "ids",
        "an id that another client has used is refused",
        HttpRequest(|hub, asked, message| {
            is_of_another(hub, asked, message).then(|| bad_request(message, "a request with this id is known already"))
        }),
    )
    .only(HANDSHAKE),
    carried(
        "http.endpoint.any-connection",
        "",
        "the first request on a further connection is refused",
        HttpRequest(|_, asked, message| {
            let opens = message.method() == Some("server/discover");
            let refused = asked.fresh && (asked.headers.contains_key(SESSION) || names_modern(asked) && !opens);
            refused.then(|| bad_request(message, "the session is on another connection"))
        }),
    ),
    carried(
        "http.endpoint.other-methods-405",
        "",
        "PUT is answered with 200",
        HttpRequest(|_, asked, _| {
            [Method::PUT, Method::PATCH].contains(&asked.method).then(|| answer::empty(StatusCode::OK))
        }),
    ),
    carried(
        "http.method.allow-header",
        "",
        "405 comes without Allow",
        HttpAnswer(|_, mut answer, _, _| {
            if answer.status() == StatusCode::METHOD_NOT_ALLOWED {
                answer.headers_mut().remove(ALLOW);
            }
            answer
        }),
    ),
    carried(
        "http.accept.both-any-order",
        "",
        "only one spelling of Accept is served",
        HttpRequest(|_, asked, _| {
            let spelt = header(asked, ACCEPT) == "application/json, text/event-stream";
            (posts(asked) && !spelt).then(|| plain(StatusCode::NOT_ACCEPTABLE, "Not Acceptable"))
        }),
    ),
    carried(
        "http.request.content-type-parameters",
        "",
        "a Content-Type with a charset is refused",
        HttpRequest(|_, asked, _| {
            let refused = posts(asked) && header(asked, CONTENT_TYPE).contains(';');
            refused.then(|| plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Unsupported Media Type"))
        }),
    ),
    carried(
        "http.request.chunked-body",
        "",
        "a body without Content-Length is refused",
        HttpRequest(|_, asked, _| {
            let refused = posts(asked) && !asked.headers.contains_key(CONTENT_LENGTH);
            refused.then(|| plain(StatusCode::LENGTH_REQUIRED, "Length Required"))
        }),
    ),
    carried(
        "http.request.utf8",
        "",
        "the body is read as Latin-1",
        HttpRequest(|_, asked, message| {
            let text: String = asked.body.iter().map(|byte| char::from(*byte)).collect();
            asked.body = Bytes::from(text);
            *message = Posted::read(&asked.body);
            None
        }),
    ),
    carried("http.response.utf8", "", "answers are written in Latin-1", Switch(&[Deviation::WritesLatin1])).and(
        HttpAnswer(
            |_, answer, asked, _| {
                if posts(asked) { rewrite_body(answer, |text| latin_1(&text)) } else { answer }
            },
        ),
    ),
    carried(
        "http.post.reply-content-type",
        "",
        "results are of type text/plain",
        HttpAnswer(|_, answer, asked, message| {
            if is_whole_result(&answer, asked, message) { with(answer, "content-type", "text/plain") } else { answer }
        }),
    ),
    carried(
        "http.post.reply-content-type",
        "none",
        "results have no type",
        HttpAnswer(|_, mut answer, asked, message| {
            if is_whole_result(&answer, asked, message) {
                answer.headers_mut().remove(CONTENT_TYPE);
            }
            answer
        }),
    ),
    carried(
        "http.post.reply-json-object",
        "",
        "the response is in an array",
        HttpAnswer(|_, answer, asked, message| {
            if !is_later_result(&answer, asked, message) {
                return answer;
            }
            rewrite_body(answer, |text| format!("[{text}]").into_bytes())
        }),
    ),
    carried(
        "http.post.reply-json-object",
        "two",
        "the body holds the response twice",
        HttpAnswer(|_, answer, asked, message| {
            if !is_later_result(&answer, asked, message) {
                return answer;
            }
            rewrite_body(answer, |text| format!("{text}\n{text}").into_bytes())
        }),
    ),
    carried(
        "http.post.reply-status-2xx",
        "",
        "results come with status 400",
        HttpAnswer(|_, answer, asked, message| {
            let spoilt = is_later_result(&answer, asked, message);
            with_status_if(spoilt, answer, StatusCode::BAD_REQUEST)
        }),
    ),
    carried(
        "http.post.reply-status-2xx",
        "server-error",
        "results come with status 500",
        HttpAnswer(|_, answer, asked, message| {
            let spoilt = is_later_result(&answer, asked, message);
            with_status_if(spoilt, answer, StatusCode::INTERNAL_SERVER_ERROR)
        }),
    ),
    carried(
        "http.post.never-202-for-request",
        "",
        "a request with the id 0 is taken for a notification",
        HttpRequest(|_, _, message| has_id(message, &json!(0)).then(|| answer::empty(StatusCode::ACCEPTED))),
    ),
    carried(
        "http.post.never-202-for-request",
        "empty",
        "a request with an empty id is taken for a notification",
        HttpRequest(|_, _, message| has_id(message, &json!("")).then(|| answer::empty(StatusCode::ACCEPTED))),
    ),
    carried(
        "http.post.empty-body",
        "",
        "an empty body is answered with 200",
        HttpRequest(|_, asked, _| (posts(asked) && asked.body.is_empty()).then(|| answer::empty(StatusCode::OK))),
    ),
    carried(
        "http.post.notification-202",
        "",
        "notifications are answered with 200",
        HttpAnswer(|_, answer, asked, message| {
            let accepted = is_accepted(&answer, asked) && notifies(message);
            with_status_if(accepted, answer, StatusCode::OK)
        }),
    ),
    carried(
        "http.post.notification-202",
        "no-content",
        "notifications are answered with 204",
        HttpAnswer(|_, answer, asked, message| {
            let accepted = is_accepted(&answer, asked) && notifies(message);
            with_status_if(accepted, answer, StatusCode::NO_CONTENT)
        }),
    ),
    carried(
        "http.post.notification-no-body",
        "",
        "the answer to a notification has a body",
        HttpAnswer(|_, answer, asked, message| {
            let accepted = is_accepted(&answer, asked) && notifies(message);
            if accepted { plain(StatusCode::ACCEPTED, "Accepted") } else { answer }
        }),
    ),
    carried(
        "http.post.notification-no-body",
        "null",
        "the answer to a notification has the body null",
        HttpAnswer(|_, answer, asked, message| {
            let accepted = is_accepted(&answer, asked) && notifies(message);
            if accepted { plain(StatusCode::ACCEPTED, "null") } else { answer }
        }),
    ),
    carried(
        "http.post.notification-refused-status",
        "",
        "a refused notification is answered with 200",
        HttpAnswer(|_, answer, asked, message| {
            let refused = is_refused(&answer, asked) && notifies(message);
            with_status_if(refused, answer, StatusCode::OK)
        }),
    )
    .only(HANDSHAKE),
    carried(
        "http.post.notification-refused-status",
        "redirect",
        "a refused notification is answered with 302",
        HttpAnswer(|_, answer, asked, message| {
            let refused = is_refused(&answer, asked) && notifies(message);
            with_status_if(refused, answer, StatusCode::FOUND)
        }),
    )
    .only(HANDSHAKE),
    carried(
        "http.post.refusal-body-without-id",
        "",
        "the refusal of a notification has an invented id",
        HttpAnswer(|_, answer, asked, message| {
            if !is_refused(&answer, asked) || !(notifies(message) || message.is_response()) {
                return answer;
            }
            rewrite_body(answer, |text| {
                let mut body: Value = serde_json::from_str(&text).unwrap_or_default();
                body["id"] = json!("server-error");
                body.to_string().into_bytes()
            })
        }),
    ),
    carried(
        "http.post.response-202",
        "",
        "responses are answered with 200",
        HttpAnswer(|_, answer, asked, message| {
            let accepted = is_accepted(&answer, asked) && message.is_response();
            with_status_if(accepted, answer, StatusCode::OK)
        }),
    ),
    carried(
        "http.post.response-202",
        "body",
        "the 202 for a response has a body",
        HttpAnswer(|_, answer, asked, message| {
            let accepted = is_accepted(&answer, asked) && message.is_response();
            if accepted { answer::json(StatusCode::ACCEPTED, "{}".to_owned()) } else { answer }
        }),
    ),
    carried(
        "http.batch.stream-answers-all",
        "",
        "the stream for a batch ends before its last response",
        Switch(&[Deviation::BatchStreamsEndEarly, Deviation::AlwaysStreams]),
    ),
    carried(
        "http.headers.names-case-insensitive",
        "",
        "header names in capitals are not known",
        Switch(&[Deviation::NoticesHeaderCapitals]),
    )
    .and(HttpRequest(|_, asked, _| {
        if asked.loud {
            for name in [SESSION, VERSION_HEADER, "mcp-method"] {
                asked.headers.remove(name);
            }
        }
        None
    }))
    .only(&[crate::Revision::V2025_03_26, V2025_06_18, V2025_11_25]),
    carried(
        "http.status.no-5xx-for-client-faults",
        "",
        "a body that is no JSON is answered with 500",
        HttpRequest(|_, asked, message| (posts(asked) && message.value.is_null()).then(server_error)),
    ),
    carried(
        "http.version-header.negotiated-accepted",
        "",
        "the version that was negotiated is refused",
        HttpRequest(|_, asked, message| {
            (!opens(message) && version(asked).is_some_and(is_known)).then(|| refuse_version(message))
        }),
    ),
    carried(
        "http.version-header.unsupported-400",
        "",
        "unsupported versions are served",
        HttpRequest(|_, asked, message| {
            if !opens(message) && !version(asked).is_some_and(is_known) {
                asked.headers.remove(VERSION_HEADER);
            }
            None
        }),
    ),
    carried(
        "http.version-header.unsupported-400",
        "text",
        "a version that is no date is served",
        HttpRequest(|_, asked, message| {
            let is_date = version(asked).is_some_and(|named| named.starts_with(|first: char| first.is_ascii_digit()));
            if !opens(message) && !version(asked).is_some_and(is_known) && !is_date {
                asked.headers.remove(VERSION_HEADER);
            }
            None
        }),
    ),
    carried(
        "http.version-header.unsupported-400",
        "status",
        "unsupported versions are refused with 422",
        HttpRequest(|_, asked, message| {
            let refused = !opens(message) && version(asked).is_some_and(|named| !is_known(named));
            refused.then(|| refuse(StatusCode::UNPROCESSABLE_ENTITY, message, UNSUPPORTED))
        }),
    ),
    carried(
        "http.version-header.absent-on-initialize",
        "",
        "further clients must name a version with initialize",
        HttpRequest(|hub, asked, message| {
            (opens(message) && version(asked).is_none() && hub.is_in_use()).then(|| refuse_version(message))
        }),
    ),
    carried(
        "http.version-header.ignored-on-initialize",
        "",
        "an unknown version in the header stops initialize",
        HttpRequest(|_, asked, message| {
            (opens(message) && version(asked).is_some_and(|named| !is_known(named))).then(|| refuse_version(message))
        }),
    ),
    carried(
        "http.version-header.absent-later",
        "",
        "requests that name no version are refused",
        HttpRequest(|_, asked, message| {
            (!opens(message) && version(asked).is_none() && posts(asked)).then(|| refuse_version(message))
        }),
    ),
];

const UNSUPPORTED: &str = "the version in MCP-Protocol-Version is not supported";

/// Whether a request is the one that a fault leads astray.
fn is_lost(asked: &Asked, message: &Posted) -> bool {
    message.method() == Some(if names_modern(asked) { "prompts/list" } else { "ping" })
}

/// Whether a request has an id, a string, that another session used first.
fn is_of_another(hub: &Hub, asked: &Asked, message: &Posted) -> bool {
    let session = asked.headers.get(SESSION).and_then(|session| session.to_str().ok());
    let id = message.id().and_then(Value::as_str).filter(|_| message.is_request());
    let (Some(session), Some(id)) = (session, id) else { return false };
    hub.memory().users.entry(id.to_owned()).or_insert_with(|| session.to_owned()) != session
}

/// Whether a request has this id.
fn has_id(message: &Posted, id: &Value) -> bool {
    message.method().is_some() && message.value.get("id") == Some(id)
}

fn notifies(message: &Posted) -> bool {
    message.method().is_some() && message.value.get("id").is_none()
}

fn is_result(answer: &Answer, asked: &Asked, message: &Posted) -> bool {
    posts(asked) && answer.status() == StatusCode::OK && message.is_request()
}

fn is_whole_result(answer: &Answer, asked: &Asked, message: &Posted) -> bool {
    is_result(answer, asked, message) && matches!(answer.body(), Content::Whole(_))
}

/// Whether an answer is a result, but not one without which nothing is to be seen.
fn is_later_result(answer: &Answer, asked: &Asked, message: &Posted) -> bool {
    let opens = matches!(message.method(), Some("initialize" | "server/discover"));
    is_result(answer, asked, message) && !opens
}

fn is_accepted(answer: &Answer, asked: &Asked) -> bool {
    posts(asked) && answer.status() == StatusCode::ACCEPTED
}

fn is_refused(answer: &Answer, asked: &Asked) -> bool {
    posts(asked) && answer.status().is_client_error()
}

/// The version that the header names.
fn version(asked: &Asked) -> Option<&str> {
    asked.headers.get(VERSION_HEADER).and_then(|value| value.to_str().ok())
}

fn is_known(version: &str) -> bool {
    version.parse::<Revision>().is_ok()
}

fn refuse_version(message: &Posted) -> Answer {
    bad_request(message, UNSUPPORTED)
}
