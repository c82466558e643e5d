//! Standard output for results, standard error for everything else.

use std::io::{ErrorKind, IsTerminal, Write};

use report::Style;

use crate::failure::Failure;

/// Columns of text that does not go to a terminal.
const WIDTH: usize = 100;

/// Writes a result. A reader who has seen enough (`| head`) is no failure: the exit code stays that of the result.
pub(crate) fn emit(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// Says on standard error what went wrong.
pub(crate) fn complain(failure: &Failure) {
    say(&format!("error: {failure}"));
}

/// Says something on standard error. If nobody can hear it, there is nothing more to be done.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// How text for people is to look on standard output.
pub(crate) fn style() -> Style {
    let out = std::io::stdout();
    let colour = anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never;
    let columns = terminal_size::terminal_size_of(&out).map(|(width, _)| usize::from(width.0));
    let width = if out.is_terminal() { columns.unwrap_or(WIDTH).clamp(60, 140) } else { WIDTH };
    Style { colour, width, ..Style::default() }
}
