//! The `mcp-conform` command: reads the command line, lets one command run, ends with its exit code.

mod args;
mod baseline;
mod command;
mod config;
mod diff;
mod failure;
mod from;
mod globs;
mod known;
mod output;
mod stored;

use std::process::ExitCode;

use args::Cli;
use clap::Parser;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // `--help | head` is no error worth a message.
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(verdict::exit::USAGE));
        }
    };
    match command::run(cli.command) {
        Ok(code) => code,
        Err(failure) => {
            output::complain(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}
