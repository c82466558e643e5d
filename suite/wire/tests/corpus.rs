//! Runs each fuzz target's property over its committed inputs: the seeds and what fuzzing once found.

use std::fs;
use std::path::{Path, PathBuf};

use mcp_conform_wire::fuzzing::{Property, TARGETS};

/// The corpus also holds inputs of other crates; only the folders of this one are read here.
fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
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
        let name = folder.file_name().and_then(|name| name.to_str()).expect("a folder named after a target");
        if let Some((_, property)) = TARGETS.iter().find(|(target, _)| *target == name) {
            assert!(run(&folder, *property) > 0, "{name} is empty");
        }
    }
}
