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

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::Cli;

    #[test]
    fn times_are_written_alike_in_every_command() {
        for words in [
            &["run", "--time", "10m", "--timeout", "1.5m"][..],
            &["run", "--time", "2", "--timeout", "500ms"],
            &["fuzz", "--time", "10m", "--timeout", "90s"],
            &["replay", "--timeout", "2m", "1.jsonl"],
            &["init", "--timeout", "1m"],
            &["selftest", "--timeout", "3s"],
        ] {
            let parsed = Cli::try_parse_from([&["mcp-conform"], words].concat());
            assert!(parsed.is_ok(), "{words:?}: {}", parsed.expect_err("refused"));
        }
    }

    #[test]
    fn flags_that_reach_a_server_are_the_same_in_run_fuzz_and_replay() {
        let line = Cli::command();
        let flags = |name: &str| {
            let command = line.find_subcommand(name).expect("a command");
            let of_server =
                command.get_arguments().filter(|arg| arg.get_help_heading() == Some("Server and connection"));
            of_server.map(|arg| (arg.get_id().to_string(), format!("{arg:?}"))).collect::<Vec<_>>()
        };
        assert!(flags("run").iter().any(|(name, _)| name == "timeout"));
        assert_eq!(flags("run"), flags("fuzz"));
        assert_eq!(flags("run"), flags("replay"));
    }
}
