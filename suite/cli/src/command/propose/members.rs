//! Servers in the folders of a workspace, or of a repository that holds several.

use std::path::{Path, PathBuf};

use super::Proposal;

/// How deep they are: `packages/weather`, `src/git`.
pub(super) const DEPTH: usize = 2;
/// Folders that are looked into on each level, at most.
const FOLDERS: usize = 200;
/// Folders of what is installed or built.
const FOREIGN: [&str; 6] = ["node_modules", "target", "dist", "build", "vendor", "venv"];

/// Returns what is proposed in the folders below this one, by name.
pub(super) fn proposals(folder: &Path) -> Vec<Proposal> {
    let outer = folders(folder);
    let inner = outer.iter().flat_map(|folder| folders(folder)).take(FOLDERS);
    let mut all: Vec<PathBuf> = inner.chain(outer.iter().cloned()).collect();
    all.sort();
    all.iter().flat_map(|member| within(folder, member)).collect()
}

/// The folders in a folder, without those of what is installed or built.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let own = entries.filter(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        !name.starts_with('.') && !FOREIGN.contains(&name.as_str()) && entry.file_type().is_ok_and(|kind| kind.is_dir())
    });
    let mut paths: Vec<PathBuf> = own.map(|entry| entry.path()).collect();
    paths.sort();
    paths.truncate(FOLDERS);
    paths
}

fn within(folder: &Path, member: &Path) -> Vec<Proposal> {
    let name = member.strip_prefix(folder).unwrap_or(member).to_string_lossy();
    let place = shell_words::quote(&name).into_owned();
    let moved = |proposal| Proposal { within: Some(place.clone()), ..proposal };
    super::of_package(member).into_iter().map(moved).collect()
}
