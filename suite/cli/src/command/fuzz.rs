//! `mcp-conform fuzz`: find the messages that fell a server, keep it from answering, or make it answer wrongly.

mod files;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use run::Target;
use run::fuzz::{Found, Fuzzed, Manners, Pace, fuzz};
use verdict::exit;

use super::run::{Args as RunArgs, ProgressLine, Regressions, seconds, settled};
use crate::failure::Failure;
use crate::output;

/// Fuzz a server: send it conversations that are mutated by structure, keep those that bring new behaviour, and look for
/// crashes, hangs, growing memory and answers that break a requirement.
///
/// The server is judged as `run` does it first: what is wrong without any fuzzing is not told again. Each finding is
/// repeated on a fresh process, made as small as possible, and written as a file that `mcp-conform replay FILE -- ./server`
/// or `cat FILE | ./server` repeats. Tools are called as `run` calls them: only those marked as harmless, and those named.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A program or a URL; without it the embedded reference server.
    target: Option<String>,
    /// The program and its arguments, or the arguments of TARGET.
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
    /// How long: 90s, 10m, 2h.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    time: Duration,
    /// Other choices; the same seed makes the same ones, as far as the server does.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Processes of the server side by side: 4, and 1 for a URL.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// The revision to speak: a date, or `latest` (the newest that the server speaks).
    #[arg(long, value_name = "REV", default_value = "latest")]
    protocol: String,
    /// How a URL is spoken to: auto, http or sse.
    #[arg(long, value_name = "TRANSPORT", default_value = "auto")]
    transport: String,
    /// Which tools may be called: safe, all or none.
    #[arg(long, value_name = "WHICH")]
    calls: Option<String>,
    /// Call this tool whatever its annotations say. Repeatable.
    #[arg(long, value_name = "NAME")]
    tool: Vec<String>,
    /// How long the server may take for a sign of life before it counts as hanging.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// The folder for reproducers and fuzz.json.
    #[arg(long, value_name = "DIR", default_value = "reports")]
    reports: PathBuf,
    /// A header for every HTTP request, as 'Name: value'. Repeatable.
    #[arg(long, value_name = "HEADER")]
    header: Vec<String>,
    /// The same with the value taken from an environment variable. Repeatable.
    #[arg(long, value_name = "HEADER")]
    header_env: Vec<String>,
    /// The environment variable that holds the token for the server.
    #[arg(long, value_name = "VARIABLE")]
    token_env: Option<String>,
    /// The configuration file. Without the flag mcp-conform.toml is read if it is there.
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// Start the program in an empty working directory, with empty HOME and TMPDIR.
    #[arg(long)]
    scratch: bool,
    /// Fuzz a URL that is not on this machine.
    #[arg(long)]
    yes_disrupt: bool,
    /// No progress.
    #[arg(long, short)]
    quiet: bool,
}

/// While one process computes or sleeps, others are spoken to.
const JOBS: u16 = 4;

const EXAMPLES: &str = "\
Examples:
  mcp-conform fuzz ./server                       a minute
  mcp-conform fuzz --time 10m --jobs 4 -- node server.js
  mcp-conform fuzz --tool write_file --scratch ./server
  mcp-conform replay reports/fuzz/1-crash.jsonl -- ./server

Exit codes:
  0 nothing was found    1 findings    2 wrong usage    3 the server could not be started or judged
  130 interrupted";

/// Fuzzes, writes what was found, and prints it.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (target, options) = settled(&RunArgs::borrowed(args.words())?)?;
    // Before anything is sent: what cannot be written is of no use.
    files::open(&args.reports)?;
    let jobs = args.jobs.unwrap_or(if matches!(target, Target::Program { .. }) { JOBS } else { 1 });
    let manners = Manners { time: args.time, seed: args.seed, jobs: usize::from(jobs) };
    let progress = ProgressLine::new(args.quiet);
    let fuzzed = fuzz(&target, &options, &manners, &|pace| progress.say(line(pace)));
    progress.clear();
    let fuzzed = fuzzed?;
    Regressions::read(&args.reports).keep(&fuzzed)?;
    let written = files::write(&args.reports, &fuzzed, &target, args.seed)?;
    output::emit(&printed(&fuzzed, &written, &target.command_line()))?;
    Ok(ExitCode::from(match () {
        () if fuzzed.interrupted => exit::INTERRUPTED,
        () if fuzzed.findings.is_empty() => exit::CLEAN,
        () => exit::FINDINGS,
    }))
}

impl Args {
    /// The same as flags of `run`.
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

fn line(pace: &Pace) -> String {
    if pace.conversations == 0 {
        return pace.phase.to_owned();
    }
    format!(
        "{} conversations, {:.0} a second, {} behaviours, {} findings",
        pace.conversations, pace.a_second, pace.behaviours, pace.findings
    )
}

fn printed(fuzzed: &Fuzzed, written: &[PathBuf], target: &str) -> String {
    let pace = &fuzzed.pace;
    let mut text = format!(
        "{}, {}: {} conversations in {:.0} s ({:.0} a second), {} behaviours\n",
        fuzzed.server,
        fuzzed.revision,
        pace.conversations,
        fuzzed.took.as_secs_f64(),
        pace.a_second,
        pace.behaviours
    );
    for (found, file) in fuzzed.findings.iter().zip(written) {
        text += &told(found);
        text += &format!("    repeat: mcp-conform replay {} {target}\n", file.display());
    }
    match fuzzed.findings.len() {
        0 => text + "nothing was found\n",
        1 => text + "\n1 finding\n",
        count => text + &format!("\n{count} findings\n"),
    }
}

fn told(found: &Found) -> String {
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
        text += "    it did not happen again on a fresh process\n";
    }
    text
}

/// A time with its unit.
fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "it is a number with s, m or h, as 90s, 10m or 2h".to_owned();
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
        assert_eq!(time("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(time("2h"), Ok(Duration::from_secs(7_200)));
        assert_eq!(time("5"), Ok(Duration::from_secs(5)));
        for wrong in ["", "s", "-1s", "1d", "NaN", "1e9h", "0s"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
