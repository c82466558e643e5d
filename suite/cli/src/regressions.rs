//! Findings of `mcp-conform fuzz`: kept in the reports folder and repeated first on the next run.

use std::path::{Path, PathBuf};

use run::fuzz::{Again, Found, Fuzzed, Regression, Sort, regress};
use run::{Options, Target};
use serde::{Deserialize, Serialize};
use verdict::Revision;

use crate::failure::Failure;
use crate::files::{read_state, write_atomic};
use crate::globs::matches;

/// The name of the file.
const FILE: &str = "fuzz-regressions.json";
/// The version of its format.
const FORMAT: u32 = 1;
/// Limit of stored findings; the oldest are dropped first.
const MOST: usize = 100;

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Regressions {
    format: u32,
    regressions: Vec<Entry>,
    #[serde(skip)]
    path: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    /// Name and version of the server in which it was found.
    server: String,
    protocol: Revision,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    requirement: Option<String>,
    /// The defect.
    message: String,
    times: u32,
    /// The messages after the opening.
    lines: Vec<Line>,
}

/// A message; one that is not UTF-8 is stored as bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Text(String),
    Bytes(Vec<u8>),
}

impl Regressions {
    /// Reads the file in a reports folder.
    pub(crate) fn read(folder: &Path) -> Self {
        let path = folder.join(FILE);
        let stored = read_state::<Self>(&path).filter(|stored| stored.format == FORMAT);
        Self { format: FORMAT, path, ..stored.unwrap_or_default() }
    }

    /// Adds the findings that repeat, and writes the file if that changes it.
    pub(crate) fn add(mut self, fuzzed: &Fuzzed) -> Result<(), Failure> {
        let before = self.regressions.len();
        for found in fuzzed.findings.iter().filter(|found| found.repeats) {
            let entry = Entry::of(fuzzed, found);
            if !self.regressions.iter().any(|known| known.protocol == entry.protocol && known.lines == entry.lines) {
                self.regressions.push(entry);
            }
        }
        if self.regressions.len() == before {
            return Ok(());
        }
        self.regressions.drain(..self.regressions.len().saturating_sub(MOST));
        let mut text = serde_json::to_vec_pretty(&self).unwrap_or_default();
        text.push(b'\n');
        write_atomic(&self.path, &text)
    }

    /// Repeats all that `--only` and `--skip` allow, and returns a message for each that still happens.
    pub(crate) fn still_failing(&self, target: &Target, options: &Options) -> Result<Vec<String>, Failure> {
        let wanted = self.regressions.iter().filter(|entry| entry.is_wanted(options));
        let known: Vec<(&Entry, Regression)> = wanted.filter_map(|entry| Some((entry, entry.regression()?))).collect();
        if known.is_empty() {
            return Ok(Vec::new());
        }
        let all: Vec<Regression> = known.iter().map(|(_, regression)| regression.clone()).collect();
        let again = regress(target, options, &all)?;
        let happens = known.iter().zip(again).filter_map(|((entry, _), again)| match again {
            Again::Happens(how) => Some(entry.message(&how)),
            Again::Mended | Again::Untried(_) => None,
        });
        Ok(happens.collect())
    }
}

impl Entry {
    fn of(fuzzed: &Fuzzed, found: &Found) -> Self {
        let line =
            |line: &Vec<u8>| String::from_utf8(line.clone()).map_or_else(|_| Line::Bytes(line.clone()), Line::Text);
        Self {
            server: fuzzed.server.clone(),
            protocol: fuzzed.revision,
            kind: found.sort.as_str().to_owned(),
            requirement: found.requirement.map(str::to_owned),
            message: found.message.clone(),
            times: found.times,
            lines: found.lines.iter().map(line).collect(),
        }
    }

    fn is_wanted(&self, options: &Options) -> bool {
        let among =
            |globs: &[String]| self.requirement.as_deref().is_some_and(|id| globs.iter().any(|glob| matches(glob, id)));
        (options.only.is_empty() || among(&options.only)) && !among(&options.skip)
    }

    fn regression(&self) -> Option<Regression> {
        let lines: Vec<Vec<u8>> = self.lines.iter().map(Line::bytes).collect();
        Some(Regression {
            revision: self.protocol,
            sort: Sort::named(&self.kind)?,
            requirement: self.requirement.clone(),
            lines,
            times: self.times.clamp(1, 1_000),
        })
    }

    fn message(&self, how: &str) -> String {
        let about = self.requirement.as_deref().map(|id| format!(" {id}")).unwrap_or_default();
        let mut text = format!("found by earlier fuzzing and still happens: {}{about}: {how}", self.kind);
        for line in self.lines.iter().take(4) {
            text += &format!("\n    > {}", report::clip(&String::from_utf8_lossy(&line.bytes()), 160));
        }
        text
    }
}

impl Line {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Bytes(bytes) => bytes.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::fuzz::Pace;
    use std::time::Duration;

    #[test]
    fn what_happens_again_is_kept_once_byte_by_byte() {
        let folder = tempfile::tempdir().expect("a folder");
        let found = |lines: &[&[u8]], repeats| Found {
            sort: Sort::Crash,
            message: "the server exited with status 1".to_owned(),
            requirement: None,
            finding: None,
            stderr: Vec::new(),
            lines: lines.iter().map(|line| line.to_vec()).collect(),
            times: 1,
            repeats,
            after: Duration::ZERO,
        };
        let fuzzed = Fuzzed {
            server: "s 1".to_owned(),
            revision: Revision::V2025_11_25,
            findings: vec![found(&[b"{}", b"\xff"], true), found(&[b"[]"], false)],
            pace: Pace::default(),
            known: Vec::new(),
            interrupted: false,
            took: Duration::ZERO,
        };
        for _ in 0..2 {
            Regressions::read(folder.path()).add(&fuzzed).expect("written");
            let kept = Regressions::read(folder.path());
            let all: Vec<Regression> = kept.regressions.iter().filter_map(Entry::regression).collect();
            assert_eq!(all.len(), 1);
            assert_eq!(all[0].lines, [b"{}".to_vec(), b"\xff".to_vec()]);
        }
    }
}
