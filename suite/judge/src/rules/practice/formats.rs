//! Tools that let the caller choose between Markdown and JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use verdict::{Intent, Key};

use super::page::{Page, blocks, format_schema, text};
use super::probed;
use super::sheet::{Sheet, Words};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/formats",
    judges: &[
        "practice.response.markdown-default",
        "practice.response.json-complete",
        "practice.response.json-consistent",
        "practice.response.markdown-structured",
        "practice.response.markdown-timestamps",
    ],
    judge,
};

const WORDS: &[Words] = &[
    Words {
        id: RULE.judges[0],
        what: "return JSON when no format is requested, which is harder for people and models to read than Markdown",
        expected: "Markdown by default",
    },
    Words {
        id: RULE.judges[1],
        what: "omit from their JSON ids that their Markdown shows",
        expected: "at least what the Markdown shows",
    },
    Words {
        id: RULE.judges[2],
        what: "return lists whose entries differ in their members or in the types of those members",
        expected: "the same members with the same types; null for unknown values",
    },
    Words {
        id: RULE.judges[3],
        what: "return long Markdown without headings, lists, tables or emphasis",
        expected: "structure that shows what belongs together",
    },
    Words {
        id: RULE.judges[4],
        what: "show times as numbers in Markdown, which neither people nor models read well",
        expected: "dates, as in 2026-01-12 15:00 UTC",
    },
];

/// Lines from which on text wants structure.
const LONG: usize = 6;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut sheet = Sheet::default();
    let mut by_tool: BTreeMap<&str, BTreeMap<&str, Case<'_>>> = BTreeMap::new();
    for case in probed(view, Intent::PracticeFormat).filter(Case::is_decided) {
        let known = case.result().is_some() && !case.is_tool_error();
        if let (Some(tool), Some(format), true) = (case.about_str(Key::Tool), case.about_str(Key::Format), known) {
            by_tool.entry(tool).or_default().entry(format).or_insert(case);
        }
    }
    for forms in by_tool.values() {
        by_default(forms, &mut sheet);
        complete(forms, &mut sheet);
        if let Some(case) = forms.get("markdown") {
            markdown(case, &mut sheet);
        }
    }
    for case in view.calls("tools/call").filter(Case::is_decided) {
        let Some(entries) = entries(&case) else { continue };
        sheet.note(RULE.judges[2], &case, is_consistent(&entries));
    }
    sheet.tell(collector, WORDS);
}

fn answer_summary(case: &Case<'_>) -> String {
    case.result().map(text).unwrap_or_default()
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object() || value.is_array())
}

/// The schema says it, or the text does.
fn by_default(forms: &BTreeMap<&str, Case<'_>>, sheet: &mut Sheet) {
    let Some(case) = forms.get("default") else { return };
    let declared = format_schema(case).and_then(|schema| schema.get("default")?.as_str());
    let good = declared.map_or_else(|| !is_json(&answer_summary(case)), |name| name != "json");
    sheet.note(RULE.judges[0], case, good);
}

fn complete(forms: &BTreeMap<&str, Case<'_>>, sheet: &mut Sheet) {
    let (Some(markdown), Some(json)) = (forms.get("markdown"), forms.get("json")) else { return };
    let (shown, whole) = (answer_summary(markdown), json.result().map(Value::to_string).unwrap_or_default());
    let ids = ids(&shown);
    if !ids.is_empty() && !is_json(&shown) {
        sheet.note(RULE.judges[1], json, ids.iter().all(|id| whole.contains(id)));
    }
}

/// Returns words in parentheses or backticks that can only be ids: letters and digits, and no quantity with a unit.
fn ids(text: &str) -> Vec<&str> {
    let parts = text.split(['(', ')', '`']).skip(1).step_by(2);
    let plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let kind = |word: &&str| {
        let letters = word.bytes().any(|byte| byte.is_ascii_alphabetic());
        word.len() >= 4 && letters && word.bytes().any(|byte| byte.is_ascii_digit())
    };
    let named = |word: &&str| word.starts_with(|first: char| first.is_ascii_alphabetic()) || word.len() >= 16;
    parts.filter(plain).filter(kind).filter(named).collect()
}

