//! `mcp-conform explain`: explains one requirement.

mod exchange;

use std::path::PathBuf;
use std::process::ExitCode;

use report::{Style, fold, links};
use verdict::{Allowance, Level, Observe, Requirement, Revision, allowances, requirement, requirements, sdk_fixes};

use super::list::{Format, Row};
use crate::failure::Failure;
use crate::reports::LAST_REPORT;
use crate::{coverage, files, output, similar};

/// Explain a requirement: what it states and where, how to meet it, how it is tested.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mcp-conform explain tools.call.unknown-tool")]
pub(crate) struct Args {
    /// Requirement id, as shown in reports and by `mcp-conform list`, or the id of a cause of the last run
    id: String,
    /// Report that a cause is looked for in
    #[arg(long, value_name = "FILE", default_value = LAST_REPORT)]
    report: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show a wrong and a right exchange, from two runs of the embedded reference server with and without a fault
    #[arg(long)]
    exchange: bool,
}

/// Prints the explanation.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let style = output::style();
    let mut text = if let Some(found) = requirement(&args.id) {
        if args.format == Format::Json { to_json(found) } else { explain_requirement(found, &style) }
    } else if let Some(found) = allowances().iter().find(|allowance| allowance.id == args.id) {
        explain_allowance(found, &style)
    } else if let Some(text) = explain_cause(args, &style) {
        text
    } else {
        return Err(unknown_id(args));
    };
    if let Some(found) = requirement(&args.id).filter(|_| args.exchange && args.format == Format::Human) {
        let mut page = Page::new(&style);
        page.section("A wrong and a right exchange", &exchange::exchange_lines(found)?);
        text.push_str(&page.text);
    }
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Explains a cause of a report, if the report is there and has it.
fn explain_cause(args: &Args, style: &Style) -> Option<String> {
    let text = files::read_text(&args.report).ok()?;
    let report = files::parse_report(&args.report, &text).ok()?;
    if args.format == Format::Json {
        let cause = report.records().iter().flat_map(|record| &record.causes).find(|cause| cause.id == args.id)?;
        return serde_json::to_string_pretty(cause).ok().map(|text| text + "\n");
    }
    report::explain_cause(&report, &args.id, style)
}

fn unknown_id(args: &Args) -> Failure {
    let id = &args.id;
    let ids = requirements().iter().map(|requirement| requirement.id);
    let near = similar::nearest(id, ids.chain(allowances().iter().map(|allowance| allowance.id)), 5);
    let near = if near.is_empty() {
        "run `mcp-conform list` to see all ids".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Failure::usage(format!("no requirement named `{id}`, and no cause in {}\n  {near}", args.report.display()))
}

fn to_json(requirement: &'static Requirement) -> String {
    let mut value = serde_json::to_value(Row::new(requirement, None)).unwrap_or_default();
    let newest = requirement.revisions.last().copied().unwrap_or(Revision::LATEST);
    value["why"] = requirement.why.into();
    value["probe"] = requirement.probe.into();
    value["to_observe"] = to_observe(requirement).into();
    value["fix"] = requirement.mend.into();
    value["mistake"] = requirement.mistake.into();
    value["chance"] = requirement.chance.into();
    value["varies"] = requirement
        .varies
        .iter()
        .map(|(revision, text)| (revision.to_string(), serde_json::Value::from(*text)))
        .collect();
    value["links"] = links(requirement, newest).into();
    value["mend"] = serde_json::to_value(sdk_fixes(requirement.id).collect::<Vec<_>>()).unwrap_or_default();
    value["faults"] = coverage::faults_for(requirement.id).into();
    format!("{value:#}\n")
}

/// What it takes to observe it, and which tools are called if calls can show it.
fn to_observe(requirement: &Requirement) -> String {
    let calls = run::scenario::shown_by_calls(requirement.id) && requirement.observe != Observe::Untestable;
    let called = if calls { CALLED } else { "" };
    format!("{}{called}", requirement.to_observe())
}

const CALLED: &str =
    " Calls show it: a run calls tools that are marked `readOnlyHint` or named with --tool, and all with --calls all.";

fn explain_requirement(requirement: &Requirement, style: &Style) -> String {
    let mut page = Page::new(style);
    page.text.push_str(&format!("{}\n\n  {}\n", requirement.id, fold(requirement.statement, style.width, 2)));
    page.section("Level", &level_lines(requirement));
    page.section("Applies to", &scope(requirement));
    page.section(
        "Differs",
        &requirement.varies.iter().map(|(revision, text)| format!("{revision}: {text}")).collect::<Vec<_>>(),
    );
    page.section("Why it matters", &importance(requirement));
    page.section("How it is observed", &[requirement.probe.to_owned()]);
    page.section("What it takes to observe it", &[to_observe(requirement)]);
    page.section("How servers get it wrong", requirement.mistake.map(str::to_owned).as_slice());
    page.section(
        "Depends on chance",
        requirement.chance.map(|what| format!("{what}: snapshots show `by chance`")).as_slice(),
    );
    page.section("How to fix a server", &fix_advice(requirement));
    page.sdks(requirement.id);
    let newest = requirement.revisions.last().copied().unwrap_or(Revision::LATEST);
    page.section("Sources", &links(requirement, newest));
    page.section("How it is tested", &coverage_lines(requirement));
    page.text.push_str(&format!("\nCommands\n  {}\n", commands(requirement).join("\n  ")));
    page.text
}

fn explain_allowance(allowance: &Allowance, style: &Style) -> String {
    let mut page = Page::new(style);
    page.text.push_str(&format!("{}\n\n  {}\n", allowance.id, fold(allowance.statement, style.width, 2)));
    let span = super::list::span(allowance.revisions);
    page.section("Level", &[format!("allowance in {span}: a server may do this, and it is never flagged")]);
    page.section("How a tester handles it", &[allowance.probe.to_owned()]);
    page.section("How checkers get it wrong", allowance.pitfall.map(str::to_owned).as_slice());
    page.text
}

/// A page of sections with a title and folded lines.
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

    /// Writes the section about SDKs; code is never folded.
    fn sdks(&mut self, id: &str) {
        for (at, fix) in sdk_fixes(id).enumerate() {
            if at == 0 {
                self.text.push_str("\nWith an SDK\n");
            }
            let line = format!("{}: {}", fix.origin(), fix.text);
            self.text.push_str(&format!("  {}\n", fold(&line, self.style.width, 4)));
            for line in fix.code.iter().flat_map(|code| code.lines()) {
                self.text.push_str(&format!("      {line}\n"));
            }
        }
    }
}

