//! `mcp-conform` without arguments: proposes commands for the server that this folder holds. Nothing is started.

mod configured;
mod node;
mod python;
mod rust;

use std::path::Path;

/// A command that would test a server.
#[derive(Debug, PartialEq, Eq)]
struct Proposal {
    /// What follows `mcp-conform run`.
    words: String,
    /// Where it comes from.
    source: String,
    /// What has to be done before, if that is known.
    before: Option<String>,
}

impl Proposal {
    /// A program and its arguments, as they are typed.
    fn program(words: &str, source: &str) -> Self {
        Self { words: format!("-- {words}"), source: source.to_owned(), before: None }
    }

    /// What has to be done before, unless this file exists.
    fn unless(mut self, file: &Path, before: &str) -> Self {
        self.before = (!file.exists()).then(|| before.to_owned());
        self
    }
}

/// Limit of proposals: more are no help.
const MOST: usize = 8;

/// Returns what to say in this folder; `None` if nothing in it looks like a server.
pub(crate) fn text(folder: &Path) -> Option<String> {
    let mut all = proposals(folder);
    if all.is_empty() {
        return None;
    }
    all.truncate(MOST);
    let mut text = "This folder seems to hold an MCP server. To test it:\n\n".to_owned();
    for proposal in all {
        let before = proposal.before.map_or(String::new(), |before| format!("; first: {before}"));
        let command = format!("mcp-conform run {}", proposal.words);
        text.push_str(&format!("  {}\n      {}{before}\n\n", command.trim_end(), proposal.source));
    }
    text.push_str(
        "Nothing was started. A server elsewhere: `mcp-conform run -- PROGRAM ARGS`, or `mcp-conform run URL`.\n\
         `mcp-conform --help` lists all commands.",
    );
    Some(text)
}

fn proposals(folder: &Path) -> Vec<Proposal> {
    let kinds = [configured::proposals, node::proposals, python::proposals, rust::proposals];
    kinds.iter().flat_map(|kind| kind(folder)).collect()
}

/// Returns the text of a file in the folder if it speaks of MCP: other projects have such files as well.
fn naming_mcp(folder: &Path, name: &str) -> Option<String> {
    let text = crate::files::read_text(&folder.join(name)).ok()?;
    let lower = text.to_ascii_lowercase();
    ["mcp", "modelcontextprotocol"].iter().any(|name| lower.contains(name)).then_some(text)
}

#[cfg(test)]
mod tests;
