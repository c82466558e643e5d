//! Faults of the area sse: what the streams and the posts of HTTP+SSE do wrong, and its faults of security.

use super::{Fault, switch};
use crate::Transport::Sse;

pub(super) static TABLE: &[Fault] = &[
    switch("sse.stream.endpoint-exists", "", "the stream is opened with status 201").over(&[Sse]),
    switch("sse.stream.content-type", "", "the stream is called text/plain").over(&[Sse]),
    switch("sse.stream.utf8", "", "a comment has a byte that is no UTF-8").over(&[Sse]),
    switch("sse.endpoint-event.sent", "", "all streams but the first begin without the endpoint event").over(&[Sse]),
    switch("sse.endpoint-event.first", "", "an event comes before the endpoint event").over(&[Sse]),
    switch("sse.endpoint-event.uri", "", "the URI stands in quotation marks").over(&[Sse]),
    switch("sse.endpoint-event.uri", "object", "all streams but the first have the URI in a JSON object").over(&[Sse]),
    switch("sse.endpoint-event.once", "", "the endpoint event is sent twice").over(&[Sse]),
    switch("sse.endpoint-event.once", "changes", "after the handshake another URI is announced").over(&[Sse]),
    switch("sse.endpoint-event.same-origin", "", "all streams but the first announce another host").over(&[Sse]),
    switch("sse.post.endpoint-exists", "", "posts are redirected, though taken").over(&[Sse]),
    switch("sse.post.notification-accepted", "", "what has no id gets status 500, though taken").over(&[Sse]),
    switch("sse.message.response-on-stream", "", "responses come in the answer to the POST").over(&[Sse]),
    switch("sse.message.event-type", "", "messages are events of type response").over(&[Sse]),
    switch("sse.message.one-json-per-event", "", "the list of tools comes in an array").over(&[Sse]),
    switch("sse.message.one-json-per-event", "two", "an event has a list and a notification").over(&[Sse]),
    switch("sse.multi.concurrent-clients", "", "while a client is served others are turned away").over(&[Sse]),
    switch("sse.multi.concurrent-clients", "silent", "while a client is served others get no answer").over(&[Sse]),
    switch("sse.multi.responses-to-own-stream", "", "lists go to the client that has been there longest").over(&[Sse]),
    switch("sse.multi.distinct-endpoints", "", "all clients post to the same URI").over(&[Sse]),
    switch("sse.post.unknown-session-rejected", "", "a post for nobody is accepted").over(&[Sse]),
    switch("sse.post.unknown-session-rejected", "executed", "a post for nobody is carried out for somebody")
        .over(&[Sse]),
    switch("sse.post.malformed-survived", "", "what is not JSON ends the stream").over(&[Sse]),
    switch("sse.post.malformed-survived", "silent", "what is not JSON is accepted").over(&[Sse]),
    switch("sse.shutdown.disconnect-ends-session", "", "once a client has gone others are turned away").over(&[Sse]),
    switch("sse.shutdown.disconnect-ends-session", "others", "once a client has gone all streams end").over(&[Sse]),
    switch("sse.compat.post-to-stream-url-4xx", "", "a post to the stream's URL gets status 500").over(&[Sse]),
    switch("sse.compat.post-to-stream-url-4xx", "accepted", "a post to the stream's URL is accepted").over(&[Sse]),
    switch("security.sse.endpoint-unguessable", "", "the ids of clients count up").over(&[Sse]),
    switch("security.origin.get-validated", "stream", "foreign pages may read the stream").over(&[Sse]),
    switch("security.origin.sse-post-validated", "", "foreign pages may post messages").over(&[Sse]),
];
