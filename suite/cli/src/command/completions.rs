//! `mcp-conform completions`: a script that completes commands and flags in a shell.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::Failure;
use crate::output;

/// Print a script that completes commands and flags in your shell.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mcp-conform completions bash > ~/.local/share/bash-completion/completions/mcp-conform\n  mcp-conform completions fish > ~/.config/fish/completions/mcp-conform.fish"
)]
pub(crate) struct Args {
    /// The shell.
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mcp-conform", &mut script);
    output::emit(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
