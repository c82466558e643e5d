//! Records for tests.

use verdict::record::{Cause, Entry, FORMAT, Named, Origin, Record, Summary, Target, Timing};
use verdict::{Finding, Level, Revision, Status, Transport};

pub(crate) fn failed(id: &str, level: Level, message: &str) -> Entry {
    let finding = Finding::new(message, "", "", vec![]);
    Entry {
        id: id.to_owned(),
        level,
        status: Status::Fail,
        reason: None,
        unlocked_by: None,
        scenario: None,
        findings: vec![finding],
        notes: vec![],
        subjects: 1,
        known: None,
        origin: None,
    }
}

pub(crate) fn passed(id: &str) -> Entry {
    Entry { status: Status::Pass, findings: vec![], ..failed(id, Level::Must, "") }
}

pub(crate) fn cause(requirements: &[&str]) -> Cause {
    Cause {
        id: "example".to_owned(),
        title: String::new(),
        level: Level::Must,
        origin: Origin::Unknown,
        requirements: requirements.iter().map(|id| (*id).to_owned()).collect(),
        mend: String::new(),
        upstream: None,
        workaround: None,
        mended_in: None,
        wire: vec![],
        reproduce: String::new(),
    }
}

pub(crate) fn record(requirements: Vec<Entry>) -> Record {
    Record {
        format: FORMAT,
        tool: Named::default(),
        target: Target { transport: Transport::Stdio, command: None, url: None, embedded: false },
        server: Named::default(),
        protocol: Revision::LATEST_HANDSHAKE,
        seed: 1,
        trouble: None,
        partial: false,
        incomplete: None,
        sdk: None,
        baseline: None,
        assumed: vec![],
        recorded: false,
        summary: Summary::of(&requirements),
        requirements,
        causes: vec![],
        hosts: vec![],
        hosts_unseen: vec![],
        noticed: vec![],
        not_called: vec![],
        withheld: vec![],
        notes: vec![],
        tools: vec![],
        timeline: vec![],
        properties: vec![],
        calls: None,
        falls: None,
        timing: Timing::default(),
    }
}
