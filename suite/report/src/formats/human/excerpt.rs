//! A line of an exchange in the columns there are: cut around the place that decides, which is underlined.

use std::ops::Range;

use crate::pointer::subject_range;
use crate::style::{Ink, Style, printable};

/// Columns by which further lines of a message are indented.
const HANGING: usize = 2;
/// Lines of a message: around a place two are enough; without one, what decides may stand anywhere.
const LINES: (usize, usize) = (2, 4);
/// Columns kept before a place that is cut out.
const BEFORE: usize = 30;
/// Marks under a place: what is longer shows where it begins.
const MARKS: usize = 40;
/// Columns for the number of characters that are cut off.
const COUNTED: usize = 30;

/// Returns the line with what is cut off counted, and marks under the place, if it is there and not nearly everything.
pub(super) fn lines(wire: &str, place: Option<&str>, indent: usize, style: &Style) -> String {
    let text = printable(wire);
    let width = style.width.saturating_sub(indent).max(40);
    let place = place.and_then(|place| subject_range(&text, place)).map(|bytes| columns(&text, bytes));
    let text: Vec<char> = text.chars().collect();
    let further = if place.is_some() { LINES.0 } else { LINES.1 } - 1;
    let (shown, moved) = cut(&text, place.as_ref(), width + further * (width - HANGING));
    let mark = place.filter(|place| place.len() * 2 < text.len()).map(|place| {
        let start = place.start.saturating_add_signed(moved);
        start..(start + place.len().min(MARKS)).min(shown.len())
    });
    let (first, rest) = shown.split_at(width.min(shown.len()));
    let mut out = line(first, 0, indent, mark.as_ref(), style);
    for (at, part) in rest.chunks(width - HANGING).enumerate() {
        out.push_str(&line(part, width + at * (width - HANGING), indent + HANGING, mark.as_ref(), style));
    }
    out
}

/// Renders one line, which starts at `from` of what is shown, and marks under what is marked in it.
fn line(text: &[char], from: usize, indent: usize, mark: Option<&Range<usize>>, style: &Style) -> String {
    let margin = " ".repeat(indent);
    let mut out = format!("{margin}{}\n", style.paint(Ink::Faint, text.iter().collect::<String>()));
    let within = from..from + text.len();
    if let Some(mark) = mark.filter(|mark| within.contains(&mark.start)) {
        let marks = "^".repeat(mark.len().min(within.end - mark.start));
        out.push_str(&format!("{margin}{}{}\n", " ".repeat(mark.start - from), style.paint(Ink::Warn, marks)));
    }
    out
}

/// Returns what is shown of a text in this many columns, around a place if that would be cut off, and how far a place has moved.
/// Without a place, beginning and end are shown: an answer says what it is in either.
fn cut(text: &[char], place: Option<&Range<usize>>, room: usize) -> (Vec<char>, isize) {
    if text.len() <= room {
        return (text.to_vec(), 0);
    }
    let kept = room.saturating_sub(COUNTED);
    let Some(place) = place else {
        let head = kept - kept / 3;
        let left_out = format!(" ... (+{} characters) ... ", text.len() - kept);
        let tail = &text[text.len() - kept / 3..];
        return (text[..head].iter().copied().chain(left_out.chars()).chain(tail.iter().copied()).collect(), 0);
    };
    let (head, start) = if place.end.min(place.start + MARKS) <= kept {
        (String::new(), 0)
    } else {
        let start = place.start.saturating_sub(BEFORE);
        (format!("< (+{start} characters) ... "), start)
    };
    let end = (start + kept.saturating_sub(head.len())).min(text.len());
    let rest = text.len() - end;
    let tail = if rest > 0 { format!(" ... (+{rest} characters)") } else { String::new() };
    let moved = head.len().cast_signed() - start.cast_signed();
    (head.chars().chain(text[start..end].iter().copied()).chain(tail.chars()).collect(), moved)
}

/// Returns a range of bytes as one of characters.
fn columns(text: &str, bytes: Range<usize>) -> Range<usize> {
    let count = |end: usize| text.get(..end).map_or(0, |before| before.chars().count());
    count(bytes.start)..count(bytes.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(wire: &str, place: &str) -> String {
        lines(wire, Some(place), 2, &Style { width: 82, ..Style::default() })
    }

    #[test]
    fn a_place_is_underlined_in_the_line_that_holds_it() {
        let wire = r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}"#;
        let marked = shown(wire, "/error/code");
        let (line, marks) = marked.split_once('\n').expect("two lines");
        assert_eq!(&line[marks.find('^').expect("marks")..marks.trim_end().len()], r#""code":-32603"#);
        assert_eq!(shown(wire, "/result").lines().count(), 1, "it is not there");
        assert_eq!(shown(wire, "").lines().count(), 1);
    }

    #[test]
    fn a_place_far_into_a_message_is_what_is_shown_of_it() {
        let wire = format!(r#"< {{"result":{{"pad":"{}","size":-1,"more":"{}"}}}}"#, "x".repeat(900), "y".repeat(300));
        let marked = shown(&wire, "/result/size");
        insta::assert_snapshot!(marked);
        assert!(marked.lines().all(|line| line.chars().count() <= 82), "{marked}");
    }

    #[test]
    fn without_a_place_beginning_and_end_are_shown() {
        let wire = format!("< {{\"a\":\"{}\",\"isError\":true}}", "z".repeat(537));
        let text = lines(&wire, None, 2, &Style { width: 82, ..Style::default() });
        assert!(text.starts_with("  < {\"a\":") && text.ends_with("zz\",\"isError\":true}\n"), "{text}");
        assert_eq!((text.lines().count(), text.matches(" characters) ... ").count()), (4, 1), "{text}");
    }

    #[test]
    fn a_definition_shown_alone_is_searched_from_its_own_root() {
        let wire = "< \u{2026} {\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"b\"]}} \u{2026}";
        assert!(shown(wire, "/inputSchema/required").contains("^^^^"), "{}", shown(wire, "/inputSchema/required"));
    }
}
