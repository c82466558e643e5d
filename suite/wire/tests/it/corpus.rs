//! Runs each fuzz target's property over its committed inputs: the seeds and what fuzzing once found.

use std::fs;
use std::path::{Path, PathBuf};

use mcp_conform_wire::fuzzing::{Property, TARGETS};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn corpus() -> PathBuf {
    root().join("corpus")
}

fn name(path: &Path) -> &str {
    path.file_stem().and_then(|name| name.to_str()).expect("a plain name")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = read.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    paths
}

/// Runs the property over every file of the folder and gives how many there were.
fn run(folder: &Path, property: Property) -> usize {
    let files = entries(folder);
    for file in &files {
        let bytes = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        // The name of the input would be lost in the panic of the property.
        if let Err(panic) = std::panic::catch_unwind(|| property(&bytes)) {
            eprintln!("input: {}", file.display());
            std::panic::resume_unwind(panic);
        }
    }
    files.len()
}

#[test]
fn every_seed_keeps_the_property_of_its_target() {
    for (target, property) in TARGETS {
        let seeds = run(&corpus().join(target), *property);
        assert!(seeds >= 20, "{target} has only {seeds} seeds");
    }
}

#[test]
fn what_fuzzing_found_stays_mended() {
    for folder in entries(&corpus().join("found")) {
        if let Some((_, property)) = TARGETS.iter().find(|(target, _)| *target == name(&folder)) {
            assert!(run(&folder, *property) > 0, "{} is empty", folder.display());
        }
    }
}

/// Targets over other crates have inputs here too, run by the tests of those crates.
#[test]
fn no_folder_is_without_a_target_and_no_property_without_its_line() {
    let targets: Vec<_> = entries(&root().join("fuzz/fuzz_targets"));
    let own = |file: &&PathBuf| fs::read_to_string(file).is_ok_and(|text| text.contains("wire::fuzzing::"));
    let mut fuzzed: Vec<_> = targets.iter().filter(own).map(|file| name(file)).collect();
    let mut listed: Vec<_> = TARGETS.iter().map(|(target, _)| *target).collect();
    fuzzed.sort_unstable();
    listed.sort_unstable();
    assert_eq!(fuzzed, listed);
    let folders = entries(&corpus()).into_iter().filter(|path| path.is_dir());
    for folder in folders.chain(entries(&corpus().join("found"))) {
        let known = targets.iter().any(|target| name(target) == name(&folder));
        assert!(known || ["found", "transcripts"].contains(&name(&folder)), "nobody reads {}", folder.display());
    }
}
