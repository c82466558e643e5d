//! In which style a server is written: an SDK may break in its high-level interface what authors of the low-level one decide themselves.

use std::collections::{BTreeMap, BTreeSet};

use verdict::Status;
use verdict::record::Record;

use super::{Broken, Profile};

/// What one requirement tells of the styles, where they differ in it: each style that it speaks for or against.
#[derive(Debug)]
struct Evidence<'p> {
    id: &'p str,
    fits: BTreeMap<&'p str, bool>,
}

/// What a record tells of the style of the server.
#[derive(Debug)]
pub(super) struct Styles<'p> {
    all: BTreeSet<&'p str>,
    evidence: Vec<Evidence<'p>>,
}

impl<'p> Styles<'p> {
    /// `known` is the style, if the code of the server tells it.
    pub(super) fn of(record: &Record, profile: &'p Profile, known: Option<&str>) -> Self {
        let run = format!("{} {}", record.target.transport, record.protocol);
        let judged = record.requirements.iter().filter(|entry| matches!(entry.status, Status::Pass | Status::Fail));
        let told = judged.filter_map(|entry| Some((entry, profile.broken.get_key_value(&entry.id)?)));
        let evidence = told.map(|(entry, (id, broken))| {
            let is_alike = broken.is_alike(entry);
            let failing = styles_in(&broken.runs, &run).into_iter().map(|style| (style, is_alike));
            let holding = styles_in(&broken.held, &run).into_iter().map(|style| (style, !is_alike));
            // In a style in which it only sometimes holds it is broken.
            Evidence { id, fits: holding.chain(failing).collect() }
        });
        let differs = |evidence: &Evidence<'_>| evidence.fits.values().collect::<BTreeSet<_>>().len() > 1;
        let all: BTreeSet<&str> = profile.runs.iter().filter_map(|run| Some(run.split_once(' ')?.0)).collect();
        // Only one is left if it is known, and then there is nothing to weigh.
        let of_known = all.iter().copied().filter(|style| known == Some(*style)).collect::<BTreeSet<&str>>();
        let all = if of_known.is_empty() { all } else { of_known };
        Self { all, evidence: evidence.filter(differs).collect() }
    }

    /// Whether this is broken in a style that fits the server as well as any, by what else is known of it.
    pub(super) fn allow(&self, id: &str, broken: &Broken) -> bool {
        let score = |style: &str| -> i64 {
            let told = self.evidence.iter().filter(|evidence| evidence.id != id);
            told.filter_map(|evidence| evidence.fits.get(style)).map(|fits| if *fits { 1 } else { -1 }).sum()
        };
        let best = self.all.iter().map(|style| score(style)).max();
        let fitting = |style: &&&str| Some(score(style)) == best;
        self.all.iter().filter(fitting).any(|style| broken.runs.iter().any(|run| is_of(run, style)))
    }
}

/// The styles of the runs over this transport and in this revision, else of all.
fn styles_in<'p>(runs: &'p BTreeSet<String>, run: &str) -> BTreeSet<&'p str> {
    let split = |name: &'p String| name.split_once(' ');
    let same = runs.iter().filter_map(split).filter(|(_, rest)| *rest == run);
    let same: BTreeSet<&str> = same.map(|(style, _)| style).collect();
    if same.is_empty() { runs.iter().filter_map(split).map(|(style, _)| style).collect() } else { same }
}

fn is_of(run: &str, style: &str) -> bool {
    run.split_once(' ').is_some_and(|(named, _)| named == style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{failed, passed, record};
    use verdict::Level::Must;
    use verdict::record::Entry;

    /// The high-level interface breaks two requirements that authors of the low-level one decide, and both break a third.
    fn profile() -> Profile {
        let wrong = |id: &str| failed(id, Must, "The SDK does this.");
        let high =
            record(vec![wrong("tools.call.unknown-tool"), wrong("pagination.invalid-cursor"), wrong("ping.answered")]);
        let low = record(vec![
            passed("tools.call.unknown-tool"),
            passed("pagination.invalid-cursor"),
            wrong("ping.answered"),
        ]);
        Profile::of("npm", "example", "1.0.0", &[("high", &high), ("low", &low)])
    }

    fn allows(entries: Vec<Entry>, id: &str) -> bool {
        let profile = profile();
        Styles::of(&record(entries), &profile, None).allow(id, &profile.broken[id])
    }

    #[test]
    fn what_only_another_style_breaks_is_not_allowed() {
        let (tool, cursor) = ("tools.call.unknown-tool", "pagination.invalid-cursor");
        let wrong = |id: &str| failed(id, Must, "The SDK does this.");
        let own = failed(tool, Must, "The author does this.");
        assert!(allows(vec![wrong(tool), wrong(cursor)], cursor), "like the high-level interface");
        assert!(!allows(vec![passed(tool), wrong(cursor)], cursor), "like the low-level one");
        assert!(!allows(vec![own, wrong(cursor)], cursor), "an answer of its own");
        assert!(allows(vec![wrong(cursor)], cursor), "nothing speaks against it");
        assert!(allows(vec![passed(tool), passed(cursor)], "ping.answered"), "every style breaks it");
        let (profile, entries) = (profile(), record(vec![passed(tool), wrong(cursor)]));
        assert!(Styles::of(&entries, &profile, Some("high")).allow(cursor, &profile.broken[cursor]), "it is known");
    }
}
