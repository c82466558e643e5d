//! Arrays of messages: served in 2025-03-26, no message from 2025-06-18 on. In 2024-11-05 nothing is judged.

use verdict::transcript::Via;
use verdict::{Finding, Intent, Key, Level, Transport};
use wire::mcp::code;
use wire::{Content, Kind};

use super::common::{exchange_of_channel, is_client_error, is_fatal, milder, placed};
use crate::{Case, Collector, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/batch",
    judges: &[
        "jsonrpc.batch.accepted",
        "jsonrpc.batch.notifications-get-nothing",
        "jsonrpc.batch.only-notifications",
        "jsonrpc.batch.response-array",
        "jsonrpc.batch.empty",
        "jsonrpc.batch.invalid-element",
        "jsonrpc.batch.initialize-refused",
        "jsonrpc.batch.not-served",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::Batch).filter(Case::is_decided) {
        match case.about_str(Key::Kind) {
            Some("requests") => {
                check_accepted(&case, collector);
                check_array(&case, collector);
            }
            Some("mixed") => check_mixed(&case, collector),
            Some("notifications") => check_quiet(&case, collector),
            Some("empty") => check_empty(&case, collector),
            Some("invalid") => check_invalid(&case, collector),
            Some("single") => check_single(&case, collector),
            _ => {}
        }
    }
    // `initialize` in an array comes before any revision is in force.
    for session in &view.sessions {
        for exchange in &session.exchanges {
            let case = Case { view, session, exchange };
            if case.intent() == Some(Intent::Batch)
                && case.about_str(Key::Kind) == Some("initialize")
                && case.is_decided()
            {
                check_initialize(&case, collector);
            }
        }
    }
}

fn finding(case: &Case<'_>, message: &str, expected: &str) -> Finding {
    placed(case, case.about_str(Key::Kind).unwrap_or_default(), message, expected)
}

/// Requests in the array, and how many of them got a result or an error of their own.
fn counts(case: &Case<'_>) -> (usize, usize) {
    let requests = case.exchange.parsed.messages().iter().filter(|message| message.kind == Kind::Request).count();
    (requests, case.exchange.answers.len())
}

/// Empty arrays that came for this. They carry no id: on stdio they belong to the last probe before them.
fn empty_arrays<'v>(case: &Case<'v>) -> impl Iterator<Item = &'v Incoming<'v>> {
    let (session, exchange) = (case.session, case.exchange);
    let later = session.exchanges.iter().filter(|other| other.seq > exchange.seq && other.send.probe.is_some());
    let next = later.map(|other| other.seq).min().unwrap_or(u32::MAX);
    let http = session.open.transport == Transport::Http;
    session.incoming.iter().filter(move |incoming| {
        let own = match exchange_of_channel(session, incoming.receive.channel) {
            Some(other) => other.seq == exchange.seq,
            None => !http && (exchange.seq..next).contains(&incoming.seq),
        };
        own && matches!(&incoming.parsed.content, Content::Batch(messages) if messages.is_empty())
    })
}

fn check_accepted(case: &Case<'_>, collector: &mut Collector) {
    let (requests, answered) = counts(case);
    collector.check("jsonrpc.batch.accepted", answered >= requests, || {
        let mut told = finding(case, "A batch of requests is not served.", "a response for every request of the batch");
        if answered > 0 {
            told.actual = "responses for some of the requests".to_owned();
        }
        // The official SDKs break it too: told, but no gate hinges on it.
        milder(told, Level::Should)
    });
}

