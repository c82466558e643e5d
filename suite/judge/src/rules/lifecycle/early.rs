//! Messages of a server, and its answers, before the handshake is done. Looks at every session.

use verdict::{Finding, Intent};

use super::handshake::{initialized_at, opened};
use crate::view::ExchangeEnd;
use crate::{Case, Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "lifecycle/early",
    judges: &[
        "lifecycle.pre-init.server-silent",
        "lifecycle.pre-init.no-server-requests",
        "lifecycle.pre-init.other-notifications",
        "lifecycle.pre-init.requests-not-served",
        "lifecycle.pre-init.connection-survives-early-request",
    ],
    judge,
};

const SILENT: &str = RULE.judges[0];
const REQUESTS: &str = RULE.judges[1];
const NOTIFICATIONS: &str = RULE.judges[2];
const SERVED: &str = RULE.judges[3];
const SURVIVES: &str = RULE.judges[4];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in &view.sessions {
        check_silent(view, session, collector);
        check_between(view, session, collector);
        for exchange in &session.exchanges {
            let case = Case { view, session, exchange };
            match case.intent() {
                Some(Intent::BeforeInitialize) if case.is_decided() => {
                    check_served(&case, collector);
                    if case.exchange.end == (ExchangeEnd::Gone { alone: true }) {
                        check_survives(&case, collector);
                    }
                }
                Some(Intent::InitializeAfterEarly) if case.is_decided() => check_survives(&case, collector),
                _ => {}
            }
        }
    }
}

/// A message of the server's own as evidence.
fn said_finding(incoming: &Incoming<'_>, message: &str, expected: &str) -> Finding {
    let method = incoming.method().unwrap_or_default();
    Finding::new(message, expected, method.chars().take(80).collect::<String>(), vec![incoming.wire()])
}

/// Before the first message of the client, where that is initialize.
fn check_silent(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    // What the server asks by itself is answered at once: that is not the client's first word.
    let Some(first) = cases.find(|case| case.method().is_some()) else { return };
    if first.method() != Some("initialize") {
        return;
    }
    let before = first.exchange.seq;
    if session.probes.iter().any(|(seq, probe)| *seq < before && probe.intent == Intent::WatchedBeforeInitialize) {
        collector.witness(SILENT);
    }
    for incoming in session.incoming.iter().filter(|incoming| incoming.seq < before) {
        let own = incoming.message().is_some_and(|message| message.method().is_some());
        if own && !matches!(incoming.method(), Some("ping" | "notifications/message")) {
            let message = "The server sends a message before the client has sent anything.";
            collector.fail(SILENT, said_finding(incoming, message, "only ping and log messages before initialize"));
        }
    }
}

/// Up to `notifications/initialized`.
fn check_between(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    let Some(greeting) = opened(view, session).filter(|greeting| greeting.first) else { return };
    let from = greeting.case.exchange.seq;
    let to = initialized_at(session).unwrap_or(u32::MAX);
    let pings = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    let ping = |case: &Case<'_>| case.intent() == Some(Intent::PingBeforeInitialized) && case.result().is_some();
    if pings.filter(|case| (from..to).contains(&case.exchange.seq)).any(|case| ping(&case)) {
        collector.witness(REQUESTS);
        collector.witness(NOTIFICATIONS);
    }
    for incoming in session.incoming.iter().filter(|incoming| (from..to).contains(&incoming.seq)) {
        let kind = incoming.message().map(|message| message.kind);
        match (kind, incoming.method()) {
            (Some(wire::Kind::Request), Some(method)) if method != "ping" => {
                let message = "The server sends a request before the client has sent notifications/initialized.";
                collector.fail(
                    REQUESTS,
                    said_finding(incoming, message, "no request except ping before notifications/initialized"),
                );
            }
            (Some(wire::Kind::Notification), Some(method)) if method != "notifications/message" => {
                let message = "The server sends a notification before the client has sent notifications/initialized.";
                let expected = "no notification except log messages before notifications/initialized";
                collector.fail(NOTIFICATIONS, said_finding(incoming, message, expected));
            }
            _ => {}
        }
    }
}

