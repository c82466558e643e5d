//! Pings that the server sends.

use verdict::Finding;
use verdict::transcript::Ending;
use wire::{Kind, Message};

use crate::{Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule =
    Rule { name: "ping/server", judges: &["ping.server-accepts-answer", "ping.server-rate"], judge };

const ACCEPTS: &str = RULE.judges[0];
const RATE: &str = RULE.judges[1];
/// Pings that a server may send at once, or in the course of a minute.
const MINUTE: u64 = 60;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let pings: Vec<&Incoming<'_>> = session.incoming.iter().filter(|incoming| is_ping(incoming)).collect();
        if let Some(first) = pings.first() {
            check_rate(session, first, pings.len() as u64, collector);
            check_accepts(session, first, collector);
        }
    }
}

fn is_ping(incoming: &Incoming<'_>) -> bool {
    incoming.message().is_some_and(|message| message.kind == Kind::Request && message.method() == Some("ping"))
}

/// More than one a second on average, and so many that it is no burst.
fn check_rate(session: &Session<'_>, first: &Incoming<'_>, count: u64, collector: &mut Collector) {
    let allowed = MINUTE + session.lasted.as_secs();
    collector.check(RATE, count <= allowed, || {
        Finding::new(
            "The server pings more than once a second; every ping costs the client an answer.",
            "at most one ping per second, averaged over a minute",
            "more than that",
            vec![first.wire()],
        )
    });
}

/// After the answer the connection is of use.
fn check_accepts(session: &Session<'_>, ping: &Incoming<'_>, collector: &mut Collector) {
    let id = ping.message().and_then(|message| message.id.as_ref()).and_then(wire::Id::key);
    let answers = |message: &Message| message.is_answer() && message.id.as_ref().and_then(wire::Id::key) == id;
    let reply = session
        .exchanges
        .iter()
        .find(|exchange| exchange.seq > ping.seq && exchange.parsed.messages().iter().any(answers));
    let Some(reply) = reply else { return };
    let later = || session.exchanges.iter().filter(|exchange| exchange.seq > reply.seq);
    let ended = session.exit.is_some_and(|(_, exit)| exit.after == Ending::Nothing) || session.closed.is_some();
    if later().any(|exchange| !exchange.answers.is_empty()) {
        collector.witness(ACCEPTS);
    } else if ended && later().next().is_none() {
        collector.fail(
            ACCEPTS,
            Finding::new(
                "The server ends the connection after a correct answer to its ping.",
                "the connection stays up",
                "the server ends it",
                vec![ping.wire(), format!("> {}", crate::view::clip(&reply.send.text))],
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status};

    use super::*;
    use crate::testing::Script;

    fn pings(count: usize) -> Script {
        let script = Script::new(Revision::V2025_11_25, json!({}));
        (0..count).fold(script, |script, at| {
            script.says_json(&json!({"jsonrpc": "2.0", "id": format!("p{at}"), "method": "ping"}))
        })
    }

    fn answered(script: Script) -> Script {
        script.raw(Intent::Unknown, json!({}), r#"{"jsonrpc":"2.0","id":"p0","result":{}}"#)
    }

    #[test]
    fn many_pings_in_a_moment_fail_and_a_few_pass() {
        assert_eq!(pings(5).status_of(RATE), Status::Pass);
        assert_eq!(pings(61).fails_in("ping"), [RATE]);
        assert_eq!(pings(0).status_of(RATE), Status::NotObserved);
    }

    #[test]
    fn a_server_that_ends_over_the_answer_fails() {
        assert_eq!(answered(pings(1)).exits(0).fails_in("ping"), [ACCEPTS]);
        let goes_on = answered(pings(1)).plain("tools/list", json!({}), json!({"result": {"tools": []}}));
        assert_eq!(goes_on.status_of(ACCEPTS), Status::Pass);
        // An allowance: without an answer it may go.
        assert_eq!(pings(1).exits(0).status_of(ACCEPTS), Status::NotObserved);
    }
}
