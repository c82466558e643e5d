//! The catalogue of requirements: `requirements/*.toml`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use toml::{Table, Value};

use crate::tables::{area, optional, read, strings, text};

const KEYS: [&str; 23] = [
    "id",
    "level",
    "revisions",
    "transports",
    "needs",
    "source",
    "sources",
    "statement",
    "why",
    "probe",
    "observe",
    "because",
    "fixture",
    "takes",
    "calls",
    "mend",
    "mistake",
    "pitfall",
    "chance",
    "also_breaks",
    "levels",
    "varies",
    "explain",
];

/// Returns the tables as Rust code.
pub(crate) fn generate(files: &[impl AsRef<Path>]) -> String {
    let mut tables = Tables::default();
    for file in files {
        tables.read(file.as_ref());
    }
    tables.finish()
}

#[derive(Default)]
struct Tables {
    requirements: String,
    allowances: String,
    seen: HashSet<String>,
}

impl Tables {
    fn read(&mut self, file: &Path) {
        let (table, area) = (read(file), area(file));
        for key in table.keys() {
            assert!(key == "requirement" || key == "allowance", "{}: unknown table {key}", file.display());
        }
        for entry in entries(&table, "requirement") {
            let text = self.requirement(area, entry);
            self.requirements.push_str(&text);
        }
        for entry in entries(&table, "allowance") {
            let text = self.allowance(area, entry);
            self.allowances.push_str(&text);
        }
    }

    fn identity(&mut self, area: &str, entry: &Table) -> String {
        let id = text(entry, "id");
        assert!(id.starts_with(&format!("{area}.")), "{id}: the first part of an id is its file, {area}");
        assert!(self.seen.insert(id.to_owned()), "{id}: used twice");
        for key in entry.keys() {
            assert!(KEYS.contains(&key.as_str()), "{id}: unknown key {key}");
        }
        id.to_owned()
    }

    fn requirement(&mut self, area: &str, entry: &Table) -> String {
        let id = self.identity(area, entry);
        let observe = match text(entry, "observe") {
            "active" => "Active",
            "passive" => "Passive",
            "fixture" => "Fixture",
            "untestable" => "Untestable",
            other => panic!("{id}: unknown observe {other}"),
        };
        let levels: String = pairs(entry, "levels")
            .map(|(key, value)| format!("({}, {}),", revision(&id, key), level(&id, value)))
            .collect();
        format!(
            "Requirement {{ id: {id:?}, area: {area:?}, level: {}, revisions: {}, transports: &[{}], needs: &{:?}, source: {:?}, \
             sources: &{:?}, statement: {:?}, why: {:?}, probe: {:?}, observe: Observe::{observe}, because: {:?}, fixture: {:?}, takes: {:?}, calls: {:?}, mend: {:?}, mistake: {:?}, chance: {:?}, \
             also_breaks: &{:?}, levels: &[{levels}], varies: &[{}] }},\n",
            level(&id, text(entry, "level")),
            revisions(&id, entry),
            transports(&id, entry),
            strings(entry, "needs"),
            text(entry, "source"),
            strings(entry, "sources"),
            text(entry, "statement"),
            reason(&id, entry),
            text(entry, "probe"),
            optional(entry, "because"),
            optional(entry, "fixture"),
            takes(&id, entry),
            calls(&id, entry),
            mend(&id, entry),
            sentence(&id, entry, "mistake", 300),
            optional(entry, "chance"),
            strings(entry, "also_breaks"),
            varies(&id, entry),
        )
    }

    fn allowance(&mut self, area: &str, entry: &Table) -> String {
        let id = self.identity(area, entry);
        format!(
            "Allowance {{ id: {id:?}, area: {area:?}, revisions: {}, source: {:?}, statement: {:?}, probe: {:?}, pitfall: {:?} }},\n",
            revisions(&id, entry),
            text(entry, "source"),
            text(entry, "statement"),
            text(entry, "probe"),
            optional(entry, "pitfall"),
        )
    }

    fn finish(self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "static REQUIREMENTS: &[Requirement] = &[\n{}];", self.requirements);
        let _ = writeln!(out, "static ALLOWANCES: &[Allowance] = &[\n{}];", self.allowances);
        out
    }
}

