//! Why clients care for a requirement: why.txt, one reason a line behind the ids that it holds for. The most specific line wins.

use std::sync::LazyLock;

use crate::globs::matches;

// The file is ours: a test holds it against the catalogue.
static ALL: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| include_str!("why.txt").lines().filter_map(|line| line.split_once("  ")).collect());

/// What goes wrong in a client, and for whoever uses it, when a server breaks this.
pub(super) fn why(id: &str) -> Option<&'static str> {
    line(id).map(|(_, reason)| *reason)
}

fn line(id: &str) -> Option<&'static (&'static str, &'static str)> {
    ALL.iter().filter(|(glob, _)| matches(glob, id)).max_by_key(|(glob, _)| glob.trim_end_matches('*').len())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_requirement_has_a_reason_and_every_line_is_of_use() {
        let mut used = BTreeSet::new();
        for requirement in verdict::requirements() {
            let (glob, reason) = line(requirement.id).unwrap_or_else(|| panic!("no reason for {}", requirement.id));
            assert!(reason.ends_with('.') && reason.len() <= 240, "{reason}");
            used.insert(*glob);
        }
        let idle: Vec<_> = ALL.iter().filter(|(glob, _)| !used.contains(glob)).collect();
        assert!(idle.is_empty(), "of no use: {idle:?}");
    }

    #[test]
    fn the_lines_are_well_formed_in_order_and_say_something_new_each() {
        let lines: Vec<&str> = include_str!("why.txt").lines().collect();
        assert_eq!(lines.len(), ALL.len(), "each line is a glob, two spaces and a reason");
        assert!(lines.is_sorted());
        let reasons: BTreeSet<&str> = ALL.iter().map(|(_, reason)| *reason).collect();
        assert_eq!(reasons.len(), ALL.len());
    }

    #[test]
    fn the_most_specific_line_wins() {
        assert!(ALL.iter().any(|(glob, _)| *glob == "ping.*"), "a line for the rest of the area");
        assert_eq!(line("ping.configurable").map(|(glob, _)| *glob), Some("ping.configurable"));
    }
}
