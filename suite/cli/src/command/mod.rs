//! One file a command.

pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod fuzz;
pub(crate) mod generate;
pub(crate) mod init;
pub(crate) mod judge;
pub(crate) mod list;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod report;
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
        Command::Generate(args) => generate::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Judge(args) => judge::run(&args),
        Command::Selftest(args) => selftest::run(&args),
        Command::Serve(args) => serve::run(args),
        Command::Completions(args) => completions::run(&args),
    }
}
