//! `mcp-conform serve`: the embedded reference server.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use verdict::Revision;

use crate::failure::Failure;
use crate::output;

/// Serve the embedded reference server: one that keeps every requirement, unless told to break one.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How it is spoken to.
    #[arg(long, value_enum, default_value_t = Transport::Stdio)]
    transport: Transport,
    /// The port on 127.0.0.1; 0 takes a free one. The address is printed on standard error.
    #[arg(long, default_value_t = 0, value_name = "N")]
    port: u16,
    /// The revisions it speaks, separated by commas. All, if none is named.
    #[arg(long, value_name = "REV,..", value_delimiter = ',')]
    protocol: Vec<Revision>,
    /// Break this requirement, and no other. Repeatable; `ID/VARIANT` where there are several ways.
    #[arg(long, value_name = "ID")]
    fault: Vec<String>,
    /// Make use of something that a server may do and this one does not by itself. Repeatable.
    #[arg(long, value_name = "NAME")]
    quirk: Vec<String>,
    /// Offer the tools, resources and prompts as well that the official conformance suite asks for by name.
    #[arg(long)]
    fixtures: bool,
    /// Have a bug that no requirement speaks of, for `fuzz` to find. Repeatable.
    #[arg(long, value_name = "NAME")]
    bug: Vec<String>,
    /// Ask for authorization over HTTP: a random token, or a JSON Web Token with audience, scopes and expiry.
    #[arg(long, value_enum, value_name = "static|jwt")]
    auth: Option<AuthArg>,
    /// A folder for the tokens that are good here, and a mcp-conform.toml that names them.
    #[arg(long, value_name = "DIR")]
    tokens: Option<PathBuf>,
    /// List all faults, quirks and bugs instead of serving.
    #[arg(long)]
    list: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform serve                                     over stdio
  mcp-conform serve --transport http --port 8080        over HTTP, at http://127.0.0.1:8080/mcp
  mcp-conform serve --transport sse --port 8080         over HTTP+SSE, at http://127.0.0.1:8080/sse
  mcp-conform serve --fault tools.call.unknown-tool     a server that breaks one requirement
  mcp-conform serve --transport http --auth jwt --tokens tokens    then, to test it:
  mcp-conform run --config tokens/mcp-conform.toml URL
  mcp-conform serve --list                              what can be broken";

/// How a server is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Transport {
    /// Standard input and output.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE of 2024-11-05.
    Sse,
}

/// What is asked of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AuthArg {
    /// One of a few random strings.
    Static,
    /// A JSON Web Token.
    Jwt,
}

/// Serves until the client is gone.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    if args.list {
        output::emit(&listing())?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.transport != Transport::Http && (args.auth.is_some() || args.tokens.is_some()) {
        return Err(Failure::usage("--auth and --tokens are for --transport http"));
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
        Transport::Stdio => reference::serve_stdio(options).map_err(cannot),
        Transport::Http => listen(reference::serve_http(options, args.port, ready)),
        Transport::Sse => listen(reference::serve_sse(options, args.port, ready)),
    }
}

fn ready(url: String) {
    output::say(&format!("listening on {url}"));
}

fn listen(serving: impl Future<Output = std::io::Result<ExitCode>>) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(cannot)?;
    runtime.block_on(tokio::task::LocalSet::new().run_until(serving)).map_err(cannot)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err asks for")]
fn cannot(error: std::io::Error) -> Failure {
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
