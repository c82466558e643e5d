//! Writes results to standard output, and everything else to standard error.

use std::io::{ErrorKind, IsTerminal, Write};

use report::Style;

use crate::failure::Failure;

/// Width of text that does not go to a terminal, in columns.
const WIDTH: usize = 100;

/// Writes a result to standard output, with bidirectional controls escaped. (What is JSON escapes them itself, so that it
/// stays JSON.) A closed pipe (`| head`) is not an error: the exit code stays that of the result.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(report::escape_bidi(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// Writes a line to standard error, with bidirectional controls escaped. If that fails, nothing more can be done.
pub(crate) fn eprint(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", report::escape_bidi(text));
}

/// Returns the layout of text for people on standard output.
pub(crate) fn style() -> Style {
    let out = std::io::stdout();
    let colour = anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never;
    let columns = terminal_size::terminal_size_of(&out).map(|(width, _)| usize::from(width.0));
    let width = if out.is_terminal() { columns.unwrap_or(WIDTH).clamp(60, 140) } else { WIDTH };
    Style { colour, width, ..Style::default() }
}
