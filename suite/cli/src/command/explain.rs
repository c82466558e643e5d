//! `mcp-conform explain`: one requirement in plain words.

mod exchange;
mod sdk;

use std::process::ExitCode;

use report::{Style, fold, links};
use verdict::{Allowance, Level, Observe, Requirement, Revision, allowances, requirement, requirements};

use super::list::{Format, Row};
use crate::failure::Failure;
use crate::{coverage, globs, output};

/// Explain a requirement: what it says, where the specification says it, how to keep it, how it is tested.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mcp-conform explain tools.call.unknown-tool")]
pub(crate) struct Args {
    /// The id, as reports and `mcp-conform list` show it.
    id: String,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show a wrong and a right exchange: the embedded reference server is started twice, once to break the requirement.
    #[arg(long)]
    exchange: bool,
}

/// Prints the explanation.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let style = output::style();
    let mut text = if let Some(found) = requirement(&args.id) {
        if args.format == Format::Json { json(found) } else { explain(found, &style) }
    } else if let Some(found) = allowances().iter().find(|allowance| allowance.id == args.id) {
        allowed(found, &style)
    } else {
        return Err(unknown(&args.id));
    };
    if let Some(found) = requirement(&args.id).filter(|_| args.exchange && args.format == Format::Human) {
        let mut page = Page::new(&style);
        page.section("A wrong and a right exchange", &exchange::lines(found)?);
        text.push_str(&page.text);
    }
    output::emit(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn unknown(id: &str) -> Failure {
    let ids = requirements().iter().map(|requirement| requirement.id);
    let near = globs::nearest(id, ids.chain(allowances().iter().map(|allowance| allowance.id)), 5);
    let near = if near.is_empty() {
        "`mcp-conform list` shows all ids".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Failure::usage(format!("there is no requirement `{id}`\n  {near}"))
}

fn json(requirement: &'static Requirement) -> String {
    let mut value = serde_json::to_value(Row::new(requirement, None)).unwrap_or_default();
    let newest = requirement.revisions.last().copied().unwrap_or(Revision::LATEST);
    value["why"] = requirement.why.into();
    value["probe"] = requirement.probe.into();
    value["pitfall"] = requirement.pitfall.into();
    value["chance"] = requirement.chance.into();
    value["varies"] = requirement
        .varies
        .iter()
        .map(|(revision, text)| (revision.to_string(), serde_json::Value::from(*text)))
        .collect();
    value["links"] = links(requirement, newest).into();
    value["mend"] = serde_json::to_value(sdk::mends(requirement.id)).unwrap_or_default();
    value["faults"] = coverage::faults_for(requirement.id).into();
    format!("{value:#}\n")
}

fn explain(requirement: &Requirement, style: &Style) -> String {
    let mut page = Page::new(style);
    page.text.push_str(&format!("{}\n\n  {}\n", requirement.id, fold(requirement.statement, style.width, 2)));
    page.section("Level", &levels(requirement));
    page.section("Applies to", &applies(requirement));
    page.section(
        "Differs",
        &requirement.varies.iter().map(|(revision, text)| format!("{revision}: {text}")).collect::<Vec<_>>(),
    );
    page.section("Why it matters", &matters(requirement));
    page.section("How it is seen from outside", &[requirement.probe.to_owned()]);
    page.section("How it goes wrong", requirement.pitfall.map(str::to_owned).as_slice());
    page.section(
        "Left to chance",
        requirement.chance.map(|what| format!("{what}: snapshots say `by chance`")).as_slice(),
    );
    page.section("How to mend a server", &mend(requirement));
    page.sdks(requirement.id);
    let newest = requirement.revisions.last().copied().unwrap_or(Revision::LATEST);
    page.section("Where it stands", &links(requirement, newest));
    page.section("How it is tested", &tested(requirement));
    page.text.push_str(&format!("\nCommands\n  {}\n", commands(requirement).join("\n  ")));
    page.text
}

fn allowed(allowance: &Allowance, style: &Style) -> String {
    let mut page = Page::new(style);
    page.text.push_str(&format!("{}\n\n  {}\n", allowance.id, fold(allowance.statement, style.width, 2)));
    let span = super::list::span(allowance.revisions);
    page.section("Level", &[format!("an allowance in {span}: a server may do this, and nothing is flagged for it")]);
    page.section("What a tester does about it", &[allowance.probe.to_owned()]);
    page.section("How a checker gets it wrong", allowance.pitfall.map(str::to_owned).as_slice());
    page.text
}

/// Sections with a title and folded lines.
struct Page<'a> {
    text: String,
    style: &'a Style,
}

impl<'a> Page<'a> {
    fn new(style: &'a Style) -> Self {
        Self { text: String::new(), style }
    }

    fn section(&mut self, title: &str, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        self.text.push_str(&format!("\n{title}\n"));
        for line in lines {
            self.text.push_str(&format!("  {}\n", fold(line, self.style.width, 4)));
        }
    }

    /// What is known of SDKs; code is never folded.
    fn sdks(&mut self, id: &str) {
        let mends = sdk::mends(id);
        if mends.is_empty() {
            return;
        }
        self.text.push_str("\nIf it is built with an SDK\n");
        for mend in mends {
            let line = format!("{}: {}", mend.origin(), mend.text);
            self.text.push_str(&format!("  {}\n", fold(&line, self.style.width, 4)));
            for line in mend.code() {
                self.text.push_str(&format!("      {line}\n"));
            }
        }
    }
}

fn levels(requirement: &Requirement) -> Vec<String> {
    let with = |level: Level| -> Vec<Revision> {
        requirement.revisions.iter().copied().filter(|revision| requirement.level_in(*revision) == level).collect()
    };
    let levels = [Level::Must, Level::Should, Level::Advice].into_iter().map(|level| (level, with(level)));
    let named = levels.filter(|(_, revisions)| !revisions.is_empty());
    named.map(|(level, revisions)| format!("{} in {}", level.as_str(), names(&revisions))).collect()
}

fn names(revisions: &[Revision]) -> String {
    if revisions.len() == Revision::ALL.len() {
        return "every revision".to_owned();
    }
    revisions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn applies(requirement: &Requirement) -> Vec<String> {
    let mut lines = Vec::new();
    if !requirement.transports.is_empty() {
        let names: Vec<&str> = requirement.transports.iter().map(|transport| transport.as_str()).collect();
        lines.push(format!("servers over {}", names.join(", ")));
    }
    if !requirement.needs.is_empty() {
        lines.push(format!("servers that offer {}", requirement.needs.join(", ")));
    }
    lines
}

/// What a client has of it, and how firmly the specification asks for it.
fn matters(requirement: &Requirement) -> Vec<String> {
    let asked = match requirement.level {
        Level::Must => "The specification demands it: clients are written as if every server kept it.",
        Level::Should => "The specification recommends it, and allows exceptions for good reasons.",
        Level::Advice => "No revision demands it: it is good practice.",
    };
    [requirement.why, asked].into_iter().map(str::to_owned).collect()
}

fn mend(requirement: &Requirement) -> Vec<String> {
    let line = if requirement.observe == Observe::Untestable {
        "It cannot be seen from outside: read your code for it."
    } else {
        "Do with your server what is described under `How it is seen from outside`, and make it answer as is expected \
         there. The first command below shows what it answers now, and ends with 0 once it is mended."
    };
    vec![line.to_owned()]
}

fn tested(requirement: &Requirement) -> Vec<String> {
    let mut lines = Vec::new();
    match (coverage::rule_for(requirement.id), requirement.because) {
        (Some(rule), _) => lines.push(format!("rule {rule}")),
        (None, Some(because)) => lines.push(format!("not judged: {because}")),
        (None, None) => lines.push("not judged yet: no rule looks at it".to_owned()),
    }
    let scenarios = coverage::scenarios_for(requirement.id);
    if !scenarios.is_empty() {
        lines.push(format!("scenario {}", scenarios.join(", ")));
    } else if requirement.observe == Observe::Passive {
        lines.push("no scenario of its own: judged on all traffic".to_owned());
    }
    lines.extend(requirement.fixture.map(|fixture| format!("only if the server offers: {fixture}")));
    lines
}

fn commands(requirement: &Requirement) -> Vec<String> {
    let id = requirement.id;
    let mut lines = vec![format!("judge just this:          mcp-conform run --only {id} -- ./your-server")];
    if let Some(fault) = coverage::faults_for(id).first() {
        lines.push(format!("a server that breaks it:  mcp-conform serve --fault {fault}"));
    }
    lines
}
