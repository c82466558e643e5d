//! Rules about repeated requests: two complete walks, one cursor used twice.
//!
//! Looks at the walks of `pages.rs`.

use std::collections::BTreeMap;

use verdict::{Finding, Intent};

use super::pages::{self, Ending, LISTS, Page, Walk};
use crate::{Collector, Rule, Session, View};

pub(super) const RULE: Rule =
    Rule { name: "pagination/repeat", judges: &["pagination.no-gaps", "pagination.stable-cursors"], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        for list in &LISTS {
            if let Some((first, again)) = pages::pair(view, session, list) {
                check_gaps(&first, &again, collector);
            }
        }
        check_cursors(view, session, collector);
    }
    collector.not_observed("pagination.stable-cursors", "no list of this server has a second page");
}

fn check_gaps(first: &Walk<'_>, again: &Walk<'_>, collector: &mut Collector) {
    const ID: &str = "pagination.no-gaps";
    if first.ending() != Ending::Complete || again.ending() != Ending::Complete {
        return;
    }
    let last = again.last().case;
    if last.session.open.confirm {
        collector.repeated(ID);
    }
    let (one, two) = (first.set(), again.set());
    if one == two {
        if !one.is_empty() {
            collector.witness(ID);
        }
    } else if first.changed_before(again.last()) {
        collector.note(
            ID,
            format!("{} returned different entries after the server announced a list change", first.list.method),
        );
    } else {
        let finding = last.finding(
            "Two walks through the same list return different entries, so a client cannot rely on having seen all of them.",
            "the same entries in both walks",
        );
        let (missing, more) = (one.difference(&two).count(), two.difference(&one).count());
        let actual = format!("the second walk lacks {missing} of the first walk's entries and has {more} others");
        collector.suspect(ID, &last, Finding { actual, place: Some(first.list.method.to_owned()), ..finding });
    }
}

fn check_cursors<'v>(view: &'v View<'v>, session: &'v Session<'v>, collector: &mut Collector) {
    // The survey was made before tools were called: it shows that a cursor was good, not what its page holds now.
    let meant = [None, Some(Intent::Walk), Some(Intent::WalkOnce), Some(Intent::WalkTwice), Some(Intent::CursorAgain)];
    let mut uses: BTreeMap<(&str, &str), Vec<Page<'v>>> = BTreeMap::new();
    for page in pages::pages(view, session).into_iter().filter(|page| page.has_intent(&meant)) {
        if let Some(cursor) = page.cursor {
            uses.entry((page.list.method, cursor)).or_default().push(page);
        }
    }
    for pages in uses.values() {
        let Some(good) = pages.iter().position(|page| page.keys.is_some()) else { continue };
        let surveyed = |page: &&Page<'v>| page.has_intent(&[None, Some(Intent::Walk)]);
        let known = pages[good..].iter().find(|page| !surveyed(page) && page.keys.is_some());
        for page in pages[good + 1..].iter().filter(|page| !surveyed(page)) {
            let first = if page.keys.is_some() { known } else { Some(&pages[good]) };
            if let Some(first) = first.filter(|first| first.case.exchange.seq < page.case.exchange.seq) {
                check_stable(first, page, collector);
            }
        }
    }
}

