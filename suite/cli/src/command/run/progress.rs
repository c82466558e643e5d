//! Progress on a terminal while a run goes on; nothing where nobody watches.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use run::Progress;

/// One line on standard error that is rewritten.
pub(crate) struct Bar(Option<ProgressBar>);

impl Bar {
    /// A bar, unless it was not wanted, standard error is no terminal, or this is continuous integration.
    pub(crate) fn new(quiet: bool) -> Self {
        if quiet || std::env::var_os("CI").is_some() || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let style = ProgressStyle::with_template("{spinner} [{elapsed}] {prefix}{wide_msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner()).tick_chars("|/-\\ ");
        let bar = ProgressBar::new_spinner().with_style(style);
        bar.enable_steady_tick(Duration::from_millis(120));
        bar.set_message("starting the server");
        Self(Some(bar))
    }

    /// Shows a step of a run.
    pub(crate) fn show(&self, step: &Progress) {
        let Some(bar) = &self.0 else { return };
        match step {
            Progress::Phase(phase) => bar.set_message((*phase).to_owned()),
            Progress::Speaks { server, revision } => bar.set_prefix(format!("{}, {revision}: ", printable(server))),
            Progress::Scenario { name, done, total } => bar.set_message(format!("{done} of {total} scenarios, {name}")),
        }
    }

    /// Shows a line of text.
    pub(crate) fn say(&self, text: String) {
        if let Some(bar) = &self.0 {
            bar.set_message(text);
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// A server's name must not move the cursor.
fn printable(text: &str) -> String {
    text.chars().take(60).filter(|letter| !letter.is_control()).collect()
}
