//! `mcp-conform hosts`: what hosts and client libraries do not take as it is.

use std::process::ExitCode;

use analysis::hosts::{Fact, Host, Over, table};
use report::{Style, fold};
use serde_json::json;

use super::list::Format;
use crate::failure::Failure;
use crate::output;
use crate::similar::did_you_mean;

/// List hosts, model APIs and client libraries, and explain what they do not take of a server as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A host, or the id of what one does not take, as reports show it
    name: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  mcp-conform hosts                            all hosts
  mcp-conform hosts claude-code                what Claude Code does not take
  mcp-conform hosts anthropic-root-combinator  how one of these is known, and how to mend it";

/// Prints what was asked for.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let style = output::style();
    let json = args.format == Format::Json;
    let text = match args.name.as_deref() {
        None if json => pretty(&json!(table())),
        None => hosts(),
        Some(name) => match (table().host.get_key_value(name), table().fact.iter().find(|fact| fact.id == name)) {
            (Some((id, _)), _) if json => pretty(&json!(of(id).collect::<Vec<_>>())),
            (Some((id, host)), _) => facts(id, host, &style),
            (None, Some(fact)) if json => pretty(&json!(fact)),
            (None, Some(fact)) => explained(fact, &style),
            (None, None) => return Err(unknown(name)),
        },
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// What a host does not take, the worst first.
fn of(host: &str) -> impl Iterator<Item = &'static Fact> {
    let mut facts: Vec<&Fact> = table().fact.iter().filter(|fact| fact.hosts.iter().any(|own| own == host)).collect();
    facts.sort_by_key(|fact| (fact.only_if.is_some(), fact.effect_in(host)));
    facts.into_iter()
}

fn unknown(name: &str) -> Failure {
    let names = table().host.keys().map(String::as_str).chain(table().fact.iter().map(|fact| fact.id.as_str()));
    let hint = did_you_mean(name, names, 5).unwrap_or_else(|| "run `mcp-conform hosts` to see the hosts".to_owned());
    Failure::usage(format!("no host and no fact is named `{name}`\n  {hint}"))
}

fn hosts() -> String {
    let width = table().host.keys().map(String::len).max().unwrap_or(0);
    let row = |(id, host): (&String, &Host)| {
        let mark = if host.common { "*" } else { " " };
        format!("{mark} {id:width$}  {:3}  {}\n", of(id).count(), host.name)
    };
    let rows: String = table().host.iter().map(row).collect();
    format!("  {:width$}  facts\n{rows}\n* shown by `mcp-conform run` if no hosts are named\n", "host")
}

fn facts(id: &str, host: &Host, style: &Style) -> String {
    let mut text = format!("{}\n{}\n", host.name, host.doc);
    for fact in of(id) {
        let only_if = fact.only_if.as_ref().map(|only_if| format!(", if {only_if}")).unwrap_or_default();
        let line = format!("{}{only_if}: {} ({})", fact.effect_in(id).as_str(), fact.what, fact.id);
        text.push_str(&format!("\n{}\n", fold(&line, style.width, 2)));
    }
    text
}

fn effects(fact: &Fact) -> String {
    let other = fact.effects.iter().map(|(host, effect)| format!("; {host}: {}", effect.as_str()));
    format!("{}{}", fact.effect.as_str(), other.collect::<String>())
}

fn explained(fact: &Fact, style: &Style) -> String {
    let names: Vec<&str> =
        fact.hosts.iter().map(|id| table().host.get(id).map_or(id.as_str(), |host| host.name.as_str())).collect();
    let legal = if fact.legal {
        "allowed by the specification".to_owned()
    } else {
        format!("breaks {}", fact.requirement.join(", "))
    };
    let parts = [
        ("what", Some(fact.what.clone())),
        ("effect", Some(effects(fact))),
        ("over", fact.over.map(|over| if over == Over::Http { "HTTP" } else { "stdio" }.to_owned())),
        ("until", fact.until.as_ref().map(|until| format!("connections of {until}; newer ones allow it"))),
        ("if", fact.only_if.clone()),
        ("hosts", Some(names.join("; "))),
        ("legal", Some(legal)),
        ("mend", fact.mend.clone()),
        (
            "for both",
            fact.both.as_ref().map(|both| format!("{both} ({} pulls the other way)", fact.against.join(", "))),
        ),
        ("seen in", Some(fact.seen_in.clone())),
        ("status", Some(format!("{}, last confirmed {}", fact.status, fact.confirmed))),
        ("measured", fact.found.clone()),
        ("note", fact.note.clone()),
    ];
    let mut text = format!("{}\n\n", fact.id);
    for (name, part) in parts {
        if let Some(part) = part {
            text.push_str(&format!("{name:9} {}\n", fold(&part, style.width, 10)));
        }
    }
    for (at, source) in fact.source.iter().enumerate() {
        text.push_str(&format!("{:9} {source}\n", if at == 0 { "source" } else { "" }));
    }
    text
}
