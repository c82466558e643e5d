//! Who felled a server over HTTP. Each request has a connection of its own there, and when the server falls all of them break:
//! of several that were outstanding none can be blamed. While the server lives on, a connection that breaks is its own matter.

use verdict::Intent;

use super::{Exchange, ExchangeEnd, Session};

/// From when on nothing came from the server any more.
fn silence(sessions: &[Session<'_>]) -> u32 {
    let heard = |session: &Session<'_>| {
        let incoming = session.incoming.last().map(|incoming| incoming.seq);
        let statuses = session.exchanges.iter().filter(|exchange| exchange.status.is_some());
        let statuses = statuses.map(|exchange| exchange.closed.map_or(exchange.seq, |closed| closed.seq));
        incoming.into_iter().chain(statuses).max()
    };
    sessions.iter().filter_map(heard).max().unwrap_or(0)
}

/// A request whose connection broke.
struct Broken {
    sent: u32,
    broke: u32,
    /// The intent of the probe: several with one intent count as one.
    kind: Option<Intent>,
}

fn broken(exchange: &Exchange<'_>) -> Option<Broken> {
    let closed = exchange.closed.filter(|_| exchange.end == (ExchangeEnd::Gone { alone: true }))?;
    let connected = closed.fault.is_none_or(|fault| !super::case::is_unreached(fault));
    let kind = exchange.send.probe.as_ref().map(|probe| probe.intent);
    connected.then_some(Broken { sent: exchange.seq, broke: closed.seq, kind })
}

impl Broken {
    /// Both were outstanding when the first of them broke, and they are not of a kind.
    fn shares(&self, other: &Self) -> bool {
        let beside = self.sent < other.broke && other.sent < self.broke;
        let same = self.sent == other.sent || (self.kind.is_some() && self.kind == other.kind);
        beside && !same
    }
}

/// Clears those that were not alone when the server fell.
pub(super) fn share_blame(sessions: &mut [Session<'_>]) {
    let silence = silence(sessions);
    let exchanges = sessions.iter().flat_map(|session| session.exchanges.iter().filter_map(broken));
    let last: Vec<Broken> = exchanges.filter(|broken| broken.broke > silence).collect();
    for exchange in sessions.iter_mut().flat_map(|session| &mut session.exchanges) {
        let own = broken(exchange).filter(|own| own.broke > silence);
        if own.is_some_and(|own| last.iter().any(|other| own.shares(other))) {
            exchange.end = ExchangeEnd::Gone { alone: false };
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Transport};

    use crate::ExchangeEnd;
    use crate::testing::Script;

    fn script() -> Script {
        Script::over(Transport::Http, Revision::V2025_11_25, json!({"tools": {}}))
    }

    fn ends(script: &Script) -> Vec<ExchangeEnd> {
        script.look(|view| view.calls("tools/call").map(|case| case.exchange.end).collect())
    }

    #[test]
    fn of_two_that_were_outstanding_when_it_fell_neither_is_blamed() {
        let call = |script: Script| script.unanswered_plainly("tools/call", json!({"name": "x"}));
        let alone = call(script());
        let first = alone.last_channel();
        let alone = alone.ends_on(first, Some("reset"));
        assert_eq!(ends(&alone), [ExchangeEnd::Gone { alone: true }]);
        // It lives on: each connection is a matter of its own.
        let both = || call(call(script())).ends_on(first, Some("reset")).ends_on(first + 1, Some("reset"));
        let alive = both().plain("ping", json!({}), json!({"result": {}}));
        assert_eq!(ends(&alive), [ExchangeEnd::Gone { alone: true }; 2]);
        assert_eq!(ends(&both()), [ExchangeEnd::Gone { alone: false }; 2]);
        let alike = |script: Script| script.unanswered(Intent::Unknown, "tools/call", json!({"name": "x"}));
        let alike = alike(alike(script())).ends_on(first, Some("reset")).ends_on(first + 1, Some("reset"));
        assert_eq!(ends(&alike), [ExchangeEnd::Gone { alone: true }; 2]);
        let after = call(both()).ends_on(first + 2, Some("no connection: refused"));
        assert_eq!(ends(&after)[..2], [ExchangeEnd::Gone { alone: false }; 2]);
    }
}
