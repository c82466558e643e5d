//! Infers the intent of a real client where its conversation with the server leaves no doubt.
//!
//! A scenario writes its intents into the transcript; a recorded client says nothing of its own. So this reads a recording and
//! adds the probes that follow from what was said in it, for rules to find. It concludes nothing where more may have been meant:
//! a defect that is missed costs less than a false alarm. Of every request below it must be known that the server answered it
//! once and in operation, that it is well formed, and that the client did not give it up.
//!
//! - `unknown-tool`, `prompt-unknown`: the name is in no list of the recording, one of which was complete before the request and
//!   was not said to have changed since; and the answer itself says that there is no such thing. (A name that is not listed may
//!   be served all the same, and then fail for reasons of its own: "City not found".)
//! - `resource-missing`: the same of a URI which no listed template can make either, and which has the scheme of a listed one.
//! - `unknown-method`: a method of no revision, of a server without extensions, and the answer says so.
//! - `invalid-call`, `prompt-missing-argument`: what the one definition that was ever listed requires is left out; and the request
//!   is served, or (of a tool) refused in words that name what is missing. Over HTTP, and in 2026-07-28, a definition may change
//!   without a word to this client, so there nothing is concluded.
//!
//! All else stays open. Arguments that are wrong in other ways may be converted, or be refused for something else. That what is
//! listed can be had (`valid-call`, `prompt-get`, `resource-read`, `template-read`) cannot be told from values that nobody vouches
//! for. A cursor may have been a good one (`cursor-invalid`). Of what a client cancels, rules read all that can be known in any
//! traffic; `slow-call`, `effect-dropped` and whatever else compares one request with another promise that the other was sent for
//! that. The envelope (`malformed-json`, `id-*`, `batch`, `invalid-request`), the handshake and HTTP (`version-header`, `session-*`)
//! may have been damaged on the way. Silence is never conclusive, since nobody waited for it.

mod arguments;
mod denial;
mod lists;
mod names;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;
use verdict::transcript::{Event, Kind, Probe, REDACTED};
use verdict::{Intent, Purpose, Revision, Transport};

use self::lists::Lists;
use super::during::cancelled;
use super::jsonrpc::common::has_plain_envelope;
use crate::{Case, Criteria, Session, View, shapes};

/// A `_meta` field that every request of 2026-07-28 has.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// One intent, the method of the requests that may have it (none: methods that are nobody's), and what rules are told about such
/// a request if it certainly has.
struct Row {
    intent: Intent,
    method: Option<&'static str>,
    about: for<'v> fn(&Case<'v>, &Lists<'v>) -> Option<Value>,
}

static ROWS: &[Row] = &[
    Row { intent: Intent::UnknownTool, method: Some("tools/call"), about: names::tool },
    Row { intent: Intent::InvalidCall, method: Some("tools/call"), about: arguments::tool },
    Row { intent: Intent::PromptUnknown, method: Some("prompts/get"), about: names::prompt },
    Row { intent: Intent::PromptMissingArgument, method: Some("prompts/get"), about: arguments::prompt },
    Row { intent: Intent::ResourceMissing, method: Some("resources/read"), about: names::resource },
    Row { intent: Intent::UnknownMethod, method: None, about: names::method },
];

/// A recording with the intents that are beyond doubt; anything else, such as the transcript of a run, as it is.
#[must_use]
pub fn infer_intents<'e>(events: &'e [Event], criteria: &Criteria) -> Cow<'e, [Event]> {
    let view = View::new(events, criteria);
    let probes = concluded(&view);
    if probes.is_empty() {
        return Cow::Borrowed(events);
    }
    let mut events = events.to_vec();
    for event in &mut events {
        if let Kind::Send(send) = &mut event.kind
            && send.probe.is_none()
            && let Some(probe) = probes.get(&(event.session, event.seq))
        {
            send.probe = Some(probe.clone());
        }
    }
    Cow::Owned(events)
}

