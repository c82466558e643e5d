//! One file a command.

pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod list;
pub(crate) mod run;
pub(crate) mod selftest;
pub(crate) mod serve;

use std::process::ExitCode;

use crate::args::Command;
use crate::failure::Failure;

/// Lets a command run; its exit code.
pub(crate) fn run(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Run(args) => run::run(&args),
        Command::List(args) => list::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Selftest(args) => selftest::run(&args),
        Command::Serve(args) => serve::run(args),
        Command::Completions(args) => completions::run(&args),
    }
}
