//! Packages of npm as Node finds them: in the `node_modules` of each folder above the script.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Package, Registry, files};

/// Members of a package.json that name other packages.
const NEEDS: [&str; 4] = ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"];

/// How files of code end.
const CODE: [&str; 6] = ["js", "mjs", "cjs", "ts", "mts", "tsx"];

/// Where a package is that code in this place imports, and which version that is.
pub(crate) fn installed(from: &Path, name: &str) -> Option<(PathBuf, Package)> {
    let folders = from.ancestors().skip(1).map(|above| above.join("node_modules").join(name));
    let inside = std::iter::once(from.join("node_modules").join(name));
    inside.chain(folders).find_map(|folder| {
        let folder = folder.canonicalize().ok()?;
        let version = files::json(&folder.join("package.json"))?.get("version")?.as_str()?.to_owned();
        Some((folder, Package { registry: Registry::Npm, name: name.to_owned(), version }))
    })
}

/// The package.json that a script belongs to, and its folder.
pub(crate) fn manifest(script: &Path) -> Option<(&Path, Value)> {
    script.ancestors().skip(1).find_map(|folder| Some((folder, files::json(&folder.join("package.json"))?)))
}

/// The code of the package that a script belongs to; nothing for one that has no package.json.
pub(crate) fn code(script: &Path) -> Vec<String> {
    let others = manifest(script).map(|(folder, _)| files::beneath(folder, &is_code)).unwrap_or_default();
    others.iter().filter_map(|path| files::text(path)).collect()
}

/// Whether a file is of code.
pub(crate) fn is_code(path: &Path) -> bool {
    path.extension().is_some_and(|end| CODE.iter().any(|code| end == *code))
}

/// Whether a package.json names this package.
pub(crate) fn needs(manifest: &Value, name: &str) -> bool {
    NEEDS.iter().any(|member| manifest.get(member).and_then(|needs| needs.get(name)).is_some())
}
