//! What is wrong with a fuzzed conversation: what the rules say, without what the tester's own disorder brings about.

use std::collections::HashSet;

use judge::{Bar, judge};
use verdict::transcript::{Event, Kind};
use verdict::{Finding, Level, Status};
use wire::{Content, Limits, parse};

/// Which answer belongs to which request cannot be told when ids repeat: what is left is about messages by themselves.
const UNMATCHED: [&str; 2] = ["stdio.", "jsonrpc.message."];
/// An array may be answered with an array, whether or not the revision has batches.
const SINGLE: &str = "jsonrpc.message.single-object";
/// Where the client never says that it is initialized, or only in a spoilt form, that time never ends.
const BEFORE: &str = "lifecycle.pre-init.";

/// Findings of level must or should.
#[must_use]
pub fn wrong(events: &[Event], bar: &Bar) -> Vec<(&'static str, Finding)> {
    let sent = Sent::of(events);
    let told = |id: &str| {
        (!sent.muddled || UNMATCHED.iter().any(|area| id.starts_with(area)))
            && !(sent.batches && id == SINGLE)
            && (sent.greeted || !id.starts_with(BEFORE))
    };
    let failed = judge(events, bar).into_iter().filter(|verdict| verdict.status == Status::Fail && told(verdict.id));
    let findings = failed.flat_map(|verdict| {
        let own = verdict::requirement(verdict.id).map_or(Level::Must, |known| known.level_in(bar.revision));
        let grave = move |finding: &Finding| finding.level.unwrap_or(own) != Level::Advice;
        verdict.findings.into_iter().filter(grave).map(move |finding| (verdict.id, finding))
    });
    findings.collect()
}

/// Whether the tester said two things with one id in one session.
#[must_use]
pub fn is_muddled(events: &[Event]) -> bool {
    Sent::of(events).muddled
}

/// What the tester did that no client does.
#[derive(Default)]
struct Sent {
    muddled: bool,
    batches: bool,
    /// It said in due form that it is initialized.
    greeted: bool,
}

impl Sent {
    fn of(events: &[Event]) -> Self {
        let (mut sent, mut seen) = (Self::default(), HashSet::new());
        let limits = Limits { bytes: 80 << 20, ..Limits::default() };
        for event in events {
            let Kind::Send(send) = &event.kind else { continue };
            let parsed = parse(send.text.as_bytes(), &limits);
            sent.batches |= matches!(parsed.content, Content::Batch(_));
            for message in parsed.messages() {
                sent.greeted |= send.probe.is_none() && message.method() == Some("notifications/initialized");
                let key = message.id.as_ref().map(|id| id.key().map_or_else(|| id.to_json(), |key| format!("{key:?}")));
                sent.muddled |= key.is_some_and(|key| !seen.insert((event.session, key)));
            }
        }
        sent
    }
}
