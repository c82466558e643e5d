//! The commands, one file each.

pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod fuzz;
pub(crate) mod generate;
pub(crate) mod hosts;
pub(crate) mod init;
pub(crate) mod judge;
pub(crate) mod list;
pub(crate) mod propose;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod sdk;
pub(crate) mod selftest;
pub(crate) mod serve;

use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;

/// A command and its flags.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(Box<run::Args>),
    Init(init::Args),
    List(list::Args),
    Explain(explain::Args),
    Serve(serve::Args),
    Generate(generate::Args),
    Fuzz(Box<fuzz::Args>),
    Replay(replay::Args),
    Report(report::Args),
    Diff(diff::Args),
    Record(record::Args),
    Judge(judge::Args),
    Sdk(sdk::Args),
    Hosts(hosts::Args),
    Selftest(selftest::Args),
    Completions(completions::Args),
}

/// Runs a command and returns its exit code. `command_line` describes the whole command line, for completions.
pub(crate) fn run(command: Command, command_line: fn() -> clap::Command) -> Result<ExitCode, Failure> {
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
        Command::Sdk(args) => sdk::run(&args),
        Command::Hosts(args) => hosts::run(&args),
        Command::Selftest(args) => selftest::run(&args),
        Command::Serve(args) => serve::run(args),
        Command::Completions(args) => completions::run(&args, command_line()),
    }
}
