//! Requests that differ from an ordinary one in something that must make no difference.

use verdict::{Intent, Key};
use wire::mcp::code;

use super::common::{is_no_verdict, is_stream};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/variation",
    judges: &[
        "http.accept.both-any-order",
        "http.request.content-type-parameters",
        "http.request.chunked-body",
        "http.request.utf8",
        "http.endpoint.any-connection",
        "http.headers.names-case-insensitive",
    ],
    judge,
};

/// Of a kind: the requirement, what is wrong, and what was expected.
fn meaning(kind: &str) -> Option<(&'static str, &'static str, &'static str)> {
    const SAME: &str = "the same response as without the variation";
    Some(match kind {
        "accept-reversed" | "accept-quality" | "accept-tight" => (
            RULE.judges[0],
            "An Accept header that lists both media types is refused because of how it is written.",
            SAME,
        ),
        "charset" => (RULE.judges[1], "A Content-Type of application/json with a charset is refused.", SAME),
        "chunked" => (RULE.judges[2], "A body sent with chunked transfer encoding is not read.", SAME),
        "utf8-id" => (
            RULE.judges[3],
            "A request body is not read as UTF-8: non-ASCII characters are not returned as they were sent.",
            "a response with the id that was sent",
        ),
        "fresh-connection" => (
            RULE.judges[4],
            "A request is refused because it arrives on a different TCP connection than the requests before it.",
            SAME,
        ),
        "names-lower" | "names-upper" => (
            RULE.judges[5],
            "Header names are treated as case-sensitive, so clients and proxies that write them in another case are refused.",
            SAME,
        ),
        _ => return None,
    })
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::HttpVariation).filter(Case::is_decided) {
        let Some((id, message, expected)) = case.about_str(Key::Kind).and_then(meaning) else { continue };
        let finding = || {
            let mut finding = case.finding(message, expected);
            finding.place = case.about_str(Key::Kind).map(str::to_owned);
            finding
        };
        if is_served(&case) {
            collector.witness(id);
        } else if !has_control(&case) || is_no_verdict(&case) || is_stream(&case) && case.answer().is_none() {
            collector.inconclusive(
                id,
                "the request with the variation was not served, and it is unknown whether the variation is the cause",
            );
        } else if id != RULE.judges[3] || is_garbled(&case) {
            collector.fail(id, finding());
        } else {
            collector.inconclusive(id, "a request with a non-ASCII id was refused");
        }
    }
}

/// A result came. (What was sent in chunks is no message as it stands in the transcript.)
fn is_served(case: &Case<'_>) -> bool {
    let came = || case.received().any(|incoming| incoming.message().is_some_and(|message| message.result().is_some()));
    case.result().is_some() || case.about_str(Key::Kind) == Some("chunked") && came()
}

fn has_control(case: &Case<'_>) -> bool {
    let (view, session) = (case.view, case.session);
    let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    cases.any(|other| other.intent() == Some(Intent::HttpControl) && other.result().is_some())
}

/// The answer has another id, or says that the body is no JSON.
fn is_garbled(case: &Case<'_>) -> bool {
    let key = |message: &wire::Message| message.id.as_ref().and_then(wire::Id::key);
    let sent = case.sent().and_then(key);
    case.received().filter_map(crate::Incoming::message).any(|message| {
        let other = key(message).is_some_and(|key| Some(key) != sent);
        message.is_answer() && (other || message.error_code() == Some(code::PARSE_ERROR))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status};

    use super::super::scripts::{JSON, OWN, error, open, result};
    use crate::testing::Script;

    const KINDS: [(&str, &str); 7] = [
        ("accept-tight", "http.accept.both-any-order"),
        ("charset", "http.request.content-type-parameters"),
        ("chunked", "http.request.chunked-body"),
        ("fresh-connection", "http.endpoint.any-connection"),
        ("names-lower", "http.headers.names-case-insensitive"),
        ("names-upper", "http.headers.names-case-insensitive"),
        ("accept-quality", "http.accept.both-any-order"),
    ];

    fn varied(kind: &str, control: (u16, &str), response: (u16, &str)) -> Script {
        let script = open(Revision::V2025_11_25).ping(7, Intent::HttpControl, json!({}), control);
        script.ping(8, Intent::HttpVariation, json!({"kind": kind}), response)
    }

    #[test]
    fn what_is_served_alike_passes() {
        for (kind, id) in KINDS {
            let script = varied(kind, (200, &result(7)), (200, &result(8)));
            assert_eq!((script.status_of(id), script.fails_in("http")), (Status::Pass, vec![]), "{kind}");
        }
    }

    #[test]
    fn what_is_refused_for_the_difference_fails() {
        for (kind, id) in KINDS {
            let script = varied(kind, (200, &result(7)), (400, &error("no")));
            assert_eq!(script.fails_in("http"), [id], "{kind}");
        }
    }

    #[test]
    fn without_a_control_that_was_served_nothing_is_known() {
        let script = varied("charset", (429, ""), (415, ""));
        assert_eq!(script.status_of("http.request.content-type-parameters"), Status::Inconclusive);
    }

    #[test]
    fn a_body_in_chunks_is_answered_though_it_is_no_message_in_the_transcript() {
        let script = open(Revision::V2025_11_25).ping(7, Intent::HttpControl, json!({}), (200, &result(7)));
        let script =
            script.request("POST", Intent::HttpVariation, json!({"kind": "chunked"}), OWN, "5\r\n{\"id\"\r\n0\r\n\r\n");
        assert_eq!(script.respond(200, JSON, &result(8)).status_of("http.request.chunked-body"), Status::Pass);
    }

    #[test]
    fn an_id_that_comes_back_otherwise_fails() {
        let sent = json!({"jsonrpc": "2.0", "id": "ü", "method": "ping"}).to_string();
        let script = |id: &str| {
            let script = open(Revision::V2025_11_25).ping(7, Intent::HttpControl, json!({}), (200, &result(7)));
            let script = script.request("POST", Intent::HttpVariation, json!({"kind": "utf8-id"}), OWN, &sent);
            script.respond(200, JSON, &json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string())
        };
        assert_eq!(script("ü").status_of("http.request.utf8"), Status::Pass);
        assert!(script("Ã¼").fails().contains(&"http.request.utf8"));
    }
}
