//! How much memory a run takes, as Linux tells.

use crate::environment::needed;
use crate::support::{Bench, bad, record};

/// A list with one description of half a megabyte, each answer of which is kept and read by the rules.
#[test]
fn long_descriptions_take_little_memory() {
    let bench = Bench::new();
    let how = ["run", "--format", "json", "--fail-on", "never", "--seed", "1", "--cases", "0", "--transcript"];
    let server = ["--", needed("python3"), &bad("server.py"), "steady", "wordy"];
    let seen = record(&bench.run(&[&how[..], &server].concat()));
    let received = bench.transcript().lines().filter(|line| line.contains("a word a word")).count();
    assert!(received >= 20, "{received}: it was asked for often");
    let peak = seen["timing"]["peak_kb"].as_u64().expect("Linux tells");
    assert!(peak < 200_000, "{peak} kB");
}
