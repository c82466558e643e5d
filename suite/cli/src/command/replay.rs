//! `mcp-conform replay`: sends a stored conversation again and prints the traffic.

use std::path::PathBuf;
use std::process::ExitCode;

use run::fuzz::{Replayed, replay};
use verdict::exit;
use verdict::transcript::Kind;

use crate::failure::Failure;
use crate::server::ServerFlags;
use crate::{files, output};

/// Characters of a line that are shown.
const SHOWN: usize = 400;

/// Send a stored conversation again, one message per line, and print the traffic.
///
/// FILE is a reproducer written by `fuzz`, or any file that could be piped into a server. Its lines are sent unchanged: a
/// server on stdio reads the same bytes as with `cat FILE | ./server`. Afterwards the server is probed to check that it
/// still responds.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File with the conversation
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    server: ServerFlags,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform replay reports/fuzz/1-crash.jsonl -- ./server
  mcp-conform replay reports/fuzz/1-crash.jsonl http://127.0.0.1:3000/mcp

Exit codes:
  0 the server still responds    1 it ended, or no longer responds    2 usage error
  3 the server could not be started or reached";

/// Sends the conversation and prints the traffic.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let bytes = files::read_bytes(&args.file)?;
    let (target, options) = args.server.resolve(args.server.config()?)?;
    if !target.is_own() && !options.yes_disrupt {
        let advice = "a replay may disrupt the server: use --yes-disrupt to allow it for a URL on another machine";
        return Err(Failure::usage(advice));
    }
    let lines: Vec<Vec<u8>> =
        bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect();
    let replayed = replay(&target, &options, &lines)?;
    output::print(&traffic_text(&replayed))?;
    Ok(ExitCode::from(if replayed.alive { exit::CLEAN } else { exit::FINDINGS }))
}

fn traffic_text(replayed: &Replayed) -> String {
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
        (None, true) => "the server still responds\n".to_owned(),
        (None, false) => "the server no longer responds\n".to_owned(),
    }
}
