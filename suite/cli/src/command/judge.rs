//! `mcp-conform judge`: judges recordings of real sessions offline.

use std::path::PathBuf;
use std::process::ExitCode;

use report::Format;
use run::Protocol;
use run::tap::{judged, spoken};
use verdict::exit;
use verdict::record::{FORMAT, Record, Report, Runs};
use verdict::transcript::{self, Event};

use crate::failure::Failure;
use crate::hosts::{Hosts, parse_hosts};
use crate::reports::{DetailFlags, ReportsFolder, format_parser, render};
use crate::sdks::attribute_all;
use crate::values::{FailOn, parse_fail_on, parse_protocol};
use crate::{files, globs, output};

/// Judge recorded sessions offline, with the rules of `run`.
///
/// FILE is a recording of `mcp-conform record`, or the transcript.jsonl.gz of a run. Requirements that the sessions did not
/// exercise are not observed; a real client exercises few. The intent of a client is inferred only where it is
/// unambiguous, such as a call of a tool that is in no list and that the server reports as unknown.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Recordings of a single server
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Judge only sessions in this revision; by default each session is judged by the revision it negotiated
    #[arg(long, value_name = "REV", default_value = "all", value_parser = parse_protocol)]
    protocol: Protocol,
    /// Judge only requirements that match this glob (`*` matches any text). Repeatable, or separated by commas
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    only: Vec<String>,
    /// Skip requirements that match this glob. Repeatable, or separated by commas
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    skip: Vec<String>,
    /// Lowest level that causes exit code 1: must, should, advice or never
    #[arg(long, value_name = "LEVEL", default_value = "must", value_parser = parse_fail_on)]
    fail_on: FailOn,
    /// Hosts to speak of what they do not take: `all`, `none`, or names from `mcp-conform hosts` [default: the most used]
    #[arg(long, value_name = "HOSTS", value_parser = parse_hosts)]
    hosts: Option<Hosts>,
    /// Format of the report on standard output
    #[arg(long, default_value = report::HUMAN.name, value_parser = format_parser())]
    format: Format,
    /// Folder for the report files, as with `run`
    #[arg(long, value_name = "DIR")]
    reports: Option<PathBuf>,
    #[command(flatten)]
    details: DetailFlags,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform record --out session.jsonl -- node server.js
  mcp-conform judge session.jsonl
  mcp-conform judge --format html session.jsonl session-2.jsonl > sessions.html

Exit codes:
  0 no findings at or above --fail-on    1 findings    2 usage error    3 no session could be judged";

/// Judges the recordings.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    globs::check("--only", &args.only)?;
    globs::check("--skip", &args.skip)?;
    let events = read_recordings(&args.files)?;
    let report = report(args, &events);
    let Some(report) = report else {
        let reason = match args.protocol {
            Protocol::One(revision) => format!("no session negotiated revision {revision}"),
            _ => "no session negotiated a revision: the first request of the client has no answer".to_owned(),
        };
        output::eprint(&format!("error: {reason}"));
        return Ok(ExitCode::from(exit::UNJUDGED));
    };
    if let Some(folder) = &args.reports {
        let transcripts = vec![events; report.records().len()];
        ReportsFolder::open(folder)?.write(&report, &transcripts)?;
    }
    output::print(&render(args.format, args.details, &report))?;
    let broken = args.fail_on.level().is_some_and(|level| report.fails().at_or_above(level) > 0);
    Ok(ExitCode::from(match () {
        () if report.judged() == 0 => exit::UNJUDGED,
        () if broken => exit::FINDINGS,
        () => exit::CLEAN,
    }))
}

/// Reads all recordings as one, with sessions and events renumbered.
fn read_recordings(files: &[PathBuf]) -> Result<Vec<Event>, Failure> {
    let mut all: Vec<Event> = Vec::new();
    for file in files {
        let events =
            transcript::read(&files::read_text(file)?).map_err(|reason| Failure::file("read", file, reason))?;
        if events.is_empty() {
            return Err(Failure::file("read", file, "the recording is empty"));
        }
        let sessions = all.iter().map(|event| event.session + 1).max().unwrap_or(0);
        let (seq, began) = (u32::try_from(all.len()).unwrap_or(u32::MAX), all.last().map_or(0, |event| event.at_us));
        all.extend(events.into_iter().map(|event| renumber(event, seq, began, sessions)));
    }
    Ok(all)
}

/// Moves an event of a later recording behind those of the earlier ones.
fn renumber(mut event: Event, seq: u32, began: u64, sessions: u32) -> Event {
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
    let reproduce = |id: &str| format!("mcp-conform judge --only {id} {}", files.join(" "));
    let criteria = spoken(events).into_iter().filter(|criteria| match args.protocol {
        Protocol::One(revision) => criteria.revision == revision,
        _ => true,
    });
    let hosts = args.hosts.clone().unwrap_or_default();
    let judged = |criteria| judged(events, &criteria, &args.only, &args.skip, &reproduce, hosts.look());
    let mut records: Vec<Record> = criteria.map(judged).collect();
    records.iter_mut().for_each(|record| record.causes = judge::causes_of(record));
    let first = records.first()?.clone();
    let mut report = match records.len() {
        1 => Report::One(Box::new(records.remove(0))),
        _ => Report::All(Runs {
            format: FORMAT,
            tool: first.tool,
            target: first.target,
            runs: records,
            unspoken: vec![],
        }),
    };
    attribute_all(&mut report, None, false);
    hosts.add_to(&mut report);
    Some(report)
}
