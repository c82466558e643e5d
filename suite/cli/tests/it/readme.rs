//! Checks that the README and the contract show what the program does. `BLESS=1 cargo test -p mcp-conform --test it readme`
//! updates their tables.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::Bench;

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page)
}

fn read(page: &str) -> String {
    std::fs::read_to_string(path(page)).expect("a page").replace("\r\n", "\n")
}

fn readme() -> String {
    read("README.md")
}

/// Checks that the table after `<!-- MARK -->` in a page is this one; with `BLESS` set it is updated instead.
fn assert_table(page: &str, mark: &str, table: &str) {
    let (text, mark) = (read(page), format!("<!-- {mark} -->\n"));
    let (head, rest) = text.split_once(&mark).expect("a place for the table");
    let (shown, tail) = rest.split_once("<!-- end -->").expect("an end of the table");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path(page), format!("{head}{mark}{table}<!-- end -->{tail}")).expect("our own file");
        return;
    }
    assert!(
        shown == table,
        "the table in {page} is out of date: BLESS=1 cargo test -p mcp-conform --test it readme\n{table}"
    );
}

#[test]
fn the_table_of_judged_requirements_is_that_of_the_program() {
    assert_table("README.md", "list --summary", &Bench::new().run(&["list", "--summary"]).out);
}

#[test]
fn the_contract_lists_every_report_format() {
    let row = |format: &report::Format| {
        format!("| `{}` | {} | {} |\n", format.name, format.file.unwrap_or("none"), format.help)
    };
    let rows: String = report::FORMATS.iter().map(row).collect();
    let table = format!("| format | file in the reports folder | |\n|---|---|---|\n{rows}");
    assert_table("docs/contract.md", "report formats", &table);
}

/// Command and output of each console block.
fn examples(text: &str) -> Vec<(String, Vec<String>)> {
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks
        .map(|block| {
            let mut lines = block.lines().map(str::to_owned);
            let command = lines.next().expect("a command");
            (command.strip_prefix("$ mcp-conform ").expect("a command of ours").to_owned(), lines.collect())
        })
        .collect()
}

/// Counts grow with the rules, ids with the scenarios.
fn without_numbers(line: &str) -> String {
    let mut text = String::new();
    for letter in line.chars() {
        let letter = if letter.is_ascii_digit() { '#' } else { letter };
        if !(letter == '#' && text.ends_with('#')) {
            text.push(letter);
        }
    }
    text
}

#[test]
fn the_examples_print_what_is_shown() {
    let text = readme();
    let examples = examples(&text);
    assert!(!examples.is_empty());
    let own = assert_cmd::cargo::cargo_bin("mcp-conform");
    let folder = own.parent().expect("a folder").to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&others))).expect("paths");
    let bench = Bench::new().with("PATH", path);
    for (command, shown) in examples {
        let args: Vec<&str> = command.split(' ').collect();
        let out = bench.run(&args).out;
        let mut printed = out.lines();
        for line in shown {
            if line == "..." {
                break;
            }
            let printed = printed.next().unwrap_or_default();
            assert_eq!(without_numbers(printed), without_numbers(&line), "mcp-conform {command}\n{out}");
        }
    }
}

#[test]
fn every_flag_and_command_that_is_named_exists() {
    let readme = readme();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let contract = std::fs::read_to_string(root.join("docs/contract.md")).expect("the contract");
    let bench = Bench::new();
    let commands = [
        "run",
        "list",
        "explain",
        "serve",
        "generate",
        "selftest",
        "completions",
        "diff",
        "record",
        "judge",
        "hosts",
        "init",
        "report",
        "fuzz",
        "replay",
        "sdk list",
        "sdk profile",
    ];
    let words = |command: &'static str| command.split(' ').chain(["--help"]).collect::<Vec<_>>();
    let help: String = commands.iter().map(|command| bench.run(&words(command)).out).collect();
    let text = format!("{readme}{contract}");
    let known: BTreeSet<&str> = flags(&help).collect();
    // Flags of cargo.
    let foreign = ["--release", "--workspace", "--path", "--test", "--locked", "--git"];
    for flag in flags(&text).filter(|flag| !foreign.contains(flag)) {
        assert!(known.contains(flag), "{flag} is named but does not exist");
    }
    for command in commands {
        let named = [format!("mcp-conform {command}"), format!("| `{command} ")];
        assert!(named.iter().any(|named| text.contains(named.as_str())), "{command} is nowhere explained");
    }
}

/// The words that begin with two dashes.
fn flags(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    words.filter(|word| word.starts_with("--") && word.len() > 2 && word.as_bytes()[2].is_ascii_alphabetic())
}
