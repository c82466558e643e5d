//! The command line as a whole; each command describes its own flags.

use clap::{Parser, Subcommand};

use crate::command::{
    completions, diff, explain, fuzz, generate, init, judge, list, record, replay, report, run, selftest, serve,
};

/// Tests whether an MCP server keeps to the Model Context Protocol specification.
///
/// It starts your server (or connects to its URL), talks to it as clients do and as they should not, and says which
/// requirements of the specification it breaks, with the exchange that shows it.
#[derive(Debug, Parser)]
#[command(name = "mcp-conform", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform run                                the embedded reference server: see what a report is
  mcp-conform run -- node server.js              your server over stdio
  mcp-conform run http://127.0.0.1:3000/mcp      your server over HTTP
  mcp-conform init -- node server.js             writes mcp-conform.toml and a workflow
  mcp-conform explain tools.call.unknown-tool    what a requirement says, and how to keep it

Exit codes:
  0    nothing is broken
  1    something is broken
  2    the command line, or a file it names, is wrong
  3    the server could not be judged: not started, not reached, nothing observed
  130  interrupted";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(Box<run::Args>),
    Init(init::Args),
    List(list::Args),
    Explain(explain::Args),
    Serve(serve::Args),
    Generate(generate::Args),
    Fuzz(Box<fuzz::Args>),
    Replay(replay::Args),
    Report(report::Args),
    Diff(diff::Args),
    Record(record::Args),
    Judge(judge::Args),
    Selftest(selftest::Args),
    Completions(completions::Args),
}