/// By session and `seq` of the request.
fn concluded(view: &View<'_>) -> HashMap<(u32, u32), Probe> {
    let recorded: Vec<&Session<'_>> = view.judged().filter(|session| is_recorded(session)).collect();
    if recorded.is_empty() {
        return HashMap::new();
    }
    let lists = Lists::new(view);
    let exchanges = recorded.iter().flat_map(|session| session.exchanges.iter().map(move |one| (*session, one)));
    let cases = exchanges.map(|(session, exchange)| Case { view, session, exchange });
    cases.filter_map(|case| Some(((case.session.id, case.exchange.seq), intent(&case, &lists)?))).collect()
}

/// Whoever knows intents has written them all down.
fn is_recorded(session: &Session<'_>) -> bool {
    session.open.is_for(Purpose::Recorded) && session.exchanges.iter().all(|exchange| exchange.send.probe.is_none())
}

fn intent<'v>(case: &Case<'v>, lists: &Lists<'v>) -> Option<Probe> {
    let method = case.method()?;
    let asks = |row: &&Row| row.method.map_or_else(|| !is_known(method), |own| own == method);
    let told = |row: &Row| Some(Probe::new("", row.intent, (row.about)(case, lists)?));
    // What is cheap to tell comes first: a long recording has thousands of calls.
    ROWS.iter().filter(asks).find_map(told).filter(|_| stands(case))
}

/// A method of any revision, whoever may ask for it.
fn is_known(method: &str) -> bool {
    shapes::methods().any(|known| known == method)
}

/// The request is beyond reproach, it was answered once, and nothing but this can be the answer.
fn stands(case: &Case<'_>) -> bool {
    let (answers, unmatched) = (&case.exchange.answers, &case.exchange.unmatched);
    answers.len() == 1
        && unmatched.is_empty()
        && case.is_decided()
        && has_plain_envelope(case)
        && is_in_operation(case)
        && is_anybody(case)
        && has_own_id(case)
        && cancelled(case.exchange).is_none()
}

/// The revision was settled before, or is named in the request.
fn is_in_operation(case: &Case<'_>) -> bool {
    if case.view.revision >= Revision::V2026_07_28 {
        let named = case.param("_meta").and_then(|meta| meta.get(VERSION)).and_then(Value::as_str);
        return named == Some(case.view.revision.as_str());
    }
    let settled = |seq: u32, probe: &Probe| probe.intent == Intent::Negotiated && seq < case.exchange.seq;
    case.session.probes.iter().any(|(seq, probe)| settled(*seq, probe))
}

/// Over HTTP a session without id may be that of several clients. What the server tells each of them may depend on who it is, and
/// that cannot be compared: credentials do not stand in recordings.
fn is_anybody(case: &Case<'_>) -> bool {
    if case.view.transport != Transport::Http {
        return true;
    }
    let credential = |(name, value): &(String, String)| {
        ["authorization", "cookie"].iter().any(|own| name.eq_ignore_ascii_case(own)) || value.contains(REDACTED)
    };
    case.path().is_none()
        && (case.sent_header(crate::view::SESSION_ID).is_some() || !case.exchange.send.headers.iter().any(credential))
}

/// No other request can have got the answer.
fn has_own_id(case: &Case<'_>) -> bool {
    if case.view.transport == Transport::Http {
        return case.answer().is_some_and(|answer| answer.receive.channel == case.exchange.send.channel);
    }
    let id = case.sent().and_then(|message| message.id.as_ref()?.key());
    let messages = case.session.exchanges.iter().flat_map(|exchange| exchange.parsed.messages());
    let requests = messages.filter(|message| message.kind == wire::Kind::Request);
    requests.filter(|message| message.id.as_ref().and_then(wire::Id::key) == id).count() == 1
}

/// Whether the params have no other members than these: another one may change what is asked for.
fn has_only(case: &Case<'_>, known: &[&str]) -> bool {
    let params = case.sent().and_then(wire::Message::params);
    params.is_none_or(|params| {
        params.as_object().is_some_and(|members| members.keys().all(|name| known.contains(&name.as_str())))
    })
}

/// The arguments of a call or of a prompt, if that is what they are.
fn given<'v>(case: &Case<'v>) -> Option<Cow<'v, serde_json::Map<String, Value>>> {
    match case.param("arguments") {
        None => Some(Cow::Owned(serde_json::Map::new())),
        Some(given) => given.as_object().map(Cow::Borrowed),
    }
}
