//! A subscription stays open until the client ends it, and then it is over.

use verdict::{Intent, Key, Transport};

use super::acknowledged::offers_subscriptions;
use super::listen::{Listen, is_change, listens, tag};
use crate::rules::common::is_unserved;
use crate::rules::during::{answer, frame_finding, told_of};
use crate::{Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "subscriptions/open",
    judges: &[
        "subscriptions.listen.http-event-stream",
        "subscriptions.listen.stays-open",
        "subscriptions.cancel-stdio",
        "subscriptions.cancel-http",
        "subscriptions.no-state-across-reconnect",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    if !offers_subscriptions(view) {
        for id in RULE.judges {
            collector.not_applicable(id, "the server declares nothing that could be subscribed to");
        }
        return;
    }
    for session in view.judged() {
        for listen in listens(view, session) {
            if listen.case.intent() == Some(Intent::Listen) {
                check_stream(&listen, collector);
                check_stays(&listen, collector);
            }
            if listen.case.intent() == Some(Intent::ListenAgain) && view.transport == Transport::Http {
                check_again(session, &listen, collector);
            }
            if view.transport == Transport::Stdio {
                check_over(session, &listen, collector);
            }
        }
        check_fresh(view, session, collector);
    }
}

fn check_stream(listen: &Listen<'_>, collector: &mut Collector) {
    let case = &listen.case;
    if case.status() != Some(200) || case.error().is_some() {
        return;
    }
    let streams = case.media_type().as_deref() == Some("text/event-stream");
    collector.check("subscriptions.listen.http-event-stream", streams, || {
        let message = "A subscription is answered with a single JSON object, which cannot carry notifications.";
        case.finding(message, "Content-Type: text/event-stream")
    });
}

fn check_stays(listen: &Listen<'_>, collector: &mut Collector) {
    const ID: &str = "subscriptions.listen.stays-open";
    let case = &listen.case;
    if listen.acknowledgement().is_none() {
        return;
    }
    if case.session.open.confirm {
        collector.repeated(ID);
    }
    let ended = listen.ended().unwrap_or(u32::MAX);
    let answered = answer(case.session, case.exchange).is_some_and(|answer| answer.seq < ended);
    let closed = case.closed().is_some_and(|closed| closed.seq < ended);
    if answered || closed {
        let message = "The server ends a subscription by itself right after acknowledging it, so changes are missed.";
        return collector.suspect(ID, case, case.finding(message, "a subscription that stays open"));
    }
    collector.witness(ID);
}

/// A client that dropped a stream can open another one.
fn check_again(session: &Session<'_>, listen: &Listen<'_>, collector: &mut Collector) {
    const ID: &str = "subscriptions.cancel-http";
    let ordinary = session.exchanges.iter().any(|exchange| {
        exchange.seq > listen.case.exchange.seq && exchange.aborted.is_none() && !exchange.answers.is_empty()
    });
    if listen.acknowledgement().is_some() && ordinary {
        return collector.witness(ID);
    }
    if is_unserved(&listen.case) {
        return collector.not_observed(ID, "the server does not serve subscriptions/listen");
    }
    let message = "After the client closes a subscription stream, a new one is not served.";
    collector.suspect(
        ID,
        &listen.case,
        listen.case.finding(message, "an acknowledgement, and answers to other requests"),
    );
}

fn check_over(session: &Session<'_>, listen: &Listen<'_>, collector: &mut Collector) {
    const ID: &str = "subscriptions.cancel-stdio";
    let about = |probe: &verdict::transcript::Probe| {
        probe.intent == Intent::ListenOver && probe.get(Key::Id) == Some(listen.id)
    };
    let Some((from, _)) = session.probes.iter().find(|(_, probe)| about(probe)) else { return };
    if let Some(late) = listen.messages().find(|message| message.seq > *from) {
        let message = "Notifications on a subscription still arrive after the client cancelled it.";
        let expected = "nothing more for a cancelled subscription";
        return collector.fail(ID, told_of(listen.case.exchange, late, message, expected, "a notification"));
    }
    if answer(session, listen.case.exchange)
        .is_some_and(|answer| listen.ended().is_some_and(|ended| answer.seq > ended))
    {
        collector.note(ID, "a cancelled subscription is answered anyway");
    }
    collector.witness(ID);
}

/// A session that never subscribed hears nothing of the subscriptions of others.
fn check_fresh(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    const ID: &str = "subscriptions.no-state-across-reconnect";
    if !session.probes.iter().any(|(_, probe)| probe.intent == Intent::NoListen)
        || listens(view, session).next().is_some()
    {
        return;
    }
    let stray = session.incoming.iter().find(|incoming| is_change(incoming) || tag(incoming).is_some());
    match stray {
        Some(incoming) => {
            let message = "A new connection gets notifications that only an earlier one subscribed to.";
            collector.fail(
                ID,
                frame_finding(incoming, message, "nothing without a subscription on this connection", "a notification"),
            );
        }
        None => collector.witness(ID),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::super::listen::{ACKNOWLEDGED, ID};
    use crate::testing::Script;

    const OPEN: &str = "subscriptions.listen.stays-open";
    const OVER: &str = "subscriptions.cancel-stdio";

    fn capabilities() -> Value {
        json!({"tools": {"listChanged": true}})
    }

    fn message(method: &str, id: i64) -> Value {
        let mut params = json!({"_meta": {ID: id}});
        if method == ACKNOWLEDGED {
            params["notifications"] = json!({"toolsListChanged": true});
        }
        json!({"jsonrpc": "2.0", "method": method, "params": params})
    }

    fn listening() -> Script {
        let script = Script::new(Revision::V2026_07_28, capabilities());
        let script = script.unanswered(
            Intent::Listen,
            "subscriptions/listen",
            json!({"notifications": {"toolsListChanged": true}}),
        );
        script.says_json(&message(ACKNOWLEDGED, 2))
    }

    fn cancel(script: Script) -> Script {
        script.raw(
            Intent::Unknown,
            Value::Null,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#,
        )
    }

    fn result(script: Script) -> Script {
        script.says(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}"#)
    }

    #[test]
    fn it_stays_open_until_it_is_cancelled() {
        assert_eq!(listening().status_of(OPEN), Status::Pass);
        assert_eq!(result(listening()).status_of(OPEN), Status::Inconclusive);
        assert_eq!(result(cancel(listening())).status_of(OPEN), Status::Pass);
    }

    #[test]
    fn after_the_end_nothing_comes_but_what_was_under_way() {
        let changed = message("notifications/tools/list_changed", 2);
        let over = |script: Script| script.means(Intent::ListenOver, json!({"id": 2}));
        assert_eq!(over(cancel(listening()).says_json(&changed)).status_of(OVER), Status::Pass);
        assert_eq!(over(cancel(listening())).says_json(&changed).fails_in("subscriptions"), [OVER]);
        let answered = over(result(cancel(listening()))).verdict(OVER);
        assert_eq!((answered.status, answered.notes.len()), (Status::Pass, 1));
    }

    #[test]
    fn over_http_it_is_an_event_stream() {
        const STREAM: &str = "subscriptions.listen.http-event-stream";
        let text =
            json!({"jsonrpc": "2.0", "id": 70, "method": "subscriptions/listen", "params": {"notifications": {}}})
                .to_string();
        let post = || {
            let script = Script::over(Transport::Http, Revision::V2026_07_28, capabilities());
            script.request("POST", Intent::Listen, Value::Null, &[], &text)
        };
        let good =
            post().head(200, &[("content-type", "text/event-stream")]).sse(&message(ACKNOWLEDGED, 70).to_string());
        assert_eq!(good.status_of(STREAM), Status::Pass);
        let bad =
            post().head(200, &[("content-type", "application/json")]).says(r#"{"jsonrpc":"2.0","id":70,"result":{}}"#);
        assert_eq!(bad.status_of(STREAM), Status::Fail);
    }

    #[test]
    fn a_new_connection_hears_nothing() {
        const FRESH: &str = "subscriptions.no-state-across-reconnect";
        let fresh = || Script::new(Revision::V2026_07_28, capabilities()).means(Intent::NoListen, Value::Null);
        assert_eq!(fresh().status_of(FRESH), Status::Pass);
        let changed = message("notifications/tools/list_changed", 2);
        assert!(fresh().says_json(&changed).fails_in("subscriptions").contains(&FRESH));
    }
}
