//! `--baseline` and `--update-baseline`: read before the run, held against its report after it.

use std::path::PathBuf;

use jiff::tz::TimeZone;
use verdict::Level;
use verdict::record::Report;

use super::folder::put;
use super::{Args, Format};
use crate::baseline::{self, Known};
use crate::failure::Failure;
use crate::output;

/// The known findings of a run.
pub(super) struct Baseline {
    path: PathBuf,
    text: String,
    known: Vec<Known>,
    update: bool,
    level: Option<Level>,
    on_stdout: bool,
}

impl Baseline {
    /// Reads the file, if one is named; only an update may make a new one.
    pub(super) fn open(args: &Args) -> Result<Option<Self>, Failure> {
        let Some(path) = args.baseline.clone() else { return Ok(None) };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && args.update_baseline => String::new(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let advice = "\n  --update-baseline makes one from what is found now";
                return Err(Failure::file("read", &path, format!("{error}{advice}")));
            }
            Err(error) => return Err(Failure::file("read", &path, error)),
        };
        let known = baseline::read(&path, &text)?;
        let level = args.fail_on.level();
        let on_stdout = args.format == Format::Human;
        Ok(Some(Self { path, text, known, update: args.update_baseline, level, on_stdout }))
    }

    /// Says what is new, stale or expired, and whether nothing is; or writes the file anew.
    pub(super) fn settle(&self, report: &Report) -> Result<bool, Failure> {
        let name = self.path.display().to_string();
        let known = if self.update {
            let text = baseline::update(&self.text, &self.known, report, self.level);
            put(&self.path, text.as_bytes())?;
            let known = baseline::read(&self.path, &text)?;
            output::say(&format!("wrote {name}: {} entries; each wants its reason", known.len()));
            known
        } else {
            self.known.clone()
        };
        let today = jiff::Timestamp::now().to_zoned(TimeZone::UTC).date();
        let outcome = baseline::compare(report, &known, self.level, today);
        let text = outcome.told(&name);
        if self.on_stdout {
            output::emit(&format!("\n{text}"))?;
        } else {
            output::say(text.trim_end());
        }
        Ok(outcome.is_clean())
    }
}
