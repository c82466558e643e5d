//! Rules about following nextCursor: it ends, pages go on, no entry comes twice.
//!
//! Judges the walks of `pages.rs`. What two walks show is a finding; what only one of them shows may be a list that
//! changed while it was walked, and is repeated in a fresh session before it counts.

use std::collections::BTreeSet;

use verdict::Finding;

use super::pages::{self, Ending, Page, Walk};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "pagination/walk",
    judges: &[
        "pagination.terminates",
        "pagination.issued-cursor-accepted",
        "pagination.cursor-continues",
        "pagination.no-duplicates",
    ],
    judge,
};

/// Pages without anything new after which a walk that was broken off is taken for endless.
const STALE: usize = 20;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for walks in pages::all(view) {
        for walk in &walks {
            check_terminates(view, walk, collector);
        }
        check_weigh("pagination.issued-cursor-accepted", &walks, refused, collector);
        check_weigh("pagination.cursor-continues", &walks, repeated_page, collector);
        check_weigh("pagination.no-duplicates", &walks, duplicate, collector);
    }
    for id in &RULE.judges[1..] {
        collector.not_observed(id, "no list of this server has a second page");
    }
}

/// The outcome of one walk for one requirement.
enum Seen<'v> {
    Nothing,
    Good,
    Bad(Case<'v>, Box<Finding>),
}

fn check_weigh<'v>(id: &'static str, walks: &[Walk<'v>], look: fn(&Walk<'v>) -> Seen<'v>, collector: &mut Collector) {
    let mut found = Vec::new();
    for walk in walks {
        if walk.last().case.session.open.confirm {
            collector.repeated(id);
        }
        match look(walk) {
            Seen::Nothing => {}
            Seen::Good => collector.witness(id),
            Seen::Bad(case, finding) => found.push((case, finding)),
        }
    }
    let twice = found.len() > 1;
    for (case, finding) in found {
        if twice { collector.fail(id, *finding) } else { collector.suspect(id, &case, *finding) }
    }
}

fn at_finding(finding: Finding, walk: &Walk<'_>) -> Finding {
    Finding { place: Some(walk.list.method.to_owned()), ..finding }
}

fn bad<'v>(page: &Page<'v>, walk: &Walk<'v>, finding: Finding) -> Seen<'v> {
    Seen::Bad(page.case, Box::new(at_finding(finding, walk)))
}

fn check_terminates(view: &View<'_>, walk: &Walk<'_>, collector: &mut Collector) {
    const ID: &str = "pagination.terminates";
    let looped = |walk: &Walk<'_>, actual: &str| Finding {
        actual: actual.to_owned(),
        ..at_finding(
            walk.last().case.finding(
                "Following nextCursor never ends, so a client that wants the whole list never stops asking.",
                "a last page without nextCursor",
            ),
            walk,
        )
    };
    match walk.ending() {
        Ending::Complete => collector.witness(ID),
        Ending::Refused => {}
        Ending::Repeats(cursor) if leads_back(view, walk, cursor) => {
            collector.fail(ID, looped(walk, "a cursor used before, and the same page as before"));
        }
        Ending::Cut if is_stale(walk) => {
            collector.fail(ID, looped(walk, "page after page, each with a nextCursor and no new entries"));
        }
        Ending::Repeats(_) | Ending::Cut => {
            collector.inconclusive(
                ID,
                format!("the walk through {} was cut off before it reached the end", walk.list.method),
            );
        }
    }
}

/// Whether the cursor was asked for twice in the session and gave the same page both times.
fn leads_back(view: &View<'_>, walk: &Walk<'_>, cursor: &str) -> bool {
    let pages = pages::pages(view, walk.last().case.session);
    let mut same = pages.iter().filter(|page| page.list.method == walk.list.method && page.cursor == Some(cursor));
    let Some(first) = same.find(|page| page.keys.is_some()) else { return false };
    same.any(|page| page.set() == first.set() && page.next == first.next)
}

