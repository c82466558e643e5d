//! Falls that were shown to come from certain messages: nothing else is blamed for them, nor for what those messages did in other
//! sessions.

use serde_json::Value;
use verdict::{Intent, Key, Purpose};
use wire::{Limits, Message, Parsed};

use super::{Exchange, ExchangeEnd, Session, View};

/// How it was shown that a message fells the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// A fresh process fell that was sent what another had fallen over.
    Reproduced,
    /// A process that was sent one message at a time answered nothing any more after an ordinary one.
    Silence,
    /// A fresh process fell over a generated request that was made as simple as it gets.
    Minimal,
}

/// A message that was shown to fell the server.
#[derive(Debug)]
struct Culprit {
    evidence: Evidence,
    /// Where that is seen: session and position in the transcript.
    place: (u32, u32),
    message: String,
    tool: Option<String>,
}

/// What was shown of the causes of falls.
#[derive(Debug, Default)]
pub(super) struct Shown(Vec<Culprit>);

impl Shown {
    fn of(sessions: &[Session<'_>]) -> Self {
        let fallen = sessions.iter().filter(|session| session.fall.is_some());
        Self(
            fallen
                .flat_map(|session| session.exchanges.iter().filter_map(|exchange| culprit(session, exchange)))
                .collect(),
        )
    }

    fn has(&self, evidence: Evidence, session: u32, seq: u32) -> bool {
        self.0.iter().any(|culprit| culprit.evidence == evidence && culprit.place == (session, seq))
    }

    /// The same message, or another call of its tool that has no answer either.
    fn explains(&self, exchange: &Exchange<'_>) -> bool {
        // A message can be long, and there is seldom one to compare it with.
        if self.0.is_empty() {
            return false;
        }
        let tool = exchange.parsed.messages().first().and_then(called_tool).filter(|_| exchange.answers.is_empty());
        let message = exchange.key();
        self.0.iter().any(|culprit| tool.is_some() && culprit.tool.as_deref() == tool || culprit.message == message)
    }
}

fn culprit(session: &Session<'_>, exchange: &Exchange<'_>) -> Option<Culprit> {
    let evidence = evidence(session, exchange)?;
    let tool = exchange.parsed.messages().first().and_then(called_tool).map(str::to_owned);
    Some(Culprit { evidence, place: (session.id, exchange.seq), message: exchange.key(), tool })
}

/// What an exchange of a session that fell shows.
fn evidence(session: &Session<'_>, exchange: &Exchange<'_>) -> Option<Evidence> {
    let probe = exchange.send.probe.as_ref()?;
    let alone = session.open.is_for(Purpose::Careful) && exchange.end == ExchangeEnd::Gone { alone: true };
    let silent = session.fall.is_some_and(|fall| !fall.ended);
    match () {
        () if probe.intent == Intent::Reproduced => Some(Evidence::Reproduced),
        () if alone && silent && is_ordinary(probe.intent) => Some(Evidence::Silence),
        () if alone && probe.get(Key::Case).is_some() && probe.get(Key::Minimal).is_some() => Some(Evidence::Minimal),
        () => None,
    }
}

/// The name of the tool that a message calls.
#[must_use]
pub fn called_tool(message: &Message) -> Option<&str> {
    let name = message.params().filter(|_| message.method() == Some("tools/call"))?.get("name")?;
    name.as_str()
}

/// What two messages have in common that differ only in their ids and in what names them to the tester.
#[must_use]
pub fn key(text: &str) -> String {
    key_in(&wire::parse_sent(text.as_bytes(), &Limits { bytes: 80 << 20, ..Limits::default() }), text)
}

impl Exchange<'_> {
    /// The [`key`] of what was sent.
    pub(crate) fn key(&self) -> String {
        match self.send.base64 {
            // What is not UTF-8 was not parsed as the text that stands for it.
            Some(_) => key(&self.send.text),
            None => key_in(&self.parsed, &self.send.text),
        }
    }
}

fn key_in(parsed: &Parsed, text: &str) -> String {
    let [message] = parsed.messages() else { return text.to_owned() };
    let mut key = message.method().unwrap_or_default().to_owned();
    match message.params() {
        Some(Value::Object(members)) => {
            for (name, value) in members.iter().filter(|(name, _)| *name != "_meta") {
                key.extend([" ", &Value::from(name.as_str()).to_string(), ":", &value.to_string()]);
            }
        }
        Some(params) => key.extend([" ", &params.to_string()]),
        None => {}
    }
    key
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

/// Takes the blame from what was outstanding in other sessions when one of these messages, or a call of the same tool, was.
pub(super) fn spare(sessions: &mut [Session<'_>]) -> Shown {
    let shown = Shown::of(sessions);
    let fallen = sessions.iter_mut().filter(|session| session.fall.is_some() && !shown.0.is_empty());
    for session in fallen {
        let id = session.id;
        // What shows it has findings of its own.
        let shows = |seq: u32| shown.has(Evidence::Reproduced, id, seq) || shown.has(Evidence::Minimal, id, seq);
        for exchange in &mut session.exchanges {
            let gone = matches!(exchange.end, ExchangeEnd::Gone { .. });
            if gone && !shows(exchange.seq) && shown.explains(exchange) {
                exchange.end = ExchangeEnd::Gone { alone: false };
            }
        }
    }
    shown
}

impl View<'_> {
    /// Whether a process that was sent one message at a time answered nothing any more after this one, which any client may send.
    pub(crate) fn is_silencing(&self, session: &Session<'_>, exchange: &Exchange<'_>) -> bool {
        self.shown.has(Evidence::Silence, session.id, exchange.seq)
    }

    /// Whether it is one of the messages over which a server fell before, sent to a fresh process that fell too.
    pub(crate) fn is_reproduced(&self, session: &Session<'_>, exchange: &Exchange<'_>) -> bool {
        self.shown.has(Evidence::Reproduced, session.id, exchange.seq)
    }

    /// Whether this message, or another call of its tool that has no answer either, was shown to fell the server, which a finding of its own says.
    pub(crate) fn explains(&self, exchange: &Exchange<'_>) -> bool {
        self.shown.explains(exchange)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Revision;
    use verdict::transcript::{Kind, Send};

    use super::*;
    use crate::testing::Script;

    #[test]
    fn what_was_sent_has_the_key_of_its_text() {
        let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"a":1}}}"#;
        assert_eq!(key(call), r#"tools/call "name":"t""#);
        // With bytes beside it, it is what stands for something that is not UTF-8.
        for (text, bytes) in [(call, false), (call, true), ("[1,", false), ("[]", false)] {
            let base64 = bytes.then(|| "/w==".to_owned());
            let text = text.to_owned();
            let send = Send { channel: 0, text, base64, probe: None, http: None, headers: Vec::new(), path: None };
            let expected = key(&send.text);
            let script = Script::new(Revision::V2025_11_25, json!({})).add(Kind::Send(send));
            let sent = script.look(|view| view.sessions[0].exchanges.last().map(Exchange::key));
            assert_eq!(sent, Some(expected), "{bytes}");
        }
    }
}
