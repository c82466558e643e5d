//! `mcp-conform report`: renders a stored record.

use std::path::PathBuf;
use std::process::ExitCode;

use report::Format;

use crate::failure::Failure;
use crate::reports::{DetailFlags, LAST_REPORT, format_parser, render};
use crate::{files, output};

/// Render a stored report.json in another format.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Path of a report.json, or `-` for standard input
    #[arg(default_value = LAST_REPORT)]
    file: PathBuf,
    /// List the requirements that were not observed, by what would let them be seen
    #[arg(long)]
    not_observed: bool,
    /// Format of the report
    #[arg(long, default_value = report::HUMAN.name, value_parser = format_parser())]
    format: Format,
    #[command(flatten)]
    details: DetailFlags,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform report
  mcp-conform report --not-observed
  mcp-conform report --format markdown reports/report.json >> \"$GITHUB_STEP_SUMMARY\"";

/// Prints the report.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let report = files::parse_report(&args.file, &files::read_text(&args.file)?)?;
    if args.not_observed {
        if args.format.name != report::HUMAN.name {
            return Err(Failure::usage("--not-observed is for people: report.json has the reason of each requirement"));
        }
        output::print(&report::not_observed(&report, &output::style()))?;
        return Ok(ExitCode::SUCCESS);
    }
    output::print(&render(args.format, args.details, &report))?;
    Ok(ExitCode::SUCCESS)
}
