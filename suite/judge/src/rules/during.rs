//! Messages from the server while requests are under way: which of them a notification belongs to. Shared by several areas.

use serde_json::Value;
use verdict::Finding;
use wire::{Kind, Message};

use crate::{Exchange, Incoming, Session};

/// A finding about one frame.
pub(super) fn frame_finding(
    incoming: &Incoming<'_>,
    message: &str,
    expected: &str,
    actual: impl Into<String>,
) -> Finding {
    Finding::new(message, expected, actual, vec![incoming.wire()])
}

/// Returns a finding about a message sent during an exchange, with that message as evidence, and the tool if it was a call.
pub(super) fn told_of(
    exchange: &Exchange<'_>,
    incoming: &Incoming<'_>,
    message: &str,
    expected: &str,
    actual: impl Into<String>,
) -> Finding {
    let mut finding = frame_finding(incoming, message, expected, actual);
    finding.wire.insert(0, format!("> {}", crate::view::clip(&exchange.send.text)));
    finding.tool = tool(exchange).map(str::to_owned);
    finding
}

/// The single request in what was sent.
pub(super) fn request<'v>(exchange: &'v Exchange<'_>) -> Option<&'v Message> {
    match &exchange.parsed.content {
        wire::Content::One(message) if message.kind == Kind::Request => Some(message),
        _ => None,
    }
}

/// The tool of a call.
pub(super) fn tool<'v>(exchange: &'v Exchange<'_>) -> Option<&'v str> {
    let message = request(exchange).filter(|message| message.method() == Some("tools/call"))?;
    message.params()?.get("name")?.as_str()
}

/// A member of `_meta` of the request sent.
pub(super) fn meta<'v>(exchange: &'v Exchange<'_>, key: &str) -> Option<&'v Value> {
    request(exchange)?.params()?.get("_meta")?.get(key)
}

/// A member of the params of a message from the server.
pub(super) fn param<'v>(incoming: &'v Incoming<'_>, name: &str) -> Option<&'v Value> {
    incoming.message()?.params()?.get(name)
}

/// The first answer to it.
pub(super) fn answer<'v>(session: &'v Session<'_>, exchange: &Exchange<'_>) -> Option<&'v Incoming<'v>> {
    exchange.answers.first().and_then(|at| session.incoming.get(*at))
}

/// When the tester cancelled it, by a notification or by dropping the connection.
pub(super) fn cancelled(exchange: &Exchange<'_>) -> Option<u32> {
    [exchange.cancelled, exchange.aborted].into_iter().flatten().min()
}

/// Requests, other than subscriptions, that were under way at a moment: sent, and neither answered nor cancelled.
pub(super) fn open_at<'v>(session: &'v Session<'_>, seq: u32) -> impl Iterator<Item = &'v Exchange<'v>> {
    session.exchanges.iter().filter(move |exchange| {
        exchange.seq < seq
            && request(exchange).is_some_and(|message| message.method() != Some("subscriptions/listen"))
            && answer(session, exchange).is_none_or(|answer| answer.seq > seq)
            && cancelled(exchange).is_none_or(|at| at > seq)
    })
}

/// Requests on a pipe that the tester had cancelled at a moment, and that the server need not have known to be cancelled: nothing
/// sent after the cancellation was answered yet.
pub(super) fn lingering_at<'v>(session: &'v Session<'_>, seq: u32) -> impl Iterator<Item = &'v Exchange<'v>> {
    let answered = move |exchange: &Exchange<'_>| answer(session, exchange).is_some_and(|answer| answer.seq < seq);
    let read =
        move |at: u32| session.exchanges.iter().any(|later| later.seq > at && later.seq < seq && answered(later));
    session.exchanges.iter().filter(move |exchange| {
        request(exchange).is_some()
            && !answered(exchange)
            && cancelled(exchange).is_some_and(|at| at < seq && !read(at))
    })
}

/// Over HTTP the exchange on whose response it came.
pub(super) fn carrier<'v>(session: &'v Session<'_>, incoming: &Incoming<'_>) -> Option<&'v Exchange<'v>> {
    let channel = incoming.receive.channel;
    session.exchanges.iter().find(|exchange| channel != 0 && exchange.send.channel == channel)
}

/// What a subscription begins with.
pub(super) const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// Whether it is the subscription stream of 2026-07-28.
pub(super) fn is_listen(exchange: &Exchange<'_>) -> bool {
    request(exchange).is_some_and(|message| message.method() == Some("subscriptions/listen"))
}
