//! The progress line on a terminal; nothing where standard error is not one.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use run::Progress;
use verdict::Revision;

/// A line on standard error that is updated in place.
pub(crate) struct ProgressLine {
    line: Option<ProgressBar>,
    /// Finished and total scenarios, by revision.
    done: Mutex<BTreeMap<Revision, (usize, usize)>>,
}

impl ProgressLine {
    /// Returns a progress line; a hidden one with `quiet`, without a terminal on standard error, or in continuous integration.
    pub(crate) fn new(quiet: bool) -> Self {
        if quiet || std::env::var_os("CI").is_some() || !std::io::stderr().is_terminal() {
            return Self::on(None);
        }
        let style = ProgressStyle::with_template("{spinner} [{elapsed}] {prefix}{wide_msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner()).tick_chars("|/-\\ ");
        let bar = ProgressBar::new_spinner().with_style(style);
        bar.enable_steady_tick(Duration::from_millis(120));
        bar.set_message("starting the server");
        Self::on(Some(bar))
    }

    fn on(line: Option<ProgressBar>) -> Self {
        Self { line, done: Mutex::default() }
    }

    /// Shows a step of a run.
    pub(crate) fn show(&self, step: &Progress) {
        let Some(bar) = &self.line else { return };
        match step {
            Progress::Phase(phase) => bar.set_message((*phase).to_owned()),
            Progress::Speaks { server, revision } => {
                let revisions = match self.update_counts(*revision, (0, 0)).len() {
                    1 => revision.to_string(),
                    several => format!("{several} revisions"),
                };
                bar.set_prefix(format!("{}, {revisions}: ", short_name(server)));
            }
            Progress::Waits { name, what, long } => {
                bar.set_message(format!(
                    "{}: waiting for {}, {} s",
                    short_name(name),
                    short_name(what),
                    long.as_secs()
                ));
            }
            Progress::Scenario { revision, name, done, total } => {
                let counts = self.update_counts(*revision, (*done, *total));
                let (done, total) = counts.iter().fold((0, 0), |sum, (done, total)| (sum.0 + done, sum.1 + total));
                bar.set_message(format!("{done} of {total} scenarios, {name}"));
            }
        }
    }

    /// Updates the counts of a revision and returns those of all.
    fn update_counts(&self, revision: Revision, count: (usize, usize)) -> Vec<(usize, usize)> {
        let Ok(mut done) = self.done.lock() else { return vec![count] };
        done.insert(revision, count);
        done.values().copied().collect()
    }

    /// Shows a line of text.
    pub(crate) fn set_message(&self, text: String) {
        if let Some(bar) = &self.line {
            bar.set_message(text);
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.line {
            bar.finish_and_clear();
        }
    }
}

/// Shortens a server's name, and escapes what would move the cursor or reorder the line.
fn short_name(text: &str) -> String {
    report::printable(&text.chars().take(60).collect::<String>())
}
