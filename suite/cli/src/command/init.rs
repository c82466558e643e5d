//! `mcp-conform init`: writes a configuration file and a workflow for a server, from what the server offers.

mod file;
mod workflow;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use run::{Calls, Options, Target};

use crate::config::DEFAULT;
use crate::failure::Failure;
use crate::files::write_atomic;
use crate::output;
use crate::values::parse_time;

/// Path of the workflow.
const WORKFLOW: &str = ".github/workflows/mcp-conform.yml";

/// What git ignores in the reports folder: everything but what later runs are compared with.
const IGNORED: &str = "# Written by mcp-conform init. Snapshots and known crashes are to be committed.\n*\n!.gitignore\n!*.snap\n!fuzz-regressions.json\n";

/// Write mcp-conform.toml, a GitHub workflow and reports/.gitignore for a server.
///
/// Asks the server what it offers. No tool is called.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Program or URL
    target: Option<String>,
    /// Program and its arguments, or the arguments of TARGET
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    /// Do not write a workflow
    #[arg(long)]
    no_workflow: bool,
    /// Time limit for each request
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "30s")]
    timeout: Duration,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform init -- node server.js
  mcp-conform init http://127.0.0.1:3000/mcp
  mcp-conform run                                      test the server named in mcp-conform.toml";

/// Asks the server and writes the files.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.target.is_none() && args.args.is_empty() {
        return Err(Failure::usage(
            "no server given: pass a program after `--`, or a URL\n  mcp-conform init -- node server.js",
        ));
    }
    let target = Target::parse(args.target.as_deref(), &args.args)?;
    let mut wanted = vec![PathBuf::from(DEFAULT)];
    wanted.extend((!args.no_workflow).then(|| PathBuf::from(WORKFLOW)));
    // Checked before the server is started, which may take a while.
    if let Some(existing) = wanted.iter().find(|path| !args.force && path.exists()) {
        return Err(Failure::file("write", existing, "the file already exists\n  use --force to overwrite it"));
    }
    // No requirement has this name: the run opens the server and reads its lists, no more.
    let no_requirement = vec!["nothing".to_owned()];
    let options = Options {
        only: no_requirement,
        calls: Calls::None,
        timeout: args.timeout,
        start_timeout: args.timeout,
        ..Options::default()
    };
    let finished = run::drive(&target, &options, &|_| {})?;
    let Some(record) = finished.records.last() else { return Err(run::Trouble::Interrupted.into()) };
    let ignored = Path::new("reports/.gitignore");
    write(Path::new(DEFAULT), &file::text(&target, record))?;
    if !ignored.exists() {
        write(ignored, IGNORED)?;
    }
    if !args.no_workflow {
        write(Path::new(WORKFLOW), &workflow::text(&target, Path::new(".")))?;
    }
    output::eprint("next: mcp-conform run");
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file("write", path, error))?;
    }
    write_atomic(path, text.as_bytes())?;
    output::eprint(&format!("wrote {}", path.display()));
    Ok(())
}
