//! Measures the generator on the official JSON-Schema-Test-Suite, which is no part of the project: a folder given as
//! argument, or `shared/json-schema-test-suite` beside the project. For each draft: of the schemas that the suite shows a
//! valid instance of, how many get valid instances here, and how fast; for each keyword, at how many places it is broken
//! alone, and why not elsewhere. Times are those of the processor, where the system tells them. With `--schemas FOLDER`, a
//! folder of schemas, one a file (of real tools, say): a thousand valid and a thousand invalid instances of each.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_conform_schema::{Declined, Dialect, Generator, Reason};
use serde_json::Value;
use url::Url;

const DRAFTS: [(&str, Dialect); 5] = [
    ("draft4", Dialect::Draft4),
    ("draft6", Dialect::Draft6),
    ("draft7", Dialect::Draft7),
    ("draft2019-09", Dialect::Draft201909),
    ("draft2020-12", Dialect::Draft202012),
];
/// Instances made of each schema.
const EACH: u64 = 50;

#[derive(Default)]
struct Row {
    schemas: usize,
    reached: usize,
    instances: usize,
    missed: usize,
    slowest: Duration,
    total: Duration,
    found_where_none: usize,
    notes: Vec<String>,
    keywords: BTreeMap<String, Keyword>,
    boundaries: usize,
    awkward: usize,
}

/// Results of breaking one keyword.
#[derive(Default)]
struct Keyword {
    places: usize,
    broken: usize,
    instances: usize,
    missed: usize,
    never_alone: usize,
    spent: usize,
    blamed_above: usize,
}

