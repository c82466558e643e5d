//! The outputs of a run: the report on standard output, the files in the reports folder, and GitHub annotations.

use report::{Format, brief};
use verdict::Level;
use verdict::record::Report;
use verdict::transcript::Event;

use crate::failure::Failure;
use crate::output;
use crate::reports::{DetailFlags, ReportsFolder, annotations, render};

/// Where the report of a run goes.
pub(super) struct Outputs {
    pub(super) folder: ReportsFolder,
    pub(super) format: Format,
    pub(super) details: DetailFlags,
    pub(super) timing: bool,
    pub(super) quiet: bool,
    pub(super) fail_on: Option<Level>,
}

impl Outputs {
    /// Writes the files of the reports folder.
    pub(super) fn write_files(&self, report: &Report, transcripts: &[Vec<Event>]) -> Result<(), Failure> {
        self.folder.write(report, transcripts)
    }

    /// Prints the report, and the annotations where GitHub Actions runs it.
    pub(super) fn print(&self, report: &Report) -> Result<(), Failure> {
        output::print(&self.text(report))?;
        if self.timing {
            output::eprint(&report::timing(report));
        }
        self.annotate(report)
    }

    /// Prints the report about a target that could not be judged, unless it is for people: the error says it all.
    pub(super) fn print_unjudged(&self, report: &Report) -> Result<(), Failure> {
        if self.format == report::HUMAN { Ok(()) } else { output::print(&self.text(report)) }
    }

    fn text(&self, report: &Report) -> String {
        if self.quiet && self.format == report::HUMAN {
            return brief(report, &output::style());
        }
        render(self.format, self.details, report)
    }

    fn annotate(&self, report: &Report) -> Result<(), Failure> {
        let in_actions = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
        if !in_actions || self.format == report::GITHUB {
            return Ok(());
        }
        let text = annotations(report, self.fail_on);
        if self.format == report::HUMAN {
            return output::print(&text);
        }
        // GitHub reads commands from standard error as well; standard output is left to readers of the format.
        output::eprint(text.trim_end());
        Ok(())
    }
}
