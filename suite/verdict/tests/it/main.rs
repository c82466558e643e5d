//! The tables of probes hold what they promise: each is sent by a scenario and read by a rule, and `docs/probes.md` shows
//! them. `BLESS=1 cargo test -p mcp-conform-verdict --test it` writes the page anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use mcp_conform_verdict::probes::{Area, Intent, Key, values};

/// The folder of the crates.
fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A Rust file, without comments and without what is compiled for tests alone.
struct Source {
    path: PathBuf,
    code: String,
}

/// Reads the Rust files of a folder, but for the modules that are compiled for tests alone.
fn sources(folder: &Path) -> Vec<Source> {
    let mut all = Vec::new();
    read_folder(folder, &mut all);
    assert!(!all.is_empty(), "no sources in {}", folder.display());
    let tests: Vec<PathBuf> = all.iter().flat_map(test_modules).collect();
    all.retain(|source| {
        !tests.iter().any(|test| source.path.starts_with(test.with_extension("")) || source.path == *test)
    });
    for source in &mut all {
        let code = source.code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        source.code = lines.map(|line| format!("{line}\n")).collect();
    }
    all
}

fn read_folder(folder: &Path, all: &mut Vec<Source>) {
    for entry in std::fs::read_dir(folder).expect("a folder of ours") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_folder(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let code = std::fs::read_to_string(&path).expect("text").replace("\r\n", "\n");
            all.push(Source { path, code });
        }
    }
}

/// The files of the modules behind `#[cfg(test)]`.
fn test_modules(source: &Source) -> Vec<PathBuf> {
    let stem = source.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let folder =
        if matches!(stem, "mod" | "lib") { source.path.with_file_name("") } else { source.path.with_extension("") };
    let lines: Vec<&str> = source.code.lines().collect();
    let behind = lines.windows(2).filter(|pair| pair[0].trim().starts_with("#[cfg(test)]"));
    let names = behind.filter_map(|pair| pair[1].split("mod ").nth(1)?.strip_suffix(';'));
    names.map(|name| folder.join(format!("{name}.rs"))).collect()
}

/// The code that sends probes, and the code that reads them.
fn senders_and_readers() -> (String, String) {
    let joined = |sources: &mut dyn Iterator<Item = Source>| sources.map(|source| source.code).collect::<String>();
    let judge = sources(&suite().join("judge/src"));
    let (inferring, reading): (Vec<Source>, Vec<Source>) =
        judge.into_iter().partition(|source| source.path.to_string_lossy().contains("inferred_intent"));
    let mut sending =
        sources(&suite().join("run/src")).into_iter().chain(sources(&suite().join("fuzz/src"))).chain(inferring);
    (joined(&mut sending), joined(&mut reading.into_iter()))
}

/// Whether the code names this variant.
fn names(code: &str, variant: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    code.match_indices(variant).any(|(at, _)| ends(&code[at + variant.len()..]))
}

#[test]
fn every_intent_is_sent_and_every_one_but_the_background_is_read() {
    let (sending, reading) = senders_and_readers();
    let mut wrong = Vec::new();
    for intent in Intent::ALL {
        let variant = format!("Intent::{intent:?}");
        if !names(&sending, &variant) {
            wrong.push(format!("no scenario sends {variant}"));
        }
        match (names(&reading, &variant), intent.is_background()) {
            (true, true) => wrong.push(format!("a rule reads {variant}, which is marked as background")),
            (false, false) => wrong.push(format!("no rule reads {variant}: mark it as background, and say why")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_key_is_sent_and_every_one_but_the_background_is_read() {
    let (sending, reading) = senders_and_readers();
    let mut wrong = Vec::new();
    for key in Key::ALL {
        let name = key.name();
        if !sending.contains(&format!("\"{name}\"")) {
            wrong.push(format!("no scenario sends {name}"));
        }
        let compared = values::ALL.iter().any(|(of, ..)| of == key);
        if (compared || names(&reading, &format!("Key::{key:?}"))) == key.is_background() {
            wrong.push(format!("{name} is read by a rule if and only if it is not marked as background"));
        }
        if !Intent::ALL.iter().any(|intent| intent.declares(*key)) {
            wrong.push(format!("no intent declares {name}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_value_is_sent_and_compared() {
    let (sending, reading) = senders_and_readers();
    let missing = |code: &str| values::ALL.iter().map(|(_, variant, _)| *variant).filter(|v| !names(code, v)).collect();
    let (unsent, unread): (Vec<&str>, Vec<&str>) = (missing(&sending), missing(&reading));
    assert!(unsent.is_empty(), "no scenario sends {unsent:?}");
    assert!(unread.is_empty(), "no rule compares {unread:?}: a value that none compares needs no variant");
}

fn page() -> String {
    let mut page = String::from(
        "# Probes\n\n\
        A scenario writes what it means by a message into the transcript as a *probe*: an `intent`, and under the keys of \
        `about` what the bytes do not tell. Most probes belong to a message that is sent; those that belong to none are \
        events of their own (\"No message\"). Rules look for them by name.\n\n\
        This page is generated from `suite/verdict/probes/`. A key in brackets is optional. *Background*: no rule looks \
        for it by name.\n",
    );
    for area in Area::ALL {
        let _ = write!(page, "\n## {}\n\n`{}`\n\n| Intent | Keys | Meaning |\n|---|---|---|\n", area.title, area.name);
        for intent in area.intents {
            let required = intent.required_keys().iter().map(|key| format!("`{}`", key.name()));
            let optional = intent.optional_keys().iter().map(|key| format!("[`{}`]", key.name()));
            let keys = required.chain(optional).collect::<Vec<_>>().join(" ");
            let background = if intent.is_background() { " *Background.*" } else { "" };
            let _ = writeln!(page, "| `{intent}` | {keys} | {}{background} |", intent.meaning());
        }
    }
    page.push_str("\n## Keys\n\n| Key | Type | Meaning |\n|---|---|---|\n");
    for key in Key::ALL {
        let types: Vec<&str> = key.types().iter().map(|kind| kind.name()).collect();
        let background = if key.is_background() { " *Background.*" } else { "" };
        let values: Vec<String> =
            values::ALL.iter().filter(|(of, ..)| of == key).map(|(.., text)| format!("`{text}`")).collect();
        let values = if values.is_empty() { String::new() } else { format!(" Rules compare {}.", values.join(", ")) };
        let _ = writeln!(page, "| `{}` | {} | {}{values}{background} |", key.name(), types.join(" or "), key.meaning());
    }
    page
}

#[test]
fn the_page_shows_the_tables() {
    let path = suite().join("../docs/probes.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page()).expect("our own file");
        return;
    }
    let shown = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(shown == page(), "docs/probes.md is out of date: BLESS=1 cargo test -p mcp-conform-verdict --test it");
}
