//! Every command that the documentation shows in a console block is run, in order, in a folder of its own for each page.
//!
//! `node` and `npx` are stood in for by the reference server: what the pages say is about any server.

mod support;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use support::Bench;

/// Pages whose commands are run.
const PAGES: [&str; 4] = ["ci.md", "reading-a-finding.md", "recordings.md", "writing-a-rule.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).expect("a page").replace("\r\n", "\n")
}

/// The commands of console blocks.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect()
}

/// A folder in which `node server.js FLAGS` is the reference server with these flags.
fn bench() -> Bench {
    let bench = Bench::new();
    let own = assert_cmd::cargo::cargo_bin("mcp-conform");
    let bin = bench.path().join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    let text = format!("#!/bin/sh\nshift\nexec '{}' serve --transport stdio \"$@\"\n", own.display());
    for name in ["node", "npx"] {
        let path = bin.join(name);
        std::fs::write(&path, &text).expect("a script");
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("our own file");
    }
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders = [bin, own.parent().expect("a folder").to_owned()];
    let path = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&others))).expect("paths");
    bench.with("PATH", path)
}

/// Exit codes that say that the command did what it is for: nothing found, or something found.
#[cfg(unix)]
#[test]
fn the_commands_of_the_documentation_run() {
    for name in PAGES {
        let commands = commands(&page(name));
        assert!(!commands.is_empty(), "{name} shows no commands");
        let bench = bench();
        let path = bench
            .command(&[])
            .get_envs()
            .find(|(key, _)| *key == "PATH")
            .and_then(|(_, value)| value.map(ToOwned::to_owned));
        for command in commands {
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &command]).current_dir(bench.path()).env("PATH", path.clone().expect("set"));
            let out = shell.stdin(Stdio::null()).output().expect("it runs");
            let code = out.status.code().expect("no signal");
            assert!(code <= 1, "{name}: {command}: exit code {code}\n{}", String::from_utf8_lossy(&out.stderr));
        }
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
