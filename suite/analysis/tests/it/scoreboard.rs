//! The page `docs/sdks.md`: what the smallest server breaks on each SDK and version, as the profiles say.
//! `BLESS=1 cargo test -p mcp-conform-analysis --test it scoreboard` writes the page and its picture anew.

mod picture;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use mcp_conform_analysis::sdks::{Profile, all};
use serde::Deserialize;
use verdict::Level;

const HEAD: &str = "\
# What each SDK breaks

A server that is as small and as correct as its SDK allows ([servers/sdk](../servers/sdk)) still breaks what the SDK breaks. This is what a
run finds in such a server, over stdio and over Streamable HTTP, in every revision that the SDK speaks; where an SDK has a high-level and a low-level
interface, in both. These profiles tell [yours from your SDK's](whose.md).

It is no ranking. An SDK that offers more can break more, so each figure stands beside the number of requirements that could be judged. A MUST
that only one of the interfaces, transports or revisions breaks counts like one that all break. What takes a race counts as well, and is left out of
what changed. A mistake here is ours: [say so](../CONTRIBUTING.md), or repeat it with the command below each table.

![Requirements that the smallest server breaks, by SDK and version](sdks.svg)
";

const TAIL: &str = "
This page is written from the profiles under `suite/analysis/sdks`: `BLESS=1 cargo test -p mcp-conform-analysis --test it scoreboard`.
";

/// The profiles of one entry of `servers/sdk/*.toml`, newest version first.
pub(super) struct Sdk {
    /// The folder under `servers/sdk`.
    pub(super) folder: String,
    /// What people call it.
    pub(super) title: String,
    package: String,
    pub(super) versions: Vec<Profile>,
}

#[derive(Deserialize)]
struct Table {
    sdk: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    title: String,
    package: String,
    versions: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sdks() -> Vec<Sdk> {
    let profiles: Vec<Profile> = all().collect();
    let of_registry = |(registry, file): (&str, &str)| {
        let text = std::fs::read_to_string(root().join("servers/sdk").join(file)).expect("our own file");
        let table: Table = toml::from_str(&text).expect("our own file");
        let sdk = |row: Row| {
            let is = |profile: &&Profile, version: &String| {
                (profile.registry.as_str(), &profile.name, &profile.version) == (registry, &row.package, version)
            };
            let found = |version| profiles.iter().find(|profile| is(profile, version)).cloned();
            let versions = row.versions.iter().filter_map(found).collect();
            Sdk { folder: row.name, title: row.title, package: row.package.clone(), versions }
        };
        table.sdk.into_iter().map(sdk).collect::<Vec<_>>()
    };
    let all = [("npm", "npm.toml"), ("pypi", "pypi.toml"), ("cargo", "cargo.toml")].into_iter().flat_map(of_registry);
    all.filter(|sdk| !sdk.versions.is_empty()).collect()
}

/// How many requirements of a level are broken in an area, or in all.
pub(super) fn count(profile: &Profile, level: Level, area: Option<&str>) -> usize {
    let is_meant = |id: &str| area.is_none_or(|area| self::area(id) == area);
    profile.broken.iter().filter(|(id, broken)| broken.level == level && is_meant(id)).count()
}

fn area(id: &str) -> &str {
    id.split('.').next().unwrap_or(id)
}

fn page(sdks: &[Sdk]) -> String {
    let mut page = HEAD.to_owned();
    page.push_str("\n| SDK | version | MUST | SHOULD | judged | on |\n|---|---|--:|--:|--:|---|\n");
    for sdk in sdks {
        for (at, profile) in sdk.versions.iter().enumerate() {
            let title = if at == 0 { format!("[{}](#{})", sdk.title, anchor(&sdk.title)) } else { String::new() };
            let (must, should) = (count(profile, Level::Must, None), count(profile, Level::Should, None));
            let judged = profile.held.len() + profile.broken.len();
            let Profile { version, date, .. } = profile;
            let _ = writeln!(page, "| {title} | {version} | {must} | {should} | {judged} | {date} |");
        }
    }
    sdks.iter().for_each(|sdk| page.push_str(&section(sdk)));
    page + TAIL
}

/// The name of a heading in links, as GitHub makes it.
fn anchor(title: &str) -> String {
    let kept = title
        .to_lowercase()
        .chars()
        .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter))
        .collect::<String>();
    kept.replace(' ', "-")
}

fn section(sdk: &Sdk) -> String {
    let mut text = format!("\n## {}\n\n`{}`, MUST + SHOULD by area:\n\n| area |", sdk.title, sdk.package);
    sdk.versions.iter().for_each(|profile| _ = write!(text, " {} |", profile.version));
    let _ = writeln!(text, "\n|---|{}", "--:|".repeat(sdk.versions.len()));
    let areas: BTreeSet<&str> =
        sdk.versions.iter().flat_map(|profile| profile.broken.keys()).map(|id| area(id)).collect();
    for area in areas {
        let cell = |profile| match [Level::Must, Level::Should].map(|level| count(profile, level, Some(area))) {
            [0, 0] => String::new(),
            [must, should] => format!("{must} + {should}"),
        };
        let cells: Vec<String> = sdk.versions.iter().map(cell).collect();
        let _ = writeln!(text, "| {area} | {} |", cells.join(" | "));
    }
    for pair in sdk.versions.windows(2) {
        text.push_str(&changes(&pair[0], &pair[1]));
    }
    let Sdk { folder, package, .. } = sdk;
    let _ = write!(
        text,
        "\nEach requirement: `mcp-conform sdk list {package}`. Again: `servers/sdk/profiles.py --check target/release/mcp-conform {folder}`.\n"
    );
    text
}

/// What a version breaks and keeps otherwise than the one before it. What only one of the two was judged on is left out.
fn changes(newer: &Profile, older: &Profile) -> String {
    let changed = |from: &Profile, to: &Profile| {
        let steady = from.broken.iter().filter(|(_, broken)| !broken.varies).map(|(id, _)| id);
        let ids = steady.filter(|id| to.held.contains(*id));
        ids.map(|id| format!("`{id}`")).collect::<Vec<_>>()
    };
    let (mended, new) = (changed(older, newer), changed(newer, older));
    let mut text = String::new();
    for (what, ids) in [("mends", mended), ("newly breaks", new)] {
        if !ids.is_empty() {
            let _ = write!(text, "\n{} {what} {}.\n", newer.version, ids.join(", "));
        }
    }
    if text.is_empty() {
        text = format!("\n{} changes nothing against {}.\n", newer.version, older.version);
    }
    text
}

#[test]
fn the_page_and_its_picture_show_the_profiles() {
    let sdks = sdks();
    for (file, text) in [("docs/sdks.md", page(&sdks)), ("docs/sdks.svg", picture::picture(&sdks))] {
        let path = root().join(file);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, text).expect("our own file");
            continue;
        }
        let shown = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(
            shown == text,
            "{file} is out of date: BLESS=1 cargo test -p mcp-conform-analysis --test it scoreboard"
        );
    }
}

#[test]
fn every_profile_is_dated_and_on_the_page() {
    let shown: usize = sdks().iter().map(|sdk| sdk.versions.len()).sum();
    assert_eq!(all().count(), shown);
    let undated: Vec<String> = all()
        .filter(|profile| profile.date.len() != 10)
        .map(|profile| format!("{} {}", profile.name, profile.version))
        .collect();
    assert!(undated.is_empty(), "{undated:?}");
}
