//! Programs started in an environment that is the same in a shell, in a clone and in CI.

use std::path::Path;
use std::process::Command;

/// What programs need from outside: where programs are, what Windows cannot do without, and what coverage tools set.
const KEPT: [&str; 5] = ["PATH", "PATHEXT", "SystemRoot", "LLVM_PROFILE_FILE", "LD_LIBRARY_PATH"];

/// A program with HOME and TMPDIR in this folder, no CI, no colors, no terminal, and messages in English.
pub(crate) fn program(name: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(name);
    command.env_clear();
    command.envs(KEPT.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))));
    command.envs([("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("TERM", "dumb")]);
    for name in ["HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"] {
        command.env(name, folder.join(if name.contains("MP") { "tmp" } else { "home" }));
    }
    command
}

/// mcp-conform, for what writes no files.
pub(crate) fn conform() -> Command {
    program(own(), Path::new(env!("CARGO_TARGET_TMPDIR")))
}

/// The mcp-conform under test.
pub(crate) fn own() -> &'static str {
    env!("CARGO_BIN_EXE_mcp-conform")
}

/// The name of a program that a test cannot do without. Never skipped: a test that passes without it would say what nobody saw.
pub(crate) fn needed(name: &'static str) -> &'static str {
    let there = Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    assert!(there, "this test needs `{name}` on PATH (`{name} --version` did not run): install it");
    name
}

#[test]
fn nothing_from_outside_reaches_a_program_but_what_is_kept() {
    // Cargo sets CARGO_PKG_NAME for this test.
    let mut shell = program("sh", Path::new("/nowhere"));
    let out =
        shell.args(["-c", "echo $HOME $TMPDIR [$CI$NO_COLOR$GITHUB_ACTIONS$CARGO_PKG_NAME]"]).output().expect("sh");
    assert_eq!(String::from_utf8_lossy(&out.stdout), "/nowhere/home /nowhere/tmp []\n");
}
