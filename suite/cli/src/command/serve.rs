//! `mcp-conform serve`: runs the embedded reference server.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use verdict::Revision;

use crate::failure::Failure;
use crate::output;

/// Run the embedded reference server, with or without injected faults.
///
/// Without faults the server meets every requirement.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Transport to serve
    #[arg(long, value_enum, default_value_t = Transport::Stdio)]
    transport: Transport,
    /// Port on 127.0.0.1; 0 picks a free one. The URL is printed on standard error
    #[arg(long, default_value_t = 0, value_name = "N")]
    port: u16,
    /// Revisions to support, comma-separated [default: all]
    #[arg(long, value_name = "REV,..", value_delimiter = ',')]
    protocol: Vec<Revision>,
    /// Break this requirement; `ID/VARIANT` if there are several ways. Repeatable
    #[arg(long, value_name = "ID")]
    fault: Vec<String>,
    /// Enable this quirk: behaviour that the specification allows but is off by default. Repeatable
    #[arg(long, value_name = "NAME")]
    quirk: Vec<String>,
    /// Also offer the tools, resources and prompts that the official conformance suite expects by name
    #[arg(long)]
    fixtures: bool,
    /// Enable this bug: one that no requirement covers, for `fuzz` to find. Repeatable
    #[arg(long, value_name = "NAME")]
    bug: Vec<String>,
    /// Require authorization over HTTP
    #[arg(long, value_enum, value_name = "static|jwt")]
    auth: Option<AuthArg>,
    /// Folder to write valid tokens to, with an mcp-conform.toml that names them
    #[arg(long, value_name = "DIR")]
    tokens: Option<PathBuf>,
    /// List all faults, quirks and bugs, and exit
    #[arg(long)]
    list: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform serve                                     over stdio
  mcp-conform serve --transport http --port 8080        over HTTP, at http://127.0.0.1:8080/mcp
  mcp-conform serve --transport sse --port 8080         over HTTP+SSE, at http://127.0.0.1:8080/sse
  mcp-conform serve --fault tools.call.unknown-tool     with a fault that breaks one requirement
  mcp-conform serve --transport http --auth jwt --tokens tokens    then, to test it:
  mcp-conform run --config tokens/mcp-conform.toml URL
  mcp-conform serve --list                              list the faults, quirks and bugs";

/// The transport to serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Transport {
    /// Standard input and output.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE of 2024-11-05.
    Sse,
}

/// The kind of token that clients need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AuthArg {
    /// A random string.
    Static,
    /// A JSON Web Token with audience, scopes and expiry.
    Jwt,
}

/// Serves until the client disconnects.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    if args.list {
        output::emit(&listing())?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.transport != Transport::Http && (args.auth.is_some() || args.tokens.is_some()) {
        return Err(Failure::usage("--auth and --tokens require --transport http"));
    }
    let auth = args.auth.map(|auth| match auth {
        AuthArg::Static => reference::Auth::Static,
        AuthArg::Jwt => reference::Auth::Jwt,
    });
    let options = reference::Options {
        revisions: args.protocol,
        faults: args.fault,
        quirks: args.quirk,
        fixtures: args.fixtures,
        bugs: args.bug,
        auth,
        tokens: args.tokens,
    };
    match args.transport {
        Transport::Stdio => reference::serve_stdio(options).map_err(serve_error),
        Transport::Http => listen(reference::serve_http(options, args.port, ready)),
        Transport::Sse => listen(reference::serve_sse(options, args.port, ready)),
    }
}

fn ready(url: String) {
    output::say(&format!("listening on {url}"));
}

fn listen(serving: impl Future<Output = std::io::Result<ExitCode>>) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(serve_error)?;
    runtime.block_on(tokio::task::LocalSet::new().run_until(serving)).map_err(serve_error)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err asks for")]
fn serve_error(error: std::io::Error) -> Failure {
    Failure::usage(format!("cannot serve: {error}"))
}

fn listing() -> String {
    let faults = reference::faults().map(|fault| (fault.name(), fault.what));
    let quirks = reference::quirks().iter().map(|quirk| (quirk.name.to_owned(), quirk.what));
    let bugs = reference::bugs().iter().map(|bug| (bug.name.to_owned(), bug.what));
    let [faults, quirks, bugs] =
        [faults.collect::<Vec<_>>(), quirks.collect(), bugs.collect()].map(|rows| lines(&rows));
    format!("faults\n{faults}\nquirks\n{quirks}\nbugs\n{bugs}")
}

fn lines(rows: &[(String, &str)]) -> String {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter().map(|(name, what)| format!("  {name:width$}  {what}\n")).collect()
}
