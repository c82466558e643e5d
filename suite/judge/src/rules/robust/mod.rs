//! The area `robust`: a server still stands after what no client sends. Good practice, beyond the text.

mod answers;
mod internals;
mod standing;

use verdict::{Finding, Intent, Key};

use crate::{Case, Incoming, Rule, View};

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[standing::RULE, internals::RULE];

/// The intent of every input.
const INTENT: Intent = Intent::Robust;

/// Every input, and what came of it.
fn inputs<'v>(view: &'v View<'v>) -> impl Iterator<Item = Case<'v>> {
    view.robust().flat_map(move |session| {
        let cases = session.exchanges.iter().map(move |exchange| Case { view, session, exchange });
        cases.filter(|case| case.intent() == Some(INTENT))
    })
}

/// Returns the messages between an input and the next one, whatever they answer.
fn window<'v>(case: &Case<'v>) -> impl Iterator<Item = &'v Incoming<'v>> {
    let session = case.session;
    let next = session.exchanges.iter().find(|later| {
        later.seq > case.exchange.seq && later.send.probe.as_ref().is_some_and(|probe| probe.intent == INTENT)
    });
    let (from, to) = (case.exchange.seq, next.map_or(u32::MAX, |next| next.seq));
    session.incoming.iter().filter(move |incoming| (from..to).contains(&incoming.seq))
}

/// A finding about an input.
fn about(case: &Case<'_>, message: &str, expected: &str, actual: &str) -> Finding {
    let mut finding = case.finding(message, expected);
    finding.place = case.about_str(Key::Kind).map(str::to_owned);
    actual.clone_into(&mut finding.actual);
    finding
}
