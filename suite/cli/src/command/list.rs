//! `mcp-conform list`: lists the requirements with their rules and scenarios.

mod row;
mod summary;

use std::process::ExitCode;

use clap::ValueEnum;
use verdict::{Level, Requirement, Revision, requirements};

use crate::failure::Failure;
use crate::{coverage, globs, output};

pub(crate) use row::{Row, span};

/// List the requirements of the specification, and which of them are judged.
///
/// Columns: id; level (~ if it differs between revisions); revisions; how the requirement is observed (active: must be
/// provoked; passive: judged on any traffic; fixture: only if the server offers something special; untestable); the rule
/// that judges it; the scenarios that provoke it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// List only this area, such as `tools` or `lifecycle`
    #[arg(long, value_name = "AREA")]
    area: Option<String>,
    /// List only this level: must, should or advice
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    level: Option<Level>,
    /// List only this revision, with the levels of that revision
    #[arg(long, value_name = "REV")]
    protocol: Option<Revision>,
    /// List only ids that match this glob (`*` matches any text). Repeatable, or separated by commas
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    only: Vec<String>,
    /// List only requirements that no rule judges yet
    #[arg(long)]
    unjudged: bool,
    /// Print a Markdown table of counts by area and revision (judged/all) instead
    #[arg(long)]
    summary: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform list --area tools                        all requirements for tools
  mcp-conform list --protocol 2025-11-25 --level must  the must requirements of a revision
  mcp-conform list --only '*.unknown-*'                by id
  mcp-conform list --format json                       for programs";

/// The output format of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

/// Prints the list.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.check()?;
    let chosen: Vec<&Requirement> = requirements().iter().filter(|requirement| args.wants(requirement)).collect();
    let rows: Vec<Row> = chosen.iter().map(|requirement| Row::new(requirement, args.protocol)).collect();
    if args.summary {
        output::print(&summary::table(&chosen))?;
    } else if args.format == Format::Json {
        output::print(&row::json(&rows))?;
    } else {
        output::print(&row::table(&rows))?;
        let judged = rows.iter().filter(|row| row.rule.is_some()).count();
        output::eprint(&format!("{} requirements, {judged} of them judged", rows.len()));
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn check(&self) -> Result<(), Failure> {
        if let Some(area) = &self.area {
            let mut areas: Vec<&str> = requirements().iter().map(|requirement| requirement.area).collect();
            areas.dedup();
            if !areas.contains(&area.as_str()) {
                return Err(Failure::usage(format!("--area {area}: unknown area; the areas are {}", areas.join(", "))));
            }
        }
        globs::check("--only", &self.only)
    }

    fn wants(&self, requirement: &Requirement) -> bool {
        let level = self.protocol.map_or(requirement.level, |revision| requirement.level_in(revision));
        self.area.as_ref().is_none_or(|area| requirement.area == area)
            && self.level.is_none_or(|wanted| wanted == level)
            && self.protocol.is_none_or(|revision| requirement.holds_in(revision))
            && (self.only.is_empty() || self.only.iter().any(|glob| globs::matches(glob, requirement.id)))
            && !(self.unjudged && coverage::rule_for(requirement.id).is_some())
    }
}

fn level(text: &str) -> Result<Level, String> {
    let levels = [Level::Must, Level::Should, Level::Advice];
    levels.into_iter().find(|level| level.as_str() == text).ok_or_else(|| "expected must, should or advice".to_owned())
}
