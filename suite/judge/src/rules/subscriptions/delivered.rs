//! Messages on subscriptions of 2026-07-28: tagged, only those that were requested, and none without one. Passive.

use verdict::{Intent, Transport};

use super::acknowledged::offers_subscriptions;
use super::listen::{Listen, UPDATED, is_change, listens, tag, uris};
use crate::rules::during::{carrier, frame_finding, is_listen, told_of};
use crate::{Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "subscriptions/delivered",
    judges: &[
        "subscriptions.notifications.tagged",
        "subscriptions.notifications.only-requested",
        "subscriptions.notifications.none-without-listen",
        "subscriptions.resource-updated-delivered",
    ],
    judge,
};

const TAGGED: &str = "subscriptions.notifications.tagged";
const REQUESTED: &str = "subscriptions.notifications.only-requested";
const NONE: &str = "subscriptions.notifications.none-without-listen";

fn judge(view: &View<'_>, collector: &mut Collector) {
    if view.revision.is_handshake() {
        return;
    }
    if !offers_subscriptions(view) {
        collector.not_applicable(TAGGED, "the server declares nothing that could be subscribed to");
        collector.not_applicable(REQUESTED, "the server declares nothing that could be subscribed to");
    }
    for session in view.judged() {
        let listens: Vec<Listen<'_>> = listens(view, session).collect();
        let changes: Vec<&Incoming<'_>> = session.incoming.iter().filter(|incoming| is_change(incoming)).collect();
        for change in &changes {
            check_one(view, session, &listens, change, collector);
        }
        if changes.is_empty() && listens.is_empty() && session.incoming.iter().filter(|i| i.is_answer()).count() > 1 {
            collector.witness(NONE);
        }
        check_updates(session, &listens, collector);
    }
}

