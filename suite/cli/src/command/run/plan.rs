//! The plan of a run: the flags, the configuration file and the reports folder, resolved once.

use std::path::{Path, PathBuf};

use run::{Options, Target};
use verdict::record::Sdk;

use super::baseline::BaselineGate;
use super::counterexamples::Counterexamples;
use super::flags::Args;
use super::gates::Gates;
use super::outputs::Outputs;
use super::snapshots::Snapshots;
use crate::bar::Bar;
use crate::config::{Config, LevelOverride};
use crate::failure::Failure;
use crate::globs;
use crate::hosts::Hosts;
use crate::regressions::Regressions;
use crate::reports::ReportsFolder;
use crate::server::add_second_token;

/// The reports folder of repeated findings, within that of the run.
const REPEAT: &str = "repeat";

/// Everything a run needs. Making it reads and checks all inputs; nothing is sent to a server yet.
pub(super) struct Plan {
    pub(super) target: Target,
    pub(super) options: Options,
    /// What the server is built with, as the user says.
    pub(super) sdk: Option<Sdk>,
    /// Hosts that the report speaks of.
    pub(super) hosts: Hosts,
    /// Levels that the configuration file changes.
    pub(super) levels: Vec<LevelOverride>,
    /// Generated calls that failed in earlier runs.
    pub(super) counterexamples: Counterexamples,
    /// Findings of earlier fuzzing.
    pub(super) regressions: Regressions,
    /// Whether the transcript of the embedded server is written, too.
    pub(super) transcript: bool,
    pub(super) outputs: Outputs,
    pub(super) gates: Gates,
}

/// The hosts that the report speaks of. Who repeats one finding has asked for that alone.
fn hosts(args: &Args, config: &mut Config) -> Hosts {
    let usual = config.hosts.take().unwrap_or_default();
    let hosts = args.hosts.clone().unwrap_or_else(|| if args.only.is_empty() { usual } else { Hosts::none() });
    hosts.and(&args.fail_on_host)
}

impl Plan {
    /// Resolves the arguments of `run`.
    pub(super) fn new(args: &Args) -> Result<Self, Failure> {
        globs::check("--only", &args.only)?;
        globs::check("--skip", &args.skip)?;
        let mut config = args.server.config()?;
        let levels = std::mem::take(&mut config.levels);
        let sdk = args.sdk.clone().or_else(|| config.sdk.take());
        let hosts = hosts(args, &mut config);
        let bar = Bar { level: args.fail_on.level(), accept_sdk: args.accept_sdk || config.accept_sdk };
        let (target, mut options) = target_and_options(args, config)?;
        let counterexamples = Counterexamples::read(&args.reports);
        options.look = hosts.look();
        options.counterexamples = counterexamples.arguments();
        options.repeat_reports = Some(repeat_folder(&args.reports));
        let on_stdout = args.format == report::HUMAN;
        let narrowed = !args.only.is_empty() || !args.skip.is_empty();
        let name = args.snapshot_name.as_deref();
        let snapshots = Snapshots::new(args.snapshot, &args.reports, name, narrowed, on_stdout)?;
        let baseline = args.baseline.as_deref().map(|path| {
            let update = args.update_baseline;
            BaselineGate::open(path, update, bar, on_stdout)
        });
        let fail_on_hosts = args.fail_on_host.clone();
        let gates = Gates { bar, snapshots, baseline: baseline.transpose()?, fail_on_hosts };
        let outputs = Outputs {
            // An unwritable folder is reported before the run, not after it.
            folder: ReportsFolder::open(&args.reports)?,
            format: args.format,
            details: args.details,
            timing: args.timing,
            quiet: args.quiet,
            fail_on: args.fail_on.level(),
        };
        let regressions = Regressions::read(&args.reports);
        Ok(Self {
            target,
            options,
            sdk,
            hosts,
            levels,
            counterexamples,
            regressions,
            transcript: args.transcript,
            outputs,
            gates,
        })
    }
}

/// Returns the reports folder of a command that repeats a finding: the report of the whole run is kept.
fn repeat_folder(reports: &Path) -> PathBuf {
    if reports.ends_with(REPEAT) { reports.to_owned() } else { reports.join(REPEAT) }
}

/// Combines the flags with the configuration file; flags take precedence.
fn target_and_options(args: &Args, config: Config) -> Result<(Target, Options), Failure> {
    let (target, mut options) = args.server.resolve(config)?;
    args.calls.apply(&mut options);
    options.protocol = args.protocol;
    options.only.clone_from(&args.only);
    options.skip.clone_from(&args.skip);
    if let Some(cases) = args.cases {
        (options.cases, options.cases_outside, options.cases_asked) = (cases, None, true);
    }
    options.time = args.time;
    if let Some(variable) = &args.second_token_env {
        add_second_token(&mut options.credentials, &target, variable)?;
    }
    if let Some(jobs) = args.jobs {
        options.jobs = usize::from(jobs);
    }
    Ok((target, options))
}
