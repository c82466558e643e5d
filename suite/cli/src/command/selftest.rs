//! `mcp-conform selftest`: tests the tester. Every fault of the reference server must be found, and nothing may be flagged
//! on the plain server or on one that uses an allowance. Each probe must be sent and decide a verdict.

mod pace;
mod plan;
mod pool;
mod probes;
mod sample;
mod stall;
mod table;
mod trial;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use run::Options;
use verdict::{Revision, Transport, exit};

use super::list::Format;
use crate::failure::Failure;
use crate::progress::ProgressLine;
use crate::values::parse_time;
use crate::{globs, output};
use plan::plan;
use probes::{ProbeLedger, ProbeReport};
use table::Tally;
use trial::{Scope, Subject, Trial, TrialOutcome};

/// Test mcp-conform itself against a reference server with injected faults.
///
/// For each fault, in each revision and over each transport to which the requirement applies, the reference server runs
/// with that fault and is judged: exactly that requirement must be found broken. On the plain server, and on a server
/// that does something the specification allows (a quirk), nothing may be found.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Test only faults of requirements that match this glob, and no quirks. Repeatable
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    only: Vec<String>,
    /// Test only these revisions (comma-separated)
    #[arg(long, value_name = "REV,..", value_delimiter = ',')]
    protocol: Vec<Revision>,
    /// Test only this transport: stdio, http or sse
    #[arg(long, value_name = "TRANSPORT", value_parser = transport)]
    transport: Option<Transport>,
    /// Test each fault and quirk in a single revision and transport, which vary from one to the next
    #[arg(long)]
    sample: bool,
    /// Number of servers to test in parallel
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Time limit for each request
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = parse_time)]
    timeout: Duration,
    /// Random seed for generated arguments
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Fail too if a server with a fault takes more than three times as long to judge as one without, plus ten seconds, or
    /// more than a minute (timed alone)
    #[arg(long)]
    pace: bool,
    /// Judge a server with a fault against every requirement, as `mcp-conform run` does, and not only against the one that the
    /// fault breaks
    #[arg(long)]
    whole: bool,
    /// Hide progress
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform selftest
  mcp-conform selftest --sample
  mcp-conform selftest --only 'tools.*' --protocol 2025-11-25 --transport stdio
  mcp-conform selftest --sample --whole --pace

Exit codes:
  0 every fault is found, and nothing is flagged without a fault
  1 a fault survives, the plain server or a quirk is flagged, a probe decides no verdict, or --pace found a run too slow";

/// Runs the fault matrix.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    globs::check("--only", &args.only)?;
    let trials = plan(&args.only, &args.protocol, args.transport);
    let mut trials = if args.sample { sample::sample(trials) } else { trials };
    // What faults show about probes need not be found out on servers without one, which takes longer.
    trials.sort_by_key(|trial| !matches!(trial.subject, Subject::Fault(_)));
    if trials.is_empty() {
        return Err(Failure::usage("nothing to test: no fault of the reference server matches"));
    }
    let progress = ProgressLine::new(args.quiet);
    // Trials wait more than they work. With eight to a core they took as long, and reached their own time limits.
    let jobs = args.jobs.map_or(5 * Options::default().jobs, usize::from);
    let scope = Scope { timeout: args.timeout, seed: args.seed, whole: args.whole };
    // HTTP servers are children of this process alongside those that runs start: nothing may reap them in between.
    let run_guard = run::RunGuard::begin();
    let probes = ProbeLedger::default();
    let (watch, repeated) = (stall::StallWatch::begin(), AtomicUsize::new(0));
    let test = |trial: &Trial| {
        let attempt = || trial.run(scope, &probes);
        let (outcome, more) =
            stall::retry_after_stall(attempt, TrialOutcome::is_bad, |since| watch.stalled_since(since));
        repeated.fetch_add(more, Ordering::Relaxed);
        outcome
    };
    let mut tested = pool::run_all(jobs, &trials, test, |done| {
        progress.set_message(format!("{done} of {} servers tested", trials.len()));
    });
    if args.pace {
        pace::time_alone(&mut tested, |trial| {
            progress.set_message(format!("timing {} alone", trial.name()));
            trial.run(scope, &ProbeLedger::default())
        });
    }
    drop(run_guard);
    progress.clear();
    // Only the whole list of faults can show every probe.
    let is_whole = args.only.is_empty() && args.protocol.is_empty() && args.transport.is_none();
    let probes = if is_whole { probes.report() } else { ProbeReport::default() };
    let tally = Tally::new(tested, repeated.into_inner(), probes, args.pace);
    output::print(&match args.format {
        Format::Human => tally.human(&output::style()),
        Format::Json => tally.json(),
    })?;
    Ok(ExitCode::from(code(&tally)))
}

fn code(tally: &Tally) -> u8 {
    if tally.any(|outcome| matches!(outcome, TrialOutcome::Interrupted)) {
        exit::INTERRUPTED
    } else if tally.any(TrialOutcome::is_bad) || tally.probes.is_bad() || tally.is_slow() || tally.is_split() {
        exit::FINDINGS
    } else {
        exit::CLEAN
    }
}

fn transport(text: &str) -> Result<Transport, String> {
    let known = [Transport::Stdio, Transport::Http, Transport::Sse];
    known.into_iter().find(|known| known.as_str() == text).ok_or_else(|| "expected stdio, http or sse".to_owned())
}
