//! Every command of ours that the documentation shows is run, in order, in a folder of its own for each page: what stands in console blocks
//! and the lines that begin with `mcp-conform`.
//!
//! `node`, `npx` and `./server` are stood in for by the reference server: what the pages say is about any server. What takes long is
//! shortened by flags.

use std::path::{Path, PathBuf};

use crate::support::{Bench, Served};

/// Pages whose commands are run.
const PAGES: [&str; 7] = [
    "../README.md",
    "ci.md",
    "fuzzing.md",
    "property-tests.md",
    "reading-a-finding.md",
    "recordings.md",
    "writing-a-rule.md",
];

/// Commands that are not run, with the reason.
const NOT_RUN: [(&str, &str); 2] =
    [("https://example.com", "a server that is not on this machine"), ("--listen", "it ends when it is interrupted")];

/// The URL of the server that the pages speak of.
const URL: &str = "http://127.0.0.1:3000/mcp";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).expect("a page").replace("\r\n", "\n")
}

/// The commands of console blocks, and the indented ones.
fn commands(text: &str) -> Vec<String> {
    let shown = |line: &str| line.starts_with("    mcp-conform ").then(|| line.trim_start().to_owned());
    let entered = |line: &str| line.strip_prefix("$ ").map(str::to_owned);
    let all = text.lines().filter_map(|line| entered(line).or_else(|| shown(line)));
    all.filter(|command| !NOT_RUN.iter().any(|(part, _)| command.contains(part))).collect()
}

/// Returns a faster form of a command: a few generated calls in one revision, a second of fuzzing.
fn short(command: &str) -> String {
    let mut command = command.to_owned();
    let with = |command: &str, verb: &str, flags: &str| {
        command.replacen(&format!("mcp-conform {verb}"), &format!("mcp-conform {verb} {flags}"), 1)
    };
    if command.starts_with("mcp-conform run") {
        let asked = |flag: &str| command.contains(flag);
        let cases = if asked("--cases") { "" } else { "--cases 2" };
        let only = if asked("--only") || asked("--snapshot update") { "" } else { "--only 'tools.call.unknown-*'" };
        let protocol = if asked("--protocol") { "" } else { "--protocol 2025-11-25" };
        command = with(&command, "run", &format!("{cases} {only} {protocol}"));
        command = command.replace("--cases 1000 --time 30", "--cases 10 --time 1");
        // The pages name a tool of a server that is not there.
        command = command.replace("--tool write_note", "--tool reference_keep_note");
    }
    if command.starts_with("mcp-conform fuzz") {
        command = command.replace("--time 10m ", "");
        command = with(&command, "fuzz", "--time 1s");
    }
    command
}

/// A folder in which `node server.js FLAGS` and `./server FLAGS` are the reference server with these flags, and npx is one without.
fn bench() -> Bench {
    let bench = Bench::new();
    let own = assert_cmd::cargo::cargo_bin("mcp-conform");
    let bin = bench.path().join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    let others = std::env::var_os("PATH").unwrap_or_default();
    // What follows the script's name is for the server; npx has flags and a package ahead of that, and no page goes further.
    let (node, npx, plain) = (bin.join("node"), bin.join("npx"), bench.path().join("server"));
    for (path, first, rest) in [(node, "shift", "\"$@\""), (npx, "", ""), (plain, "", "\"$@\"")] {
        let text = format!("#!/bin/sh\n{first}\nexec '{}' serve --transport stdio {rest}\n", own.display());
        std::fs::write(&path, text).expect("a script");
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("our own file");
    }
    let folders = [bin, own.parent().expect("a folder").to_owned()];
    let path = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&others))).expect("paths");
    bench.with("PATH", path)
}

/// Writes a reproducer, for the page that replays one.
fn reproducer(bench: &Bench) {
    let folder = bench.path().join("reports/fuzz");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("1-crash.jsonl"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
        .expect("a file");
}

/// Exit codes that say that the command did what it is for: nothing found, or something found.
#[cfg(unix)]
#[test]
fn the_commands_of_the_documentation_run() {
    for name in PAGES {
        let commands = commands(&page(name));
        assert!(!commands.is_empty(), "{name} shows no commands");
        let (bench, served) = (bench(), Served::start::<&str>(&[]));
        reproducer(&bench);
        for command in commands {
            let command = short(&command).replace(URL, &served.url);
            let out = bench.program("sh").args(["-c", &command]).output().expect("it runs");
            let code = out.status.code().expect("no signal");
            assert!(code <= 1, "{name}: {command}: exit code {code}\n{}", String::from_utf8_lossy(&out.stderr));
        }
        drop(served);
        bench.assert_nothing_is_left();
    }
}

#[test]
fn files_and_pages_that_are_linked_are_there() {
    let pages = std::fs::read_dir(root().join("docs")).expect("the folder").map(|entry| entry.expect("a page"));
    for name in pages.map(|page| page.file_name().into_string().expect("UTF-8")).filter(|name| name.ends_with(".md")) {
        let text = page(&name);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http") && !link.starts_with('#')) {
            let file = link.split('#').next().unwrap_or(link);
            assert!(root().join("docs").join(file).exists(), "{name}: {link}");
        }
    }
}
