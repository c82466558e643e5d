//! GitHub Actions workflow commands: findings as annotations.

use verdict::Level;
use verdict::record::{Entry, Record, Report};

/// Annotations that GitHub shows of each kind; the rest appears only in the log.
const SHOWN: usize = 10;

/// Renders must and should findings as annotations at the file `anchor`: errors at `fail_on` or above, else warnings. Each
/// requirement gets one.
#[must_use]
pub fn github(report: &Report, anchor: &str, fail_on: Option<Level>) -> String {
    let mut text = String::new();
    for level in [Level::Must, Level::Should] {
        let broken = report.records().iter().flat_map(|record| {
            let entries = record.requirements.iter().filter(|entry| entry.is_open() && entry.level == level);
            entries.map(move |entry| (record, entry))
        });
        let kind = if fail_on.is_some_and(|lowest| level <= lowest) { "error" } else { "warning" };
        broken.take(SHOWN).for_each(|(record, entry)| text.push_str(&annotation(kind, record, entry, anchor)));
    }
    text
}

fn annotation(kind: &str, record: &Record, entry: &Entry, anchor: &str) -> String {
    let title = format!("{} ({}, MCP {})", entry.id, entry.level.as_str(), record.protocol);
    let first = entry.findings.iter().find(|finding| finding.known.is_none());
    let text = first.map_or(String::new(), |finding| {
        let tool = finding.tool.as_deref().map(|tool| format!("Tool {tool}: ")).unwrap_or_default();
        format!(
            "{tool}{}\nExpected: {}\nActual: {}\nReproduce: {}",
            finding.message, finding.expected, finding.actual, finding.reproduce
        )
    });
    format!("::{kind} file={},line=1,title={}::{}\n", property(anchor), property(&title), data(&text))
}

/// Escapes text so that a server cannot start a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use verdict::Level;

    use super::github;
    use crate::testing::record;

    #[test]
    fn broken_requirements_are_annotations() {
        insta::assert_snapshot!(github(&record(), "server.js", Some(Level::Must)));
    }
}
