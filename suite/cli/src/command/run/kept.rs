//! Generated calls that failed, kept in the reports folder and tried first on the next run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verdict::record::Report;

use super::folder::{left, put};
use crate::failure::Failure;

/// The name of the file.
pub(super) const FILE: &str = "property-counterexamples.json";
/// The version of its format.
const FORMAT: u32 = 1;
/// Calls that are kept; the oldest go first.
const MOST: usize = 500;

/// What the file holds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    format: u32,
    counterexamples: Vec<Counterexample>,
    #[serde(skip)]
    path: PathBuf,
}

/// A call that failed.
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

impl Kept {
    /// Reads the file of a folder.
    pub(super) fn read(folder: &Path) -> Self {
        let path = folder.join(FILE);
        let kept = left::<Self>(&path).filter(|kept| kept.format == FORMAT);
        let counterexamples = kept.map(|kept| kept.counterexamples).unwrap_or_default();
        Self { format: FORMAT, counterexamples, path }
    }

    /// Arguments by tool.
    pub(super) fn arguments(&self) -> BTreeMap<String, Vec<Value>> {
        let mut all: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for one in &self.counterexamples {
            all.entry(one.tool.clone()).or_default().push(one.arguments.clone());
        }
        all
    }

    /// Adds what failed in a run and writes the file, if there is anything to write.
    pub(super) fn write(&self, report: &Report) -> Result<(), Failure> {
        let mut all = self.counterexamples.clone();
        for one in failed(report) {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        all.drain(..all.len().saturating_sub(MOST));
        if all == self.counterexamples {
            return Ok(());
        }
        let kept = Self { format: FORMAT, counterexamples: all, path: PathBuf::new() };
        let mut text = serde_json::to_vec_pretty(&kept).unwrap_or_default();
        text.push(b'\n');
        put(&self.path, &text)
    }
}

fn failed(report: &Report) -> Vec<Counterexample> {
    let mut all = Vec::new();
    for record in report.records() {
        for entry in &record.requirements {
            let requests = entry.findings.iter().filter_map(|finding| finding.generated.as_ref());
            // What takes strings gets the telling ones every time.
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
