//! Session ids: where they come from, what they look like, and what a wrong or missing one leads to.

use verdict::Intent;

use super::common::{Posted, SESSION, is_no_verdict, is_own, is_success, issued, posted};
use crate::rules::own_doing::is_after_end;
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "http/session",
    judges: &[
        "http.session.issued-on-initialize",
        "http.session.visible-ascii",
        "http.session.accepted-on-all-methods",
        "http.session.missing-id-400",
        "http.session.unknown-404",
    ],
    judge,
};

const ISSUED: &str = RULE.judges[0];
const VISIBLE: &str = RULE.judges[1];
const ALL: &str = RULE.judges[2];
const MISSING: &str = RULE.judges[3];
const UNKNOWN: &str = RULE.judges[4];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        check_place(view, session, collector);
        if issued(view, session).is_some() {
            check_methods(view, session, collector);
        }
    }
    for case in view.calls("initialize").filter(|case| case.result().is_some()) {
        if let Some(id) = case.header(SESSION) {
            let good = !id.is_empty() && id.bytes().all(|byte| (0x21..=0x7e).contains(&byte));
            collector.check(VISIBLE, good, || {
                case.finding(
                    "A session id has characters outside visible ASCII, which clients cannot send back in a header.",
                    "at least one character, and only characters from 0x21 to 0x7E",
                )
            });
        }
    }
    view.probes(Intent::SessionMissing).filter(Case::is_decided).for_each(|case| check_missing(&case, collector));
    view.probes(Intent::SessionUnknown).filter(Case::is_decided).for_each(|case| check_unknown(&case, collector));
}

fn cases<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> impl Iterator<Item = Case<'v>> + Clone {
    session.exchanges.iter().map(move |exchange| Case { view, session, exchange })
}

/// Where the id was issued, if one is asked for.
fn check_place(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    if issued(view, session).is_some() {
        return collector.witness(ISSUED);
    }
    let mut ordinary =
        cases(view, session).filter(|case| case.intent().is_none() && case.method() != Some("initialize"));
    if let Some(late) = ordinary.clone().find(|case| is_success(case) && case.header(SESSION).is_some()) {
        let message = "The session id arrives with a later response, not with the response to initialize, where clients look for it.";
        return collector.fail(
            ISSUED,
            late.finding(message, "Mcp-Session-Id in the HTTP response that carries the InitializeResult"),
        );
    }
    if ordinary.clone().any(|case| case.result().is_some()) {
        return collector.witness(ISSUED);
    }
    let asks = |case: &Case<'_>| matches!(case.status(), Some(400 | 404)) && speaks_of_sessions(case);
    if let Some(refused) = ordinary.find(asks) {
        let message = "Requests are refused for lack of a session id, but the server never issued one.";
        collector.fail(
            ISSUED,
            refused.finding(message, "Mcp-Session-Id in the HTTP response that carries the InitializeResult"),
        );
    }
}

/// Whether the response mentions sessions.
fn speaks_of_sessions(case: &Case<'_>) -> bool {
    case.received().any(|incoming| incoming.receive.text.to_ascii_lowercase().contains("session"))
}

fn check_methods(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    for case in cases(view, session).filter(|case| is_own(case) && !is_after_end(case) && case.path().is_none()) {
        match (case.http(), case.status()) {
            (Some("POST"), _) if posted(&case) == Posted::Request && case.result().is_some() => collector.witness(ALL),
            (Some("GET" | "DELETE"), Some(200..=299 | 405)) => collector.witness(ALL),
            (Some("GET" | "DELETE"), Some(400 | 404)) if speaks_of_sessions(&case) && is_live(&case) => {
                let message = "The session id that POST accepts is unknown to another HTTP method.";
                let mut finding = case.finding(message, "an id that POST, GET and DELETE all accept");
                finding.place = case.http().map(str::to_owned);
                collector.fail(ALL, finding);
            }
            _ => {}
        }
    }
}

/// Something was served on the session at about the same time: before, and nothing says that it has ended meanwhile.
fn is_live(case: &Case<'_>) -> bool {
    let served = |later: bool| {
        cases(case.view, case.session).any(|other| {
            (other.exchange.seq > case.exchange.seq) == later && is_own(&other) && other.result().is_some()
        })
    };
    // Nothing may follow a DELETE. What came right before it tells whether the server still knew the session.
    let before = cases(case.view, case.session)
        .filter(|other| other.exchange.seq < case.exchange.seq && is_own(other) && other.http() == Some("POST"));
    let known = before.last().is_some_and(|last| last.status().is_some_and(|status| status < 300));
    served(true) || case.http() == Some("DELETE") && served(false) && known
}

fn check_missing(case: &Case<'_>, collector: &mut Collector) {
    if issued(case.view, case.session).is_none() {
        return;
    }
    match case.status() {
        Some(400) => collector.witness(MISSING),
        Some(200..=299) if case.result().is_some() => collector.witness(MISSING),
        Some(status @ (401 | 403 | 404 | 422)) => {
            collector.witness(MISSING);
            collector.note(MISSING, format!("a request without a session id is refused with {status} instead of 400"));
        }
        Some(429 | 503) | None => {}
        Some(_) => {
            let message = "A request without the session id is neither served nor refused with 400, so clients cannot tell what is missing.";
            collector.fail(MISSING, case.finding(message, "HTTP status 400, or the normal response"));
        }
    }
}

