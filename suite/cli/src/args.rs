//! The command line as a whole; each command describes its own flags.

use clap::Parser;

use crate::command::Command;

/// Tests whether an MCP server conforms to the Model Context Protocol specification.
///
/// Starts the server (or connects to its URL), sends it valid and invalid messages, and reports which
/// requirements of the specification it breaks, with the exchange that shows it.
#[derive(Debug, Parser)]
#[command(name = "mcp-conform", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform run                                test the embedded reference server, to see a report
  mcp-conform run -- node server.js              test a server over stdio
  mcp-conform run http://127.0.0.1:3000/mcp      test a server over HTTP
  mcp-conform init -- node server.js             write mcp-conform.toml and a workflow
  mcp-conform explain tools.call.unknown-tool    explain a requirement and how to meet it

Exit codes:
  0    no findings
  1    findings
  2    usage error: the command line, or a file it names, is wrong
  3    the server could not be judged: it did not start, was unreachable, or nothing was observed
  130  interrupted";