fn check_served(case: &Case<'_>, collector: &mut Collector) {
    collector.check(SERVED, case.result().is_none(), || {
        let message = "A request that arrives before initialize is served as if the handshake were complete.";
        Finding {
            place: case.method().map(str::to_owned),
            ..case.finding(message, "an error until the handshake is complete")
        }
    });
}

fn check_survives(case: &Case<'_>, collector: &mut Collector) {
    collector.check(SURVIVES, case.result().is_some(), || {
        let message = "After a premature request, initialize is no longer served on the connection.";
        case.finding(message, "a result for initialize")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::{NOTIFICATIONS, REQUESTS, SERVED, SILENT, SURVIVES};
    use crate::testing::Script;

    const ROOTS: &str = r#"{"jsonrpc":"2.0","id":"s1","method":"roots/list"}"#;

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({})).bare()
    }

    fn greet(script: Script) -> Script {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": {"name": "t", "version": "1"}});
        let result =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}});
        script.plain("initialize", params, json!({"result": result}))
    }

    fn ping(script: Script) -> Script {
        script.probe(Intent::PingBeforeInitialized, "ping", json!({}), json!({"result": {}}))
    }

    #[test]
    fn a_server_that_waits_passes() {
        let script = ping(greet(start().means(Intent::WatchedBeforeInitialize, Value::Null)));
        for id in [SILENT, REQUESTS, NOTIFICATIONS] {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn nothing_is_known_of_a_connection_that_was_not_watched() {
        let script = greet(start());
        assert_eq!(script.status_of(SILENT), Status::NotObserved);
        assert_eq!(script.status_of(REQUESTS), Status::NotObserved);
    }

    #[test]
    fn a_notification_before_initialize_fails_and_a_log_message_does_not() {
        let log = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"up"}}"#;
        assert!(greet(start().says(log)).fails().is_empty());
        assert!(greet(start().says("Server listening")).fails().iter().all(|id| !id.starts_with("lifecycle.")));
        let changed = r#"{"jsonrpc":"2.0","method":"notifications/roots/unknown"}"#;
        assert_eq!(greet(start().says(changed)).status_of(SILENT), Status::Fail);
    }

    #[test]
    fn a_request_before_initialized_fails_and_ping_does_not() {
        let script = ping(greet(start())).says(r#"{"jsonrpc":"2.0","id":"s1","method":"ping"}"#);
        assert_eq!(script.status_of(REQUESTS), Status::Pass);
        assert_eq!(ping(greet(start()).says(ROOTS)).status_of(REQUESTS), Status::Fail);
        let asked = start().says(ROOTS).raw(Intent::Unknown, Value::Null, r#"{"jsonrpc":"2.0","id":"s1","result":{}}"#);
        assert_eq!(greet(asked).status_of(SILENT), Status::Fail);
    }

    #[test]
    fn a_notification_before_initialized_is_an_advice() {
        let script = ping(greet(start())).says(r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#);
        assert_eq!(script.status_of(NOTIFICATIONS), Status::Fail);
        assert_eq!(script.status_of(REQUESTS), Status::Pass);
    }

    #[test]
    fn a_request_that_comes_too_early_is_refused_and_survived() {
        let refusal = json!({"error": {"code": -32602, "message": "not yet"}});
        let early = |answer| start().probe(Intent::BeforeInitialize, "tools/list", json!({}), answer);
        assert_eq!(early(refusal.clone()).status_of(SERVED), Status::Pass);
        assert_eq!(early(json!({"result": {"tools": []}})).status_of(SERVED), Status::Fail);
        let after =
            |answer| early(refusal.clone()).probe(Intent::InitializeAfterEarly, "initialize", json!({}), answer);
        assert_eq!(after(json!({"result": {"protocolVersion": "2025-11-25"}})).status_of(SURVIVES), Status::Pass);
        assert_eq!(after(refusal.clone()).status_of(SURVIVES), Status::Fail);
        let mut closed = start();
        closed.ask(Some((Intent::BeforeInitialize, Value::Null)), "tools/list", json!({}));
        let closed = closed.exits(1);
        assert_eq!((closed.status_of(SERVED), closed.status_of(SURVIVES)), (Status::Pass, Status::Fail));
    }
}
