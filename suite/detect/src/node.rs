//! Packages of npm, found as Node finds them: in the `node_modules` of each folder above the script.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::packages::{Known, NPM, style};
use crate::process::Process;
use crate::{Found, Package, Registry, files};

/// Members of a package.json that name other packages.
const NEEDS: [&str; 4] = ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"];

/// How files of code end.
const CODE: [&str; 6] = ["js", "mjs", "cjs", "ts", "mts", "tsx"];

/// The SDK of the script that a process runs.
pub(crate) fn find(process: &Process) -> Option<Found> {
    // Loaders are named before the script, and what it works on after it. An installed command has no ending.
    let is_script = |path: &PathBuf| path.extension().is_none_or(|end| CODE.iter().any(|code| end == *code));
    let scripts: Vec<PathBuf> = process.named_files().filter(is_script).collect();
    scripts.iter().rev().find_map(|script| of_script(script))
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

/// Where a package is that code in this place imports, and which version that is.
fn installed(from: &Path, name: &str) -> Option<(PathBuf, Package)> {
    let folders = from.ancestors().skip(1).map(|above| above.join("node_modules").join(name));
    let inside = std::iter::once(from.join("node_modules").join(name));
    inside.chain(folders).find_map(|folder| {
        let folder = folder.canonicalize().ok()?;
        let version = files::json(&folder.join("package.json"))?.get("version")?.as_str()?.to_owned();
        Some((folder, Package { registry: Registry::Npm, name: name.to_owned(), version }))
    })
}

/// The package.json that a script belongs to, and its folder.
fn manifest(script: &Path) -> Option<(&Path, Value)> {
    script.ancestors().skip(1).find_map(|folder| Some((folder, files::json(&folder.join("package.json"))?)))
}

/// The code of the package that a script belongs to; nothing for one that has no package.json.
fn code(script: &Path) -> Vec<String> {
    let is_code = |path: &Path| path.extension().is_some_and(|end| CODE.iter().any(|code| end == *code));
    let others = manifest(script).map(|(folder, _)| files::beneath(folder, &is_code)).unwrap_or_default();
    others.iter().filter_map(|path| files::text(path)).collect()
}

fn needs(manifest: &Value, name: &str) -> bool {
    NEEDS.iter().any(|member| manifest.get(member).and_then(|needs| needs.get(name)).is_some())
}

/// Whether a script names this package, or a module in it, as imports do.
fn mentions(script: &str, name: &str) -> bool {
    ['"', '\''].iter().any(|quote| {
        [quote.to_string(), "/".to_owned()].iter().any(|end| script.contains(&format!("{quote}{name}{end}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
