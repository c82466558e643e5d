//! After invalid cursors the server goes on answering.
//!
//! Intent `first-page` with `about.when` `before` and `after`: requests without cursor around malformed cursors (intents
//! `cursor-invalid`, `cursor-type`) in one session.

use verdict::Finding;

use super::pages::{self, LISTS, Page};
use crate::view::End;
use crate::{Bench, Case, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "pagination/graceful", judges: &["pagination.invalid-cursor-graceful"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, bench: &mut Bench) {
    let malformed = |case: &Case<'_>| matches!(case.intent(), Some("cursor-invalid" | "cursor-type"));
    for case in view.cases().filter(malformed).filter(|case| matches!(case.exchange.end, End::Gone { alone: true })) {
        bench.fail(
            ID,
            case.finding("An invalid cursor ends the server or the connection.", "an error, and the connection stays"),
        );
    }
    for session in view.judged() {
        let all = pages::pages(view, session);
        for list in &LISTS {
            let of = |when: &'static str| {
                let mut pages = all.iter().filter(|page| page.list.method == list.method);
                pages.find(|page| page.meant(&[Some("first-page")]) && page.case.about_str("when") == Some(when))
            };
            if let (Some(before), Some(after)) = (of("before"), of("after")) {
                compare(before, after, bench);
            }
        }
    }
}

fn compare(before: &Page<'_>, after: &Page<'_>, bench: &mut Bench) {
    let case = &after.case;
    if case.session.open.confirm {
        bench.repeated(ID);
    }
    let Some(then) = before.set() else { return };
    if after.set().as_ref() == Some(&then) {
        bench.saw(ID);
        return;
    }
    if after.keys.is_some() && before.changed_before(after) {
        // What the list holds says nothing then, but it is served.
        bench.saw(ID);
        return;
    }
    let finding = case.finding("After invalid cursors the list is not served as before.", "the normal first page");
    let finding = Finding { place: Some(after.list.method.to_owned()), ..finding };
    if matches!(case.exchange.end, End::Gone { .. }) {
        bench.fail(ID, finding);
    } else if after.keys.is_some() {
        bench.suspect(ID, case, Finding { actual: "another first page".to_owned(), ..finding });
    } else {
        bench.suspect(ID, case, finding);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn plain(script: Script, when: &str, answer: Value) -> Script {
        script.probe_about("first-page", json!({"when": when}), "tools/list", json!({}), answer)
    }

    fn tools(name: &str) -> Value {
        json!({"result": {"tools": [{"name": name, "inputSchema": {"type": "object"}}]}})
    }

    fn run(script: Script, after: Value) -> Script {
        let script = plain(script, "before", tools("a"));
        let about = json!({"kind": "nul"});
        let refusal = json!({"error": {"code": -32602, "message": "no"}});
        let script = script.probe_about("cursor-invalid", about, "tools/list", json!({"cursor": "\u{0}"}), refusal);
        plain(script, "after", after)
    }

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"tools": {}}))
    }

    #[test]
    fn the_same_list_afterwards_passes() {
        assert_eq!(run(start(), tools("a")).status_of(ID), Status::Pass);
    }

    #[test]
    fn an_error_afterwards_fails_when_it_is_seen_again() {
        let broken = json!({"error": {"code": -32603, "message": "poisoned"}});
        let once = run(start(), broken.clone());
        assert_eq!(once.status_of(ID), Status::Inconclusive);
        assert_eq!(run(once.session(true, json!({"tools": {}})), broken).fails(), [ID]);
    }

    #[test]
    fn a_server_that_ends_fails_at_once() {
        let mut script = plain(start(), "before", tools("a")).settled();
        script.ask(Some(("cursor-invalid", json!({"kind": "huge"}))), "tools/list", json!({"cursor": "9"}));
        assert!(script.exits(101).fails().contains(&ID));
    }
}