/// Whether the last pages of the walk hold nothing that earlier ones had not, though there was something to hold.
fn is_stale(walk: &Walk<'_>) -> bool {
    let (head, tail) = walk.pages.split_at(walk.pages.len().saturating_sub(STALE));
    let known: BTreeSet<&str> = head.iter().filter_map(Page::set).flatten().collect();
    let filled = |page: &Page<'_>| page.keys.as_ref().is_some_and(|keys| !keys.is_empty());
    !head.is_empty()
        && tail.iter().all(filled)
        && tail.iter().filter_map(Page::set).flatten().all(|key| known.contains(key))
}

fn refused<'v>(walk: &Walk<'v>) -> Seen<'v> {
    let continued = walk.pages.iter().filter(|page| page.cursor.is_some());
    match continued.clone().find(|page| page.case.result().is_none()) {
        Some(page) => bad(
            page,
            walk,
            page.case.finding(
                "A cursor that the server has just issued is refused, so the rest of the list cannot be reached.",
                "a result with the next page",
            ),
        ),
        None if continued.count() > 0 => Seen::Good,
        None => Seen::Nothing,
    }
}

fn repeated_page<'v>(walk: &Walk<'v>) -> Seen<'v> {
    let mut seen = Seen::Nothing;
    for pair in walk.pages.windows(2) {
        let (Some(before), Some(after)) = (pair[0].set(), pair[1].set()) else { continue };
        if before.is_empty() || pair[0].changed_before(&pair[1]) {
            continue;
        }
        if before.is_disjoint(&after) {
            seen = Seen::Good;
            continue;
        }
        let actual =
            if before == after { "the same page again" } else { "a page that repeats entries of the previous page" };
        let finding = pair[1].case.finding(
            "The page for a cursor does not start after the page that issued it.",
            "the entries that follow, none of those on the previous page",
        );
        return bad(&pair[1], walk, Finding { actual: actual.to_owned(), ..finding });
    }
    seen
}

/// An entry on two pages. A walk that runs in a circle is left out: that is another finding.
fn duplicate<'v>(walk: &Walk<'v>) -> Seen<'v> {
    if walk.pages.len() < 2
        || matches!(walk.ending(), Ending::Repeats(_))
        || is_stale(walk)
        || walk.changed_before(walk.last())
    {
        return Seen::Nothing;
    }
    let mut known = BTreeSet::new();
    for page in &walk.pages {
        let Some(set) = page.set() else { continue };
        if let Some(key) = set.iter().find(|key| known.contains(**key)) {
            let finding = page.case.finding(
                "An entry appears on two pages of one walk, so clients show it twice.",
                "every entry on one page only",
            );
            let actual = format!("{} on two pages", quoted(key));
            return bad(page, walk, Finding { actual, ..finding });
        }
        known.extend(set.into_iter().map(str::to_owned));
    }
    Seen::Good
}

