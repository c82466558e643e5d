//! The report on what was not observed, by what would let it be seen.

use std::fmt::Write;

use verdict::record::Report;

use crate::style::{Ink, Style, count, fold, printable};
use crate::unseen::{Unseen, unseen};

/// Columns before what is said of some requirements.
const INDENT: usize = 2;

/// Renders the requirements that a run did not observe, for people.
#[must_use]
pub fn not_observed(report: &Report, style: &Style) -> String {
    let groups = unseen(report.records());
    let all: usize = groups.iter().map(Unseen::count).sum();
    if all == 0 {
        return "Everything that applies to this server was observed, or is unclear.\n".to_owned();
    }
    let counted = count(all, "requirement was", "requirements were");
    let mut text = format!("{counted} not observed. What would let them be seen, or why nothing does:\n");
    for group in &groups {
        text.push_str(&render(group, style));
    }
    text.push_str("\n`mcp-conform explain ID` says how one is observed.\n");
    text
}

fn render(group: &Unseen<'_>, style: &Style) -> String {
    let title = fold(&printable(&group.by), style.width, INDENT);
    let mut text = format!("\n{} ({})\n", style.paint(Ink::Strong, title), group.count());
    for (more, all) in &group.parts {
        let ids = all.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>().join(", ");
        let (line, indent) =
            if more.is_empty() { (ids, INDENT) } else { (format!("{}: {ids}", printable(more)), INDENT + 2) };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}", fold(&line, style.width, indent));
    }
    text
}

#[cfg(test)]
mod tests {
    use verdict::record::Report;

    use super::not_observed;
    use crate::style::Style;
    use crate::testing::unobserved;

    #[test]
    fn what_was_not_observed_reads_like_this() {
        insta::assert_snapshot!(not_observed(&Report::One(Box::new(unobserved())), &Style::default()));
    }
}
