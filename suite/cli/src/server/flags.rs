//! The flags that several commands share, with the same names, values and meanings.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use run::Calls;

use crate::values::{TransportArg, parse_time};

/// The help lists these flags apart, after those of the command.
const CONNECTION: &str = "Server and connection";

/// Which server it is and how to reach it.
#[derive(Debug, clap::Args)]
pub(crate) struct ServerFlags {
    /// Program or URL [default: the server in mcp-conform.toml, or the embedded reference server]
    pub(super) target: Option<String>,
    /// Program and its arguments, or the arguments of TARGET
    #[arg(last = true, value_name = "ARGS")]
    pub(super) args: Vec<String>,
    /// Take the server from a client's configuration file; TARGET is then its name in that file.
    ///
    /// Supported files: .mcp.json, mcp.json, claude_desktop_config.json, server.json.
    #[arg(long, help_heading = CONNECTION, value_name = "FILE", conflicts_with = "args")]
    pub(super) from: Option<PathBuf>,
    /// Test the embedded reference server, also where CI is set
    #[arg(long, help_heading = CONNECTION, conflicts_with_all = ["target", "args", "from"])]
    pub(super) embedded: bool,
    /// Transport for a URL
    #[arg(long, help_heading = CONNECTION, value_enum, default_value_t = TransportArg::Auto)]
    pub(super) transport: TransportArg,
    /// Time limit for each request, in seconds or as 500ms, 90s or 2m [default: 5s]
    #[arg(long, help_heading = CONNECTION, value_name = "TIME", value_parser = parse_time)]
    pub(super) timeout: Option<Duration>,
    /// Time limit for the first answer of a server that is slow to start [default: 30s]
    #[arg(long, help_heading = CONNECTION, value_name = "TIME", value_parser = parse_time)]
    pub(super) start_timeout: Option<Duration>,
    /// Header for every HTTP request, as 'Name: value'; reports never contain the value. Repeatable
    #[arg(long, help_heading = CONNECTION, value_name = "HEADER")]
    pub(super) header: Vec<String>,
    /// Header with its value from an environment variable, as 'Authorization: VARIABLE'. Repeatable
    #[arg(long, help_heading = CONNECTION, value_name = "HEADER")]
    pub(super) header_env: Vec<String>,
    /// Environment variable with the token for the server, sent as `Authorization: Bearer TOKEN`
    #[arg(long, help_heading = CONNECTION, value_name = "VARIABLE")]
    pub(super) token_env: Option<String>,
    /// File with the token for the server. The configuration file can name further tokens
    #[arg(long, help_heading = CONNECTION, value_name = "PATH", conflicts_with = "token_env")]
    pub(super) token_file: Option<PathBuf>,
    /// Configuration file [default: mcp-conform.toml in the working directory or the nearest folder above]
    #[arg(long, help_heading = CONNECTION, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Start the program in an empty working directory, with empty HOME and TMPDIR
    #[arg(long, help_heading = CONNECTION)]
    pub(super) scratch: bool,
    /// Send malformed and disruptive input even to a URL on another machine
    #[arg(long, help_heading = CONNECTION)]
    pub(super) yes_disrupt: bool,
}

/// Which tools are called, and with what.
#[derive(Debug, clap::Args)]
pub(crate) struct CallFlags {
    /// Which tools may be called, with valid or invalid arguments [default: read-only]
    #[arg(long, value_enum)]
    pub(super) calls: Option<CallsArg>,
    /// Allow calls of this tool, whatever its annotations say. Repeatable
    #[arg(long, value_name = "NAME")]
    pub(super) tool: Vec<String>,
    /// Random seed; pass the seed of an earlier run to repeat its choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

/// The policy for calling tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CallsArg {
    /// No tools.
    None,
    /// Tools with `readOnlyHint: true`, and those named with --tool.
    #[value(alias = "safe")]
    ReadOnly,
    /// Also tools with `destructiveHint: false`: they may add files, messages or issues.
    Additive,
    /// All tools: only for servers that cannot do harm.
    All,
}

impl CallsArg {
    /// Returns the policy as the option of a run.
    pub(super) fn policy(self) -> Calls {
        match self {
            Self::None => Calls::None,
            Self::ReadOnly => Calls::ReadOnly,
            Self::Additive => Calls::Additive,
            Self::All => Calls::All,
        }
    }
}
