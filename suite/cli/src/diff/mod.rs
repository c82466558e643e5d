//! Two reports of one server compared: findings, revisions, tools.

mod findings;
mod markdown;
mod names;
mod narrow;
mod side;
mod text;
mod tools;

use serde::Serialize;
use verdict::Revision;

pub(crate) use findings::{Findings, findings};
pub(crate) use markdown::markdown;
pub(crate) use side::Side;
pub(crate) use text::text;
pub(crate) use tools::{Tools, tools};

/// How two reports differ.
#[derive(Debug, Serialize)]
pub(crate) struct Diff {
    /// Always 1: members are added, never renamed.
    pub(crate) format: u32,
    /// The old one.
    pub(crate) old: Label,
    /// The new one.
    pub(crate) new: Label,
    /// How many changes break clients.
    pub(crate) breaking: usize,
    /// Revisions that only the new one speaks, of those that both were asked.
    pub(crate) revisions_added: Vec<Revision>,
    /// Revisions that only the old one speaks.
    pub(crate) revisions_removed: Vec<Revision>,
    /// Findings in each revision that both speak.
    pub(crate) findings: Vec<Findings>,
    /// Tools; none where a side does not hold them.
    pub(crate) tools: Option<Tools>,
    /// What was not compared, and why.
    pub(crate) not_compared: Vec<String>,
}

/// Which file, which server.
#[derive(Debug, Serialize)]
pub(crate) struct Label {
    pub(crate) file: String,
    pub(crate) server: String,
}

/// Compares two sides.
pub(crate) fn diff(old: &Side, new: &Side) -> Diff {
    let both: Vec<Revision> =
        old.runs.iter().map(|run| run.revision).filter(|revision| new.run(*revision).is_some()).collect();
    let mut pairs = both.iter().filter_map(|revision| Some((old.run(*revision)?, new.run(*revision)?)));
    let findings: Vec<Findings> = pairs.clone().map(|(old, new)| findings(old, new)).collect();
    let mut not_compared = Vec::new();
    if both.is_empty() {
        not_compared.push("no revision was judged in both: findings and tools were not compared".to_owned());
    }
    let tools = pairs.next_back().and_then(|(old, new)| {
        let Some((was, is)) = old.tools.as_ref().zip(new.tools.as_ref()) else {
            not_compared.push("a snapshot, or the report of a run that was cut short, does not hold the tools: they were not compared".to_owned());
            return None;
        };
        let dialect = judge::dialects(new.revision)[0];
        Some(tools(was, is, dialect))
    });
    let gone = |here: &Side, there: &Side| {
        let spoken = here.runs.iter().map(|run| run.revision);
        spoken.filter(|revision| there.unspoken.contains(revision)).collect::<Vec<_>>()
    };
    let revisions_removed = gone(old, new);
    Diff {
        format: 1,
        old: label(old),
        new: label(new),
        breaking: revisions_removed.len() + tools.as_ref().map_or(0, Tools::breaking),
        revisions_added: gone(new, old),
        revisions_removed,
        findings,
        tools,
        not_compared,
    }
}

fn label(side: &Side) -> Label {
    Label { file: side.file.clone(), server: side.server.clone() }
}

impl Diff {
    /// Nothing differs.
    pub(crate) fn is_empty(&self) -> bool {
        self.revisions_added.is_empty()
            && self.revisions_removed.is_empty()
            && self.findings.iter().all(Findings::is_empty)
            && self.tools.as_ref().is_none_or(Tools::is_empty)
    }
}
