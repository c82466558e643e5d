//! Reports as commands give them: rendered for standard output, and as files in the reports folder.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Component, Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use flate2::Compression;
use flate2::write::GzEncoder;
use report::{FORMATS, Format, Place, Setting, Style};
use verdict::record::{Record, Report};
use verdict::transcript::Event;
use verdict::{Level, Revision};

use crate::dependency;
use crate::failure::Failure;
use crate::files::write_atomic;
use crate::output;

/// Where a run leaves its report, if no other folder is named.
pub(crate) const LAST_REPORT: &str = "reports/report.json";

/// Returns the parser of `--format`.
pub(crate) fn format_parser() -> impl TypedValueParser<Value = Format> {
    let values = FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.help));
    // Only names of formats get this far.
    PossibleValuesParser::new(values).map(|name| Format::by_name(&name).unwrap_or(report::HUMAN))
}

/// Returns the names of the files in a reports folder, for the help.
pub(crate) fn file_names() -> String {
    FORMATS.iter().filter_map(|format| format.file).collect::<Vec<_>>().join(", ")
}

/// What a report for people shows in full.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct DetailFlags {
    /// Show advice in full instead of one line each
    #[arg(long)]
    advice: bool,
    /// Show in full, instead of one line each, what the SDK of the server is to blame for
    #[arg(long)]
    sdk_findings: bool,
}

/// Renders the report for standard output.
pub(crate) fn render(format: Format, details: DetailFlags, report: &Report) -> String {
    let style = Style { advice: details.advice, sdk: details.sdk_findings, ..output::style() };
    format.render(report, &Anchors::of(report).setting(&style, Some(Level::Must)))
}

/// Renders the annotations of a GitHub Actions run.
pub(crate) fn annotations(report: &Report, fail_on: Option<Level>) -> String {
    report::GITHUB.render(report, &Anchors::of(report).setting(&Style::default(), fail_on))
}

/// The places to which services attach findings.
struct Anchors {
    server: String,
    sdk: Option<Place>,
}

impl Anchors {
    fn of(report: &Report) -> Self {
        Self { server: anchor(report), sdk: dependency::named_in(Path::new(""), report) }
    }

    fn setting<'a>(&'a self, style: &'a Style, fail_on: Option<Level>) -> Setting<'a> {
        Setting { style, anchor: &self.server, sdk_at: self.sdk.as_ref(), fail_on }
    }
}

/// Returns the file to which findings about a server are attached: the first file of its command that lies under the
/// working directory, else the configuration file.
fn anchor(report: &Report) -> String {
    let command = report.records().first().and_then(|record| record.target.command.as_deref()).unwrap_or_default();
    let is_local_file = |word: &&String| {
        let path = Path::new(word.as_str());
        path.is_relative()
            && path.is_file()
            && path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    let file = command.iter().find(is_local_file).map(|word| word.trim_start_matches("./").to_owned());
    file.unwrap_or_else(|| "mcp-conform.toml".to_owned())
}

/// A writable reports folder.
#[derive(Debug)]
pub(crate) struct ReportsFolder {
    path: PathBuf,
}

impl ReportsFolder {
    /// Creates the folder if it is missing, and checks that it is writable.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let refuse = |error| {
            let message = Failure::file("write reports to", path, error);
            Failure::usage(format!("{message}\n  use --reports DIR to choose another folder"))
        };
        fs::create_dir_all(path).map_err(refuse)?;
        let probe = path.join(format!(".report.{}.tmp", std::process::id()));
        fs::write(&probe, b"").map_err(refuse)?;
        let _ = fs::remove_file(&probe);
        Ok(Self { path: path.to_owned() })
    }

    /// Writes the report in every format that has a file, and the transcripts.
    pub(crate) fn write(&self, report: &Report, transcripts: &[Vec<Event>]) -> Result<(), Failure> {
        self.remove_transcripts();
        let style = Style { advice: true, sdk: true, ..Style::default() };
        let anchors = Anchors::of(report);
        let setting = anchors.setting(&style, Some(Level::Must));
        for format in FORMATS {
            if let Some(file) = format.file {
                write_atomic(&self.path.join(file), format.render(report, &setting).as_bytes())?;
            }
        }
        self.write_transcripts(report, transcripts)
    }

    /// Removes the transcripts of an earlier run: beside the report of this one they would be taken for its own.
    fn remove_transcripts(&self) {
        let names = Revision::ALL.iter().map(|revision| format!("transcript.{revision}.jsonl"));
        for name in names.chain(["transcript.jsonl".to_owned()]) {
            // Most of them are not there.
            let _ = fs::remove_file(self.path.join(&name));
            let _ = fs::remove_file(self.path.join(format!("{name}.gz")));
        }
    }

    /// Writes the transcripts in parallel: each is long.
    fn write_transcripts(&self, report: &Report, transcripts: &[Vec<Event>]) -> Result<(), Failure> {
        std::thread::scope(|scope| {
            let write = |record: &Record, events| {
                let name = match report {
                    Report::One(_) => "transcript.jsonl.gz".to_owned(),
                    Report::All(_) => format!("transcript.{}.jsonl.gz", record.protocol),
                };
                let path = self.path.join(name);
                scope.spawn(move || write_atomic(&path, &compressed_lines(events)))
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

fn compressed_lines(events: &[Event]) -> Vec<u8> {
    // The encoder clears 32 KiB for each write, however small: it gets a few large ones.
    let mut lines = BufWriter::with_capacity(1 << 16, GzEncoder::new(Vec::new(), Compression::fast()));
    for event in events {
        // Serializing plain data to memory cannot fail.
        if serde_json::to_writer(&mut lines, event).is_ok() {
            let _ = lines.write_all(b"\n");
        }
    }
    lines.into_inner().ok().and_then(|encoder| encoder.finish().ok()).unwrap_or_default()
}
