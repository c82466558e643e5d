//! Reads TOML tables. A mistake in one stops the build with the name of the file or entry.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// Returns the TOML files of a folder in alphabetical order.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={folder}");
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files.iter().for_each(|file| println!("cargo::rerun-if-changed={}", file.display()));
    files
}

/// Reads a file.
pub(crate) fn read(file: &Path) -> Table {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Returns the area of a file: its name.
pub(crate) fn area(file: &Path) -> &str {
    file.file_stem().and_then(|stem| stem.to_str()).expect("area names are ASCII")
}

/// Stops the build if a table has other keys than these.
pub(crate) fn check_keys(name: &str, table: &Table, keys: &[&str]) {
    for key in table.keys() {
        assert!(keys.contains(&key.as_str()), "{name}: unknown key {key}");
    }
}

pub(crate) fn text<'a>(entry: &'a Table, key: &str) -> &'a str {
    entry.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("{entry:?}: {key} is missing"))
}

pub(crate) fn optional<'a>(entry: &'a Table, key: &str) -> Option<&'a str> {
    entry.get(key).and_then(Value::as_str)
}

pub(crate) fn strings(entry: &Table, key: &str) -> Vec<String> {
    let list = entry.get(key).and_then(Value::as_array).into_iter().flatten();
    list.map(|value| value.as_str().expect("lists hold strings").to_owned()).collect()
}
