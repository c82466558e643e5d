//! The acknowledgement of a subscription: sent, first, with the right id, of what was asked for and is supported.

use serde_json::Value;
use verdict::{Intent, Key, Transport};
use wire::mcp::code;

use super::listen::{ACKNOWLEDGED, FLAGS, Listen, URIS, listens, tag, uris};
use crate::rules::common::is_unserved;
use crate::rules::during::told_of;
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "subscriptions/acknowledged",
    judges: &[
        "subscriptions.listen.implemented",
        "subscriptions.ack.sent",
        "subscriptions.ack.first",
        "subscriptions.ack.subscription-id",
        "subscriptions.ack.subset",
        "subscriptions.ack.unsupported-omitted",
        "subscriptions.ack.supported-honoured",
        "subscriptions.listen.empty-filter",
        "subscriptions.multiple",
    ],
    judge,
};

const IMPLEMENTED: &str = "subscriptions.listen.implemented";

fn judge(view: &View<'_>, collector: &mut Collector) {
    if !offers_subscriptions(view) {
        for id in RULE.judges {
            collector.not_applicable(id, "the server declares nothing that could be subscribed to");
        }
        return;
    }
    for session in view.judged() {
        for listen in listens(view, session) {
            if matches!(listen.case.intent(), Some(Intent::Listen | Intent::ListenAgain))
                && listen.case.error().is_some()
            {
                check_refused(&listen, collector);
            } else if matches!(listen.case.intent(), Some(Intent::Listen | Intent::ListenAgain | Intent::ListenEmpty)) {
                check_sent(&listen, collector);
            }
            if listen.acknowledgement().is_some() {
                check_of(&listen, collector);
            }
        }
    }
    check_several(view, collector);
}

/// Whether the server declares anything that a subscription could be about.
pub(super) fn offers_subscriptions(view: &View<'_>) -> bool {
    let capabilities = ["tools.listChanged", "prompts.listChanged", "resources.listChanged", "resources.subscribe"];
    capabilities.iter().any(|capability| view.declares(capability))
}

fn check_refused(listen: &Listen<'_>, collector: &mut Collector) {
    collector.check(IMPLEMENTED, listen.case.error_code() != Some(code::METHOD_NOT_FOUND), || {
        let message =
            "The server declares changes that can be subscribed to, but does not support subscriptions/listen.";
        listen.case.finding(message, "an acknowledgement")
    });
}

fn check_sent(listen: &Listen<'_>, collector: &mut Collector) {
    let empty = listen.case.intent() == Some(Intent::ListenEmpty);
    let id = if empty { "subscriptions.listen.empty-filter" } else { "subscriptions.ack.sent" };
    if listen.case.session.open.confirm {
        collector.repeated(id);
    }
    if listen.acknowledgement().is_some() {
        collector.witness(IMPLEMENTED);
        collector.witness(id);
        let flags = |filter: &Value| FLAGS.iter().any(|(flag, ..)| filter.get(flag) == Some(&Value::Bool(true)));
        if empty && listen.accepted().is_some_and(|filter| flags(filter) || uris(filter).next().is_some()) {
            let message = "An empty subscription is acknowledged as a non-empty one.";
            collector.fail(id, listen.case.finding(message, "an acknowledgement of an empty set"));
        }
        return;
    }
    if is_unserved(&listen.case) {
        return collector.not_observed(id, "the server does not serve subscriptions/listen");
    }
    if empty && listen.case.error().is_some() {
        let message = "An empty subscription is refused, though all members of the filter are optional.";
        return collector.fail(id, listen.case.finding(message, "an acknowledgement of an empty set"));
    }
    let message =
        "A subscription is not acknowledged, so the client does not know whether it will be notified of changes.";
    collector.suspect(id, &listen.case, listen.case.finding(message, ACKNOWLEDGED));
}

fn check_of(listen: &Listen<'_>, collector: &mut Collector) {
    let (Some(acknowledgement), case) = (listen.acknowledgement(), &listen.case) else { return };
    let first = listen.messages().next().is_none_or(|first| first.method() == Some(ACKNOWLEDGED));
    collector.check("subscriptions.ack.first", first, || {
        let message = "A message on a subscription arrives before its acknowledgement.";
        told_of(
            case.exchange,
            acknowledgement,
            message,
            "the acknowledgement as the first message",
            "a different message first",
        )
    });
    collector.check("subscriptions.ack.subscription-id", tag(acknowledgement) == Some(listen.id), || {
        let message =
            "The acknowledgement does not carry the id of the subscription, so the client cannot tell which one it is for.";
        let expected = "_meta io.modelcontextprotocol/subscriptionId equal to the request id, with the same type";
        let actual = if tag(acknowledgement).is_some() { "a different value or type" } else { "no such key" };
        told_of(case.exchange, acknowledgement, message, expected, actual)
    });
    // What an ill-typed filter asks for is the server's guess; that it should not guess is said elsewhere.
    let clear = case.intent() != Some(Intent::ListenIll);
    if let (Some(asked), Some(accepted), true) = (listen.filter(), listen.accepted(), clear) {
        check_sets(listen, asked, accepted, collector);
    }
}

