//! The profiles that are compiled in.

use std::io::Read;
use std::sync::LazyLock;

use flate2::read::DeflateDecoder;

use super::Profile;

include!(concat!(env!("OUT_DIR"), "/profiles.rs"));

/// Where packages are published, as package URLs name it.
const REGISTRIES: [&str; 4] = ["npm", "pypi", "cargo", "golang"];

/// The texts of all profiles, one after the other.
static UNPACKED: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::new();
    // What the build has packed can be read; if not, there are no profiles.
    let _ = DeflateDecoder::new(TEXTS).read_to_string(&mut text);
    text
});

/// A profile on the shelf.
#[derive(Clone, Copy, Debug)]
struct Kept {
    registry: &'static str,
    name: &'static str,
    version: &'static str,
    /// Where its text begins and ends.
    text: (usize, usize),
}

impl Kept {
    fn read(self) -> Option<Profile> {
        Profile::from_toml(UNPACKED.get(self.text.0..self.text.1)?).ok()
    }
}

/// The profiles of a package, oldest version first.
fn of_package(registry: &str, name: &str) -> Vec<Kept> {
    let mut known: Vec<Kept> =
        KEPT.iter().copied().filter(|one| (one.registry, one.name) == (registry, name)).collect();
    known.sort_by_key(|one| key(one.version));
    known
}

/// Every profile, by registry, name and version.
pub fn all() -> impl Iterator<Item = Profile> {
    let mut all = KEPT.to_vec();
    all.sort_by_key(|one| (one.registry, one.name, key(one.version)));
    all.into_iter().filter_map(Kept::read)
}

/// The newest profile of each SDK.
pub(super) fn newest() -> impl Iterator<Item = Profile> {
    let mut names: Vec<(&str, &str)> = KEPT.iter().copied().map(|one| (one.registry, one.name)).collect();
    names.dedup();
    names.into_iter().filter_map(|(registry, name)| of_package(registry, name).last()?.read())
}

/// The profiles of later versions of a package, oldest first.
pub(super) fn later(registry: &str, name: &str, version: &str) -> impl Iterator<Item = Profile> {
    let known = of_package(registry, name);
    let version = key(version);
    known.into_iter().filter(move |one| key(one.version) > version).filter_map(Kept::read)
}

/// Returns the profile of a package: of this version, else of the last one before it, else of the first one after it, if there is one with
/// the same major version; else of the nearest in that order. Without a version it is the newest.
#[must_use]
pub fn nearest(registry: &str, name: &str, version: &str) -> Option<Profile> {
    let known = of_package(registry, name);
    let major = |version: &str| key(version).first().copied();
    let (alike, others): (Vec<Kept>, Vec<Kept>) =
        known.into_iter().partition(|one| version.is_empty() || major(one.version) == major(version));
    let near = |known: &[Kept]| {
        let before = known.iter().rfind(|one| version.is_empty() || key(one.version) <= key(version));
        before.or_else(|| known.first()).copied()
    };
    near(&alike).or_else(|| near(&others))?.read()
}

/// Versions in their order: numbers count as numbers.
fn key(version: &str) -> Vec<u64> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

/// Splits `NAME@VERSION` or `REGISTRY:NAME@VERSION` into registry, name and version. Without a registry it is the one that has profiles
/// of this name; where several have, none.
#[must_use]
pub fn parse_name(text: &str) -> Option<(String, String, String)> {
    // The name of a scope begins with an at sign too.
    let (name, version) = match text.rsplit_once('@') {
        Some((name, version)) if !name.is_empty() => (name, version),
        _ => (text, ""),
    };
    let split = |registry: &str, name: &str| Some((registry.to_owned(), name.to_owned(), version.to_owned()));
    if let Some((registry, name)) = name.split_once(':').filter(|(registry, _)| REGISTRIES.contains(registry)) {
        return split(registry, name);
    }
    let mut registries: Vec<&str> =
        KEPT.iter().copied().filter(|one| one.name == name).map(|one| one.registry).collect();
    registries.dedup();
    match registries[..] {
        [registry] => split(registry, name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_can_be_read_and_names_requirements() {
        let mut count = 0;
        for profile in all() {
            count += 1;
            let ids = profile.held.iter().chain(profile.broken.keys());
            let unknown: Vec<&String> = ids.filter(|id| verdict::requirement(id).is_none()).collect();
            assert!(unknown.is_empty(), "{} {}: {unknown:?}", profile.name, profile.version);
            assert!(profile.broken.values().all(|broken| !broken.signatures.is_empty() && !broken.runs.is_empty()));
        }
        assert_eq!(count, KEPT.len(), "one cannot be read");
    }

    #[test]
    fn a_version_without_a_profile_is_held_against_the_one_before_it() {
        let name = "@modelcontextprotocol/sdk";
        let found = |version: &str| nearest("npm", name, version).map(|found| found.version);
        let versions: Vec<&str> = of_package("npm", name).iter().map(|one| one.version).collect();
        let (first, last) = (versions[0], versions[versions.len() - 1]);
        assert_eq!(found(last), Some(last.to_owned()));
        assert_eq!(found(&format!("{last}.9")), Some(last.to_owned()));
        assert_eq!(found(""), Some(last.to_owned()));
        assert_eq!(found("0.1.0"), Some(first.to_owned()));
        let python = nearest("pypi", "mcp", "2.0.0").map(|found| key(&found.version)[0]);
        assert_eq!(python, Some(2), "an earlier major version is another SDK");
        assert!(nearest("npm", "left-pad", "1.0.0").is_none());
        assert!(key("1.9.1") < key("1.10.0"));
    }

    #[test]
    fn names_say_the_registry_where_several_have_it() {
        let told = |text: &str| parse_name(text).map(|(registry, name, version)| [registry, name, version].join(" "));
        assert_eq!(told("@modelcontextprotocol/sdk@1.2.3").as_deref(), Some("npm @modelcontextprotocol/sdk 1.2.3"));
        assert_eq!(told("@modelcontextprotocol/sdk").as_deref(), Some("npm @modelcontextprotocol/sdk "));
        assert_eq!(told("pypi:mcp@2.3.0").as_deref(), Some("pypi mcp 2.3.0"));
        assert_eq!(told("npm:unheard-of@1").as_deref(), Some("npm unheard-of 1"));
        assert_eq!(told("unheard-of@1"), None);
    }
}
