//! `mcp-conform` without arguments: proposes commands for the server that this folder holds. Nothing is started.

mod configured;
mod members;
mod node;
mod python;
mod rust;

use std::path::Path;

/// A command that would test a server.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Proposal {
    /// What follows `mcp-conform run`.
    words: String,
    /// Where it comes from.
    source: String,
    /// What has to be done before, if that is known.
    before: Option<String>,
    /// The folder to do it in, as it is typed; `None` for this one.
    within: Option<String>,
}

impl Proposal {
    fn new(words: String, source: String) -> Self {
        Self { words, source, before: None, within: None }
    }

    /// A program and its arguments, as they are typed.
    fn program(words: &str, source: &str) -> Self {
        Self::new(format!("-- {words}"), source.to_owned())
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
    let all = proposals(folder);
    if all.is_empty() {
        return None;
    }
    let several = all.iter().filter(|proposal| proposal.within.is_some()).count() > 1;
    let what = if several { "MCP servers. To test one:" } else { "an MCP server. To test it:" };
    let mut text = format!("This folder seems to hold {what}\n\n");
    for proposal in all.iter().take(MOST) {
        text.push_str(&shown(proposal));
    }
    if let Some(more) = all.len().checked_sub(MOST).filter(|more| *more > 0) {
        text.push_str(&format!("  and {more} more\n\n"));
    }
    text.push_str(
        "Nothing was started. A server elsewhere: `mcp-conform run -- PROGRAM ARGS`, or `mcp-conform run URL`.\n\
         `mcp-conform --help` lists all commands.",
    );
    Some(text)
}

fn shown(proposal: &Proposal) -> String {
    let before = proposal.before.as_ref().map_or(String::new(), |before| format!("; first: {before}"));
    let within = proposal.within.as_ref().map_or(String::new(), |folder| format!("cd {folder} && "));
    let command = format!("{within}mcp-conform run {}", proposal.words);
    format!("  {}\n      {}{before}\n\n", command.trim_end(), proposal.source)
}

/// The folder and those that a workspace it belongs to may begin in.
fn upwards(folder: &Path) -> impl Iterator<Item = &Path> {
    folder.ancestors().take(members::DEPTH + 1)
}

fn proposals(folder: &Path) -> Vec<Proposal> {
    let mut packages = of_package(folder);
    if packages.is_empty() {
        packages = members::proposals(folder);
    }
    [configured::own(folder), packages, configured::listed(folder)].concat()
}

/// What the package in this folder is started by.
fn of_package(folder: &Path) -> Vec<Proposal> {
    let kinds = [node::proposals, python::proposals, rust::proposals];
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
