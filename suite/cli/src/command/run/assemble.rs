//! Assembles the report from the records of a run.

use run::{Finished, Protocol, Target};
use verdict::record::{Entry, FORMAT, Named, Record, Report, Runs, Summary, Timing, Unspoken};
use verdict::{Revision, Status, requirements};

/// Returns the report of a run; with `--protocol all` it always has the form for several revisions.
pub(super) fn report(protocol: Protocol, target: &Target, finished: Finished) -> Report {
    let mut records = finished.records;
    if protocol != Protocol::All
        && let Some(record) = records.pop()
    {
        return Report::One(Box::new(record));
    }
    // The run may have detected the transport.
    let target = records.first().map_or_else(|| target.record(), |record| record.target.clone());
    let unspoken = finished.unspoken.into_iter().map(|(protocol, reason)| Unspoken { protocol, reason });
    Report::All(Runs { format: FORMAT, tool: tool_name(), target, runs: records, unspoken: unspoken.collect() })
}

/// Returns the report about a target that could not be judged: nothing was observed, for the given reason.
pub(super) fn unjudged(protocol: Protocol, target: &Target, why: &str) -> Report {
    let revisions = match protocol {
        Protocol::All => Revision::ALL.to_vec(),
        Protocol::One(revision) => vec![revision],
        Protocol::Latest => vec![Revision::LATEST],
    };
    let mut records: Vec<Record> =
        revisions.into_iter().map(|revision| unobserved_record(revision, target, why)).collect();
    match records.pop() {
        Some(record) if protocol != Protocol::All => Report::One(Box::new(record)),
        last => {
            records.extend(last);
            Report::All(Runs {
                format: FORMAT,
                tool: tool_name(),
                target: target.record(),
                runs: records,
                unspoken: vec![],
            })
        }
    }
}

fn unobserved_record(revision: Revision, target: &Target, why: &str) -> Record {
    let held = requirements().iter().filter(|requirement| requirement.holds_in(revision));
    let entries: Vec<Entry> = held
        .map(|requirement| Entry {
            id: requirement.id.to_owned(),
            level: requirement.level_in(revision),
            status: Status::NotObserved,
            reason: Some("the target could not be judged".to_owned()),
            scenario: None,
            findings: vec![],
            notes: vec![],
            unlocked_by: None,
            subjects: 0,
            known: None,
            origin: None,
        })
        .collect();
    Record {
        format: FORMAT,
        tool: tool_name(),
        target: target.record(),
        server: Named::default(),
        protocol: revision,
        seed: 0,
        trouble: Some(why.to_owned()),
        partial: false,
        incomplete: None,
        sdk: None,
        baseline: None,
        assumed: Vec::new(),
        recorded: false,
        summary: Summary::of(&entries),
        requirements: entries,
        causes: Vec::new(),
        hosts: Vec::new(),
        hosts_unseen: Vec::new(),
        noticed: Vec::new(),
        not_called: vec![],
        withheld: vec![],
        notes: vec![],
        tools: vec![],
        timeline: vec![],
        properties: Vec::new(),
        calls: None,
        falls: None,
        timing: Timing::default(),
    }
}

fn tool_name() -> Named {
    Named { name: "mcp-conform".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}
