//! A badge as endpoint JSON for shields.io, to be served from a public URL.

use serde_json::json;
use verdict::record::{ByLevel, Report};

use crate::violations::violations;

/// Renders the badge.
#[must_use]
pub(super) fn badge(report: &Report) -> String {
    let fails = report.fails();
    let judged: u32 = report.records().iter().map(|record| record.summary.pass + record.summary.fail).sum();
    let partial = report.records().iter().any(|record| record.partial || record.trouble.is_some());
    let (message, color) = match () {
        () if judged == 0 || partial => ("not judged".to_owned(), "lightgrey"),
        () if fails.must > 0 => (violations(&ByLevel { must: fails.must, ..ByLevel::default() }), "red"),
        () if fails.should > 0 => (violations(&ByLevel { should: fails.should, ..ByLevel::default() }), "yellow"),
        () => ("conforms".to_owned(), "brightgreen"),
    };
    let revisions: Vec<&str> = report.records().iter().map(|record| record.protocol.as_str()).collect();
    let label = match revisions.as_slice() {
        [] => "MCP".to_owned(),
        [one] => format!("MCP {one}"),
        [first, .., last] => format!("MCP {first} to {last}"),
    };
    let badge = json!({"schemaVersion": 1, "label": label, "message": message, "color": color});
    serde_json::to_string_pretty(&badge).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::badge;
    use crate::testing::{record, several};

    #[test]
    fn the_most_severe_level_is_shown() {
        assert!(badge(&record()).contains("\"2 MUST violations\"") && badge(&record()).contains("\"red\""));
        assert!(badge(&several()).contains("not judged"), "one run of it was cut short");
    }
}
