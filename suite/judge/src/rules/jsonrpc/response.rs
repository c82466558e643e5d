//! Every request gets one response, and only requests do. Passive: judged on all traffic.
//!
//! Probes with unusual ids are judged by the rules about ids.

use verdict::transcript::Via;
use verdict::{Era, Intent, Level, Revision, Transport};
use wire::mcp::code;
use wire::{Content, Id, Kind, Message};

use super::common::{
    answer_id, exchange_of_channel, frame, is_beyond_double, is_page, is_plain_request, is_stray_error, speaks_its_era,
    unclaimed,
};
use crate::rules::own_doing::is_cancelled;
use crate::rules::tools::is_generated;
use crate::{Case, Collector, ExchangeEnd, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/response",
    judges: &[
        "jsonrpc.response.every-request-answered",
        "jsonrpc.response.exactly-one",
        "jsonrpc.response.no-unknown-id",
        "jsonrpc.response.pipelined-all-answered",
    ],
    judge,
};

/// Methods behind which there is work of unknown length: their silence needs a repetition.
const SLOW: [&str; 4] = ["tools/call", "resources/read", "prompts/get", "completion/complete"];

/// A larger request may be refused by dropping it.
const LARGE: usize = 1 << 20;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(|case| !own_rule(case)) {
        check_answered(&case, collector);
        check_once(&case, collector);
    }
    for case in view.probes(Intent::Pipelined).filter(Case::is_told) {
        check_pipelined(&case, collector);
    }
    for (session, incoming) in view.incoming() {
        known_id(session, incoming, collector);
    }
}

fn own_rule(case: &Case<'_>) -> bool {
    // Of generated calls only what was sent alone is judged, by the rule about them.
    if is_generated(case) && case.answer().is_none() {
        return true;
    }
    // Requests without the `_meta` they owe may be dropped as ill-formed.
    case.intent().is_some_and(|intent| intent.varies_id() || matches!(intent, Intent::Pipelined | Intent::RequestMeta))
}

fn check_answered(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.response.every-request-answered";
    if !is_plain_request(case) || !case.is_told() || may_wait(case) || is_early(case) {
        return;
    }
    if !speaks_its_era(case.session, case.exchange) {
        return;
    }
    if !case.exchange.answers.is_empty() || !case.exchange.unmatched.is_empty() {
        return collector.witness(ID);
    }
    let status = case.status();
    if status.is_some_and(|status| status >= 300) {
        return collector.witness(ID);
    }
    let swallowed = matches!(status, Some(202 | 204));
    let waited = matches!(case.exchange.end, ExchangeEnd::Settled | ExchangeEnd::GaveUp);
    if !swallowed && !waited || is_garbled(case) || unclaimed(case.session, case.exchange.seq).is_some() {
        // An error without the id stands for this answer: `jsonrpc.error.same-id` says so.
        return;
    }
    if breaks_schema(case) {
        return collector.note(ID, "a request whose progressToken is neither a string nor an integer gets no answer");
    }
    let mut finding = case.finding(
        "A request is never answered, so its caller waits until it times out.",
        "one response with the id of the request",
    );
    finding.place = case.method().map(str::to_owned);
    // Such a request breaks a must of its own.
    finding.level = (case.intent() == Some(Intent::ProgressInvalid)).then_some(Level::Should);
    // No page says how long a tool may take, and over HTTP what else is answered meanwhile tells nothing of it.
    let streams_on = case.session.open.transport == Transport::Http && case.exchange.closed.is_none();
    if (case.exchange.end == ExchangeEnd::GaveUp || streams_on) && case.method() == Some("tools/call") {
        "A tool call is not answered within the time limit: either the tool takes longer (--timeout), or it never answers."
            .clone_into(&mut finding.message);
        finding.level = Some(Level::Advice);
    }
    // Where others that were sent later are answered, and again and again one is not, it is not load.
    if case.may_be_lost() {
        return if case.is_followed() { collector.fail(ID, finding) } else { collector.suspect(ID, case, finding) };
    }
    // A time limit alone may be load: the first request of a slow start, for one.
    if matches!(case.exchange.end, ExchangeEnd::GaveUp) || case.method().is_some_and(|method| SLOW.contains(&method)) {
        collector.suspect(ID, case, finding);
    } else {
        collector.fail(ID, finding);
    }
}

/// A token of another type than the schema allows: until 2025-06-18 no page says what to do with a request that breaks the schema
/// without being wrong JSON-RPC.
fn breaks_schema(case: &Case<'_>) -> bool {
    case.intent() == Some(Intent::ProgressInvalid) && case.view.revision <= Revision::V2025_06_18
}

