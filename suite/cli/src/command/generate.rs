//! `mcp-conform generate`: prints instances of a JSON Schema, so that any validator can check the generator.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use schema::{Break, Declined, Dialect, Generator, Instances};
use serde_json::{Value, json};
use verdict::exit;

use crate::failure::Failure;
use crate::output;

/// Size limit of a schema, in bytes.
const LONGEST: u64 = 16 << 20;
/// Default number of instances of each kind.
const EACH: usize = 10;
/// Limit of attempts to draw a new instance.
const ATTEMPTS: u64 = 12;

/// Generate instances of a JSON Schema.
///
/// Valid instances start with boundary values. Each invalid instance breaks exactly one keyword.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Path of the schema, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of valid instances [default: 10 if --invalid is not given, else 0]
    #[arg(long, value_name = "N")]
    valid: Option<usize>,
    /// Number of instances that break exactly one keyword [default: 10 if --valid is not given, else 0]
    #[arg(long, value_name = "N")]
    invalid: Option<usize>,
    /// Random seed; the same seed generates the same instances
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Dialect of a schema without `$schema`
    #[arg(long, value_enum, default_value_t = DialectArg::Draft202012, value_name = "DRAFT")]
    dialect: DialectArg,
    /// Break `format` too; off by default because many validators treat it as an annotation
    #[arg(long)]
    formats: bool,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform generate schema.json                          10 of each, as JSON Lines
  mcp-conform generate schema.json --valid 1000 --seed 7    valid instances only
  mcp-conform generate - --invalid 20 < schema.json         invalid instances only

Each line is {\"valid\": true, \"instance\": ..} or {\"valid\": false, \"keyword\": \"maximum\",
\"at\": \"/properties/n\", \"instance\": ..}, where `at` is the JSON pointer of the schema that
contains the keyword.

Exit codes:
  0 instances were generated    1 no instance could be found (the reason is on standard error)
  2 usage error, or the file is not JSON";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DialectArg {
    #[value(name = "draft-04")]
    Draft4,
    #[value(name = "draft-06")]
    Draft6,
    #[value(name = "draft-07")]
    Draft7,
    #[value(name = "2019-09")]
    Draft201909,
    #[value(name = "2020-12")]
    Draft202012,
}

impl From<DialectArg> for Dialect {
    fn from(arg: DialectArg) -> Self {
        match arg {
            DialectArg::Draft4 => Self::Draft4,
            DialectArg::Draft6 => Self::Draft6,
            DialectArg::Draft7 => Self::Draft7,
            DialectArg::Draft201909 => Self::Draft201909,
            DialectArg::Draft202012 => Self::Draft202012,
        }
    }
}

/// Prints the instances.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let schema = read(&args.file)?;
    let generator = match Generator::new(&schema, args.dialect.into()) {
        Ok(generator) => generator,
        Err(declined) => return Ok(report_declined(&declined)),
    };
    let default = if args.valid.is_none() && args.invalid.is_none() { EACH } else { 0 };
    let (valid, invalid) = (args.valid.unwrap_or(default), args.invalid.unwrap_or(default));
    let mut lines = valid_instances(&generator, valid, args.seed);
    let broken = invalid_instances(&generator, invalid, args);
    if broken.is_empty() && invalid > 0 {
        output::eprint("no invalid instance was found: no value breaks exactly one keyword");
    }
    lines.extend(broken);
    let text: String = lines.iter().map(one_line).collect();
    output::print(&text)?;
    Ok(if lines.is_empty() && valid + invalid > 0 { ExitCode::from(exit::FINDINGS) } else { ExitCode::SUCCESS })
}

/// Renders a value on one line. JSON leaves some characters unescaped at which some readers end a line.
fn one_line(value: &Value) -> String {
    let mut line = value.to_string();
    for ends in ['\u{85}', '\u{2028}', '\u{2029}'] {
        line = line.replace(ends, &format!("\\u{:04x}", u32::from(ends)));
    }
    report::escape_bidi_in_json(&line).into_owned() + "\n"
}

fn report_declined(declined: &Declined) -> ExitCode {
    output::eprint(&format!("error: {declined}"));
    ExitCode::from(exit::FINDINGS)
}

fn read(file: &Path) -> Result<Value, Failure> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().take(LONGEST).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|opened| opened.take(LONGEST).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::file("read", file, error))?;
    serde_json::from_slice(&bytes).map_err(|error| Failure::file("read", file, error))
}

/// Generates valid instances: up to half of them at boundaries, then plain and awkward ones alternately.
fn valid_instances(generator: &Generator, count: usize, seed: u64) -> Vec<Value> {
    if count == 0 {
        return Vec::new();
    }
    let mut made: Vec<Value> = generator.boundaries().into_iter().map(|boundary| boundary.instance).collect();
    made.truncate(count / 2);
    let mut fresh = DistinctDraws { seen: made.iter().map(Value::to_string).collect(), seed };
    let kinds = [generator.valid(), generator.awkward()];
    for at in 0..count - made.len() {
        made.extend(fresh.draw(&kinds[at % kinds.len()]));
    }
    made.into_iter().map(|instance| json!({"valid": true, "instance": instance})).collect()
}

/// Generates invalid instances: the keywords that can be broken alone take turns.
fn invalid_instances(generator: &Generator, count: usize, args: &Args) -> Vec<Value> {
    if count == 0 {
        return Vec::new();
    }
    let mut breaks: Vec<Break> = generator.breaks().found;
    breaks.retain(|one| args.formats || one.keyword != "format");
    let mut fresh = DistinctDraws { seen: HashSet::new(), seed: args.seed };
    let turns = breaks.iter().cycle().take(if breaks.is_empty() { 0 } else { count });
    let lines = turns.filter_map(|one| {
        let instance = fresh.draw(&one.instances)?;
        Some(json!({"valid": false, "keyword": one.keyword, "at": one.at, "instance": instance}))
    });
    lines.collect()
}

/// Draws instances that were not drawn before, as long as there are any.
struct DistinctDraws {
    seen: HashSet<String>,
    seed: u64,
}

impl DistinctDraws {
    fn draw(&mut self, instances: &Instances) -> Option<Value> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            // Adjacent seeds must not generate the same instances shifted by one line.
            self.seed = self.seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let Ok(instance) = instances.draw(self.seed) else { continue };
            if self.seen.insert(instance.to_string()) {
                return Some(instance);
            }
            last = Some(instance);
        }
        last
    }
}
