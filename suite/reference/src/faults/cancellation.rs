//! Faults of the area cancellation. Over HTTP a client of 2026-07-28 cancels by closing the stream, after which nothing shows.

use super::Hook::Switch;
use super::jsonrpc::HANDSHAKE;
use super::{Fault, carried, fault};
use crate::Revision::V2026_07_28;
use crate::Transport::Stdio;
use crate::deviation::Deviation;

const MODERN: &[crate::Revision] = &[V2026_07_28];

pub(super) static TABLE: &[Fault] = &[
    fault(
        "cancellation.no-response-after",
        "",
        "a cancelled call is answered with an error",
        Switch(&[Deviation::CancelledCallsAreAnswered]),
    )
    .only(HANDSHAKE),
    fault(
        "cancellation.no-response-after",
        "stdio",
        "a cancelled call is answered with an error",
        Switch(&[Deviation::CancelledCallsAreAnswered]),
    )
    .only(MODERN)
    .over(&[Stdio]),
    fault(
        "cancellation.no-response-after",
        "zero",
        "a cancelled call is answered with an error of code 0",
        Switch(&[Deviation::CancelledCallsAreAnsweredWithZero]),
    )
    .only(HANDSHAKE),
    fault(
        "cancellation.no-response-after",
        "stdio-zero",
        "a cancelled call is answered with an error of code 0",
        Switch(&[Deviation::CancelledCallsAreAnsweredWithZero]),
    )
    .only(MODERN)
    .over(&[Stdio]),
    fault(
        "cancellation.no-further-messages",
        "",
        "a cancelled call goes on to report progress",
        Switch(&[Deviation::CancelledCallsGoOn]),
    )
    .over(&[Stdio]),
    fault(
        "cancellation.stops-work",
        "",
        "a cancelled call goes on to report progress",
        Switch(&[Deviation::CancelledCallsGoOn]),
    )
    .only(HANDSHAKE),
    fault(
        "cancellation.stops-work",
        "stdio",
        "a cancelled call goes on to report progress",
        Switch(&[Deviation::CancelledCallsGoOn]),
    )
    .only(MODERN)
    .over(&[Stdio]),
    fault(
        "cancellation.unknown-id-ignored",
        "",
        "the cancellation of an unknown request ends the process",
        Switch(&[Deviation::UnknownCancellationIsFatal]),
    )
    .over(&[Stdio]),
    fault(
        "cancellation.completed-id-ignored",
        "",
        "the cancellation of an answered request ends the process",
        Switch(&[Deviation::LateCancellationIsFatal]),
    )
    .over(&[Stdio]),
    fault(
        "cancellation.malformed-ignored",
        "",
        "a malformed cancellation ends the process",
        Switch(&[Deviation::MalformedCancellationIsFatal]),
    )
    .over(&[Stdio]),
    fault(
        "cancellation.race-graceful",
        "",
        "a cancelled request that was answered is answered again",
        Switch(&[Deviation::LateCancellationIsAnswered]),
    )
    .over(&[Stdio]),
    fault(
        "cancellation.race-graceful",
        "ends",
        "the process ends over one of many cancellations that cross the response",
        Switch(&[Deviation::LateCancellationsAddUp]),
    )
    .over(&[Stdio]),
    fault(
        "cancellation.only-the-named-request",
        "",
        "a cancellation ends all calls",
        Switch(&[Deviation::CancellationEndsAllCalls]),
    )
    .only(HANDSHAKE),
    fault(
        "cancellation.only-the-named-request",
        "stdio",
        "a cancellation ends all calls",
        Switch(&[Deviation::CancellationEndsAllCalls]),
    )
    .only(MODERN)
    .over(&[Stdio]),
    fault(
        "cancellation.reason-optional",
        "",
        "a cancellation without a reason has no effect",
        Switch(&[Deviation::CancellationNeedsReason]),
    )
    .only(HANDSHAKE),
    fault(
        "cancellation.reason-optional",
        "stdio",
        "a cancellation without a reason has no effect",
        Switch(&[Deviation::CancellationNeedsReason]),
    )
    .only(MODERN)
    .over(&[Stdio]),
    fault(
        "cancellation.no-reply",
        "",
        "the cancellation of an unknown request is answered",
        Switch(&[Deviation::UnknownCancellationIsAnswered]),
    )
    .over(&[Stdio]),
    fault(
        "cancellation.without-request-meta",
        "",
        "a cancellation without _meta has no effect",
        Switch(&[Deviation::CancellationNeedsMeta]),
    ),
    fault(
        "cancellation.initialize-not-cancelled",
        "",
        "initialize can be cancelled",
        Switch(&[Deviation::InitializeTakesTime]),
    )
    .only(HANDSHAKE)
    .over(&[Stdio])
    .in_a_run(),
    fault(
        "cancellation.sent.on-teardown",
        "",
        "subscriptions end without a word",
        Switch(&[Deviation::SubscriptionsEndSilently]),
    )
    .in_a_run(),
    carried(
        "cancellation.http-disconnect",
        "",
        "work goes on when the client has closed its stream",
        Switch(&[Deviation::DisconnectsAreIgnored]),
    )
    .only(MODERN),
    carried(
        "cancellation.http-disconnect-harmless",
        "",
        "once a stream was closed by the client, requests fail",
        Switch(&[Deviation::DisconnectsUpsetServer]),
    )
    .only(MODERN),
    carried(
        "cancellation.http-disconnect-harmless",
        "next",
        "once a stream was closed by the client, the next request fails",
        Switch(&[Deviation::DisconnectsUpsetNextRequest]),
    )
    .only(MODERN),
    fault(
        "cancellation.sent.own-open-request",
        "",
        "the server cancels a request that it never sent",
        Switch(&[Deviation::CancelsUnsentRequest]),
    )
    .over(&[Stdio]),
    fault(
        "cancellation.sent.shape",
        "",
        "the server cancels a request whose id is an object",
        Switch(&[Deviation::CancelsWithObjectId]),
    )
    .over(&[Stdio]),
    fault(
        "cancellation.sent.only-listen",
        "",
        "the server cancels something that is no subscription",
        Switch(&[Deviation::CancelsUnsentRequest]),
    )
    .over(&[Stdio]),
];
