//! Answers that are changed on their way.

use bytes::Bytes;
use hyper::header::{ALLOW, CONTENT_TYPE};
use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::Asked;
use crate::http::answer::{self, Answer, plain, with};
use crate::http::body::Content;
use crate::http::check::Posted;
use crate::http::hub::Hub;
use crate::http::legacy::SESSION;

/// Changes the answer to a POST.
pub(super) fn posted(mut answer: Answer, asked: &Asked, message: &Posted, id: &str, variant: &str) -> Answer {
    if asked.method != Method::POST {
        return answer;
    }
    let status = answer.status();
    let notifies = message.method().is_some() && message.value.get("id").is_none();
    let responds = message.is_response();
    let (ok, accepted, refused) = (status == StatusCode::OK, status == StatusCode::ACCEPTED, status.is_client_error());
    // Without an answer to these nothing is to be seen.
    let opens = matches!(message.method(), Some("initialize" | "server/discover"));
    let asks = message.is_request();
    match (id, variant) {
        ("http.response.utf8", _) => rewrite(answer, |text| latin_1(&text)),
        ("http.post.reply-content-type", how) if ok && asks && matches!(answer.body(), Content::Whole(_)) => {
            if how.is_empty() {
                return with(answer, "content-type", "text/plain");
            }
            answer.headers_mut().remove(CONTENT_TYPE);
            answer
        }
        ("http.post.reply-json-object", how) if ok && asks && !opens => rewrite(answer, |text| {
            if how.is_empty() { format!("[{text}]").into_bytes() } else { format!("{text}\n{text}").into_bytes() }
        }),
        ("http.post.reply-status-2xx", how) if ok && asks && !opens => {
            let status = if how.is_empty() { StatusCode::BAD_REQUEST } else { StatusCode::INTERNAL_SERVER_ERROR };
            *answer.status_mut() = status;
            answer
        }
        ("http.post.notification-202", how) if accepted && notifies => {
            *answer.status_mut() = if how.is_empty() { StatusCode::OK } else { StatusCode::NO_CONTENT };
            answer
        }
        ("http.post.notification-no-body", how) if accepted && notifies => {
            plain(StatusCode::ACCEPTED, if how.is_empty() { "Accepted" } else { "null" })
        }
        ("http.post.notification-refused-status", how) if refused && notifies => {
            *answer.status_mut() = if how.is_empty() { StatusCode::OK } else { StatusCode::FOUND };
            answer
        }
        ("http.post.refusal-body-without-id", _) if refused && (notifies || responds) => rewrite(answer, |text| {
            let mut body: Value = serde_json::from_str(&text).unwrap_or_default();
            body["id"] = json!("server-error");
            body.to_string().into_bytes()
        }),
        ("http.post.response-202", "") if accepted && responds => {
            *answer.status_mut() = StatusCode::OK;
            answer
        }
        ("http.post.response-202", _) if accepted && responds => answer::json(StatusCode::ACCEPTED, "{}".to_owned()),
        _ => answer,
    }
}

fn rewrite(mut answer: Answer, change: impl FnOnce(String) -> Vec<u8>) -> Answer {
    if let Content::Whole(Some(bytes)) = answer.body_mut() {
        *bytes = Bytes::from(change(String::from_utf8_lossy(bytes).into_owned()));
    }
    answer
}

/// Characters as Latin-1 has them, and a question mark for those that it has not.
pub(in crate::http) fn latin_1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(0xbf)).collect()
}

/// Changes the head of an answer, or when it comes.
pub(super) async fn headed(
    hub: &Hub,
    mut answer: Answer,
    asked: &Asked,
    message: &Posted,
    id: &str,
    variant: &str,
) -> Answer {
    let opens = message.method() == Some("initialize");
    match (id, variant) {
        ("http.method.allow-header", _) if answer.status() == StatusCode::METHOD_NOT_ALLOWED => {
            answer.headers_mut().remove(ALLOW);
        }
        ("http.session.issued-on-initialize", _) if opens => {
            let issued = answer.headers_mut().remove(SESSION);
            hub.memory().late = issued.and_then(|id| id.to_str().ok().map(str::to_owned));
        }
        ("http.session.issued-on-initialize", "late") if message.method() == Some("notifications/initialized") => {
            let late = hub.memory().late.take();
            if let Some(late) = late {
                return with(answer, SESSION, &late);
            }
        }
        ("http.get.headers-at-once", _) if asked.method == Method::GET => {
            if let Content::Events(events) = answer.body_mut()
                && let Some(first) = events.actions.recv().await
            {
                events.first.push_back(first);
            }
        }
        _ => {}
    }
    answer
}
