//! The report formats: a module each, and the table that lists them.
//!
//! A new format is a file in `formats/`, its `mod` line and its row here. The values of `--format`, the files of `--reports`, the help and the
//! table in `docs/contract.md` all derive from [`FORMATS`].

mod badge;
mod github;
mod gitlab;
mod html;
mod human;
mod json;
mod junit;
mod markdown;
mod sarif;
mod tap;

use std::borrow::Cow;

use verdict::Level;
use verdict::record::Report;

use crate::style::{Style, escape_bidi, escape_bidi_in_json};

pub use human::{brief, explain_cause, not_observed, timing};
pub use markdown::escape_markdown;

/// A report format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The value of `--format`.
    pub name: &'static str,
    /// The file in the reports folder; none for a format that is only printed.
    pub file: Option<&'static str>,
    /// The help line.
    pub help: &'static str,
    render: fn(&Report, &Setting<'_>) -> String,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path, relative to the repository.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// Everything a format depends on besides the record.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The layout of text for people.
    pub style: &'a Style,
    /// The file, relative to the repository, to which code-scanning services attach findings.
    pub anchor: &'a str,
    /// Where the repository names the SDK of the server: there they attach what the SDK is to blame for.
    pub sdk_at: Option<&'a Place>,
    /// The lowest level that fails a run.
    pub fail_on: Option<Level>,
}

/// The report for people.
pub const HUMAN: Format = Format {
    name: "human",
    file: Some("report.txt"),
    help: "For people",
    render: |report, at| human::human(report, at.style),
};

/// Annotations of a GitHub Actions run.
pub const GITHUB: Format = Format {
    name: "github",
    file: None,
    help: "Annotations for GitHub Actions; printed automatically where GITHUB_ACTIONS is set",
    render: github::github,
};

/// Every format, in the order of the help.
pub const FORMATS: [Format; 10] = [
    HUMAN,
    Format {
        name: "json",
        file: Some("report.json"),
        help: "The whole record",
        render: |report, _| json::json(report),
    },
    Format {
        name: "junit",
        file: Some("report.xml"),
        help: "JUnit XML, for continuous integration",
        render: |report, _| junit::junit(report),
    },
    Format {
        name: "sarif",
        file: Some("report.sarif"),
        help: "SARIF 2.1.0, for code-scanning alerts",
        render: sarif::sarif,
    },
    Format {
        name: "markdown",
        file: Some("report.md"),
        help: "Markdown, for job summaries and comments",
        render: |report, _| markdown::markdown(report),
    },
    Format {
        name: "html",
        file: Some("report.html"),
        help: "A self-contained HTML page",
        render: |report, _| html::html(report),
    },
    Format {
        name: "tap",
        file: Some("report.tap"),
        help: "TAP 13, for test harnesses",
        render: |report, _| tap::tap(report),
    },
    Format {
        name: "gitlab",
        file: Some("gl-code-quality-report.json"),
        help: "GitLab code quality report",
        render: gitlab::gitlab,
    },
    GITHUB,
    Format {
        name: "badge",
        file: Some("badge.json"),
        help: "A badge: endpoint JSON for shields.io",
        render: |report, _| badge::badge(report),
    },
];

impl Setting<'_> {
    /// The line to which a finding is attached; `sdk` if the SDK is to blame for it.
    fn place(&self, sdk: bool) -> Place {
        let named = self.sdk_at.filter(|_| sdk).cloned();
        named.unwrap_or_else(|| Place { file: self.anchor.to_owned(), line: 1 })
    }
}

impl Format {
    /// Returns the format with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        FORMATS.into_iter().find(|format| format.name == name)
    }

    /// Renders the report in this format. Bidirectional controls are escaped in all of them, so that nobody reads text in an
    /// order that it does not have: on a terminal, in a browser, or in what a service shows.
    #[must_use]
    pub fn render(&self, report: &Report, setting: &Setting<'_>) -> String {
        let text = (self.render)(report, setting);
        let safe = if self.is_json() { escape_bidi_in_json(&text) } else { escape_bidi(&text) };
        match safe {
            Cow::Borrowed(_) => text,
            Cow::Owned(safe) => safe,
        }
    }

    fn is_json(&self) -> bool {
        self.file.is_some_and(|name| [".json", ".sarif"].iter().any(|end| name.ends_with(end)))
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::record;

    #[test]
    fn names_and_files_are_unique() {
        let names: BTreeSet<&str> = FORMATS.iter().map(|format| format.name).collect();
        let files: Vec<&str> = FORMATS.iter().filter_map(|format| format.file).collect();
        assert_eq!(names.len(), FORMATS.len());
        assert_eq!(files.iter().collect::<BTreeSet<_>>().len(), files.len());
    }

    #[test]
    fn every_format_is_found_by_name_and_renders() {
        let style = Style::default();
        let setting = Setting { style: &style, anchor: "server.js", sdk_at: None, fail_on: Some(Level::Must) };
        for format in FORMATS {
            assert_eq!(Format::by_name(format.name), Some(format));
            assert!(!format.render(&record(), &setting).is_empty(), "{}", format.name);
        }
    }

    #[test]
    fn no_format_lets_a_server_reorder_text() {
        // Each text of the record that may be a server's says this.
        let hidden = "read\u{202e}ylno";
        let mut value = serde_json::to_value(record()).expect("JSON");
        append_to_strings(&mut value, hidden);
        let report: Report = serde_json::from_value(value).expect("a record");
        let style = Style { advice: true, colour: true, ..Style::default() };
        let setting = Setting { style: &style, anchor: "server.js", sdk_at: None, fail_on: Some(Level::Must) };
        for format in FORMATS {
            let text = format.render(&report, &setting);
            assert!(!text.contains('\u{202e}'), "{}", format.name);
            let expected = if format.is_json() { "read\\u202eylno" } else { "read\\u{202e}ylno" };
            // A badge has no text of the server.
            assert!(text.contains(expected) || format.name == "badge", "{}: {text}", format.name);
        }
        let json = Format::by_name("json").expect("a format").render(&report, &setting);
        let read: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(read, serde_json::to_value(&report).expect("JSON"));
    }

    /// Appends to the values of these members, wherever they are.
    fn append_to_strings(value: &mut serde_json::Value, hidden: &str) {
        match value {
            serde_json::Value::Object(members) => {
                for (name, member) in members {
                    match member {
                        serde_json::Value::String(text) if FROM_SERVER.contains(&name.as_str()) => {
                            text.push_str(hidden)
                        }
                        _ => append_to_strings(member, hidden),
                    }
                }
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| append_to_strings(item, hidden)),
            _ => {}
        }
    }

    const FROM_SERVER: [&str; 7] = ["name", "version", "message", "expected", "actual", "tool", "place"];
}
