//! The files of fuzzing in the reports folder: a reproducer for each finding, and fuzz.json with all details.

use std::fs;
use std::path::{Path, PathBuf};

use fuzz::opening;
use run::Target;
use run::fuzz::{Found, Fuzzed};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::files::write_atomic;

/// The folder of the reproducers.
const FOLDER: &str = "fuzz";

/// Creates the folder.
pub(super) fn open(reports: &Path) -> Result<(), Failure> {
    let folder = reports.join(FOLDER);
    fs::create_dir_all(&folder).map_err(|error| Failure::file("write to", &folder, error))
}

/// Writes all files and returns the reproducer of each finding, in order.
pub(super) fn write(reports: &Path, fuzzed: &Fuzzed, target: &Target, seed: u64) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for (at, found) in fuzzed.findings.iter().enumerate() {
        let file = reports.join(FOLDER).join(name(at + 1, found));
        write_atomic(&file, &conversation(fuzzed, found))?;
        files.push(file);
    }
    let findings: Vec<Value> = fuzzed.findings.iter().zip(&files).map(|(found, file)| row(found, file)).collect();
    let summary = json!({
        "format": 1,
        "target": target.record(),
        "server": fuzzed.server,
        "protocol": fuzzed.revision,
        "seed": seed,
        "seconds": fuzzed.took.as_secs_f64(),
        "conversations": fuzzed.pace.conversations,
        "behaviours": fuzzed.pace.behaviours,
        "interrupted": fuzzed.interrupted,
        "known": fuzzed.known,
        "findings": findings,
    });
    write_atomic(&reports.join("fuzz.json"), format!("{summary:#}\n").as_bytes())?;
    Ok(files)
}

/// Returns the whole conversation as the server reads it.
fn conversation(fuzzed: &Fuzzed, found: &Found) -> Vec<u8> {
    let opening = opening(fuzzed.revision).into_iter().map(String::into_bytes);
    let repeated = (0..found.times).flat_map(|_| found.lines.iter().cloned());
    let lines: Vec<Vec<u8>> = opening.chain(repeated).collect();
    let mut text = lines.join(&b'\n');
    text.push(b'\n');
    text
}

fn row(found: &Found, file: &Path) -> Value {
    json!({
        "kind": found.sort.as_str(),
        "requirement": found.requirement,
        "message": found.message,
        "finding": found.finding,
        "stderr": found.stderr,
        "repeats": found.repeats,
        "times": found.times,
        "after_seconds": found.after.as_secs_f64(),
        "messages": found.lines.len(),
        "reproducer": file,
    })
}

fn name(number: usize, found: &Found) -> String {
    let about = found.requirement.map(|id| format!("-{}", id.replace(['.', '/'], "-"))).unwrap_or_default();
    format!("{number}-{}{about}.jsonl", found.sort.as_str())
}