fn level_lines(requirement: &Requirement) -> Vec<String> {
    let with = |level: Level| -> Vec<Revision> {
        requirement.revisions.iter().copied().filter(|revision| requirement.level_in(*revision) == level).collect()
    };
    let levels = [Level::Must, Level::Should, Level::Advice].into_iter().map(|level| (level, with(level)));
    let named = levels.filter(|(_, revisions)| !revisions.is_empty());
    named.map(|(level, revisions)| format!("{} in {}", level.as_str(), revision_list(&revisions))).collect()
}

fn revision_list(revisions: &[Revision]) -> String {
    if revisions.len() == Revision::ALL.len() {
        return "every revision".to_owned();
    }
    revisions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn scope(requirement: &Requirement) -> Vec<String> {
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

/// Returns why clients care, and how strongly the specification requires it.
fn importance(requirement: &Requirement) -> Vec<String> {
    let asked = match requirement.level {
        Level::Must => "The specification requires it: clients rely on every server to comply.",
        Level::Should => "The specification recommends it, and allows exceptions for good reasons.",
        Level::Advice => "No revision requires it: it is good practice.",
    };
    [requirement.why, asked].into_iter().map(str::to_owned).collect()
}

fn fix_advice(requirement: &Requirement) -> Vec<String> {
    let line = if requirement.observe == Observe::Untestable {
        "Review your code: no test from outside can show it."
    } else {
        requirement.mend
    };
    vec![line.to_owned()]
}

fn coverage_lines(requirement: &Requirement) -> Vec<String> {
    let mut lines = Vec::new();
    match (coverage::rule_for(requirement.id), requirement.because) {
        (Some(rule), _) => lines.push(format!("rule {rule}")),
        (None, Some(because)) => lines.push(format!("not judged: {because}")),
        (None, None) => lines.push("not judged yet: no rule covers it".to_owned()),
    }
    let scenarios = coverage::scenarios_for(requirement.id);
    if !scenarios.is_empty() {
        lines.push(format!("scenario {}", scenarios.join(", ")));
    } else if requirement.observe == Observe::Passive {
        lines.push("no dedicated scenario: judged on all traffic".to_owned());
    }
    lines
}

fn commands(requirement: &Requirement) -> Vec<String> {
    let id = requirement.id;
    let mut lines = vec![format!("judge only this:           mcp-conform run --only {id} -- ./your-server")];
    if let Some(fault) = coverage::faults_for(id).first() {
        lines.push(format!("run a server with a fault: mcp-conform serve --fault {fault}"));
    }
    lines
}
