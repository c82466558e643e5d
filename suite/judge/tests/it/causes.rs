//! Compares the causes of real servers with those found by hand: `causes/by-hand.toml` says what one mend would mend.

use std::collections::{BTreeMap, BTreeSet};

use mcp_conform_judge::{Broken, causes};
use serde::Deserialize;
use verdict::record::Cause;
use verdict::{Finding, Level};

/// How many causes may be shown for one found by hand.
const AT_MOST: f64 = 1.2;

/// Requirements by cause, by server.
type ByHand = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

#[derive(Deserialize)]
struct Failed {
    id: String,
    level: Level,
    findings: Vec<Finding>,
}

fn by_hand() -> ByHand {
    toml::from_str(include_str!("causes/by-hand.toml")).expect("the table")
}

fn text(server: &str) -> String {
    let path = format!("{}/tests/it/causes/{server}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn causes_in(text: &str) -> Vec<Cause> {
    let failed: Vec<Failed> = serde_json::from_str(text).expect("findings");
    let broken = failed.iter().map(|one| Broken { id: &one.id, level: one.level, findings: &one.findings });
    causes(&broken.collect::<Vec<_>>())
}

/// Which cause by hand this requirement belongs to.
fn cause_of<'h>(by_hand: &'h BTreeMap<String, BTreeSet<String>>, server: &str, id: &str) -> &'h str {
    let found = by_hand.iter().find(|(_, breaks)| breaks.contains(id));
    found.unwrap_or_else(|| panic!("{server}: {id} is in no cause by hand")).0
}

#[test]
fn what_the_hand_kept_apart_is_never_merged() {
    let (mut merged, mut apart) = (0, 0);
    for (server, by_hand) in by_hand() {
        let mut met = 0;
        for cause in causes_in(&text(&server)) {
            let by_hand: BTreeSet<&str> = cause.requirements.iter().map(|id| cause_of(&by_hand, &server, id)).collect();
            assert_eq!(by_hand.len(), 1, "{server}: {} merges {by_hand:?}", cause.id);
            merged += pairs(cause.requirements.len());
            met += cause.requirements.len();
        }
        let all = by_hand.values().map(BTreeSet::len).sum();
        assert_eq!(met, all, "{server}: each failed requirement stands in one cause");
        apart += pairs(all) - by_hand.values().map(|breaks| pairs(breaks.len())).sum::<usize>();
    }
    assert!(merged > 60 && apart > 60, "{merged} pairs merged, {apart} kept apart");
}

fn pairs(of: usize) -> usize {
    of * of.saturating_sub(1) / 2
}

#[test]
fn hardly_more_causes_are_shown_than_there_are() {
    let (mut shown, mut there) = (0.0, 0.0);
    for (server, by_hand) in by_hand() {
        shown += f64::from(u32::try_from(causes_in(&text(&server)).len()).unwrap_or(u32::MAX));
        there += f64::from(u32::try_from(by_hand.len()).unwrap_or(u32::MAX));
    }
    assert!(shown <= AT_MOST * there, "{shown} causes for {there}");
}

#[test]
fn the_id_of_a_cause_is_that_of_the_mistake() {
    let ids = |text: &str| causes_in(text).into_iter().map(|cause| cause.id).collect::<Vec<_>>();
    for server in by_hand().keys() {
        let first = text(server);
        let ids_of_first = ids(&first);
        let distinct: BTreeSet<&String> = ids_of_first.iter().collect();
        assert_eq!(distinct.len(), ids_of_first.len(), "{server}");
        // Another run, another seed, another version.
        let again =
            first.replace("\\\"id\\\":", "\\\"id\\\":7").replace("\\\"version\\\":\\\"", "\\\"version\\\":\\\"9.");
        assert_ne!(again, first);
        assert_eq!(ids(&again), ids_of_first, "{server}");
    }
}
