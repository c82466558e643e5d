//! How to meet a requirement with the common SDKs: the content of sdk.toml, derived from the sources of the SDKs.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// A fix for some requirements with one SDK.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SdkFix {
    #[serde(skip_serializing)]
    ids: Vec<String>,
    /// The language, with the major version of the SDK if there are several.
    pub(super) sdk: String,
    /// The package and version that was examined.
    pub(super) version: String,
    /// Whether the fix was applied to a small server and judged.
    tried: bool,
    /// The behaviour of the SDK and the fix.
    pub(super) text: String,
    /// The fix as code.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

#[derive(Deserialize)]
struct File {
    mend: Vec<SdkFix>,
}

// The file is ours: a test reads it.
static ALL: LazyLock<Vec<SdkFix>> =
    LazyLock::new(|| toml::from_str::<File>(include_str!("sdk.toml")).map(|file| file.mend).unwrap_or_default());

/// Returns the fixes for a requirement.
pub(super) fn fixes(id: &str) -> Vec<&'static SdkFix> {
    ALL.iter().filter(|fix| fix.ids.iter().any(|known| known == id)).collect()
}

impl SdkFix {
    /// Returns the SDK and version, and whether the fix was tested.
    pub(super) fn origin(&self) -> String {
        let how = if self.tried { "tested" } else { "from its source, untested" };
        format!("{} ({}; {how})", self.sdk, self.version)
    }

    /// Returns the lines of the code.
    pub(super) fn code(&self) -> impl Iterator<Item = &str> {
        self.code.iter().flat_map(|code| code.trim_start_matches('\n').lines())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{ALL, File};

    #[test]
    fn the_file_is_read_and_names_requirements_once_for_an_sdk() {
        toml::from_str::<File>(include_str!("sdk.toml")).map(|_| ()).expect("sdk.toml is well formed");
        let mut seen = HashSet::new();
        for fix in ALL.iter() {
            assert!(!fix.text.is_empty() && !fix.version.is_empty() && !fix.ids.is_empty());
            for id in &fix.ids {
                assert!(verdict::requirement(id).is_some(), "{id} is not a requirement");
                assert!(seen.insert((&fix.sdk, id)), "{id} appears twice for {}", fix.sdk);
            }
        }
    }
}
