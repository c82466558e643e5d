//! The flags of `run`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use report::Format;
use run::Protocol;
use verdict::record::Sdk;

use crate::hosts::{Hosts, parse_host, parse_hosts};
use crate::reports::{DetailFlags, file_names, format_parser};
use crate::sdks::parse_sdk;
use crate::server::{CallFlags, ServerFlags};
use crate::values::{FailOn, parse_fail_on, parse_protocol, parse_time};

/// Test a server and report the requirements it breaks.
///
/// TARGET is a program, spoken to over stdio, or an http:// or https:// URL. Without TARGET, the server named in
/// mcp-conform.toml is tested, or else the embedded reference server. Pass the arguments of the program, or the whole
/// command, after `--`.
///
/// A program runs in your working directory and environment. A tool is called only if the server marks it as
/// read-only (readOnlyHint true) or you name it with --tool; --calls additive and --calls all call more.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) server: ServerFlags,
    /// Protocol revision to judge by: a date, `latest` (the newest that the server speaks) or `all`
    #[arg(long, value_name = "REV", default_value = "latest", value_parser = parse_protocol)]
    pub(super) protocol: Protocol,
    #[command(flatten)]
    pub(super) calls: CallFlags,
    /// Judge only requirements or scenarios that match this glob (`*` matches any text). Repeatable, or
    /// separated by commas
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    pub(super) only: Vec<String>,
    /// Skip requirements or scenarios that match this glob. Repeatable, or separated by commas
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    pub(super) skip: Vec<String>,
    /// Number of generated argument sets per tool; 0 disables generated calls [default: 100, but 5 for a tool that does not
    /// say `openWorldHint: false`]
    #[arg(long, value_name = "N")]
    pub(super) cases: Option<u32>,
    /// Time budget for the generated calls of one tool; a slow tool gets fewer cases
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "2s")]
    pub(super) time: Duration,
    /// Lowest level that causes exit code 1: must, should, advice or never
    #[arg(long, value_name = "LEVEL", default_value = "must", value_parser = parse_fail_on)]
    pub(super) fail_on: FailOn,
    /// Format of the report on standard output
    #[arg(long, default_value = report::HUMAN.name, value_parser = format_parser())]
    pub(super) format: Format,
    #[arg(long, value_name = "DIR", default_value = "reports", help = reports_help())]
    pub(super) reports: PathBuf,
    /// Write the transcript of the embedded server, too; those of other servers are always written
    #[arg(long)]
    pub(super) transcript: bool,
    /// Show on standard error where the time went: the critical path by scenario, the longest step first
    #[arg(long)]
    pub(super) timing: bool,
    #[command(flatten)]
    pub(super) details: DetailFlags,
    /// Hide progress, and print only the verdict and counts of the human report
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Number of server processes to run in parallel
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) jobs: Option<u16>,
    /// Environment variable with a second user's token, to check that it gives no access to the first user's data
    #[arg(long, value_name = "VARIABLE")]
    pub(super) second_token_env: Option<String>,
    /// Compare the outcome with the snapshot in the reports folder, or update the snapshot
    #[arg(long, value_enum, value_name = "check|update")]
    pub(super) snapshot: Option<SnapshotArg>,
    /// Name of the snapshot [default: the name of the server]
    #[arg(long, value_name = "NAME", requires = "snapshot")]
    pub(super) snapshot_name: Option<String>,
    /// File of known findings; only new findings, and stale or expired entries, cause exit code 1
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// What the server is built with, where it is not found out: NAME@VERSION. `mcp-conform sdk list` shows the names
    #[arg(long, value_name = "SDK", value_parser = parse_sdk)]
    pub(super) sdk: Option<Sdk>,
    /// Findings that the SDK of the server is to blame for cause no exit code 1
    #[arg(long)]
    pub(super) accept_sdk: bool,
    /// Hosts to speak of what they do not take: `all`, `none`, or names from `mcp-conform hosts` [default: the most used]
    #[arg(long, value_name = "HOSTS", value_parser = parse_hosts)]
    pub(super) hosts: Option<Hosts>,
    /// Exit with 1 if this host loses a request, a list, the connection or a tool; repeatable
    #[arg(long, value_name = "HOST", value_parser = parse_host)]
    pub(super) fail_on_host: Vec<String>,
    /// Add new findings to the baseline and remove stale entries; comments and reasons are kept
    #[arg(long, requires = "baseline")]
    pub(super) update_baseline: bool,
}

fn reports_help() -> String {
    format!("Folder for the report files: {} and transcript.jsonl.gz", file_names())
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform run                                      the embedded reference server
  mcp-conform run ./server                             a program
  mcp-conform run -- npx -y @scope/server --root .     a program with arguments
  mcp-conform run http://127.0.0.1:3000/mcp            a URL
  mcp-conform run http://127.0.0.1:3000/sse            a URL that speaks HTTP+SSE
  mcp-conform run --from .mcp.json github              a server from a client's configuration
  mcp-conform run --token-env TOKEN https://example.com/mcp
  mcp-conform run --only 'tools.*' --tool write_file ./server
  mcp-conform run --protocol all --format junit ./server > results.xml
  mcp-conform run --snapshot update ./server           commit the snapshot, then in CI:
  mcp-conform run --snapshot check ./server

Exit codes:
  0 no findings at or above --fail-on    1 findings, or the snapshot differs    2 usage error
  3 the server could not be judged      130 interrupted, the report is partial";

/// The action for snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SnapshotArg {
    /// Compare with the snapshot; a difference is printed and causes exit code 1.
    Check,
    /// Write the snapshot.
    Update,
}