fn check_stable(first: &Page<'_>, page: &Page<'_>, collector: &mut Collector) {
    const ID: &str = "pagination.stable-cursors";
    let case = &page.case;
    if case.session.open.confirm {
        collector.repeated(ID);
    }
    if page.set() == first.set() {
        collector.witness(ID);
        return;
    }
    if first.changed_before(page) {
        return;
    }
    let mut finding = case.finding(
        "Using a cursor a second time does not return the same page, so a client cannot retry a failed request.",
        "the page that the cursor returned before",
    );
    finding.place = Some(page.list.method.to_owned());
    if page.keys.is_some() {
        // The list itself may have changed in between.
        finding.actual = "a different page".to_owned();
        collector.suspect(ID, case, finding);
    } else if case.error().is_some() {
        collector.fail(ID, finding);
    } else {
        collector.suspect(ID, case, finding);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    fn list(script: Script, intent: Intent, cursor: Option<&str>, names: &[&str], next: Option<&str>) -> Script {
        let params = cursor.map_or(json!({}), |cursor| json!({"cursor": cursor}));
        let prompts: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
        let mut result = json!({"prompts": prompts});
        if let Some(next) = next {
            result["nextCursor"] = json!(next);
        }
        script.probe(intent, "prompts/list", params, json!({"result": result}))
    }

    fn start() -> Script {
        Script::new(Revision::V2025_06_18, json!({"prompts": {}}))
    }

    #[test]
    fn equal_walks_pass() {
        let script = list(start(), Intent::WalkOnce, None, &["a", "b"], None);
        let script = list(script, Intent::WalkTwice, None, &["b", "a"], None);
        assert_eq!(script.status_of("pagination.no-gaps"), Status::Pass);
        assert_eq!(script.status_of("pagination.stable-cursors"), Status::NotObserved);
    }

    #[test]
    fn a_missing_entry_fails_only_when_a_fresh_session_shows_it_too() {
        let pair = |script| {
            list(list(script, Intent::WalkOnce, None, &["a", "b"], None), Intent::WalkTwice, None, &["a"], None)
        };
        let once = pair(start());
        assert_eq!(once.status_of("pagination.no-gaps"), Status::Inconclusive);
        let again = pair(once.session(true, json!({"prompts": {}})));
        assert_eq!(again.fails(), ["pagination.no-gaps"]);
    }

    #[test]
    fn a_list_that_is_said_to_have_changed_is_no_finding() {
        let script = list(start(), Intent::WalkOnce, None, &["a", "b"], None);
        let script = script.says(r#"{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}"#);
        let script = list(script, Intent::WalkTwice, None, &["a"], None);
        assert_eq!(script.status_of("pagination.no-gaps"), Status::NotObserved);
    }

    #[test]
    fn a_cursor_may_be_used_twice() {
        let script = list(start(), Intent::WalkOnce, None, &["a"], Some("2"));
        let script = list(script, Intent::WalkOnce, Some("2"), &["b"], None);
        let script = list(script, Intent::CursorAgain, Some("2"), &["b"], None);
        assert_eq!(script.status_of("pagination.stable-cursors"), Status::Pass);
    }

    #[test]
    fn a_one_shot_cursor_fails() {
        let script = list(start(), Intent::WalkOnce, None, &["a"], Some("2"));
        let script = list(script, Intent::WalkOnce, Some("2"), &["b"], None);
        let gone = json!({"error": {"code": -32602, "message": "expired"}});
        let script = script.probe(Intent::CursorAgain, "prompts/list", json!({"cursor": "2"}), gone);
        assert_eq!(script.fails(), ["pagination.stable-cursors"]);
    }

    #[test]
    fn a_cursor_that_only_the_survey_could_use_fails() {
        let script = list(start(), Intent::Walk, None, &["a"], Some("2"));
        let script = list(script, Intent::Walk, Some("2"), &["b"], None);
        let script = list(script, Intent::WalkOnce, None, &["a"], Some("2"));
        let gone = json!({"error": {"code": -32602, "message": "expired"}});
        let script = script.probe(Intent::WalkOnce, "prompts/list", json!({"cursor": "2"}), gone);
        assert_eq!(script.status_of("pagination.stable-cursors"), Status::Fail);
    }

    #[test]
    fn a_page_that_changed_since_the_survey_is_no_finding() {
        let script = list(list(start(), Intent::Walk, None, &["a"], Some("2")), Intent::Walk, Some("2"), &["b"], None);
        let script = list(script, Intent::WalkOnce, Some("2"), &["b", "c"], None);
        let script = list(script, Intent::WalkTwice, Some("2"), &["b", "c"], None);
        assert_eq!(script.status_of("pagination.stable-cursors"), Status::Pass);
    }

    #[test]
    fn a_cursor_into_a_list_that_is_said_to_have_changed_is_not_judged() {
        let script = list(start(), Intent::WalkOnce, None, &["a"], Some("2"));
        let script = list(script, Intent::WalkOnce, Some("2"), &["b"], None);
        let script = script.says(r#"{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}"#);
        let script = list(script, Intent::CursorAgain, Some("2"), &["b", "c"], None);
        assert_eq!(script.status_of("pagination.stable-cursors"), Status::NotObserved);
    }

    #[test]
    fn another_page_for_the_same_cursor_is_looked_at_again() {
        let run = |script| {
            let script = list(script, Intent::WalkOnce, None, &["a"], Some("2"));
            let script = list(script, Intent::WalkOnce, Some("2"), &["b"], None);
            list(script, Intent::CursorAgain, Some("2"), &["c"], None)
        };
        let once = run(start());
        assert_eq!(once.status_of("pagination.stable-cursors"), Status::Inconclusive);
        let again = run(once.session(true, json!({"prompts": {}})));
        assert_eq!(again.fails(), ["pagination.stable-cursors"]);
    }
}
