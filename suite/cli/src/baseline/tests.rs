use std::path::Path;

use verdict::record::{FORMAT, Named, Origin, Record, Summary, Target, Timing};
use verdict::{Finding, Level, Revision, Transport};

use super::*;

fn finding(tool: &str) -> Finding {
    Finding {
        message: "It is wrong.".into(),
        expected: "right".into(),
        actual: "wrong".into(),
        tool: Some(tool.into()),
        place: None,
        level: None,
        wire: vec![],
        reproduce: String::new(),
        stderr: vec![],
        count: 1,
        generated: None,
        known: None,
        fell: false,
        under_way: 0,
        shown_by: Vec::new(),
    }
}

fn entry(id: &str, level: Level, tools: &[&str]) -> Entry {
    let status = if tools.is_empty() { Status::Pass } else { Status::Fail };
    let findings = tools.iter().map(|tool| finding(tool)).collect();
    Entry {
        id: id.into(),
        level,
        status,
        reason: None,
        scenario: None,
        findings,
        notes: vec![],
        unlocked_by: None,
        subjects: 1,
        known: None,
        origin: None,
    }
}

fn report(requirements: Vec<Entry>) -> Report {
    Report::One(Box::new(Record {
        format: FORMAT,
        tool: Named::default(),
        target: Target { transport: Transport::Stdio, command: None, url: None, embedded: false },
        server: Named::default(),
        protocol: Revision::V2025_11_25,
        seed: 1,
        trouble: None,
        partial: false,
        incomplete: None,
        sdk: None,
        baseline: None,
        assumed: Vec::new(),
        recorded: false,
        summary: Summary::of(&requirements),
        requirements,
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
    }))
}

const FILE: &str = r#"# ours
[[finding]]
requirement = "tools.call.unknown-tool" # seen by all
tool = "a"
reason = "known"

# to be fixed in spring
[[finding]]
requirement = "tools.call.invalid-arguments-code"
reason = "old"
expires = 2027-03-31
"#;

fn known() -> Vec<KnownFinding> {
    read(Path::new("b.toml"), FILE).expect("a baseline")
}

fn day(text: &str) -> Date {
    text.parse().expect("a date")
}

fn comparison(requirements: Vec<Entry>, today: &str) -> BaselineComparison {
    compare(&report(requirements), &known(), Some(Level::Must).into(), day(today))
}

#[test]
fn what_is_known_is_accepted_and_what_is_new_is_not() {
    let compared = comparison(
        vec![
            entry("tools.call.unknown-tool", Level::Must, &["a", "b"]),
            entry("tools.call.invalid-arguments-code", Level::Must, &["x"]),
        ],
        "2027-01-01",
    );
    assert_eq!(compared.accepted, 2);
    assert_eq!(compared.new, ["2025-11-25 tools.call.unknown-tool (b): It is wrong."]);
    assert!(compared.stale.is_empty() && compared.expired.is_empty());
}

#[test]
fn an_entry_that_matches_nothing_is_stale_only_if_it_was_judged() {
    let compared = comparison(vec![entry("tools.call.unknown-tool", Level::Must, &[])], "2027-01-01");
    assert_eq!(compared.stale, ["line 2: tools.call.unknown-tool (a)"]);
}

#[test]
fn past_its_day_an_entry_accepts_nothing() {
    let entries = || vec![entry("tools.call.invalid-arguments-code", Level::Must, &["x"])];
    assert!(comparison(entries(), "2027-03-31").is_clean());
    let compared = comparison(entries(), "2027-04-01");
    assert_eq!(compared.expired, ["line 8: tools.call.invalid-arguments-code, accepted until 2027-03-31"]);
    assert_eq!(compared.new.len(), 1);
}

#[test]
fn milder_findings_than_asked_for_are_not_new() {
    assert!(comparison(vec![entry("tools.call.unknown-tool", Level::Should, &["a", "b"])], "2027-01-01").is_clean());
}

