//! Generated calls that failed: kept in the reports folder and repeated first on the next run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verdict::record::Report;

use crate::failure::Failure;
use crate::files::{read_state, write_atomic};

/// The name of the file.
const FILE: &str = "property-counterexamples.json";
/// The version of its format.
const FORMAT: u32 = 1;
/// Limit of stored calls; the oldest are dropped first.
const MOST: usize = 500;

/// The content of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Counterexamples {
    format: u32,
    counterexamples: Vec<Counterexample>,
    #[serde(skip)]
    path: PathBuf,
}

/// A generated call that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Counterexample {
    /// The server's name.
    server: String,
    tool: String,
    /// The requirement that it broke.
    id: String,
    /// The keyword that the arguments break, if they are invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keyword: Option<String>,
    arguments: Value,
}

impl Counterexamples {
    /// Reads the file in a reports folder.
    pub(super) fn read(folder: &Path) -> Self {
        let path = folder.join(FILE);
        let stored = read_state::<Self>(&path).filter(|stored| stored.format == FORMAT);
        let counterexamples = stored.map(|stored| stored.counterexamples).unwrap_or_default();
        Self { format: FORMAT, counterexamples, path }
    }

    /// Returns the arguments by tool.
    pub(super) fn arguments(&self) -> BTreeMap<String, Vec<Value>> {
        let mut all: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for one in &self.counterexamples {
            all.entry(one.tool.clone()).or_default().push(one.arguments.clone());
        }
        all
    }

    /// Adds the calls that failed in a run, and writes the file if that changes it.
    pub(super) fn update(&self, report: &Report) -> Result<(), Failure> {
        let mut all = self.counterexamples.clone();
        for one in failed_calls(report) {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        all.drain(..all.len().saturating_sub(MOST));
        if all == self.counterexamples {
            return Ok(());
        }
        let updated = Self { format: FORMAT, counterexamples: all, path: PathBuf::new() };
        let mut text = serde_json::to_vec_pretty(&updated).unwrap_or_default();
        text.push(b'\n');
        write_atomic(&self.path, &text)
    }
}

fn failed_calls(report: &Report) -> Vec<Counterexample> {
    let mut all = Vec::new();
    for record in report.records() {
        for entry in &record.requirements {
            let requests = entry.findings.iter().filter_map(|finding| finding.generated.as_ref());
            // Prompts, templates and completions get their telling strings on every run.
            for generated in requests.filter(|generated| generated.method.is_none()) {
                let (Some(tool), true) = (generated.call["name"].as_str(), generated.minimal) else { continue };
                all.push(Counterexample {
                    server: record.server.name.clone(),
                    tool: tool.to_owned(),
                    id: entry.id.clone(),
                    keyword: generated.keyword.clone(),
                    arguments: generated.call["arguments"].clone(),
                });
            }
        }
    }
    all
}
