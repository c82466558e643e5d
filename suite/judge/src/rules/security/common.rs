//! Helpers shared by the rules of the area. Outsiders send the probes, in sessions that no other rule looks at.

use serde_json::Value;
use verdict::{Intent, Key};

use crate::{Case, Collector, View};

/// Every exchange whose probe has this intent, in whatever session.
pub(super) fn probes<'v>(view: &'v View<'v>, intent: Intent) -> impl Iterator<Item = Case<'v>> {
    let cases = move |session: &'v crate::Session<'v>| {
        session.exchanges.iter().map(move |exchange| Case { view, session, exchange })
    };
    view.outsiders.iter().flat_map(cases).filter(move |case| case.intent() == Some(intent))
}

/// Those of the intent `origin`, of one method and kind, whose response came.
pub(super) fn origins<'v>(view: &'v View<'v>, method: &'v str, kind: &'v str) -> impl Iterator<Item = Case<'v>> {
    probes(view, Intent::Origin).filter(move |case| {
        case.http() == Some(method) && case.about_str(Key::Kind) == Some(kind) && case.status().is_some()
    })
}

/// A result, or over GET and DELETE a success.
pub(super) fn is_served(case: &Case<'_>) -> bool {
    case.status().is_some_and(|status| (200..300).contains(&status)) && case.error().is_none()
}

/// A member of what the target's URL tells.
pub(super) fn target(view: &View<'_>, key: Key) -> Option<bool> {
    let probes = view.outsiders.iter().flat_map(|session| &session.probes);
    let (_, target) = probes.into_iter().find(|(_, probe)| probe.intent == Intent::Target)?;
    target.get(key).and_then(Value::as_bool)
}

/// Servers on this machine alone are judged: what others let in is their own affair. Says so of `ids` otherwise.
pub(super) fn here(view: &View<'_>, collector: &mut Collector, ids: &[&'static str]) -> bool {
    match target(view, Key::Loopback) {
        Some(true) => true,
        Some(false) => {
            for id in ids {
                collector.not_applicable(
                    id,
                    "only servers on this machine are judged: a public server decides for itself which pages to allow",
                );
            }
            false
        }
        None => false,
    }
}

/// Whether the request is served without an Origin, so that the reason of a refusal is known; otherwise marks `ids`.
pub(super) fn control(view: &View<'_>, method: &str, collector: &mut Collector, ids: &[&'static str]) -> bool {
    let mut controls = origins(view, method, "control").peekable();
    let asked = controls.peek().is_some();
    let mut needs_token = false;
    for case in controls {
        if is_served(&case) {
            return true;
        }
        needs_token |= case.status() == Some(401);
    }
    let reason = match (asked, needs_token) {
        (true, true) => "every request is refused without a credential: --token-env VARIABLE",
        (true, false) => "the same request without an Origin is not served either",
        (false, _) => return false,
    };
    for id in ids {
        collector.not_observed(id, reason);
    }
    false
}

/// Returns a description of the response that does not differ between runs.
pub(super) fn actual(case: &Case<'_>) -> String {
    let status = case.status().map_or("no HTTP response".to_owned(), |status| format!("HTTP status {status}"));
    if case.result().is_some() { format!("{status} and a result") } else { status }
}

/// A finding whose `actual` is in these words.
pub(super) fn finding(case: &Case<'_>, message: &str, expected: &str) -> verdict::Finding {
    verdict::Finding { actual: actual(case), ..case.finding(message, expected) }
}
