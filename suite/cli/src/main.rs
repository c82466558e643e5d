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
        // A closed pipe (`--help | head`) is not worth a message.
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(verdict::exit::USAGE));
        }
    };
    match command::run(cli.command, Cli::command) {
        Ok(code) => code,
        Err(failure) => {
            output::eprint(&format!("error: {failure}"));
            ExitCode::from(failure.exit_code())
        }
    }
}
