//! Another driver: a command that tells its rate, or how many calls it made while it was timed.

use std::error::Error;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A command with a name.
pub(crate) struct Peer {
    pub(crate) name: String,
    words: Vec<String>,
}

impl Peer {
    pub(crate) fn read(text: &str) -> Result<Self, Box<dyn Error>> {
        let (name, command) = text.split_once('=').ok_or("a peer is NAME=COMMAND")?;
        let words = command.split_whitespace().map(str::to_owned).collect();
        Ok(Self { name: name.to_owned(), words })
    }

    /// Calls a second.
    pub(crate) fn rate(&self, calls: u32) -> Result<f64, Box<dyn Error>> {
        let mut words = self.words.iter().map(|word| word.replace("{calls}", &calls.to_string()));
        let program = words.next().ok_or("a peer needs a command")?;
        let began = Instant::now();
        let output = Command::new(program).args(words).stdin(Stdio::null()).stderr(Stdio::piped()).output()?;
        let elapsed = began.elapsed().as_secs_f64();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let told = number_after(&text, "\"throughput\":");
        let counted = number_before(&text, " calls").map(|calls| calls / elapsed);
        told.or(counted).ok_or_else(|| format!("{} tells no rate: {text}", self.name).into())
    }
}

fn number_after(text: &str, mark: &str) -> Option<f64> {
    let (_, rest) = text.split_once(mark)?;
    let rest = rest.trim_start();
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
    rest[..end].parse().ok()
}

fn number_before(text: &str, mark: &str) -> Option<f64> {
    let (before, _) = text.split_once(mark)?;
    let begin = before.rfind(|letter: char| !letter.is_ascii_digit()).map_or(0, |at| at + 1);
    before[begin..].parse().ok()
}
