//! `mcp-conform diff`: compares two reports of a server.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use verdict::exit;

use crate::diff::{Diff, Side, diff, markdown, text};
use crate::failure::Failure;
use crate::output;

/// Compare two reports of a server: findings, revisions and incompatible tool changes.
///
/// OLD and NEW are each a report.json or a snapshot; snapshots do not contain the tools. A tool changed incompatibly if its
/// inputSchema now rejects what it accepted before, or its outputSchema now allows what it did not allow before. An
/// instance that shows the difference is printed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Earlier report.json or snapshot
    old: PathBuf,
    /// Later report.json or snapshot
    new: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    format: DiffFormat,
    /// Exit with code 1 if a change breaks clients: a tool or revision was removed, or a tool changed incompatibly
    #[arg(long)]
    fail_on_breaking: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform diff released/report.json reports/report.json
  mcp-conform diff --fail-on-breaking released/report.json reports/report.json
  mcp-conform diff --format markdown old.json new.json >> \"$GITHUB_STEP_SUMMARY\"";

/// The output format.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DiffFormat {
    /// For people.
    Human,
    /// For pull requests.
    Markdown,
    /// For programs.
    Json,
}

/// Compares the reports.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let diff = diff(&Side::read(&args.old)?, &Side::read(&args.new)?);
    output::print(&render(args.format, &diff))?;
    if args.fail_on_breaking && !diff.compares() {
        let message = "--fail-on-breaking: the reports have no judged revision in common, so nothing was compared\n  judge both servers in the same revision (--protocol), or in all: --protocol all";
        return Err(Failure::usage(message));
    }
    let broken = args.fail_on_breaking && diff.breaking > 0;
    Ok(ExitCode::from(if broken { exit::FINDINGS } else { exit::CLEAN }))
}

fn render(format: DiffFormat, diff: &Diff) -> String {
    match format {
        DiffFormat::Human => text(diff, output::style().width),
        DiffFormat::Markdown => markdown(diff),
        DiffFormat::Json => {
            // Serializing plain data to memory cannot fail.
            let text = serde_json::to_string_pretty(diff).unwrap_or_default() + "\n";
            report::escape_bidi_in_json(&text).into_owned()
        }
    }
}
