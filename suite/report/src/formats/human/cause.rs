//! A cause: what the server does wrong, the exchange that shows it best, how to mend it, and the requirements it breaks.

use verdict::Level;

use super::finding;
use crate::causes::Group;
use crate::style::Style;

/// Renders a cause in full. One that breaks a single requirement is shown as that. Lines of standard error that are in `shown`
/// are omitted.
pub(super) fn full_text<'a>(group: &Group<'a>, shown: &mut Vec<&'a str>, style: &Style) -> String {
    let Some(cause) = group.shared() else {
        return group.broken.iter().map(|broken| finding::full_text(broken, shown, style)).collect();
    };
    let mut text =
        format!("\n{}  {}\n", finding::level_label(group.level(), style), finding::title(&cause.title, style));
    let told = group.shown();
    if let Some((_, told)) = told {
        text.push_str(&finding::evidence(told, shown, style));
    }
    let best = told.map_or(&group.broken[0], |(best, _)| best);
    text.push_str(&finding::mend(&cause.mend, best, style));
    text.push_str(&breaks(group, style));
    text.push_str(&finding::line("cause", &cause.id, style));
    text.push_str(&finding::source(best, told.map(|(_, told)| told), style));
    text
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
