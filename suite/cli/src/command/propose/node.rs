//! Programs and scripts of a package.json.

use std::path::Path;

use serde_json::Value;

use super::{Proposal, naming_mcp};

const FILE: &str = "package.json";
/// Files that servers without a program or script are started from.
const MODULES: [&str; 8] =
    ["server.js", "server.mjs", "server.ts", "index.js", "index.mjs", "index.ts", "src/index.ts", "src/server.ts"];

pub(super) fn proposals(folder: &Path) -> Vec<Proposal> {
    let Some(package) = naming_mcp(folder, FILE).and_then(|text| serde_json::from_str::<Value>(&text).ok()) else {
        return vec![];
    };
    let programs = match package.get("bin") {
        Some(Value::String(path)) => vec![path.as_str()],
        Some(Value::Object(all)) => all.values().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let build = if package.pointer("/scripts/build").is_some() { "npm run build" } else { "npm install" };
    let found: Vec<Proposal> = programs
        .into_iter()
        .map(|path| Proposal::program(&started(path), "`bin` of package.json").unless(&folder.join(path), build))
        .collect();
    if found.is_empty() { script(&package, folder, build).into_iter().collect() } else { found }
}

/// A package without programs: its start script, its main module, or the usual file.
fn script(package: &Value, folder: &Path, build: &str) -> Option<Proposal> {
    if let Some(script) = package.pointer("/scripts/start").and_then(Value::as_str) {
        // Run by npm, unless it is one command: npm writes its own lines to standard output, unless it is silent.
        let plain = !script.contains(['&', '|', ';', '>', '$']) && script.starts_with("node ");
        let words = if plain { script } else { "npm run --silent start" };
        return Some(Proposal::program(words, "the script `start` of package.json"));
    }
    if let Some(main) = package.get("main").and_then(Value::as_str) {
        return Some(Proposal::program(&started(main), "`main` of package.json").unless(&folder.join(main), build));
    }
    let module = MODULES.iter().find(|name| folder.join(name).exists())?;
    Some(Proposal::program(&started(module), module))
}

/// The command that starts a module.
fn started(path: &str) -> String {
    let runner = if path.ends_with(".ts") { "npx tsx" } else { "node" };
    format!("{runner} {}", shell_words::quote(path.trim_start_matches("./")))
}
