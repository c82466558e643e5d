//! Compares two reports of a server: findings and their causes, revisions, tools.

mod causes;
mod findings;
mod markdown;
mod narrowing;
mod new_names;
mod side;
mod text;
mod tools;

use serde::Serialize;
use verdict::Revision;

use causes::{Causes, causes};
pub(crate) use findings::{Findings, findings};
pub(crate) use markdown::markdown;
pub(crate) use side::Side;
pub(crate) use text::text;
pub(crate) use tools::{Tools, tools};

/// The differences between two reports.
#[derive(Debug, Serialize)]
pub(crate) struct Diff {
    /// Always 1: members are added, never renamed.
    pub(crate) format: u32,
    /// The old report.
    pub(crate) old: Label,
    /// The new report.
    pub(crate) new: Label,
    /// Number of changes that break clients.
    pub(crate) breaking: usize,
    /// Revisions that only the new server supports, of those that both reports cover.
    pub(crate) revisions_added: Vec<Revision>,
    /// Revisions that only the old server supports.
    pub(crate) revisions_removed: Vec<Revision>,
    /// Findings in each revision that both support.
    pub(crate) findings: Vec<Findings>,
    /// Causes of broken requirements in each revision that both support; a snapshot contains none.
    pub(crate) causes: Vec<Causes>,
    /// Tools; none if a side does not contain them.
    pub(crate) tools: Option<Tools>,
    /// Parts that were not compared, with the reason.
    pub(crate) not_compared: Vec<String>,
}

/// The file of a report and the server in it.
#[derive(Debug, Serialize)]
pub(crate) struct Label {
    pub(crate) file: String,
    pub(crate) server: String,
}

/// Compares two reports.
pub(crate) fn diff(old: &Side, new: &Side) -> Diff {
    let both: Vec<Revision> =
        old.runs.iter().map(|run| run.revision).filter(|revision| new.run(*revision).is_some()).collect();
    let mut pairs = both.iter().filter_map(|revision| Some((old.run(*revision)?, new.run(*revision)?)));
    let findings: Vec<Findings> = pairs.clone().map(|(old, new)| findings(old, new)).collect();
    let causes: Vec<Causes> = pairs.clone().filter_map(|(old, new)| causes(old, new)).collect();
    let mut not_compared = Vec::new();
    if both.is_empty() {
        not_compared
            .push("the reports have no judged revision in common: findings and tools were not compared".to_owned());
    }
    let tools = pairs.next_back().and_then(|(old, new)| {
        let Some((was, is)) = old.tools.as_ref().zip(new.tools.as_ref()) else {
            not_compared.push(
                "snapshots and reports of interrupted runs do not contain the tools: tools were not compared"
                    .to_owned(),
            );
            return None;
        };
        let dialect = judge::dialects(new.revision)[0];
        Some(tools(was, is, dialect))
    });
    let lost = |here: &Side, there: &Side| {
        let spoken = here.runs.iter().map(|run| run.revision);
        spoken.filter(|revision| there.unspoken.contains(revision)).collect::<Vec<_>>()
    };
    let revisions_removed = lost(old, new);
    Diff {
        format: 1,
        old: label(old),
        new: label(new),
        breaking: revisions_removed.len() + tools.as_ref().map_or(0, Tools::breaking),
        revisions_added: lost(new, old),
        revisions_removed,
        findings,
        causes,
        tools,
        not_compared,
    }
}

fn label(side: &Side) -> Label {
    Label { file: side.file.clone(), server: side.server.clone() }
}

impl Diff {
    /// Returns whether there was anything to compare: a revision in both reports, or one that a server gave up.
    pub(crate) fn compares(&self) -> bool {
        !(self.findings.is_empty() && self.revisions_added.is_empty() && self.revisions_removed.is_empty())
    }

    /// Returns the causes in the revision of these findings.
    fn causes_of(&self, findings: &Findings) -> Option<&Causes> {
        self.causes.iter().find(|causes| causes.protocol == findings.protocol)
    }

    /// Returns what to say in place of a summary, if nothing differs.
    pub(crate) fn no_difference(&self) -> Option<&'static str> {
        let told = if self.compares() { "no differences" } else { "nothing was compared" };
        self.is_empty().then_some(told)
    }

    /// Returns whether nothing differs.
    fn is_empty(&self) -> bool {
        self.revisions_added.is_empty()
            && self.revisions_removed.is_empty()
            && self.findings.iter().all(Findings::is_empty)
            && self.tools.as_ref().is_none_or(Tools::is_empty)
    }
}
