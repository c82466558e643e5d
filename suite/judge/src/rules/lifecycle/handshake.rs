//! Every `initialize` of a run, whatever came of it.

use serde_json::Value;
use verdict::transcript::Probe;
use verdict::{Finding, Intent, Key, Revision};

use crate::{Case, Session, View};

/// One `initialize`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Greeting<'v> {
    /// The exchange.
    pub(super) case: Case<'v>,
    /// Nothing was sent before it in its session.
    pub(super) first: bool,
}

impl<'v> Greeting<'v> {
    /// The version asked for.
    pub(super) fn asked(&self) -> Option<&'v str> {
        self.case.param("protocolVersion").and_then(Value::as_str)
    }

    /// The version of the result.
    pub(super) fn chosen(&self) -> Option<&'v str> {
        self.case.result()?.get("protocolVersion")?.as_str()
    }

    /// The revision that was asked for and taken.
    pub(super) fn agreed(&self) -> Option<Revision> {
        let revision = handshake_revision(self.asked()?)?;
        (self.chosen() == Some(revision.as_str())).then_some(revision)
    }

    /// Whether a version that does not exist was asked for.
    pub(super) fn is_unknown(&self) -> bool {
        self.case.intent() == Some(Intent::InitializeUnknown)
    }

    /// Whether a required member is missing or mistyped.
    pub(super) fn is_ill_formed(&self) -> bool {
        // Text that is shown for bytes that are no UTF-8 is not what was sent.
        let garbled = self.case.exchange.send.base64.is_some();
        garbled || matches!(self.case.intent(), Some(Intent::InitializeIllFormed | Intent::Fuzz))
    }

    /// Whether a result came when the input had ended, or was about to: nobody waited for it any more.
    pub(super) fn is_at_the_end(&self) -> bool {
        let ends = |(_, probe): &(u32, &Probe)| {
            probe.intent == Intent::Eof && probe.get(Key::When).and_then(Value::as_str) == Some("handshake")
        };
        self.case.result().is_some() && self.case.session.probes.iter().any(ends)
    }

    /// Whether members were added that no revision defines.
    pub(super) fn has_extras(&self) -> bool {
        self.case.about(Key::Extras) == Some(&Value::Bool(true))
    }

    /// Whether the client declared no capability at all.
    pub(super) fn has_no_capabilities(&self) -> bool {
        self.case.param("capabilities").and_then(Value::as_object).is_some_and(serde_json::Map::is_empty)
    }

    /// A finding about it; `actual` names the version of a result.
    pub(super) fn finding(&self, message: &str, expected: &str) -> Finding {
        let finding = self.case.finding(message, expected);
        let actual = match self.chosen() {
            Some(chosen) => format!("a result with protocolVersion {}", short(chosen)),
            None => finding.actual.clone(),
        };
        Finding { actual, place: self.asked().map(|asked| format!("protocolVersion {}", short(asked))), ..finding }
    }
}

/// A string as evidence.
pub(super) fn short(text: &str) -> String {
    let head: String = text.chars().take(40).collect();
    format!("{head:?}")
}

/// A released revision that `initialize` can select.
pub(super) fn handshake_revision(name: &str) -> Option<Revision> {
    name.parse().ok().filter(|revision: &Revision| revision.is_handshake())
}

/// Every `initialize` of the run of which it is known what came of it, in order.
pub(super) fn greetings<'v>(view: &'v View<'v>) -> Vec<Greeting<'v>> {
    view.sessions.iter().flat_map(|session| greetings_of(view, session)).collect()
}

/// Those that open their session and are well-formed; and of versions that do not exist also those that are answered in one that is
/// open: what a server offers for such a version it offers there.
pub(super) fn openings<'v>(view: &'v View<'v>) -> Vec<Greeting<'v>> {
    let opens = |greeting: &Greeting<'_>| greeting.first || greeting.is_unknown() && greeting.case.result().is_some();
    greetings(view).into_iter().filter(|greeting| opens(greeting) && !greeting.is_ill_formed()).collect()
}

fn greetings_of<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> impl Iterator<Item = Greeting<'v>> {
    // Answers to what the server asks by itself, and opening a stream, do not count as something that was said before.
    let cases = session.exchanges.iter().map(move |exchange| Case { view, session, exchange });
    let says = |case: &Case<'_>| case.http() != Some("GET") && case.sent().is_none_or(|sent| !sent.is_answer());
    let cases = cases.filter(says).enumerate();
    let initialize = cases.filter(|(_, case)| case.method() == Some("initialize") && case.is_decided());
    let begins = session.open.continues.is_none();
    initialize.map(move |(at, case)| Greeting { case, first: at == 0 && begins })
}

/// The `initialize` that opened a session, if a result came; not one that nobody can say what to answer to.
pub(super) fn opened<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> Option<Greeting<'v>> {
    greetings_of(view, session).find(|greeting| greeting.case.result().is_some() && !greeting.is_ill_formed())
}

/// The same for the connection of a session, which another one may have opened, and a third may have greeted.
pub(super) fn agreed<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> Option<Greeting<'v>> {
    view.connection(session).filter_map(|session| opened(view, session)).last()
}

/// `seq` of the first `notifications/initialized` of a session.
pub(super) fn initialized_at(session: &Session<'_>) -> Option<u32> {
    let sent = session.exchanges.iter().find(|exchange| match &exchange.parsed.content {
        wire::Content::One(message) => message.method() == Some("notifications/initialized"),
        _ => false,
    });
    sent.map(|exchange| exchange.seq)
}
