//! The header `MCP-Protocol-Version`.

use verdict::{Intent, Key};

use super::common::{VERSION, is_no_verdict, issued};
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "http/version-header",
    judges: &[
        "http.version-header.negotiated-accepted",
        "http.version-header.unsupported-400",
        "http.version-header.absent-later",
        "http.version-header.absent-on-initialize",
        "http.version-header.ignored-on-initialize",
    ],
    judge,
};

const NEGOTIATED: &str = RULE.judges[0];
const UNSUPPORTED: &str = RULE.judges[1];
const LATER: &str = RULE.judges[2];
const OPENING: &str = RULE.judges[3];
const UNKNOWN: &str = RULE.judges[4];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let of = |kind: &'static str| {
            let cases = session.exchanges.iter().map(move |exchange| Case { view, session, exchange });
            cases.filter(move |case| {
                case.intent() == Some(Intent::VersionHeader) && case.about_str(Key::Kind) == Some(kind)
            })
        };
        let served = |kind: &'static str| of(kind).any(|case| case.result().is_some());
        let any = served("negotiated") || served("absent");
        of("negotiated").for_each(|case| check_negotiated(&case, served("absent"), collector));
        of("absent").for_each(|case| check_absent(&case, served("negotiated"), collector));
        of("unsupported").for_each(|case| check_unsupported(&case, any, collector));
        check_opening(view, session, collector);
    }
}

fn check_negotiated(case: &Case<'_>, otherwise: bool, collector: &mut Collector) {
    if case.result().is_some() {
        collector.witness(NEGOTIATED);
    } else if case.status() == Some(400) && otherwise {
        let message =
            "A request with the negotiated version in MCP-Protocol-Version is refused, but served without the header.";
        collector.fail(NEGOTIATED, case.finding(message, "the normal response"));
    }
}

fn check_absent(case: &Case<'_>, otherwise: bool, collector: &mut Collector) {
    if case.result().is_some() {
        return collector.witness(LATER);
    }
    // In 2025-03-26 the request without the header is the ordinary one.
    if is_no_verdict(case) || !otherwise && case.view.revision > verdict::Revision::V2025_03_26 {
        return;
    }
    if issued(case.view, case.session).is_none() {
        return collector.inconclusive(
            LATER,
            "a request without MCP-Protocol-Version was refused by a server that has no sessions",
        );
    }
    let message =
        "A request without MCP-Protocol-Version is refused, although the server knows the version from the handshake.";
    collector.fail(LATER, case.finding(message, "the normal response"));
}

fn check_unsupported(case: &Case<'_>, control: bool, collector: &mut Collector) {
    if case.status() == Some(400) {
        return collector.witness(UNSUPPORTED);
    }
    let gets = case.http() == Some("GET");
    // A GET may be refused for other reasons: 405, or 409 for a second stream.
    if is_no_verdict(case) || !control || gets && !super::common::is_stream(case) {
        return;
    }
    let message = if case.result().is_some() || gets {
        "A request with a nonexistent version in MCP-Protocol-Version is served."
    } else {
        "A request with a nonexistent version in MCP-Protocol-Version is not refused with 400."
    };
    let mut finding = case.finding(message, "HTTP status 400");
    finding.place = case.sent_header(VERSION).map(str::to_owned);
    collector.fail(UNSUPPORTED, finding);
}