#[test]
fn an_update_keeps_comments_takes_out_what_is_gone_and_adds_what_is_new() {
    let report = report(vec![
        entry("tools.call.unknown-tool", Level::Must, &["a", "b"]),
        entry("tools.call.invalid-arguments-code", Level::Must, &[]),
    ]);
    insta::assert_snapshot!(update(FILE, &known(), &report, Some(Level::Must).into()));
    insta::assert_snapshot!(update("", &[], &report, Some(Level::Must).into()));
    let again = update("", &[], &report, Some(Level::Must).into());
    let known = read(Path::new("b.toml"), &again).expect("what we write we read");
    assert!(compare(&report, &known, Some(Level::Must).into(), day("2027-01-01")).is_clean());
}

const BY_CAUSE: &str = "[[finding]]\ncause = \"tool-error-1\"\nreason = \"the SDK does it\"\n";

/// Two requirements broken by one cause, a third by something else.
fn with_cause(id: &str) -> Report {
    let mut report = report(vec![
        entry("tools.call.unknown-tool", Level::Must, &["a", "b"]),
        entry("tools.call.invalid-arguments-code", Level::Should, &["x"]),
        entry("prompts.get.unknown", Level::Must, &["p"]),
    ]);
    for record in report.records_mut() {
        record.causes.push(Cause {
            id: id.to_owned(),
            title: "What does not exist is a tool that failed.".to_owned(),
            level: Level::Must,
            origin: Origin::Unknown,
            requirements: vec!["tools.call.unknown-tool".to_owned(), "tools.call.invalid-arguments-code".to_owned()],
            mend: String::new(),
            upstream: None,
            workaround: None,
            mended_in: None,
            wire: vec![],
            reproduce: String::new(),
        });
    }
    report
}

#[test]
fn an_entry_for_a_cause_accepts_all_that_it_breaks_and_nothing_else() {
    let known = read(Path::new("b.toml"), BY_CAUSE).expect("a baseline");
    let mut report = with_cause("tool-error-1");
    let compared = compare(&report, &known, Some(Level::Should).into(), day("2027-01-01"));
    assert_eq!((compared.accepted, compared.new.len(), compared.stale.len()), (3, 1, 0));
    mark_known(&mut report, &known, day("2027-01-01"), "b.toml");
    let accepted = |entry: &Entry| entry.known.is_some();
    let all: Vec<bool> = report.records()[0].requirements.iter().map(accepted).collect();
    assert_eq!(all, [true, true, false]);
    assert_eq!(
        update(BY_CAUSE, &known, &report, Some(Level::Must).into()).matches("[[finding]]").count(),
        2,
        "one is added"
    );
}

#[test]
fn an_entry_for_a_cause_is_stale_once_a_whole_run_does_not_show_it() {
    let known = read(Path::new("b.toml"), BY_CAUSE).expect("a baseline");
    let mut report = with_cause("tool-error-2");
    let stale = |report: &Report| compare(report, &known, Some(Level::Must).into(), day("2027-01-01")).stale;
    assert_eq!(stale(&report), ["line 1: tool-error-1"]);
    for record in report.records_mut() {
        record.requirements[2].status = Status::Skipped;
    }
    assert!(stale(&report).is_empty(), "what was left out may have shown it");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let complaint = |text: &str| read(Path::new("b.toml"), text).expect_err("it is wrong").to_string();
    assert_eq!(
        complaint("\n[[finding]]\nrequirement = \"x\"\n"),
        "b.toml, line 2: the entry has no `reason`: state why the finding is accepted"
    );
    assert!(complaint("[[finding]]\nrequirment = \"x\"\n").starts_with("b.toml, line 1: unknown key `requirment`"));
    let both = complaint("[[finding]]\nrequirement = \"x\"\ncause = \"y\"\nreason = \"z\"\n");
    assert!(both.contains("line 1: the entry has `requirement` and `cause`"), "{both}");
    assert!(complaint("[[finding]]\nreason = \"z\"\n").contains("no `requirement`, and no `cause`"));
    assert!(complaint("findings = 1\n").contains("[[finding]] entries"));
    assert!(complaint("[[finding]\n").starts_with("b.toml: "));
}

#[test]
fn the_message_says_what_to_do() {
    let compared = comparison(vec![entry("tools.call.unknown-tool", Level::Must, &["b"])], "2027-01-01");
    insta::assert_snapshot!(compared.message("b.toml"));
}