fn entries<'a>(table: &'a Table, key: &str) -> impl Iterator<Item = &'a Table> {
    table
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|entry| entry.as_table().expect("entries are tables"))
}

/// Why clients care: one or two short sentences that `explain` and reports can show.
fn reason<'a>(id: &str, entry: &'a Table) -> &'a str {
    let why =
        optional(entry, "why").unwrap_or_else(|| panic!("{id}: `why` is missing: say what goes wrong in a client"));
    assert!(why.ends_with('.') && why.len() <= 240, "{id}: `why` is a sentence of at most 240 bytes");
    why
}

/// What to change in a server that breaks it: `explain` and reports show it.
fn mend<'a>(id: &str, entry: &'a Table) -> &'a str {
    let mend = sentence(id, entry, "mend", 240);
    let untestable = text(entry, "observe") == "untestable";
    assert!(mend.is_some() != untestable, "{id}: `mend` is missing, or nothing can show that it is needed");
    mend.unwrap_or_default()
}

/// What it takes to observe it: a phrase that goes on a sentence.
fn takes<'a>(id: &str, entry: &'a Table) -> Option<&'a str> {
    let takes = optional(entry, "takes");
    let passive = text(entry, "observe") == "passive";
    assert!(takes.is_some() || !passive, "{id}: `takes` is missing: say what must happen for it to be judged");
    assert!(
        takes.is_none_or(|takes| !takes.ends_with('.') && takes.len() <= 160),
        "{id}: `takes` is a phrase of at most 160 bytes"
    );
    let names_flag = takes.is_some_and(|takes| takes.contains("--calls") || takes.contains("--tool "));
    assert!(
        !names_flag,
        "{id}: `takes` names the flag that calls more tools: set `calls`, and reports name the one that fits"
    );
    takes
}

fn calls(id: &str, entry: &Table) -> bool {
    entry.get("calls").is_some_and(|value| value.as_bool().unwrap_or_else(|| panic!("{id}: `calls` is true or absent")))
}

fn sentence<'a>(id: &str, entry: &'a Table, key: &str, most: usize) -> Option<&'a str> {
    let text = optional(entry, key)?;
    assert!(text.ends_with('.') && text.len() <= most, "{id}: `{key}` is a sentence of at most {most} bytes");
    Some(text)
}

fn pairs<'a>(entry: &'a Table, key: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let table = entry.get(key).and_then(Value::as_table).into_iter().flatten();
    table.map(|(key, value)| (key.as_str(), value.as_str().expect("values are strings")))
}

fn varies(id: &str, entry: &Table) -> String {
    pairs(entry, "varies").map(|(key, value)| format!("({}, {value:?}),", revision(id, key))).collect()
}

/// The variant of a date; that there is one is checked where the tables are compiled.
fn revision(id: &str, name: &str) -> String {
    let is_date = name.len() == 10 && name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    assert!(is_date, "{id}: `{name}` is not the date of a revision");
    format!("Revision::V{}", name.replace('-', "_"))
}

/// Returns one revision (`"2025-11-25"`), a span (`"2025-06-18.."`, `"2024-11-05..2025-11-25"`; both ends are included, and an
/// open end means the newest), or a list where there are gaps.
fn revisions(id: &str, entry: &Table) -> String {
    if let Some(span) = entry.get("revisions").and_then(Value::as_str) {
        let (from, until) = span.split_once("..").unwrap_or((span, span));
        let until = if until.is_empty() { "Revision::LATEST".to_owned() } else { revision(id, until) };
        return format!("Revision::range({}, {until})", revision(id, from));
    }
    let names = strings(entry, "revisions");
    assert!(!names.is_empty(), "{id}: no revision");
    let list: String = names.iter().map(|name| revision(id, name) + ",").collect();
    format!("&[{list}]")
}

fn transports(id: &str, entry: &Table) -> String {
    let name = |transport: String| match transport.as_str() {
        "stdio" => "Transport::Stdio,",
        "http" => "Transport::Http,",
        "sse" => "Transport::Sse,",
        other => panic!("{id}: unknown transport {other}"),
    };
    strings(entry, "transports").into_iter().map(name).collect()
}

fn level(id: &str, name: &str) -> &'static str {
    match name {
        "must" => "Level::Must",
        "should" => "Level::Should",
        "advice" => "Level::Advice",
        other => panic!("{id}: unknown level {other}"),
    }
}