/// The time that this thread has had the processor; without a system that tells it, the time of the day.
fn now() -> Duration {
    static BEGAN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    spent.map_or_else(|| BEGAN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

fn main() {
    let mut args = std::env::args().skip(1);
    match (args.next(), args.next()) {
        (Some(flag), Some(folder)) if flag == "--schemas" => schemas(Path::new(&folder)),
        (Some(folder), _) => suite(Path::new(&folder)),
        (None, _) => suite(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/json-schema-test-suite")),
    }
}

/// A thousand valid and a thousand invalid instances of each schema of a folder.
fn schemas(folder: &Path) {
    const MANY: u64 = 1000;
    let (mut count, mut short, began, mut slowest) = (0, 0, now(), Duration::ZERO);
    for file in json_files(folder, true) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap_or_default();
        let Ok(schema) = text.parse::<Value>() else { continue };
        count += 1;
        let (here, generator) = (now(), Generator::new(&schema, Dialect::Draft202012));
        let (valid, invalid) = match &generator {
            Ok(generator) => (valid(generator, MANY), invalid(generator, MANY)),
            Err(declined) => {
                println!("{name}: {declined}");
                (0, 0)
            }
        };
        slowest = slowest.max(now() - here);
        if (valid, invalid) != (MANY, MANY) {
            short += 1;
            println!("{name}: {valid} valid, {invalid} invalid");
        }
    }
    println!("{count} schemas, {short} with a miss, {:?} in all, the slowest {slowest:?}", now() - began);
}

fn valid(generator: &Generator, many: u64) -> u64 {
    let (plain, awkward) = (generator.valid(), generator.awkward());
    let of = |seed: u64| if seed.is_multiple_of(2) { &plain } else { &awkward };
    (0..many).filter(|seed| of(*seed).draw(*seed).is_ok()).count() as u64
}

fn invalid(generator: &Generator, many: u64) -> u64 {
    let breaks = generator.breaks().found;
    let turns = breaks.iter().cycle().zip(0..many);
    turns.filter(|(one, seed)| one.instances.draw(*seed).is_ok()).count() as u64
}

fn suite(folder: &Path) {
    if !folder.is_dir() {
        println!("no JSON-Schema-Test-Suite at {}: nothing measured", folder.display());
        return;
    }
    let remotes = remotes(&folder.join("remotes"));
    println!(
        "{:14} {:>8} {:>8} {:>7} {:>10} {:>7} {:>9} {:>9}",
        "draft", "schemas", "reached", "share", "instances", "missed", "slowest", "us each"
    );
    let mut notes = Vec::new();
    let mut keywords = BTreeMap::new();
    for (name, dialect) in DRAFTS {
        for part in ["", "optional", "optional/format"] {
            let row = draft(&folder.join("tests").join(name).join(part), dialect, &remotes);
            if row.schemas > 0 {
                print(&format!("{name} {part}"), &row);
            }
            add(&mut keywords, &row.keywords);
            notes.extend(row.notes.into_iter().map(|note| format!("{name} {part}: {note}")));
        }
    }
    print_keywords(&keywords);
    for note in notes {
        println!("{note}");
    }
}

fn print(name: &str, row: &Row) {
    let share = row.reached as f64 * 100.0 / row.schemas.max(1) as f64;
    let each = row.total.as_micros() as f64 / row.instances.max(1) as f64;
    let slowest = row.slowest.as_millis();
    let Row { schemas, reached, instances, missed, .. } = row;
    println!(
        "{name:28} {schemas:>8} {reached:>8} {share:>6.1}% {instances:>10} {missed:>7} {slowest:>6} ms {each:>9.1}"
    );
}

fn add(all: &mut BTreeMap<String, Keyword>, more: &BTreeMap<String, Keyword>) {
    for (name, keyword) in more {
        let sum = all.entry(name.clone()).or_default();
        sum.places += keyword.places;
        sum.broken += keyword.broken;
        sum.instances += keyword.instances;
        sum.missed += keyword.missed;
        sum.never_alone += keyword.never_alone;
        sum.spent += keyword.spent;
        sum.blamed_above += keyword.blamed_above;
    }
}

fn print_keywords(all: &BTreeMap<String, Keyword>) {
    let titles = ["places", "alone", "instances", "missed", "never", "spent", "above"];
    println!("\n{:22} {}", "broken keyword", titles.map(|title| format!("{title:>9}")).join(" "));
    for (name, one) in all {
        let Keyword { places, broken, instances, missed, never_alone, spent, blamed_above } = one;
        let numbers = [places, broken, instances, missed, never_alone, spent, blamed_above];
        println!("{name:22} {}", numbers.map(|number| format!("{number:>9}")).join(" "));
    }
    println!();
}

fn break_all(row: &mut Row, generator: &Generator, name: &str) {
    let began = now();
    let breaks = generator.breaks();
    for one in &breaks.found {
        let drawn = (0..EACH).filter(|seed| one.instances.draw(*seed).is_ok()).count();
        let keyword = row.keywords.entry(one.keyword.clone()).or_default();
        keyword.places += 1;
        keyword.broken += 1;
        keyword.instances += drawn;
        keyword.missed += EACH as usize - drawn;
        if drawn < EACH as usize {
            row.notes.push(format!("broke {} at {:?} only {drawn} times of {EACH}: {name}", one.keyword, one.at));
        }
    }
    for one in &breaks.unreached {
        let keyword = row.keywords.entry(one.keyword.clone()).or_default();
        keyword.places += 1;
        match one.reason {
            Reason::NeverAlone => keyword.never_alone += 1,
            Reason::Spent => keyword.spent += 1,
            Reason::BlamedAbove(_) => keyword.blamed_above += 1,
        }
        if !matches!(one.reason, Reason::BlamedAbove(_)) {
            row.notes.push(format!("{} at {:?}: {}: {name}", one.keyword, one.at, one.reason));
        }
    }
    row.boundaries += generator.boundaries().len();
    row.awkward += (0..10).filter(|seed| generator.awkward().draw(*seed).is_ok()).count();
    let took = now() - began;
    if took > Duration::from_secs(2) {
        row.notes.push(format!("all breaks and boundaries took {took:?}: {name}"));
    }
}

fn draft(folder: &Path, dialect: Dialect, remotes: &[(Url, Arc<Value>)]) -> Row {
    let mut row = Row::default();
    for file in json_files(folder, false) {
        let groups = fs::read_to_string(&file).ok().and_then(|text| text.parse::<Value>().ok());
        for group in groups.iter().filter_map(Value::as_array).flatten() {
            let tests = group["tests"].as_array().map(Vec::as_slice).unwrap_or_default();
            let is_satisfiable = tests.iter().any(|test| test["valid"] == true);
            let name = format!("{}: {}", file.file_stem().unwrap_or_default().to_string_lossy(), group["description"]);
            one(&mut row, &group["schema"], is_satisfiable, name, dialect, remotes);
        }
    }
    row
}

fn one(
    row: &mut Row,
    schema: &Value,
    is_satisfiable: bool,
    name: String,
    dialect: Dialect,
    remotes: &[(Url, Arc<Value>)],
) {
    let began = now();
    let generator = Generator::with_documents(schema, dialect, remotes);
    let first = now() - began;
    if first > Duration::from_millis(900) {
        row.notes.push(format!("slow, {first:?}: {name}"));
    }
    if !is_satisfiable {
        row.found_where_none += usize::from(generator.is_ok());
        return;
    }
    row.schemas += 1;
    match generator {
        Ok(generator) => {
            row.reached += 1;
            fill(row, &generator, &name);
            break_all(row, &generator, &name);
        }
        Err(Declined::Rejected(reason)) => {
            row.notes.push(format!("rejected: {name}: {}", reason.chars().take(120).collect::<String>()))
        }
        Err(declined) => row.notes.push(format!("{declined}: {name}")),
    }
}

fn fill(row: &mut Row, generator: &Generator, name: &str) {
    let valid = generator.valid();
    let mut missed = 0;
    for seed in 0..EACH {
        let began = now();
        match valid.draw(seed) {
            Ok(_) => row.instances += 1,
            Err(_) => missed += 1,
        }
        let took = now() - began;
        row.total += took;
        if took > row.slowest {
            row.slowest = took;
        }
    }
    row.missed += missed;
    if missed > 0 {
        row.notes.push(format!("missed {missed} of {EACH}: {name}"));
    }
}

fn json_files(folder: &Path, deep: bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && deep {
            found.extend(json_files(&path, deep));
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn remotes(folder: &Path) -> Vec<(Url, Arc<Value>)> {
    let read = |path: PathBuf| {
        let value = fs::read_to_string(&path).ok()?.parse::<Value>().ok()?;
        let below = path.strip_prefix(folder).ok()?.to_string_lossy().replace('\\', "/");
        Some((Url::parse(&format!("http://localhost:1234/{below}")).ok()?, Arc::new(value)))
    };
    json_files(folder, true).into_iter().filter_map(read).collect()
}