fn check_array(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.batch.response-array";
    let (requests, answered) = counts(case);
    if answered < requests {
        return collector.not_observed(ID, "the batch was not served");
    }
    let first = case.answer();
    if first.is_some_and(|incoming| incoming.element.is_some()) {
        collector.witness(ID);
    } else if first.is_some_and(|incoming| incoming.receive.via == Via::Body) {
        let told = "The responses to a batch of requests come in a body that is not an array.";
        collector.fail(ID, finding(case, told, "one array with all responses"));
    } else if case.view.transport == Transport::Stdio {
        let told =
            finding(case, "The responses to a batch of requests come one by one.", "one array with all responses");
        collector.fail(ID, milder(told, Level::Advice));
    } else {
        collector.not_observed(ID, "the responses come as separate events, which is allowed");
    }
}

fn check_mixed(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.batch.notifications-get-nothing";
    let (requests, answered) = counts(case);
    if answered < requests {
        return collector.not_observed(ID, "the batch was not served");
    }
    collector.check(ID, case.answers().count() == requests, || {
        let mut told =
            finding(case, "A notification in a batch is answered.", "responses to the requests of the batch only");
        told.actual = "more responses than requests".to_owned();
        told
    });
}

fn check_quiet(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.batch.only-notifications";
    if is_client_error(case) {
        return collector.witness(ID);
    }
    let whole = |case: &Case<'_>| case.answer().is_some_and(|answer| answer.element.is_none());
    let served =
        |other: &Case<'_>| other.about_str(Key::Kind) == Some("requests") && counts(other).1 >= counts(other).0;
    if case.error_code() == Some(code::INVALID_REQUEST)
        && whole(case)
        && !case.view.probes(Intent::Batch).any(|other| served(&other))
    {
        return collector.not_observed(ID, "the server refuses batches of any kind, which another requirement reports");
    }
    let spoke = case.answer().is_some() || empty_arrays(case).next().is_some();
    collector.check(ID, !spoke, || {
        let mut told = finding(
            case,
            "A batch that contains only notifications is answered.",
            "no response; over HTTP 202 without a body",
        );
        if case.answer().is_none() {
            told.actual = "an empty batch".to_owned();
        }
        told
    });
}

fn check_empty(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.batch.empty";
    let expected = "one error -32600 with id null or without an id";
    if case.error_code() == Some(code::INVALID_REQUEST) && case.answer().is_some_and(|answer| answer.element.is_none())
    {
        return collector.witness(ID);
    }
    if case.answer().is_some() || empty_arrays(case).next().is_some() {
        let mut told =
            finding(case, "An empty batch is answered with something other than a single error -32600.", expected);
        if case.answer().is_none() || case.answer().is_some_and(|answer| answer.element.is_some()) {
            told.actual = "an array".to_owned();
        }
        return collector.fail(ID, told);
    }
    if is_client_error(case) {
        return collector.witness(ID);
    }
    if case.status().is_none() && !is_fatal(case) {
        let told = finding(case, "An empty batch is dropped silently, like other invalid input.", expected);
        return collector.fail(ID, milder(told, Level::Advice));
    }
    collector.note(ID, "an empty batch is dropped without an error");
    collector.not_observed(ID, "an empty batch is dropped without an error, like other invalid requests");
}

fn check_invalid(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.batch.invalid-element";
    let (requests, answered) = counts(case);
    let elements = case.exchange.parsed.messages().len();
    let refused = case
        .answers()
        .filter(|incoming| incoming.message().and_then(wire::Message::error_code) == Some(code::INVALID_REQUEST))
        .count();
    let expected = "a result for the request and an error -32600 for each other element";
    if answered == requests && refused == elements - requests {
        return collector.witness(ID);
    }
    if answered == 0 && refused == 0 && !is_client_error(case) {
        return collector.not_observed(ID, "the batch was not served");
    }
    let whole = answered == 0;
    let mut told = finding(
        case,
        if whole {
            "A batch is refused as a whole because some of its elements are not requests."
        } else {
            "Elements of a batch that are not requests do not get an error each."
        },
        expected,
    );
    if !whole {
        told.actual = format!("{refused} errors for {} such elements", elements - requests);
    }
    // Silence after malformed input is what most SDKs keep on stdio.
    let silent = refused == 0 && case.view.transport == Transport::Stdio;
    collector.fail(ID, if whole || silent { milder(told, Level::Advice) } else { told });
}

