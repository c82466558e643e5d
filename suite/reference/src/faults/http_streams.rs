//! Faults of event streams: those that answer a POST, those that a GET opens, and those that are resumed.

use super::{Fault, carried, switch};
use crate::Revision::{V2025_03_26, V2025_06_18, V2025_11_25};
use crate::Transport::Http;

pub(super) static TABLE: &[Fault] = &[
    carried("http.sse.one-message-per-event", "", "before every message comes an event with other text"),
    carried("http.sse.one-message-per-event", "array", "the message of an event is in an array")
        .only(&[V2025_06_18, V2025_11_25]),
    carried("http.sse.one-message-per-event", "halves", "one event holds two messages"),
    carried("http.sse.event-type", "", "events have a type of their own"),
    carried("http.sse.response-arrives", "", "streams end without the response"),
    carried("http.sse.no-early-close", "", "streams end after their first event"),
    carried("http.sse.closes-after-response", "", "streams stay open after the response"),
    carried("http.sse.only-own-response", "", "streams carry the response to another request too"),
    carried("http.sse.related-messages", "", "streams carry list changes"),
    carried("http.sse.related-messages", "progress", "streams carry progress of another request").only(&[
        V2025_03_26,
        V2025_06_18,
        V2025_11_25,
    ]),
    carried("http.sse.priming-event", "", "no event with an id and empty data comes first"),
    carried("http.sse.priming-event", "late", "the event with an id and empty data comes after the first message"),
    carried("http.sse.no-priming-for-older", "", "older clients too are sent an event with empty data"),
    carried("http.sse.retry-before-close", "", "a connection is closed in between without a word on when to come back"),
    carried("http.sse.close-only-after-id", "", "a connection is closed in between before there was an id"),
    carried("http.sse.retry-is-number", "", "retry has a unit").only(&[V2025_11_25]),
    carried("http.get.stream-or-405", "", "GET is answered with 404"),
    carried("http.get.stream-or-405", "json", "GET is answered with JSON"),
    carried("http.get.stream-or-405", "not-implemented", "GET is answered with 501"),
    carried("http.get.headers-at-once", "", "the head of the answer to GET comes with the first event"),
    carried("http.get.no-responses", "", "responses come on the GET stream too"),
    switch("http.get.unrelated-messages", "", "progress comes on the GET stream").over(&[Http]),
    carried(
        "http.get.retry-before-close",
        "",
        "a GET connection is closed in between without a word on when to come back",
    ),
    carried("http.streams.concurrent-posts", "", "of several requests at the same time only the first is served"),
    carried("http.streams.concurrent-gets", "", "a second GET stream is refused with 400"),
    carried("http.streams.no-broadcast", "", "announcements come on every GET stream"),
    carried("http.resume.event-id-unique", "", "event ids begin anew on every stream"),
    carried("http.resume.event-id-header-safe", "", "event ids have characters beyond ASCII"),
    carried("http.resume.same-stream-only", "", "what other streams carried is replayed too"),
    carried("http.resume.after-the-id", "", "the event that the client has seen is replayed too"),
    carried("http.resume.after-the-id", "order", "the last event is replayed first"),
    carried("http.resume.post-stream-by-get", "", "only GET streams can be resumed"),
    carried("http.resume.post-stream-by-get", "method", "events have ids, but GET is refused"),
    carried("http.resume.unknown-id-survived", "", "an unknown event id is answered with 500"),
    carried("http.cancel.disconnect-is-not-cancel", "", "a request is cancelled when its connection is lost"),
    carried("security.session.no-cross-delivery", "", "progress comes on the GET streams of other sessions"),
    carried("security.session.replay-scoped", "", "events of other sessions are replayed"),
];

/// Faults that need a stream where a single message would do: they have one every time.
pub(crate) const STREAMING: &[&str] = &[
    "http.batch.stream-answers-all",
    "http.sse.one-message-per-event",
    "http.sse.event-type",
    "http.sse.closes-after-response",
    "http.sse.only-own-response",
    "http.sse.related-messages",
    "http.sse.priming-event",
    "http.sse.no-priming-for-older",
    "http.sse.retry-is-number",
    "http.resume.event-id-unique",
    "http.resume.event-id-header-safe",
];
