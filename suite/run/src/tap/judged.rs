//! Recordings judged offline, by the same rules as a run.

use judge::{Criteria, Judged, Look, examine, infer_intents};
use verdict::record::{Entry, FORMAT, Named, Record, Summary, Target, Timing};
use verdict::transcript::{Event, Kind};
use verdict::{Intent, Key, Purpose, Revision, Status, Transport, Verdict};

use super::recording::RECORDED;
use crate::matches;
use crate::plan::record_builder::{falls_of, server};

/// The revisions and transports in which something was said, each once, the oldest revision first. Of the transcript of a run
/// it is the one that the run was about: in others the tester only knocked.
#[must_use]
pub fn spoken(events: &[Event]) -> Vec<Criteria> {
    let mut found: Vec<(Revision, Transport, usize)> = Vec::new();
    let mut is_run = false;
    for event in events {
        let Kind::Open(open) = &event.kind else { continue };
        is_run |= open.is_for(Purpose::Main);
        let own = events.iter().filter(|other| other.session == event.session);
        let mut settled = own.clone().filter_map(|event| match &event.kind {
            Kind::Probe(probe) if probe.intent == Intent::Negotiated => {
                probe.get(Key::Revision)?.as_str()?.parse().ok()
            }
            _ => None,
        });
        let Some(revision) = settled.next_back().or(open.revision).filter(|_| !open.outside) else { continue };
        match found.iter_mut().find(|known| (known.0, known.1) == (revision, open.transport)) {
            Some(known) => known.2 += own.count(),
            None => found.push((revision, open.transport, own.count())),
        }
    }
    if is_run {
        found.sort_unstable_by_key(|(_, _, events)| std::cmp::Reverse(*events));
        found.truncate(1);
    }
    found.sort_unstable();
    found.into_iter().map(|(revision, transport, _)| Criteria { revision, transport }).collect()
}

/// Judges what was said in one revision over one transport, and what real clients certainly meant by it.
///
/// `only` and `skip` choose requirements (`*` matches any text); `again` gives the command that judges one of them again; `look`
/// notices what is no part of the verdict.
#[must_use]
pub fn judged(
    events: &[Event],
    criteria: &Criteria,
    only: &[String],
    skip: &[String],
    again: &dyn Fn(&str) -> String,
    look: Option<Look>,
) -> Record {
    let Judged { verdicts, tools, timeline, properties, calls, falls, noticed, .. } =
        examine(&infer_intents(events, criteria), criteria, look);
    let wants = |id: &str| {
        (only.is_empty() || only.iter().any(|glob| matches(glob, id))) && !skip.iter().any(|glob| matches(glob, id))
    };
    let entry = |verdict: Verdict| {
        let reproduce = again(verdict.id);
        if wants(verdict.id) { entry(verdict, &reproduce) } else { left_out(verdict) }
    };
    let requirements: Vec<Entry> = verdicts.into_iter().map(entry).collect();
    Record {
        format: FORMAT,
        tool: Named { name: "mcp-conform".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        target: target(events, criteria.transport),
        server: server(events),
        protocol: criteria.revision,
        seed: 0,
        trouble: None,
        partial: false,
        incomplete: None,
        sdk: None,
        baseline: None,
        assumed: Vec::new(),
        recorded: is_recorded(events),
        summary: Summary::of(&requirements),
        requirements,
        causes: Vec::new(),
        hosts: Vec::new(),
        hosts_unseen: Vec::new(),
        noticed,
        not_called: vec![],
        withheld: vec![],
        notes: vec!["judged from recordings: what their sessions did not touch is not observed".to_owned()],
        tools,
        timeline,
        properties,
        calls,
        falls: falls_of(&falls, true),
        timing: Timing {
            wall_ms: events.last().map_or(0, |event| event.at_us / 1_000),
            requests: events.iter().map(requests).sum(),
            spawns: events
                .iter()
                .filter(|event| matches!(&event.kind, Kind::Open(open) if open.continues.is_none()))
                .count() as u64,
            ..Timing::default()
        },
    }
}

/// The transcript of a run can be judged again, too.
fn is_recorded(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(&event.kind, Kind::Probe(probe) if probe.intent == RECORDED))
}

/// Requests that the client sent with an event: its answers have an id, too.
fn requests(event: &Event) -> u64 {
    let Kind::Send(send) = &event.kind else { return 0 };
    let parsed = wire::parse_sent(send.text.as_bytes(), &wire::Limits::default());
    parsed.messages().iter().filter(|message| message.kind == wire::Kind::Request).count() as u64
}

fn entry(verdict: Verdict, reproduce: &str) -> Entry {
    let mut findings = verdict.findings;
    findings.iter_mut().for_each(|finding| reproduce.clone_into(&mut finding.reproduce));
    Entry {
        id: verdict.id.to_owned(),
        level: verdict.level,
        status: verdict.status,
        reason: verdict.reason,
        scenario: None,
        findings,
        notes: verdict.notes,
        unlocked_by: None,
        subjects: verdict.subjects,
        known: None,
        origin: None,
    }
}

fn left_out(verdict: Verdict) -> Entry {
    let reason = Some("left out by --only or --skip".to_owned());
    let plain = Verdict { status: Status::Skipped, reason, findings: vec![], notes: vec![], ..verdict };
    entry(plain, "")
}

/// The server that the recording names.
fn target(events: &[Event], transport: Transport) -> Target {
    let probe = events.iter().find_map(|event| match &event.kind {
        Kind::Probe(probe) if probe.intent == RECORDED => Some(probe),
        _ => None,
    });
    let words = probe.and_then(|probe| probe.get(Key::Command)?.as_array());
    let word = |word: &serde_json::Value| word.as_str().map(str::to_owned);
    Target {
        transport,
        command: words.map(|words| words.iter().filter_map(word).collect()),
        url: probe.and_then(|probe| probe.get(Key::Url)).and_then(word),
        embedded: false,
    }
}
