//! SDKs inside bundles: a bundler puts the packages of a server into one file, whose texts still tell them.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::npm::{installed, is_code, needs};
use crate::packages::{Known, NPM};
use crate::{Found, Package, Registry, files};

/// The least bytes of a file that holds an SDK and what it needs.
const LEAST: u64 = 64 << 10;
/// Files that are read.
const MOST: usize = 32;

/// What every server of the TypeScript SDKs says if a feature is missing, however its code was minified.
const SERVER: &str = "Server does not support logging (required for";
/// How the errors of 1.x begin.
const V1: &str = "MCP error ${";
/// What the high-level interface says if a name is taken.
const HIGH: &str = "is already registered";

/// The SDK in the bundles of the package that a script belongs to, and of those that it needs.
pub(crate) fn find(script: &Path, folder: &Path, manifest: &Value) -> Option<Found> {
    let needed = manifest.get("dependencies").and_then(Value::as_object).into_iter().flatten();
    let others = needed.filter_map(|(name, _)| Some(installed(script, name)?.0));
    let bundles = std::iter::once(folder.to_owned()).chain(others).flat_map(|folder| bundles(&folder));
    let sdk = |file: PathBuf| {
        let text = files::text(&file).filter(|text| text.contains(SERVER))?;
        let name = if text.contains(V1) { "@modelcontextprotocol/sdk" } else { "@modelcontextprotocol/server" };
        // What the server needs may hold an SDK that is not for it, as a browser's tools do.
        (file.starts_with(folder) && !installed_beneath(folder, &file) || needs(manifest, name))
            .then_some((file, text, name))
    };
    let (bundle, text, name) = bundles.take(MOST).find_map(sdk)?;
    let package = Package { registry: Registry::Npm, name: name.to_owned(), version: version(&bundle, &text, name) };
    // The code of a framework is in there as well, and answers.
    let is_needed = |known: &&Known| known.1.is_some() && needs(manifest, known.0);
    if let Some((framework, _)) = NPM.iter().find(is_needed) {
        let framework = Package { registry: Registry::Npm, name: (*framework).to_owned(), version: String::new() };
        return Some(Found { package: framework, on: Some(package), style: None });
    }
    Some(Found { package, on: None, style: Some(if text.contains(HIGH) { "high" } else { "low" }) })
}

/// Whether a file belongs to what is installed in a package.
fn installed_beneath(folder: &Path, file: &Path) -> bool {
    file.strip_prefix(folder).is_ok_and(|rest| rest.components().any(|part| part.as_os_str() == "node_modules"))
}

/// The large files of code in a package.
fn bundles(folder: &Path) -> Vec<PathBuf> {
    let is_large = |path: &Path| path.metadata().is_ok_and(|data| data.len() >= LEAST);
    files::beneath(folder, &|path| is_code(path) && is_large(path))
}

/// The version that the bundle, or the licences beside it, names; empty if none does.
fn version(bundle: &Path, text: &str, name: &str) -> String {
    let own = bundle.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_licence = |path: &PathBuf| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        file.starts_with(&own) && file.to_lowercase().contains("license")
    };
    let beside = bundle.parent().map(files::entries).unwrap_or_default();
    let licences = beside.iter().filter(|path| is_licence(path)).filter_map(|path| files::text(path));
    std::iter::once(text.to_owned()).chain(licences).find_map(|text| named(&text, name)).unwrap_or_default()
}

/// The version in `NAME@1.2.3`.
fn named(text: &str, name: &str) -> Option<String> {
    let mention = format!("{name}@");
    text.match_indices(&mention).find_map(|(at, _)| {
        let rest = &text[at + mention.len()..];
        let end =
            rest.find(|letter: char| !letter.is_ascii_alphanumeric() && !".-".contains(letter)).unwrap_or(rest.len());
        let version = &rest[..end];
        let numbers =
            version.split('.').take_while(|part| part.starts_with(|digit: char| digit.is_ascii_digit())).count();
        (numbers >= 3).then(|| version.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn bundled(manifest: &str, text: &str) -> Option<Found> {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        fs::write(root.join("cli.js"), "require('./bundle')").expect("a file");
        fs::write(root.join("bundle.js"), format!("{text}{}", " ".repeat(1 << 16))).expect("a file");
        fs::write(root.join("bundle.js.LICENSE"), "- @modelcontextprotocol/sdk@1.29.0 (https://example.com)")
            .expect("a file");
        find(&root.join("cli.js"), &root, &serde_json::from_str(manifest).expect("JSON"))
    }

    #[test]
    fn an_sdk_is_known_by_its_texts_and_by_the_licences_beside_it() {
        let server = "`Server does not support logging (required for ${m})`";
        let found = bundled("{}", &format!("{server} `MCP error ${{e}}: ${{t}}`")).expect("an SDK");
        let package = |name: &str, version: &str| Package {
            registry: Registry::Npm,
            name: name.to_owned(),
            version: version.to_owned(),
        };
        assert_eq!(
            found,
            Found { package: package("@modelcontextprotocol/sdk", "1.29.0"), on: None, style: Some("low") }
        );
        let newer = bundled("{}", &format!("{server} `Tool ${{n}} is already registered`")).expect("an SDK");
        assert_eq!(
            newer,
            Found { package: package("@modelcontextprotocol/server", ""), on: None, style: Some("high") }
        );
        assert_eq!(bundled("{}", "`MCP error ${e}: ${t}`"), None, "a client has no such text");
        let framed = bundled(r#"{"devDependencies":{"fastmcp":"^3"}}"#, server).expect("an SDK");
        assert_eq!(framed.package, package("fastmcp", ""));
    }

    #[test]
    fn a_version_is_three_numbers() {
        assert_eq!(named("x@1 x@1.2.3-rc.1)", "x").as_deref(), Some("1.2.3-rc.1"));
        assert_eq!(named("x@latest, y@1.2.3", "x"), None);
    }
}
