//! `mcp-conform serve`: the embedded reference server.

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
    /// List all faults and quirks instead of serving.
    #[arg(long)]
    list: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform serve                                     over stdio
  mcp-conform serve --transport http --port 8080        over HTTP, at http://127.0.0.1:8080/mcp
  mcp-conform serve --fault tools.call.unknown-tool     a server that breaks one requirement
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

/// Serves until the client is gone.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    if args.list {
        output::emit(&listing())?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = reference::Options { revisions: args.protocol, faults: args.fault, quirks: args.quirk };
    match args.transport {
        Transport::Stdio => reference::serve_stdio(options).map_err(cannot),
        Transport::Http => http(options, args.port),
        Transport::Sse => Err(Failure::usage("the reference server does not speak HTTP+SSE yet: use --transport http")),
    }
}

fn http(options: reference::Options, port: u16) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(cannot)?;
    let ready = |url: String| output::say(&format!("listening on {url}"));
    runtime
        .block_on(tokio::task::LocalSet::new().run_until(reference::serve_http(options, port, ready)))
        .map_err(cannot)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err asks for")]
fn cannot(error: std::io::Error) -> Failure {
    Failure::usage(format!("cannot serve: {error}"))
}

fn listing() -> String {
    let faults = reference::faults().map(|fault| (fault.name(), fault.what));
    let quirks = reference::quirks().iter().map(|quirk| (quirk.name.to_owned(), quirk.what));
    format!("faults\n{}\nquirks\n{}", lines(&faults.collect::<Vec<_>>()), lines(&quirks.collect::<Vec<_>>()))
}

fn lines(rows: &[(String, &str)]) -> String {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter().map(|(name, what)| format!("  {name:width$}  {what}\n")).collect()
}
