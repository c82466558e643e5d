//! The flags of `run`, and what they say together with the configuration file.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use run::{Calls, Choice, Options, Protocol};
use verdict::{Level, Revision};

use super::chosen::Chosen;
use super::{credentials, headers};
use crate::config::Config;
use crate::failure::Failure;

/// Test a server: start it (or connect to it), talk to it, and report what it breaks.
///
/// TARGET is a program, spoken to over its standard input and output, or an http:// or https:// URL. Without TARGET the
/// one that mcp-conform.toml names is tested, or else the embedded reference server. Arguments of the program, or the whole command, follow after `--`.
///
/// A program runs in your working directory and environment. Tools are called only if the server marks them as harmless
/// (readOnlyHint true or destructiveHint false) or you name them with --tool.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A program or a URL.
    pub(super) target: Option<String>,
    /// The program and its arguments, or the arguments of TARGET.
    #[arg(last = true, value_name = "ARGS")]
    pub(super) args: Vec<String>,
    /// A file of a client that names servers: .mcp.json, mcp.json, claude_desktop_config.json, server.json. TARGET is then
    /// the name of one.
    #[arg(long, value_name = "FILE", conflicts_with = "args")]
    pub(super) from: Option<PathBuf>,
    /// The revision to judge by: a date, `latest` (the newest that the server speaks) or `all`.
    #[arg(long, value_name = "REV", default_value = "latest", value_parser = protocol)]
    pub(super) protocol: Protocol,
    /// How a URL is spoken to: auto takes Streamable HTTP, or HTTP+SSE where `initialize` cannot be posted.
    #[arg(long, value_enum, default_value_t = TransportArg::Auto)]
    pub(super) transport: TransportArg,
    /// Judge only what matches: requirement ids or scenario names, `*` stands for any text. Repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(super) only: Vec<String>,
    /// Leave out what matches. Repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(super) skip: Vec<String>,
    /// Which tools may be called.
    #[arg(long, value_enum)]
    pub(super) calls: Option<CallsArg>,
    /// Call this tool whatever its annotations say. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub(super) tool: Vec<String>,
    /// Generated argument sets for each tool; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(super) cases: u32,
    /// The time that generated calls of one tool may take; a slow one gets fewer.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "2")]
    pub(super) time: Duration,
    /// Repeats the choices of an earlier run.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// The mildest level that makes the exit code 1.
    #[arg(long, value_name = "LEVEL", default_value = "must", value_parser = fail_on, help = "The mildest level that makes the exit code 1: must, should, advice or never")]
    pub(super) fail_on: FailOn,
    /// What is printed on standard output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
    /// The folder for report.json, report.xml (JUnit), report.sarif, report.md, report.html, report.txt, report.tap, gl-code-quality-report.json, badge.json and transcript.jsonl.
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub(super) reports: PathBuf,
    /// Show advice in full instead of in a line each.
    #[arg(long)]
    pub(super) advice: bool,
    /// No progress, and of the report for people only its head.
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// The time limit of a request.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// Processes of the server started side by side.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) jobs: Option<u16>,
    /// A header for every HTTP request, as 'Name: value'. Its value reaches no report. Repeatable.
    #[arg(long, value_name = "HEADER")]
    pub(super) header: Vec<String>,
    /// The same with the value taken from an environment variable, as 'Authorization: VARIABLE'. Repeatable.
    #[arg(long, value_name = "HEADER")]
    pub(super) header_env: Vec<String>,
    /// The environment variable that holds the token for the server, sent as `Authorization: Bearer TOKEN`.
    #[arg(long, value_name = "VARIABLE")]
    pub(super) token_env: Option<String>,
    /// The file that holds it. Further tokens are named in the configuration file.
    #[arg(long, value_name = "PATH", conflicts_with = "token_env")]
    pub(super) token_file: Option<PathBuf>,
    /// The environment variable that holds another user's token: what is one user's must not be had with it.
    #[arg(long, value_name = "VARIABLE")]
    pub(super) second_token_env: Option<String>,
    /// The configuration file. Without the flag mcp-conform.toml is read if it is there, or in a folder above.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Compare the outcome with the snapshot in the reports folder, or write it anew.
    #[arg(long, value_enum, value_name = "check|update")]
    pub(super) snapshot: Option<SnapshotArg>,
    /// The name of the snapshot, instead of that of the server.
    #[arg(long, value_name = "NAME", requires = "snapshot")]
    pub(super) snapshot_name: Option<String>,
    /// Start the program in an empty working directory, with empty HOME and TMPDIR.
    #[arg(long)]
    pub(super) scratch: bool,
    /// Send malformed and disruptive input to a URL that is not on this machine as well.
    #[arg(long)]
    pub(super) yes_disrupt: bool,
    /// Known findings, with reasons: only new ones make the exit code 1, and entries that nothing matches any more.
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// Add what is new to the baseline and take out what is gone; comments and reasons stay.
    #[arg(long, requires = "baseline")]
    pub(super) update_baseline: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform run                                      the embedded reference server
  mcp-conform run ./server                             a program
  mcp-conform run -- npx -y @scope/server --root .     a program with arguments
  mcp-conform run http://127.0.0.1:3000/mcp            a URL
  mcp-conform run http://127.0.0.1:3000/sse            the same, of a server that speaks HTTP+SSE
  mcp-conform run --from .mcp.json github              a server that a client is configured with
  mcp-conform run --token-env TOKEN https://example.com/mcp
  mcp-conform run --only 'tools.*' --tool write_file ./server
  mcp-conform run --protocol all --format junit ./server > results.xml
  mcp-conform run --snapshot update ./server           then commit the file, and in CI:
  mcp-conform run --snapshot check ./server

