//! `mcp-conform list`: the requirements, and what judges and provokes each.

mod row;
mod summary;

use std::process::ExitCode;

use clap::ValueEnum;
use verdict::{Level, Requirement, Revision, requirements};

use crate::failure::Failure;
use crate::{globs, known, output};

pub(crate) use row::{Row, span};

/// List the requirements of the specification that are known, and which of them are judged.
///
/// Columns: id, level (~ if it differs between revisions), revisions, what it takes to observe it (active: must be
/// provoked; passive: judged on any traffic; fixture: only if the server offers something special; untestable), the
/// rule that judges it, and the scenarios that provoke it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How to print them.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Only those of an area, as `tools` or `lifecycle`.
    #[arg(long, value_name = "AREA")]
    area: Option<String>,
    /// Only those of a level.
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    level: Option<Level>,
    /// Only those of a revision, with the level they have there.
    #[arg(long, value_name = "REV")]
    protocol: Option<Revision>,
    /// Only those whose id matches; `*` stands for any text. Repeatable.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Only those that no rule judges yet.
    #[arg(long)]
    unjudged: bool,
    /// Instead of the requirements their number by area and revision, as a Markdown table: judged of all.
    #[arg(long)]
    summary: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform list --area tools                        everything about tools
  mcp-conform list --protocol 2025-11-25 --level must  what a server of that revision must do
  mcp-conform list --only '*.unknown-*'                by name
  mcp-conform list --format json                       for programs";

/// How lists are printed.
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
        output::emit(&summary::table(&chosen))?;
    } else if args.format == Format::Json {
        output::emit(&row::json(&rows))?;
    } else {
        output::emit(&row::table(&rows))?;
        let judged = rows.iter().filter(|row| row.rule.is_some()).count();
        output::say(&format!("{} requirements, {judged} of them judged", rows.len()));
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn check(&self) -> Result<(), Failure> {
        if let Some(area) = &self.area {
            let mut areas: Vec<&str> = requirements().iter().map(|requirement| requirement.area).collect();
            areas.dedup();
            if !areas.contains(&area.as_str()) {
                return Err(Failure::usage(format!("--area {area}: the areas are {}", areas.join(", "))));
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
            && !(self.unjudged && known::rule(requirement.id).is_some())
    }
}

fn level(text: &str) -> Result<Level, String> {
    let levels = [Level::Must, Level::Should, Level::Advice];
    levels
        .into_iter()
        .find(|level| level.as_str() == text)
        .ok_or_else(|| "the levels are must, should and advice".to_owned())
}
