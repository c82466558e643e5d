//! Layout of text for people: colours, width, folding and clipping. Plain ASCII, so that it survives any log.

use std::fmt::Display;

use anstyle::{AnsiColor, Color};

/// Columns reserved for the number of clipped characters.
const CLIPPED: usize = 22;

/// The layout of text for people.
#[derive(Clone, Debug)]
pub struct Style {
    /// Whether to write escape sequences for colour.
    pub colour: bool,
    /// Width in columns.
    pub width: usize,
    /// Whether to show advice in full instead of one line each.
    pub advice: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { colour: false, width: 100, advice: false }
    }
}

/// The meaning of a piece of text, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Bad,
    Warn,
    Good,
    Faint,
    Strong,
}

impl Style {
    /// Returns the text in the colour of its meaning.
    pub(crate) fn paint(&self, ink: Ink, text: impl Display) -> String {
        if !self.colour {
            return text.to_string();
        }
        let style = match ink {
            Ink::Bad => plain(AnsiColor::Red).bold(),
            Ink::Warn => plain(AnsiColor::Yellow).bold(),
            Ink::Good => plain(AnsiColor::Green).bold(),
            Ink::Faint => anstyle::Style::new().dimmed(),
            Ink::Strong => anstyle::Style::new().bold(),
        };
        format!("{style}{text}{style:#}")
    }
}

fn plain(color: AnsiColor) -> anstyle::Style {
    anstyle::Style::new().fg_color(Some(Color::Ansi(color)))
}

/// Folds text at white space and indents each line after the first. Words longer than a line stay whole, so that links and
/// commands can be copied.
#[must_use]
pub fn fold(text: &str, width: usize, indent: usize) -> String {
    let room = width.saturating_sub(indent).max(20);
    let mut lines = vec![String::new()];
    for word in printable(text).split_whitespace() {
        let line = lines.last_mut().expect("it begins with one line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= room {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

/// Cuts a line to the width and appends the number of missing characters.
#[must_use]
pub fn clip(text: &str, width: usize) -> String {
    let text = printable(text);
    let count = text.chars().count();
    if count <= width {
        return text;
    }
    let room = width.saturating_sub(CLIPPED).max(20).min(count);
    let kept: String = text.chars().take(room).collect();
    format!("{kept} ... (+{} characters)", count - room)
}

/// Escapes control characters, so that those from a server do not reach the terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    let harmless =
        |letter: char| if letter.is_control() { letter.escape_default().collect() } else { letter.to_string() };
    text.chars().map(|letter| if matches!(letter, '\n' | '\t') { " ".to_owned() } else { harmless(letter) }).collect()
}

/// Returns a number with its noun: `1 tool`, `2 tools`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_text_keeps_long_words_whole() {
        assert_eq!(fold("one two three", 10, 2), "one two three");
        let long = format!("{} b", "a".repeat(40));
        assert_eq!(fold(&long, 30, 2), format!("{}\n  b", "a".repeat(40)));
    }

    #[test]
    fn clipped_text_says_what_is_missing() {
        assert_eq!(clip("short", 40), "short");
        let clipped = clip(&"x".repeat(100), 50);
        assert_eq!(clipped, format!("{} ... (+72 characters)", "x".repeat(28)));
        assert!(clipped.chars().count() <= 50);
    }

    #[test]
    fn escape_sequences_of_a_server_are_defused() {
        assert_eq!(clip("\u{1b}[31mred", 40), "\\u{1b}[31mred");
    }
}