Exit codes:
  0 nothing at or above --fail-on    1 findings, or a snapshot differs    2 wrong usage
  3 the server could not be judged   130 interrupted, the report is partial";

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// The whole record.
    Json,
    /// JUnit XML, for continuous integration.
    Junit,
    /// SARIF 2.1.0, for code-scanning alerts.
    Sarif,
    /// Markdown, for job summaries and comments.
    Markdown,
    /// One self-contained page.
    Html,
    /// TAP 13, for test harnesses.
    Tap,
    /// GitLab's code-quality report.
    Gitlab,
    /// Annotations of GitHub Actions; printed by themselves where GITHUB_ACTIONS is set.
    Github,
    /// A badge, as the endpoint JSON of shields.io.
    Badge,
}

/// How a URL is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TransportArg {
    /// Streamable HTTP; where that is refused, HTTP+SSE.
    Auto,
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE of 2024-11-05; the URL is that of the stream.
    Sse,
}

/// Which tools may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CallsArg {
    /// Those marked as harmless, and those named by --tool (the default).
    Safe,
    /// All: only for servers that can do no harm.
    All,
    /// None.
    None,
}

/// What to do with snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SnapshotArg {
    /// Compare; a difference is printed and makes the exit code 1.
    Check,
    /// Write.
    Update,
}

/// What makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailOn {
    /// Findings at this level or a graver one.
    Level(Level),
    /// Nothing.
    Never,
}

/// A command that only borrows these flags.
#[derive(Debug, clap::Parser)]
struct Borrowed {
    #[command(flatten)]
    args: Args,
}

impl Args {
    /// The flags as a command line of `run` would have them, for commands that have some of them too.
    pub(crate) fn borrowed(words: Vec<String>) -> Result<Self, Failure> {
        let words = std::iter::once("run".to_owned()).chain(words);
        let borrowed = <Borrowed as clap::Parser>::try_parse_from(words);
        borrowed.map(|borrowed| borrowed.args).map_err(|error| Failure::usage(error.to_string()))
    }

    /// The command line and the configuration file together; the command line has the last word.
    pub(super) fn options(&self, config: Config, chosen: Chosen) -> Result<Options, Failure> {
        let default = Options::default();
        let mut headers = headers::all(self, &config, &chosen.target)?;
        headers.extend(chosen.headers);
        let credentials = credentials::all(self, &config, &chosen.target)?;
        let twice =
            credentials.token.is_some() && headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        if twice {
            return Err(Failure::usage("a token and a header Authorization are given: one of them is enough"));
        }
        let tools = self.tool.iter().cloned().chain(config.tools).collect();
        Ok(Options {
            protocol: self.protocol,
            transport: self.transport.choice(),
            only: self.only.clone(),
            skip: self.skip.clone(),
            calls: self.calls.map(CallsArg::calls).or(config.calls).unwrap_or(default.calls),
            tools,
            never: config.never,
            cases: self.cases,
            time: self.time,
            counterexamples: default.counterexamples,
            seed: self.seed,
            timeout: self.timeout.or(config.timeout).unwrap_or(default.timeout),
            jobs: self.jobs.map_or(default.jobs, usize::from),
            headers,
            credentials,
            yes_disrupt: self.yes_disrupt,
            scratch: self.scratch,
            env: chosen.env,
            folder: chosen.folder,
            triggers: config.triggers,
            arguments: config.arguments,
            prompts: config.prompts,
            hints: config.hints,
        })
    }
}

impl FailOn {
    /// The mildest level that fails.
    pub(crate) fn level(self) -> Option<Level> {
        match self {
            Self::Level(level) => Some(level),
            Self::Never => None,
        }
    }
}

impl TransportArg {
    /// The transport, as a run takes it.
    pub(crate) fn choice(self) -> Choice {
        match self {
            Self::Auto => Choice::Auto,
            Self::Http => Choice::Http,
            Self::Sse => Choice::Sse,
        }
    }
}

impl CallsArg {
    fn calls(self) -> Calls {
        match self {
            Self::Safe => Calls::Safe,
            Self::All => Calls::All,
            Self::None => Calls::None,
        }
    }
}

/// What `--protocol` says.
pub(crate) fn protocol(text: &str) -> Result<Protocol, String> {
    match text {
        "latest" => Ok(Protocol::Latest),
        "all" => Ok(Protocol::All),
        date => date.parse::<Revision>().map(Protocol::One).map_err(|error| format!("{error}; or `latest`, or `all`")),
    }
}

/// What `--fail-on` says.
pub(crate) fn fail_on(text: &str) -> Result<FailOn, String> {
    match text {
        "must" => Ok(FailOn::Level(Level::Must)),
        "should" => Ok(FailOn::Level(Level::Should)),
        "advice" => Ok(FailOn::Level(Level::Advice)),
        "never" => Ok(FailOn::Never),
        _ => Err("it is one of must, should, advice and never".to_owned()),
    }
}

/// A time limit in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "it is a number of seconds above 0 and up to 86400, as 5 or 0.5".to_owned();
    let number: f64 = text.parse().map_err(|_| wrong())?;
    if number > 0.0 && number <= 86_400.0 {
        Duration::try_from_secs_f64(number).map_err(|_| wrong())
    } else {
        Err(wrong())
    }
}
