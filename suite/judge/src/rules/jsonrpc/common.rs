//! Helpers shared by the rules of this area.

use serde_json::Value;
use verdict::probes::values::Reading;
use verdict::{Finding, Intent, Level, Transport};
use wire::mcp::code;
use wire::mcp::meta;
use wire::{Id, Kind, Message};

use crate::{Case, Exchange, ExchangeEnd, Incoming, Session, View};

/// The largest integer that a double holds exactly, and that every parser keeps.
const SAFE: i64 = 9_007_199_254_740_991;

/// A request that no server has a reason to overlook: a valid envelope with nothing unusual in it.
pub(super) fn is_plain_request(case: &Case<'_>) -> bool {
    // What is posted to another path than the endpoint's is a question to HTTP.
    case.path().is_none() && has_plain_envelope(case)
}

/// Whether the envelope of a request is plain, wherever it was posted.
pub(in crate::rules) fn has_plain_envelope(case: &Case<'_>) -> bool {
    let Some(message) = case.sent() else { return false };
    let known = |name: &str| matches!(name, "jsonrpc" | "id" | "method" | "params");
    message.kind == Kind::Request
        && message.defects.is_empty()
        && case.exchange.parsed.duplicates.is_empty()
        && message.names().all(known)
        && message.id.as_ref().is_some_and(is_plain_id)
}

fn is_plain_id(id: &Id) -> bool {
    match id {
        Id::Integer(text) => text.parse::<i64>().is_ok_and(|number| (-SAFE..=SAFE).contains(&number)),
        Id::String(_) => true,
        Id::Null | Id::Number(_) | Id::Other(_) => false,
    }
}

/// An integer that some parsers round.
pub(super) fn is_beyond_double(id: &Id) -> bool {
    matches!(id, Id::Integer(_) | Id::Number(_)) && !is_plain_id(id)
}

/// An HTTP refusal without a JSON-RPC message.
pub(in crate::rules) fn is_bare_refusal(case: &Case<'_>) -> bool {
    case.reply().is_none() && is_client_error(case)
}

/// An error whose code cannot be read: the shapes of messages say so, and nothing can be said of the code.
pub(in crate::rules) fn is_codeless(case: &Case<'_>) -> bool {
    case.error().is_some() && case.error_code().is_none()
}

/// A status from 400 to 499.
pub(in crate::rules) fn is_client_error(case: &Case<'_>) -> bool {
    case.status().is_some_and(|status| (400..500).contains(&status))
}

/// Nothing came back although the server went on, or it crashed over this alone.
pub(super) fn is_silent(case: &Case<'_>) -> bool {
    case.is_decided() && case.answer().is_none() && case.status().is_none()
}

/// The server ended, and nothing but this exchange can be the cause. (Over HTTP a connection may break alone.)
pub(in crate::rules) fn is_fatal(case: &Case<'_>) -> bool {
    matches!(case.exchange.end, ExchangeEnd::Gone { alone: true }) && !case.is_followed()
}

/// Marks a finding as the end of the server, if that is what the exchange shows: silence may be work.
pub(in crate::rules) fn felled(finding: Finding, case: &Case<'_>) -> Finding {
    if is_fatal(case) { finding.fells() } else { finding }
}

/// Whether the server went on after this: known once something sent later was answered, or once it crashed over this alone.
pub(in crate::rules) fn survived(case: &Case<'_>) -> Option<bool> {
    if matches!(case.exchange.end, ExchangeEnd::Settled) || case.is_followed() {
        Some(true)
    } else {
        (is_fatal(case) || is_stuck(case)).then_some(false)
    }
}

/// The request for a sign of life right after this was not answered in time, and nothing else was outstanding.
fn is_stuck(case: &Case<'_>) -> bool {
    let later: Vec<&Exchange<'_>> =
        case.session.exchanges.iter().filter(|later| later.seq > case.exchange.seq).collect();
    let waiting =
        |other: &Exchange<'_>| matches!(other.end, ExchangeEnd::Open | ExchangeEnd::GaveUp | ExchangeEnd::Gone { .. });
    let beside = case.session.exchanges.iter().filter(|other| other.seq < case.exchange.seq).any(waiting);
    case.view.transport == Transport::Stdio
        && !beside
        && later
            .first()
            .is_some_and(|next| next.send.probe.is_none() && next.gave_up.is_some() && next.answers.is_empty())
}

/// Over HTTP 2026-07-28 compares headers with the body, so a body without the mirrored values may get -32020.
pub(super) fn is_mismatch(case: &Case<'_>) -> bool {
    case.view.transport == Transport::Http
        && case.view.revision.is_stateless()
        && case.error_code() == Some(code::HEADER_MISMATCH)
}

/// Ordinary requests of `method`: no probe, a page walk or a control, without a cursor.
pub(super) fn controls<'v>(view: &'v View<'v>, method: &'v str) -> impl Iterator<Item = Case<'v>> {
    view.calls(method).filter(|case| {
        matches!(case.intent(), None | Some(Intent::Walk | Intent::Control)) && case.param("cursor").is_none()
    })
}

/// Whether an ordinary request of this method got a result: only then does the lack of one blame the variation.
pub(super) fn is_served(case: &Case<'_>) -> bool {
    case.method().is_some_and(|method| controls(case.view, method).any(|control| control.result().is_some()))
}

/// The result that all ordinary requests of the method agree on, without what may differ between two equal requests;
/// `None` unless at least two were made and are equal.
pub(super) fn agreed(view: &View<'_>, method: &str) -> Option<Value> {
    let mut results = controls(view, method).filter_map(|case| case.result().map(essence));
    let first = results.next()?;
    let rest: Vec<Value> = results.collect();
    (!rest.is_empty() && rest.iter().all(|other| *other == first)).then_some(first)
}

