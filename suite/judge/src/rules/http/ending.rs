//! The end of a session.

use verdict::Intent;

use super::common::{is_listening, is_no_verdict, is_stream, is_success};
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "http/ending",
    judges: &[
        "http.session.terminated-404",
        "http.session.delete-or-405",
        "http.session.delete-without-id",
        "http.session.delete-closes-streams",
    ],
    judge,
};

const GONE: &str = RULE.judges[0];
const DELETE: &str = RULE.judges[1];
const WITHOUT: &str = RULE.judges[2];
const STREAMS: &str = RULE.judges[3];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for end in view.probes(Intent::End).filter(Case::is_decided) {
        let after: Vec<Case<'_>> = of(view, end.session, Intent::AfterEnd).collect();
        check_delete(&end, &after, collector);
        if is_success(&end) {
            after.iter().for_each(|case| check_gone(&end, case, collector));
            check_streams(&end, collector);
        }
    }
    for case in view.probes(Intent::DeleteMissing).filter(|case| case.is_decided() && !is_no_verdict(case)) {
        let lost = of(view, case.session, Intent::DeleteMissingAfter).find(|after| matches!(after.status(), Some(404)));
        let refused = case.status().is_some_and(|status| (400..500).contains(&status));
        collector.check(WITHOUT, refused && lost.is_none(), || {
            let message = if lost.is_some() {
                "DELETE without a session id still ends a session."
            } else {
                "DELETE without a session id is not refused, so clients conclude that a session has ended."
            };
            case.finding(message, "a 4xx status and no change to any session")
        });
    }
}

fn of<'v>(view: &'v View<'v>, session: &'v Session<'v>, intent: Intent) -> impl Iterator<Item = Case<'v>> {
    let cases = session.exchanges.iter().map(move |exchange| Case { view, session, exchange });
    cases.filter(move |case| case.intent() == Some(intent) && case.is_decided())
}

fn check_delete(end: &Case<'_>, after: &[Case<'_>], collector: &mut Collector) {
    let posted = after.iter().find(|case| case.http() == Some("POST"));
    match end.status() {
        Some(200..=299 | 405) => collector.witness(DELETE),
        Some(401 | 403 | 429 | 503) | None => {}
        Some(404) if posted.is_some_and(|case| case.status() == Some(404)) => collector.witness(DELETE),
        Some(404) => {
            collector.witness(DELETE);
            collector.note(
                DELETE,
                "DELETE is answered with 404 although the session is alive: the route is missing, which 405 would make clear",
            );
        }
        Some(_) => {
            let message = "DELETE with a session id neither ends the session nor is refused with 405.";
            collector.fail(DELETE, end.finding(message, "a 2xx status or 405"));
        }
    }
}

fn check_gone(end: &Case<'_>, case: &Case<'_>, collector: &mut Collector) {
    // Where no GET was served before, it is refused for another reason.
    let listened = || {
        let (view, session) = (end.view, end.session);
        let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
        cases.any(|other| is_listening(&other) && is_stream(&other))
    };
    let counts = case.http() != Some("GET") || listened();
    if counts && !is_no_verdict(case) {
        collector.check(GONE, case.status() == Some(404), || {
            let message = if is_success(case) {
                "An ended session is still served."
            } else {
                "A request on an ended session is not answered with 404, the status that tells clients to start a new session."
            };
            case.finding(message, "HTTP status 404")
        });
    }
}

fn check_streams(end: &Case<'_>, collector: &mut Collector) {
    let (view, session) = (end.view, end.session);
    let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    let open = |case: &Case<'_>| {
        is_listening(case)
            && is_stream(case)
            && case.exchange.aborted.is_none()
            && case.exchange.seq < end.exchange.seq
            && case.closed().is_none_or(|closed| closed.seq > end.exchange.seq)
    };
    for case in cases.filter(open) {
        collector.check(STREAMS, case.closed().is_some(), || {
            case.finding("The stream of a session stays open after the session was deleted.", "the end of the stream")
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use verdict::{Revision, Status};

    use super::super::scripts::{OWN, SSE, error, open, result};
    use super::*;
    use crate::testing::Script;

    /// A session with an open stream (or none), ended with this status, and what comes after.
    fn ended(listens: bool, status: u16, closes: bool, after: (u16, &str)) -> Script {
        let script = open(Revision::V2025_11_25).request("GET", None, Value::Null, OWN, "");
        let script = if listens { script.head(200, SSE) } else { script.respond(405, &[("allow", "POST")], "") };
        let get = script.last_channel();
        let script = script.request("DELETE", Intent::End, Value::Null, OWN, "").respond(status, &[], "");
        let script = if closes { script.ends_on(get, None) } else { script };
        script.ping(8, Intent::AfterEnd, Value::Null, after)
    }

    #[test]
    fn an_ended_session_is_gone() {
        let script = ended(true, 204, true, (404, &error("no such session")));
        assert!([GONE, DELETE, STREAMS].iter().all(|id| script.status_of(id) == Status::Pass));
        assert!(script.fails_in("http").is_empty());
    }

    #[test]
    fn an_ended_session_that_is_served_or_refused_otherwise_fails() {
        assert_eq!(ended(true, 200, true, (200, &result(8))).fails_in("http"), [GONE]);
        assert_eq!(ended(true, 200, true, (400, &error("no"))).fails_in("http"), [GONE]);
        assert_eq!(ended(true, 200, true, (401, "")).status_of(GONE), Status::NotObserved);
    }

    #[test]
    fn a_get_counts_where_one_was_served_before() {
        let get = |listens| {
            let script = ended(listens, 204, true, (404, ""));
            script.request("GET", Intent::AfterEnd, Value::Null, OWN, "").respond(
                if listens { 400 } else { 405 },
                &[("allow", "POST")],
                "",
            )
        };
        assert_eq!(get(true).fails_in("http"), [GONE]);
        assert!(get(false).fails_in("http").is_empty());
    }

    #[test]
    fn delete_may_be_refused_with_405_and_no_other_status() {
        assert_eq!(ended(true, 405, false, (200, &result(8))).status_of(DELETE), Status::Pass);
        assert!(ended(true, 500, false, (200, &result(8))).fails().contains(&DELETE));
        assert_eq!(ended(true, 404, false, (200, &result(8))).verdict(DELETE).notes.len(), 1);
        assert_eq!(ended(true, 404, true, (404, "")).verdict(DELETE).notes.len(), 0);
        assert_eq!(ended(true, 405, false, (200, &result(8))).status_of(GONE), Status::NotObserved);
    }

    #[test]
    fn a_stream_that_stays_open_is_told() {
        assert_eq!(ended(true, 204, false, (404, "")).fails_in("http"), [STREAMS]);
    }

    #[test]
    fn delete_without_an_id_is_refused_and_ends_nothing() {
        let script = |status, after: (u16, &str)| {
            let script = open(Revision::V2025_11_25).request("DELETE", Intent::DeleteMissing, Value::Null, &[], "");
            script.respond(status, &[], "").ping(8, Intent::DeleteMissingAfter, Value::Null, after)
        };
        assert_eq!(script(400, (200, &result(8))).status_of(WITHOUT), Status::Pass);
        assert!(script(204, (200, &result(8))).fails().contains(&WITHOUT));
        assert!(script(400, (404, &error("gone"))).fails().contains(&WITHOUT));
    }
}
