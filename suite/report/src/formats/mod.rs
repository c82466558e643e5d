//! The report formats: a module each, and the table that lists them.
//!
//! A new format is its module and its row here. The values of `--format`, the files of `--reports`, the help and the
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

use verdict::Level;
use verdict::record::Report;

use crate::style::Style;

pub use github::github;
pub use human::brief;
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

/// Everything a format depends on besides the record.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The layout of text for people.
    pub style: &'a Style,
    /// The file, relative to the repository, to which code-scanning services attach findings.
    pub anchor: &'a str,
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
    render: |report, at| github::github(report, at.anchor, at.fail_on),
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
        render: |report, at| sarif::sarif(report, at.anchor),
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
        render: |report, at| gitlab::gitlab(report, at.anchor),
    },
    GITHUB,
    Format {
        name: "badge",
        file: Some("badge.json"),
        help: "A badge: endpoint JSON for shields.io",
        render: |report, _| badge::badge(report),
    },
];

impl Format {
    /// Returns the format with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        FORMATS.into_iter().find(|format| format.name == name)
    }

    /// Renders the report in this format.
    #[must_use]
    pub fn render(&self, report: &Report, setting: &Setting<'_>) -> String {
        (self.render)(report, setting)
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
        let setting = Setting { style: &style, anchor: "server.js", fail_on: Some(Level::Must) };
        for format in FORMATS {
            assert_eq!(Format::by_name(format.name), Some(format));
            assert!(!format.render(&record(), &setting).is_empty(), "{}", format.name);
        }
    }
}
