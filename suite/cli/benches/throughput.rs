//! How many calls a second are generated, sent, answered and judged, beside drivers that do less. All are run in turns, in
//! one go, on the same server; the ratio of the medians is what counts. What a run needs to start is taken off: a run with
//! few cases is timed beside one with many.
//!
//! `cargo bench -p mcp-conform --bench throughput -- [--cases N] [--rounds N] [--tool NAME] [--server 'PROGRAM ARGS']
//! [--url URL] [--peer 'NAME=COMMAND']...`; without a server, the embedded one beside a bare loop of pings over the same
//! kind of pipe. A peer is a command whose output tells calls a second as `"throughput": N`, or the calls as `N calls`;
//! `{calls}` in it becomes their number.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "throughput/loops.rs"]
mod loops;
#[path = "throughput/peer.rs"]
mod peer;

use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use loops::{names, pings};
use peer::Peer;

const BINARY: &str = env!("CARGO_BIN_EXE_mcp-conform");
/// Cases of the run whose time is taken off.
const FEW: u32 = 100;

/// The measurement to make.
struct Plan {
    cases: u32,
    rounds: usize,
    tool: String,
    server: Vec<String>,
    url: Option<String>,
    peers: Vec<Peer>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let plan = Plan::read(std::env::args().skip(1).filter(|word| word != "--bench"))?;
    let folder = std::env::temp_dir().join(format!("mcp-conform-throughput-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let config = folder.join("mcp-conform.toml");
    let others = names(&plan.server)?.into_iter().filter(|name| *name != plan.tool);
    let never: Vec<String> = others.map(|name| format!("{name:?}")).collect();
    std::fs::write(&config, format!("calls = \"all\"\nnever = [{}]\n", never.join(", ")))?;
    let (mut bare, mut own) = (Vec::new(), Vec::new());
    let mut beside: Vec<Vec<f64>> = plan.peers.iter().map(|_| Vec::new()).collect();
    for round in 0..=plan.rounds {
        let rate = plan.own_rate(&folder)?;
        let pings = if plan.url.is_none() { pings(&plan.server, plan.cases)? } else { 0.0 };
        let rates = plan.peers.iter().map(|peer| peer.rate(plan.cases)).collect::<Result<Vec<_>, _>>()?;
        // The first round warms the page cache.
        if round > 0 {
            own.push(rate);
            bare.push(pings);
            beside.iter_mut().zip(rates).for_each(|(all, rate)| all.push(rate));
        }
    }
    std::fs::remove_dir_all(&folder)?;
    let own = median(own);
    println!("server      {}", plan.url.clone().unwrap_or_else(|| plan.server.join(" ")));
    println!(
        "mcp-conform {own:>9.0} calls a second, generated and judged ({} of {}; median of {})",
        plan.cases, plan.tool, plan.rounds
    );
    if plan.url.is_none() {
        print_rate("bare pings", own, median(bare));
    }
    for (peer, rates) in plan.peers.iter().zip(beside) {
        print_rate(&peer.name, own, median(rates));
    }
    Ok(())
}

fn print_rate(name: &str, own: f64, other: f64) {
    println!("{name:11} {other:>9.0} a second: mcp-conform has {:.2} of that", own / other);
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or_default()
}

impl Plan {
    fn read(words: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut plan = Self {
            cases: 5_000,
            rounds: 5,
            tool: "echo".to_owned(),
            server: [BINARY, "serve", "--transport", "stdio"].map(str::to_owned).to_vec(),
            url: None,
            peers: Vec::new(),
        };
        let mut words = words;
        while let Some(flag) = words.next() {
            let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--cases" => plan.cases = value.parse()?,
                "--rounds" => plan.rounds = value.parse()?,
                "--tool" => plan.tool = value,
                "--server" => plan.server = value.split_whitespace().map(str::to_owned).collect(),
                "--url" => plan.url = Some(value),
                "--peer" => plan.peers.push(Peer::read(&value)?),
                _ => return Err(format!("there is no flag {flag}").into()),
            }
        }
        Ok(plan)
    }

    /// Returns the calls per second of a run, without startup and shutdown.
    fn own_rate(&self, folder: &PathBuf) -> Result<f64, Box<dyn Error>> {
        let few = self.run(folder, FEW)?;
        let many = self.run(folder, FEW + self.cases)?;
        Ok(f64::from(self.cases) / many.saturating_sub(few).as_secs_f64())
    }

    fn run(&self, folder: &PathBuf, cases: u32) -> Result<Duration, Box<dyn Error>> {
        let began = Instant::now();
        let mut command = Command::new(BINARY);
        command.current_dir(folder).args(["run", "--format", "json", "--fail-on", "never", "--time", "600"]);
        command.args(["--only", "tools/generated-calls", "--cases", &cases.to_string(), "--reports", "reports"]);
        match &self.url {
            Some(url) => command.arg(url),
            None => command.arg("--").args(&self.server),
        };
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let output = command.output()?;
        if output.status.success() {
            return Ok(began.elapsed());
        }
        Err(format!("mcp-conform run ended with {}", output.status).into())
    }
}
