//! `mcp-conform fuzz`: finds messages that crash a server, make it hang, or make it answer wrongly.

mod files;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use run::Target;
use run::fuzz::{Found, Fuzzed, Manners, Pace, fuzz};
use verdict::exit;

use super::run::{Args as RunArgs, resolve_target};
use crate::failure::Failure;
use crate::output;
use crate::progress::ProgressLine;
use crate::regressions::Regressions;
use crate::values::parse_seconds;

/// Fuzz a server for crashes, hangs, growing memory and answers that break a requirement.
///
/// Conversations are mutated by structure, and those that trigger new behaviour are kept for further mutation. The server
/// is first judged as with `run`; requirements broken without fuzzing are not reported again. Each finding is repeated on
/// a fresh process, minimized, and written to a file that `mcp-conform replay FILE -- ./server` or `cat FILE | ./server`
/// replays. As with `run`, only tools marked as harmless or named with --tool are called.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Program or URL to fuzz [default: the server in mcp-conform.toml, or the embedded reference server]
    target: Option<String>,
    /// Program and its arguments, or the arguments of TARGET
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
    /// How long to fuzz, such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    time: Duration,
    /// Random seed; the same seed repeats a run if the server behaves the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of server processes to run in parallel [default: 4, or 1 for a URL]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// Protocol revision to speak: a date, or `latest` (the newest that the server speaks)
    #[arg(long, value_name = "REV", default_value = "latest")]
    protocol: String,
    /// Transport for a URL: auto, http or sse
    #[arg(long, value_name = "TRANSPORT", default_value = "auto")]
    transport: String,
    /// Which tools may be called: safe, all or none
    #[arg(long, value_name = "WHICH")]
    calls: Option<String>,
    /// Allow calls of this tool, whatever its annotations say. Repeatable
    #[arg(long, value_name = "NAME")]
    tool: Vec<String>,
    /// Time limit for the server to respond before it counts as hanging
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// Folder for reproducers and fuzz.json
    #[arg(long, value_name = "DIR", default_value = "reports")]
    reports: PathBuf,
    /// Header for every HTTP request, as 'Name: value'. Repeatable
    #[arg(long, value_name = "HEADER")]
    header: Vec<String>,
    /// Header with its value from an environment variable, as 'Name: VARIABLE'. Repeatable
    #[arg(long, value_name = "HEADER")]
    header_env: Vec<String>,
    /// Environment variable with the token for the server
    #[arg(long, value_name = "VARIABLE")]
    token_env: Option<String>,
    /// Configuration file [default: mcp-conform.toml in the working directory or the nearest folder above]
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// Start the program in an empty working directory, with empty HOME and TMPDIR
    #[arg(long)]
    scratch: bool,
    /// Allow fuzzing a URL on another machine
    #[arg(long)]
    yes_disrupt: bool,
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
    let (target, options) = resolve_target(&RunArgs::from_words(args.words())?)?;
    // An unwritable folder is reported before anything is sent.
    files::open(&args.reports)?;
    let jobs = args.jobs.unwrap_or(if matches!(target, Target::Program { .. }) { JOBS } else { 1 });
    let manners = Manners { time: args.time, seed: args.seed, jobs: usize::from(jobs) };
    let progress = ProgressLine::new(args.quiet);
    let fuzzed = fuzz(&target, &options, &manners, &|pace| progress.say(progress_text(pace)));
    progress.clear();
    let fuzzed = fuzzed?;
    Regressions::read(&args.reports).add(&fuzzed)?;
    let written = files::write(&args.reports, &fuzzed, &target, args.seed)?;
    output::emit(&summary(&fuzzed, &written, &target.command_line()))?;
    Ok(ExitCode::from(match () {
        () if fuzzed.interrupted => exit::INTERRUPTED,
        () if fuzzed.findings.is_empty() => exit::CLEAN,
        () => exit::FINDINGS,
    }))
}

impl Args {
    /// Returns these flags as flags of `run`.
    fn words(&self) -> Vec<String> {
        let mut words = vec![format!("--protocol={}", self.protocol), format!("--transport={}", self.transport)];
        words.push(format!("--seed={}", self.seed));
        let mut each =
            |flag: &str, values: &[String]| words.extend(values.iter().map(|value| format!("--{flag}={value}")));
        each("tool", &self.tool);
        each("header", &self.header);
        each("header-env", &self.header_env);
        each("calls", self.calls.as_slice());
        each("token-env", self.token_env.as_slice());
        each("config", self.config.as_slice());
        words.extend(self.timeout.map(|limit| format!("--timeout={}", limit.as_secs_f64())));
        words.extend(self.scratch.then(|| "--scratch".to_owned()));
        words.extend(self.yes_disrupt.then(|| "--yes-disrupt".to_owned()));
        words.extend(self.target.clone());
        words.push("--".to_owned());
        words.extend(self.args.iter().cloned());
        words
    }
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

/// Parses a duration with a unit.
fn parse_time(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a number with s, m or h, such as 90s, 10m or 2h".to_owned();
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3_600.0),
        _ => (text, 1.0),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    if number > 0.0 && number * unit <= 604_800.0 {
        Duration::try_from_secs_f64(number * unit).map_err(|_| wrong())
    } else {
        Err(wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(parse_time("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("2h"), Ok(Duration::from_secs(7_200)));
        assert_eq!(parse_time("5"), Ok(Duration::from_secs(5)));
        for wrong in ["", "s", "-1s", "1d", "NaN", "1e9h", "0s"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