fn markdown(case: &Case<'_>, sheet: &mut Sheet) {
    let text = answer_summary(case);
    if is_json(&text) {
        return;
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.len() >= LONG {
        sheet.note(RULE.judges[3], case, lines.iter().any(|line| is_marked(line)));
    }
    sheet.note(RULE.judges[4], case, !lines.iter().any(|line| has_epoch(line)));
}

fn is_marked(line: &str) -> bool {
    let numbered = line.split_once(['.', ')']).is_some_and(|(head, _)| head.parse::<u32>().is_ok());
    ["#", "- ", "* ", "+ ", "|", "> ", "```"].iter().any(|mark| line.starts_with(mark))
        || numbered
        || line.contains("**")
        || line.contains('`')
}

/// A number of ten or thirteen digits beside a word about time.
fn has_epoch(line: &str) -> bool {
    const WORDS: [&str; 9] = ["time", "date", "created", "updated", "modified", "expires", "since", "seen", "started"];
    let lower = line.to_lowercase();
    let numbers = line.split(|letter: char| !letter.is_ascii_digit());
    let epoch = |number: &str| matches!(number.len(), 10 | 13) && number.starts_with('1');
    WORDS.iter().any(|word| lower.contains(word)) && numbers.into_iter().any(epoch)
}

/// The entries of a list that a tool gives: where pages or formats are chosen, so that it is one.
fn entries<'v>(case: &Case<'v>) -> Option<Vec<Map<String, Value>>> {
    let items = match Page::of(case) {
        Some(page) => page.items,
        None => {
            format_schema(case)?;
            let result = case.result().filter(|_| !case.is_tool_error())?;
            let structured = result.get("structuredContent").cloned();
            let value = structured.or_else(|| serde_json::from_str(blocks(result).next()?).ok())?;
            let members = value.as_object()?;
            members.values().filter_map(Value::as_array).max_by_key(|items| items.len())?.clone()
        }
    };
    let entries: Vec<Map<String, Value>> = items.into_iter().filter_map(|item| item.as_object().cloned()).collect();
    (entries.len() > 1).then_some(entries)
}

/// Whether entries are consistent; those that say by themselves that they are of several kinds may differ.
fn is_consistent(entries: &[Map<String, Value>]) -> bool {
    let kind = |entry: &Map<String, Value>| entry.get("type").or(entry.get("kind")).cloned();
    let Some(first) = entries.first() else { return true };
    entries.iter().filter(|entry| kind(entry) == kind(first)).all(|entry| {
        entry.len() == first.len()
            && first.iter().all(|(name, value)| entry.get(name).is_some_and(|other| is_alike(value, other)))
    })
}

fn is_alike(one: &Value, other: &Value) -> bool {
    one.is_null() || other.is_null() || std::mem::discriminant(one) == std::mem::discriminant(other)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Status};

    use super::super::tests::listed;
    use super::{RULE, has_epoch, ids};
    use crate::testing::Script;

    const GOOD: &str = "# Orders\n\n- Tea (order-17), updated 2026-01-12\n- Salt (order-18)\n";

    fn script(markdown: &str, json: &Value, default: &str) -> Script {
        let format = json!({"enum": ["markdown", "json"]});
        let tool = json!([{"name": "shop_list", "inputSchema": {"type": "object", "properties": {"format": format}}}]);
        let text = |text: &str| json!({"result": {"content": [{"type": "text", "text": text}]}});
        let json = json.to_string();
        let mut script = listed(tool);
        for (format, said) in [("markdown", markdown), ("json", json.as_str()), ("default", default)] {
            let mut arguments = json!({});
            if format != "default" {
                arguments["format"] = json!(format);
            }
            let about = json!({"tool": "shop_list", "format": format});
            let params = json!({"name": "shop_list", "arguments": arguments});
            script = script.probe_about(Intent::PracticeFormat, about, "tools/call", params, text(said));
        }
        script
    }

    fn orders() -> Value {
        json!({"orders": [{"id": "order-17", "note": null}, {"id": "order-18", "note": "salt"}]})
    }

    #[test]
    fn good_formats_are_good() {
        let script = script(&format!("{GOOD}\n- a\n- b\n- c\n"), &orders(), GOOD);
        for id in RULE.judges {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn each_advice_has_its_text() {
        let json = orders().to_string();
        assert_eq!(script(GOOD, &orders(), &json).status_of(RULE.judges[0]), Status::Fail);
        let few = json!({"orders": [{"id": "order-17"}]});
        assert_eq!(script(GOOD, &few, GOOD).status_of(RULE.judges[1]), Status::Fail);
        let odd = json!({"orders": [{"id": "order-17"}, {"id": "order-18", "note": 1}]});
        assert_eq!(script(GOOD, &odd, GOOD).status_of(RULE.judges[2]), Status::Fail);
        let typed = json!({"orders": [{"id": "order-17"}, {"id": 18}]});
        assert_eq!(script(GOOD, &typed, GOOD).status_of(RULE.judges[2]), Status::Fail);
        assert_eq!(script("a\nb\nc\nd\ne\nf\n", &orders(), GOOD).status_of(RULE.judges[3]), Status::Fail);
        assert_eq!(script("Updated: 1768230058", &orders(), GOOD).status_of(RULE.judges[4]), Status::Fail);
    }

    #[test]
    fn quantities_are_no_ids_and_long_numbers_no_times() {
        assert_eq!(ids("Size (10kB), page (3), `let x`, (order-17)"), ["order-17"]);
        assert!(!has_epoch("Phone: 1768230058") && !has_epoch("Updated 2026-01-12"));
        let kinds = json!({"all": [{"type": "a", "x": 1}, {"type": "b"}]});
        assert_eq!(script("Short.", &kinds, "Short.").status_of(RULE.judges[2]), Status::Pass);
        assert_eq!(script("Short.", &kinds, "Short.").status_of(RULE.judges[3]), Status::NotObserved);
    }
}