/// A key as evidence, shortened.
fn quoted(key: &str) -> String {
    let short: String = key.chars().take(80).collect();
    format!("{short:?}")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"tools": {}}))
    }

    fn page(names: &[&str], next: Value) -> Value {
        let tools: Vec<Value> =
            names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
        let mut result = json!({"tools": tools});
        if !next.is_null() {
            result["nextCursor"] = next;
        }
        json!({"result": result})
    }

    /// One walk: the pages by their names, each but the last with a cursor of its own.
    fn walk(mut script: Script, intent: Intent, pages: &[(&[&str], Value)]) -> Script {
        let mut params = json!({});
        for (names, next) in pages {
            script = script.probe(intent, "tools/list", params, page(names, next.clone()));
            params = json!({"cursor": next});
        }
        script
    }

    #[test]
    fn two_pages_and_an_end_pass() {
        let script = walk(start(), Intent::Walk, &[(&["a"], json!("2")), (&["b"], Value::Null)]);
        for id in super::RULE.judges {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn one_page_ends_and_says_nothing_of_cursors() {
        let script = walk(start(), Intent::Walk, &[(&["a"], Value::Null)]);
        assert_eq!(script.status_of("pagination.terminates"), Status::Pass);
        assert_eq!(script.status_of("pagination.no-duplicates"), Status::NotObserved);
    }

    #[test]
    fn an_empty_cursor_and_an_empty_page_are_legal() {
        let script = walk(start(), Intent::Walk, &[(&["a"], json!("")), (&[], json!("x")), (&["b"], Value::Null)]);
        assert!(script.fails().is_empty(), "{:?}", script.fails());
        assert_eq!(script.status_of("pagination.no-duplicates"), Status::Pass);
    }

    #[test]
    fn a_server_that_ignores_the_cursor_runs_in_a_circle() {
        let circle = [(&["a"][..], json!("1")), (&["a"][..], json!("1")), (&["a"][..], json!("1"))];
        let script = walk(walk(start(), Intent::Walk, &circle), Intent::WalkOnce, &circle);
        assert_eq!(script.fails(), ["pagination.terminates", "pagination.cursor-continues"]);
    }

    #[test]
    fn new_cursors_without_end_and_without_anything_new_are_a_circle_too() {
        let pages: Vec<_> = (0..40).map(|at| (&["a"][..], json!(at.to_string()))).collect();
        let script = walk(start(), Intent::Walk, &pages);
        assert_eq!(script.status_of("pagination.terminates"), Status::Fail);
    }

    #[test]
    fn a_long_list_that_was_cut_is_no_finding() {
        let names: Vec<String> = (0..40).map(|at| format!("t{at}")).collect();
        let names: Vec<[&str; 1]> = names.iter().map(|name| [name.as_str()]).collect();
        let pages: Vec<_> = names.iter().enumerate().map(|(at, name)| (&name[..], json!(at.to_string()))).collect();
        let verdict = walk(start(), Intent::Walk, &pages).verdict("pagination.terminates");
        assert_eq!(verdict.status, Status::Inconclusive);
    }

    #[test]
    fn a_refused_cursor_fails_when_both_walks_show_it() {
        let broken = |script: Script, intent: Intent| {
            let script = walk(script, intent, &[(&["a"], json!("2"))]);
            script.probe(
                intent,
                "tools/list",
                json!({"cursor": "2"}),
                json!({"error": {"code": -32602, "message": "no"}}),
            )
        };
        let once = broken(start(), Intent::Walk);
        assert_eq!(once.status_of("pagination.issued-cursor-accepted"), Status::Inconclusive);
        let twice = broken(once, Intent::WalkOnce);
        assert_eq!(twice.fails(), ["pagination.issued-cursor-accepted"]);
    }

    #[test]
    fn an_entry_on_two_pages_counts_only_when_it_is_seen_again() {
        let pages = [(&["a"][..], json!("2")), (&["b"][..], json!("3")), (&["a", "c"][..], Value::Null)];
        let once = walk(start(), Intent::Walk, &pages);
        assert_eq!(once.status_of("pagination.no-duplicates"), Status::Inconclusive);
        let sound = [(&["a"][..], json!("2")), (&["b"][..], json!("3")), (&["c"][..], Value::Null)];
        let fresh =
            walk(walk(once, Intent::WalkOnce, &sound).session(true, json!({"tools": {}})), Intent::Walk, &sound);
        assert_eq!(fresh.status_of("pagination.no-duplicates"), Status::Inconclusive);
        let verdict = fresh.verdict("pagination.no-duplicates");
        assert!(verdict.reason.is_some_and(|reason| reason.contains("not again in a fresh session")));
        let twice = walk(walk(start(), Intent::Walk, &pages), Intent::WalkOnce, &pages);
        assert_eq!(twice.fails(), ["pagination.no-duplicates"]);
    }

    #[test]
    fn overlapping_pages_do_not_continue() {
        let pages = [(&["a", "b"][..], json!("2")), (&["b", "c"][..], Value::Null)];
        let script = walk(walk(start(), Intent::Walk, &pages), Intent::WalkOnce, &pages);
        assert_eq!(script.fails(), ["pagination.cursor-continues", "pagination.no-duplicates"]);
    }
}