fn check_one(
    view: &View<'_>,
    session: &Session<'_>,
    listens: &[Listen<'_>],
    change: &Incoming<'_>,
    collector: &mut Collector,
) {
    let open =
        || listens.iter().filter(|listen| listen.case.exchange.seq < change.seq && listen.case.error().is_none());
    let stream = carrier(session, change);
    let astray = view.transport == Transport::Http && !stream.is_some_and(is_listen);
    if open().next().is_none() || astray {
        let message = "The server sends a change notification although nobody subscribed to it there.";
        let expected = "such notifications only on an open subscription";
        return collector.fail(NONE, frame_finding(change, message, expected, change.method().unwrap_or_default()));
    }
    collector.witness(NONE);
    let own = match stream {
        Some(stream) => open().find(|listen| listen.case.exchange.seq == stream.seq),
        None => tag(change).and_then(|tag| open().find(|listen| listen.id == tag)),
    };
    let Some(listen) = own.filter(|listen| tag(change) == Some(listen.id)) else {
        let message = "A notification on a subscription does not carry the subscription's id, so a client with several subscriptions cannot tell them apart.";
        let expected =
            "_meta io.modelcontextprotocol/subscriptionId equal to the id of the subscriptions/listen request";
        let actual = if tag(change).is_some() { "an id that matches no open subscription" } else { "no such key" };
        return collector.fail(TAGGED, frame_finding(change, message, expected, actual));
    };
    collector.witness(TAGGED);
    collector.check(REQUESTED, listen.covers(change), || {
        let message = "A subscription delivers something that it did not request.";
        let actual = change.method().unwrap_or_default();
        told_of(listen.case.exchange, change, message, "only the types and resources that the request names", actual)
    });
}

/// A change that was brought about is told of.
fn check_updates(session: &Session<'_>, listens: &[Listen<'_>], collector: &mut Collector) {
    const ID: &str = "subscriptions.resource-updated-delivered";
    for (at, exchange) in session.exchanges.iter().enumerate() {
        let Some(probe) = exchange.send.probe.as_ref().filter(|probe| probe.intent == Intent::UpdateTrigger) else {
            continue;
        };
        let watching = |listen: &&Listen<'_>| {
            listen.case.exchange.seq < exchange.seq
                && listen.ended().is_none_or(|ended| ended > exchange.seq)
                && listen.accepted().is_some_and(|filter| uris(filter).next().is_some())
        };
        let (Some(listen), true) = (listens.iter().find(watching), exchange.answers.len() == 1) else { continue };
        let trigger = crate::Case { exchange, ..listen.case };
        if trigger.result().is_none() || trigger.is_tool_error() {
            continue;
        }
        if session.open.confirm {
            collector.repeated(ID);
        }
        let until = session.exchanges[at + 1..]
            .iter()
            .find(|next| next.send.probe.as_ref().is_some_and(|next| next.intent == probe.intent))
            .map_or(u32::MAX, |next| next.seq);
        let came = session.incoming.iter().any(|incoming| {
            incoming.method() == Some(UPDATED)
                && (exchange.seq..until).contains(&incoming.seq)
                && tag(incoming) == Some(listen.id)
        });
        if came {
            collector.witness(ID);
        } else {
            let case = crate::Case { exchange, ..listen.case };
            let message =
                "A watched resource changed, but no notification arrived: clients keep using the old content.";
            let mut finding = case.finding(message, UPDATED);
            finding.actual = "no notification".to_owned();
            collector.suspect(ID, &case, finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::super::listen::{ACKNOWLEDGED, ID};
    use super::{NONE, REQUESTED, TAGGED};
    use crate::testing::Script;

    const DELIVERED: &str = "subscriptions.resource-updated-delivered";

    fn start() -> Script {
        Script::new(Revision::V2026_07_28, json!({"tools": {"listChanged": true}, "resources": {"subscribe": true}}))
    }

    fn listening(filter: Value) -> Script {
        let script = start().unanswered(Intent::Listen, "subscriptions/listen", json!({"notifications": filter}));
        let params = json!({"_meta": {ID: 2}, "notifications": filter});
        script.says_json(&json!({"jsonrpc": "2.0", "method": ACKNOWLEDGED, "params": params}))
    }

    fn change(script: Script, method: &str, tag: Value, uri: &str) -> Script {
        let mut params = json!({});
        if !tag.is_null() {
            params["_meta"] = json!({ID: tag});
        }
        if !uri.is_empty() {
            params["uri"] = json!(uri);
        }
        script.says_json(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    const TOOLS: &str = "notifications/tools/list_changed";
    const UPDATED: &str = super::UPDATED;

    #[test]
    fn what_was_asked_for_passes_sub_resources_too() {
        let filter = json!({"toolsListChanged": true, "resourceSubscriptions": ["file:///a"]});
        let script = change(listening(filter.clone()), TOOLS, json!(2), "");
        let script = change(change(script, UPDATED, json!(2), "file:///a"), UPDATED, json!(2), "file:///a/b");
        assert!(script.fails_in("subscriptions").is_empty());
        assert_eq!((script.status_of(TAGGED), script.status_of(REQUESTED)), (Status::Pass, Status::Pass));
        assert_eq!(change(listening(filter), UPDATED, json!(2), "file:///ab").fails_in("subscriptions"), [REQUESTED]);
        let ill = listening(json!({"toolsListChanged": "yes"}));
        assert_eq!(change(ill, TOOLS, json!(2), "").status_of(REQUESTED), Status::Pass);
    }

    #[test]
    fn another_type_without_a_tag_or_without_a_subscription_fails() {
        let listening = || listening(json!({"toolsListChanged": false}));
        assert_eq!(change(listening(), TOOLS, json!(2), "").fails_in("subscriptions"), [REQUESTED]);
        assert_eq!(change(listening(), TOOLS, Value::Null, "").fails_in("subscriptions"), [TAGGED]);
        assert_eq!(change(start(), TOOLS, Value::Null, "").fails_in("subscriptions"), [NONE]);
    }

    #[test]
    fn a_change_that_was_caused_is_told_of() {
        let done = json!({"result": {"resultType": "complete", "content": []}});
        let filter = || json!({"resourceSubscriptions": ["file:///a"]});
        let trigger =
            |script: Script| script.probe(Intent::UpdateTrigger, "tools/call", json!({"name": "touch"}), done.clone());
        let told = change(trigger(listening(filter())), UPDATED, json!(2), "file:///a");
        assert_eq!(told.status_of(DELIVERED), Status::Pass);
        assert_eq!(trigger(listening(filter())).status_of(DELIVERED), Status::Inconclusive);
        assert_eq!(trigger(start()).status_of(DELIVERED), Status::NotObserved);
    }
}
