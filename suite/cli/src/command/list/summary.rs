//! The summary of the list: counts of judged requirements by area and revision.

use verdict::{Requirement, Revision};

use crate::coverage;

/// Renders a Markdown table. Each cell has the number of judged requirements and of those observable on the wire.
pub(crate) fn table(requirements: &[&Requirement]) -> String {
    let mut areas: Vec<&str> = requirements.iter().map(|requirement| requirement.area).collect();
    areas.dedup();
    let head: Vec<String> = Revision::ALL.iter().map(ToString::to_string).collect();
    let mut text = format!("| area | {} |\n|---|{}\n", head.join(" | "), "---:|".repeat(head.len()));
    for area in areas {
        let of_area: Vec<&Requirement> =
            requirements.iter().copied().filter(|requirement| requirement.area == area).collect();
        text.push_str(&line(area, &of_area));
    }
    text.push_str(&line("**all**", requirements));
    text
}

fn line(name: &str, requirements: &[&Requirement]) -> String {
    let cells: Vec<String> = Revision::ALL.iter().map(|revision| cell(requirements, *revision)).collect();
    format!("| {name} | {} |\n", cells.join(" | "))
}

fn cell(requirements: &[&Requirement], revision: Revision) -> String {
    let observable = |requirement: &&&Requirement| {
        requirement.holds_in(revision) && requirement.observe != verdict::Observe::Untestable
    };
    let all = requirements.iter().filter(observable).count();
    let judged = requirements
        .iter()
        .filter(observable)
        .filter(|requirement| coverage::rule_for(requirement.id).is_some())
        .count();
    if all == 0 { "-".to_owned() } else { format!("{judged}/{all}") }
}
