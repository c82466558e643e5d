//! Cursors that the server never issued.
//!
//! Where cursors are sort keys ("start behind this name") every string is valid. Such a server cannot give the whole
//! first page both for a string behind every name and for one before every name, so only who does so ignores cursors.

use verdict::{Finding, Intent, Key};
use wire::mcp::code;

use super::pages::{self, LISTS, List, Page};
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "pagination/invalid",
    judges: &["pagination.invalid-cursor-code", "pagination.cursor-wrong-type"],
    judge,
};

const CODE: &str = RULE.judges[0];
const TYPE: &str = RULE.judges[1];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::CursorInvalid).filter(Case::is_decided) {
        check_refusal(&case, collector);
    }
    check_ignored(view, collector);
    for case in view.probes(Intent::CursorType).filter(Case::is_decided) {
        wrong_type(&case, collector);
    }
}

/// The code of a refusal, and silence.
fn check_refusal(case: &Case<'_>, collector: &mut Collector) {
    let kind = case.about_str(Key::Kind);
    // What is too long may be refused for being too long, by whoever stands in between.
    if kind == Some("long") {
        return;
    }
    if case.error().is_some() {
        collector.check(CODE, case.error_code() == Some(code::INVALID_PARAMS), || {
            case.finding("An invalid cursor is refused with a code other than -32602.", "error -32602 (invalid params)")
        });
    } else if case.reply().is_none() && case.status().is_none() && kind == Some("high") {
        let finding = case.finding("An invalid cursor is not answered.", "error -32602 (invalid params)");
        collector.suspect(CODE, case, finding);
    }
}

/// Lists that give their first page for any cursor: one finding for the whole server.
fn check_ignored(view: &View<'_>, collector: &mut Collector) {
    let mut methods = Vec::new();
    let mut shown: Option<Case<'_>> = None;
    for session in view.judged() {
        for list in &LISTS {
            match accepted_cursor_probe(view, session, list) {
                Some((case, true)) if !methods.contains(&list.method) => {
                    methods.push(list.method);
                    shown.get_or_insert(case);
                }
                Some((_, false)) => collector.note(CODE, format!("{} accepts any string as a cursor", list.method)),
                _ => {}
            }
        }
    }
    if let Some(case) = shown {
        let finding = case.finding(
            "A cursor that was never issued is ignored: the client gets the first page instead of the next one and cannot tell.",
            "error -32602 (invalid params)",
        );
        collector.fail(CODE, Finding { actual: format!("the first page, from {}", methods.join(", ")), ..finding });
    }
}

/// The probe, when a list takes strings it never issued, and whether it merely gives its first page for them.
fn accepted_cursor_probe<'v>(view: &'v View<'v>, session: &'v Session<'v>, list: &List) -> Option<(Case<'v>, bool)> {
    let pages = pages::pages(view, session);
    let kind = |kind: &'static str| {
        let meant = move |page: &&Page<'_>| {
            page.list.method == list.method
                && page.has_intent(&[Some(Intent::CursorInvalid)])
                && page.case.about_str(Key::Kind) == Some(kind)
                && page.keys.is_some()
        };
        pages.iter().find(meant)
    };
    let (high, low) = (kind("high")?, kind("low"));
    let first = pages::first_page(view, session, list)?.keys.filter(|keys| !keys.is_empty())?;
    let same = |page: &Page<'_>| page.keys.as_ref() == Some(&first);
    let ignored = same(high) && low.is_some_and(same);
    (ignored || !same(high)).then_some((high.case, ignored))
}

fn wrong_type(case: &Case<'_>, collector: &mut Collector) {
    if case.error().is_some() {
        collector.check(TYPE, case.error_code() == Some(code::INVALID_PARAMS), || {
            case.finding(
                "A cursor that is not a string is refused with a code other than -32602.",
                "error -32602 (invalid params)",
            )
        });
    } else if let Some(list) = List::of(case).filter(|_| case.result().is_some()) {
        let finding = case.finding("A cursor that is not a string is accepted.", "error -32602 (invalid params)");
        collector.fail(TYPE, Finding { place: Some(list.method.to_owned()), ..finding });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::{CODE, TYPE};
    use crate::testing::Script;

    fn result(names: &[&str], next: Option<&str>) -> Value {
        let tools: Vec<Value> =
            names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
        let mut result = json!({"tools": tools});
        if let Some(next) = next {
            result["nextCursor"] = json!(next);
        }
        json!({"result": result})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "Invalid cursor"}})
    }

    fn start(next: Option<&str>) -> Script {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        script.plain("tools/list", json!({}), result(&["a", "b"], next))
    }

    fn cursor(script: Script, kind: &str, answer: Value) -> Script {
        script.probe_about(Intent::CursorInvalid, json!({"kind": kind}), "tools/list", json!({"cursor": kind}), answer)
    }

    fn typed(script: Script, answer: Value) -> Script {
        script.probe_about(Intent::CursorType, json!({"kind": "number"}), "tools/list", json!({"cursor": 42}), answer)
    }

    #[test]
    fn the_right_code_passes_and_another_fails() {
        assert_eq!(cursor(start(None), "high", error(-32602)).status_of(CODE), Status::Pass);
        assert_eq!(cursor(start(None), "high", error(-32603)).fails(), [CODE]);
        assert_eq!(cursor(start(None), "altered", error(-32603)).fails(), [CODE]);
    }

    #[test]
    fn a_server_that_ignores_the_cursor_breaks_the_should_once() {
        let script = cursor(start(None), "high", result(&["a", "b"], None));
        assert_eq!(script.status_of(CODE), Status::NotObserved, "one string alone proves nothing");
        let script = typed(cursor(script, "low", result(&["a", "b"], None)), result(&["a", "b"], None));
        assert_eq!(script.fails(), [CODE, TYPE]);
        assert_eq!(script.verdict(CODE).findings.len(), 1);
    }

    #[test]
    fn sort_keys_make_every_string_valid() {
        let script = cursor(start(None), "high", result(&[], None));
        let script = cursor(script, "low", result(&["a", "b"], None));
        assert_eq!(script.status_of(CODE), Status::NotObserved);
        assert_eq!(script.verdict(CODE).notes.len(), 1);
    }

    #[test]
    fn an_altered_cursor_may_be_a_valid_one_and_a_long_one_may_be_too_long() {
        let script = cursor(start(Some("2")), "altered", result(&["b"], None));
        let script = cursor(script, "long", error(-32600));
        assert_eq!(script.status_of(CODE), Status::NotObserved);
    }

    #[test]
    fn silence_is_looked_at_again() {
        let about = json!({"kind": "high"});
        let silent = |mut script: Script| {
            script.ask(Some((Intent::CursorInvalid, about.clone())), "tools/list", json!({"cursor": "zz"}));
            script.gave_up()
        };
        let once = silent(start(None));
        assert_eq!(once.status_of(CODE), Status::Inconclusive);
        assert_eq!(silent(start(None).session(true, json!({"tools": {}}))).status_of(CODE), Status::Fail);
    }

    #[test]
    fn a_number_as_cursor_is_an_invalid_parameter() {
        assert_eq!(typed(start(Some("2")), error(-32602)).status_of(TYPE), Status::Pass);
        assert_eq!(typed(start(Some("2")), error(-32603)).fails(), [TYPE]);
        assert_eq!(typed(start(Some("2")), result(&["a", "b"], Some("2"))).fails(), [TYPE]);
    }
}
