//! Input that is no JSON.

use verdict::{Intent, Key, Transport};
use wire::Message;
use wire::mcp::code;

use super::common::{answer_id, exchange_of_channel, felled, is_client_error, is_fatal, is_page, placed, survived};
use crate::{Case, Collector, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/parse-error",
    judges: &[
        "jsonrpc.parse-error.code",
        "jsonrpc.parse-error.id",
        "jsonrpc.parse-error.answered-on-http",
        "jsonrpc.parse-error.answered-on-stdio",
        "jsonrpc.parse-error.survives",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::MalformedJson).filter(Case::is_decided) {
        check_code(&case, collector);
        check_id(&case, collector);
        check_answered(&case, collector);
    }
    for case in view.probes(Intent::MalformedJson).chain(view.probes(Intent::BlankLine)) {
        check_survives(&case, collector);
    }
}

fn check_code(case: &Case<'_>, collector: &mut Collector) {
    let Some(code) = case.error_code().or_else(|| invented(case).and_then(|answer| answer.message()?.error_code()))
    else {
        return;
    };
    collector.check("jsonrpc.parse-error.code", code == code::PARSE_ERROR, || {
        placed(
            case,
            case.about_str(Key::Kind).unwrap_or("text"),
            "The error for input that is not JSON has a code other than -32700, so clients look for the fault elsewhere.",
            "error -32700 (parse error)",
        )
    });
}

fn check_id(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.parse-error.id";
    if invented(case).is_some() {
        let mut finding = case.finding(
            "The error for input that is not JSON carries an id that nobody sent, so it may be mistaken for the answer to another request.",
            "an error with id null or without an id",
        );
        finding.actual = "an error with an invented id".to_owned();
        finding.wire.extend(invented(case).map(Incoming::wire));
        collector.fail(ID, finding);
    } else if case.error().is_some() {
        collector.witness(ID);
    }
}

/// An error with an id that came for this: on its channel, or a parse error that answers no request.
fn invented<'v>(case: &Case<'v>) -> Option<&'v Incoming<'v>> {
    let session = case.session;
    session.incoming.iter().filter(|incoming| incoming.seq > case.exchange.seq).find(|incoming| {
        let error = incoming.message().filter(|message| message.error().is_some());
        let Some(message) = error.filter(|message| answer_id(message).is_some()) else { return false };
        match exchange_of_channel(session, incoming.receive.channel) {
            Some(exchange) => exchange.seq == case.exchange.seq && !is_page(session, incoming),
            None => incoming.answers.is_none() && Message::error_code(message) == Some(code::PARSE_ERROR),
        }
    })
}

fn check_answered(case: &Case<'_>, collector: &mut Collector) {
    if case.view.transport != Transport::Stdio {
        if case.status().is_some() {
            collector.check("jsonrpc.parse-error.answered-on-http", is_client_error(case), || {
                let mut finding = case.finding(
                    "A POST whose body is not JSON is not refused by its HTTP status.",
                    "an HTTP status from 400 to 499",
                );
                finding.actual = case.status().map_or_else(String::new, |status| format!("HTTP status {status}"));
                finding
            });
        }
    } else if !is_fatal(case) {
        let answered = case.error().is_some() || invented(case).is_some();
        collector.check("jsonrpc.parse-error.answered-on-stdio", answered, || {
            case.finding(
                "A line that is not JSON is dropped silently, as most SDKs do.",
                "an error -32700 with id null",
            )
        });
    }
}

fn check_survives(case: &Case<'_>, collector: &mut Collector) {
    if let Some(alive) = survived(case) {
        collector.check("jsonrpc.parse-error.survives", alive, || {
            felled(placed(
                case,
                case.about_str(Key::Kind).unwrap_or("text"),
                "After a line that is not JSON, the server stops answering: one stray line on its input stops every tool.",
                "the next request is answered",
            ), case)
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Level, Revision, Status, Transport};

    use crate::testing::Script;

    fn sent(transport: Transport) -> Script {
        let script = Script::over(transport, Revision::V2025_11_25, json!({})).settled();
        script.raw(Intent::MalformedJson, json!({"kind": "truncated"}), r#"{"jsonrpc":"2.0","method":"#)
    }

    fn error(id: &str, code: i64) -> String {
        format!(r#"{{"jsonrpc":"2.0"{id},"error":{{"code":{code},"message":"x"}}}}"#)
    }

    #[test]
    fn the_right_error_passes_with_null_and_without_id() {
        for id in [r#","id":null"#, ""] {
            let script =
                sent(Transport::Stdio).says(&error(id, -32700)).plain("ping", json!({}), json!({"result": {}}));
            assert!(script.fails_in("jsonrpc").is_empty());
            for topic in ["code", "id", "answered-on-stdio", "survives"] {
                assert_eq!(script.status_of(&format!("jsonrpc.parse-error.{topic}")), Status::Pass, "{topic}");
            }
        }
    }

    #[test]
    fn silence_on_stdio_is_advice_alone() {
        let script = sent(Transport::Stdio).settled();
        assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.parse-error.answered-on-stdio"]);
        assert_eq!(script.verdict("jsonrpc.parse-error.answered-on-stdio").level, Level::Advice);
        assert_eq!(script.status_of("jsonrpc.parse-error.code"), Status::NotObserved);
    }

    #[test]
    fn another_code_fails() {
        let script = sent(Transport::Stdio).says(&error(r#","id":null"#, -32600)).settled();
        assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.parse-error.code"]);
    }

    #[test]
    fn an_invented_id_fails_here_and_not_as_an_unknown_id() {
        for id in [r#","id":0"#, r#","id":"server-error""#] {
            let script = sent(Transport::Stdio).says(&error(id, -32700)).settled();
            assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.parse-error.id"]);
            let script = sent(Transport::Http).status(400).says(&error(id, -32700));
            assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.parse-error.id"]);
        }
    }

    #[test]
    fn a_server_that_ends_fails_survival_only_if_nothing_else_was_outstanding() {
        let script = sent(Transport::Stdio).exits(1);
        assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.parse-error.survives"]);
        let beside = sent(Transport::Stdio).unanswered(Intent::Unknown, "ping", json!({})).exits(1);
        assert_eq!(beside.status_of("jsonrpc.parse-error.survives"), Status::NotObserved);
    }

    #[test]
    fn a_server_that_waits_for_the_rest_of_the_line_has_not_survived() {
        let script = sent(Transport::Stdio);
        let stuck = script.unanswered_plainly("ping", json!({})).gave_up();
        assert_eq!(stuck.status_of("jsonrpc.parse-error.survives"), Status::Fail);
    }

    #[test]
    fn over_http_a_bare_400_is_fine_and_202_is_not() {
        assert!(sent(Transport::Http).status(400).fails_in("jsonrpc").is_empty());
        assert!(sent(Transport::Http).status(400).says(r#"{"error":"bad request"}"#).fails_in("jsonrpc").is_empty());
        assert_eq!(sent(Transport::Http).status(202).fails_in("jsonrpc"), ["jsonrpc.parse-error.answered-on-http"]);
    }
}