/// Cancelled by the tester, or meant to stay open.
fn may_wait(case: &Case<'_>) -> bool {
    matches!(case.method(), Some("subscriptions/listen" | "tasks/result"))
        || case.exchange.send.text.len() > LARGE
        || is_cancelled(case)
}

/// Something with its id came that is no response: the shapes of messages say so.
fn is_garbled(case: &Case<'_>) -> bool {
    let id = case.sent().and_then(|message| message.id.as_ref());
    case.session.incoming.iter().any(|incoming| {
        incoming.seq > case.exchange.seq
            && incoming.message().is_some_and(|message| message.kind == Kind::Invalid && message.id.as_ref() == id)
    })
}

/// Sent before the handshake was done, where a server may do as it likes.
fn is_early(case: &Case<'_>) -> bool {
    let negotiated = case.session.probes.iter().find(|(_, probe)| probe.intent == Intent::Negotiated);
    case.view.revision.era() == Era::Handshake && negotiated.is_none_or(|(seq, _)| case.exchange.seq < *seq)
}

fn check_once(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.response.exactly-one";
    if !matches!(case.exchange.parsed.content, Content::One(_)) || case.exchange.answers.is_empty() {
        return;
    }
    let answers: Vec<&Incoming<'_>> =
        case.exchange.answers.iter().filter_map(|at| case.session.incoming.get(*at)).collect();
    // A server that rounds unusual ids may hit upon another request's.
    let again = answers[1..]
        .iter()
        .filter(|answer| !is_about_ids(case.session, answer) && !is_of_another_session(case.session, answer))
        .any(|answer| !answers.iter().any(|other| is_replay(other, answer)));
    collector.check(ID, !again, || {
        let mut finding =
            case.finding("A request is answered more than once.", "one response, either a result or an error");
        finding.place = case.method().map(str::to_owned);
        finding.actual = "a second response with the same id".to_owned();
        finding
    });
}

/// An SSE event that comes again on a resumed stream is the same response.
fn is_replay(first: &Incoming<'_>, again: &Incoming<'_>) -> bool {
    let event = |incoming: &Incoming<'_>| match &incoming.receive.via {
        Via::Sse { id, .. } => id.clone(),
        _ => None,
    };
    first.receive.channel != again.receive.channel
        && first.receive.text == again.receive.text
        && event(first).is_some()
        && event(first) == event(again)
}

fn check_pipelined(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.response.pipelined-all-answered";
    // Rate limiting is legitimate: an HTTP error is an answer.
    let refused = case.status().is_some_and(|status| status >= 400);
    if case.answer().is_some() || refused {
        return collector.witness(ID);
    }
    if unclaimed(case.session, case.exchange.seq).is_some() {
        return;
    }
    let finding = case.finding(
        "Some of several concurrent requests are never answered: the server loses messages when they arrive fast.",
        "one response for every request of the burst, in any order",
    );
    match case.exchange.end {
        ExchangeEnd::GaveUp => collector.suspect(ID, case, finding),
        _ => collector.fail(ID, finding),
    }
}

fn known_id(session: &Session<'_>, incoming: &Incoming<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.response.no-unknown-id";
    let Some(id) = incoming.message().and_then(answer_id) else { return };
    if incoming.answers.is_some() {
        return collector.witness(ID);
    }
    if is_page(session, incoming)
        || is_beyond_double(id)
        || has_twin(session, id)
        || is_invented(session, incoming)
        || is_within(session, id)
        || is_about_ids(session, incoming)
        || is_of_another_session(session, incoming)
        || incoming.message().is_some_and(|message| is_stray_error(session, message))
        || is_shared(session, id)
    {
        return;
    }
    collector.fail(
        ID,
        frame(
            incoming,
            "The server sends a response whose id matches no request.",
            "responses to requests only, with their ids",
            "a response with an unknown id",
        ),
    );
}

/// The tester gave it to two requests: which answer belongs to which cannot be told.
fn is_shared(session: &Session<'_>, id: &Id) -> bool {
    let has = |message: &Message| message.kind == Kind::Request && message.id.as_ref() == Some(id);
    session.exchanges.iter().filter(|exchange| exchange.parsed.messages().iter().any(has)).count() > 1
}

/// A request had the same text as id in the other type: `jsonrpc.response.id-echo` says so.
fn has_twin(session: &Session<'_>, id: &Id) -> bool {
    let twin = |message: &Message| message.id.as_ref().is_some_and(|other| is_twin(id, other));
    session.exchanges.iter().any(|exchange| exchange.parsed.messages().iter().any(twin))
}

