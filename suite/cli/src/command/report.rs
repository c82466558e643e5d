//! `mcp-conform report`: renders a stored record.

use std::path::PathBuf;
use std::process::ExitCode;

use report::Format;

use crate::failure::Failure;
use crate::reports::{format_parser, render};
use crate::{files, output};

/// Render a stored report.json in another format.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Path of a report.json, or `-` for standard input
    file: PathBuf,
    /// Format of the report
    #[arg(long, default_value = report::HUMAN.name, value_parser = format_parser())]
    format: Format,
    /// Show advice in full instead of one line each
    #[arg(long)]
    advice: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform report reports/report.json
  mcp-conform report --format markdown reports/report.json >> \"$GITHUB_STEP_SUMMARY\"";

/// Prints the report.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let report = files::parse_report(&args.file, &files::read_text(&args.file)?)?;
    output::emit(&render(args.format, args.advice, &report))?;
    Ok(ExitCode::SUCCESS)
}
