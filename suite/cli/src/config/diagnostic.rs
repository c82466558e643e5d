//! An error at a place in a file: line, column, and a caret under it.

use std::ops::Range;

use crate::similar::nearest;

/// The file with the error.
pub(super) struct Source<'a> {
    /// Its name, for messages.
    pub(super) name: &'a str,
    /// Its text.
    pub(super) text: &'a str,
}

/// An error at a place in the configuration file.
#[derive(Debug)]
pub(super) struct Diagnostic {
    span: Range<usize>,
    what: String,
    expected: String,
    show_line: bool,
}

impl Diagnostic {
    pub(super) fn new(span: Range<usize>, what: &str, expected: &str) -> Self {
        Self { span, what: what.to_owned(), expected: format!("expected {expected}"), show_line: true }
    }

    pub(super) fn unknown(span: Range<usize>, key: &str, known: &[&str]) -> Self {
        let near = nearest(key, known.iter().copied(), 1);
        let expected = match near.first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are {}", known.join(", ")),
        };
        Self { span, what: format!("unknown key `{key}`"), expected, show_line: true }
    }

    pub(super) fn syntax(error: &toml::de::Error) -> Self {
        let message = error.message().split('\n').collect::<Vec<_>>().join(", ");
        Self { span: error.span().unwrap_or(0..0), what: "invalid TOML".to_owned(), expected: message, show_line: true }
    }

    /// Hides the line itself, which may contain a secret.
    pub(super) fn without_line(mut self) -> Self {
        self.show_line = false;
        self
    }

    /// Renders the error with the line and a caret.
    pub(super) fn render(&self, source: &Source<'_>) -> String {
        let start = char_boundary(source.text, self.span.start);
        let before = &source.text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let number = before.matches('\n').count() + 1;
        let line = source.text[line_start..].lines().next().unwrap_or("");
        if !self.show_line {
            return format!("{}:{number}: {}: {}", source.name, self.what, self.expected);
        }
        let column = source.text[line_start..start].chars().count();
        let end = char_boundary(source.text, self.span.end).min(line_start + line.len());
        let carets = source.text.get(start..end).map_or(0, |text| text.chars().count()).max(1);
        let gutter = " ".repeat(number.to_string().len());
        format!(
            "{name}:{number}:{at}: {what}\n{gutter} |\n{number} | {line}\n{gutter} | {pad}{mark} {expected}",
            name = source.name,
            at = column + 1,
            what = self.what,
            pad = " ".repeat(column),
            mark = "^".repeat(carets),
            expected = self.expected,
        )
    }
}

/// Returns the nearest character boundary at or before `at`.
fn char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
