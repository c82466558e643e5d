//! `notifications/initialized` is taken in silence, also with `params`, and what was declared is served after it.

use std::collections::BTreeSet;

use verdict::{Intent, Transport};

use super::handshake::{initialized_at, opened};
use crate::rules::jsonrpc::common::{felled, is_fatal};
use crate::view::ExchangeEnd;
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "lifecycle/initialized",
    judges: &["lifecycle.initialized.accepted", "lifecycle.initialized.serves-after"],
    judge,
};

const ACCEPTED: &str = RULE.judges[0];
const SERVES: &str = RULE.judges[1];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.sessions.iter().filter(|session| opened(view, session).is_some()) {
        for exchange in &session.exchanges {
            let case = Case { view, session, exchange };
            let ordinary = matches!(case.intent(), None | Some(Intent::InitializedWithParams));
            let notification = case.sent().is_some_and(|sent| sent.kind == wire::Kind::Notification);
            if ordinary && notification && case.method() == Some("notifications/initialized") {
                check_accepted(&case, collector);
            }
        }
    }
    for session in view.judged().filter(|session| opened(view, session).is_some()) {
        check_serves(view, session, collector);
    }
}

fn check_accepted(case: &Case<'_>, collector: &mut Collector) {
    let refused = case.status().is_some_and(|status| status >= 400);
    // Who has gone on to answer does not end because of it: it may end because nobody asks anything any more.
    if is_answered(case) || refused || is_fatal(case) {
        let message = "notifications/initialized, which every client sends, is answered or refused.";
        collector.fail(ACCEPTED, felled(case.finding(message, "no message (over HTTP: status 202)"), case));
    } else if case.answer().is_none() && matches!(case.exchange.end, ExchangeEnd::Settled | ExchangeEnd::Answered) {
        collector.witness(ACCEPTED);
    }
}

/// Whether something came back that can only be meant for it: an error without id may belong to anything else that was
/// sent by then and has no answer of its own.
fn is_answered(case: &Case<'_>) -> bool {
    let Some(answer) = case.answer() else { return false };
    let mut between =
        case.session.exchanges.iter().filter(|other| (case.exchange.seq + 1..answer.seq).contains(&other.seq));
    case.session.open.transport != Transport::Stdio || between.all(|other| !other.answers.is_empty())
}

/// The first list request after `initialized`. A list that is never served is the business of declared-served, unless
/// the server declared nothing that works.
fn check_serves(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    let Some(ready) = initialized_at(session) else { return };
    let lists = || {
        let later = session.exchanges.iter().filter(|exchange| exchange.seq > ready);
        let cases = later.map(|exchange| Case { view, session, exchange });
        cases.filter(|case| {
            is_declared(view, case) && matches!(case.intent(), None | Some(Intent::Walk | Intent::WalkOnce))
        })
    };
    let Some(first) = lists().next().filter(Case::is_decided) else { return };
    let same_later = lists().skip(1).any(|case| case.method() == first.method() && case.result().is_some());
    if first.result().is_some() {
        collector.witness(SERVES);
    } else if same_later || nothing_works(lists()) {
        let message =
            "The first request after the handshake is refused, though it is for a feature that the server declared.";
        collector.suspect(SERVES, &first, first.finding(message, "a result"));
        if first.error().is_some() {
            collector.fail(SERVES, first.finding(message, "a result"));
        }
    }
}

/// Several lists were asked for and none was served: it is not one feature that is missing.
fn nothing_works<'v>(lists: impl Iterator<Item = Case<'v>>) -> bool {
    let (mut methods, mut served) = (BTreeSet::new(), false);
    for case in lists {
        methods.insert(case.method());
        served |= case.result().is_some();
    }
    !served && methods.len() > 1
}

fn is_declared(view: &View<'_>, case: &Case<'_>) -> bool {
    match case.method() {
        Some("tools/list") => view.declares("tools"),
        Some("prompts/list") => view.declares("prompts"),
        Some("resources/list") => view.declares("resources"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::{ACCEPTED, SERVES};
    use crate::testing::Script;

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"tools": {}, "prompts": {}}))
    }

    fn tools() -> Value {
        json!({"result": {"tools": []}})
    }

    fn refusal() -> Value {
        json!({"error": {"code": -32000, "message": "not initialized"}})
    }

    #[test]
    fn silence_passes_and_is_not_known_before_something_settled_it() {
        assert_eq!(start().status_of(ACCEPTED), Status::NotObserved);
        assert_eq!(start().settled().status_of(ACCEPTED), Status::Pass);
    }

    #[test]
    fn a_server_that_ends_upon_it_fails_and_one_that_goes_on_first_does_not() {
        let ended = start().exits(0);
        assert_eq!(ended.status_of(ACCEPTED), Status::Fail);
        assert!(ended.verdict(ACCEPTED).findings.iter().all(|finding| finding.fell));
        let goes_on = start().plain("tools/list", json!({}), tools());
        assert_ne!(goes_on.exits(0).status_of(ACCEPTED), Status::Fail);
        let nobody_reads = start().means(Intent::ClosedStdout, json!({}));
        assert_ne!(nobody_reads.exits(2).status_of(ACCEPTED), Status::Fail);
    }

    #[test]
    fn an_error_for_the_notification_fails() {
        let script = start().says(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}"#);
        assert_eq!(script.status_of(ACCEPTED), Status::Fail);
    }

    #[test]
    fn an_error_without_id_may_be_for_what_came_after_it() {
        let script = start().raw(Intent::Unknown, Value::Null, "{");
        let script = script.says(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#);
        assert_eq!(script.status_of(ACCEPTED), Status::NotObserved);
    }

    #[test]
    fn over_http_the_status_counts() {
        let script = || Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        assert_eq!(script().status(202).status_of(ACCEPTED), Status::Pass);
        assert_eq!(script().status(400).fails(), [ACCEPTED]);
    }

    #[test]
    fn a_list_after_the_handshake_passes() {
        assert_eq!(start().plain("tools/list", json!({}), tools()).status_of(SERVES), Status::Pass);
    }

    #[test]
    fn a_server_that_is_not_ready_at_first_fails() {
        let script = start().plain("tools/list", json!({}), refusal()).plain("tools/list", json!({}), tools());
        assert_eq!(script.status_of(SERVES), Status::Fail);
    }

    #[test]
    fn a_server_that_serves_nothing_at_all_fails() {
        let script = start().plain("tools/list", json!({}), refusal()).plain("prompts/list", json!({}), refusal());
        assert_eq!(script.status_of(SERVES), Status::Fail);
    }

    #[test]
    fn a_list_that_never_works_beside_others_is_another_finding() {
        let script = start().plain("tools/list", json!({}), refusal());
        let script = script.plain("prompts/list", json!({}), json!({"result": {"prompts": []}}));
        assert_eq!(script.status_of(SERVES), Status::NotObserved);
    }
}
