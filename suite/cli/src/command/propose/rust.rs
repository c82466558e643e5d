//! Programs of a Cargo package.

use std::path::Path;

use super::{Proposal, naming_mcp, upwards};

pub(super) fn proposals(folder: &Path) -> Vec<Proposal> {
    let Some(package) = naming_mcp(folder, "Cargo.toml").and_then(|text| text.parse::<toml::Table>().ok()) else {
        return vec![];
    };
    programs(folder, &package).iter().map(|name| program(folder, name)).collect()
}

/// Names of the programs that Cargo.toml declares, and of the one that src/main.rs is.
fn programs(folder: &Path, package: &toml::Table) -> Vec<String> {
    let declared = package.get("bin").and_then(toml::Value::as_array).into_iter().flatten();
    let named = |table: &toml::Value| Some(table.get("name")?.as_str()?.to_owned());
    let declared: Vec<String> = declared.filter_map(named).collect();
    if !declared.is_empty() || !folder.join("src/main.rs").exists() {
        return declared;
    }
    package.get("package").and_then(named).into_iter().collect()
}

/// What is built already is started as it is; `cargo run` would build it once more for every process of a run.
fn program(folder: &Path, name: &str) -> Proposal {
    let up = "../".repeat(workspace(folder));
    let built = ["release", "debug"].map(|profile| format!("{up}target/{profile}/{name}"));
    let path = built.iter().find(|path| folder.join(path).exists()).unwrap_or(&built[0]);
    Proposal::program(path, "a program of Cargo.toml").unless(&folder.join(path), "cargo build --release")
}

/// How far up the workspace begins that the package belongs to, whose folder has what is built.
fn workspace(folder: &Path) -> usize {
    let begins = |folder: &Path| {
        let text = crate::files::read_text(&folder.join("Cargo.toml")).unwrap_or_default();
        text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("workspace"))
    };
    upwards(folder).position(begins).unwrap_or(0)
}
