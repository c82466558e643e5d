//! Faults of the area sse: what the streams and the posts of HTTP+SSE do wrong, and its faults of security.

use super::Hook::Switch;
use super::{Fault, fault};
use crate::Transport::Sse;
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
    fault(
        "sse.stream.endpoint-exists",
        "",
        "the stream is opened with status 201",
        Switch(&[Deviation::StreamOpensWith201]),
    )
    .over(&[Sse]),
    fault("sse.stream.content-type", "", "the stream is called text/plain", Switch(&[Deviation::StreamIsPlainText]))
        .over(&[Sse]),
    fault("sse.stream.utf8", "", "a comment has a byte that is no UTF-8", Switch(&[Deviation::StreamIsNotUtf8]))
        .over(&[Sse]),
    fault(
        "sse.endpoint-event.sent",
        "",
        "all streams but the first begin without the endpoint event",
        Switch(&[Deviation::EndpointSentOnce]),
    )
    .over(&[Sse]),
    fault(
        "sse.endpoint-event.sent",
        "never",
        "no stream begins with the endpoint event",
        Switch(&[Deviation::EndpointNeverSent]),
    )
    .over(&[Sse]),
    fault(
        "sse.endpoint-event.sent",
        "misnamed",
        "the endpoint event is called url",
        Switch(&[Deviation::EndpointMisnamed]),
    )
    .over(&[Sse]),
    fault(
        "sse.endpoint-event.first",
        "",
        "an event comes before the endpoint event",
        Switch(&[Deviation::EventBeforeEndpoint]),
    )
    .over(&[Sse]),
    fault("sse.endpoint-event.uri", "", "the URI stands in quotation marks", Switch(&[Deviation::EndpointQuoted]))
        .over(&[Sse]),
    fault("sse.endpoint-event.uri", "object", "the URI is in a JSON object", Switch(&[Deviation::EndpointInObject]))
        .over(&[Sse]),
    fault("sse.endpoint-event.once", "", "the endpoint event is sent twice", Switch(&[Deviation::EndpointSentTwice]))
        .over(&[Sse]),
    fault(
        "sse.endpoint-event.once",
        "changes",
        "after the handshake another URI is announced",
        Switch(&[Deviation::EndpointChanges]),
    )
    .over(&[Sse]),
    fault("sse.endpoint-event.same-origin", "", "another host is announced", Switch(&[Deviation::EndpointOnOtherHost]))
        .over(&[Sse]),
    fault(
        "sse.post.endpoint-exists",
        "",
        "posts are redirected, though taken",
        Switch(&[Deviation::PostsAreRedirected]),
    )
    .over(&[Sse]),
    fault(
        "sse.post.notification-accepted",
        "",
        "what has no id gets status 500, though taken",
        Switch(&[Deviation::NotificationPostFails]),
    )
    .over(&[Sse]),
    fault(
        "sse.message.response-on-stream",
        "",
        "responses come in the answer to the POST",
        Switch(&[Deviation::ResponsesInPost]),
    )
    .over(&[Sse]),
    fault(
        "sse.message.event-type",
        "",
        "messages are events of type response",
        Switch(&[Deviation::MessagesAreResponseEvents]),
    )
    .over(&[Sse]),
    fault(
        "sse.message.one-json-per-event",
        "",
        "the list of tools comes in an array",
        Switch(&[Deviation::ListEventIsArray]),
    )
    .over(&[Sse]),
    fault(
        "sse.message.one-json-per-event",
        "two",
        "an event has a list and a notification",
        Switch(&[Deviation::ListEventHoldsTwo]),
    )
    .over(&[Sse]),
    fault(
        "sse.multi.concurrent-clients",
        "",
        "while a client is served others are turned away",
        Switch(&[Deviation::SecondClientTurnedAway]),
    )
    .over(&[Sse]),
    fault(
        "sse.multi.concurrent-clients",
        "silent",
        "while a client is served others get no answer",
        Switch(&[Deviation::SecondClientUnanswered]),
    )
    .over(&[Sse]),
    fault(
        "sse.multi.responses-to-own-stream",
        "",
        "lists go to the client that has been there longest",
        Switch(&[Deviation::ListsGoToOldestClient]),
    )
    .over(&[Sse]),
    fault(
        "sse.multi.distinct-endpoints",
        "",
        "all clients post to the same URI",
        Switch(&[Deviation::OneEndpointForAll]),
    )
    .over(&[Sse]),
    fault(
        "sse.post.unknown-session-rejected",
        "",
        "a post for nobody is accepted",
        Switch(&[Deviation::UnknownSessionPostAccepted]),
    )
    .over(&[Sse]),
    fault(
        "sse.post.unknown-session-rejected",
        "executed",
        "a post for nobody is carried out for somebody",
        Switch(&[Deviation::UnknownSessionPostAccepted, Deviation::UnknownSessionPostExecuted]),
    )
    .over(&[Sse]),
    fault(
        "sse.post.malformed-survived",
        "",
        "what is not JSON ends the stream",
        Switch(&[Deviation::MalformedPostEndsStream]),
    )
    .over(&[Sse]),
    fault(
        "sse.post.malformed-survived",
        "silent",
        "what is not JSON is accepted",
        Switch(&[Deviation::MalformedPostAccepted]),
    )
    .over(&[Sse]),
    fault(
        "sse.shutdown.disconnect-ends-session",
        "",
        "once a client has gone others are turned away",
        Switch(&[Deviation::DisconnectTurnsOthersAway]),
    )
    .over(&[Sse]),
    fault(
        "sse.shutdown.disconnect-ends-session",
        "others",
        "once a client has gone all streams end",
        Switch(&[Deviation::DisconnectEndsAllStreams]),
    )
    .over(&[Sse]),
    fault(
        "sse.compat.post-to-stream-url-4xx",
        "",
        "a post to the stream's URL gets status 500",
        Switch(&[Deviation::StreamPostFails]),
    )
    .over(&[Sse]),
    fault(
        "sse.compat.post-to-stream-url-4xx",
        "accepted",
        "a post to the stream's URL is accepted",
        Switch(&[Deviation::StreamPostAccepted]),
    )
    .over(&[Sse]),
    fault(
        "security.sse.endpoint-unguessable",
        "",
        "the ids of clients count up",
        Switch(&[Deviation::EndpointsAreCounted]),
    )
    .over(&[Sse]),
    fault(
        "security.origin.get-validated",
        "stream",
        "foreign pages may read the stream",
        Switch(&[Deviation::OriginOfSseStreamUnchecked]),
    )
    .over(&[Sse]),
    fault(
        "security.origin.sse-post-validated",
        "",
        "foreign pages may post messages",
        Switch(&[Deviation::OriginOfSsePostUnchecked]),
    )
    .over(&[Sse]),
];
