//! The wording of an error, without what differs from one request to the next.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Case;

/// Characters after which a quotation mark is no longer looked for: an apostrophe opens nothing.
const QUOTED: usize = 200;
/// Shorter values occur in any text.
const VALUE: usize = 3;

/// Returns the text of a failure, an error of the protocol with its data or a tool's result with isError; none if it is neither.
pub(super) fn failure_text(case: &Case<'_>) -> Option<String> {
    if let Some(error) = case.error() {
        let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
        let data = error.get("data").map(|data| data.as_str().map_or_else(|| data.to_string(), str::to_owned));
        return Some(format!("{message}\n{}", data.unwrap_or_default()));
    }
    let content = case.result().filter(|_| case.is_tool_error())?.get("content")?.as_array()?;
    let texts = content.iter().filter_map(|block| block.get("text")?.as_str());
    Some(texts.collect::<Vec<_>>().join("\n"))
}

/// Returns the text without the values sent, without what it quotes, and with every number replaced: durations, counts, ids
/// and echoes are not what an error says.
pub(super) fn pattern_of(text: &str, sent: &Value) -> String {
    let mut values = Vec::new();
    collect_strings(sent, &mut values);
    // The longest first: another may be a part of it.
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    let text = values.into_iter().fold(text.to_owned(), |text, value| text.replace(value, "\u{0}"));
    pattern(&text)
}

/// Returns how many of these names, each of a parameter, a text mentions as words of their own.
pub(super) fn mentioned<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> usize {
    let words: BTreeSet<&str> =
        text.split(|letter: char| !letter.is_alphanumeric() && !"_-".contains(letter)).collect();
    names.filter(|name| words.contains(name)).count()
}

/// Returns the text without what it quotes, and with every number replaced.
pub(super) fn pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    let mut rest = text;
    let mut last = ' ';
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        if letter.is_ascii_digit() {
            if last != '#' {
                pattern.push('#');
            }
            (last, rest) = ('#', after);
        } else if let Some(behind) = quoted(letter, last, after) {
            pattern.push('\u{0}');
            (last, rest) = (letter, behind);
        } else {
            pattern.push(letter);
            (last, rest) = (letter, after);
        }
    }
    pattern
}

/// Returns what follows a quotation, if one begins here.
fn quoted(mark: char, last: char, after: &str) -> Option<&str> {
    let opens = match mark {
        '"' | '`' => true,
        '\'' => !last.is_alphanumeric(),
        _ => false,
    };
    if !opens {
        return None;
    }
    let end = after.char_indices().take(QUOTED).find(|(_, letter)| *letter == mark || *letter == '\n')?;
    (end.1 == mark).then(|| &after[end.0 + mark.len_utf8()..])
}

fn collect_strings<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) if text.len() >= VALUE => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect_strings(item, found)),
        Value::Object(members) => members.values().for_each(|member| collect_strings(member, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{mentioned, pattern, pattern_of};

    #[test]
    fn numbers_and_quotations_do_not_tell_errors_apart() {
        assert_eq!(pattern("no repository (12 ms, try 3)"), pattern("no repository (7 ms, try 104)"));
        assert_eq!(pattern("can't find 'a b'"), pattern("can't find 'c'"));
        assert_eq!(pattern("no \"x\" in `y`"), pattern("no \"\" in `zz`"));
        assert_ne!(pattern("no repository"), pattern("no directory"));
        assert_ne!(pattern("it isn't here"), pattern("it isn't there"));
    }

    #[test]
    fn names_are_whole_words() {
        let names = || ["code", "prompt_id"].into_iter();
        assert_eq!(mentioned("either 'code' or `prompt_id` must be given", names()), 2);
        assert_eq!(mentioned("decode: no prompt", names()), 0);
    }

    #[test]
    fn values_that_were_sent_are_no_part_of_an_error() {
        let of =
            |path: &str| pattern_of(&format!("cannot open /home/me/{path}: gone"), &json!({"file": {"path": path}}));
        assert_eq!(of("a/b.txt"), of("some thing"));
        assert_ne!(of("a/b.txt"), pattern_of("cannot write /home/me/x", &json!({})));
    }
}
