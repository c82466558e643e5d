//! Pages of lists that tools give, asked for on purpose.

use std::collections::BTreeMap;

use serde_json::Value;
use verdict::{Intent, Key};

use super::page::{Page, limit, offset};
use super::probed;
use super::sheet::{Sheet, Words};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/pages",
    judges: &[
        "practice.list.default-page",
        "practice.list.limit-bounded",
        "practice.list.offset-echoed",
        "practice.list.next-advances",
        "practice.list.pages-agree-with-total",
    ],
    judge,
};

const WORDS: &[Words] = &[
    Words {
        id: RULE.judges[0],
        what: "return more than 50 entries when no limit is set, which fills the model's context",
        expected: "20 to 50 entries, and a way to get the rest",
    },
    Words {
        id: RULE.judges[1],
        what: "accept any limit, however large, so one call can load everything",
        expected: "a page of moderate size or an error, within the time limit",
    },
    Words {
        id: RULE.judges[2],
        what: "return a page that reports an offset other than the one requested",
        expected: "the requested offset",
    },
    Words {
        id: RULE.judges[3],
        what: "lead from page to page without making progress, so a model that follows never stops",
        expected: "different entries on each page, and an end",
    },
    Words {
        id: RULE.judges[4],
        what: "report a total other than the number of entries on all pages",
        expected: "a total that the pages add up to",
    },
];

/// Entries of a page that nobody set a limit for.
const MODERATE: usize = 50;
/// Entries that are everything.
const EVERYTHING: usize = 1_000;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut sheet = Sheet::default();
    let mut walks: BTreeMap<&str, Vec<(Case<'_>, Page)>> = BTreeMap::new();
    for case in probed(view, Intent::PracticePage).filter(Case::is_decided) {
        let kind = case.about_str(Key::Kind).unwrap_or_default();
        if kind == "huge" {
            bounded(&case, &mut sheet);
        }
        let Some(page) = Page::of(&case) else { continue };
        if kind == "default" && limit(&case).is_none() {
            sheet.note(RULE.judges[0], &case, page.items.len() <= MODERATE);
        }
        if let Some((asked, said)) = offset(&case).zip(page.offset()) {
            sheet.note(RULE.judges[2], &case, asked == said);
        }
        if let (Some(tool), "walk") = (case.tool(), kind) {
            walks.entry(tool).or_default().push((case, page));
        }
    }
    walks.values().for_each(|walk| walked(walk, &mut sheet));
    sheet.tell(collector, WORDS);
}

fn bounded(case: &Case<'_>, sheet: &mut Sheet) {
    let small = Page::of(case).is_none_or(|page| page.items.len() <= EVERYTHING);
    sheet.note(RULE.judges[1], case, case.answer().is_some() && small);
}

fn walked(walk: &[(Case<'_>, Page)], sheet: &mut Sheet) {
    for (at, (case, page)) in walk.iter().enumerate().skip(1) {
        let before = &walk[at - 1].1;
        let same = !page.items.is_empty() && page.items == before.items;
        let again = page.items.iter().filter(|item| item.is_object()).any(|item| repeats(walk, at, item));
        let stuck = page.items.is_empty() && page.more() == Some(true);
        sheet.note(RULE.judges[3], case, !(same || again || stuck));
    }
    let Some((case, last)) = walk.last() else { return };
    let Some(total) = last.total().filter(|_| last.more() == Some(false) || last.next().is_none()) else { return };
    let steady = walk.iter().all(|(_, page)| page.total() == Some(total));
    let from_start = walk.first().is_some_and(|(first, _)| offset(first).is_none_or(|offset| offset == 0));
    if steady && from_start && !sheet.is_bad(RULE.judges[3], case.tool().unwrap_or_default()) {
        let sum: usize = walk.iter().map(|(_, page)| page.items.len()).sum();
        sheet.note(RULE.judges[4], case, sum as u64 == total);
    }
}

/// On an earlier page.
fn repeats(walk: &[(Case<'_>, Page)], at: usize, item: &Value) -> bool {
    walk[..at].iter().any(|(_, page)| page.items.contains(item))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Status};

    use super::super::tests::listed;
    use super::RULE;
    use crate::testing::Script;

    fn script() -> Script {
        let properties = json!({"limit": {"type": "integer"}, "offset": {"type": "integer"}});
        listed(json!([{"name": "shop_list_orders", "inputSchema": {"type": "object", "properties": properties}}]))
    }

    fn page(script: Script, kind: &str, arguments: Value, page: &Value) -> Script {
        let result = json!({"result": {"content": [{"type": "text", "text": page.to_string()}]}});
        let about = json!({"tool": "shop_list_orders", "kind": kind});
        let params = json!({"name": "shop_list_orders", "arguments": arguments});
        script.probe_about(Intent::PracticePage, about, "tools/call", params, result)
    }

    fn items(from: u32, to: u32) -> Vec<Value> {
        (from..to).map(|id| json!({"id": id})).collect()
    }

    #[test]
    fn good_pages_are_good() {
        let script = page(script(), "default", json!({}), &json!({"items": items(0, 20), "has_more": true}));
        let script = page(script, "huge", json!({"limit": 1_000_000}), &json!({"items": items(0, 100)}));
        let first = json!({"items": items(0, 2), "total": 3, "has_more": true, "next_offset": 2, "offset": 0});
        let script = page(script, "walk", json!({"limit": 2, "offset": 0}), &first);
        let last = json!({"items": items(2, 3), "total": 3, "has_more": false, "offset": 2});
        let script = page(script, "walk", json!({"limit": 2, "offset": 2}), &last);
        for id in RULE.judges {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn each_advice_has_its_page() {
        let all = page(script(), "default", json!({}), &json!({"items": items(0, 60)}));
        assert_eq!(all.status_of(RULE.judges[0]), Status::Fail);
        let huge = page(script(), "huge", json!({"limit": 1_000_000}), &json!({"items": items(0, 2_000)}));
        assert_eq!(huge.status_of(RULE.judges[1]), Status::Fail);
        let params = json!({"name": "shop_list_orders", "arguments": {"limit": 1_000_000}});
        let mut silent = script();
        silent.ask(
            Some((Intent::PracticePage, json!({"tool": "shop_list_orders", "kind": "huge"}))),
            "tools/call",
            params,
        );
        assert_eq!(silent.gave_up().status_of(RULE.judges[1]), Status::Fail);
        let other = page(script(), "walk", json!({"offset": 2}), &json!({"items": [], "offset": 0}));
        assert_eq!(other.status_of(RULE.judges[2]), Status::Fail);
        let same = json!({"items": items(0, 2), "has_more": true, "next_offset": 2});
        let stuck = page(page(script(), "walk", json!({}), &same), "walk", json!({"offset": 2}), &same);
        assert_eq!(stuck.status_of(RULE.judges[3]), Status::Fail);
        let few = page(script(), "walk", json!({}), &json!({"items": items(0, 2), "total": 5, "has_more": false}));
        assert_eq!(few.status_of(RULE.judges[4]), Status::Fail);
    }

    #[test]
    fn plain_values_may_come_again_and_a_total_may_change() {
        let words = |more: bool| json!({"items": ["a", "b"], "total": 3, "has_more": more});
        let script = page(script(), "walk", json!({}), &json!({"items": ["a", "c"], "has_more": true, "total": 2}));
        let script = page(script, "walk", json!({"offset": 2}), &words(false));
        assert_eq!(script.status_of(RULE.judges[3]), Status::Pass);
        assert_eq!(script.status_of(RULE.judges[4]), Status::NotObserved);
    }
}
