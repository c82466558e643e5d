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
    pub(super) embedded: bool,
}

const NO_SERVER: &str = "no server given: pass a program after `--`, or a URL, or set `target` in mcp-conform.toml
  mcp-conform run -- node server.js
  without CI set, or with --embedded, the embedded reference server is tested";

/// Chooses the server that the flags and the configuration name.
pub(super) fn choose_server(flags: &ServerFlags, config: &Config) -> Result<ChosenServer, Failure> {
    let embedded = is_embedded(flags, config);
    if embedded && !flags.embedded && in_ci() {
        return Err(Failure::usage(NO_SERVER));
    }
    let target = if embedded { reference_server::stdio_target(&[])? } else { target(flags, config)? };
    let mut chosen = ChosenServer { target, env: config.env.clone(), headers: vec![], folder: None, embedded };
    if let Some(file) = &flags.from {
        let entry = client_config::find_server(file, flags.target.as_deref())?;
        chosen.target = entry.target()?;
        chosen.env.extend(entry.env);
        chosen.headers = entry.headers;
        chosen.folder = entry.folder.map(PathBuf::from);
    } else if flags.target.is_none() && flags.args.is_empty() && !chosen.embedded {
        // A command in the configuration file runs in the folder of that file.
        chosen.folder.clone_from(&config.folder);
    }
    chosen.target = chosen.target.over(flags.transport.choice())?;
    Ok(chosen)
}

/// Whether it is the embedded server: it is asked for, or nobody names another.
fn is_embedded(flags: &ServerFlags, config: &Config) -> bool {
    let none_named = flags.target.is_none() && flags.args.is_empty() && flags.from.is_none();
    flags.embedded || (none_named && config.target.is_empty())
}

/// Whether this is a CI job. There, a server that nobody names is a mistake: the embedded one would pass for it.
fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "0" && value != "false")
}

fn target(flags: &ServerFlags, config: &Config) -> Result<Target, Failure> {
    match (&flags.target, flags.args.as_slice(), config.target.as_slice()) {
        (None, [], [one]) => Ok(Target::parse(Some(one), &[])?),
        (None, [], words) => Ok(Target::parse(None, words)?),
        // `--from` replaces it.
        _ if flags.from.is_some() => reference_server::stdio_target(&[]),
        (target, rest, _) => Ok(Target::parse(target.as_deref(), rest)?),
    }
}
