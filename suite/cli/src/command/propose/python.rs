//! Scripts of a pyproject.toml, and the usual files of a server.

use std::path::Path;

use super::{Proposal, naming_mcp, upwards};

const FILE: &str = "pyproject.toml";
/// Files that servers without a script are started from.
const MODULES: [&str; 4] = ["server.py", "main.py", "src/server.py", "src/main.py"];

pub(super) fn proposals(folder: &Path) -> Vec<Proposal> {
    let Some(text) = naming_mcp(folder, FILE).or_else(|| naming_mcp(folder, "requirements.txt")) else {
        return vec![];
    };
    let project = text.parse::<toml::Table>().unwrap_or_default();
    let tables = [&["project", "scripts"][..], &["tool", "poetry", "scripts"]];
    let scripts = tables.iter().filter_map(|path| table(&project, path)).flat_map(toml::Table::keys);
    let found: Vec<Proposal> = scripts.map(|name| script(folder, name)).collect();
    if !found.is_empty() {
        return found;
    }
    let module = MODULES.iter().find(|name| folder.join(name).exists());
    module.map(|name| Proposal::program(&format!("{}python {name}", runner(folder)), name)).into_iter().collect()
}

fn table<'t>(project: &'t toml::Table, path: &[&str]) -> Option<&'t toml::Table> {
    path.iter().try_fold(project, |table, key| table.get(*key)?.as_table())
}

/// A script, in the environment of the project.
fn script(folder: &Path, name: &str) -> Proposal {
    const SOURCE: &str = "a script of pyproject.toml";
    let quoted = shell_words::quote(name);
    let runner = runner(folder);
    let installed = folder.join(".venv/bin").join(name);
    if runner.is_empty() && installed.exists() {
        return Proposal::program(&format!(".venv/bin/{quoted}"), SOURCE);
    }
    let proposal = Proposal::program(&format!("{runner}{quoted}"), SOURCE);
    if runner.is_empty() { proposal.unless(&installed, "pip install --editable .") } else { proposal }
}

/// What the project runs its commands with.
fn runner(folder: &Path) -> &'static str {
    let locked_by = |name: &str| upwards(folder).any(|folder| folder.join(name).exists());
    if locked_by("uv.lock") {
        "uv run "
    } else if locked_by("poetry.lock") {
        "poetry run "
    } else {
        ""
    }
}