/// `7` and `"7"`.
pub(super) fn is_twin(a: &Id, b: &Id) -> bool {
    match (a, b) {
        (Id::Integer(a) | Id::Number(a), Id::String(b)) | (Id::String(b), Id::Integer(a) | Id::Number(a)) => a == b,
        _ => false,
    }
}

/// It may be the answer to a probe with an unusual id, on its channel or before it: the rules about ids say so.
fn is_about_ids(session: &Session<'_>, incoming: &Incoming<'_>) -> bool {
    let probe = |exchange: &crate::Exchange<'_>| {
        let intent = exchange.send.probe.as_ref().map(|probe| probe.intent);
        exchange.seq < incoming.seq && exchange.answers.is_empty() && intent.is_some_and(|intent| intent.varies_id())
    };
    match exchange_of_channel(session, incoming.receive.channel) {
        Some(exchange) => probe(exchange),
        None => session.exchanges.iter().any(probe),
    }
}

/// Another session's stream was asked for: `security.session.replay-scoped` says so.
fn is_of_another_session(session: &Session<'_>, incoming: &Incoming<'_>) -> bool {
    let asked = exchange_of_channel(session, incoming.receive.channel);
    asked.and_then(|exchange| exchange.send.probe.as_ref()).is_some_and(|probe| probe.intent == Intent::ForeignResume)
}

/// Input that only more lenient readers than ours can read had this id.
fn is_within(session: &Session<'_>, id: &Id) -> bool {
    let text = format!("\"id\":{}", id.to_json());
    session
        .exchanges
        .iter()
        .any(|exchange| matches!(exchange.parsed.content, Content::Unreadable(_)) && exchange.send.text.contains(&text))
}

