//! The packages say nothing that Cargo.toml says already.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn table(path: &str) -> Table {
    let text = fs::read_to_string(root().join(path)).expect("the file");
    text.parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn at<'t>(table: &'t Table, keys: &[&str]) -> &'t Value {
    let (last, first) = keys.split_last().expect("a key");
    let inner = first.iter().try_fold(table, |table, key| table.get(*key)?.as_table());
    inner.and_then(|table| table.get(*last)).unwrap_or_else(|| panic!("no {keys:?}"))
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| self::files(folder)));
    files
}

#[test]
fn the_version_is_written_in_cargo_toml_alone() {
    let workspace = table("Cargo.toml");
    let version = at(&workspace, &["workspace", "package", "version"]).as_str().expect("a version");
    let own = files(&root().join("packaging"));
    assert!(own.len() > 10, "{own:?}");
    for path in own.into_iter().chain([root().join("action.yml"), root().join(".pre-commit-hooks.yaml")]) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        assert!(!text.contains(version), "{}: it names version {version}", path.display());
    }
    // Cargo wants a version where a crate of the workspace depends on another.
    let crates = at(&workspace, &["workspace", "dependencies"]).as_table().expect("dependencies");
    for (name, dependency) in crates.iter().filter(|(_, dependency)| dependency.get("path").is_some()) {
        assert_eq!(dependency.get("version").and_then(Value::as_str), Some(version), "{name}");
    }
}

#[test]
fn the_packages_say_what_the_crate_says() {
    let (workspace, python) = (table("Cargo.toml"), table("packaging/python/pyproject.toml"));
    let common = fs::read_to_string(root().join("packaging/common.py")).expect("the file");
    for (key, names) in [("license", &["project", "license"][..]), ("repository", &["project", "urls", "Homepage"])] {
        let said = at(&workspace, &["workspace", "package", key]);
        assert_eq!(said, at(&python, names), "{key}");
        assert!(common.contains(&format!("= {said}\n")), "{key}: packaging/common.py does not say {said}");
    }
    assert!(common.contains(&format!("DESCRIPTION = {}\n", at(&python, &["project", "description"]))));
}

#[test]
fn a_release_is_built_for_the_platforms_that_packages_are_made_of() {
    let (dist, platforms) = (table("dist-workspace.toml"), table("packaging/platforms.toml"));
    let targets = at(&dist, &["dist", "targets"]).as_array().expect("a list");
    let entries = platforms["platform"].as_array().expect("a list");
    let named: Vec<&Value> = entries.iter().filter_map(|entry| entry.get("target")).collect();
    assert_eq!(targets.iter().collect::<Vec<_>>(), named);
}
