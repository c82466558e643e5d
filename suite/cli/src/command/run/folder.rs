//! The reports folder: files of every kind, each written whole or not at all.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use report::{Style, badge, gitlab, html, human, json, junit, markdown, sarif, tap};
use serde::de::DeserializeOwned;
use verdict::record::{Record, Report};
use verdict::transcript::Event;

use crate::failure::Failure;

/// Bytes of a file that is left for the next run.
const LONGEST: u64 = 32 << 20;

/// A folder that can be written to.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder if need be, and tries whether it can be written to.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let refuse = |error| {
            let Failure::Usage(text) = Failure::file("write reports to", path, error) else {
                unreachable!("made just here")
            };
            Failure::Usage(format!("{text}\n  --reports DIR names another folder"))
        };
        fs::create_dir_all(path).map_err(refuse)?;
        let probe = path.join(format!(".report.{}.tmp", std::process::id()));
        fs::write(&probe, b"").map_err(refuse)?;
        let _ = fs::remove_file(&probe);
        Ok(Self { path: path.to_owned() })
    }

    /// Writes every kind of report, and what crossed the wire.
    pub(crate) fn write(&self, report: &Report, transcripts: &[Vec<Event>]) -> Result<(), Failure> {
        let style = Style { advice: true, ..Style::default() };
        put(&self.path.join("report.json"), json(report).as_bytes())?;
        put(&self.path.join("report.xml"), junit(report).as_bytes())?;
        put(&self.path.join("report.sarif"), sarif(report, &super::anchor(report)).as_bytes())?;
        put(&self.path.join("report.md"), markdown(report).as_bytes())?;
        put(&self.path.join("report.html"), html(report).as_bytes())?;
        put(&self.path.join("report.txt"), human(report, &style).as_bytes())?;
        put(&self.path.join("report.tap"), tap(report).as_bytes())?;
        put(&self.path.join("gl-code-quality-report.json"), gitlab(report, &super::anchor(report)).as_bytes())?;
        put(&self.path.join("badge.json"), badge(report).as_bytes())?;
        self.transcripts(report, transcripts)
    }

    /// Side by side: each is long.
    fn transcripts(&self, report: &Report, transcripts: &[Vec<Event>]) -> Result<(), Failure> {
        std::thread::scope(|scope| {
            let write = |record: &Record, events| {
                let name = match report {
                    Report::One(_) => "transcript.jsonl".to_owned(),
                    Report::All(_) => format!("transcript.{}.jsonl", record.protocol),
                };
                let path = self.path.join(name);
                scope.spawn(move || put(&path, &lines(events)))
            };
            let records = report.records().iter().zip(transcripts);
            let writing: Vec<_> = records.map(|(record, events)| write(record, events)).collect();
            writing.into_iter().try_for_each(|writing| match writing.join() {
                Ok(written) => written,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    }
}

/// What an earlier run left for the next one. A file that cannot be read is as good as none: it only makes a run find things
/// sooner.
pub(super) fn left<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let short = fs::metadata(path).is_ok_and(|data| data.len() <= LONGEST);
    let text = fs::read(path).ok().filter(|_| short)?;
    serde_json::from_slice(&text).ok()
}

/// Writes a file whole: a reader never sees half of it.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written =
        fs::File::create(&beside).and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&beside);
        Failure::file("write", path, error)
    })
}

fn lines(events: &[Event]) -> Vec<u8> {
    let mut text = Vec::new();
    for event in events {
        // Plain data in memory is always written.
        if serde_json::to_writer(&mut text, event).is_ok() {
            text.push(b'\n');
        }
    }
    text
}
