//! Request ids come back as they were sent, and what is no id is not served.

use verdict::probes::values::Reading;
use verdict::{Intent, Key};

use super::common::{
    answer_id, exchange_of_channel, frame, is_bare_refusal, is_client_error, is_fatal, is_silent, placed,
};
use super::response::is_twin;
use crate::{Case, Collector, Incoming, Rule, Session, View};

const WRONG_ID: &str =
    "The id of a response differs from that of its request: the type must be kept, 7 and \"7\" are different ids.";
const RIGHT_ID: &str = "the id of the request, with the same JSON type and value";

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/id",
    judges: &[
        "jsonrpc.response.id-echo",
        "jsonrpc.response.id-edge-values",
        "jsonrpc.response.id-beyond-double",
        "jsonrpc.id.string-and-integer-accepted",
        "jsonrpc.id.null-not-served",
        "jsonrpc.id.wrong-type-not-served",
        "jsonrpc.id.fractional",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    // Otherwise answers are found by their ids, and could have no other.
    let told_apart = |session: &&Session<'_>| matches!(session.reading, Some(Reading::TextIds | Reading::Order));
    for session in view.judged().filter(told_apart) {
        check_echoes(view, session, collector);
    }
    for case in view.probes(Intent::IdPair).filter(Case::is_decided) {
        check_pair(view, &case, collector);
    }
    for case in view.probes(Intent::IdEdge).filter(Case::is_decided) {
        let kind = case.about_str(Key::Kind).unwrap_or_default();
        collector.check("jsonrpc.response.id-edge-values", !case.exchange.answers.is_empty(), || {
            placed(
                &case,
                kind,
                "A request with a valid but unusual id gets no response with this id.",
                "a response with exactly this id",
            )
        });
    }
    for case in view.probes(Intent::IdBeyond).filter(Case::is_decided) {
        let visible = case.answer().is_some() || is_client_error(&case);
        collector.check("jsonrpc.response.id-beyond-double", visible, || {
            case.finding(
                "A request whose id is an integer beyond 2^53 is dropped, or answered with a rounded id.",
                "a response with the exact id, or an error",
            )
        });
    }
    for case in view.probes(Intent::IdNull).filter(Case::is_decided) {
        not_served("jsonrpc.id.null-not-served", &case, collector);
    }
    for case in view.probes(Intent::IdWrongType).filter(Case::is_decided) {
        not_served("jsonrpc.id.wrong-type-not-served", &case, collector);
        if is_silent(&case) && !is_fatal(&case) {
            collector.note("jsonrpc.id.wrong-type-not-served", "a request with an invalid id is dropped silently");
        }
    }
    for case in view.probes(Intent::IdFractional).filter(Case::is_decided) {
        check_fractional(&case, collector);
    }
}

/// Where the tester tells answers apart although their ids are wrong, every one of them shows it.
fn check_echoes(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    for exchange in &session.exchanges {
        let case = Case { view, session, exchange };
        let (Some(sent), Some(answer)) = (case.sent().and_then(|sent| sent.id.as_ref()), case.answer()) else {
            continue;
        };
        let Some(id) = answer.message().and_then(answer_id) else { continue };
        collector.check("jsonrpc.response.id-echo", id.key() == sent.key(), || {
            let mut finding = case.finding(WRONG_ID, RIGHT_ID);
            "an id of another type or value".clone_into(&mut finding.actual);
            finding
        });
    }
}

fn check_pair(view: &View<'_>, case: &Case<'_>, collector: &mut Collector) {
    const ECHO: &str = "jsonrpc.response.id-echo";
    const BOTH: &str = "jsonrpc.id.string-and-integer-accepted";
    let partner = view.probes(Intent::IdPair).filter(|other| other.session.id == case.session.id);
    let partner_served =
        partner.filter(|other| other.exchange.seq != case.exchange.seq).any(|other| other.result().is_some());
    if case.exchange.answers.is_empty() {
        if let Some(wrong) = mistaken(case) {
            let mut finding = frame(wrong, WRONG_ID, RIGHT_ID, "an id of another type or value");
            // Over HTTP the request it came back on is the one to show.
            let posted = exchange_of_channel(case.session, wrong.receive.channel).unwrap_or(case.exchange);
            finding.wire.insert(0, format!("> {}", posted.send.text));
            return collector.fail(ECHO, finding);
        }
    } else {
        collector.witness(ECHO);
    }
    let refused = case.error().is_some() || is_bare_refusal(case);
    if case.result().is_some() {
        collector.witness(BOTH);
    } else if partner_served && refused || is_silent(case) {
        collector.fail(
            BOTH,
            case.finding(
                "A request is not served because of the type of its id.",
                "a result: ids may be strings and integers",
            ),
        );
    }
}

