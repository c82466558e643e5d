//! Chooses the server to test: from the command line, a client's configuration, mcp-conform.toml, or the embedded one.

use std::path::PathBuf;

use run::Target;

use super::flags::ServerFlags;
use crate::client_config;
use crate::config::Config;
use crate::failure::Failure;
use crate::reference_server;

/// The server to test, with the settings that come with its source.
pub(super) struct ChosenServer {
    pub(super) target: Target,
    pub(super) env: Vec<(String, String)>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) folder: Option<PathBuf>,
}

/// Chooses the server that the flags and the configuration name.
pub(super) fn choose_server(flags: &ServerFlags, config: &Config) -> Result<ChosenServer, Failure> {
    let mut chosen =
        ChosenServer { target: target(flags, config)?, env: config.env.clone(), headers: vec![], folder: None };
    if let Some(file) = &flags.from {
        let entry = client_config::find_server(file, flags.target.as_deref())?;
        chosen.target = entry.target()?;
        chosen.env.extend(entry.env);
        chosen.headers = entry.headers;
        chosen.folder = entry.folder.map(PathBuf::from);
    } else if flags.target.is_none() && flags.args.is_empty() {
        // A command in the configuration file runs in the folder of that file.
        chosen.folder = config.folder.clone().filter(|_| !config.target.is_empty());
    }
    chosen.target = chosen.target.over(flags.transport.choice())?;
    Ok(chosen)
}

fn target(flags: &ServerFlags, config: &Config) -> Result<Target, Failure> {
    match (&flags.target, flags.args.as_slice(), config.target.as_slice()) {
        (None, [], []) => reference_server::stdio_target(&[]),
        (None, [], [one]) => Ok(Target::parse(Some(one), &[])?),
        (None, [], words) => Ok(Target::parse(None, words)?),
        // `--from` replaces it.
        _ if flags.from.is_some() => reference_server::stdio_target(&[]),
        (target, rest, _) => Ok(Target::parse(target.as_deref(), rest)?),
    }
}
