//! `mcp-conform replay`: send a stored conversation again and show what comes of it.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use run::fuzz::{Replayed, replay};
use verdict::exit;
use verdict::transcript::Kind;

use super::run::{Args as RunArgs, seconds, settled};
use crate::failure::Failure;
use crate::output;

/// Bytes of a line that are shown.
const SHOWN: usize = 400;

/// Send a recorded conversation again, one message a line, exactly as it stands in FILE, and show what comes of it.
///
/// FILE is what `fuzz` wrote, or any file that could be piped into a server. What a server that reads from a pipe is sent
/// is the same as with `cat FILE | ./server`; then a sign of life is asked for.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The conversation.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A URL, or a program without arguments.
    target: Option<String>,
    /// The program and its arguments.
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
    /// How long the server may take for the sign of life.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// A header for every HTTP request, as 'Name: value'. Repeatable.
    #[arg(long, value_name = "HEADER")]
    header: Vec<String>,
    /// Send it to a URL that is not on this machine.
    #[arg(long)]
    yes_disrupt: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform replay reports/fuzz/1-crash.jsonl -- ./server
  mcp-conform replay reports/fuzz/1-crash.jsonl http://127.0.0.1:3000/mcp

Exit codes:
  0 the server goes on    1 it ended, or gives no sign of life    2 wrong usage
  3 it could not be started or reached";

/// Sends it and prints the conversation.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let bytes = fs::read(&args.file).map_err(|error| Failure::file("read", &args.file, error))?;
    let (target, options) = settled(&RunArgs::borrowed(args.words())?)?;
    if !target.is_own() && !options.yes_disrupt {
        let advice = "what is replayed may disrupt: against a URL that is not on this machine it takes --yes-disrupt";
        return Err(Failure::usage(advice));
    }
    let lines: Vec<Vec<u8>> =
        bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect();
    let replayed = replay(&target, &options, &lines)?;
    output::emit(&printed(&replayed))?;
    Ok(ExitCode::from(if replayed.alive { exit::CLEAN } else { exit::FINDINGS }))
}

impl Args {
    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.header.iter().map(|header| format!("--header={header}")).collect();
        words.extend(self.timeout.map(|limit| format!("--timeout={}", limit.as_secs_f64())));
        words.extend(self.yes_disrupt.then(|| "--yes-disrupt".to_owned()));
        words.extend(self.target.clone());
        words.push("--".to_owned());
        words.extend(self.args.iter().cloned());
        words
    }
}

fn printed(replayed: &Replayed) -> String {
    let mut text = String::new();
    for event in &replayed.events {
        let line = match &event.kind {
            Kind::Send(send) => format!("> {}", send.text),
            Kind::Receive(receive) => format!("< {}", receive.text),
            Kind::Status { status, .. } => format!("< HTTP {status}"),
            Kind::Stderr { text, .. } => format!("| {text}"),
            _ => continue,
        };
        text += &format!("{}\n", report::clip(&line, SHOWN));
    }
    text + &match (&replayed.ended, replayed.alive) {
        (Some(how), _) => format!("the server {how}\n"),
        (None, true) => "the server goes on\n".to_owned(),
        (None, false) => "the server gives no sign of life\n".to_owned(),
    }
}
