//! `mcp-conform init`: a configuration file and a workflow for a server, made from what it says of itself.

mod file;
mod workflow;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use run::{Calls, Options, Target};

use super::run::put;
use crate::config::DEFAULT;
use crate::failure::Failure;
use crate::output;

/// Where the workflow goes.
const WORKFLOW: &str = ".github/workflows/mcp-conform.yml";

/// Write mcp-conform.toml and a GitHub workflow for a server: it is asked what it offers, and no tool is called.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A program or a URL.
    target: Option<String>,
    /// The program and its arguments, or the arguments of TARGET.
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
    /// Write over files that are there.
    #[arg(long)]
    force: bool,
    /// No workflow.
    #[arg(long)]
    no_workflow: bool,
    /// The time limit of a request.
    #[arg(long, value_name = "SECONDS", value_parser = super::run::seconds, default_value = "30")]
    timeout: Duration,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform init -- node server.js
  mcp-conform init http://127.0.0.1:3000/mcp
  mcp-conform run                                      the server that the file names";

/// Asks the server and writes the files.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.target.is_none() && args.args.is_empty() {
        return Err(Failure::usage(
            "which server? a program after `--`, or a URL\n  mcp-conform init -- node server.js",
        ));
    }
    let target = Target::parse(args.target.as_deref(), &args.args)?;
    let mut wanted = vec![PathBuf::from(DEFAULT)];
    wanted.extend((!args.no_workflow).then(|| PathBuf::from(WORKFLOW)));
    // Before the server is started: it may take a while.
    if let Some(there) = wanted.iter().find(|path| !args.force && path.exists()) {
        return Err(Failure::file("write", there, "it is there already\n  --force writes over it"));
    }
    // Nothing has this name: the server is opened and its lists are read, that is all.
    let nothing = vec!["nothing".to_owned()];
    let options = Options { only: nothing, calls: Calls::None, timeout: args.timeout, ..Options::default() };
    let finished = run::drive(&target, &options, &|_| {})?;
    let Some(record) = finished.records.last() else { return Err(run::Trouble::Interrupted.into()) };
    write(Path::new(DEFAULT), &file::text(&target, record))?;
    if !args.no_workflow {
        write(Path::new(WORKFLOW), &workflow::text(&target))?;
    }
    output::say("next: mcp-conform run");
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file("write", path, error))?;
    }
    put(path, text.as_bytes())?;
    output::say(&format!("wrote {}", path.display()));
    Ok(())
}
