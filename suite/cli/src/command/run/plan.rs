//! The plan of a run: the flags, the configuration file and the reports folder, resolved once.

use run::{Options, Target};

use super::baseline::BaselineGate;
use super::counterexamples::Counterexamples;
use super::credentials::credentials;
use super::flags::Args;
use super::gates::Gates;
use super::headers::headers;
use super::outputs::Outputs;
use super::snapshots::Snapshots;
use super::target::{ChosenServer, choose_server};
use crate::config::{Config, LevelOverride};
use crate::failure::Failure;
use crate::globs;
use crate::regressions::Regressions;
use crate::reports::ReportsFolder;

/// Everything a run needs. Making it reads and checks all inputs; nothing is sent to a server yet.
pub(super) struct Plan {
    pub(super) target: Target,
    pub(super) options: Options,
    /// Levels that the configuration file changes.
    pub(super) levels: Vec<LevelOverride>,
    /// Generated calls that failed in earlier runs.
    pub(super) counterexamples: Counterexamples,
    /// Findings of earlier fuzzing.
    pub(super) regressions: Regressions,
    pub(super) outputs: Outputs,
    pub(super) gates: Gates,
}

impl Plan {
    /// Resolves the arguments of `run`.
    pub(super) fn new(args: &Args) -> Result<Self, Failure> {
        globs::check("--only", &args.only)?;
        globs::check("--skip", &args.skip)?;
        let mut config = Config::load(args.config.as_deref())?;
        let levels = std::mem::take(&mut config.levels);
        let (target, mut options) = target_and_options(args, config)?;
        let counterexamples = Counterexamples::read(&args.reports);
        options.counterexamples = counterexamples.arguments();
        let fail_on = args.fail_on.level();
        let on_stdout = args.format == report::HUMAN;
        let snapshots = Snapshots::new(args.snapshot, &args.reports, args.snapshot_name.as_deref(), on_stdout)?;
        let baseline = args.baseline.as_deref().map(|path| {
            let update = args.update_baseline;
            BaselineGate::open(path, update, fail_on, on_stdout)
        });
        let gates = Gates { fail_on, snapshots, baseline: baseline.transpose()? };
        let outputs = Outputs {
            // An unwritable folder is reported before the run, not after it.
            folder: ReportsFolder::open(&args.reports)?,
            format: args.format,
            advice: args.advice,
            quiet: args.quiet,
            annotations: args.baseline.is_none(),
            fail_on,
        };
        let regressions = Regressions::read(&args.reports);
        Ok(Self { target, options, levels, counterexamples, regressions, outputs, gates })
    }
}

/// Resolves the target and the options of `run` flags, for commands that drive a server in another way.
pub(crate) fn resolve_target(args: &Args) -> Result<(Target, Options), Failure> {
    target_and_options(args, Config::load(args.config.as_deref())?)
}

/// Combines the flags with the configuration file; flags take precedence.
fn target_and_options(args: &Args, config: Config) -> Result<(Target, Options), Failure> {
    let chosen = choose_server(args, &config)?;
    let target = chosen.target.clone();
    Ok((target, options(args, config, chosen)?))
}

fn options(args: &Args, config: Config, chosen: ChosenServer) -> Result<Options, Failure> {
    let default = Options::default();
    let mut headers = headers(args, &config, &chosen.target)?;
    headers.extend(chosen.headers);
    let credentials = credentials(args, &config, &chosen.target)?;
    let has_authorization = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    if credentials.token.is_some() && has_authorization {
        return Err(Failure::usage("both a token and an Authorization header are given: use one of them"));
    }
    Ok(Options {
        protocol: args.protocol,
        transport: args.transport.choice(),
        only: args.only.clone(),
        skip: args.skip.clone(),
        calls: args.calls.map(|calls| calls.policy()).or(config.calls).unwrap_or(default.calls),
        tools: args.tool.iter().cloned().chain(config.tools).collect(),
        never: config.never,
        cases: args.cases,
        time: args.time,
        counterexamples: default.counterexamples,
        seed: args.seed,
        timeout: args.timeout.or(config.timeout).unwrap_or(default.timeout),
        jobs: args.jobs.map_or(default.jobs, usize::from),
        headers,
        credentials,
        yes_disrupt: args.yes_disrupt,
        scratch: args.scratch,
        env: chosen.env,
        folder: chosen.folder,
        triggers: config.triggers,
        arguments: config.arguments,
        prompts: config.prompts,
        hints: config.hints,
    })
}
