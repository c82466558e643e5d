//! Files of a stranger, read within bounds.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of a text that are read.
const TEXT: u64 = 8 << 20;
/// Entries of a folder that are looked at.
const ENTRIES: usize = 20_000;

/// Files that are read of one package, and folders within each other that are looked into.
const FILES: usize = 400;
const DEPTH: usize = 8;

/// The beginning of a file. What is no file, such as a pipe, may never be read to its end.
pub(crate) fn text(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(TEXT).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A file of JSON.
pub(crate) fn json(path: &Path) -> Option<serde_json::Value> {
    serde_json::from_str(&text(path)?).ok()
}

/// What a folder holds, in the order of the names.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).into_iter().flatten().take(ENTRIES);
    let mut paths: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// The files in a folder and beneath it that are wanted, without what is installed there.
pub(crate) fn beneath(folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, wanted, &mut found, 0);
    found
}

fn collect(folder: &Path, wanted: &dyn Fn(&Path) -> bool, found: &mut Vec<PathBuf>, depth: usize) {
    for path in entries(folder) {
        if found.len() >= FILES || depth > DEPTH {
            return;
        }
        let is_installed = path.file_name().is_some_and(|name| name == "node_modules" || name == ".git");
        // A link may lead back to where it stands.
        if path.is_dir() && !path.is_symlink() && !is_installed {
            collect(&path, wanted, found, depth + 1);
        } else if path.is_file() && wanted(&path) {
            found.push(path);
        }
    }
}
