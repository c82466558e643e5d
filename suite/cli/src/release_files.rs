//! The man pages and completion scripts that a release carries are those of the command line: `BLESS=1 cargo test -p mcp-conform --bin
//! mcp-conform release_files` writes them anew. They are files because an archive is packed where its program may not run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::Resettable;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::args::Cli;

fn release() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/release")
}

/// The command line without its version, which is written in Cargo.toml alone.
fn command_line() -> Command {
    Cli::command().version(Resettable::Reset).disable_help_subcommand(true)
}

fn completions(folder: &Path) {
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        clap_complete::generate_to(shell, &mut command_line(), "mcp-conform", folder).expect("a file");
    }
}

fn man_pages(folder: &Path) {
    clap_mangen::generate_to(command_line(), folder).expect("files");
}

fn texts(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry"));
    let read = |path: PathBuf| fs::read_to_string(path).expect("text").replace("\r\n", "\n");
    entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), read(entry.path()))).collect()
}

/// Compares the files of a folder with what is made now, or writes them.
fn check(name: &str, make: fn(&Path)) {
    let (stored, made) = (release().join(name), tempfile::tempdir().expect("a folder"));
    make(made.path());
    if std::env::var_os("BLESS").is_some() {
        let _ = fs::remove_dir_all(&stored);
        fs::create_dir_all(&stored).expect("a folder");
        make(&stored);
    }
    let (stored, made) = (texts(&stored), texts(made.path()));
    assert_eq!(stored.keys().collect::<Vec<_>>(), made.keys().collect::<Vec<_>>(), "packaging/release/{name}");
    for (file, text) in &made {
        let same = stored.get(file) == Some(text);
        let bless = "BLESS=1 cargo test -p mcp-conform --bin mcp-conform release_files";
        assert!(same, "packaging/release/{name}/{file} is out of date: {bless}");
    }
}

#[test]
fn the_completion_scripts_are_those_of_the_command_line() {
    check("completions", completions);
}

#[test]
fn the_man_pages_are_those_of_the_command_line() {
    check("man", man_pages);
    let run = fs::read_to_string(release().join("man/mcp-conform-run.1")).expect("the page of `run`");
    assert!(run.contains("\\-\\-reports"), "{run}");
}
