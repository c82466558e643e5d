//! The sections on causes, each with the exchange that shows it best: where the SDK is known, by whose they are.

use serde_json::{Value, json};
use verdict::Level;
use verdict::record::{Origin, Record};

use crate::causes::{Group, broken, grouped};
use crate::whose::{breaks_too, help, known_sdk, smallest};

/// What stands beneath the title of a section.
const QUIET: &str = "What one mend would mend, with the requirements that it breaks.";

/// Returns the sections of a record: by whose they are, all causes of violations; where that is not known, those causes that break more
/// than one requirement.
pub(super) fn sections(record: &Record) -> Vec<Value> {
    let groups = grouped(broken(&[record]));
    let Some(sdk) = known_sdk([record]) else {
        let shared = |group: &Group<'_>| group.shared().is_some();
        return section("Causes", QUIET, groups.iter().filter(|group| shared(group))).into_iter().collect();
    };
    let of = |origin| groups.iter().filter(move |group| group.level() != Level::Advice && group.origin() == origin);
    let theirs = format!("{}.", breaks_too(sdk));
    let unclear = format!("Whether {} breaks this too is not known: it has nothing that could show it.", smallest(sdk));
    let all = [
        section("Yours", QUIET, of(Origin::Own)),
        section("Yours or not", &unclear, of(Origin::Unknown)),
        section("Not yours", &theirs, of(Origin::Sdk)),
    ];
    all.into_iter().flatten().collect()
}

/// Returns a section, the gravest cause first, those that a baseline accepts last; none without causes.
fn section<'g>(title: &str, quiet: &str, groups: impl Iterator<Item = &'g Group<'g>>) -> Option<Value> {
    let mut groups: Vec<&Group<'_>> = groups.collect();
    groups.sort_by_key(|group| (is_known(group), group.level()));
    let causes: Vec<Value> = groups.into_iter().filter_map(cause).collect();
    (!causes.is_empty()).then(|| json!({"title": title, "quiet": quiet, "causes": causes}))
}

fn is_known(group: &Group<'_>) -> bool {
    group.broken.iter().all(|broken| broken.entry.known.is_some())
}

fn cause(group: &Group<'_>) -> Option<Value> {
    let cause = group.cause?;
    let breaks = group.broken.iter().map(|broken| json!({"id": broken.entry.id, "level": broken.entry.level.as_str()}));
    let wire = group.shown().into_iter().flat_map(|(_, told)| told.wire.iter().map(|line| super::line(line, told)));
    let tag = match group.level() {
        _ if is_known(group) => "known",
        Level::Must => "MUST",
        Level::Should => "SHOULD",
        Level::Advice => "advice",
    };
    Some(json!({
        "id": cause.id,
        "title": cause.title,
        "mend": cause.mend,
        "helps": help(cause),
        "level": group.level().as_str(),
        "tag": tag,
        "breaks": breaks.collect::<Vec<_>>(),
        "wire": wire.collect::<Vec<_>>(),
        "reproduce": cause.reproduce,
    }))
}
