//! A request without cursor starts at the beginning, also after a walk that was not finished.
//!
//! No server promises the order of a list, so only a server whose two controls agree is judged.

use verdict::{Finding, Intent, Key};

use super::pages::{self, LISTS, Page};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "pagination/start", judges: &["pagination.without-cursor-first-page"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let all = pages::pages(view, session);
        for list in &LISTS {
            let pages: Vec<&Page<'_>> = all.iter().filter(|page| page.list.method == list.method).collect();
            session_list(&pages, collector);
        }
    }
    collector.not_observed(ID, "no list of this server has a second page");
}

fn session_list(pages: &[&Page<'_>], collector: &mut Collector) {
    let when = |when: &'static str| {
        let meant = move |page: &&&Page<'_>| {
            page.has_intent(&[Some(Intent::FirstPage)]) && page.case.about_str(Key::When) == Some(when)
        };
        pages.iter().filter(meant).copied()
    };
    let controls: Vec<&Page<'_>> = when("control").collect();
    let [before @ .., one, two] = &controls[..] else { return };
    if one.keys.is_none() || one.keys != two.keys || one.keys.as_ref().is_some_and(Vec::is_empty) {
        return;
    }
    let second = pages.iter().find(|page| page.has_intent(&[Some(Intent::SecondPage)])).copied();
    for page in when("partial") {
        // Of a server whose first control was another page, only one that shares no entry with the first says something.
        if !before.is_empty() && !page.shares_nothing(one) && page.keys != one.keys {
            continue;
        }
        compare(one, second, page, collector);
    }
}

fn compare(first: &Page<'_>, second: Option<&Page<'_>>, page: &Page<'_>, collector: &mut Collector) {
    let case = &page.case;
    if case.session.open.confirm {
        collector.repeated(ID);
    }
    if page.keys == first.keys {
        collector.witness(ID);
        return;
    }
    if page.keys.is_some() && first.changed_before(page) {
        return;
    }
    let finding = case.finding(
        "A list request without a cursor does not start at the beginning once a walk has begun, so clients miss entries.",
        "the first page, as before the walk",
    );
    let actual = match (page.set(), first.set()) {
        (None, _) => case.outcome(),
        _ if second.is_some_and(|second| second.keys == page.keys) => "the second page".to_owned(),
        _ if page.shares_nothing(first) => "a page with no entries of the first one".to_owned(),
        _ => "a different first page".to_owned(),
    };
    collector.suspect(ID, case, Finding { actual, place: Some(page.list.method.to_owned()), ..finding });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    fn list(script: Script, intent: Intent, when: &str, cursor: Option<&str>, uri: &str) -> Script {
        let params = cursor.map_or(json!({}), |cursor| json!({"cursor": cursor}));
        let answer = json!({"result": {"resources": [{"uri": uri, "name": "r"}], "nextCursor": "next"}});
        let about = if when.is_empty() { Value::Null } else { json!({"when": when}) };
        script.probe_about(intent, about, "resources/list", params, answer)
    }

    fn run(script: Script, controls: [&str; 2], after: &str) -> Script {
        let script = list(script, Intent::FirstPage, "control", None, controls[0]);
        let script = list(script, Intent::FirstPage, "control", None, controls[1]);
        let script = list(script, Intent::SecondPage, "", Some("next"), "x:2");
        list(script, Intent::FirstPage, "partial", None, after)
    }

    fn start() -> Script {
        Script::new(Revision::V2024_11_05, json!({"resources": {}}))
    }

    #[test]
    fn the_first_page_again_passes() {
        let script = run(start(), ["x:1", "x:1"], "x:1");
        assert_eq!(script.status_of(super::ID), Status::Pass);
    }

    #[test]
    fn a_server_that_remembers_where_it_was_fails() {
        let script = run(start(), ["x:1", "x:1"], "x:2");
        assert_eq!(script.status_of(super::ID), Status::Inconclusive);
        let script = run(script.session(true, json!({"resources": {}})), ["x:1", "x:1"], "x:2");
        assert_eq!(script.status_of(super::ID), Status::Fail);
    }

    /// The first control went on with an earlier walk, and the two after it began anew.
    #[test]
    fn a_third_control_counts_where_the_first_is_another_page() {
        let begun = || {
            let repeated = start().session(true, json!({"resources": {}}));
            list(repeated, Intent::FirstPage, "control", None, "x:3")
        };
        assert_eq!(run(begun(), ["x:1", "x:1"], "x:2").status_of(super::ID), Status::Fail);
        assert_eq!(run(begun(), ["x:1", "x:2"], "x:2").status_of(super::ID), Status::NotObserved);
    }

    #[test]
    fn a_list_without_an_order_is_not_judged() {
        let script = run(start(), ["x:1", "x:3"], "x:2");
        assert_eq!(script.status_of(super::ID), Status::NotObserved);
    }
}
