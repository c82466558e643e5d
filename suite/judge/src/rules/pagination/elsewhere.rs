//! Cursors used where they were not issued: on another connection, for another list.

use verdict::{Finding, Intent, Level, Transport};

use super::pages::{self, LISTS, Page};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "pagination/elsewhere",
    judges: &["pagination.cursor-on-new-connection", "pagination.foreign-cursor"],
    judge,
};

const ELSEWHERE: &str = RULE.judges[0];
const FOREIGN: &str = RULE.judges[1];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        for page in pages::pages(view, session) {
            match page.case.intent() {
                Some(Intent::CursorElsewhere) => check_elsewhere(view, &page, collector),
                Some(Intent::CursorForeign) => check_foreign(view, &page, collector),
                _ => {}
            }
        }
    }
    collector.not_observed(ELSEWHERE, "no list of this server has a second page");
    collector.not_observed(FOREIGN, "the server does not have two lists, one of them with a second page");
}

fn check_elsewhere(view: &View<'_>, page: &Page<'_>, collector: &mut Collector) {
    let case = &page.case;
    if case.result().is_some() {
        collector.witness(ELSEWHERE);
    } else if view.transport == Transport::Stdio && case.error().is_none() {
        // A process that starts slowly, or not at all, says nothing of cursors.
        collector.not_observed(ELSEWHERE, "a second process of the server did not answer");
    } else if view.transport == Transport::Stdio {
        // Two processes need not share a list that is held in memory.
        let finding = finding(page, "A cursor works only with the process that issued it.");
        collector.suspect(ELSEWHERE, case, Finding { level: Some(Level::Advice), ..finding });
    } else {
        let message =
            "A cursor works only on the connection that issued it, though requests must not depend on a connection.";
        collector.suspect(ELSEWHERE, case, finding(page, message));
    }
}

fn finding(page: &Page<'_>, message: &str) -> Finding {
    let finding = page.case.finding(message, "a result with the next page");
    Finding { place: Some(page.list.method.to_owned()), ..finding }
}

fn check_foreign(view: &View<'_>, page: &Page<'_>, collector: &mut Collector) {
    let case = &page.case;
    // Plain offsets are interchangeable and harmless: a cursor that this list issues itself is none of another list, and an
    // empty one names none.
    let own = LISTS.iter().filter(|list| list.method == page.list.method);
    let issued = own.flat_map(|list| view.calls(list.method)).filter_map(Page::of).any(|own| own.next == page.cursor);
    if issued || page.cursor == Some("") {
        return;
    }
    if case.error().is_some() {
        collector.witness(FOREIGN);
    } else if case.result().is_some() && page.cursor.is_some_and(is_offset) {
        collector.note(FOREIGN, format!("{} accepts another list's cursor, which is a plain offset", page.list.method));
    } else if case.result().is_some() {
        let finding = case.finding(
            "A list accepts another list's cursor, so a client that mixes them up skips entries without noticing.",
            "error -32602 (invalid params)",
        );
        collector.fail(FOREIGN, Finding { place: Some(page.list.method.to_owned()), ..finding });
    }
}

/// Whether a cursor, as it is or decoded, is a number and at most the name of what it counts.
fn is_offset(cursor: &str) -> bool {
    use base64::Engine as _;
    use base64::alphabet::{STANDARD, URL_SAFE};
    use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let decoded = [STANDARD, URL_SAFE].iter().find_map(|alphabet| {
        let bytes = GeneralPurpose::new(alphabet, config).decode(cursor).ok()?;
        String::from_utf8(bytes).ok()
    });
    [Some(cursor.to_owned()), decoded].into_iter().flatten().any(|text| {
        let words: Vec<&str> =
            text.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let (numbers, names): (Vec<&str>, Vec<&str>) =
            words.into_iter().partition(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let counts = ["cursor", "index", "offset", "page", "skip", "start"];
        !numbers.is_empty()
            && names.iter().all(|name| name.len() == 1 || counts.contains(&name.to_ascii_lowercase().as_str()))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status, Transport};

    use super::{ELSEWHERE, FOREIGN};
    use crate::testing::Script;

    fn used(transport: Transport, confirm: bool, answer: Value) -> Script {
        let script = Script::over(transport, Revision::V2026_07_28, json!({"tools": {}}));
        let first = json!({"result": {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": [], "nextCursor": "c"}});
        let script = script.plain("tools/list", json!({}), first).session(confirm, json!({"tools": {}}));
        script.probe(Intent::CursorElsewhere, "tools/list", json!({"cursor": "c"}), answer)
    }

    #[test]
    fn a_cursor_works_on_another_connection() {
        let page = json!({"result": {"resultType": "complete", "tools": []}});
        assert_eq!(used(Transport::Http, false, page).status_of(ELSEWHERE), Status::Pass);
    }

    #[test]
    fn a_cursor_bound_to_a_connection_fails_and_one_bound_to_a_process_is_an_advice() {
        let refused = json!({"error": {"code": -32602, "message": "unknown cursor"}});
        assert_eq!(used(Transport::Http, true, refused.clone()).fails_in("pagination"), [ELSEWHERE]);
        assert_eq!(used(Transport::Http, false, refused.clone()).status_of(ELSEWHERE), Status::Inconclusive);
        let bound = used(Transport::Stdio, true, refused).verdict(ELSEWHERE);
        assert_eq!((bound.status, bound.level), (Status::Fail, Level::Advice));
    }

    #[test]
    fn a_foreign_cursor_is_refused() {
        let run = |cursor: &str, answer| {
            let script = Script::new(Revision::V2025_11_25, json!({"tools": {}, "prompts": {}}));
            let tools = json!({"result": {"tools": [], "nextCursor": cursor}});
            let script = script.plain("tools/list", json!({}), tools);
            script.probe(Intent::CursorForeign, "prompts/list", json!({"cursor": cursor}), answer)
        };
        let taken = || json!({"result": {"prompts": []}});
        assert_eq!(run("t2", json!({"error": {"code": -32602, "message": "no"}})).status_of(FOREIGN), Status::Pass);
        assert_eq!(run("tools-after-x", taken()).fails_in("pagination"), [FOREIGN]);
        for offset in ["10", "MTA=", "eyJvZmZzZXQiOjEwfQ==", "eyJvIjogMn0="] {
            let verdict = run(offset, taken()).verdict(FOREIGN);
            assert_eq!((verdict.status, verdict.notes.len()), (Status::NotObserved, 1), "{offset}");
        }
    }
}
