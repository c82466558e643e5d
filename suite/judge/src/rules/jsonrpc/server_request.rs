//! Requests that the server sends: none in 2026-07-28, before that with ids of their own and known methods. Passive.

use std::collections::HashSet;

use verdict::Transport;
use verdict::transcript::Via;
use wire::{Id, IdKey, Kind};

use super::common::frame;
use crate::{Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/server-request",
    judges: &[
        "jsonrpc.server-request.none",
        "jsonrpc.server-request.id-unique",
        "jsonrpc.server-request.known-methods",
    ],
    judge,
};

/// The requests that some revision lets a server send.
const KNOWN: [&str; 8] = [
    "ping",
    "sampling/createMessage",
    "roots/list",
    "elicitation/create",
    "tasks/get",
    "tasks/result",
    "tasks/list",
    "tasks/cancel",
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let mut ids = HashSet::new();
        for incoming in &session.incoming {
            if is_request(incoming) {
                check_request(session, incoming, &mut ids, collector);
            } else if incoming.is_answer() {
                collector.witness("jsonrpc.server-request.none");
            }
        }
    }
}

fn is_request(incoming: &Incoming<'_>) -> bool {
    incoming.message().is_some_and(|message| message.kind == Kind::Request)
}

fn check_request(
    session: &Session<'_>,
    incoming: &Incoming<'_>,
    ids: &mut HashSet<(u32, IdKey)>,
    collector: &mut Collector,
) {
    let method: String = incoming.method().unwrap_or_default().chars().take(80).collect();
    collector.fail(
        "jsonrpc.server-request.none",
        frame(
            incoming,
            "The server sends a request, which nobody will answer: in this revision servers ask for input only through results.",
            "no requests from the server",
            format!("a request {method:?}"),
        ),
    );
    collector.check("jsonrpc.server-request.known-methods", KNOWN.contains(&method.as_str()), || {
        frame(
            incoming,
            "The server sends a request that no revision defines, so clients refuse it.",
            "a request of the specification",
            format!("a request {method:?}"),
        )
    });
    if let Some(key) = incoming.message().and_then(|message| message.id.as_ref()).and_then(Id::key) {
        let new = ids.insert((scope(session, incoming), key)) || is_redelivered(session, incoming);
        collector.check("jsonrpc.server-request.id-unique", new, || {
            frame(
                incoming,
                "The server reuses the id of one of its requests, so the client cannot tell the answers apart.",
                "a different id for every request of the session",
                "a request with an id used before",
            )
        });
    }
}

/// Ids are compared within a session; over HTTP without a session id within one stream.
fn scope(session: &Session<'_>, incoming: &Incoming<'_>) -> u32 {
    let named = session
        .exchanges
        .iter()
        .filter_map(|exchange| exchange.status)
        .any(|(_, headers)| headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(crate::view::SESSION_ID)));
    if session.open.transport == Transport::Http && !named { incoming.receive.channel } else { 0 }
}

/// Whether another stream carried the event before: then it is no second request.
fn is_redelivered(session: &Session<'_>, incoming: &Incoming<'_>) -> bool {
    let event = |incoming: &Incoming<'_>| match &incoming.receive.via {
        Via::Sse { id, .. } => id.clone(),
        _ => None,
    };
    event(incoming).is_some_and(|id| {
        session.incoming.iter().any(|other| {
            other.seq < incoming.seq
                && event(other).as_ref() == Some(&id)
                && other.receive.text == incoming.receive.text
                && other.receive.channel != incoming.receive.channel
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    fn asked(revision: Revision, id: Value, method: &str) -> Script {
        Script::new(revision, json!({})).says_json(&json!({"jsonrpc": "2.0", "id": id, "method": method}))
    }

    #[test]
    fn a_request_from_the_server_fails_in_2026_only() {
        const ID: &str = "jsonrpc.server-request.none";
        assert_eq!(asked(Revision::V2026_07_28, json!(1), "ping").fails_in("jsonrpc"), [ID]);
        assert_eq!(Script::new(Revision::V2026_07_28, json!({})).status_of(ID), Status::Pass);
        assert!(asked(Revision::V2025_11_25, json!(1), "ping").fails_in("jsonrpc").is_empty());
    }

    #[test]
    fn an_id_used_twice_fails_and_its_other_type_does_not() {
        const ID: &str = "jsonrpc.server-request.id-unique";
        let once = || asked(Revision::V2025_11_25, json!(1), "ping");
        assert_eq!(once().status_of(ID), Status::Pass);
        let other = once().says_json(&json!({"jsonrpc": "2.0", "id": "1", "method": "ping"}));
        assert!(other.fails_in("jsonrpc").is_empty());
        let twice = once().says_json(&json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"}));
        assert_eq!(twice.fails_in("jsonrpc"), [ID]);
    }

    #[test]
    fn a_method_of_nobody_is_advice() {
        assert_eq!(
            asked(Revision::V2025_11_25, json!(1), "tools/list").fails_in("jsonrpc"),
            ["jsonrpc.server-request.known-methods"]
        );
    }
}