fn check_sets(listen: &Listen<'_>, asked: &Value, accepted: &Value, collector: &mut Collector) {
    let (Some(acknowledgement), case) = (listen.acknowledgement(), &listen.case) else { return };
    let is = |filter: &Value, flag: &str| filter.get(flag) == Some(&Value::Bool(true));
    let extra = FLAGS.iter().any(|(flag, ..)| is(accepted, flag) && !is(asked, flag))
        || uris(accepted).any(|uri| !uris(asked).any(|wanted| wanted == uri));
    let tell = |message: &str, expected: &str, actual: &str| {
        told_of(case.exchange, acknowledgement, message, expected, actual)
    };
    collector.check("subscriptions.ack.subset", !extra, || {
        tell(
            "More is acknowledged than was requested.",
            "at most what the request names",
            "something that was not requested",
        )
    });
    let view = case.view;
    let watches = view.declares("resources.subscribe");
    let vain = FLAGS.iter().any(|(flag, capability, _)| is(accepted, flag) && !view.declares(capability))
        || (!watches && uris(accepted).next().is_some());
    let unsupported = FLAGS.iter().any(|(flag, capability, _)| is(asked, flag) && !view.declares(capability))
        || (!watches && uris(asked).next().is_some());
    if unsupported {
        collector.check("subscriptions.ack.unsupported-omitted", !vain, || {
            let message = "A notification type is acknowledged although the server does not declare its capability: the client waits for notifications that never come.";
            tell(message, "only types that the server declares", "a type that it does not declare")
        });
    }
    for (flag, capability, _) in FLAGS {
        if is(asked, flag) && view.declares(capability) {
            collector
                .check("subscriptions.ack.supported-honoured", is(accepted, flag), || honoured_finding(&tell, flag));
        }
    }
    if watches && case.about(Key::Listed) == Some(&Value::Bool(true)) && uris(asked).next().is_some() {
        collector.check("subscriptions.ack.supported-honoured", uris(accepted).next().is_some(), || {
            honoured_finding(&tell, URIS)
        });
    }
}

fn honoured_finding(tell: &dyn Fn(&str, &str, &str) -> verdict::Finding, member: &str) -> verdict::Finding {
    let message = "A notification type that the server declares is missing from the acknowledged set, so its changes never reach the client.";
    let mut finding = tell(message, "every declared type that was requested", "a declared type is missing");
    finding.place = Some(member.to_owned());
    finding
}