/// An invented id in the answer to input without a readable one: `jsonrpc.parse-error.id` says so.
fn is_invented(session: &Session<'_>, incoming: &Incoming<'_>) -> bool {
    let broken = |exchange: &crate::Exchange<'_>| {
        exchange.seq < incoming.seq && matches!(exchange.parsed.content, Content::Unreadable(_))
    };
    match exchange_of_channel(session, incoming.receive.channel) {
        Some(exchange) => broken(exchange),
        None => {
            incoming.message().and_then(Message::error_code) == Some(code::PARSE_ERROR)
                && session.exchanges.iter().any(broken)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::transcript::{Kind, Receive, Via};
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const ANSWERED: &str = "jsonrpc.response.every-request-answered";

    fn script() -> Script {
        Script::new(Revision::V2025_11_25, json!({}))
    }

    #[test]
    fn silence_that_a_later_answer_proves_fails() {
        let script = script().unanswered(Intent::Unknown, "ping", json!({})).settled();
        assert_eq!(script.fails_in("jsonrpc"), [ANSWERED]);
        assert_eq!(script.verdict(ANSWERED).findings[0].actual, "no answer, though a later request was answered");
    }

    #[test]
    fn where_a_session_goes_on_with_a_connection_the_handshake_is_done() {
        let script = script().goes_on("practice").unanswered(Intent::Unknown, "tools/list", json!({})).settled();
        assert_eq!(script.fails_in("jsonrpc"), [ANSWERED]);
    }

    #[test]
    fn a_tool_that_does_not_answer_in_time_is_only_suspected() {
        let slow = |script: Script| script.unanswered(Intent::Unknown, "tools/call", json!({"name": "slow"})).gave_up();
        assert_eq!(slow(script()).status_of(ANSWERED), Status::Inconclusive);
        let again = slow(slow(script()).session(true, json!({"tools": {}})));
        let verdict = again.verdict(ANSWERED);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, verdict::Level::Advice));
    }

    #[test]
    fn over_http_other_answers_tell_nothing_of_a_tool_whose_response_is_not_over() {
        let start = || Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        let slow = |script: Script| script.unanswered(Intent::Unknown, "tools/call", json!({"name": "slow"})).settled();
        assert_eq!(slow(start()).status_of(ANSWERED), Status::Inconclusive);
        let again = slow(slow(start()).session(true, json!({"tools": {}})));
        assert_eq!(again.verdict(ANSWERED).level, verdict::Level::Advice);
    }

    #[test]
    fn a_cancelled_request_and_a_fallen_server_are_no_silence() {
        let cancelled = script().unanswered(Intent::Unknown, "ping", json!({})).means(Intent::Unknown, json!(null));
        let cancelled = cancelled
            .raw(
                Intent::Unknown,
                json!({}),
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#,
            )
            .settled();
        assert!(cancelled.fails_in("jsonrpc").is_empty());
        let fallen = script().unanswered(Intent::Unknown, "ping", json!({})).exits(1);
        assert!(!fallen.fails_in("jsonrpc").contains(&ANSWERED));
    }

    #[test]
    fn over_http_an_error_status_answers_and_202_does_not() {
        let http = || Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        assert!(
            !http().unanswered(Intent::Unknown, "ping", json!({})).status(404).fails_in("jsonrpc").contains(&ANSWERED)
        );
        assert!(
            http().unanswered(Intent::Unknown, "ping", json!({})).status(202).fails_in("jsonrpc").contains(&ANSWERED)
        );
    }

    #[test]
    fn a_second_response_fails_and_a_replayed_event_does_not() {
        let twice = script().plain("ping", json!({}), json!({"result": {}}));
        assert_eq!(twice.status_of("jsonrpc.response.exactly-one"), Status::Pass);
        let twice = twice.says(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
        assert_eq!(twice.fails_in("jsonrpc"), ["jsonrpc.response.exactly-one"]);
    }

    #[test]
    fn an_answer_to_nothing_fails_unless_its_id_is_null() {
        let script = script().plain("ping", json!({}), json!({"result": {}}));
        assert_eq!(script.status_of("jsonrpc.response.no-unknown-id"), Status::Pass);
        let script = script.settled().says(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#);
        assert!(script.fails_in("jsonrpc").is_empty());
        let script = script.says(r#"{"jsonrpc":"2.0","id":"stray","result":{}}"#);
        assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.response.no-unknown-id"]);
    }

    #[test]
    fn an_id_that_two_requests_had_is_no_unknown_one() {
        let ping = r#"{"jsonrpc":"2.0","id":80,"method":"ping"}"#;
        let pong = r#"{"jsonrpc":"2.0","id":80,"result":{}}"#;
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        let first = script.raw(Intent::IdInFlight, json!({}), ping);
        let channel = first.last_channel();
        let both =
            first.raw(Intent::IdInFlight, json!({}), ping).request("GET", None, json!({}), &[], "").head(200, &[]);
        let answered = both.sse(pong).sse_on(channel, None, None, pong);
        assert!(!answered.fails_in("jsonrpc").contains(&"jsonrpc.response.no-unknown-id"));
    }

    #[test]
    fn an_error_with_the_id_of_an_invalid_request_is_known() {
        let script =
            script().raw(Intent::InvalidRequest, json!({"kind": "no-method"}), r#"{"jsonrpc":"2.0","id":"x"}"#);
        let script = script.says(r#"{"jsonrpc":"2.0","id":"x","error":{"code":-32600,"message":"no method"}}"#);
        assert!(script.fails_in("jsonrpc").is_empty());
    }

    #[test]
    fn an_answer_that_a_limit_of_ours_cut_is_no_silence() {
        let asked =
            || Script::new(Revision::V2025_11_25, json!({"tools": {}})).unanswered_plainly("tools/list", json!({}));
        let cut = |dropped| {
            let via = Via::Line;
            Kind::Receive(Receive { channel: 0, text: String::new(), via, dropped, not_utf8: false })
        };
        assert_eq!(asked().gave_up().status_of(ANSWERED), Status::Inconclusive);
        assert_eq!(asked().settled().status_of(ANSWERED), Status::Fail);
        for end in [Script::gave_up, Script::settled] {
            assert_ne!(end(asked().add(cut(70_000_000))).status_of(ANSWERED), Status::Fail);
            assert_ne!(end(asked().add(cut(70_000_000))).status_of(ANSWERED), Status::Inconclusive);
            // Legal JSON that cannot be held.
            let huge = asked().says(r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[1e400]}}"#);
            assert!(!matches!(end(huge).status_of(ANSWERED), Status::Fail | Status::Inconclusive));
        }
    }

    #[test]
    fn a_burst_must_be_answered_completely() {
        let whole = script().probe(Intent::Pipelined, "ping", json!({}), json!({"result": {}})).settled();
        assert_eq!(whole.status_of("jsonrpc.response.pipelined-all-answered"), Status::Pass);
        let part = whole.unanswered(Intent::Pipelined, "ping", json!({})).settled();
        assert_eq!(part.status_of("jsonrpc.response.pipelined-all-answered"), Status::Fail);
        let limited = Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        let limited = limited.unanswered(Intent::Pipelined, "ping", json!({})).status(429);
        assert_eq!(limited.status_of("jsonrpc.response.pipelined-all-answered"), Status::Pass);
    }
}