/// Returns what came in place of the answer: a message on its channel, or an answer that matches no request or one twice.
fn mistaken<'v>(case: &Case<'v>) -> Option<&'v Incoming<'v>> {
    let own = case.sent()?.id.as_ref()?;
    let exchanges = &case.session.exchanges;
    case.session.incoming.iter().filter(|incoming| incoming.seq > case.exchange.seq).find(|incoming| {
        let Some(id) = incoming.message().and_then(answer_id) else { return false };
        let surplus = incoming.answers.and_then(|at| exchanges.get(at)).is_none_or(|other| other.answers.len() > 1);
        let channel = incoming.receive.channel;
        match exchange_of_channel(case.session, channel) {
            Some(exchange) => exchange.seq == case.exchange.seq,
            None => surplus && (is_twin(id, own) || incoming.answers.is_none()),
        }
    })
}

fn not_served(id: &'static str, case: &Case<'_>, collector: &mut Collector) {
    if is_fatal(case) {
        return collector.not_observed(id, "the server exited when it received such a request");
    }
    collector.check(id, case.result().is_none(), || {
        placed(
            case,
            case.about_str(Key::Kind).unwrap_or("null"),
            "A request whose id is neither a string nor an integer is served.",
            "an error -32600 without an id, or no response",
        )
    });
}

fn check_fractional(case: &Case<'_>, collector: &mut Collector) {
    let message = "A request whose id has a fractional part is served.";
    collector.check("jsonrpc.id.fractional", case.result().is_none(), || case.finding(message, "an error -32600"));
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Level, Revision, Status, Transport};

    use crate::testing::Script;

    const ECHO: &str = "jsonrpc.response.id-echo";
    const BOTH: &str = "jsonrpc.id.string-and-integer-accepted";

    fn script() -> Script {
        Script::new(Revision::V2025_11_25, json!({}))
    }

    fn ping(id: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
    }

    fn pong(id: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
    }

    fn pair(script: Script) -> Script {
        script.raw(Intent::IdPair, json!({"kind": "integer"}), &ping("700")).raw(
            Intent::IdPair,
            json!({"kind": "string"}),
            &ping("\"700\""),
        )
    }

    #[test]
    fn both_types_come_back() {
        let script = pair(script()).says(&pong("\"700\"")).says(&pong("700")).settled();
        assert!(script.fails_in("jsonrpc").is_empty());
        assert_eq!((script.status_of(ECHO), script.status_of(BOTH)), (Status::Pass, Status::Pass));
    }

    #[test]
    fn a_string_that_comes_back_as_a_number_fails_the_echo_alone() {
        let script = pair(script()).says(&pong("700")).says(&pong("700")).settled();
        assert_eq!(script.fails_in("jsonrpc"), [ECHO]);
        let script = pair(script_over_http()).status(200).says(&pong("700"));
        assert!(script.fails_in("jsonrpc").contains(&ECHO));
    }

    fn script_over_http() -> Script {
        Script::over(Transport::Http, Revision::V2025_11_25, json!({}))
    }

    #[test]
    fn a_type_that_is_never_answered_is_not_accepted() {
        let script = pair(script()).says(&pong("700")).settled();
        assert_eq!(script.fails_in("jsonrpc"), [BOTH]);
    }

    #[test]
    fn unusual_ids_are_echoed_after_decoding() {
        let edge = |raw: &str| script().raw(Intent::IdEdge, json!({"kind": "unicode"}), &ping(raw));
        assert!(edge(r#""\u00fc""#).says(&pong("\"ü\"")).fails_in("jsonrpc").is_empty());
        assert_eq!(edge("0").settled().fails_in("jsonrpc"), ["jsonrpc.response.id-edge-values"]);
    }

    #[test]
    fn a_rounded_or_dropped_large_id_is_advice_and_an_error_is_fine() {
        let beyond = || script().raw(Intent::IdBeyond, json!({}), &ping("9007199254740993"));
        assert_eq!(
            beyond().says(&pong("9007199254740992")).settled().fails_in("jsonrpc"),
            ["jsonrpc.response.id-beyond-double"]
        );
        let refused =
            beyond().says(r#"{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":-32600,"message":"id"}}"#);
        assert_eq!(refused.status_of("jsonrpc.response.id-beyond-double"), Status::Pass);
    }

    #[test]
    fn what_is_no_id_is_not_served() {
        for (intent, raw, id) in [
            (Intent::IdNull, "null", "jsonrpc.id.null-not-served"),
            (Intent::IdWrongType, "true", "jsonrpc.id.wrong-type-not-served"),
        ] {
            let sent = || script().settled().raw(intent, json!({"kind": raw}), &ping(raw));
            assert_eq!(sent().settled().status_of(id), Status::Pass);
            let refused = sent().says(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id"}}"#);
            assert_eq!(refused.settled().status_of(id), Status::Pass);
            assert_eq!(sent().says(&pong(raw)).settled().status_of(id), Status::Fail);
        }
    }

    #[test]
    fn a_served_fractional_id_is_advice() {
        const ID: &str = "jsonrpc.id.fractional";
        let sent = || script().raw(Intent::IdFractional, json!({}), &ping("1.5"));
        let served = sent().says(&pong("1.5")).verdict(ID);
        assert_eq!((served.status, served.level), (Status::Fail, Level::Advice));
        assert_eq!(sent().settled().status_of(ID), Status::Pass);
    }
}
