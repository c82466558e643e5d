//! A row of the list: one requirement.

use serde::Serialize;
use verdict::{Level, Observe, Requirement, Revision, Transport};

use crate::coverage;

/// A requirement in the list. Programs read this: members may be added but never renamed.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    id: &'static str,
    area: &'static str,
    level: Level,
    /// Levels of revisions in which the level differs.
    levels: serde_json::Map<String, serde_json::Value>,
    revisions: &'static [Revision],
    transports: &'static [Transport],
    needs: &'static [&'static str],
    observe: Observe,
    statement: &'static str,
    /// The rule that judges it.
    pub(crate) rule: Option<&'static str>,
    /// The scenarios that provoke it.
    scenarios: Option<Vec<&'static str>>,
}

impl Row {
    /// Returns the row of a requirement; with a revision, its level in that revision.
    pub(crate) fn new(requirement: &'static Requirement, revision: Option<Revision>) -> Self {
        let scenarios = coverage::scenarios_for(requirement.id);
        let levels = requirement.levels.iter().map(|(revision, level)| (revision.to_string(), level.as_str().into()));
        Self {
            id: requirement.id,
            area: requirement.area,
            level: revision.map_or(requirement.level, |revision| requirement.level_in(revision)),
            levels: levels.collect(),
            revisions: requirement.revisions,
            transports: requirement.transports,
            needs: requirement.needs,
            observe: requirement.observe,
            statement: requirement.statement,
            rule: coverage::rule_for(requirement.id),
            scenarios: (!scenarios.is_empty()).then_some(scenarios),
        }
    }

    fn cells(&self) -> [String; 6] {
        let varies = if self.levels.is_empty() { "" } else { "~" };
        [
            self.id.to_owned(),
            format!("{}{varies}", self.level.as_str()),
            span(self.revisions),
            self.observe.as_str().to_owned(),
            self.rule.unwrap_or("-").to_owned(),
            self.scenarios.as_ref().map_or("-".to_owned(), |names| names.join(", ")),
        ]
    }
}

/// Renders the rows as a JSON array.
pub(crate) fn json(rows: &[Row]) -> String {
    // Serializing plain data to memory cannot fail.
    let text = serde_json::to_string_pretty(rows).unwrap_or_else(|_| "[]".to_owned());
    format!("{text}\n")
}

/// Renders the rows as aligned columns.
pub(crate) fn table(rows: &[Row]) -> String {
    let cells: Vec<[String; 6]> = rows.iter().map(Row::cells).collect();
    let width = |column: usize| cells.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    cells.iter().map(|row| line(row, &widths)).collect()
}

fn line(row: &[String; 6], widths: &[usize]) -> String {
    let padded: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
    format!("{}\n", padded.join("  ").trim_end())
}

/// Returns a short form of a list of revisions.
pub(crate) fn span(revisions: &[Revision]) -> String {
    let Some((first, last)) = revisions.first().zip(revisions.last()) else { return "none".to_owned() };
    let run: Vec<Revision> =
        Revision::ALL.into_iter().filter(|revision| revision >= first && revision <= last).collect();
    if revisions.len() == Revision::ALL.len() {
        "all".to_owned()
    } else if revisions.len() == 1 {
        first.to_string()
    } else if run != revisions {
        revisions.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    } else if *last == Revision::LATEST {
        format!("{first}..")
    } else if *first == Revision::ALL[0] {
        format!("..{last}")
    } else {
        format!("{first}..{last}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_are_said_in_a_few_words() {
        use Revision as R;
        assert_eq!(span(&R::ALL), "all");
        assert_eq!(span(&R::ALL[1..]), "2025-03-26..");
        assert_eq!(span(&R::ALL[..2]), "..2025-03-26");
        assert_eq!(span(&[R::V2025_03_26, R::V2025_11_25]), "2025-03-26,2025-11-25");
        assert_eq!(span(&[R::V2025_03_26]), "2025-03-26");
    }
}
