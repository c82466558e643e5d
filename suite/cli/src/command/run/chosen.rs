//! Which server is meant: by the command line, by a file of a client, by the configuration, or the embedded one.

use std::path::PathBuf;

use run::Target;

use super::{Args, embedded};
use crate::config::Config;
use crate::failure::Failure;
use crate::from;

/// The server, and what goes with it.
pub(super) struct Chosen {
    pub(super) target: Target,
    pub(super) env: Vec<(String, String)>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) folder: Option<PathBuf>,
}

/// Chooses.
pub(super) fn choose(args: &Args, config: &mut Config) -> Result<Chosen, Failure> {
    let mut chosen = Chosen { target: target(args, config)?, env: config.env.clone(), headers: vec![], folder: None };
    if let Some(file) = &args.from {
        let entry = from::entry(file, args.target.as_deref())?;
        chosen.target = entry.target()?;
        chosen.env.extend(entry.env);
        chosen.headers = entry.headers;
        chosen.folder = entry.folder.map(PathBuf::from);
    } else if args.target.is_none() && args.args.is_empty() {
        // A command in a file is meant from where the file is.
        chosen.folder = config.folder.clone().filter(|_| !config.target.is_empty());
    }
    chosen.target = chosen.target.over(args.transport.choice())?;
    Ok(chosen)
}

fn target(args: &Args, config: &Config) -> Result<Target, Failure> {
    match (&args.target, args.args.as_slice(), config.target.as_slice()) {
        (None, [], []) => embedded(&[]),
        (None, [], [one]) => Ok(Target::parse(Some(one), &[])?),
        (None, [], words) => Ok(Target::parse(None, words)?),
        _ if args.from.is_some() => embedded(&[]),
        (target, rest, _) => Ok(Target::parse(target.as_deref(), rest)?),
    }
}
