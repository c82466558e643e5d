//! Packages of PyPI: those in the `site-packages` whose libraries a process has loaded.

use std::path::{Path, PathBuf};

use crate::packages::{Known, PYPI, style};
use crate::process::Process;
use crate::{Found, Package, Registry, files};

/// Folders in which packages are installed.
const SITES: [&str; 2] = ["site-packages", "dist-packages"];

/// The SDK that a process has imported, or may have.
pub(crate) fn find(process: &Process) -> Option<Found> {
    let sites = sites(process);
    let installed = |name: &str| sites.iter().find_map(|site| installed(site, name));
    let candidates: Vec<(&Known, Package)> =
        PYPI.iter().filter_map(|known| Some((known, installed(known.0)?))).collect();
    let code = code(process, &sites);
    let imported = |known: &Known| code.iter().any(|text| imports(text, &known.0.replace('-', "_")));
    let only = || candidates.first().filter(|_| candidates.len() == 1);
    let (known, package) = candidates.iter().find(|(known, _)| imported(known)).or_else(only)?;
    // The script itself says it best: beside it may lie others that are not used.
    let style = style(package, code.get(..1).unwrap_or_default()).or_else(|| style(package, &code));
    Some(Found { package: package.clone(), on: known.1.and_then(installed), style })
}

/// Where the packages are that a process uses: the folders of libraries that it has loaded (every SDK loads some).
fn sites(process: &Process) -> Vec<PathBuf> {
    let mut sites: Vec<PathBuf> = Vec::new();
    for file in &process.mapped {
        let site =
            file.ancestors().find(|above| above.file_name().is_some_and(|name| SITES.iter().any(|site| name == *site)));
        if let Some(site) = site.filter(|site| !sites.iter().any(|known| known == site)) {
            sites.push(site.to_owned());
        }
    }
    sites
}

/// The version of a package, which the name of its `.dist-info` folder tells
/// (<https://packaging.python.org/en/latest/specifications/recording-installed-packages/>).
fn installed(site: &Path, name: &str) -> Option<Package> {
    let wanted = name.replace('-', "_");
    let version = files::entries(site).iter().find_map(|path| {
        let (package, version) = path.file_name()?.to_str()?.strip_suffix(".dist-info")?.rsplit_once('-')?;
        (package.replace('-', "_").to_lowercase() == wanted).then(|| version.to_owned())
    })?;
    Some(Package { registry: Registry::Pypi, name: name.to_owned(), version })
}

/// The code of the server: its script, and the package that this imports or that was started as a module.
fn code(process: &Process, sites: &[PathBuf]) -> Vec<String> {
    let scripts: Vec<PathBuf> = process.named_files().collect();
    let mut texts: Vec<String> = scripts.first().and_then(|script| files::text(script)).into_iter().collect();
    let started = process.words.iter().position(|word| word == "-m").and_then(|at| process.words.get(at + 1));
    let imported = texts.first().map(|text| modules(text)).unwrap_or_default();
    for module in started.into_iter().chain(&imported) {
        let name = module.split('.').next().unwrap_or_default();
        // What is known as an SDK or comes with Python says nothing.
        if PYPI.iter().any(|known| known.0 == name) {
            continue;
        }
        let beside = scripts.first().and_then(|script| script.parent());
        for root in sites.iter().map(PathBuf::as_path).chain([process.folder.as_path()]).chain(beside) {
            texts.extend(files::text(&root.join(format!("{name}.py"))));
            let is_code = |path: &Path| path.extension().is_some_and(|extension| extension == "py");
            let sources = files::beneath(&root.join(name), &is_code);
            texts.extend(sources.iter().filter_map(|path| files::text(path)));
        }
    }
    texts
}

/// The modules that a script imports.
fn modules(text: &str) -> Vec<String> {
    let named = |line: &str| {
        let rest = line.trim_start();
        let rest = rest.strip_prefix("from ").or_else(|| rest.strip_prefix("import "))?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').next().map(str::to_owned)
    };
    text.lines().filter_map(named).filter(|name| !name.is_empty()).collect()
}

/// Whether some code imports this package or a module in it.
fn imports(text: &str, name: &str) -> bool {
    modules(text)
        .iter()
        .any(|module| module == name || module.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_framework_is_told_by_what_the_server_imports() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        let site = root.join("lib/python3.12/site-packages");
        for name in ["fastmcp-4.1.2.dist-info", "mcp-2.3.0.dist-info", "mcp_server_time-2026.1.dist-info", "my_server"]
        {
            fs::create_dir_all(site.join(name)).expect("a folder");
        }
        fs::write(root.join("run"), "import sys\nfrom my_server import main\n").expect("a file");
        let find = |code: &str| {
            fs::write(site.join("my_server/server.py"), code).expect("a file");
            let words = ["python3", "run"].map(str::to_owned).to_vec();
            let mapped = vec![site.join("pydantic_core/_core.so")];
            super::find(&Process { words, folder: root.clone(), mapped, ..Process::default() })
        };
        let package = |name: &str, version: &str| Package {
            registry: Registry::Pypi,
            name: name.to_owned(),
            version: version.to_owned(),
        };
        let (sdk, framework) = (package("mcp", "2.3.0"), package("fastmcp", "4.1.2"));
        assert_eq!(find("import os\n"), None, "either may be used");
        let found = find("from mcp.server.fastmcp import FastMCP\n");
        assert_eq!(found, Some(Found { package: sdk.clone(), on: None, style: Some("high") }));
        assert_eq!(
            find("from fastmcp import FastMCP\n"),
            Some(Found { package: framework, on: Some(sdk.clone()), style: None })
        );
        fs::remove_dir(site.join("fastmcp-4.1.2.dist-info")).expect("it is there");
        assert_eq!(
            find("import os\n"),
            Some(Found { package: sdk, on: None, style: None }),
            "nothing else is installed"
        );
    }
}