/// A result without `_meta`, caching hints and cursor, its lists in one order: what two equal requests must share.
pub(in crate::rules) fn essence(result: &Value) -> Value {
    let mut result = result.clone();
    if let Some(members) = result.as_object_mut() {
        for passing in ["_meta", "ttlMs", "cacheScope", "nextCursor"] {
            members.remove(passing);
        }
        for list in members.values_mut().filter_map(Value::as_array_mut) {
            list.sort_by_key(ToString::to_string);
        }
    }
    result
}

/// A finding about what was sent and the answer to it, at a named place.
pub(in crate::rules) fn placed(case: &Case<'_>, place: &str, message: &str, expected: &str) -> Finding {
    let mut finding = case.finding(message, expected);
    finding.place = Some(place.to_owned());
    finding
}

/// Returns a finding at a milder level.
pub(in crate::rules) fn milder(mut finding: Finding, level: Level) -> Finding {
    finding.level = Some(level);
    finding
}

/// A finding about one message of the server.
pub(super) fn frame(incoming: &Incoming<'_>, message: &str, expected: &str, actual: impl Into<String>) -> Finding {
    Finding {
        place: incoming.method().map(str::to_owned),
        ..Finding::new(message, expected, actual, vec![incoming.wire()])
    }
}

/// The exchange whose channel a message came on; none on stdio and on the stream of HTTP+SSE.
pub(super) fn exchange_of_channel<'s>(session: &'s Session<'_>, channel: u32) -> Option<&'s Exchange<'s>> {
    let own = session.open.transport == Transport::Http && channel != 0;
    session.exchanges.iter().find(|exchange| own && exchange.send.channel == channel)
}

/// Whether a message of the server came in the body of an HTTP error without being JSON-RPC: then it is none.
pub(super) fn is_page(session: &Session<'_>, incoming: &Incoming<'_>) -> bool {
    let status = exchange_of_channel(session, incoming.receive.channel).and_then(|exchange| exchange.status);
    incoming.message().is_none_or(|message| message.member("jsonrpc").is_none())
        && status.is_some_and(|(status, _)| status >= 400)
}

/// The id in an answer that has one which can be matched.
pub(super) fn answer_id(message: &Message) -> Option<&Id> {
    message.id.as_ref().filter(|id| message.is_answer() && id.key().is_some())
}

/// Where errors do not carry the ids of requests: one with an id of its own, which `jsonrpc.error.same-id` is about.
pub(super) fn is_stray_error(session: &Session<'_>, message: &Message) -> bool {
    let Some(key) = answer_id(message).and_then(Id::key) else { return false };
    let asked = |asked: &Message| asked.id.as_ref().and_then(Id::key).as_ref() == Some(&key);
    message.kind == Kind::Error
        && session.reading == Some(Reading::Errors)
        && !session.exchanges.iter().any(|exchange| exchange.parsed.messages().iter().any(asked))
}

/// The first answer without id since `seq` that answers nothing malformed and no probe.
pub(super) fn unclaimed<'s>(session: &'s Session<'s>, seq: u32) -> Option<&'s Incoming<'s>> {
    session.incoming.iter().find(|incoming| {
        incoming.seq > seq
            && incoming.answers.and_then(|at| session.exchanges.get(at)).is_none_or(|exchange| {
                // Errors that seem to answer an ordinary notification rather answer a request.
                exchange.send.probe.is_none()
                    && exchange.parsed.messages().iter().all(|message| message.kind == Kind::Notification)
            })
            && incoming.message().is_some_and(|message| message.is_answer() && answer_id(message).is_none())
            && !is_page(session, incoming)
    })
}

/// An error about a method or its params that came without the id of this unanswered request.
pub(super) fn orphan<'v>(case: &Case<'v>) -> Option<&'v Incoming<'v>> {
    if !case.exchange.answers.is_empty() {
        return None;
    }
    let about_request =
        |message: &Message| matches!(message.error_code(), Some(code::METHOD_NOT_FOUND | code::INVALID_PARAMS));
    let stray = case.exchange.unmatched.first().and_then(|at| case.session.incoming.get(*at));
    let unclaimed = || unclaimed(case.session, case.exchange.seq);
    stray
        .or_else(unclaimed)
        .or_else(|| foreign(case))
        .filter(|incoming| incoming.message().is_some_and(about_request) && !is_page(case.session, incoming))
}

/// An error with an id that no request had: on the channel of this request, or after it where there are no channels.
fn foreign<'v>(case: &Case<'v>) -> Option<&'v Incoming<'v>> {
    case.session.incoming.iter().find(|incoming| {
        let own = exchange_of_channel(case.session, incoming.receive.channel)
            .is_none_or(|exchange| exchange.seq == case.exchange.seq);
        own && incoming.seq > case.exchange.seq
            && incoming.answers.is_none()
            && incoming.message().is_some_and(|message| message.kind == Kind::Error && answer_id(message).is_some())
    })
}

/// In a stateless session: the request names a version in `_meta`, as every request must. A server of both eras may take
/// one that does not for a request of an older revision, so nothing can be said of the answer.
pub(super) fn speaks_its_era(session: &Session<'_>, exchange: &Exchange<'_>) -> bool {
    let stateless = session.revision.is_some_and(|revision| revision.is_stateless());
    let named = |message: &Message| {
        let meta = message.params().and_then(|params| params.get("_meta"));
        message.kind != Kind::Request
            || meta.and_then(|meta| meta.get(meta::PROTOCOL_VERSION)).is_some_and(Value::is_string)
    };
    !stateless || exchange.parsed.messages().iter().all(named)
}
