//! `resources/subscribe` and `resources/unsubscribe` until 2025-11-25, and the updates that follow.

use serde_json::Value;
use verdict::{Intent, Key, Transport};

use super::listen::{UPDATED as METHOD, listens, uris, within};
use crate::rules::common::check_invalid_params_refused;
use crate::rules::during::{frame_finding, param};
use crate::{Case, Collector, Exchange, Incoming, Rule, Session, View};

pub(super) const ASKED: Rule = Rule {
    name: "subscriptions/resource",
    judges: &[
        "subscriptions.resource.subscribe-accepted",
        "subscriptions.resource.unsubscribe-accepted",
        "subscriptions.resource.missing-uri",
        "subscriptions.resource.undeclared-refused",
    ],
    judge: check_asked,
};

pub(super) const UPDATED: Rule = Rule {
    name: "subscriptions/updated",
    judges: &[
        "subscriptions.resource.updated-on-change",
        "subscriptions.resource.updated-uri-known",
        "subscriptions.resource.updated-only-when-subscribed",
        "subscriptions.resource.quiet-after-unsubscribe",
    ],
    judge: check_updated,
};

fn check_asked(view: &View<'_>, collector: &mut Collector) {
    let tried: Vec<Case<'_>> = view.probes(Intent::Subscribe).filter(Case::is_decided).collect();
    if tried.iter().any(|case| case.result().is_some_and(Value::is_object)) {
        collector.witness("subscriptions.resource.subscribe-accepted");
    } else if let Some(case) = tried.first() {
        let message = "The server declares resources.subscribe, but none of the listed resources can be subscribed to.";
        collector.fail(
            "subscriptions.resource.subscribe-accepted",
            case.finding(message, "an empty result for some of them"),
        );
    }
    for case in view.probes(Intent::Unsubscribe).filter(Case::is_decided) {
        collector.check(
            "subscriptions.resource.unsubscribe-accepted",
            case.result().is_some_and(Value::is_object),
            || {
                case.finding(
                    "A subscription cannot be ended: resources/unsubscribe returns no result.",
                    "an empty result",
                )
            },
        );
    }
    for intent in [Intent::SubscribeIll, Intent::UnsubscribeIll] {
        for case in view.probes(intent).filter(Case::is_decided) {
            check_invalid_params_refused(
                &case,
                collector,
                "subscriptions.resource.missing-uri",
                "A subscription request without a uri",
            );
        }
    }
    if !view.declares("resources.subscribe") {
        for case in view.probes(Intent::UndeclaredSubscribe).filter(Case::is_decided) {
            collector.check("subscriptions.resource.undeclared-refused", case.result().is_none(), || {
                let message = "The server serves resources/subscribe but does not declare resources.subscribe.";
                case.finding(message, "error -32601")
            });
        }
    }
}

fn check_updated(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        for update in updates(session) {
            check_known(view, session, update, collector);
        }
        if view.revision.is_handshake() {
            check_before(session, collector);
            check_triggered(view, session, collector);
            check_quiet(session, collector);
        }
    }
}

fn updates<'v>(session: &'v Session<'v>) -> impl Iterator<Item = &'v Incoming<'v>> {
    session.incoming.iter().filter(|incoming| incoming.method() == Some(METHOD))
}

fn is(exchange: &Exchange<'_>, intent: Intent) -> bool {
    exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == intent)
}

/// The uris that were ever asked for before a moment, accepted or not.
fn watched<'v>(view: &'v View<'v>, session: &'v Session<'v>, before: u32) -> Vec<&'v str> {
    let old = session.exchanges.iter().filter(|exchange| exchange.seq < before);
    let messages = old.flat_map(|exchange| exchange.parsed.messages().iter());
    let subscribes = messages.filter(|message| message.method() == Some("resources/subscribe"));
    let mut all: Vec<&str> = subscribes.filter_map(|message| message.params()?.get("uri")?.as_str()).collect();
    for listen in listens(view, session) {
        all.extend(listen.filter().into_iter().flat_map(uris));
    }
    all
}

fn check_known(view: &View<'_>, session: &Session<'_>, update: &Incoming<'_>, collector: &mut Collector) {
    let Some(uri) = param(update, "uri").and_then(Value::as_str) else { return };
    let watched = watched(view, session, update.seq);
    if watched.is_empty() {
        let message = "The server sends an update for a resource before any resource was subscribed to.";
        let finding = frame_finding(update, message, "only updates for subscribed resources", METHOD);
        return collector.fail("subscriptions.resource.updated-only-when-subscribed", finding);
    }
    collector.witness("subscriptions.resource.updated-only-when-subscribed");
    // Servers may spell a uri another way.
    let plain = |uri: &str| uri.trim_end_matches('/').to_ascii_lowercase();
    let fits = watched.iter().any(|known| within(known, uri) || plain(known) == plain(uri) || uri.starts_with(known));
    collector.check("subscriptions.resource.updated-uri-known", fits, || {
        let message = "An update names a resource that nobody subscribed to.";
        frame_finding(update, message, "the URI of a subscribed resource, or of a part of it", "a different URI")
    });
}

/// Traffic before the first subscription.
fn check_before(session: &Session<'_>, collector: &mut Collector) {
    let subscribes = |exchange: &&Exchange<'_>| {
        exchange.parsed.messages().iter().any(|message| message.method() == Some("resources/subscribe"))
    };
    let first = session.exchanges.iter().find(subscribes).map_or(u32::MAX, |exchange| exchange.seq);
    if session.incoming.iter().filter(|incoming| incoming.is_answer() && incoming.seq < first).count() > 2 {
        collector.witness("subscriptions.resource.updated-only-when-subscribed");
    }
}

