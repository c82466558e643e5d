//! The `mcp-conform` program: parses the command line, runs a command, and exits with its exit code.

mod args;
mod bar;
mod baseline;
mod client_config;
mod command;
mod config;
mod coverage;
mod dependency;
mod diff;
mod failure;
mod files;
mod globs;
mod hosts;
mod output;
mod progress;
mod reference_server;
mod regressions;
#[cfg(test)]
mod release_files;
mod reports;
mod sdks;
mod server;
mod similar;
mod values;

use std::process::ExitCode;

use args::Cli;
use clap::{CommandFactory, Parser};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    match command::run(cli.command, Cli::command) {
        Ok(code) => code,
        Err(failure) => {
            output::eprint(&format!("error: {failure}"));
            ExitCode::from(failure.exit_code())
        }
    }
}

/// The command line cannot be run, or asks for help.
fn refused(error: &clap::Error) -> ExitCode {
    let alone = std::env::args_os().len() == 1;
    let folder = std::env::current_dir().ok().filter(|_| alone);
    match folder.and_then(|folder| command::propose::text(&folder)) {
        Some(proposals) => output::eprint(&proposals),
        // A closed pipe (`--help | head`) is not worth a message.
        None => drop(error.print()),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(verdict::exit::USAGE))
}
