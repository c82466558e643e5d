//! `mcp-conform run`: drive a server, judge it, report.

mod chosen;
mod credentials;
mod flags;
mod folder;
mod headers;
mod kept;
mod known;
mod progress;
mod regressions;
mod snapshots;
mod tools;
mod verdicts;

use std::path::{Component, Path};
use std::process::ExitCode;

use report::{Style, badge, brief, github, gitlab, html, human, json, junit, markdown, sarif, tap};
use run::{Finished, Target, Trouble};
use verdict::exit;
use verdict::record::Report;

use crate::config::{self, Config, Leveled};
use crate::failure::Failure;
use crate::{globs, output};

pub(crate) use credentials::configured;
pub(crate) use flags::{Args, FailOn, Format, TransportArg, fail_on, protocol, seconds};
pub(crate) use folder::{Folder, put};
use kept::Kept;
use known::Baseline;
pub(crate) use progress::ProgressLine;
pub(crate) use regressions::Regressions;
use snapshots::Snapshots;

/// What the outcome is held against.
struct Compared {
    levels: Vec<Leveled>,
    snapshots: Snapshots,
    baseline: Option<Baseline>,
    kept: Kept,
    /// What fuzzing found before and still happens.
    relapses: usize,
}

/// Drives the target and reports.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    globs::check("--only", &args.only)?;
    globs::check("--skip", &args.skip)?;
    let mut config = Config::load(args.config.as_deref())?;
    let levels = std::mem::take(&mut config.levels);
    let chosen = chosen::choose(args, &mut config)?;
    let target = chosen.target.clone();
    let mut options = args.options(config, chosen)?;
    let kept = Kept::read(&args.reports);
    options.counterexamples = kept.arguments();
    let (snapshots, baseline) = (Snapshots::new(args)?, Baseline::open(args)?);
    // Before the run: nobody wants to learn afterwards that its result cannot be written.
    let folder = Folder::open(&args.reports)?;
    let relapses = Regressions::read(&args.reports).tried(&target, &options)?;
    relapses.iter().for_each(|line| output::say(line));
    let compared = Compared { levels, snapshots, baseline, kept, relapses: relapses.len() };
    let progress = ProgressLine::new(args.quiet);
    let finished = run::drive(&target, &options, &|step| progress.show(&step));
    progress.clear();
    match finished {
        Ok(finished) => {
            let named = options.tools.iter().chain(&options.never).chain(options.arguments.keys());
            for line in tools::unknown(named, &finished.transcripts) {
                output::say(&line);
            }
            conclude(args, &target, finished, &folder, &compared)
        }
        Err(trouble) => give_up(args, &target, trouble, &folder),
    }
}

/// The target and the options of these flags, for commands that drive a server in a way of their own.
pub(crate) fn settled(args: &Args) -> Result<(Target, run::Options), Failure> {
    let mut config = Config::load(args.config.as_deref())?;
    let chosen = chosen::choose(args, &mut config)?;
    let target = chosen.target.clone();
    let options = args.options(config, chosen)?;
    Ok((target, options))
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
    mut finished: Finished,
    folder: &Folder,
    compared: &Compared,
) -> Result<ExitCode, Failure> {
    let interrupted = finished.interrupted;
    if finished.records.is_empty() {
        return give_up(args, target, Trouble::Interrupted, folder);
    }
    let transcripts = std::mem::take(&mut finished.transcripts);
    let mut report = verdicts::report(args.protocol, target, finished);
    config::apply(&compared.levels, &mut report);
    folder.write(&report, &transcripts)?;
    compared.kept.write(&report)?;
    output::emit(&printed(args, &report))?;
    annotate(args, &report)?;
    let changed = !interrupted && compared.snapshots.settle(&report)?;
    let accepted = match &compared.baseline {
        Some(baseline) if !interrupted => Some(baseline.settle(&report)?),
        _ => None,
    };
    let changed = changed || (compared.relapses > 0 && args.fail_on.level().is_some());
    Ok(ExitCode::from(code(args, &report, interrupted, changed, accepted)))
}

/// Where GitHub runs us, findings become annotations; those that a baseline knows are no news.
fn annotate(args: &Args, report: &Report) -> Result<(), Failure> {
    let there = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    if !there || args.baseline.is_some() || args.format == Format::Github {
        return Ok(());
    }
    let text = github(report, &anchor(report), args.fail_on.level());
    if args.format == Format::Human {
        return output::emit(&text);
    }
    // Commands are heard on standard error as well; standard output is for whoever reads the format.
    output::say(text.trim_end());
    Ok(())
}

/// Nothing could be judged. Programs that read JSON still get a document.
fn give_up(args: &Args, target: &Target, trouble: Trouble, folder: &Folder) -> Result<ExitCode, Failure> {
    if trouble.exit_code() == exit::UNJUDGED {
        let report = verdicts::unjudged(args.protocol, target, &trouble.to_string());
        folder.write(&report, &[])?;
        if args.format != Format::Human {
            output::emit(&printed(args, &report))?;
        }
    }
    Err(trouble.into())
}

fn printed(args: &Args, report: &Report) -> String {
    if args.quiet && args.format == Format::Human {
        return brief(report, &output::style());
    }
    rendered(args.format, args.advice, report)
}

/// The report in one of the formats.
pub(crate) fn rendered(format: Format, advice: bool, report: &Report) -> String {
    let style = Style { advice, ..output::style() };
    match format {
        Format::Human => human(report, &style),
        Format::Json => json(report),
        Format::Junit => junit(report),
        Format::Sarif => sarif(report, &anchor(report)),
        Format::Markdown => markdown(report),
        Format::Html => html(report),
        Format::Tap => tap(report),
        Format::Gitlab => gitlab(report, &anchor(report)),
        Format::Github => github(report, &anchor(report), Some(verdict::Level::Must)),
        Format::Badge => badge(report),
    }
}

/// The file at which alerts about a server stand: the first file of its command that lies under the working directory, else
/// the configuration.
fn anchor(report: &Report) -> String {
    let command = report.records().first().and_then(|record| record.target.command.as_deref()).unwrap_or_default();
    let own = |word: &&String| {
        let path = Path::new(word.as_str());
        path.is_relative()
            && path.is_file()
            && path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    let file = command.iter().find(own).map(|word| word.trim_start_matches("./").to_owned());
    file.unwrap_or_else(|| "mcp-conform.toml".to_owned())
}

/// The exit code; `accepted` says whether all is as the baseline has it, if there is one.
fn code(args: &Args, report: &Report, interrupted: bool, changed: bool, accepted: Option<bool>) -> u8 {
    let judged: u32 = report.records().iter().map(|record| record.summary.pass + record.summary.fail).sum();
    let level = args.fail_on.level();
    let broken = match accepted {
        Some(accepted) => !accepted,
        None => level.is_some_and(|level| report.fails().at_or_above(level) > 0),
    };
    match () {
        () if interrupted => exit::INTERRUPTED,
        () if judged == 0 => exit::UNJUDGED,
        () if broken || changed => exit::FINDINGS,
        () => exit::CLEAN,
    }
}
