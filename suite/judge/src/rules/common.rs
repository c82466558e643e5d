//! Checks of an answer that rules of several areas share.

use serde_json::Value;
use verdict::{Key, Revision, Transport};
use wire::mcp::code;

use super::during::{ACKNOWLEDGED, is_listen};
use super::wording::{failure_text, pattern_of};
use crate::{Case, Collector};

/// In 2026-07-28 a result that asks the client for something first: the request is neither served nor refused yet.
pub(super) fn asks_for_input(case: &Case<'_>) -> bool {
    let kind = case.result().and_then(|result| result.get("resultType")).and_then(Value::as_str);
    case.view.revision.is_stateless() && kind.is_some_and(|kind| kind != "complete")
}

/// The server wants something of the client before it serves: a capability, a visit to a web page, authorization.
pub(super) fn wants_something(case: &Case<'_>) -> bool {
    let code = match case.view.revision {
        Revision::V2026_07_28 => Some(code::MISSING_CLIENT_CAPABILITY),
        Revision::V2025_11_25 => Some(code::URL_ELICITATION_REQUIRED),
        _ => None,
    };
    asks_for_input(case)
        || (code.is_some() && case.error_code() == code)
        || matches!(case.status(), Some(401 | 403 | 429))
}

/// No header of 2026-07-28 can mirror a body without the value, or with one that is no string.
pub(super) fn is_mismatch(case: &Case<'_>) -> bool {
    case.view.transport == Transport::Http
        && case.view.revision.is_stateless()
        && case.error_code() == Some(code::HEADER_MISMATCH)
}

/// A bare HTTP status that refuses.
pub(super) fn is_bare_refusal(case: &Case<'_>) -> bool {
    case.reply().is_none() && case.status().is_some_and(|status| (400..500).contains(&status))
}

/// -32601, and the server never does anything else with this method: it has it not at all, which is said once and elsewhere.
pub(super) fn is_unserved(case: &Case<'_>) -> bool {
    let method = case.method().unwrap_or_default();
    let other = |case: Case<'_>| case.reply().is_some() && case.error_code() != Some(code::METHOD_NOT_FOUND);
    case.error_code() == Some(code::METHOD_NOT_FOUND) && !case.view.calls(method).any(other) && !is_listened_to(case)
}

/// A subscription that stays open gets no reply: that its method is served is told by an acknowledgement of any.
fn is_listened_to(case: &Case<'_>) -> bool {
    let mut incoming = case.view.sessions.iter().flat_map(|session| &session.incoming);
    is_listen(case.exchange) && incoming.any(|incoming| incoming.method() == Some(ACKNOWLEDGED))
}

/// The text of an error, in lower case.
pub(super) fn error_text(case: &Case<'_>) -> String {
    let message = case.error().and_then(|error| error.get("message")).and_then(Value::as_str);
    message.unwrap_or_default().to_lowercase()
}

/// Why such an error decides nothing.
pub(super) const ALIKE: &str =
    "what is listed gets the same error as what does not exist, which so says nothing of either";

/// Whether requests for what there is, of which none was served, get the same error: then it says nothing of what is missing.
pub(super) fn fails_like<'v>(case: &Case<'_>, listed: impl Iterator<Item = Case<'v>>) -> bool {
    let told = |case: &Case<'_>| {
        let sent = case.sent().and_then(wire::Message::params).unwrap_or(&Value::Null);
        Some((case.error_code()?, pattern_of(&failure_text(case)?, sent)))
    };
    let Some(own) = told(case) else { return false };
    let mut alike = false;
    for other in listed {
        if other.result().is_some() {
            return false;
        }
        alike |= told(&other).as_ref() == Some(&own);
    }
    alike
}

/// An internal error for one string where others are served, and it came again: nothing in the request explains it. `served` tells
/// which other request is of the same thing. An error that speaks of the value, or of something outside, is a refusal.
pub(super) fn stumbles(case: &Case<'_>, served: impl Fn(&Case<'_>) -> bool) -> bool {
    const REASONS: [&str; 26] = [
        "invalid",
        "unknown",
        "not found",
        "no such",
        "not exist",
        "missing",
        "required",
        "expected",
        "must",
        "should",
        "unsupported",
        "not supported",
        "allowed",
        "valid",
        "denied",
        "permission",
        "forbidden",
        "authoriz",
        "authentic",
        "network",
        "connect",
        "timeout",
        "timed out",
        "fetch",
        "limit",
        "too many",
    ];
    let repeated = [Key::Again, Key::Step, Key::Minimal].iter().any(|mark| case.about(*mark).is_some());
    if case.error_code() != Some(code::INTERNAL_ERROR) || !repeated || wants_something(case) {
        return false;
    }
    let text = error_text(case);
    let method = case.method().unwrap_or_default();
    !REASONS.iter().any(|reason| text.contains(reason))
        && case.view.calls(method).any(|other| other.result().is_some() && served(&other))
}

/// Wrong params: to be refused with -32602. `what` begins the sentence.
pub(super) fn check_invalid_params_refused(case: &Case<'_>, collector: &mut Collector, id: &'static str, what: &str) {
    if wants_something(case) {
        return;
    }
    if is_unserved(case) {
        return collector.not_observed(id, format!("the server does not serve {}", case.method().unwrap_or_default()));
    }
    match case.error_code() {
        Some(code::INVALID_PARAMS) => return collector.witness(id),
        Some(code::INVALID_REQUEST) => {
            collector.witness(id);
            return collector.note(id, format!("{what} is refused with -32600; the code for invalid params is -32602"));
        }
        _ if is_mismatch(case) => return collector.witness(id),
        _ => {}
    }
    if is_bare_refusal(case) {
        collector.witness(id);
        return collector.note(id, format!("{what} is refused with an HTTP status and no JSON-RPC error"));
    }
    let how = if case.error().is_some() {
        "gets the wrong error code"
    } else if case.result().is_some() {
        "is accepted as valid"
    } else {
        "is not answered"
    };
    let mut finding = case.finding(format!("{what} {how}."), "error -32602 (invalid params)");
    finding.place = case.about_str(Key::Kind).filter(|kind| !kind.is_empty()).map(str::to_owned);
    collector.fail(id, finding);
}
