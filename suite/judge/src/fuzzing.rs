//! Properties of judging that hold for any transcript: it ends, does not panic, and says the same twice.

use std::time::{Duration, Instant};

use verdict::transcript::{Event, Kind, read};
use verdict::{Intent, Key, Purpose, Revision, Status, Transport};

use crate::{Criteria, infer_intents, judge};

/// Panics when it does not hold for the bytes.
pub type Property = fn(&[u8]);

/// Each fuzz target with its property; the name is also that of its folder in the corpus.
pub const TARGETS: &[(&str, Property)] = &[("judge_transcript", transcript)];

/// How long judging may take for each event, with room for a busy machine and a build that watches everything.
const EACH: Duration = Duration::from_millis(20);
/// And for the rules as such.
const AT_ALL: Duration = Duration::from_secs(5);

/// A stored transcript is judged in the revision and over the transport that it tells of itself, twice. Lines that are no
/// events are left out, so that a mutation of one line leaves the others.
pub fn transcript(bytes: &[u8]) {
    let events = events(bytes);
    let criteria = criteria(&events);
    let began = Instant::now();
    let verdicts = judge(&events, &criteria);
    let count = u32::try_from(events.len()).unwrap_or(u32::MAX);
    assert!(began.elapsed() < AT_ALL + EACH * count, "{count} events take {:?}", began.elapsed());
    assert_eq!(verdicts, judge(&events, &criteria), "judging twice gives different verdicts");
    for verdict in &verdicts {
        let fails = verdict.status == Status::Fail;
        assert_eq!(fails, !verdict.findings.is_empty(), "{}: findings and status disagree", verdict.id);
        assert!(fails || verdict.status == Status::Pass || verdict.reason.is_some(), "{}: no reason", verdict.id);
        assert!(verdict.status != Status::Pass || verdict.subjects > 0, "{} passes without a witness", verdict.id);
    }
    let judged: Vec<&str> = verdicts.iter().map(|verdict| verdict.id).collect();
    let own = verdict::requirements().iter().filter(|requirement| requirement.holds_in(criteria.revision));
    assert_eq!(judged, own.map(|requirement| requirement.id).collect::<Vec<_>>(), "one verdict each, in order");
    meanings(&events, &criteria);
}

/// Asserts that inferring intents changes neither the messages nor the intents that a scenario gave.
fn meanings(events: &[Event], criteria: &Criteria) {
    let mut recording = events.to_vec();
    let is_recorded = |event: &Event| matches!(&event.kind, Kind::Open(open) if open.is_for(Purpose::Recorded));
    if !events.iter().any(is_recorded) {
        assert!(infer_intents(events, criteria).iter().eq(events), "intents were added to those a run recorded");
        recording.iter_mut().for_each(forget);
    }
    let concluded = infer_intents(&recording, criteria);
    assert_eq!(concluded, infer_intents(&recording, criteria), "inferring twice gives different intents");
    for (before, after) in recording.iter().zip(concluded.iter()) {
        let mut after = after.clone();
        if let (Kind::Send(before), Kind::Send(after)) = (&before.kind, &mut after.kind)
            && before.probe.is_none()
        {
            after.probe = None;
        }
        assert_eq!(*before, after, "the conversation was changed");
    }
    let _ = judge(&concluded, criteria);
}

/// As if a real client had said it.
fn forget(event: &mut Event) {
    match &mut event.kind {
        Kind::Open(open) => Purpose::Recorded.word().clone_into(&mut open.purpose),
        Kind::Send(send) => send.probe = None,
        _ => {}
    }
}

fn events(bytes: &[u8]) -> Vec<Event> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter_map(|line| read(line).ok()).flatten().collect()
}

/// Returns the criteria of a transcript: what it says itself, or else the newest revision with a handshake, over stdio.
fn criteria(events: &[Event]) -> Criteria {
    let open = events.iter().find_map(|event| match &event.kind {
        Kind::Open(open) => Some(open),
        _ => None,
    });
    let negotiated = events.iter().find_map(|event| match &event.kind {
        Kind::Probe(probe) if probe.intent == Intent::Negotiated => probe.get(Key::Revision)?.as_str()?.parse().ok(),
        _ => None,
    });
    Criteria {
        revision: open.and_then(|open| open.revision).or(negotiated).unwrap_or(Revision::LATEST_HANDSHAKE),
        transport: open.map_or(Transport::Stdio, |open| open.transport),
    }
}
