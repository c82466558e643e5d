//! `mcp-conform report`: a stored record in another format.

use std::path::PathBuf;
use std::process::ExitCode;

use super::run::{Format, rendered};
use crate::failure::Failure;
use crate::{output, stored};

/// Render a stored report.json in another format.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A report.json; `-` is standard input.
    file: PathBuf,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show advice in full instead of in a line each.
    #[arg(long)]
    advice: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform report reports/report.json
  mcp-conform report --format markdown reports/report.json >> \"$GITHUB_STEP_SUMMARY\"";

/// Prints it.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let report = stored::report(&args.file, &stored::text(&args.file)?)?;
    output::emit(&rendered(args.format, args.advice, &report))?;
    Ok(ExitCode::SUCCESS)
}
