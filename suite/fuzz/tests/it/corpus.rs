//! Runs the property of each fuzz target that is over another crate than `wire` over its committed inputs.

use std::fs;
use std::path::{Path, PathBuf};

use mcp_conform_fuzz::Harness;
use reference::fuzzing::Conversation;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// Runs a property over the seeds of a target and over what was once found; says how many seeds there are.
fn run(target: &str, property: fn(&[u8])) {
    let inputs =
        |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("readable").path());
    let seeds: Vec<PathBuf> = inputs(corpus().join(target)).collect();
    assert!(seeds.len() >= 20, "{target} has only {} seeds", seeds.len());
    for file in seeds.into_iter().chain(inputs(corpus().join("found").join(target))) {
        let bytes = fs::read(&file).expect("readable");
        // The name of the input would be lost in the panic of the property.
        if let Err(panic) = std::panic::catch_unwind(|| property(&bytes)) {
            eprintln!("input: {}", file.display());
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn transcripts_are_judged() {
    judge::fuzzing::TARGETS.iter().for_each(|(target, property)| run(target, *property));
}

#[test]
fn instances_are_made_of_schemas() {
    schema::fuzzing::TARGETS.iter().for_each(|(target, property)| run(target, *property));
}

#[test]
fn responses_are_read() {
    run::fuzzing::TARGETS.iter().for_each(|(target, property)| self::run(target, *property));
}

#[test]
fn the_reference_server_answers_rightly() {
    run("reference_server", |bytes| Harness::default().check(Conversation::default, Conversation::say, bytes));
}

#[test]
fn the_dictionary_is_the_one_that_is_made() {
    let file = fs::read_to_string(corpus().join("../fuzz/mcp.dict")).expect("there");
    assert_eq!(file, mcp_conform_fuzz::dictionary());
}
