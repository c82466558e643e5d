//! Says of each failed requirement, and of each cause, whose it is.

use verdict::record::{Cause, Entry, Origin, Record};
use verdict::{Level, Status};

use super::style::Styles;
use super::upstream::upstream;
use super::{Profile, shelf};

/// Says whose the violations of a record are, by the profile of the SDK that the server is built with, and what helps against those of
/// the SDK. `own_code` if the author's code alone lies above the SDK: beneath a framework without a profile, what the SDK does not do may be
/// the framework's.
pub fn attribute(record: &mut Record, profile: &Profile, own_code: bool) {
    let style = record.sdk.as_ref().and_then(|sdk| sdk.style.clone());
    let styles = Styles::of(record, profile, style.as_deref());
    for entry in record.requirements.iter_mut().filter(|entry| is_violation(entry)) {
        entry.origin = Some(match whose(entry, profile, &styles) {
            Origin::Own if !own_code => Origin::Unknown,
            origin => origin,
        });
    }
    settle(record);
    let later: Vec<Profile> = shelf::later(&profile.registry, &profile.name, &profile.version).collect();
    let Record { causes, requirements, .. } = record;
    for cause in causes.iter_mut().filter(|cause| cause.origin == Origin::Sdk) {
        let mended = later.iter().find(|later| mends(later, cause, requirements));
        cause.mended_in = mended.map(|later| later.version.clone());
        if let Some(issue) = upstream(&profile.registry, &profile.name, cause) {
            cause.upstream = Some(issue.url.clone());
            cause.workaround.clone_from(&issue.workaround);
        }
    }
}

fn is_violation(entry: &Entry) -> bool {
    entry.status == Status::Fail && entry.level != Level::Advice
}

fn whose(entry: &Entry, profile: &Profile, styles: &Styles<'_>) -> Origin {
    match profile.broken.get(&entry.id) {
        Some(broken) if broken.is_alike(entry) && styles.allow(&entry.id, broken) => Origin::Sdk,
        Some(_) => Origin::Own,
        None if profile.held.contains(&entry.id) => Origin::Own,
        // What the smallest server does not offer was never seen there.
        None => Origin::Unknown,
    }
}

/// One mend mends a cause, so it is somebody's: the author's if any of it is, else the SDK's if any of it is.
fn settle(record: &mut Record) {
    let Record { causes, requirements, .. } = record;
    for cause in causes {
        let mut entries: Vec<&mut Entry> = requirements
            .iter_mut()
            .filter(|entry| entry.origin.is_some() && cause.requirements.contains(&entry.id))
            .collect();
        let is = |origin| entries.iter().any(|entry| entry.origin == Some(origin));
        cause.origin = match () {
            () if is(Origin::Own) => Origin::Own,
            () if is(Origin::Sdk) => Origin::Sdk,
            () => Origin::Unknown,
        };
        if cause.origin == Origin::Sdk {
            entries.iter_mut().for_each(|entry| entry.origin = Some(Origin::Sdk));
        }
    }
}

/// Whether everything that the cause breaks was judged in this later version, and held.
fn mends(later: &Profile, cause: &Cause, requirements: &[Entry]) -> bool {
    let mut violations =
        requirements.iter().filter(|entry| entry.origin.is_some() && cause.requirements.contains(&entry.id));
    violations.all(|entry| later.held.contains(&entry.id))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::sdks::Broken;
    use crate::testing::{cause, failed, record};

    fn profile() -> Profile {
        let mut profile = Profile { version: "1.0.0".to_owned(), ..Profile::default() };
        profile.runs.insert("high stdio 2025-11-25".to_owned());
        profile.held.insert("tools.call.unknown-tool".to_owned());
        let signatures = BTreeSet::from(["The SDK does this.".to_owned()]);
        let broken =
            Broken { level: Level::Must, signatures, runs: profile.runs.clone(), held: BTreeSet::new(), varies: false };
        profile.broken.insert("tools.call.missing-name".to_owned(), broken);
        profile
    }

    fn origins(record: &Record) -> Vec<Option<Origin>> {
        record.requirements.iter().map(|entry| entry.origin).collect()
    }

    #[test]
    fn what_the_smallest_server_breaks_alike_is_the_sdks() {
        let mut record = record(vec![
            failed("tools.call.missing-name", Level::Must, "The SDK does this."),
            failed("tools.call.unknown-tool", Level::Must, "The author does this."),
            failed("tasks.create.ttl", Level::Should, "Nobody knows."),
            failed("practice.tool.examples", Level::Advice, "No example."),
        ]);
        attribute(&mut record, &profile(), true);
        let expected = [Some(Origin::Sdk), Some(Origin::Own), Some(Origin::Unknown), None];
        assert_eq!(origins(&record), expected);
    }

    #[test]
    fn another_answer_than_the_sdks_is_the_authors() {
        let mut record = record(vec![failed("tools.call.missing-name", Level::Must, "This is something else.")]);
        attribute(&mut record, &profile(), true);
        assert_eq!(origins(&record), [Some(Origin::Own)]);
        // Above a framework that nothing is known of it may be that.
        attribute(&mut record, &profile(), false);
        assert_eq!(origins(&record), [Some(Origin::Unknown)]);
    }

    #[test]
    fn a_cause_is_the_authors_if_any_of_it_is() {
        let mut record = record(vec![
            failed("tools.call.missing-name", Level::Must, "The SDK does this."),
            failed("tools.call.unknown-tool", Level::Must, "The author does this."),
            failed("tasks.create.ttl", Level::Should, "Nobody knows."),
        ]);
        record.causes = vec![cause(&["tools.call.missing-name", "tools.call.unknown-tool"])];
        attribute(&mut record, &profile(), true);
        assert_eq!(record.causes[0].origin, Origin::Own);
        record.causes = vec![cause(&["tools.call.missing-name", "tasks.create.ttl"])];
        attribute(&mut record, &profile(), true);
        assert_eq!(record.causes[0].origin, Origin::Sdk);
        assert_eq!(record.requirements[2].origin, Some(Origin::Sdk), "one mend mends both");
        record.causes = vec![cause(&["tasks.create.ttl"])];
        attribute(&mut record, &profile(), true);
        assert_eq!(record.causes[0].origin, Origin::Unknown);
    }

    #[test]
    fn a_later_version_mends_what_holds_there() {
        let mut later = profile();
        let entries = [failed("tools.call.missing-name", Level::Must, "The SDK does this.")];
        let entries = entries.map(|entry| Entry { origin: Some(Origin::Sdk), ..entry });
        assert!(!mends(&later, &cause(&["tools.call.missing-name"]), &entries));
        later.broken.clear();
        assert!(!mends(&later, &cause(&["tools.call.missing-name"]), &entries), "it was not seen there");
        later.held.insert("tools.call.missing-name".to_owned());
        assert!(mends(&later, &cause(&["tools.call.missing-name"]), &entries));
    }
}
