//! Falls that were shown to come from certain messages: nothing else is blamed for them, nor for what those messages did in other
//! sessions.

use verdict::transcript::Send;
use verdict::{Intent, Key};
use wire::{Limits, Message};

use super::{Exchange, ExchangeEnd, Session, View};

/// A message that was sent to a fresh process with nothing else, which fell over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Culprit {
    message: String,
    tool: Option<String>,
}

/// What was shown of the causes of falls.
#[derive(Debug, Default)]
pub(super) struct Shown {
    culprits: Vec<Culprit>,
    /// Which messages silence the server: session and position in the transcript.
    silencing: Vec<(u32, u32)>,
}

impl Culprit {
    fn of(send: &Send) -> Self {
        let parsed = wire::parse(send.text.as_bytes(), &Limits::default());
        let tool = parsed.messages().first().and_then(called).map(str::to_owned);
        Self { message: key(&send.text), tool }
    }

    fn is(&self, exchange: &Exchange<'_>) -> bool {
        let called = || exchange.parsed.messages().first().and_then(called);
        self.tool.is_some() && self.tool.as_deref() == called() || key(&exchange.send.text) == self.message
    }
}

/// The name of the tool that a message calls.
fn called(message: &Message) -> Option<&str> {
    let name = message.params().filter(|_| message.method() == Some("tools/call"))?.get("name")?;
    name.as_str()
}

/// What two messages have in common that differ only in their ids and in what names them to the tester.
#[must_use]
pub fn key(text: &str) -> String {
    let parsed = wire::parse(text.as_bytes(), &Limits { bytes: 80 << 20, ..Limits::default() });
    let [message] = parsed.messages() else { return text.to_owned() };
    let mut params = message.params().cloned().unwrap_or_default();
    if let Some(members) = params.as_object_mut() {
        members.shift_remove("_meta");
    }
    format!("{} {params}", message.method().unwrap_or_default())
}

/// Intents of messages that any client sends; what comes of others is for the requirements about them.
const ORDINARY: [Intent; 6] = [
    Intent::ValidCall,
    Intent::FlowCall,
    Intent::SlowCall,
    Intent::PracticeInput,
    Intent::GeneratedPrompt,
    Intent::Reproduced,
];

/// Whether a message is one that any client sends, by the intent of its probe.
#[must_use]
pub fn is_ordinary(intent: Intent) -> bool {
    ORDINARY.contains(&intent)
}

/// Whether a process that was sent one message at a time answered nothing any more after this one.
pub(crate) fn silences(session: &Session<'_>, exchange: &Exchange<'_>) -> bool {
    session.open.purpose == "careful"
        && session.fall.is_some_and(|fall| !fall.ended)
        && exchange.end == ExchangeEnd::Gone { alone: true }
        && exchange.send.probe.as_ref().is_some_and(|probe| is_ordinary(probe.intent))
}

fn is_reproduced(exchange: &Exchange<'_>) -> bool {
    exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::Reproduced)
}

/// Whether a generated request, made as simple as it gets, felled a fresh process.
pub(crate) fn is_minimal(session: &Session<'_>, exchange: &Exchange<'_>) -> bool {
    let Some(probe) = exchange.send.probe.as_ref().filter(|_| session.open.purpose == "careful") else { return false };
    exchange.end == ExchangeEnd::Gone { alone: true }
        && probe.get(Key::Case).is_some()
        && probe.get(Key::Minimal).is_some()
}

fn culprits(sessions: &[Session<'_>]) -> Vec<Culprit> {
    let mut found = Vec::new();
    for session in sessions.iter().filter(|session| session.fall.is_some()) {
        let shown = |exchange: &&Exchange<'_>| {
            is_reproduced(exchange) || silences(session, exchange) || is_minimal(session, exchange)
        };
        for culprit in session.exchanges.iter().filter(shown).map(|exchange| Culprit::of(exchange.send)) {
            if !found.contains(&culprit) {
                found.push(culprit);
            }
        }
    }
    found
}

/// Takes the blame from what was outstanding in other sessions when one of these messages, or a call of the same tool, was.
pub(super) fn spare(sessions: &mut [Session<'_>]) -> Shown {
    let culprits = culprits(sessions);
    let mut silencing = Vec::new();
    for session in sessions.iter_mut().filter(|session| session.fall.is_some() && !culprits.is_empty()) {
        if session.exchanges.iter().any(is_reproduced) {
            continue;
        }
        let silences: Vec<u32> = session
            .exchanges
            .iter()
            .filter(|exchange| silences(session, exchange))
            .map(|exchange| exchange.seq)
            .collect();
        silencing.extend(silences.iter().map(|seq| (session.id, *seq)));
        let minimal: Vec<u32> = session
            .exchanges
            .iter()
            .filter(|exchange| is_minimal(session, exchange))
            .map(|exchange| exchange.seq)
            .collect();
        for exchange in session.exchanges.iter_mut().filter(|exchange| !minimal.contains(&exchange.seq)) {
            let gone = matches!(exchange.end, ExchangeEnd::Gone { .. });
            if gone && culprits.iter().any(|culprit| culprit.is(exchange)) {
                exchange.end = ExchangeEnd::Gone { alone: false };
            }
        }
    }
    Shown { silencing, culprits }
}

impl View<'_> {
    /// Whether a process that was sent one message at a time answered nothing any more after this one, which any client may send.
    pub(crate) fn is_silencing(&self, session: &Session<'_>, exchange: &Exchange<'_>) -> bool {
        self.shown.silencing.contains(&(session.id, exchange.seq))
    }

    /// Whether this message, or another call of its tool, was shown to fell the server, which a finding of its own says.
    pub(crate) fn explains(&self, exchange: &Exchange<'_>) -> bool {
        self.shown.culprits.iter().any(|culprit| culprit.is(exchange))
    }
}
