//! `mcp-conform judge`: recordings of real sessions judged offline.

use std::path::PathBuf;
use std::process::ExitCode;

use run::Protocol;
use run::tap::{judged, spoken};
use verdict::exit;
use verdict::record::{FORMAT, Record, Report, Runs};
use verdict::transcript::{self, Event};

use super::run::{FailOn, Folder, Format, fail_on, protocol, rendered};
use crate::failure::Failure;
use crate::{globs, output, stored};

/// Judge recorded sessions offline, by the same rules as a run.
///
/// FILE is what `mcp-conform record` writes, or the transcript.jsonl of a run. What the sessions did not touch is not
/// observed: a real client asks for little. What it meant is concluded only where nothing else can be meant, such as a call of a
/// tool that no list has and that the server itself says it does not know.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Recordings of one server.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Judge only sessions in this revision; without it each by the revision that it settled on.
    #[arg(long, value_name = "REV", default_value = "all", value_parser = protocol)]
    protocol: Protocol,
    /// Judge only what matches: requirement ids, `*` stands for any text. Repeatable.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Leave out what matches. Repeatable.
    #[arg(long, value_name = "GLOB")]
    skip: Vec<String>,
    /// The mildest level that makes the exit code 1: must, should, advice or never.
    #[arg(long, value_name = "LEVEL", default_value = "must", value_parser = fail_on)]
    fail_on: FailOn,
    /// What is printed on standard output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// A folder for files of every kind, as those of a run.
    #[arg(long, value_name = "DIR")]
    reports: Option<PathBuf>,
    /// Show advice in full instead of in a line each.
    #[arg(long)]
    advice: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform record --out session.jsonl -- node server.js
  mcp-conform judge session.jsonl
  mcp-conform judge --format html session.jsonl session-2.jsonl > sessions.html

Exit codes:
  0 nothing at or above --fail-on    1 findings    2 wrong usage    3 no session could be judged";

/// Judges them.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    globs::check("--only", &args.only)?;
    globs::check("--skip", &args.skip)?;
    let events = together(&args.files)?;
    let report = report(args, &events);
    let Some(report) = report else {
        let said = match args.protocol {
            Protocol::One(revision) => format!("no session settled on revision {revision}"),
            _ => "no session settled on a revision: the opening request of the client has no answer".to_owned(),
        };
        output::say(&format!("error: {said}"));
        return Ok(ExitCode::from(exit::UNJUDGED));
    };
    if let Some(folder) = &args.reports {
        let transcripts = vec![events; report.records().len()];
        Folder::open(folder)?.write(&report, &transcripts)?;
    }
    output::emit(&rendered(args.format, args.advice, &report))?;
    let judged: u32 = report.records().iter().map(|record| record.summary.pass + record.summary.fail).sum();
    let broken = args.fail_on.level().is_some_and(|level| report.fails().at_or_above(level) > 0);
    Ok(ExitCode::from(match () {
        () if judged == 0 => exit::UNJUDGED,
        () if broken => exit::FINDINGS,
        () => exit::CLEAN,
    }))
}

/// All recordings as one, sessions and events numbered through.
fn together(files: &[PathBuf]) -> Result<Vec<Event>, Failure> {
    let mut all: Vec<Event> = Vec::new();
    for file in files {
        let events = transcript::read(&stored::text(file)?).map_err(|reason| Failure::file("read", file, reason))?;
        if events.is_empty() {
            return Err(Failure::file("read", file, "nothing was recorded in it"));
        }
        let sessions = all.iter().map(|event| event.session + 1).max().unwrap_or(0);
        let (seq, began) = (u32::try_from(all.len()).unwrap_or(u32::MAX), all.last().map_or(0, |event| event.at_us));
        all.extend(events.into_iter().map(|event| shifted(event, seq, began, sessions)));
    }
    Ok(all)
}

/// Events of a later recording come after those of an earlier one.
fn shifted(mut event: Event, seq: u32, began: u64, sessions: u32) -> Event {
    use verdict::transcript::Kind;
    event.seq = event.seq.saturating_add(seq);
    event.at_us = event.at_us.saturating_add(began);
    event.session = event.session.saturating_add(sessions);
    match &mut event.kind {
        Kind::GaveUp { request } => *request = request.saturating_add(seq),
        Kind::Settled { upto } => *upto = upto.saturating_add(seq),
        _ => {}
    }
    event
}

fn report(args: &Args, events: &[Event]) -> Option<Report> {
    let files: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
    let again = |id: &str| format!("mcp-conform judge --only {id} {}", files.join(" "));
    let bars = spoken(events).into_iter().filter(|criteria| match args.protocol {
        Protocol::One(revision) => criteria.revision == revision,
        _ => true,
    });
    let mut records: Vec<Record> =
        bars.map(|criteria| judged(events, &criteria, &args.only, &args.skip, &again)).collect();
    let first = records.first()?.clone();
    Some(match records.len() {
        1 => Report::One(Box::new(records.remove(0))),
        _ => Report::All(Runs {
            format: FORMAT,
            tool: first.tool,
            target: first.target,
            runs: records,
            unspoken: vec![],
        }),
    })
}
