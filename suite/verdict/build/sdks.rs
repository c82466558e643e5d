//! How to meet requirements with the common SDKs: `sdks/fixes.toml`.

use std::fmt::Write as _;
use std::path::Path;

use toml::Value;

use crate::tables::{check_keys, optional, read, strings, text};

/// Returns the table as Rust code.
pub(crate) fn generate(file: &Path) -> String {
    println!("cargo::rerun-if-changed={}", file.display());
    let table = read(file);
    let mut out = "static FIXES: &[SdkFix] = &[\n".to_owned();
    for entry in table.get("mend").and_then(Value::as_array).into_iter().flatten() {
        let entry = entry.as_table().expect("entries are tables");
        check_keys("fixes.toml", entry, &["ids", "sdk", "version", "tried", "text", "code"]);
        let (ids, tried) = (strings(entry, "ids"), entry.get("tried").and_then(Value::as_bool));
        let [sdk, version, say] = ["sdk", "version", "text"].map(|key| text(entry, key));
        let code = optional(entry, "code").map(|code| code.trim_start_matches('\n'));
        assert!(!ids.is_empty() && tried.is_some(), "{sdk} {version}: `ids` or `tried` is missing");
        let _ = writeln!(
            out,
            "SdkFix {{ ids: &{ids:?}, sdk: {sdk:?}, version: {version:?}, tried: {}, text: {say:?}, code: {code:?} }},",
            tried == Some(true),
        );
    }
    out + "];\n"
}
