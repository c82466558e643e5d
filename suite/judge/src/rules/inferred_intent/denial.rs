//! Whether an answer itself says that what was asked for does not exist.

use serde_json::Value;
use wire::mcp::code;

use crate::Case;
use crate::rules::common::error_text;

/// Ways to say it, with `T` for the kind of thing and `N` for its name.
const NAMED: [&str; 13] = [
    "unknown T N",
    "unknown T name N",
    "no such T N",
    "no T named N",
    "no T found with name N",
    "T not found N",
    "T N not found",
    "T N was not found",
    "T with name N not found",
    "T with uri N not found",
    "T N does not exist",
    "T does not exist N",
    "T N is unknown",
];
/// Denials without a name: enough for an error whose code says that it is about the request, and whose whole text it is.
const NAMELESS: [&str; 4] = ["unknown T", "no such T", "T not found", "T does not exist"];
/// Bytes of a result that says no more than this.
const LONG: usize = 4_096;
/// Codes that say so.
const CODES: [i64; 3] = [code::INVALID_PARAMS, code::METHOD_NOT_FOUND, code::RESOURCE_NOT_FOUND];

/// Whether the answer denies the thing of this name. A tool that failed may speak of other things, so the words must be of this
/// one, and be all that is said of it: "Tool x not found in /usr/bin" is about something else.
pub(super) fn denies(case: &Case<'_>, thing: &str, name: &str) -> bool {
    if case.error().is_some() {
        let text = error_text(case);
        let nameless = || case.error_code().is_some_and(|code| CODES.contains(&code)) && is_nameless(&text, thing);
        return says(&text, thing, name) || nameless();
    }
    // What stands in the arguments may be what a result speaks of.
    let given = || case.param("arguments").is_some_and(|arguments| arguments.to_string().contains(name));
    only_text(case).is_some_and(|text| text.len() <= LONG && says(text, thing, name)) && !given()
}

/// The text of a result that is nothing else.
fn only_text<'v>(case: &Case<'v>) -> Option<&'v str> {
    match case.result()?.get("content")?.as_array()?.as_slice() {
        [only] if case.result()?.get("structuredContent").is_none() => only.get("text").and_then(Value::as_str),
        _ => None,
    }
}

/// A word without the marks around it, and whether they close the sentence.
struct Word {
    text: String,
    closes: bool,
}

fn words(line: &str) -> Vec<Word> {
    let mark = |letter: char| "\"'`\u{2018}\u{2019}\u{201c}\u{201d}:,.;!?()[]{}<>".contains(letter);
    let word = |raw: &str| Word {
        text: raw.trim_matches(mark).to_lowercase(),
        closes: raw[raw.trim_end_matches(mark).len()..].contains(['.', ',', ';', ':', '!', ')', ']']),
    };
    line.split_whitespace().map(word).filter(|word| !word.text.is_empty()).collect()
}

/// The words of one of the ways to say it.
fn sentence<'w>(way: &'w str, thing: &'w str, name: &'w [Word]) -> Vec<&'w str> {
    let part = |word: &'w str| match word {
        "T" => vec![thing],
        "N" => name.iter().map(|word| word.text.as_str()).collect(),
        _ => vec![word],
    };
    way.split(' ').flat_map(part).collect()
}

fn says(text: &str, thing: &str, name: &str) -> bool {
    let name = words(name);
    let ways: Vec<Vec<&str>> = NAMED.iter().map(|way| sentence(way, thing, &name)).collect();
    let said = |line: &str| {
        let words = words(line);
        let whole = |way: &Vec<&str>| {
            words.windows(way.len()).enumerate().any(|(at, window)| {
                let ends = at + way.len() == words.len() || window.last().is_some_and(|last| last.closes);
                ends && window.iter().map(|word| word.text.as_str()).eq(way.iter().copied())
            })
        };
        ways.iter().any(whole)
    };
    !name.is_empty() && text.lines().any(said)
}

fn is_nameless(text: &str, thing: &str) -> bool {
    let words = words(text);
    NAMELESS.iter().any(|way| words.iter().map(|word| word.text.as_str()).eq(sentence(way, thing, &[])))
}

#[cfg(test)]
mod tests {
    use super::{is_nameless, says};

    #[test]
    fn servers_say_it_in_many_ways() {
        for text in [
            "Unknown tool: nope",
            "MCP error -32602: Tool nope not found",
            "Unknown tool: \u{201c}nope\u{201d}. Available tools: echo",
            "unknown tool \"nope\"",
            "Tool 'nope' does not exist.",
            "Error\nTool not found: `nope`!",
        ] {
            assert!(says(text, "tool", "nope"), "{text}");
        }
        assert!(says("Resource note://a b not found", "resource", "note://a b"));
        assert!(is_nameless("Tool not found.", "tool") && !is_nameless("tool not found in shed", "tool"));
    }

    #[test]
    fn words_about_something_else_are_no_denial() {
        for text in [
            "City not found",
            "Unknown tool: nope-2",
            "Unknown tool: nope 2",
            "Tool nope not found in /usr/bin",
            "Tool hammer not found",
            "nope: file not found",
            "Unknown tool",
            "",
        ] {
            assert!(!says(text, "tool", "nope"), "{text}");
        }
        assert!(!says("Unknown tool", "tool", "...") && !says("unknown tool", "prompt", "tool"));
    }
}
