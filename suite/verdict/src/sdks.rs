//! How to meet requirements with the common SDKs: `sdks/fixes.toml`, derived from the sources of the SDKs.

use serde::Serialize;

/// A fix for some requirements with one SDK.
#[derive(Debug, Serialize)]
pub struct SdkFix {
    /// The requirements.
    #[serde(skip_serializing)]
    pub ids: &'static [&'static str],
    /// The language, with the major version of the SDK if there are several.
    pub sdk: &'static str,
    /// The package and version that was examined.
    pub version: &'static str,
    /// Whether the fix was applied to a small server and judged.
    pub tried: bool,
    /// The behavior of the SDK and the fix.
    pub text: &'static str,
    /// The fix as code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
}

include!(concat!(env!("OUT_DIR"), "/sdks.rs"));

/// Returns the fixes for a requirement.
pub fn sdk_fixes(id: &str) -> impl Iterator<Item = &'static SdkFix> {
    FIXES.iter().filter(move |fix| fix.ids.contains(&id))
}

impl SdkFix {
    /// Returns the SDK and version, and whether the fix was tested.
    #[must_use]
    pub fn origin(&self) -> String {
        let how = if self.tried { "tested" } else { "from its source, untested" };
        format!("{} ({}; {how})", self.sdk, self.version)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::FIXES;

    #[test]
    fn fixes_name_requirements_once_for_an_sdk() {
        let mut seen = HashSet::new();
        for fix in FIXES {
            for id in fix.ids {
                assert!(crate::requirement(id).is_some(), "{id} is not a requirement");
                assert!(seen.insert((fix.sdk, id)), "{id} appears twice for {}", fix.sdk);
            }
        }
        assert!(!FIXES.is_empty());
    }
}
