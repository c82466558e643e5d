//! Layout of text for people: colours, width, folding, clipping and escaping. Plain ASCII, so that it survives any log.

use std::borrow::Cow;
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
    /// Whether to show in full, instead of one line each, what the SDK of the server is to blame for.
    pub sdk: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { colour: false, width: 100, advice: false, sdk: false }
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

/// Escapes control characters and bidirectional controls, so that a server can neither operate the terminal nor show
/// text in an order that it does not have.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\t' => safe.push(' '),
            _ if letter.is_control() || is_bidi_control(letter) => safe.extend(letter.escape_default()),
            _ => safe.push(letter),
        }
    }
    safe
}

/// Escapes the bidirectional controls of a text, and nothing else, as `\u{202e}`.
#[must_use]
pub fn escape_bidi(text: &str) -> Cow<'_, str> {
    replace_bidi(text, |letter| letter.escape_unicode().collect())
}

/// Escapes the bidirectional controls of a JSON text as `\u202e`: it stays the same JSON value.
#[must_use]
pub fn escape_bidi_in_json(text: &str) -> Cow<'_, str> {
    replace_bidi(text, |letter| format!("\\u{:04x}", u32::from(letter)))
}

fn replace_bidi(text: &str, spelling: fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(is_bidi_control) {
        return Cow::Borrowed(text);
    }
    let each = |letter: char| if is_bidi_control(letter) { spelling(letter) } else { letter.to_string() };
    Cow::Owned(text.chars().map(each).collect())
}

/// Whether a character has the property `Bidi_Control` ([UAX #9](https://www.unicode.org/reports/tr9/)): it is invisible and
/// changes the order in which others are shown.
fn is_bidi_control(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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

    #[test]
    fn bidirectional_controls_are_shown_as_escapes() {
        assert_eq!(printable("read\u{202e}only\u{2066}\u{61c}"), "read\\u{202e}only\\u{2066}\\u{61c}");
        assert_eq!(escape_bidi("a\u{200f}\n\u{1b}[1m\u{5e9}"), "a\\u{200f}\n\u{1b}[1m\u{5e9}");
        let value = serde_json::json!({"na\u{202e}me": "\u{2069}\u{5e9}"});
        let text = escape_bidi_in_json(&value.to_string()).into_owned();
        assert!(text.contains("na\\u202eme") && !text.contains(is_bidi_control), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), value);
    }
}
