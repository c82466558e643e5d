//! What recording costs: the time of a message to `cat` and back, directly and through `mcp-conform record`, in turns. It fails if the
//! medians differ by a millisecond or more.
//!
//! `cargo bench -p mcp-conform --bench recording`

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_mcp-conform");
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const MESSAGES: usize = 1_000;
const MOST: Duration = Duration::from_millis(1);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut recorder = Command::new(BINARY);
    recorder.args(["record", "--out", "recording.jsonl", "--", "cat"]).current_dir(folder.path());
    let (mut plain, mut recorded) = (Echo::start(Command::new("cat"))?, Echo::start(recorder)?);
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..MESSAGES {
        without.push(plain.round_trip()?);
        with.push(recorded.round_trip()?);
    }
    plain.end()?;
    recorded.end()?;
    let (without, with) = (median(without), median(with));
    let cost = with.saturating_sub(without);
    println!("directly {without:?}, recorded {with:?}: {cost:?} more a message (medians of {MESSAGES})");
    if cost < MOST { Ok(()) } else { Err(format!("more than {MOST:?}").into()) }
}

/// A program that repeats each line.
struct Echo {
    child: Child,
    stdin: ChildStdin,
    lines: BufReader<ChildStdout>,
}

impl Echo {
    fn start(mut command: Command) -> Result<Self, Box<dyn Error>> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let stdin = child.stdin.take().ok_or("no stdin")?;
        let lines = BufReader::new(child.stdout.take().ok_or("no stdout")?);
        Ok(Self { child, stdin, lines })
    }

    fn round_trip(&mut self) -> Result<Duration, Box<dyn Error>> {
        let began = Instant::now();
        writeln!(self.stdin, "{PING}")?;
        let mut line = String::new();
        self.lines.read_line(&mut line)?;
        if line.trim_end() == PING { Ok(began.elapsed()) } else { Err(format!("not repeated: {line:?}").into()) }
    }

    fn end(self) -> Result<(), Box<dyn Error>> {
        let Self { mut child, stdin, .. } = self;
        drop(stdin);
        child.wait()?;
        Ok(())
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
