//! Faults of the area jsonrpc, second half: what the server makes of notifications, ids, `_meta` and batches.

use super::jsonrpc::SESSIONS;
use super::{Fault, switch};
use crate::Transport::{Http, Stdio};

pub(super) static TABLE: &[Fault] = &[
    switch("jsonrpc.notification.no-reply", "", "an unknown notification gets -32601").over(&[Stdio]),
    // In 2026-07-28 a POST without id gets 202 before anybody looks at it.
    switch("jsonrpc.notification.no-reply", "posted", "an unknown notification that is posted gets -32601")
        .only(SESSIONS)
        .over(&[Http]),
    switch("jsonrpc.notification.request-method-without-id", "", "a request's method without id is answered")
        .over(&[Stdio]),
    switch(
        "jsonrpc.notification.request-method-without-id",
        "posted",
        "a request's method posted without id is answered",
    )
    .only(SESSIONS)
    .over(&[Http]),
    switch("jsonrpc.notification.unknown-tolerated", "", "an unknown notification ends the process").over(&[Stdio]),
    switch("jsonrpc.id.string-and-integer-accepted", "", "string ids are refused"),
    switch("jsonrpc.id.string-and-integer-accepted", "integer", "integer ids beyond six digits are refused"),
    switch("jsonrpc.id.null-not-served", "", "a request with id null is served"),
    switch("jsonrpc.id.wrong-type-not-served", "", "requests with any id are served"),
    switch("jsonrpc.id.fractional", "", "a request with a fractional id is served"),
    switch("jsonrpc.id.reuse-after-response", "", "an id is good for once").over(&[Stdio]),
    switch("jsonrpc.id.scoped-to-connection", "", "an id that another connection has used is refused").over(&[Http]),
    switch("jsonrpc.unknown-members.params", "", "an unknown member of params is refused"),
    switch("jsonrpc.unknown-members.top-level", "", "a request with an unknown member is not answered"),
    switch("jsonrpc.meta.accepted-in-requests", "", "an unknown key of _meta is refused"),
    switch("jsonrpc.meta.trace-context-accepted", "", "a malformed traceparent is refused"),
    switch("jsonrpc.request-meta.missing-meta", "", "a request without _meta is served").over(&[Http]),
    // On stdio a request without a version may be one of an older revision, so any answer is right.
    switch("jsonrpc.request-meta.missing-meta", "code", "a request without _meta gives -32600").over(&[Http]),
    switch("jsonrpc.request-meta.missing-protocol-version", "", "a request without protocolVersion is served")
        .over(&[Http]),
    switch("jsonrpc.request-meta.missing-client-capabilities", "", "a request without clientCapabilities is served"),
    switch(
        "jsonrpc.request-meta.missing-client-capabilities",
        "code",
        "a request without clientCapabilities gives -32600",
    ),
    switch("jsonrpc.request-meta.wrong-type", "", "_meta fields of the wrong type are let pass"),
    switch("jsonrpc.request-meta.optional-wrong-type", "", "a clientInfo of the wrong type gives -32603"),
    switch("jsonrpc.request-meta.client-info-optional", "", "a request without clientInfo is refused"),
    switch("jsonrpc.request-meta.client-info-no-influence", "", "the instructions depend on clientInfo"),
    switch("jsonrpc.request-meta.empty-capabilities-accepted", "", "a client without capabilities is refused"),
    switch("jsonrpc.request-meta.unknown-capability-tolerated", "", "an unknown client capability is refused"),
    switch("jsonrpc.batch.accepted", "", "batches are refused"),
    switch("jsonrpc.batch.accepted", "silent", "batches are not answered"),
    switch("jsonrpc.batch.notifications-get-nothing", "", "notifications in a batch are answered"),
    switch("jsonrpc.batch.only-notifications", "", "a batch of notifications is answered with []"),
    // Over HTTP they come as events, which is allowed.
    switch("jsonrpc.batch.response-array", "", "the answers to a batch come one by one").over(&[Stdio]),
    switch("jsonrpc.batch.empty", "", "an empty batch is answered with []"),
    switch("jsonrpc.batch.empty", "code", "an empty batch gives -32603"),
    switch("jsonrpc.batch.invalid-element", "", "one wrong element has the whole batch refused"),
    switch("jsonrpc.batch.invalid-element", "ignored", "wrong elements of a batch are passed over"),
    // Over HTTP the missing session is refused first.
    switch("jsonrpc.batch.initialize-refused", "", "initialize in a batch is served").over(&[Stdio]),
    switch("jsonrpc.batch.not-served", "", "batches are served where there are none"),
];
