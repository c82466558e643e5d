//! `--baseline` and `--update-baseline`: the file is read before the run and compared with its report after it.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use verdict::Level;
use verdict::record::Report;

use crate::baseline::{self, KnownFinding};
use crate::failure::Failure;
use crate::files::write_atomic;
use crate::output;

/// The baseline that a run is compared with.
pub(super) struct BaselineGate {
    path: PathBuf,
    text: String,
    known: Vec<KnownFinding>,
    update: bool,
    level: Option<Level>,
    on_stdout: bool,
}

impl BaselineGate {
    /// Reads the file. It may be missing only if it is to be updated.
    pub(super) fn open(path: &Path, update: bool, level: Option<Level>, on_stdout: bool) -> Result<Self, Failure> {
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
        Ok(Self { path: path.to_owned(), text, known, update, level, on_stdout })
    }

    /// Prints new, stale and expired findings, after updating the file if asked to. Returns whether there are none.
    pub(super) fn check(&self, report: &Report) -> Result<bool, Failure> {
        let name = self.path.display().to_string();
        let known = if self.update {
            let text = baseline::update(&self.text, &self.known, report, self.level);
            write_atomic(&self.path, text.as_bytes())?;
            let known = baseline::read(&self.path, &text)?;
            output::say(&format!("wrote {name}: {} entries; replace the placeholder reasons", known.len()));
            known
        } else {
            self.known.clone()
        };
        let today = jiff::Timestamp::now().to_zoned(TimeZone::UTC).date();
        let comparison = baseline::compare(report, &known, self.level, today);
        let text = comparison.message(&name);
        if self.on_stdout {
            output::emit(&format!("\n{text}"))?;
        } else {
            output::say(text.trim_end());
        }
        Ok(comparison.is_clean())
    }
}
