//! `mcp-conform diff`: what changed between two reports of a server.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use verdict::exit;

use crate::diff::{Diff, Side, diff, markdown, text};
use crate::failure::Failure;
use crate::output;

/// Compare two reports of a server: findings that are fixed, new or changed, and tools that clients can no longer use as
/// they did.
///
/// OLD and NEW are each a report.json or a snapshot; a snapshot does not hold the tools. A tool changed incompatibly if
/// its inputSchema refuses now what it accepted, or its outputSchema allows now what it did not: such an instance is shown.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The earlier report.json or snapshot.
    old: PathBuf,
    /// The later one.
    new: PathBuf,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    format: DiffFormat,
    /// Exit code 1 if something breaks clients: a tool or a revision is gone, or a tool changed incompatibly.
    #[arg(long)]
    fail_on_breaking: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform diff released/report.json reports/report.json
  mcp-conform diff --fail-on-breaking released/report.json reports/report.json
  mcp-conform diff --format markdown old.json new.json >> \"$GITHUB_STEP_SUMMARY\"";

/// What is printed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DiffFormat {
    /// For people.
    Human,
    /// For pull requests.
    Markdown,
    /// For programs.
    Json,
}

/// Compares them.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let diff = diff(&Side::read(&args.old)?, &Side::read(&args.new)?);
    output::emit(&rendered(args.format, &diff))?;
    let broken = args.fail_on_breaking && diff.breaking > 0;
    Ok(ExitCode::from(if broken { exit::FINDINGS } else { exit::CLEAN }))
}

fn rendered(format: DiffFormat, diff: &Diff) -> String {
    match format {
        DiffFormat::Human => text(diff, output::style().width),
        DiffFormat::Markdown => markdown(diff),
        // Plain data in memory is always written.
        DiffFormat::Json => serde_json::to_string_pretty(diff).unwrap_or_default() + "\n",
    }
}
