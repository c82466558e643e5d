//! The schemas that the specification publishes, for tests: `schema.json` of each revision, with what the project corrected
//! after the release. They come with a package of crates.io that `Cargo.toml` beside this file pins.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::{Value, json};

const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../servers/schemas/Cargo.toml");
const PACKAGE: &str = "protocol-droid-schema";

/// What the project corrected after a release: revision, definition, property, type.
const CORRECTED: [(&str, &str, &str, &[&str]); 8] = [
    ("2024-11-05", "Resource", "size", &["integer"]),
    ("2025-03-26", "Resource", "size", &["integer"]),
    ("2025-06-18", "NumberSchema", "minimum", &["number"]),
    ("2025-06-18", "NumberSchema", "maximum", &["number"]),
    ("2025-11-25", "NumberSchema", "minimum", &["number"]),
    ("2025-11-25", "NumberSchema", "maximum", &["number"]),
    ("2025-11-25", "NumberSchema", "default", &["number"]),
    ("2025-11-25", "Task", "ttl", &["integer", "null"]),
];

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let options = ["metadata", "--format-version", "1", "--locked", "--manifest-path", MANIFEST];
    let output = Command::new(cargo).args(options).output().expect("cargo starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "no published schemas: `cargo fetch --manifest-path {MANIFEST}`: {complaint}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let package = packages.find(|package| package["name"] == PACKAGE).expect("the pinned package");
    let manifest = package["manifest_path"].as_str().expect("a path");
    Path::new(manifest).with_file_name("spec")
});

/// Returns the schema of a revision.
///
/// # Panics
///
/// If the package cannot be obtained, or has no schema of this revision: a test without it would test nothing.
pub(crate) fn schema(revision: &str) -> Value {
    let path = FOLDER.join(revision).join("schema.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut schema: Value = serde_json::from_str(&text).expect("a published schema is JSON");
    correct(&mut schema, revision);
    schema
}

fn correct(schema: &mut Value, revision: &str) {
    let definitions = if schema["$defs"].is_object() { "$defs" } else { "definitions" };
    for (_, definition, property, types) in CORRECTED.iter().filter(|(of, ..)| *of == revision) {
        let corrected = json!(types);
        let place = &mut schema[definitions][definition]["properties"][property]["type"];
        assert!(*place != corrected, "{revision} {definition}.{property}: the package has the correction now");
        *place = corrected;
    }
}