fn check_unknown(case: &Case<'_>, collector: &mut Collector) {
    if issued(case.view, case.session).is_none() || is_no_verdict(case) {
        return;
    }
    match case.status() {
        Some(404) => collector.witness(UNKNOWN),
        Some(400) => {
            collector.witness(UNKNOWN);
            collector.note(UNKNOWN, "a session id that was never issued is refused with 400 instead of 404");
        }
        _ => {
            let served = case.result().is_some();
            let message = if served {
                "A request with a session id that the server never issued is served."
            } else {
                "A request with a session id that the server never issued is not answered with 404, the status that tells clients to start a new session."
            };
            collector.fail(UNKNOWN, case.finding(message, "HTTP status 404"));
        }
    }
}

/// The session ids that were issued in the judged sessions, with what issued them.
pub(super) fn minted<'v>(view: &'v View<'v>) -> impl Iterator<Item = (Case<'v>, &'v str)> {
    let opening = view.calls("initialize").filter(|case| case.result().is_some());
    opening.filter_map(|case| Some((case, case.header(SESSION)?)))
}

/// Whether any session id was issued at all.
pub(super) fn are_kept(view: &View<'_>) -> bool {
    minted(view).next().is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::super::scripts::{JSON, OWN, SSE, ask, error, notice, open, opened, result};
    use super::*;
    use crate::testing::Script;

    const REV: Revision = Revision::V2025_11_25;

    #[test]
    fn an_id_on_initialize_and_none_at_all_pass() {
        let script = open(REV).ping(7, None, Value::Null, (200, &result(7)));
        assert_eq!((script.status_of(ISSUED), script.status_of(VISIBLE)), (Status::Pass, Status::Pass));
        let script =
            opened(REV, None).request("POST", None, Value::Null, &[], &ask(7, "ping")).respond(200, JSON, &result(7));
        assert_eq!((script.status_of(ISSUED), script.status_of(VISIBLE)), (Status::Pass, Status::NotApplicable));
    }

    #[test]
    fn an_id_that_is_demanded_or_issued_later_fails() {
        let script = opened(REV, None).request("POST", None, Value::Null, &[], &ask(7, "ping"));
        assert!(script.respond(400, JSON, &error("Missing session ID")).fails().contains(&ISSUED));
        let script = opened(REV, None).request("POST", None, Value::Null, &[], &notice("notifications/initialized"));
        assert!(script.respond(202, &[("Mcp-Session-Id", "x")], "").fails().contains(&ISSUED));
        let script = opened(REV, None).request("POST", None, Value::Null, &[], &ask(7, "ping"));
        assert!(!script.respond(400, JSON, &error("no such version")).fails().contains(&ISSUED));
    }

    #[test]
    fn an_id_with_a_blank_fails() {
        assert_eq!(opened(REV, Some("a b")).fails_in("http"), [VISIBLE]);
    }

    fn got(status: u16, headers: &[(&str, &str)], body: &str) -> Script {
        let script = open(REV).request("GET", None, Value::Null, OWN, "").respond(status, headers, body);
        script.ping(8, None, Value::Null, (200, &result(8)))
    }

    #[test]
    fn a_method_that_does_not_know_the_session_fails() {
        assert!(got(404, JSON, &error("Session not found")).fails().contains(&ALL));
        assert_eq!(got(405, &[], "").status_of(ALL), Status::Pass);
        assert_eq!(got(200, SSE, "").status_of(ALL), Status::Pass);
        // A missing route is another matter.
        assert!(!got(404, &[], "Cannot GET /mcp").fails().contains(&ALL));
    }

    fn probed(intent: Intent, status: u16, body: &str) -> Script {
        let script = open(REV).ping(7, None, Value::Null, (200, &result(7)));
        script.ping(8, intent, Value::Null, (status, body))
    }

    #[test]
    fn a_missing_id_is_refused_with_400_or_served() {
        assert_eq!(probed(Intent::SessionMissing, 400, &error("no")).status_of(MISSING), Status::Pass);
        assert_eq!(probed(Intent::SessionMissing, 200, &result(8)).status_of(MISSING), Status::Pass);
        let noted = probed(Intent::SessionMissing, 422, "").verdict(MISSING);
        assert_eq!((noted.status, noted.notes.len()), (Status::Pass, 1));
        assert!(probed(Intent::SessionMissing, 500, "").fails().contains(&MISSING));
        let error = json!({"jsonrpc": "2.0", "id": 8, "error": {"code": -32000, "message": "no"}}).to_string();
        assert!(probed(Intent::SessionMissing, 200, &error).fails().contains(&MISSING));
    }

    #[test]
    fn an_unknown_id_is_refused_with_404() {
        assert_eq!(probed(Intent::SessionUnknown, 404, &error("no")).status_of(UNKNOWN), Status::Pass);
        assert_eq!(probed(Intent::SessionUnknown, 400, "").verdict(UNKNOWN).notes.len(), 1);
        assert!(probed(Intent::SessionUnknown, 200, &result(8)).fails().contains(&UNKNOWN));
        assert!(probed(Intent::SessionUnknown, 500, "").fails().contains(&UNKNOWN));
        assert_eq!(probed(Intent::SessionUnknown, 401, "").status_of(UNKNOWN), Status::NotObserved);
    }

    #[test]
    fn a_server_without_sessions_may_serve_whatever_comes() {
        let script = opened(REV, None).ping(7, Intent::SessionUnknown, Value::Null, (200, &result(7)));
        assert_eq!(script.status_of(UNKNOWN), Status::NotApplicable);
    }
}
