//! `mcp-conform record`: records the traffic between a real client and a server.

use std::fs::{File, OpenOptions};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use run::Target;
use run::tap::{Bridge, Hidden, Recording, listen, pass};
use serde_json::json;
use verdict::exit;
use verdict::transcript::Exit;

use crate::failure::Failure;
use crate::output;
use crate::values::TransportArg;

/// Limit of file names to try if files exist.
const NAMES: u32 = 10_000;

/// Record a session of a real client, to be judged later.
///
/// To record a program, put `mcp-conform record -- ./server` in place of `./server` into the client's configuration. All
/// traffic passes through unchanged, as do standard error, signals and the exit status. To record a URL, mcp-conform
/// listens on this machine.
///
/// Recordings omit secrets: the values of headers such as Authorization and Cookie, of environment variables and flags named
/// like tokens, keys or passwords, and strings that look like tokens of well-known services.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Path of the recording; if the file exists, a number is added to its name [default: a name with the current time]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Environment variable whose value is omitted from the recording. Repeatable
    #[arg(long, value_name = "VARIABLE")]
    secret_env: Vec<String>,
    /// Loopback address and port to listen on for clients of --to; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS", requires = "to")]
    listen: Option<SocketAddr>,
    /// URL of the server
    #[arg(long, value_name = "URL", requires = "listen", conflicts_with = "program")]
    to: Option<String>,
    /// Transport of the URL
    #[arg(long, value_enum, default_value_t = TransportArg::Http, requires = "to")]
    transport: TransportArg,
    /// Program and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM", required_unless_present = "to")]
    program: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform record --out session.jsonl -- node server.js
  mcp-conform record --listen 127.0.0.1:8931 --to http://127.0.0.1:3000/mcp
  mcp-conform judge session.jsonl

The exit code is that of the program, or 128 plus the signal number if a signal ended it; with --listen it is 0 after an
interruption.";

/// Records until the client or the server ends.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut hidden = Hidden::new(args.secret_env.iter().filter_map(|name| std::env::var(name).ok()));
    let variables =
        std::env::vars_os().filter_map(|(name, value)| name.into_string().ok().zip(value.into_string().ok()));
    hidden = hidden.environment(variables).arguments(&args.program);
    match (&args.to, args.listen) {
        (Some(to), Some(address)) => over_http(args, to, address, hidden),
        _ => over_stdio(args, hidden),
    }
}

fn over_stdio(args: &Args, hidden: Hidden) -> Result<ExitCode, Failure> {
    let Some((program, rest)) = args.program.split_first() else { return Err(Failure::usage("no program given")) };
    let (file, path) = create(args.out.as_deref())?;
    let recording = Recording::new(Box::new(file), hidden, json!({"command": args.program}));
    let (ended, recording) = pass(program, rest, recording).inspect_err(|_| drop(std::fs::remove_file(&path)))?;
    warn_if_incomplete(&recording, &path);
    Ok(ExitCode::from(exit_code(&ended)))
}

fn over_http(args: &Args, to: &str, address: SocketAddr, hidden: Hidden) -> Result<ExitCode, Failure> {
    let target = Target::parse(Some(to), &[])?;
    let Target::Url(url) = target else { return Err(Failure::usage(format!("--to {to}: not a URL"))) };
    let bridge = Bridge { listen: address, to: url, over: args.transport.choice() };
    if !address.ip().is_loopback() {
        return Err(Failure::usage(format!(
            "--listen {address}: only loopback addresses are supported, such as 127.0.0.1:0"
        )));
    }
    let (file, path) = create(args.out.as_deref())?;
    let recording = Recording::new(Box::new(file), hidden, json!({"url": to}));
    let ready = |url: &str| output::say(&format!("listening on {url}, recording to {}", path.display()));
    let recording = listen(&bridge, recording, ready).inspect_err(|_| drop(std::fs::remove_file(&path)))?;
    warn_if_incomplete(&recording, &path);
    Ok(ExitCode::from(exit::CLEAN))
}

/// Warns that a recording is incomplete; the session itself was not affected.
fn warn_if_incomplete(recording: &Recording, path: &Path) {
    if let Some(fault) = recording.fault() {
        output::say(&format!("mcp-conform record: {} is incomplete: {fault}", path.display()));
    }
}

fn exit_code(ended: &Exit) -> u8 {
    let number = ended.code.or(ended.signal.map(|signal| 128 + signal));
    number.and_then(|number| u8::try_from(number & 0xff).ok()).unwrap_or(exit::FINDINGS)
}

/// Creates a file that only its owner may read. Existing files are never overwritten.
fn create(named: Option<&Path>) -> Result<(File, PathBuf), Failure> {
    let default = || {
        let now = jiff::Timestamp::now().as_second();
        PathBuf::from(format!("recording-{now}.jsonl"))
    };
    let wanted = named.map_or_else(default, Path::to_owned);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    for number in 1..NAMES {
        let path = numbered(&wanted, number);
        match options.open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Failure::file("write", &path, error)),
        }
    }
    Err(Failure::file("write", &wanted, "too many recordings have this name"))
}

/// Returns the path with a number: `session.jsonl`, `session-2.jsonl`.
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}-{number}{extension}"))
}
