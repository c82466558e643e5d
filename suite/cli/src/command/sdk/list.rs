//! `mcp-conform sdk list`: the profiles, and what their SDKs break.

use std::process::ExitCode;

use analysis::sdks::{Profile, all};
use verdict::Level;

use crate::command::list::Format;
use crate::failure::Failure;
use crate::output;

/// List the SDKs whose findings are told from yours, with what the smallest correct server breaks that is built with them.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Show only SDKs whose name contains this, each with the requirements it breaks
    name: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Prints the list.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let profiles: Vec<Profile> = all().filter(|profile| is_meant(profile, args.name.as_deref())).collect();
    if profiles.is_empty() {
        return Err(Failure::usage("no profile of an SDK has this name\n  run `mcp-conform sdk list` to see all"));
    }
    let text = match args.format {
        Format::Json => serde_json::to_string_pretty(&profiles).unwrap_or_default() + "\n",
        Format::Human => table(&profiles, args.name.is_some()),
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn is_meant(profile: &Profile, name: Option<&str>) -> bool {
    name.is_none_or(|name| profile.name.contains(name))
}

fn table(profiles: &[Profile], each: bool) -> String {
    let title = |profile: &Profile| format!("{} {} ({})", profile.name, profile.version, profile.registry);
    let width = profiles.iter().map(|profile| title(profile).chars().count()).max().unwrap_or(0);
    let mut text = format!("{:width$}  must  should  of requirements judged\n", "SDK");
    for profile in profiles {
        let count = |level: Level| profile.broken.values().filter(|broken| broken.level == level).count();
        let judged = profile.held.len() + profile.broken.len();
        let (must, should) = (count(Level::Must), count(Level::Should));
        text.push_str(&format!("{:width$}  {must:4}  {should:6}  {judged}\n", title(profile)));
        for (id, broken) in profile.broken.iter().filter(|_| each) {
            let signatures: Vec<&str> = broken.signatures.iter().map(String::as_str).collect();
            text.push_str(&format!("  {:6}  {id}  {}\n", broken.level.as_str(), signatures.join("; ")));
        }
    }
    text
}
