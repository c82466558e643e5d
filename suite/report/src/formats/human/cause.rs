//! A cause: what the server does wrong, the exchange that shows it best, how to mend it, and the requirements it breaks.

use verdict::record::Cause;
use verdict::{Finding, Level};

use super::finding;
use crate::causes::{Broken, Group};
use crate::style::Style;

/// Renders a cause in full. One that breaks a single requirement is shown as that. Lines of standard error that are in `shown`
/// are omitted.
pub(super) fn full_text<'a>(group: &Group<'a>, shown: &mut Vec<&'a str>, style: &Style) -> String {
    let Some(cause) = group.shared() else {
        return group.broken.iter().map(|broken| finding::full_text(broken, shown, style)).collect();
    };
    let mut text =
        format!("\n{}  {}\n", finding::level_label(group.level(), style), finding::title(&cause.title, style));
    let (best, told) = best(group, cause);
    if let Some(told) = told {
        text.push_str(&finding::evidence(told, shown, style));
    }
    let ids = group.broken.iter().map(|broken| broken.entry.id.as_str());
    text.push_str(&finding::mend(&cause.mend, ids, style));
    text.push_str(&breaks(group, style));
    text.push_str(&finding::line("cause", &cause.id, style));
    text.push_str(&finding::source(best, told, style));
    text
}

/// The requirement and the finding whose exchange the cause shows, else the first.
fn best<'g, 'r>(group: &'g Group<'r>, cause: &Cause) -> (&'g Broken<'r>, Option<&'r Finding>) {
    let all =
        || group.broken.iter().flat_map(|broken| broken.entry.findings.iter().map(move |finding| (broken, finding)));
    let found = all().find(|(_, finding)| finding.wire == cause.wire && finding.reproduce == cause.reproduce);
    match found.or_else(|| all().next()) {
        Some((broken, finding)) => (broken, Some(finding)),
        None => (&group.broken[0], None),
    }
}

/// Lists the requirements, each level in a paragraph.
fn breaks(group: &Group<'_>, style: &Style) -> String {
    let mut text = String::new();
    for level in [Level::Must, Level::Should, Level::Advice] {
        let ids: Vec<&str> = group
            .broken
            .iter()
            .filter(|broken| broken.entry.level == level)
            .map(|broken| broken.entry.id.as_str())
            .collect();
        if !ids.is_empty() {
            let name = if text.is_empty() { "breaks" } else { "" };
            let list = format!("{} {}", finding::level_name(level), ids.join(", "));
            text.push_str(&finding::line(name, &list, style));
        }
    }
    text
}

/// Renders a cause that breaks nothing but advice in one line.
pub(super) fn one_line(group: &Group<'_>, style: &Style) -> String {
    let Some(first) = group.broken.first() else { return String::new() };
    match group.shared() {
        Some(cause) => {
            let id = format!("{} (+{})", first.entry.id, group.broken.len() - 1);
            finding::line_of(&id, &cause.title, "", style)
        }
        None => finding::one_line(first.entry, style),
    }
}