fn check_single(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.batch.not-served";
    if is_fatal(case) {
        return collector.not_observed(ID, "the server exited when it received a batch");
    }
    let served = case.answers().any(|incoming| incoming.message().is_some_and(|message| message.result().is_some()));
    collector.check(ID, !served, || {
        let finding = finding(
            case,
            "A batch of requests is served, although this revision has no batches.",
            "an error -32600, an HTTP status from 400 to 499, or no answer",
        );
        // The stdio page binds who sends; only the HTTP page says what a body must be.
        let stdio = case.view.transport == Transport::Stdio;
        Finding { level: stdio.then_some(Level::Advice), ..finding }
    });
}

fn check_initialize(case: &Case<'_>, collector: &mut Collector) {
    let served = case.answers().any(|incoming| incoming.message().is_some_and(|message| message.result().is_some()));
    collector.check("jsonrpc.batch.initialize-refused", !served, || {
        finding(case, "An initialize inside a batch is served.", "an error, or no answer")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Level, Revision, Status, Transport};

    use crate::testing::Script;

    const ERROR: &str = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}"#;
    const PING: &str = r#"{"jsonrpc":"2.0","id":80,"method":"ping"}"#;
    const PONG: &str = r#"{"jsonrpc":"2.0","id":80,"result":{}}"#;

    fn sent(revision: Revision, transport: Transport, kind: &str, text: &str) -> Script {
        Script::over(transport, revision, json!({})).settled().raw(Intent::Batch, json!({"kind": kind}), text)
    }

    fn march(kind: &str, text: &str) -> Script {
        sent(Revision::V2025_03_26, Transport::Stdio, kind, text)
    }

    fn http(kind: &str, text: &str) -> Script {
        sent(Revision::V2025_03_26, Transport::Http, kind, text)
    }

    fn id(topic: &str) -> String {
        format!("jsonrpc.batch.{topic}")
    }

    #[test]
    fn every_request_of_an_array_is_answered_in_an_array_or_one_by_one() {
        let text = format!("[{PING},{}]", PING.replace("80", "81"));
        let both = format!("[{PONG},{}]", PONG.replace("80", "81"));
        let served = march("requests", &text).says(&both).settled();
        assert_eq!(served.status_of(&id("accepted")), Status::Pass);
        assert_eq!(served.status_of(&id("response-array")), Status::Pass);
        let singly = march("requests", &text).says(PONG).says(&PONG.replace("80", "81")).settled();
        assert_eq!(singly.status_of(&id("accepted")), Status::Pass);
        assert_eq!(singly.verdict(&id("response-array")).level, Level::Advice);
        let body = http("requests", &text).status(200).says(PONG).says(&PONG.replace("80", "81"));
        assert_eq!(body.status_of(&id("response-array")), Status::Fail);
        for refused in [march("requests", &text).settled(), march("requests", &text).says(ERROR).settled()] {
            let verdict = refused.verdict(&id("accepted"));
            assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
        }
    }

    #[test]
    fn notifications_in_an_array_get_nothing() {
        let text = format!(r#"[{PING},{{"jsonrpc":"2.0","method":"notifications/x"}},{}]"#, PING.replace("80", "81"));
        let two = format!("{PONG},{}", PONG.replace("80", "81"));
        let right = march("mixed", &text).says(&format!("[{two}]")).settled();
        assert_eq!(right.status_of(&id("notifications-get-nothing")), Status::Pass);
        let wrong = march("mixed", &text).says(&format!("[{two},{ERROR}]")).settled();
        assert_eq!(wrong.status_of(&id("notifications-get-nothing")), Status::Fail);
    }

    #[test]
    fn a_server_without_arrays_may_refuse_those_of_notifications() {
        let error = r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"}}"#;
        let refused = march("notifications", r#"[{"jsonrpc":"2.0","method":"notifications/x"}]"#).says(error);
        assert_eq!(refused.settled().status_of(&id("only-notifications")), Status::NotObserved);
    }

    #[test]
    fn an_array_of_notifications_gets_no_empty_array() {
        let text = r#"[{"jsonrpc":"2.0","method":"notifications/x"}]"#;
        assert_eq!(march("notifications", text).settled().status_of(&id("only-notifications")), Status::Pass);
        let spoke = march("notifications", text).says("[]").plain("ping", json!({}), json!({"result": {}})).settled();
        assert_eq!(spoke.status_of(&id("only-notifications")), Status::Fail);
        assert_eq!(
            http("notifications", text).status(400).says(ERROR).status_of(&id("only-notifications")),
            Status::Pass
        );
        assert_eq!(
            http("notifications", text).status(200).says("[]").status_of(&id("only-notifications")),
            Status::Fail
        );
    }

    #[test]
    fn an_empty_array_gets_one_error() {
        assert_eq!(march("empty", "[]").says(ERROR).settled().status_of(&id("empty")), Status::Pass);
        assert_eq!(march("empty", "[]").says(&format!("[{ERROR}]")).settled().status_of(&id("empty")), Status::Fail);
        assert_eq!(march("empty", "[]").settled().verdict(&id("empty")).level, Level::Advice);
        assert_eq!(http("empty", "[]").status(400).status_of(&id("empty")), Status::Pass);
        assert_eq!(http("empty", "[]").status(202).status_of(&id("empty")), Status::NotObserved);
    }

    #[test]
    fn elements_that_are_no_requests_get_an_error_each() {
        let text = format!(r#"[1,{PING},{{"foo":1}}]"#);
        let right = march("invalid", &text).says(&format!("[{ERROR},{PONG},{ERROR}]")).settled();
        assert_eq!(right.status_of(&id("invalid-element")), Status::Pass);
        let part = march("invalid", &text).says(&format!("[{PONG},{ERROR}]")).settled().verdict(&id("invalid-element"));
        assert_eq!((part.status, part.level), (Status::Fail, Level::Should));
        let silent = march("invalid", &text).says(&format!("[{PONG}]")).settled().verdict(&id("invalid-element"));
        assert_eq!((silent.status, silent.level), (Status::Fail, Level::Advice));
        let whole = march("invalid", &text).says(ERROR).settled().verdict(&id("invalid-element"));
        assert_eq!((whole.status, whole.level), (Status::Fail, Level::Advice));
    }

    #[test]
    fn later_revisions_have_no_arrays() {
        let single = |revision| sent(revision, Transport::Stdio, "single", &format!("[{PING}]"));
        for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
            assert_eq!(single(revision).says(ERROR).settled().status_of(&id("not-served")), Status::Pass);
            assert_eq!(single(revision).settled().status_of(&id("not-served")), Status::Pass);
            assert_eq!(
                single(revision).says(&format!("[{PONG}]")).settled().status_of(&id("not-served")),
                Status::Fail
            );
        }
        let oldest = sent(Revision::V2024_11_05, Transport::Stdio, "single", &format!("[{PING}]"));
        assert!(oldest.says(&format!("[{PONG}]")).settled().fails_in("jsonrpc").is_empty());
    }

    #[test]
    fn initialize_is_not_served_from_an_array() {
        let opened = || {
            let script = Script::new(Revision::V2025_03_26, json!({})).bare();
            script.raw(
                Intent::Batch,
                json!({"kind": "initialize"}),
                r#"[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}]"#,
            )
        };
        assert_eq!(opened().settled().status_of(&id("initialize-refused")), Status::Pass);
        let served = opened().says(r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#);
        assert_eq!(served.status_of(&id("initialize-refused")), Status::Fail);
    }
}
