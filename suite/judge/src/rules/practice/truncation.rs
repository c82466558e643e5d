//! Results that were shortened: whether they say so, how much is missing, and how to get it.

use serde_json::Value;

use super::page::{Page, blocks, limit, looks_like_json, normalized_name, offset};
use super::sheet::{Sheet, Words};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/truncation",
    judges: &[
        "practice.response.truncation-flagged",
        "practice.response.truncation-guidance",
        "practice.response.truncation-metadata",
    ],
    judge,
};

const WORDS: &[Words] = &[
    Words {
        id: RULE.judges[0],
        what: "truncate a result silently, so a model mistakes a part for the whole",
        expected: "truncated true, or a sentence that says so",
    },
    Words {
        id: RULE.judges[1],
        what: "truncate a result and do not say how to get the rest",
        expected: "a sentence that names a parameter, as in \"use offset to see more\"",
    },
    Words {
        id: RULE.judges[2],
        what: "truncate a result and do not say how much is missing",
        expected: "how much is shown, and out of how much",
    },
];

/// Characters from which on something is cut.
const LONG: usize = 20_000;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut sheet = Sheet::default();
    for case in view.calls("tools/call").filter(Case::is_decided) {
        let Some(result) = case.result().filter(|_| !case.is_tool_error()) else { continue };
        let Some(tool) = case.tool().and_then(|tool| view.tool(tool)) else { continue };
        // What the client sent itself is none of the server's words.
        if case.exchange.send.text.to_lowercase().contains("truncat") {
            continue;
        }
        let notice = notice(result);
        if notice.is_empty() {
            if is_cut(&case, result) {
                sheet.note(RULE.judges[0], &case, false);
            }
            continue;
        }
        sheet.note(RULE.judges[0], &case, true);
        let names = tool.input_schema().and_then(|schema| schema.get("properties")?.as_object());
        let words: Vec<String> = words(&notice);
        let guides = names.into_iter().flatten().any(|(name, _)| words.contains(&normalized_name(name)));
        sheet.note(RULE.judges[1], &case, guides);
        sheet.note(RULE.judges[2], &case, numbers(&notice) >= 2);
    }
    sheet.tell(collector, WORDS);
}

fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').map(normalized_name).collect()
}

fn numbers(text: &str) -> usize {
    text.split(|letter: char| !letter.is_ascii_digit() && letter != ',')
        .filter(|word| word.starts_with(|first: char| first.is_ascii_digit()))
        .count()
}

/// Returns the parts of a result that can say it was shortened: in data the members other than lists, in text the paragraph.
fn notice(result: &Value) -> String {
    let mut said = String::new();
    let structured = result.get("structuredContent");
    for text in blocks(result) {
        let parsed = serde_json::from_str::<Value>(text).ok();
        match parsed.as_ref().filter(|value| value.is_object()) {
            Some(value) => said.push_str(&members(value)),
            None => text.lines().filter(|line| is_notice(line)).for_each(|line| {
                said.push_str(line);
                said.push('\n');
            }),
        }
    }
    said.push_str(&structured.map(members).unwrap_or_default());
    said
}

/// A line of its own that speaks of this result, not text about cutting things.
fn is_notice(line: &str) -> bool {
    let lower = line.to_lowercase();
    let marked = line.trim_start().starts_with(['[', '(', '*', '_', '.', '…', '>', '#', '-'])
        || lower.starts_with("truncated")
        || lower.starts_with("output truncated")
        || lower.starts_with("response truncated")
        || lower.starts_with("result");
    lower.contains("truncated") && marked && line.chars().count() < 400
}

/// The members of an object that says that it was shortened, without its lists.
fn members(value: &Value) -> String {
    let Some(object) = value.as_object() else { return String::new() };
    let flagged = object.iter().any(|(name, value)| {
        ["truncated", "istruncated"].contains(&normalized_name(name).as_str()) && *value == Value::Bool(true)
    });
    if !flagged {
        return String::new();
    }
    let scalars = object.iter().filter(|(_, value)| value.is_string() || value.is_number());
    scalars.map(|(name, value)| format!("{}: {value}\n", name.replace('_', " "))).collect()
}

/// Something is missing beyond doubt: JSON that breaks off, or a page of everything that is not everything.
fn is_cut(case: &Case<'_>, result: &Value) -> bool {
    let broken = |text: &str| {
        text.len() > LONG
            && looks_like_json(text)
            && serde_json::from_str::<Value>(text).is_err_and(|error| error.is_eof())
    };
    if blocks(result).any(broken) {
        return true;
    }
    let Some(page) = Page::of(case) else { return false };
    let silent = page.more() != Some(true) && page.next().is_none();
    let first = offset(case).is_none_or(|offset| offset == 0) && limit(case).is_none();
    let started = page.offset().is_none_or(|offset| offset == 0);
    silent
        && first
        && started
        && !page.items.is_empty()
        && page.total().is_some_and(|total| total > page.items.len() as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::Status;

    use super::super::tests::listed;
    use super::RULE;
    use crate::testing::Script;

    fn call(text: &str) -> Script {
        let properties = json!({"limit": {"type": "integer"}, "offset": {"type": "integer"}});
        let tool = json!([{"name": "shop_list", "inputSchema": {"type": "object", "properties": properties}}]);
        let result = json!({"result": {"content": [{"type": "text", "text": text}]}});
        listed(tool).plain("tools/call", json!({"name": "shop_list", "arguments": {}}), result)
    }

    fn data(value: Value) -> Script {
        call(&value.to_string())
    }

    #[test]
    fn what_says_all_is_good() {
        let said = json!({"items": [1], "truncated": true, "truncation_message": "1 of 9 are shown: use offset 1."});
        let line = "Text.\n[Truncated: 20 of 90 lines are shown; go on with offset 20.]";
        for script in [data(said), call(line)] {
            for id in RULE.judges {
                assert_eq!(script.status_of(id), Status::Pass, "{id}");
            }
        }
    }

    #[test]
    fn each_advice_has_its_result() {
        let broken = format!("[\"{}", "x".repeat(21_000));
        assert_eq!(call(&broken).status_of(RULE.judges[0]), Status::Fail);
        let part = json!({"items": [1, 2], "total": 9, "has_more": false});
        assert_eq!(data(part).status_of(RULE.judges[0]), Status::Fail);
        let mute = call("Text.\n[Truncated]");
        assert_eq!(mute.status_of(RULE.judges[1]), Status::Fail);
        assert_eq!(mute.status_of(RULE.judges[2]), Status::Fail);
    }

    #[test]
    fn pages_and_words_about_cutting_are_nothing_shortened() {
        let page = json!({"items": [1, 2], "total": 9, "has_more": true, "next_offset": 2});
        let prose = "The function returns a value that is truncated to two digits.";
        for script in [data(page), call(prose), call("A short text")] {
            assert_eq!(script.status_of(RULE.judges[0]), Status::NotObserved);
        }
    }
}
