//! Faults of event streams: those that answer a POST, those that a GET opens, and those that are resumed.

use hyper::StatusCode;
use std::time::{Duration, Instant};

use super::Hook::{HttpRequest, Switch};
use super::active::server_error;
use super::http_answers::{bad_request, gets};
use super::{Fault, carried, fault};
use crate::Revision::{V2025_03_26, V2025_06_18, V2025_11_25};
use crate::Transport::Http;
use crate::deviation::Deviation;
use crate::http::Asked;
use crate::http::answer::{self, plain, with};
use crate::http::check::Posted;
use crate::http::hub::Hub;
use crate::http::legacy::SESSION;

pub(super) static TABLE: &[Fault] = &[
    carried(
        "http.sse.one-message-per-event",
        "",
        "before every message comes an event with other text",
        Switch(&[Deviation::AlwaysStreams, Deviation::SendsOtherText]),
    ),
    carried(
        "http.sse.one-message-per-event",
        "array",
        "the message of an event is in an array",
        Switch(&[Deviation::AlwaysStreams, Deviation::EventsHoldArrays]),
    )
    .only(&[V2025_06_18, V2025_11_25]),
    carried(
        "http.sse.one-message-per-event",
        "halves",
        "one event holds two messages",
        Switch(&[Deviation::AlwaysStreams, Deviation::EventsHoldTwoMessages]),
    ),
    carried(
        "http.sse.event-type",
        "",
        "events have a type of their own",
        Switch(&[Deviation::EventsHaveType, Deviation::AlwaysStreams]),
    ),
    carried(
        "http.sse.response-arrives",
        "",
        "streams end without the response",
        Switch(&[Deviation::StreamsLackResponse]),
    ),
    carried(
        "http.sse.no-early-close",
        "",
        "streams end after their first event",
        Switch(&[Deviation::ClosesAfterFirstEvent]),
    ),
    carried(
        "http.sse.closes-after-response",
        "",
        "streams stay open after the response",
        Switch(&[Deviation::StreamsStayOpen, Deviation::AlwaysStreams]),
    ),
    carried(
        "http.sse.closes-after-response",
        "errors",
        "streams stay open after an error",
        Switch(&[Deviation::FailedStreamsStayOpen, Deviation::AlwaysStreams]),
    )
    // Later an error has an HTTP status of its own, and no stream.
    .only(&[V2025_03_26, V2025_06_18, V2025_11_25]),
    carried(
        "http.sse.only-own-response",
        "",
        "streams carry the response to another request too",
        Switch(&[Deviation::SendsForeignResponses, Deviation::AlwaysStreams]),
    ),
    carried(
        "http.sse.related-messages",
        "",
        "streams carry list changes",
        Switch(&[Deviation::AlwaysStreams, Deviation::SendsListChangesOnResponses]),
    ),
    carried(
        "http.sse.related-messages",
        "progress",
        "streams carry progress of another request",
        Switch(&[Deviation::AlwaysStreams, Deviation::SendsForeignProgress]),
    )
    .only(&[V2025_03_26, V2025_06_18, V2025_11_25]),
    carried(
        "http.sse.priming-event",
        "",
        "no event with an id and empty data comes first",
        Switch(&[Deviation::NeverPrimes, Deviation::AlwaysStreams]),
    ),
    carried(
        "http.sse.priming-event",
        "late",
        "the event with an id and empty data comes after the first message",
        Switch(&[Deviation::NeverPrimes, Deviation::AlwaysStreams, Deviation::PrimesLate]),
    ),
    carried(
        "http.sse.no-priming-for-older",
        "",
        "older clients too are sent an event with empty data",
        Switch(&[Deviation::PrimesOlderClients, Deviation::AlwaysStreams]),
    ),
    carried(
        "http.sse.retry-before-close",
        "",
        "a connection is closed in between without a word on when to come back",
        Switch(&[Deviation::ClosesWithoutRetry]),
    ),
    carried(
        "http.sse.close-only-after-id",
        "",
        "a connection is closed in between before there was an id",
        Switch(&[Deviation::ClosesBeforeFirstId]),
    ),
    carried(
        "http.sse.retry-is-number",
        "",
        "retry has a unit",
        Switch(&[Deviation::RetryHasUnit, Deviation::AlwaysStreams]),
    )
    .only(&[V2025_11_25]),
    carried(
        "http.get.stream-or-405",
        "",
        "GET is answered with 404",
        HttpRequest(|_, asked, _| gets(asked).then(|| plain(StatusCode::NOT_FOUND, "Not Found"))),
    ),
    carried(
        "http.get.stream-or-405",
        "json",
        "GET is answered with JSON",
        HttpRequest(|_, asked, _| gets(asked).then(|| answer::json(StatusCode::OK, "{}".to_owned()))),
    ),
    carried(
        "http.get.stream-or-405",
        "not-implemented",
        "GET is answered with 501",
        HttpRequest(|_, asked, _| gets(asked).then(|| plain(StatusCode::NOT_IMPLEMENTED, "Not Implemented"))),
    ),
    carried(
        "http.get.headers-at-once",
        "",
        "the head of the answer to GET comes with the first event",
        Switch(&[Deviation::GetHeadWaitsForEvent]),
    ),
    carried(
        "http.get.no-responses",
        "",
        "responses come on the GET stream too",
        Switch(&[Deviation::ResponsesOnGetStreamToo]),
    ),
    fault(
        "http.get.unrelated-messages",
        "",
        "progress comes on the GET stream",
        Switch(&[Deviation::ProgressOnGetStream]),
    )
    .over(&[Http]),
    carried(
        "http.get.retry-before-close",
        "",
        "a GET connection is closed in between without a word on when to come back",
        Switch(&[Deviation::GetClosesWithoutRetry]),
    ),
    carried(
        "http.streams.concurrent-posts",
        "",
        "of several requests at the same time only the first is served",
        HttpRequest(|hub, asked, message| {
            let refused = message.is_request() && is_one_of_many(hub, asked, message);
            refused.then(|| bad_request(message, "another request is being served"))
        }),
    ),
    carried(
        "http.streams.concurrent-gets",
        "",
        "a second GET stream is refused with 400",
        Switch(&[Deviation::SecondGetRefused]),
    ),
    carried(
        "http.streams.no-broadcast",
        "",
        "announcements come on every GET stream",
        Switch(&[Deviation::AnnouncesOnEveryStream]),
    ),
    carried(
        "http.resume.event-id-unique",
        "",
        "event ids begin anew on every stream",
        Switch(&[Deviation::EventIdsRestart, Deviation::AlwaysStreams]),
    ),
    carried(
        "http.resume.event-id-header-safe",
        "",
        "event ids have characters beyond ASCII",
        Switch(&[Deviation::EventIdsBeyondAscii, Deviation::AlwaysStreams]),
    ),
    carried(
        "http.resume.same-stream-only",
        "",
        "what other streams carried is replayed too",
        Switch(&[Deviation::ReplaysOtherStreams]),
    ),
    carried(
        "http.resume.after-the-id",
        "",
        "the event that the client has seen is replayed too",
        Switch(&[Deviation::ReplaysSeenEvent]),
    ),
    carried(
        "http.resume.after-the-id",
        "order",
        "the last event is replayed first",
        Switch(&[Deviation::ReplaysBackwards]),
    ),
    carried(
        "http.resume.post-stream-by-get",
        "",
        "only GET streams can be resumed",
        HttpRequest(|_, asked, _| {
            let refused = gets(asked) && last_event(asked).is_some_and(|id| id.starts_with("answer"));
            refused.then(|| plain(StatusCode::BAD_REQUEST, "There is no such event."))
        }),
    ),
    carried(
        "http.resume.post-stream-by-get",
        "method",
        "events have ids, but GET is refused",
        HttpRequest(|_, asked, _| {
            let answer = || plain(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed");
            gets(asked).then(|| with(answer(), "allow", "POST, DELETE"))
        }),
    ),
    carried(
        "http.resume.unknown-id-survived",
        "",
        "an unknown event id is answered with 500",
        HttpRequest(|_, asked, _| {
            (gets(asked) && last_event(asked).is_some_and(|id| !id.contains("-1-"))).then(server_error)
        }),
    ),
    carried(
        "http.cancel.disconnect-is-not-cancel",
        "",
        "a request is cancelled when its connection is lost",
        Switch(&[Deviation::DisconnectsCancel]),
    ),
    carried(
        "security.session.no-cross-delivery",
        "",
        "progress comes on the GET streams of other sessions",
        Switch(&[Deviation::ProgressToOtherSessions]),
    ),
    carried(
        "security.session.replay-scoped",
        "",
        "events of other sessions are replayed",
        Switch(&[Deviation::ReplaysOtherSessions]),
    ),
];

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

/// The event after which a stream is to be resumed.
fn last_event(asked: &Asked) -> Option<&str> {
    asked.headers.get("last-event-id").and_then(|value| value.to_str().ok())
}
