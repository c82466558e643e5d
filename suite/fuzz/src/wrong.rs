//! Violations in a fuzzed conversation: the findings of the rules, less those that the tester's own malformed input explains.

use std::collections::HashSet;

use judge::{Criteria, judge};
use verdict::transcript::{Event, Kind};
use verdict::{Finding, Level, Status};
use wire::{Content, Limits, Message, parse};

/// Which answer belongs to which request cannot be told when ids repeat: what is left is about messages by themselves.
const UNMATCHED: [&str; 2] = ["stdio.", "jsonrpc.message."];
/// An array may be answered with an array, whether or not the revision has batches.
const SINGLE: &str = "jsonrpc.message.single-object";
/// Whose progress it is cannot be told when two requests have one token.
const PROGRESS: &str = "progress.";
/// Where the client never says that it is initialized, or only in a spoilt form, that time never ends.
const BEFORE: &str = "lifecycle.pre-init.";

/// Findings of level must or should.
#[must_use]
pub fn wrong(events: &[Event], criteria: &Criteria) -> Vec<(&'static str, Finding)> {
    let sent = Sent::of(events);
    let told = |id: &str| {
        (!sent.muddled || UNMATCHED.iter().any(|area| id.starts_with(area)))
            && !(sent.batches && id == SINGLE)
            && (sent.greeted || !id.starts_with(BEFORE))
            && !(sent.tokens_repeat && id.starts_with(PROGRESS))
    };
    let failed =
        judge(events, criteria).into_iter().filter(|verdict| verdict.status == Status::Fail && told(verdict.id));
    let findings = failed.flat_map(|verdict| {
        let own = verdict::requirement(verdict.id).map_or(Level::Must, |known| known.level_in(criteria.revision));
        let grave = move |finding: &Finding| finding.level.unwrap_or(own) != Level::Advice;
        verdict.findings.into_iter().filter(grave).map(move |finding| (verdict.id, finding))
    });
    findings.collect()
}

/// The ids that the tester used, to find out where one comes for the second time.
#[derive(Debug, Default)]
pub struct Used(HashSet<String>);

impl Used {
    /// Takes note of the ids in these events; whether any of them was used before.
    pub fn repeats(&mut self, events: &[Event]) -> bool {
        let limits = Limits { bytes: 80 << 20, ..Limits::default() };
        let mut repeats = false;
        for event in events {
            let Kind::Send(send) = &event.kind else { continue };
            for message in parse(send.text.as_bytes(), &limits).messages() {
                let key = used(message);
                repeats |= key.is_some_and(|key| !self.0.insert(key));
            }
        }
        repeats
    }
}

/// The id of a message in the form in which ids are compared.
fn used(message: &Message) -> Option<String> {
    message.id.as_ref().map(|id| id.key().map_or_else(|| id.to_json(), |key| format!("{key:?}")))
}

/// Things the tester did that no client does.
#[derive(Default)]
struct Sent {
    muddled: bool,
    batches: bool,
    tokens_repeat: bool,
    /// It said in due form that it is initialized.
    greeted: bool,
}

impl Sent {
    fn of(events: &[Event]) -> Self {
        let (mut sent, mut seen, mut tokens) = (Self::default(), HashSet::new(), HashSet::new());
        let limits = Limits { bytes: 80 << 20, ..Limits::default() };
        for event in events {
            let Kind::Send(send) = &event.kind else { continue };
            let parsed = parse(send.text.as_bytes(), &limits);
            sent.batches |= matches!(parsed.content, Content::Batch(_));
            for message in parsed.messages() {
                sent.greeted |= send.probe.is_none() && message.method() == Some("notifications/initialized");
                let token = message.params().filter(|_| message.id.is_some());
                let token = token.and_then(|params| params.pointer("/_meta/progressToken"));
                sent.tokens_repeat |= token.is_some_and(|token| !tokens.insert((event.session, token.to_string())));
                let key = used(message);
                sent.muddled |= key.is_some_and(|key| !seen.insert((event.session, key)));
            }
        }
        sent
    }
}
