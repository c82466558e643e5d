//! Servers that a configuration file names: that of mcp-conform, and those of clients.

use std::path::Path;

use super::Proposal;
use crate::client_config;
use crate::config::{Config, DEFAULT};

/// Where clients keep servers in a project.
const FILES: [&str; 3] = [".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"];

/// The target of the settings for this program.
pub(super) fn own(folder: &Path) -> Vec<Proposal> {
    let file = folder.join(DEFAULT);
    let config = file.is_file().then(|| Config::load(Some(&file)).ok()).flatten();
    let own = config.filter(|config| !config.target.is_empty());
    own.map(|_| Proposal::new(String::new(), format!("the target of {DEFAULT}"))).into_iter().collect()
}

/// Servers for clients, which may be others than the one that is developed here.
pub(super) fn listed(folder: &Path) -> Vec<Proposal> {
    let listed = FILES.iter().flat_map(|file| {
        let names = client_config::names(&folder.join(file));
        names.into_iter().map(move |name| {
            Proposal::new(format!("--from {file} {}", shell_words::quote(&name)), format!("a server that {file} lists"))
        })
    });
    listed.collect()
}
