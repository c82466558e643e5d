//! How a requirement is mended with the common SDKs: sdk.toml, as far as the SDKs' sources say it.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// What to do with one SDK about some requirements.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mend {
    #[serde(skip_serializing)]
    ids: Vec<String>,
    /// The language, with the generation of the SDK where there are several.
    pub(super) sdk: String,
    /// The package and version that was looked at.
    pub(super) version: String,
    /// A small server was mended so and judged.
    tried: bool,
    /// What the SDK does and what helps.
    pub(super) text: String,
    /// The same as code.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

#[derive(Deserialize)]
struct File {
    mend: Vec<Mend>,
}

// The file is ours: a test reads it.
static ALL: LazyLock<Vec<Mend>> =
    LazyLock::new(|| toml::from_str::<File>(include_str!("sdk.toml")).map(|file| file.mend).unwrap_or_default());

/// What is known for a requirement.
pub(super) fn mends(id: &str) -> Vec<&'static Mend> {
    ALL.iter().filter(|mend| mend.ids.iter().any(|own| own == id)).collect()
}

impl Mend {
    /// Where it comes from: what was looked at, and whether it was run.
    pub(super) fn origin(&self) -> String {
        let how = if self.tried { "tried" } else { "from its source, not tried" };
        format!("{} ({}; {how})", self.sdk, self.version)
    }

    /// The lines of the code.
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
        for mend in ALL.iter() {
            assert!(!mend.text.is_empty() && !mend.version.is_empty() && !mend.ids.is_empty());
            for id in &mend.ids {
                assert!(verdict::requirement(id).is_some(), "{id} is no requirement");
                assert!(seen.insert((&mend.sdk, id)), "{id} stands twice for {}", mend.sdk);
            }
        }
    }
}
