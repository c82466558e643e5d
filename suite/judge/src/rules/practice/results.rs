//! Results of tools: their size, and what lists say of themselves.

use std::collections::BTreeSet;

use serde_json::Value;

use super::page::{Page, blocks, format, limit, looks_like_json, text};
use super::{finding, some};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/results",
    judges: &[
        "practice.response.size-limit",
        "practice.response.truncated-json-valid",
        "practice.response.json-parses",
        "practice.response.markdown-is-readable",
        "practice.list.has-more",
        "practice.list.next-marker",
        "practice.list.total-count",
        "practice.list.count-matches",
        "practice.list.last-page-clean",
        "practice.list.limit-honoured",
    ],
    judge,
};

/// Characters that a model can be asked to read.
const LIMIT: usize = 25_000;

const WORDS: [(&str, &str); 10] = [
    ("Results are longer than 25,000 characters, which fills the model's context.", "at most 25,000 characters"),
    ("Long results are cut off in the middle of their JSON.", "JSON that parses, however much is left out"),
    ("With format json, the text is not JSON.", "JSON"),
    ("With format markdown, the text is JSON.", "human-readable text"),
    ("Pages of a list do not say whether there are more items.", "has_more"),
    ("Pages of a list say that there are more items, but not where.", "next_offset or next_cursor"),
    ("Pages of a list do not say how many items there are in total.", "total_count"),
    ("count is not the number of items.", "the number of items returned"),
    ("The last page of a list points to a next page.", "no next marker where has_more is false"),
    ("A list returns more items than its limit.", "at most as many items as requested"),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut bad: [BTreeSet<&str>; 10] = Default::default();
    for case in view.calls("tools/call").filter(Case::is_decided) {
        let Some(result) = case.result().filter(|_| !case.is_tool_error()) else { continue };
        let Some(tool) = case.tool().filter(|tool| view.tool(tool).is_some()) else { continue };
        let text = text(result);
        // What repeats the client's own long words is as long as they are.
        let echo = case.exchange.send.text.len();
        let mut verdicts = vec![(0, text.chars().count() <= LIMIT + echo)];
        verdicts.extend(size_if_untruncated(result));
        verdicts.extend(formatted(&case, result));
        if let Some(page) = Page::of(&case) {
            verdicts.extend(paged(&case, &page));
        }
        for (at, good) in verdicts {
            collector.witness(RULE.judges[at]);
            if !good {
                bad[at].insert(tool);
            }
        }
    }
    for ((id, tools), (message, expected)) in RULE.judges.iter().zip(bad).zip(WORDS) {
        if !tools.is_empty() {
            collector.fail(
                id,
                finding(message.to_owned(), expected, format!("in results of {}", some(tools.iter().copied()))),
            );
        }
    }
}

/// Near the limit of many servers. Each block is a text of its own: some servers give one for each entry.
fn size_if_untruncated(result: &Value) -> Option<(usize, bool)> {
    let long = blocks(result).find(|text| looks_like_json(text) && text.len() > 20_000)?;
    Some((1, wire::value(long).is_some()))
}

fn formatted(case: &Case<'_>, result: &Value) -> Option<(usize, bool)> {
    let mut texts = blocks(result).filter(|text| !text.trim().is_empty()).peekable();
    texts.peek()?;
    match format(case)? {
        "json" => Some((2, texts.all(|text| wire::value(text).is_some()))),
        "markdown" => {
            Some((3, !texts.all(|text| wire::value(text).is_some_and(|value| value.is_object() || value.is_array()))))
        }
        _ => None,
    }
}

fn paged(case: &Case<'_>, page: &Page) -> Vec<(usize, bool)> {
    let items = page.items.len() as u64;
    let mut found = vec![(4, page.more().is_some() || page.next().is_some())];
    match page.more() {
        Some(true) => found.push((5, page.next().is_some())),
        Some(false) => found.push((8, page.next().is_none())),
        None => {}
    }
    found.push((6, page.total().is_some_and(|total| total >= items)));
    found.extend(page.count().map(|count| (7, count == items)));
    found.extend(limit(case).filter(|limit| *limit > 0).map(|limit| (9, items <= limit)));
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::Status;

    use super::super::tests::listed;
    use super::RULE;
    use crate::testing::Script;

    fn call(arguments: Value, result: Value) -> Script {
        let properties = json!({"limit": {}, "offset": {}, "format": {}});
        let tool = json!([{"name": "list_it", "inputSchema": {"type": "object", "properties": properties}}]);
        listed(tool).plain("tools/call", json!({"name": "list_it", "arguments": arguments}), json!({"result": result}))
    }

    fn text(text: &str) -> Value {
        json!({"content": [{"type": "text", "text": text}]})
    }

    fn page(page: Value) -> Value {
        text(&page.to_string())
    }

    #[test]
    fn a_good_page_is_not_advised_against() {
        let good = json!({"items": [1, 2], "count": 2, "total_count": 5, "has_more": true, "next_offset": 2});
        let script = call(json!({"limit": 2, "format": "json"}), page(good));
        for id in RULE.judges {
            assert!(script.status_of(id) != Status::Fail, "{id}");
        }
    }

    #[test]
    fn each_advice_has_its_result() {
        let long = format!("[[{}", "1,".repeat(15_000));
        let cases = [
            (json!({}), text(&long)),
            (json!({}), text(&long)),
            (json!({"format": "json"}), text("# Things")),
            (json!({"format": "markdown"}), text("[1]")),
            (json!({}), page(json!({"items": []}))),
            (json!({}), page(json!({"items": [], "has_more": true}))),
            (json!({}), page(json!({"items": [1, 2], "total": 1}))),
            (json!({}), page(json!({"items": [1, 2], "count": 3}))),
            (json!({}), page(json!({"items": [], "has_more": false, "next_cursor": "x"}))),
            (json!({"limit": 1}), page(json!({"items": [1, 2]}))),
        ];
        for (id, (arguments, result)) in RULE.judges.iter().zip(cases) {
            assert_eq!(call(arguments, result).status_of(id), Status::Fail, "{id}");
        }
    }

    #[test]
    fn what_takes_no_pages_is_no_list() {
        let script = listed(json!([{"name": "get_it"}]));
        let script =
            script.plain("tools/call", json!({"name": "get_it"}), json!({"result": page(json!({"items": []}))}));
        assert_eq!(script.status_of("practice.list.has-more"), Status::NotObserved);
    }
}
