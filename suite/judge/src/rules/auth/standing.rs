//! The state of a server's authorization, needed before any of it can be judged: whether it asks for any, where, and whether it
//! follows the authorization page.
//!
//! Outsiders send the probes of the area, in sessions that no other rule looks at.

use serde_json::Value;
use verdict::AuthorizationDiscovery;
use verdict::{Intent, Key, Purpose};

use super::header::{bearer, challenges};
use crate::{Case, Collector, View};

/// Why what takes a credential was not seen.
pub(super) const CREDENTIAL: &str = "needs a credential: --token-env VARIABLE";

/// Everything that was sent for the sake of this area, in whatever session.
pub(super) fn all<'v>(view: &'v View<'v>) -> impl Iterator<Item = Case<'v>> {
    let cases = move |session: &'v crate::Session<'v>| {
        session.exchanges.iter().map(move |exchange| Case { view, session, exchange })
    };
    let ours = |case: &Case<'_>| case.intent().is_some_and(|intent| intent.area() == "auth");
    view.outsiders.iter().flat_map(cases).filter(ours)
}

/// Returns the cases with this intent.
pub(super) fn probes<'v>(view: &'v View<'v>, intent: Intent) -> impl Iterator<Item = Case<'v>> {
    all(view).filter(move |case| case.intent() == Some(intent))
}

/// Whether the tester said so without a message.
pub(super) fn has_probe(view: &View<'_>, intent: Intent) -> bool {
    view.outsiders.iter().flat_map(|session| &session.probes).any(|(_, probe)| probe.intent == intent)
}

/// The request was served: a result came, or a stream, or whatever else a 2xx may bring.
pub(super) fn is_served(case: &Case<'_>) -> bool {
    case.status().is_some_and(|status| (200..300).contains(&status)) && case.error().is_none() && !case.is_tool_error()
}

/// A protected server that is to be judged.
pub(super) struct Guarded<'v> {
    /// The request without a credential that was refused.
    pub(super) door: Case<'v>,
    /// Everything is protected, not only single methods or tools.
    pub(super) whole: bool,
}

/// Whether the rules of the page bind this server. If not, says so of `ids`.
pub(super) fn guarded<'v>(view: &'v View<'v>, collector: &mut Collector, ids: &[&'static str]) -> Option<Guarded<'v>> {
    let door = probes(view, Intent::AuthBare).find(|case| is_door(view, case));
    let reason = match door {
        None if has_probe(view, Intent::AuthGiven) => "the server also serves clients without a credential",
        None => "the server does not require authorization",
        Some(_) if !follows(view) => {
            "the server requires a credential of its own kind: nothing shows that it follows the authorization page"
        }
        Some(door) => return Some(Guarded { door, whole: door.about_str(Key::Request) == Some("opening") }),
    };
    for id in ids {
        collector.not_applicable(id, reason);
    }
    None
}

/// A request that is served or not by whether there is a credential.
fn is_door(view: &View<'_>, case: &Case<'_>) -> bool {
    if !matches!(case.about_str(Key::Request), Some("opening" | "listing" | "call")) {
        return false;
    }
    match case.status() {
        Some(401 | 403 | 300..=399) => true,
        // An error may be about anything, unless the same request is served with a credential.
        Some(200) if case.error().is_some() => probes(view, Intent::AuthToken)
            .any(|case| case.about_str(Key::Token) == Some("valid") && case.result().is_some()),
        _ => false,
    }
}

/// A sign that the server follows the authorization page. A Bearer challenge is none: keys are sent that way too.
fn follows(view: &View<'_>) -> bool {
    let named = |case: &Case<'_>| bearer(case).is_some_and(|challenge| challenge.get("resource_metadata").is_some());
    let described = |case: &Case<'_>| match case.intent() {
        Some(Intent::AuthMetadata) => document(case).is_some_and(|document| document.get("resource").is_some()),
        Some(Intent::AuthServer) => document(case).is_some_and(|document| document.get("issuer").is_some()),
        _ => false,
    };
    has_probe(view, Intent::AuthStated) || all(view).any(|case| named(&case) || described(&case))
}

/// The body of a response as a JSON object, whatever its media type.
pub(super) fn document(case: &Case<'_>) -> Option<Value> {
    if case.status() != Some(200) {
        return None;
    }
    let text: String = case.received().map(|incoming| incoming.receive.text.as_str()).collect();
    serde_json::from_str::<Value>(&text).ok().filter(Value::is_object)
}

/// The status in words, for findings.
pub(super) fn status(case: &Case<'_>) -> String {
    match case.status() {
        Some(status) => format!("HTTP status {status}"),
        None => "no HTTP response".to_owned(),
    }
}

/// A finding whose `actual` is in these words.
pub(super) fn finding(case: &Case<'_>, message: &str, expected: &str, actual: impl Into<String>) -> verdict::Finding {
    verdict::Finding { actual: actual.into(), ..case.finding(message, expected) }
}

/// Every 401 of the run, those of ordinary sessions included.
pub(super) fn refusals<'v>(view: &'v View<'v>) -> impl Iterator<Item = Case<'v>> {
    let cases = move |session: &'v crate::Session<'v>| {
        session.exchanges.iter().map(move |exchange| Case { view, session, exchange })
    };
    let sessions = view.sessions.iter().chain(&view.outsiders);
    sessions.flat_map(cases).filter(|case| case.status() == Some(401) && !is_foreign(case))
}

/// Of another party's server.
fn is_foreign(case: &Case<'_>) -> bool {
    case.session.open.is_for(Purpose::Elsewhere)
}

/// Every challenge that came with a refusal, 403 included.
pub(super) fn challenged<'v>(view: &'v View<'v>) -> impl Iterator<Item = Case<'v>> {
    all(view).filter(|case| !is_foreign(case) && !challenges(case).is_empty())
}

/// Revisions in which the metadata may be found in either way.
pub(super) fn either_way(view: &View<'_>) -> bool {
    view.revision.traits().authorization == AuthorizationDiscovery::ResourceMetadataOrWellKnown
}
