//! `mcp-conform sdk`: what the smallest correct server breaks that is built with an SDK.

mod list;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::sdks::Profile;
use clap::Subcommand;
use verdict::record::Sdk;

use crate::failure::Failure;
use crate::sdks::parse_sdk;
use crate::{files, output};

/// Show what SDKs break by themselves, or make the profile of one.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

/// An action and its flags.
#[derive(Debug, Subcommand)]
enum Action {
    List(list::Args),
    Profile(Box<ProfileArgs>),
}

/// Make the profile of an SDK from reports about the smallest correct server that is built with it.
///
/// Each REPORT is a report.json of `run`, with the style in which the server is written before it: `high=report.json`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
struct ProfileArgs {
    /// The SDK and its version, as REGISTRY:NAME@VERSION
    #[arg(long, value_name = "SDK", value_parser = parse_package)]
    sdk: Sdk,
    /// The day of the reports, as YYYY-MM-DD
    #[arg(long, value_name = "DATE", default_value = "")]
    date: String,
    /// A profile of the same version, to which this one is added: what fails once is broken
    #[arg(long, value_name = "FILE")]
    with: Option<PathBuf>,
    /// Folder of profiles to write to, as REGISTRY/NAME/VERSION.toml [default: standard output]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Reports, as STYLE=FILE
    #[arg(required = true, value_name = "STYLE=REPORT", value_parser = parse_report)]
    reports: Vec<(String, PathBuf)>,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform run --protocol all --reports high -- node high.mjs
  mcp-conform sdk profile --sdk npm:@modelcontextprotocol/sdk@1.32.2 high=high/report.json";

/// Lists profiles or makes one.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    match &args.action {
        Action::List(args) => list::run(args),
        Action::Profile(args) => profile(args),
    }
}

fn parse_package(text: &str) -> Result<Sdk, String> {
    let sdk = parse_sdk(text)?;
    if sdk.version.is_empty() { Err("expected REGISTRY:NAME@VERSION".to_owned()) } else { Ok(sdk) }
}

fn parse_report(text: &str) -> Result<(String, PathBuf), String> {
    let (style, file) = text.split_once('=').ok_or("expected STYLE=FILE")?;
    Ok((style.to_owned(), PathBuf::from(file)))
}

/// Reads a profile, which has to be of the same version.
fn earlier(file: &Path, of: &Profile) -> Result<Profile, Failure> {
    let told = Profile::from_toml(&files::read_text(file)?).map_err(|error| Failure::file("read", file, error))?;
    if (&told.registry, &told.name, &told.version) != (&of.registry, &of.name, &of.version) {
        let message =
            format!("{} is of {} {}, not of {} {}", file.display(), told.name, told.version, of.name, of.version);
        return Err(Failure::usage(message));
    }
    Ok(told)
}

fn profile(args: &ProfileArgs) -> Result<ExitCode, Failure> {
    let Sdk { registry, name, version, .. } = &args.sdk;
    let read =
        |(style, file): &(String, PathBuf)| Ok((style.clone(), files::parse_report(file, &files::read_text(file)?)?));
    let reports = args.reports.iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    let all = reports.iter().flat_map(|(style, report)| report.records().iter().map(|record| (style.as_str(), record)));
    let profile = Profile::of(registry, name, version, &all.collect::<Vec<_>>());
    let mut profile = Profile { date: args.date.clone(), ..profile };
    if let Some(file) = &args.with {
        profile.add(&earlier(file, &profile)?);
    }
    let text = profile.to_toml().map_err(|error| Failure::usage(format!("cannot write the profile: {error}")))?;
    let Some(folder) = &args.into else {
        output::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    let path = folder.join(registry).join(name).join(format!("{version}.toml"));
    let parent = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent).map_err(|error| Failure::file("create", parent, error))?;
    files::write_atomic(&path, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
