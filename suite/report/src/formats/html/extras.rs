//! The sections besides the requirements: areas, tools, revisions side by side, and the timeline.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use verdict::Status;
use verdict::record::{Entry, Record, Report, Span};

use super::{area, kind};
use crate::style::{clip, printable};

/// Requests shown of a session.
const REQUESTS: usize = 200;

/// Returns the counts of each area: broken by level, passed, not judged.
pub(super) fn areas(record: &Record) -> Vec<Value> {
    let mut counts: BTreeMap<&str, [u32; 5]> = BTreeMap::new();
    for entry in &record.requirements {
        let slot = match entry.status {
            Status::Fail => entry.level as usize,
            Status::Pass => 3,
            _ => 4,
        };
        counts.entry(area(entry)).or_default()[slot] += 1;
    }
    let rows = counts.into_iter();
    rows.map(|(area, [must, should, advice, pass, open])| {
        json!({"area": area, "must": must, "should": should, "advice": advice, "pass": pass, "open": open})
    })
    .collect()
}

/// Returns the requirements that were not observed, by what would let them be seen.
pub(super) fn unseen(report: &Report) -> Vec<Value> {
    let group = |group: crate::unseen::Unseen<'_>| {
        let ids = |all: &[&Entry]| all.iter().map(|entry| entry.id.clone()).collect::<Vec<_>>();
        let parts = group.parts.iter().map(|(more, all)| json!({"more": more, "ids": ids(all)}));
        json!({"by": group.by, "count": group.count(), "parts": parts.collect::<Vec<_>>()})
    };
    crate::unseen::unseen(report.records()).into_iter().map(group).collect()
}

/// Returns the tools: description, hints, whether calls were withheld, and the number of findings.
pub(super) fn tools(record: &Record) -> Vec<Value> {
    let findings = |name: &str| {
        let all = record.requirements.iter().flat_map(|entry| &entry.findings);
        all.filter(|finding| finding.tool.as_deref() == Some(name)).count()
    };
    let text = |tool: &Value, pointer: &str| tool.pointer(pointer).and_then(Value::as_str).map(|text| clip(text, 160));
    let hint = |tool: &Value, hint: &str| tool.pointer(&format!("/annotations/{hint}")).and_then(Value::as_bool);
    let row = |tool: &Value| {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        let hints = [
            ("read-only", hint(tool, "readOnlyHint") == Some(true)),
            ("destructive", hint(tool, "destructiveHint") == Some(true)),
            ("not destructive", hint(tool, "destructiveHint") == Some(false)),
        ];
        let hints: Vec<&str> = hints.iter().filter(|(_, says)| *says).map(|(hint, _)| *hint).collect();
        json!({
            "name": printable(name),
            "description": text(tool, "/description"),
            "hints": hints.join(", "),
            "withheld": record.not_called.iter().any(|withheld| withheld == name),
            "output": tool.get("outputSchema").is_some(),
            "findings": findings(name),
        })
    };
    record.tools.iter().map(row).collect()
}

/// Returns the requirements that are broken in at least one revision; empty for a single revision.
pub(super) fn side_by_side(report: &Report) -> Vec<Value> {
    let records = report.records();
    if records.len() < 2 {
        return Vec::new();
    }
    let mut ids: Vec<&str> = Vec::new();
    for entry in records.iter().flat_map(|record| &record.requirements) {
        if entry.status == Status::Fail && !ids.contains(&entry.id.as_str()) {
            ids.push(&entry.id);
        }
    }
    ids.sort_unstable();
    let cell = |record: &Record, id: &str| {
        let entry = record.requirements.iter().find(|entry| entry.id == id);
        let kind = entry.map_or("none", kind);
        let text = entry.map_or("", |entry| match entry.status {
            Status::Fail => entry.level.as_str(),
            status => status.as_str(),
        });
        let level = entry.map_or("", |entry| entry.level.as_str());
        json!({"kind": kind, "level": level, "text": text.replace('_', " "), "link": format!("{}-{id}", record.protocol)})
    };
    let row = |id: &str| json!({"id": id, "cells": records.iter().map(|record| cell(record, id)).collect::<Vec<_>>()});
    ids.into_iter().map(row).collect()
}

/// Returns the sessions with their requests, on one time scale.
pub(super) fn timeline(record: &Record) -> Vec<Value> {
    let end = record.timeline.iter().map(|span| span.at_us + span.took_us.unwrap_or(0)).max().unwrap_or(0).max(1);
    let lives = record.timeline.iter().filter(|span| span.what.is_empty());
    let row = |life: &Span| {
        let own = record.timeline.iter().filter(|span| span.session == life.session && !span.what.is_empty());
        let requests: Vec<Value> = own.clone().take(REQUESTS).map(|span| bar(span, end)).collect();
        let mut row = bar(life, end);
        row["requests"] = json!(requests);
        row["count"] = json!(own.count());
        row
    };
    lives.map(row).collect()
}

fn bar(span: &Span, end: u64) -> Value {
    let percent = |us: u64| us.saturating_mul(100_000).checked_div(end).unwrap_or(0);
    let share = |thousandths: u64| format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
    let took = span.took_us.unwrap_or(0);
    let bad = span.outcome.starts_with("error")
        || span.outcome == "no answer"
        || span.outcome.starts_with("HTTP 4")
        || span.outcome.starts_with("HTTP 5");
    json!({
        "session": span.session,
        "by": printable(&span.by),
        "what": printable(&span.what),
        "left": share(percent(span.at_us)),
        "width": share(percent(took)),
        "at": time(span.at_us),
        "took": span.took_us.map(time),
        "outcome": printable(&span.outcome),
        "bad": bad,
    })
}

fn time(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} \u{b5}s"),
        1_000..1_000_000 => format!("{}.{} ms", us / 1_000, us / 100 % 10),
        _ => format!("{}.{:02} s", us / 1_000_000, us / 10_000 % 100),
    }
}
