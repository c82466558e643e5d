//! Servers that Node runs: the SDK that their script imports.

use std::path::{Path, PathBuf};

use crate::npm::{code, installed, is_code, manifest, needs};
use crate::packages::{Known, NPM, style};
use crate::process::Process;
use crate::{Found, bundle, files};

/// The SDK of the script that a process runs.
pub(crate) fn find(process: &Process) -> Option<Found> {
    // Loaders are named before the script, and what it works on after it. An installed command has no ending.
    let is_script = |path: &PathBuf| path.extension().is_none() || is_code(path);
    let scripts: Vec<PathBuf> = process.named_files().filter(is_script).collect();
    let bundled =
        |script: &PathBuf| manifest(script).and_then(|(folder, manifest)| bundle::find(script, folder, &manifest));
    scripts.iter().rev().find_map(|script| of_script(script)).or_else(|| scripts.iter().rev().find_map(bundled))
}

fn of_script(script: &Path) -> Option<Found> {
    let candidates: Vec<&Known> = NPM.iter().filter(|known| installed(script, known.0).is_some()).collect();
    let text = files::text(script).unwrap_or_default();
    let manifest = manifest(script).map(|(_, manifest)| manifest);
    let imports = |known: &&&Known| mentions(&text, known.0);
    let needs = |known: &&&Known| manifest.as_ref().is_some_and(|manifest| needs(manifest, known.0));
    let only = || candidates.first().filter(|_| candidates.len() == 1);
    let known = candidates.iter().find(imports).or_else(|| candidates.iter().find(needs)).or_else(only)?;
    let (folder, package) = installed(script, known.0)?;
    // What a framework is built on may be installed beneath it.
    let on = known.1.and_then(|on| installed(&folder, on)).map(|(_, package)| package);
    // The script itself says it best: beside it may lie others that are not used.
    let style = style(&package, &[text]).or_else(|| style(&package, &code(script)));
    Some(Found { package, on, style })
}

/// Whether a script names this package, or a module in it, as imports do.
fn mentions(script: &str, name: &str) -> bool {
    ['"', '\''].iter().any(|quote| {
        [quote.to_string(), "/".to_owned()].iter().any(|end| script.contains(&format!("{quote}{name}{end}")))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{Package, Registry};

    fn install(folder: &Path, name: &str, version: &str) {
        let folder = folder.join("node_modules").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("package.json"), format!("{{\"version\":\"{version}\"}}")).expect("a file");
    }

    fn package(name: &str, version: &str) -> Package {
        Package { registry: Registry::Npm, name: name.to_owned(), version: version.to_owned() }
    }

    #[test]
    fn a_framework_is_told_from_what_it_is_built_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        install(&root, "fastmcp", "4.1.0");
        install(&root, "@modelcontextprotocol/sdk", "1.29.0");
        install(&root.join("node_modules/fastmcp"), "@modelcontextprotocol/sdk", "1.32.2");
        let script = root.join("s.mjs");
        let find = |text: &str| {
            fs::write(&script, text).expect("a file");
            let words = ["node", "--import", "x", "s.mjs", "--port=1"].map(str::to_owned).to_vec();
            super::find(&Process { words, folder: root.clone(), ..Process::default() })
        };
        assert_eq!(find("import { Server } from './main.mjs'"), None, "either may be used");
        let sdk = find("import { Server } from '@modelcontextprotocol/sdk/server/index.js'");
        assert_eq!(
            sdk,
            Some(Found { package: package("@modelcontextprotocol/sdk", "1.29.0"), on: None, style: Some("low") })
        );
        let framework = find("import { FastMCP } from \"fastmcp\"");
        let on = Some(package("@modelcontextprotocol/sdk", "1.32.2"));
        assert_eq!(framework, Some(Found { package: package("fastmcp", "4.1.0"), on, style: None }));
        fs::write(root.join("package.json"), r#"{"dependencies":{"@modelcontextprotocol/sdk":"^1"}}"#).expect("a file");
        let unsure = sdk.map(|sdk| Found { style: None, ..sdk });
        assert_eq!(find("import './main.mjs'"), unsure, "the manifest says it");
        fs::write(root.join("main.mjs"), "import '@modelcontextprotocol/sdk/server/mcp.js'").expect("a file");
        assert_eq!(find("import './main.mjs'").and_then(|found| found.style), Some("high"), "another file says it");
        let own = find("import '@modelcontextprotocol/sdk/server/index.js'");
        assert_eq!(own.and_then(|found| found.style), Some("low"), "the script itself says it");
    }

    #[test]
    fn what_is_installed_alone_is_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        install(&root, "@modelcontextprotocol/server", "2.4.0");
        fs::create_dir_all(root.join("node_modules/a/dist")).expect("a folder");
        let script = root.join("node_modules/a/dist/index.js");
        fs::write(&script, "").expect("a file");
        let found = of_script(&script).expect("an SDK");
        assert_eq!(found.package, package("@modelcontextprotocol/server", "2.4.0"));
    }
}
