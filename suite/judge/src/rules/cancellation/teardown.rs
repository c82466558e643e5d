//! A server that ends a subscription by itself says so: by `notifications/cancelled` with the id of the request, or by the
//! final result of the request. (The text contradicts itself on which of them: either will do.)

use verdict::Intent;

use crate::rules::during::{ACKNOWLEDGED, answer, param, request};
use crate::{Case, Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule { name: "cancellation/teardown", judges: &["cancellation.sent.on-teardown"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let over = session.probes.iter().find(|(_, probe)| probe.intent == Intent::TeardownOver);
        let cases = || session.exchanges.iter().map(|exchange| Case { view, session, exchange });
        let listen = cases().find(|case| case.intent() == Some(Intent::TeardownListen));
        let call = cases().find(|case| case.intent() == Some(Intent::TeardownCall));
        if let (Some(_), Some(listen), Some(call)) = (over, listen, call) {
            check_ended(session, &listen, &call, collector);
        }
    }
    collector.not_observed(
        ID,
        "needs a call that makes the server end the subscriptions of its clients: ends_subscriptions in the [triggers] table of mcp-conform.toml",
    );
}

fn check_ended(session: &Session<'_>, listen: &Case<'_>, call: &Case<'_>, collector: &mut Collector) {
    let acknowledged = session
        .incoming
        .iter()
        .any(|incoming| incoming.method() == Some(ACKNOWLEDGED) && incoming.seq < call.exchange.seq);
    let http = listen.http().is_some();
    if !acknowledged || call.result().is_none() || call.is_tool_error() {
        return collector.not_observed(
            ID,
            "the subscription was not acknowledged, or the call [triggers] ends_subscriptions failed",
        );
    }
    // On stdio nothing but a signal shows the end: there the user's word counts.
    if http && listen.closed().is_none() {
        return collector.not_observed(ID, "the call [triggers] ends_subscriptions did not end the subscription");
    }
    let id = request(listen.exchange).and_then(|message| message.member("id"));
    let cancels = |incoming: &Incoming<'_>| {
        incoming.method() == Some("notifications/cancelled") && param(incoming, "requestId") == id
    };
    let cancelled = session.incoming.iter().any(cancels);
    let answered = answer(session, listen.exchange).is_some_and(|answer| answer.seq > call.exchange.seq);
    if cancelled && answered {
        collector.note(ID, "the end of a subscription is signalled twice: with a cancellation and with a result");
    }
    collector.check(ID, cancelled || answered, || {
        let message =
            "The server ends a subscription silently: the client waits for changes that it will never be notified of.";
        listen.finding(message, "notifications/cancelled with the id of the request, or its result")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn told(signals: &[Value]) -> Script {
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {"listChanged": true}}));
        let script = script.unanswered(Intent::TeardownListen, "subscriptions/listen", json!({"notifications": {}}));
        let meta = json!({"io.modelcontextprotocol/subscriptionId": 2});
        let script = script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
            "params": {"notifications": {}, "_meta": meta}}));
        let script = script.probe(
            Intent::TeardownCall,
            "tools/call",
            json!({"name": "end"}),
            json!({"result": {"content": []}}),
        );
        signals.iter().fold(script, |script, signal| script.says_json(signal)).means(Intent::TeardownOver, Value::Null)
    }

    #[test]
    fn either_signal_will_do() {
        let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
        let result = json!({"jsonrpc": "2.0", "id": 2, "result": {"resultType": "complete"}});
        assert_eq!(told(std::slice::from_ref(&cancelled)).status_of(ID), Status::Pass);
        assert_eq!(told(std::slice::from_ref(&result)).status_of(ID), Status::Pass);
        let both = told(&[cancelled, result]).verdict(ID);
        assert_eq!((both.status, both.notes.len()), (Status::Pass, 1));
        assert_eq!(told(&[]).fails_in("cancellation"), [ID]);
    }
}
