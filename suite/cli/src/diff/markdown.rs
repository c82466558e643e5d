//! Renders the comparison as Markdown, for pull requests.

use report::escape_markdown as escape;

use super::Diff;
use super::causes::{Causes, Named};
use super::findings::{Finding, Findings};
use super::text::summary;
use super::tools::Tools;

/// Renders the comparison as Markdown.
pub(crate) fn markdown(diff: &Diff) -> String {
    let name = if diff.new.server.is_empty() { &diff.new.file } else { &diff.new.server };
    let mut text = format!("## {}: changes\n\n", escape(name));
    text.push_str(&match diff.no_difference() {
        Some(told) => format!("{}.\n", told[..1].to_uppercase() + &told[1..]),
        None => format!("**{}**\n", summary(diff)),
    });
    for note in &diff.not_compared {
        text.push_str(&format!("\n> {}\n", escape(note)));
    }
    for revision in &diff.revisions_removed {
        text.push_str(&format!("\n- **breaking**: revision {revision} is no longer supported\n"));
    }
    for revision in &diff.revisions_added {
        text.push_str(&format!("\n- revision {revision} is now supported\n"));
    }
    if let Some(tools) = diff.tools.as_ref().filter(|tools| !tools.is_empty()) {
        text.push_str(&format!("\n### Tools\n\n{}", tools_list(tools)));
    }
    for findings in diff.findings.iter().filter(|findings| !findings.is_empty()) {
        let causes = diff.causes_of(findings).map(causes_list).unwrap_or_default();
        text.push_str(&format!("\n### Findings in {}\n\n{causes}{}", findings.protocol, findings_list(findings)));
    }
    text
}

fn tools_list(tools: &Tools) -> String {
    let mut lines: Vec<String> =
        tools.removed.iter().map(|name| format!("- **breaking**: {} was removed", code(name))).collect();
    for changed in &tools.changed {
        let tool = code(&changed.tool);
        for breaking in &changed.breaking {
            lines.push(format!("- **breaking**: {tool} {}: {}", breaking.member, escape(&breaking.message)));
            if let Some(instance) = &breaking.instance {
                lines.push(format!("\n  {}\n", code(&instance.to_string())));
            }
        }
        lines.extend(changed.undecided.iter().map(|undecided| format!("- unknown: {tool} {}", escape(undecided))));
        if !changed.compatible.is_empty() {
            lines.push(format!("- {tool}: {} changed compatibly", escape(&changed.compatible.join(", "))));
        }
    }
    lines.extend(tools.added.iter().map(|name| format!("- {} was added", code(name))));
    lines.join("\n") + "\n"
}

fn causes_list(causes: &Causes) -> String {
    let mut text = String::new();
    for (title, list) in [("Causes mended", &causes.mended), ("New causes", &causes.new)] {
        let lines: String = Causes::shared(list).map(cause_line).collect();
        if !lines.is_empty() {
            text.push_str(&format!("**{title}**\n\n{lines}\n"));
        }
    }
    text
}

fn cause_line(cause: &Named) -> String {
    let breaks: Vec<String> = cause.requirements.iter().map(|id| format!("`{id}`")).collect();
    format!("- {} Breaks {}. (`{}`)\n", escape(&cause.title), breaks.join(", "), cause.id)
}

fn findings_list(findings: &Findings) -> String {
    let mut text = String::new();
    let lists = [
        ("New", &findings.new),
        ("Changed", &findings.changed),
        ("Fixed", &findings.fixed),
        ("No longer judged", &findings.unseen),
    ];
    for (title, list) in lists {
        if !list.is_empty() {
            text.push_str(&format!("**{title}**\n\n{}\n", list.iter().map(line).collect::<String>()));
        }
    }
    if !findings.statuses.is_empty() {
        text.push_str(&format!("{} requirements without findings changed status.\n", findings.statuses.len()));
    }
    text
}

fn line(finding: &Finding) -> String {
    let before = finding.before.as_ref().map(|before| format!(" (before: {})", escape(before))).unwrap_or_default();
    let now = finding.now.as_ref().map(|now| format!(" (now {now})")).unwrap_or_default();
    format!(
        "- `{}` ({}): {} Actual: {}{before}{now}\n",
        finding.requirement,
        finding.level,
        escape(&finding.finding),
        escape(&finding.actual)
    )
}

/// Formats text as code, whatever backticks it contains.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if text.contains('`') { format!("{fence} {text} {fence}") } else { format!("{fence}{text}{fence}") }
}
