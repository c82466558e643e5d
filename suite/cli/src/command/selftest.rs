//! `mcp-conform selftest`: the tester tested. Every fault of the reference server must be found, and nothing must be
//! found on the plain server nor on one that makes use of an allowance.

pub(crate) mod host;
mod plan;
mod pool;
mod sample;
mod still;
mod table;
mod trial;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use run::Options;
use verdict::{Revision, Transport, exit};

use super::list::Format;
use super::run::ProgressLine;
use crate::failure::Failure;
use crate::{globs, output};
use plan::plan;
use table::Tally;
use trial::{Outcome, Trial};

/// Test the tester: break the reference server in every way it can be broken, and see that each is found.
///
/// For each fault, in each revision and over each transport in which the requirement holds, the reference server is run
/// with that fault and judged: exactly that requirement must be found broken. On the plain server, and on one that makes
/// use of something it may do (a quirk), nothing must be found.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Only faults of requirements that match; `*` stands for any text. Repeatable. Leaves the quirks out.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Only these revisions, separated by commas.
    #[arg(long, value_name = "REV,..", value_delimiter = ',')]
    protocol: Vec<Revision>,
    /// Only this transport: stdio, http or sse.
    #[arg(long, value_name = "TRANSPORT", value_parser = transport)]
    transport: Option<Transport>,
    /// Each fault and quirk in one revision over one transport only, each time another one: for every change.
    #[arg(long)]
    sample: bool,
    /// Servers tested side by side.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// The time limit of a request.
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = super::run::seconds)]
    timeout: Duration,
    /// The seed of generated arguments: a fault that shows with the right ones alone is to be found with any.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// No progress.
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform selftest
  mcp-conform selftest --sample
  mcp-conform selftest --only 'tools.*' --protocol 2025-11-25 --transport stdio

Exit codes:
  0 every fault is found and nothing else is flagged
  1 a fault survives, or the plain server or a quirk is flagged";

/// Runs the matrix.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    globs::check("--only", &args.only)?;
    let trials = plan(&args.only, &args.protocol, args.transport);
    let trials = if args.sample { sample::sample(trials) } else { trials };
    if trials.is_empty() {
        return Err(Failure::usage("nothing to test: no fault of the reference server matches"));
    }
    let progress = ProgressLine::new(args.quiet);
    // Most of the time is spent waiting for a silence to be sure.
    let jobs = args.jobs.map_or(8 * Options::default().jobs, usize::from);
    let (timeout, seed) = (args.timeout, args.seed);
    // Servers over HTTP are children of this process beside those that runs start: nothing may reap them in between.
    let run_guard = run::RunGuard::begin();
    let (watch, again) = (still::Watch::begin(), AtomicUsize::new(0));
    let test = |trial: &Trial| {
        let attempt = || trial.run(timeout, seed);
        let (outcome, more) = still::settled(attempt, Outcome::is_bad, |since| watch.stood_still(since));
        again.fetch_add(more, Ordering::Relaxed);
        outcome
    };
    let outcomes = pool::all(jobs, &trials, test, |done| {
        progress.say(format!("{done} of {} servers tested", trials.len()));
    });
    drop(run_guard);
    progress.clear();
    let tally = Tally::new(trials.into_iter().zip(outcomes).collect(), again.into_inner());
    output::emit(&match args.format {
        Format::Human => tally.human(&output::style()),
        Format::Json => tally.json(),
    })?;
    Ok(ExitCode::from(code(&tally)))
}

fn code(tally: &Tally) -> u8 {
    if tally.any(|outcome| matches!(outcome, Outcome::Interrupted)) {
        exit::INTERRUPTED
    } else if tally.any(Outcome::is_bad) {
        exit::FINDINGS
    } else {
        exit::CLEAN
    }
}

fn transport(text: &str) -> Result<Transport, String> {
    let known = [Transport::Stdio, Transport::Http, Transport::Sse];
    known.into_iter().find(|known| known.as_str() == text).ok_or_else(|| "it is stdio, http or sse".to_owned())
}
