//! The first event of a stream, with an id and without data, by which a client can come back before anything else was sent.

use verdict::Revision;

use super::common::{VERSION, events, is_stream};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "http/priming", judges: &["http.sse.priming-event", "http.sse.no-priming-for-older"], judge };

const PRIMES: &str = RULE.judges[0];
const OLDER: &str = RULE.judges[1];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let newest = Revision::V2025_11_25.as_str();
    for case in view.cases().filter(is_stream) {
        let ids = || events(&case).any(|event| event.id.is_some());
        if case.http() == Some("POST") && case.sent_header(VERSION) == Some(newest) && (ids() || has_ids(&case)) {
            check_primed(&case, collector);
        }
        if ids() {
            collector.check(OLDER, !events(&case).any(|event| event.primes()), || {
                case.finding(
                    "A client of a revision without priming events receives an event with empty data, which it treats as a broken message.",
                    "only events that carry a message",
                )
            });
        }
    }
}

/// Whether the events of other streams in this session have ids.
fn has_ids(case: &Case<'_>) -> bool {
    let (view, session) = (case.view, case.session);
    let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    cases.any(|other| other.http() == Some("POST") && events(&other).any(|event| event.id.is_some()))
}

fn check_primed(case: &Case<'_>, collector: &mut Collector) {
    // A stream that broke off before anything came shows nothing.
    if events(case).next().is_none() {
        return;
    }
    let first = events(case).take_while(|event| event.data().is_empty()).any(|event| event.primes());
    collector.check(PRIMES, first, || {
        let mut finding = case.finding(
            "The stream does not start with an event that has an id and empty data: a client that loses the connection before the first message cannot resume.",
            "a first event with an id and empty data",
        );
        "a different first event".clone_into(&mut finding.actual);
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use verdict::Status;

    use super::super::scripts::{SSE, ask, open, result};
    use super::*;
    use crate::testing::Script;

    fn streamed(revision: Revision, version: &str, events: &[(Option<&str>, &str)]) -> Script {
        let headers = [("Mcp-Session-Id", "s1"), ("MCP-Protocol-Version", version)];
        let script = open(revision).request("POST", None, Value::Null, &headers, &ask(7, "tools/list")).head(200, SSE);
        let channel = script.last_channel();
        let script = events.iter().fold(script, |script, (id, data)| script.sse_on(channel, None, *id, data));
        script.sse_on(channel, None, events.first().and(Some("e9")), &result(7)).ends()
    }

    #[test]
    fn a_stream_that_begins_with_an_id_passes() {
        let script = streamed(Revision::V2025_11_25, "2025-11-25", &[(Some("e1"), "")]);
        assert_eq!((script.status_of(PRIMES), script.fails_in("http")), (Status::Pass, vec![]));
    }

    #[test]
    fn a_stream_with_ids_that_begins_with_a_message_fails() {
        let script = streamed(Revision::V2025_11_25, "2025-11-25", &[(Some("e1"), &result(9))]);
        assert!(script.fails().contains(&PRIMES));
    }

    #[test]
    fn without_ids_or_with_another_version_nothing_is_due() {
        assert_eq!(streamed(Revision::V2025_11_25, "2025-11-25", &[]).status_of(PRIMES), Status::NotApplicable);
        let script = streamed(Revision::V2025_11_25, "2025-06-18", &[(Some("e1"), &result(9))]);
        assert_eq!(script.status_of(PRIMES), Status::NotObserved);
    }

    #[test]
    fn older_clients_are_sent_no_empty_events() {
        assert!(streamed(Revision::V2025_06_18, "2025-06-18", &[(Some("e1"), "")]).fails().contains(&OLDER));
        let script = streamed(Revision::V2025_06_18, "2025-06-18", &[(Some("e1"), &result(9))]);
        assert_eq!(script.status_of(OLDER), Status::Pass);
    }
}
