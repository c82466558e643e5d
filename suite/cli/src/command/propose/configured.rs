//! Servers that a configuration file names: that of mcp-conform, and those of clients.

use std::path::Path;

use super::Proposal;
use crate::client_config;
use crate::config::{Config, DEFAULT};

/// Where clients keep servers in a project.
const FILES: [&str; 3] = [".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"];

pub(super) fn proposals(folder: &Path) -> Vec<Proposal> {
    let file = folder.join(DEFAULT);
    let config = file.is_file().then(|| Config::load(Some(&file)).ok()).flatten();
    let own = config.filter(|config| !config.target.is_empty()).map(|_| Proposal {
        words: String::new(),
        source: format!("the target of {DEFAULT}"),
        before: None,
    });
    let listed = FILES.iter().flat_map(|file| {
        let names = client_config::names(&folder.join(file));
        names.into_iter().map(move |name| Proposal {
            words: format!("--from {file} {}", shell_words::quote(&name)),
            source: format!("a server that {file} lists"),
            before: None,
        })
    });
    own.into_iter().chain(listed).collect()
}
