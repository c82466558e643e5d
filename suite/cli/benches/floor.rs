//! How long a run takes beside the least that any client must do: start the server once, shake hands, list its tools,
//! close its input and see it end. Both are timed in turns, in one go; the ratio of the medians is what counts.
//!
//! `cargo bench -p mcp-conform --bench floor -- [ROUNDS] PROGRAM [ARGS...]`; without a program, the embedded server.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_mcp-conform");
const MESSAGES: [&str; 3] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"floor","version":"1"}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#,
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let rounds =
        words.first().and_then(|word| word.parse().ok()).inspect(|_: &usize| drop(words.remove(0))).unwrap_or(9);
    if words.is_empty() {
        words = [BINARY, "serve", "--transport", "stdio"].map(str::to_owned).to_vec();
    }
    let reports = std::env::temp_dir().join(format!("mcp-conform-floor-{}", std::process::id()));
    let (mut floors, mut runs) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let (floor, run) = (floor(&words)?, run(&words, &reports)?);
        // The first round warms the page cache.
        if round > 0 {
            floors.push(floor);
            runs.push(run);
        }
    }
    let report = std::fs::read_to_string(reports.join("report.json"))?;
    std::fs::remove_dir_all(&reports)?;
    let report: serde_json::Value = serde_json::from_str(&report)?;
    let (floor, run) = (median(floors), median(runs));
    println!("server   {}", words.join(" "));
    println!("floor    {:>8.1} ms  start, initialize, tools/list, end (median of {rounds})", floor.as_secs_f64() * 1e3);
    println!("run      {:>8.1} ms  mcp-conform run (median of {rounds})", run.as_secs_f64() * 1e3);
    println!("ratio    {:>8.2}", run.as_secs_f64() / floor.as_secs_f64());
    println!(
        "peak     {:>8.1} MB  of mcp-conform itself",
        report["timing"]["peak_kb"].as_f64().unwrap_or_default() / 1e3
    );
    println!("summary  {}", report["summary"]);
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn floor(words: &[String]) -> Result<Duration, Box<dyn Error>> {
    let began = Instant::now();
    let (program, args) = words.split_first().ok_or("no program")?;
    let mut child =
        Command::new(program).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut stdin = child.stdin.take().ok_or("no stdin")?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("no stdout")?).lines();
    writeln!(stdin, "{}", MESSAGES[0])?;
    lines.next().ok_or("no answer to initialize")??;
    writeln!(stdin, "{}\n{}", MESSAGES[1], MESSAGES[2])?;
    lines.next().ok_or("no answer to tools/list")??;
    drop(stdin);
    child.wait()?;
    Ok(began.elapsed())
}

fn run(words: &[String], reports: &std::path::Path) -> Result<Duration, Box<dyn Error>> {
    let began = Instant::now();
    let mut command = Command::new(BINARY);
    command.args(["run", "--format", "json", "--fail-on", "never", "--reports"]).arg(reports).arg("--").args(words);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status()?;
    let elapsed = began.elapsed();
    if status.success() { Ok(elapsed) } else { Err(format!("mcp-conform run ended with {status}").into()) }
}
