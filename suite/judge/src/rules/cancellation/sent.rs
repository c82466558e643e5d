//! `notifications/cancelled` from the server: of its own requests until 2025-11-25, of subscriptions alone in 2026-07-28. Passive.

use wire::{Id, Kind};

use crate::rules::during::{frame_finding, is_listen, param, request};
use crate::{Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "cancellation/sent",
    judges: &["cancellation.sent.own-open-request", "cancellation.sent.only-listen"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let sent = session.incoming.iter().filter(|incoming| incoming.method() == Some("notifications/cancelled"));
        for cancelled in sent {
            // An id of another type, or none, is a matter of shape.
            let Some(id) = param(cancelled, "requestId").filter(|id| id.is_string() || id.is_number()) else {
                continue;
            };
            if view.revision.is_handshake() {
                check_own(session, cancelled, &Id::from_raw(&id.to_string()), collector);
            } else {
                check_listen(session, cancelled, id, collector);
            }
        }
    }
}

/// Whether the client has answered it meanwhile cannot be held against the server: the two may cross.
fn check_own(session: &Session<'_>, cancelled: &Incoming<'_>, id: &Id, collector: &mut Collector) {
    let asked = |incoming: &&Incoming<'_>| {
        let message = incoming.message().filter(|message| message.kind == Kind::Request);
        incoming.seq < cancelled.seq && message.and_then(|message| message.id.as_ref()).and_then(Id::key) == id.key()
    };
    let known = id.key().is_some() && session.incoming.iter().any(|incoming| asked(&incoming));
    collector.check("cancellation.sent.own-open-request", known, || {
        let message = "The server cancels a request that it did not send: a server can only cancel its own requests.";
        frame_finding(
            cancelled,
            message,
            "the requestId of one of the server's own requests",
            "an id that belongs to no such request",
        )
    });
}

fn check_listen(session: &Session<'_>, cancelled: &Incoming<'_>, id: &serde_json::Value, collector: &mut Collector) {
    let listens = session.exchanges.iter().filter(|exchange| exchange.seq < cancelled.seq && is_listen(exchange));
    let known = listens.filter_map(request).any(|message| message.member("id") == Some(id));
    collector.check("cancellation.sent.only-listen", known, || {
        let message =
            "The server sends a cancellation for something other than a subscription: servers cancel nothing else.";
        frame_finding(
            cancelled,
            message,
            "the requestId of a subscriptions/listen request from the client",
            "another id",
        )
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    fn cancelled(script: Script, id: Value) -> Script {
        script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}))
    }

    #[test]
    fn a_server_cancels_what_it_asked() {
        const ID: &str = "cancellation.sent.own-open-request";
        let start = || Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let asked = start().says(r#"{"jsonrpc":"2.0","id":"s1","method":"roots/list"}"#);
        assert_eq!(cancelled(asked, json!("s1")).status_of(ID), Status::Pass);
        assert_eq!(cancelled(start(), json!(1)).fails_in("cancellation"), [ID]);
        let other = start().says(r#"{"jsonrpc":"2.0","id":"1","method":"roots/list"}"#);
        assert_eq!(cancelled(other, json!(1)).fails_in("cancellation"), [ID]);
    }

    #[test]
    fn in_2026_it_ends_subscriptions_alone() {
        const ID: &str = "cancellation.sent.only-listen";
        let start = || Script::new(Revision::V2026_07_28, json!({"tools": {"listChanged": true}}));
        let listening = start().unanswered(Intent::Listen, "subscriptions/listen", json!({"notifications": {}}));
        assert_eq!(cancelled(listening, json!(2)).status_of(ID), Status::Pass);
        assert_eq!(cancelled(start(), json!(1)).fails_in("cancellation"), [ID]);
    }
}
