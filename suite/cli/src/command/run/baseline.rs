//! `--baseline` and `--update-baseline`: the file is read before the run and compared with its report after it.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use verdict::record::Report;

use crate::bar::Bar;
use crate::baseline::{self, BaselineComparison, KnownFinding};
use crate::failure::Failure;
use crate::files::write_atomic;
use crate::output;

/// The baseline that a run is compared with.
pub(super) struct BaselineGate {
    path: PathBuf,
    text: String,
    known: Vec<KnownFinding>,
    update: bool,
    bar: Bar,
    on_stdout: bool,
}

impl BaselineGate {
    /// Reads the file. It may be missing only if it is to be updated.
    pub(super) fn open(path: &Path, update: bool, bar: Bar, on_stdout: bool) -> Result<Self, Failure> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && update => String::new(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let advice = "\n  use --update-baseline to create it from the findings of this run";
                return Err(Failure::file("read", path, format!("{error}{advice}")));
            }
            Err(error) => return Err(Failure::file("read", path, error)),
        };
        let known = baseline::read(path, &text)?;
        Ok(Self { path: path.to_owned(), text, known, update, bar, on_stdout })
    }

    /// Compares a report with the file, after updating it if asked to, and marks the findings that it accepts.
    pub(super) fn accept(&self, report: &mut Report, interrupted: bool) -> Result<Accepted, Failure> {
        let name = self.path.display().to_string();
        let known = if self.update && !interrupted {
            let text = baseline::update(&self.text, &self.known, report, self.bar);
            write_atomic(&self.path, text.as_bytes())?;
            let known = baseline::read(&self.path, &text)?;
            output::eprint(&format!("wrote {name}: {} entries; replace the placeholder reasons", known.len()));
            known
        } else {
            self.known.clone()
        };
        let today = jiff::Timestamp::now().to_zoned(TimeZone::UTC).date();
        baseline::mark_known(report, &known, today, &name);
        let comparison = baseline::compare(report, &known, self.bar, today);
        Ok(Accepted { comparison, name, on_stdout: self.on_stdout })
    }
}

/// A report compared with the baseline.
pub(super) struct Accepted {
    comparison: BaselineComparison,
    name: String,
    on_stdout: bool,
}

impl Accepted {
    /// Prints new, stale and expired findings.
    pub(super) fn print(&self) -> Result<(), Failure> {
        let text = self.comparison.message(&self.name);
        if self.on_stdout {
            return output::print(&format!("\n{text}"));
        }
        output::eprint(text.trim_end());
        Ok(())
    }

    /// Returns whether nothing is new, stale or expired.
    pub(super) fn is_clean(&self) -> bool {
        self.comparison.is_clean()
    }
}
