//! Calls that take long.

use verdict::{Intent, Key};

use super::probed;
use super::sheet::{Sheet, Words};
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "practice/slow", judges: &["practice.timeout.answers", "practice.progress.long-operations"], judge };

const WORDS: &[Words] = &[
    Words {
        id: RULE.judges[0],
        what: "do not finish within three times the request time limit and report no progress, so nobody knows whether they hang",
        expected: "an answer, an error after the tool's own timeout, or progress",
    },
    Words {
        id: RULE.judges[1],
        what: "take longer than the request time limit and report no progress, though a token was sent",
        expected: "notifications/progress while the work continues",
    },
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut sheet = Sheet::default();
    for case in
        view.calls("tools/call").filter(|case| case.answer().is_some() && case.intent() == Some(Intent::ValidCall))
    {
        sheet.note(RULE.judges[0], &case, true);
    }
    for case in probed(view, Intent::PracticeLong) {
        let patient = case.about(Key::Patient).is_some_and(|patient| patient == true);
        let silent = case.exchange.end == ExchangeEnd::GaveUp && !has_progress(&case);
        match case.exchange.end {
            // Nothing is under way as far as is known: answers do not come from this server, be they lost or errors.
            ExchangeEnd::GaveUp if silent && view.loses_answers => {}
            ExchangeEnd::GaveUp => {
                sheet.note(RULE.judges[1], &case, !silent);
                if patient || !silent {
                    sheet.note(RULE.judges[0], &case, !silent);
                } else {
                    collector.inconclusive(RULE.judges[0], unended(&case));
                }
            }
            ExchangeEnd::Answered => sheet.note(RULE.judges[0], &case, true),
            _ => {}
        }
    }
    sheet.tell(collector, WORDS);
}

/// A call that takes very long and one that never ends look alike until somebody waits for it.
fn unended(case: &Case<'_>) -> String {
    let tool = case.tool().unwrap_or("a tool");
    format!(
        "`{tool}` did not end within the request time limit; with `--only {}` it is waited for three times as long",
        RULE.judges[0]
    )
}

/// About the token of this call, on whatever stream.
fn has_progress(case: &Case<'_>) -> bool {
    let token = case.param("_meta").and_then(|meta| meta.get("progressToken"));
    let same = |incoming: &&crate::Incoming<'_>| {
        let said = incoming.message().and_then(|message| message.params()?.get("progressToken"));
        incoming.method() == Some("notifications/progress") && said.is_some() && said == token
    };
    case.session.incoming.iter().any(|incoming| same(&incoming))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Status};

    use super::super::tests::listed;
    use super::RULE;
    use crate::testing::Script;

    fn long(patient: bool, progress: bool) -> Script {
        let params = json!({"name": "get_it", "_meta": {"progressToken": "long"}});
        let mut script = listed(json!([{"name": "get_it"}]));
        script.ask(Some((Intent::PracticeLong, json!({"tool": "get_it", "patient": patient}))), "tools/call", params);
        let note = |params: Value| json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        let script =
            if progress { script.says_json(&note(json!({"progressToken": "long", "progress": 1}))) } else { script };
        script.gave_up()
    }

    #[test]
    fn long_calls_show_progress() {
        assert_eq!(long(false, false).status_of(RULE.judges[1]), Status::Fail);
        assert_eq!(long(false, true).status_of(RULE.judges[1]), Status::Pass);
    }

    #[test]
    fn a_server_whose_answers_do_not_come_works_no_longer_for_that() {
        let script = long(true, false).means(Intent::Assumed, json!({"reading": "no-errors"}));
        assert_eq!(script.status_of(RULE.judges[1]), Status::NotObserved);
        assert_eq!(script.status_of(RULE.judges[0]), Status::NotObserved);
    }

    #[test]
    fn only_patience_shows_that_a_call_hangs() {
        assert_eq!(long(true, false).status_of(RULE.judges[0]), Status::Fail);
        assert_eq!(long(true, true).status_of(RULE.judges[0]), Status::Pass);
        assert_eq!(long(false, false).status_of(RULE.judges[0]), Status::Inconclusive);
        assert_eq!(long(false, true).status_of(RULE.judges[0]), Status::Pass);
    }

    #[test]
    fn answered_calls_are_answered() {
        let script = listed(json!([{"name": "get_it"}]));
        let about = json!({"tool": "get_it"});
        let answered = script.probe_about(
            Intent::ValidCall,
            about,
            "tools/call",
            json!({"name": "get_it"}),
            json!({"result": {}}),
        );
        assert_eq!(answered.status_of(RULE.judges[0]), Status::Pass);
    }
}
