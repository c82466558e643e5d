//! `selftest` on a small part of the matrix; more of it is run by `.ci/run`, all of it by `.ci/full matrix`.

use crate::support::{Bench, record};

#[test]
fn a_fault_is_found_over_both_transports_and_the_servers_are_gone() {
    let outcome = Bench::new().run(&[
        "selftest",
        "--format",
        "json",
        "--only",
        "tools.call.unknown-tool",
        "--protocol",
        "2025-06-18,2026-07-28",
    ]);
    assert_eq!(outcome.code, 0, "{}", outcome.out);
    let document = record(&outcome);
    let trials = document["trials"].as_array().expect("trials");
    let transports: Vec<&str> = trials.iter().filter_map(|trial| trial["transport"].as_str()).collect();
    assert!(transports.contains(&"stdio") && transports.contains(&"http"), "{transports:?}");
    assert_eq!(document["summary"]["killed"], trials.len());
}

#[test]
fn a_fault_is_judged_against_all_requirements_and_timed() {
    let args =
        ["selftest", "--only", "tools.name.unique", "--protocol", "2025-11-25", "--transport", "stdio", "--whole"];
    let outcome = Bench::new().run(&args);
    assert_eq!(outcome.code, 0, "{}", outcome.out);
    assert!(outcome.out.contains("1 of 1 faults found"), "{}", outcome.out);
    let (_, slowest) = outcome.out.split_once("slowest faults").expect("their times");
    assert!(slowest.contains("fault tools.name.unique (2025-11-25 over stdio)"), "{}", outcome.out);
}

#[test]
fn the_table_is_for_people() {
    let outcome = Bench::new().run(&[
        "selftest",
        "--only",
        "tools.call.unknown-tool",
        "--protocol",
        "2025-11-25",
        "--transport",
        "stdio",
    ]);
    assert_eq!(outcome.code, 0, "{}", outcome.out);
    assert!(outcome.out.starts_with("faults found") && outcome.out.contains("faults found\n"), "{}", outcome.out);
}

#[test]
fn what_does_not_exist_is_not_tested() {
    let refused = Bench::new().run(&["selftest", "--only", "tools.call.unkown-tool"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("did you mean tools.call.unknown-tool"), "{}", refused.err);
    let pigeon = Bench::new().run(&["selftest", "--transport", "pigeon"]);
    assert_eq!(pigeon.code, 2);
    assert!(pigeon.err.contains("expected stdio, http or sse"), "{}", pigeon.err);
}
