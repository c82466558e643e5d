//! The tester started as a user would, in a folder of its own, and the proof that it left nothing running.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::environment;

/// The environment variable by which every descendant of a test is known.
const MARK: &str = "MCP_CONFORM_TEST_SESSION";

/// Reads standard error up to the line that says where it listens.
pub(crate) fn url(child: &mut Child) -> String {
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let line = lines.find_map(|line| line.ok().filter(|line| line.contains("listening on "))).expect("it listens");
    // Nobody reads on; a full pipe would stop it.
    std::thread::spawn(move || lines.for_each(drop));
    let rest = line.split_once("listening on ").expect("it is there").1;
    rest.split([',', ' ']).next().expect("a URL").to_owned()
}

/// The reference server behind a URL; it ends with this value.
pub(crate) struct Served {
    child: Child,
    /// Where it listens.
    pub(crate) url: String,
}

impl Served {
    pub(crate) fn start<A: AsRef<std::ffi::OsStr>>(args: &[A]) -> Self {
        let mut command = environment::conform();
        command.args(["serve", "--transport", "http"]).args(args);
        let mut child = command.stderr(Stdio::piped()).stdin(Stdio::null()).spawn().expect("it starts");
        let url = url(&mut child);
        Self { child, url }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The output of a finished command.
pub(crate) struct CommandOutput {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
    /// How long it took.
    pub(crate) took: Duration,
}

/// A place to run the tester in.
pub(crate) struct Bench {
    folder: TempDir,
    work: PathBuf,
    mark: String,
    variables: Vec<(&'static str, OsString)>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["work", "home", "tmp"] {
            std::fs::create_dir(folder.path().join(name)).expect("the folder is ours");
        }
        let mark = format!("{}-{}", std::process::id(), folder.path().display());
        let work = folder.path().join("work");
        Self { folder, work, mark, variables: vec![] }
    }

    /// An environment variable for the tester.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// The folder that the tester runs in.
    pub(crate) fn path(&self) -> &Path {
        &self.work
    }

    /// A file in the folder.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, text).expect("the folder is ours");
        path
    }

    /// The transcript of the last run, as JSON Lines.
    pub(crate) fn transcript(&self) -> String {
        let path = self.path().join("reports/transcript.jsonl.gz");
        let bytes = std::fs::read(path).expect("a transcript");
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("gzip of UTF-8");
        text
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.program(environment::own());
        command.args(args);
        command
    }

    /// Another program, in the same folder and environment.
    pub(crate) fn program(&self, name: &str) -> Command {
        let mut command = environment::program(name, self.folder.path());
        command.current_dir(self.path()).env(MARK, &self.mark).stdin(Stdio::null());
        command.envs(self.variables.iter().cloned());
        command
    }

    pub(crate) fn spawn(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    }

    /// Runs the tester to its end and checks that nothing is left running.
    pub(crate) fn run(&self, args: &[&str]) -> CommandOutput {
        self.finish(self.spawn(args))
    }

    pub(crate) fn finish(&self, child: Child) -> CommandOutput {
        let began = Instant::now();
        let output = child.wait_with_output().expect("it ends");
        let took = began.elapsed();
        self.assert_nothing_is_left();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let code = output.status.code().expect("no signal");
        CommandOutput { code, out: text(output.stdout), err: text(output.stderr), took }
    }

    /// No process with the mark of this bench, however it was started, and no temporary file.
    pub(crate) fn assert_nothing_is_left(&self) {
        self.assert_no_process_is_left();
        let left = std::fs::read_dir(self.folder.path().join("tmp")).expect("the folder is ours");
        let left: Vec<_> = left.map(|entry| entry.expect("our own").file_name()).collect();
        assert!(left.is_empty(), "temporary files are left: {left:?}");
    }

    fn assert_no_process_is_left(&self) {
        let wanted = format!("{MARK}={}", self.mark);
        // What was just killed may still be seen for a moment, until its parent has taken note.
        let deadline = Instant::now() + Duration::from_secs(2);
        loop {
            let left = processes_with(&wanted);
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "left running: {left:?}");
            std::thread::yield_now();
        }
    }
}

/// Command lines of living processes that have this in their environment (Linux; none elsewhere).
fn processes_with(variable: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let marked = pids.filter(|pid| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == variable.as_bytes())
    });
    marked
        .map(|pid| std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .collect()
}

/// A script in `tests/bad`.
pub(crate) fn bad(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad").join(name).display().to_string()
}

/// The record that a run printed.
pub(crate) fn record(outcome: &CommandOutput) -> serde_json::Value {
    serde_json::from_str(&outcome.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", outcome.out, outcome.err))
}

/// The status of a requirement in a record.
pub(crate) fn status<'a>(record: &'a serde_json::Value, id: &str) -> &'a str {
    let entries = record["requirements"].as_array().expect("requirements");
    let entry = entries.iter().find(|entry| entry["id"] == id).unwrap_or_else(|| panic!("{id} is not in the record"));
    entry["status"].as_str().expect("a status")
}
