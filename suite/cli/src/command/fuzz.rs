//! `mcp-conform fuzz`: finds messages that crash a server, make it hang, or make it answer wrongly.

mod files;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use run::fuzz::{Found, Fuzzed, Manners, Pace, fuzz};
use run::{Protocol, Target};
use verdict::exit;

use crate::failure::Failure;
use crate::output;
use crate::progress::ProgressLine;
use crate::regressions::Regressions;
use crate::server::{CallFlags, ServerFlags};
use crate::values::{parse_one_protocol, parse_time};

/// Fuzz a server for crashes, hangs, growing memory and answers that break a requirement.
///
/// Conversations are mutated by structure, and those that trigger new behavior are kept for further mutation. The server
/// is first judged as with `run`; requirements broken without fuzzing are not reported again. Each finding is repeated on
/// a fresh process, minimized, and written to a file that `mcp-conform replay FILE -- ./server` or `cat FILE | ./server`
/// replays. As with `run`, only tools marked as read-only or named with --tool are called.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    server: ServerFlags,
    /// Protocol revision to speak: a date, or `latest` (the newest that the server speaks)
    #[arg(long, value_name = "REV", default_value = "latest", value_parser = parse_one_protocol)]
    protocol: Protocol,
    #[command(flatten)]
    calls: CallFlags,
    /// How long to fuzz, such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    time: Duration,
    /// Number of server processes to run in parallel [default: 4, or 1 for a URL]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// Folder for reproducers and fuzz.json
    #[arg(long, value_name = "DIR", default_value = "reports")]
    reports: PathBuf,
    /// Hide progress
    #[arg(long, short)]
    quiet: bool,
}

/// Default number of processes: while one computes or sleeps, others get messages.
const JOBS: u16 = 4;

const EXAMPLES: &str = "\
Examples:
  mcp-conform fuzz ./server                       fuzz for one minute
  mcp-conform fuzz --time 10m --jobs 4 -- node server.js
  mcp-conform fuzz --tool write_file --scratch ./server
  mcp-conform replay reports/fuzz/1-crash.jsonl -- ./server

Exit codes:
  0 no findings    1 findings    2 usage error    3 the server could not be started or judged
  130 interrupted";

/// Fuzzes a server, and writes and prints the findings.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (target, mut options) = args.server.resolve(args.server.config()?)?;
    args.calls.apply(&mut options);
    options.protocol = args.protocol;
    // An unwritable folder is reported before anything is sent.
    files::open(&args.reports)?;
    let jobs = args.jobs.unwrap_or(if matches!(target, Target::Program { .. }) { JOBS } else { 1 });
    let manners = Manners { time: args.time, seed: options.seed, jobs: usize::from(jobs) };
    let progress = ProgressLine::new(args.quiet);
    let fuzzed = fuzz(&target, &options, &manners, &|pace| progress.set_message(progress_text(pace)));
    progress.clear();
    let fuzzed = fuzzed?;
    Regressions::read(&args.reports).add(&fuzzed)?;
    let written = files::write(&args.reports, &fuzzed, &target, options.seed)?;
    output::print(&summary(&fuzzed, &written, &target.command_line()))?;
    Ok(ExitCode::from(match () {
        () if fuzzed.interrupted => exit::INTERRUPTED,
        () if fuzzed.findings.is_empty() => exit::CLEAN,
        () => exit::FINDINGS,
    }))
}

fn progress_text(pace: &Pace) -> String {
    if pace.conversations == 0 {
        return pace.phase.to_owned();
    }
    format!(
        "{} conversations, {:.0} per second, {} behaviours, {} findings",
        pace.conversations, pace.a_second, pace.behaviours, pace.findings
    )
}

fn summary(fuzzed: &Fuzzed, written: &[PathBuf], target: &str) -> String {
    let pace = &fuzzed.pace;
    let mut text = format!(
        "{}, {}: {} conversations in {:.0} s ({:.0} per second), {} behaviours\n",
        fuzzed.server,
        fuzzed.revision,
        pace.conversations,
        fuzzed.took.as_secs_f64(),
        pace.a_second,
        pace.behaviours
    );
    for (found, file) in fuzzed.findings.iter().zip(written) {
        text += &finding_text(found);
        text += &format!("    reproduce: mcp-conform replay {} {target}\n", file.display());
    }
    match fuzzed.findings.len() {
        0 => text + "no findings\n",
        1 => text + "\n1 finding\n",
        count => text + &format!("\n{count} findings\n"),
    }
}

fn finding_text(found: &Found) -> String {
    let place = found.requirement.map(|id| format!(" {id}")).unwrap_or_default();
    let mut text = format!("\n  {}{place}: {}\n", found.sort.as_str(), found.message);
    if let Some(finding) = &found.finding {
        text += &format!("    expected: {}\n    actual: {}\n", finding.expected, finding.actual);
        finding.wire.iter().for_each(|line| text += &format!("    {}\n", report::clip(line, 160)));
    } else {
        for line in &found.lines {
            text += &format!("    > {}\n", report::clip(&String::from_utf8_lossy(line), 160));
        }
    }
    found.stderr.iter().rev().take(4).rev().for_each(|line| text += &format!("    | {}\n", report::clip(line, 160)));
    if found.times > 1 {
        text += &format!("    the messages are sent {} times in a row\n", found.times);
    }
    if !found.repeats {
        text += "    not reproduced on a fresh process\n";
    }
    text
}
