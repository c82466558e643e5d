//! Requests that a cancellation must not affect: the handshake, and those beside the one whose stream was closed.

use verdict::{Intent, Key};

use crate::rules::jsonrpc::{failing, faltering};
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "cancellation/unharmed",
    judges: &["cancellation.initialize-not-cancelled", "cancellation.http-disconnect-harmless"],
    judge,
};

const INITIALIZE: &str = RULE.judges[0];
const DROPPED: &str = RULE.judges[1];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in &view.outsiders {
        let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
        let cases: Vec<_> = cases.filter(|case| case.intent() == Some(Intent::InitializeCancelled)).collect();
        // A client that was understood, at once or when it asks again, is connected.
        if cases.iter().any(|case| case.result().is_some()) {
            collector.witness(INITIALIZE);
        } else if let Some(first) = cases.first().filter(|_| session.open.continues.is_none()) {
            // Where other things were said ahead of it, it is asked again alone.
            check_opened(first, collector);
        }
    }
    for case in view.probes(Intent::BesideDropped) {
        check_beside(&case, collector);
    }
    if let Some(failing) = view.failing.as_ref().filter(|failing| failing::is_by_drop(view, failing)) {
        let finding = failing::finding(view, failing);
        finding.into_iter().for_each(|finding| collector.fail(DROPPED, finding.fells()));
    }
    if let Some(faltering) = view.faltering.as_ref().filter(|faltering| faltering::is_by_drop(view, faltering)) {
        let finding = faltering::finding(view, faltering);
        finding.into_iter().for_each(|finding| collector.fail(DROPPED, finding));
    }
}

fn check_opened(case: &Case<'_>, collector: &mut Collector) {
    let refused = case.status().is_some_and(|status| matches!(status, 401 | 403 | 429 | 503));
    let undecided = matches!(case.exchange.end, ExchangeEnd::Open | ExchangeEnd::Gone { alone: false });
    if refused || (undecided && case.answer().is_none()) {
        return;
    }
    let message = "A cancellation of initialize, which no client may send, prevents the handshake from completing.";
    collector.fail(INITIALIZE, case.finding(message, "the result of initialize, there or when it is sent again"));
}

fn check_beside(case: &Case<'_>, collector: &mut Collector) {
    let dropped = |exchange: &&crate::Exchange<'_>| {
        exchange.aborted.is_some()
            && exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::StreamDropped)
    };
    let Some(dropped) = case.session.exchanges.iter().find(dropped) else { return };
    if case.session.open.confirm {
        collector.repeated(DROPPED);
    }
    if case.exchange.failing {
        return;
    }
    if case.reply().is_some() && case.status().is_none_or(|status| status < 500) {
        return collector.witness(DROPPED);
    }
    let message = "When a client closes the stream of one request, another request fails as well.";
    let mut finding = case.finding(message, "an answer, as without the closed stream");
    finding.place = case.about_str(Key::When).map(str::to_owned);
    finding.wire.splice(0..0, Case { exchange: dropped, ..*case }.wire());
    // Silence may be load; a server that says that it failed did.
    if case.status().is_some() { collector.fail(DROPPED, finding) } else { collector.suspect(DROPPED, case, finding) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::transcript::{Kind, Open, Probe};
    use verdict::{Intent, Revision, Status, Transport};

    use super::{DROPPED, INITIALIZE};
    use crate::testing::Script;

    const OPENING: &str = r#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{}}"#;

    fn greeted() -> Script {
        Script::new(Revision::V2025_11_25, json!({})).outsider().raw(Intent::InitializeCancelled, Value::Null, OPENING)
    }

    #[test]
    fn a_handshake_cannot_be_cancelled() {
        let good = greeted().says(r#"{"jsonrpc":"2.0","id":"i","result":{}}"#);
        assert_eq!(good.status_of(INITIALIZE), Status::Pass);
        let error = greeted().says(r#"{"jsonrpc":"2.0","id":"i","error":{"code":-32800,"message":"cancelled"}}"#);
        assert_eq!(error.fails_in("cancellation"), [INITIALIZE]);
        let again = error.raw(Intent::InitializeCancelled, Value::Null, &OPENING.replace("\"i\"", "2"));
        assert_eq!(again.says(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#).status_of(INITIALIZE), Status::Pass);
        assert_eq!(greeted().gave_up().fails_in("cancellation"), [INITIALIZE]);
        assert_eq!(greeted().status_of(INITIALIZE), Status::NotObserved);
    }

    #[test]
    fn where_other_things_were_said_ahead_it_is_only_seen_that_it_is_not_cancelled() {
        let open = Open {
            transport: Transport::Stdio,
            purpose: "cancellation/initialize".into(),
            revision: None,
            confirm: false,
            outside: true,
            continues: Some(1),
        };
        let script = || Script::new(Revision::V2025_11_25, json!({})).bare_as(open.clone());
        let greeted = || script().raw(Intent::InitializeCancelled, Value::Null, OPENING);
        assert_eq!(greeted().gave_up().status_of(INITIALIZE), Status::NotObserved);
        assert_eq!(greeted().says(r#"{"jsonrpc":"2.0","id":"i","result":{}}"#).status_of(INITIALIZE), Status::Pass);
    }

    fn dropped(status: u16, body: &str, confirm: bool) -> Script {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({}));
        let script = if confirm { script.session(true, json!({})) } else { script };
        let post = |id: u32| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
        let script = script.request("POST", Intent::StreamDropped, Value::Null, &[], &post(70));
        let channel = script.last_channel();
        let script = script.add(Kind::Probe(Probe::new("session", Intent::Forsaken, json!({"channel": channel}))));
        let script = script.request("POST", Intent::BesideDropped, json!({"when": "meanwhile"}), &[], &post(71));
        if status == 0 { script.gave_up() } else { script.respond(status, &[], body) }
    }

    #[test]
    fn other_requests_go_on() {
        let body = r#"{"jsonrpc":"2.0","id":71,"result":{"tools":[]}}"#;
        assert_eq!(dropped(200, body, false).status_of(DROPPED), Status::Pass);
        assert_eq!(dropped(500, "", false).fails_in("cancellation"), [DROPPED]);
        let silent = |confirm: bool| dropped(0, "", confirm);
        assert_eq!(silent(false).status_of(DROPPED), Status::Inconclusive);
        assert_eq!(silent(true).fails_in("cancellation"), [DROPPED]);
    }
}
