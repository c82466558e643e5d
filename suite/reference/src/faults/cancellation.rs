//! Faults of the area cancellation. Over HTTP a client of 2026-07-28 cancels by closing the stream, after which nothing shows.

use super::jsonrpc::HANDSHAKE;
use super::{Fault, carried, switch};
use crate::Revision::V2026_07_28;
use crate::Transport::Stdio;

const MODERN: &[crate::Revision] = &[V2026_07_28];

pub(super) static TABLE: &[Fault] = &[
    switch("cancellation.no-response-after", "", "a cancelled call is answered with an error").only(HANDSHAKE),
    switch("cancellation.no-response-after", "stdio", "a cancelled call is answered with an error")
        .only(MODERN)
        .over(&[Stdio]),
    switch("cancellation.no-further-messages", "", "a cancelled call goes on to report progress").over(&[Stdio]),
    switch("cancellation.stops-work", "", "a cancelled call goes on to report progress").only(HANDSHAKE),
    switch("cancellation.stops-work", "stdio", "a cancelled call goes on to report progress")
        .only(MODERN)
        .over(&[Stdio]),
    switch("cancellation.unknown-id-ignored", "", "the cancellation of an unknown request ends the process")
        .over(&[Stdio]),
    switch("cancellation.completed-id-ignored", "", "the cancellation of an answered request ends the process")
        .over(&[Stdio]),
    switch("cancellation.malformed-ignored", "", "a malformed cancellation ends the process").over(&[Stdio]),
    switch("cancellation.race-graceful", "", "a cancelled request that was answered is answered again").over(&[Stdio]),
    switch("cancellation.only-the-named-request", "", "a cancellation ends all calls").only(HANDSHAKE),
    switch("cancellation.only-the-named-request", "stdio", "a cancellation ends all calls").only(MODERN).over(&[Stdio]),
    switch("cancellation.reason-optional", "", "a cancellation without a reason has no effect").only(HANDSHAKE),
    switch("cancellation.reason-optional", "stdio", "a cancellation without a reason has no effect")
        .only(MODERN)
        .over(&[Stdio]),
    switch("cancellation.no-reply", "", "the cancellation of an unknown request is answered").over(&[Stdio]),
    switch("cancellation.without-request-meta", "", "a cancellation without _meta has no effect"),
    switch("cancellation.initialize-not-cancelled", "", "initialize can be cancelled")
        .only(HANDSHAKE)
        .over(&[Stdio])
        .in_a_run(),
    switch("cancellation.sent.on-teardown", "", "subscriptions end without a word").in_a_run(),
    carried("cancellation.http-disconnect", "", "work goes on when the client has closed its stream").only(MODERN),
    carried("cancellation.http-disconnect-harmless", "", "once a stream was closed by the client, requests fail")
        .only(MODERN),
    switch("cancellation.sent.own-open-request", "", "the server cancels a request that it never sent").over(&[Stdio]),
    switch("cancellation.sent.shape", "", "the server cancels a request whose id is an object").over(&[Stdio]),
    switch("cancellation.sent.only-listen", "", "the server cancels something that is no subscription").over(&[Stdio]),
];
