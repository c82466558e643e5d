//! `mcp-conform run`: drive a server, judge it, report.

mod flags;
mod folder;
mod headers;
mod progress;
mod snapshots;
mod tools;
mod verdicts;

use std::process::ExitCode;

use report::{Style, brief, human, json, junit};
use run::{Finished, Target, Trouble};
use verdict::exit;
use verdict::record::Report;

use crate::config::Config;
use crate::failure::Failure;
use crate::{globs, output};

pub(crate) use flags::{Args, seconds};
use flags::{FailOn, Format};
use folder::Folder;
pub(crate) use progress::Bar;
use snapshots::Snapshots;

/// Drives the target and reports.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.baseline.is_some() {
        return Err(Failure::usage("--baseline is not there yet: use --snapshot check to fail on what is new"));
    }
    globs::check("--only", &args.only)?;
    globs::check("--skip", &args.skip)?;
    let config = Config::load(args.config.as_deref())?;
    let target = target(args)?;
    let options = args.options(config, &target)?;
    let snapshots = Snapshots::new(args)?;
    // Before the run: nobody wants to learn afterwards that its result cannot be written.
    let folder = Folder::open(&args.reports)?;
    let progress = Bar::new(args.quiet);
    let finished = run::drive(&target, &options, &|step| progress.show(&step));
    progress.clear();
    match finished {
        Ok(finished) => {
            let named = options.tools.iter().chain(&options.never).chain(options.arguments.keys());
            for line in tools::unknown(named, &finished.transcripts) {
                output::say(&line);
            }
            conclude(args, &target, finished, &folder, &snapshots)
        }
        Err(trouble) => give_up(args, &target, trouble, &folder),
    }
}

/// What the command line names, or the embedded reference server as a child of its own.
fn target(args: &Args) -> Result<Target, Failure> {
    if args.target.is_none() && args.args.is_empty() {
        return embedded(&[]);
    }
    Ok(Target::parse(args.target.as_deref(), &args.args)?)
}

/// The embedded reference server over stdio, with further flags.
pub(crate) fn embedded(flags: &[String]) -> Result<Target, Failure> {
    let own =
        std::env::current_exe().map_err(|error| Failure::usage(format!("cannot find my own executable: {error}")))?;
    let serve = ["serve", "--transport", "stdio"].map(str::to_owned);
    let args = serve.into_iter().chain(flags.iter().cloned()).collect();
    Ok(Target::Program { program: own.to_string_lossy().into_owned(), args })
}

fn conclude(
    args: &Args,
    target: &Target,
    finished: Finished,
    folder: &Folder,
    snapshots: &Snapshots,
) -> Result<ExitCode, Failure> {
    let interrupted = finished.interrupted;
    if finished.records.is_empty() {
        return give_up(args, target, Trouble::Interrupted, folder);
    }
    let transcripts = finished.transcripts.clone();
    let report = verdicts::report(args.protocol, target, finished);
    folder.write(&report, &transcripts)?;
    output::emit(&rendered(args, &report))?;
    let changed = !interrupted && snapshots.settle(&report)?;
    Ok(ExitCode::from(code(args, &report, interrupted, changed)))
}

/// Nothing could be judged. Programs that read JSON still get a document.
fn give_up(args: &Args, target: &Target, trouble: Trouble, folder: &Folder) -> Result<ExitCode, Failure> {
    if trouble.exit_code() == exit::UNJUDGED {
        let report = verdicts::unjudged(args.protocol, target, &trouble.to_string());
        folder.write(&report, &[])?;
        if args.format != Format::Human {
            output::emit(&rendered(args, &report))?;
        }
    }
    Err(trouble.into())
}

fn rendered(args: &Args, report: &Report) -> String {
    let style = Style { advice: args.advice, ..output::style() };
    match args.format {
        Format::Human if args.quiet => brief(report, &style),
        Format::Human => human(report, &style),
        Format::Json => json(report),
        Format::Junit => junit(report),
    }
}

fn code(args: &Args, report: &Report, interrupted: bool, changed: bool) -> u8 {
    let judged: u32 = report.records().iter().map(|record| record.summary.pass + record.summary.fail).sum();
    let level = match args.fail_on {
        FailOn::Level(level) => Some(level),
        FailOn::Never => None,
    };
    let broken = level.is_some_and(|level| report.fails().at_or_above(level) > 0);
    match () {
        () if interrupted => exit::INTERRUPTED,
        () if judged == 0 => exit::UNJUDGED,
        () if broken || changed => exit::FINDINGS,
        () => exit::CLEAN,
    }
}
