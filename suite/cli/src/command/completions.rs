//! `mcp-conform completions`: a shell completion script.

use std::process::ExitCode;

use clap_complete::Shell;

use crate::failure::Failure;
use crate::output;

/// Print a shell completion script.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mcp-conform completions bash > ~/.local/share/bash-completion/completions/mcp-conform\n  mcp-conform completions fish > ~/.config/fish/completions/mcp-conform.fish"
)]
pub(crate) struct Args {
    /// Shell to complete for.
    shell: Shell,
}

/// Prints the completion script.
pub(crate) fn run(args: &Args, mut command_line: clap::Command) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command_line, "mcp-conform", &mut script);
    output::emit(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