fn check_triggered(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    const ID: &str = "subscriptions.resource.updated-on-change";
    for exchange in session.exchanges.iter().filter(|exchange| is(exchange, Intent::UpdateTrigger)) {
        let case = Case { view, session, exchange };
        if case.about(Key::Watched) != Some(&Value::Bool(true)) || case.result().is_none() || case.is_tool_error() {
            continue;
        }
        if session.open.confirm {
            collector.repeated(ID);
        }
        let listens = |other: &&Exchange<'_>| {
            other.send.http.as_deref() == Some("GET") && other.status.is_some_and(|s| s.0 == 200)
        };
        if updates(session).any(|update| update.seq > exchange.seq) {
            collector.witness(ID);
        } else if view.transport == Transport::Http && !session.exchanges.iter().any(|other| listens(&other)) {
            collector.not_observed(ID, "no channel was open that could carry the notification");
        } else {
            let message =
                "A subscribed resource changed, but no notification arrived: clients keep using the old content.";
            let mut finding = case.finding(message, METHOD);
            finding.actual = "no notification".to_owned();
            collector.suspect(ID, &case, finding);
        }
    }
}

fn check_quiet(session: &Session<'_>, collector: &mut Collector) {
    const ID: &str = "subscriptions.resource.quiet-after-unsubscribe";
    let Some((from, _)) = session.probes.iter().find(|(_, probe)| probe.intent == Intent::Unsubscribed) else { return };
    let triggers =
        session.exchanges.iter().filter(|exchange| exchange.seq > *from && is(exchange, Intent::UpdateTrigger));
    if triggers.count() == 0 {
        return;
    }
    match updates(session).find(|update| update.seq > *from) {
        Some(update) => {
            let message = "Updates for a resource still arrive after it was unsubscribed.";
            collector.fail(ID, frame_finding(update, message, "no more updates for it", METHOD));
        }
        None => collector.witness(ID),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::METHOD;
    use crate::testing::Script;

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"resources": {"subscribe": true}}))
    }

    fn good() -> Value {
        json!({"result": {}})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    fn subscribe(script: Script, answer: Value) -> Script {
        script.probe(Intent::Subscribe, "resources/subscribe", json!({"uri": "a:b"}), answer)
    }

    fn update(script: Script, uri: &str) -> Script {
        script.says_json(&json!({"jsonrpc": "2.0", "method": METHOD, "params": {"uri": uri}}))
    }

    fn trigger(script: Script, watched: bool) -> Script {
        let about = json!({"watched": watched});
        let done = json!({"result": {"content": []}});
        script.probe_about(Intent::UpdateTrigger, about, "tools/call", json!({"name": "touch"}), done)
    }

    #[test]
    fn one_resource_that_can_be_subscribed_is_enough() {
        const ID: &str = "subscriptions.resource.subscribe-accepted";
        assert_eq!(subscribe(subscribe(start(), error(-32002)), good()).status_of(ID), Status::Pass);
        assert_eq!(subscribe(start(), error(-32601)).fails_in("subscriptions"), [ID]);
    }

    #[test]
    fn unsubscribing_works_and_a_uri_is_needed() {
        let script = subscribe(start(), good());
        let refused = script.probe(Intent::Unsubscribe, "resources/unsubscribe", json!({"uri": "a:b"}), error(-32601));
        assert_eq!(refused.fails_in("subscriptions"), ["subscriptions.resource.unsubscribe-accepted"]);
        let ill = |answer| start().probe(Intent::SubscribeIll, "resources/subscribe", json!({}), answer);
        assert_eq!(ill(good()).fails_in("subscriptions"), ["subscriptions.resource.missing-uri"]);
        assert!(ill(error(-32602)).fails_in("subscriptions").is_empty());
    }

    #[test]
    fn without_the_capability_it_is_refused_in_whatever_way() {
        const ID: &str = "subscriptions.resource.undeclared-refused";
        let ask = |answer| {
            let script = Script::new(Revision::V2025_11_25, json!({"resources": {}}));
            script.probe(Intent::UndeclaredSubscribe, "resources/subscribe", json!({"uri": "a:b"}), answer)
        };
        assert_eq!(ask(error(-32602)).status_of(ID), Status::Pass);
        assert_eq!(ask(good()).fails_in("subscriptions"), [ID]);
    }

    #[test]
    fn updates_are_of_what_is_subscribed() {
        let script = update(update(subscribe(start(), good()), "a:b"), "a:b/c");
        assert!(script.fails_in("subscriptions").is_empty());
        let other = update(subscribe(start(), good()), "x:y");
        assert_eq!(other.fails_in("subscriptions"), ["subscriptions.resource.updated-uri-known"]);
        assert_eq!(
            update(start(), "a:b").fails_in("subscriptions"),
            ["subscriptions.resource.updated-only-when-subscribed"]
        );
    }

    #[test]
    fn a_change_is_told_of_until_it_is_unsubscribed() {
        const ON: &str = "subscriptions.resource.updated-on-change";
        const QUIET: &str = "subscriptions.resource.quiet-after-unsubscribe";
        let told = update(trigger(subscribe(start(), good()), true), "a:b");
        assert_eq!(told.status_of(ON), Status::Pass);
        assert_eq!(trigger(subscribe(start(), good()), true).status_of(ON), Status::Inconclusive);
        let quiet = || trigger(subscribe(start(), good()).means(Intent::Unsubscribed, Value::Null), false);
        assert_eq!(quiet().status_of(QUIET), Status::Pass);
        assert_eq!(update(quiet(), "a:b").fails_in("subscriptions"), [QUIET]);
    }
}