fn check_opening(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    let cases = || session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    let of = |intent: Intent| cases().filter(move |case| case.intent() == Some(intent) && case.is_decided());
    let greeted = |case: &Case<'_>| case.method() == Some("initialize") && case.sent_header(VERSION).is_none();
    let plainly = cases().filter(greeted).any(|case| case.result().is_some());
    if of(Intent::InitializePlain).chain(cases().filter(greeted)).any(|case| case.result().is_some()) {
        collector.witness(OPENING);
    }
    let versioned = of(Intent::InitializeVersioned).any(|case| case.result().is_some());
    for case in of(Intent::InitializePlain).filter(|case| case.result().is_none() && !is_no_verdict(case) && versioned)
    {
        let message = "initialize without MCP-Protocol-Version is refused, although the version is not negotiated until initialize.";
        collector.fail(OPENING, case.finding(message, "the normal result"));
    }
    for case in of(Intent::InitializeUnknownHeader) {
        if case.result().is_some() {
            collector.witness(UNKNOWN);
        } else if plainly && !is_no_verdict(&case) {
            let message = "A version unknown to the server in the header of initialize prevents the negotiation that would settle the version.";
            collector.fail(UNKNOWN, case.finding(message, "a result that proposes a version the server supports"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Level, Revision, Status};

    use super::super::scripts::{JSON, OWN, SSE, error, open, opened, result};
    use super::*;
    use crate::testing::Script;

    fn probed(script: Script, id: u32, kind: &str, served: bool) -> Script {
        let (status, body) = if served { (200, result(id)) } else { (400, error("version")) };
        script.ping(id, Intent::VersionHeader, json!({"kind": kind}), (status, &body))
    }

    fn all(negotiated: bool, absent: bool, unsupported: bool) -> Script {
        let script = probed(open(Revision::V2025_11_25), 7, "negotiated", negotiated);
        probed(probed(script, 8, "absent", absent), 9, "unsupported", unsupported)
    }

    #[test]
    fn the_right_answers_pass() {
        let script = all(true, true, false);
        assert!(script.fails_in("http").is_empty());
        assert!([NEGOTIATED, LATER, UNSUPPORTED, OPENING].iter().all(|id| script.status_of(id) == Status::Pass));
    }

    #[test]
    fn each_wrong_answer_fails() {
        assert_eq!(all(false, true, false).fails_in("http"), [NEGOTIATED]);
        assert_eq!(all(true, false, false).fails_in("http"), [LATER]);
        assert_eq!(all(true, true, true).fails_in("http"), [UNSUPPORTED]);
    }

    #[test]
    fn another_refusal_of_an_unsupported_version_fails_and_a_throttled_one_says_nothing() {
        let other = |status| {
            let script = probed(open(Revision::V2025_06_18), 7, "negotiated", true);
            script.ping(8, Intent::VersionHeader, json!({"kind": "unsupported"}), (status, ""))
        };
        assert_eq!(other(422).fails_in("http"), [UNSUPPORTED]);
        assert_eq!(other(429).status_of(UNSUPPORTED), Status::NotObserved);
    }

    #[test]
    fn a_get_is_judged_where_a_stream_was_opened() {
        let get = |status, headers: &[(&str, &str)]| {
            let script = probed(open(Revision::V2025_06_18), 7, "negotiated", true);
            let about = json!({"kind": "unsupported", "method": "GET"});
            script.request("GET", Intent::VersionHeader, about, OWN, "").head(status, headers)
        };
        assert!(get(200, SSE).fails().contains(&UNSUPPORTED));
        assert_eq!(get(400, JSON).status_of(UNSUPPORTED), Status::Pass);
        assert_eq!(get(405, &[]).status_of(UNSUPPORTED), Status::NotObserved);
    }

    #[test]
    fn without_a_session_a_missing_version_may_be_refused() {
        let script = probed(opened(Revision::V2025_11_25, None), 7, "negotiated", true);
        assert_eq!(probed(script, 8, "absent", false).status_of(LATER), Status::Inconclusive);
        let script = probed(open(Revision::V2025_03_26), 7, "absent", false);
        assert_eq!(script.verdict(LATER).level, Level::Should);
        assert!(script.fails().contains(&LATER));
    }

    fn greeting(script: Script, intent: Intent, version: Option<&str>, body: &str) -> Script {
        let headers: Vec<(&str, &str)> = version.map(|version| ("MCP-Protocol-Version", version)).into_iter().collect();
        let sent = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}).to_string();
        let status = if body.contains("result") { 200 } else { 400 };
        script.request("POST", intent, Value::Null, &headers, &sent).respond(status, JSON, body)
    }

    #[test]
    fn initialize_needs_no_header_and_an_unknown_one_does_not_stop_it() {
        let script = greeting(open(Revision::V2025_11_25), Intent::InitializeVersioned, Some("2025-11-25"), &result(1));
        let good = greeting(script, Intent::InitializePlain, None, &result(1));
        let good = greeting(good, Intent::InitializeUnknownHeader, Some("2099-01-01"), &result(1));
        assert!([OPENING, UNKNOWN].iter().all(|id| good.status_of(id) == Status::Pass));
        let script = greeting(open(Revision::V2025_11_25), Intent::InitializeVersioned, Some("2025-11-25"), &result(1));
        assert!(greeting(script, Intent::InitializePlain, None, &error("no")).fails().contains(&OPENING));
        let script =
            greeting(open(Revision::V2025_11_25), Intent::InitializeUnknownHeader, Some("2099-01-01"), &error("no"));
        assert_eq!(script.verdict(UNKNOWN).level, Level::Advice);
        assert!(script.fails().contains(&UNKNOWN));
    }
}