/// Two subscriptions of one client at the same time.
fn check_several(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let listens: Vec<Listen<'_>> =
            listens(view, session).filter(|listen| listen.case.intent() == Some(Intent::Listen)).collect();
        let [first, second, ..] = listens.as_slice() else { continue };
        // Over HTTP what was sent second may arrive first.
        let overtaken = view.transport == Transport::Http && first.acknowledgement().is_none();
        let (first, second) = if overtaken { (second, first) } else { (first, second) };
        if first.acknowledgement().is_none() {
            continue;
        }
        let own = second.acknowledgement().is_some_and(|acknowledgement| {
            view.transport == Transport::Http || tag(acknowledgement).is_some_and(|tag| tag == second.id)
        });
        if own {
            collector.witness("subscriptions.multiple");
        } else if first.acknowledgement().and_then(tag) == Some(first.id) {
            let message = "A second subscription is not acknowledged while a first one is open.";
            collector.suspect(
                "subscriptions.multiple",
                &second.case,
                second.case.finding(message, "an acknowledgement for each"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::super::listen::{ACKNOWLEDGED, ID};
    use super::IMPLEMENTED;
    use crate::testing::Script;

    fn start() -> Script {
        Script::new(Revision::V2026_07_28, json!({"tools": {"listChanged": true}, "resources": {"subscribe": true}}))
    }

    fn listen(script: Script, intent: Intent, filter: Value) -> Script {
        script.unanswered(intent, "subscriptions/listen", json!({"notifications": filter}))
    }

    fn acknowledge(script: Script, id: Value, filter: Value) -> Script {
        let params = json!({"_meta": {ID: id}, "notifications": filter});
        script.says_json(&json!({"jsonrpc": "2.0", "method": ACKNOWLEDGED, "params": params}))
    }

    fn tools() -> Value {
        json!({"toolsListChanged": true})
    }

    #[test]
    fn an_acknowledgement_of_what_was_asked_passes() {
        let all = json!({"toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["a:b"]});
        let script = acknowledge(listen(start(), Intent::Listen, all), json!(2), tools());
        assert!(script.fails_in("subscriptions").is_empty());
        for id in ["sent", "first", "subscription-id", "subset", "unsupported-omitted", "supported-honoured"] {
            let id = format!("subscriptions.ack.{id}");
            assert_eq!(script.status_of(&id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn none_at_all_fails_once_it_was_repeated() {
        let script = listen(start(), Intent::Listen, tools());
        assert_eq!(script.status_of("subscriptions.ack.sent"), Status::Inconclusive);
        let again = script.session(true, json!({"tools": {"listChanged": true}}));
        assert_eq!(listen(again, Intent::Listen, tools()).fails_in("subscriptions"), ["subscriptions.ack.sent"]);
    }

    #[test]
    fn an_unknown_method_fails_where_something_is_declared() {
        let error = json!({"error": {"code": -32601, "message": "no"}});
        let ask = |capabilities| {
            let script = Script::new(Revision::V2026_07_28, capabilities);
            script.probe(Intent::Listen, "subscriptions/listen", json!({"notifications": tools()}), error.clone())
        };
        assert_eq!(ask(json!({"tools": {"listChanged": true}})).fails_in("subscriptions"), [IMPLEMENTED]);
        assert_eq!(ask(json!({"tools": {}})).status_of(IMPLEMENTED), Status::NotApplicable);
    }

    #[test]
    fn the_id_counts_with_its_type() {
        for id in [json!("2"), json!(3)] {
            let script = acknowledge(listen(start(), Intent::Listen, tools()), id, tools());
            assert!(!script.fails_in("subscriptions").contains(&"subscriptions.ack.subset"));
            assert_ne!(script.status_of("subscriptions.ack.subscription-id"), Status::Pass);
        }
    }

    #[test]
    fn what_was_not_asked_for_or_is_not_supported_is_left_out() {
        let script =
            acknowledge(listen(start(), Intent::Listen, json!({"resourceSubscriptions": ["a:b"]})), json!(2), tools());
        assert_eq!(script.fails_in("subscriptions"), ["subscriptions.ack.subset"]);
        let asked = json!({"toolsListChanged": true, "promptsListChanged": true});
        let script = acknowledge(listen(start(), Intent::Listen, asked.clone()), json!(2), asked.clone());
        assert_eq!(script.fails_in("subscriptions"), ["subscriptions.ack.unsupported-omitted"]);
        let script = acknowledge(listen(start(), Intent::Listen, asked), json!(2), json!({}));
        assert_eq!(script.fails_in("subscriptions"), ["subscriptions.ack.supported-honoured"]);
    }

    #[test]
    fn a_subscription_to_nothing_is_one() {
        const EMPTY: &str = "subscriptions.listen.empty-filter";
        let script = listen(start(), Intent::ListenEmpty, json!({}));
        assert_eq!(acknowledge(script, json!(2), json!({"toolsListChanged": false})).status_of(EMPTY), Status::Pass);
        let refused = start().probe(
            Intent::ListenEmpty,
            "subscriptions/listen",
            json!({"notifications": {}}),
            json!({"error": {"code": -32602, "message": "no"}}),
        );
        assert_eq!(refused.fails_in("subscriptions"), [EMPTY]);
    }

    #[test]
    fn a_notification_before_it_fails() {
        let early =
            json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": {ID: 2}}});
        let script = acknowledge(listen(start(), Intent::Listen, tools()).says_json(&early), json!(2), tools());
        assert_eq!(script.fails_in("subscriptions"), ["subscriptions.ack.first"]);
    }

    #[test]
    fn two_at_once_are_two() {
        let both = || {
            listen(acknowledge(listen(start(), Intent::Listen, tools()), json!(2), tools()), Intent::Listen, tools())
        };
        assert_eq!(acknowledge(both(), json!(3), tools()).status_of("subscriptions.multiple"), Status::Pass);
        assert_eq!(both().status_of("subscriptions.multiple"), Status::Inconclusive);
    }
}
