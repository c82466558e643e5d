//! How a server reads its standard input: line by line, whatever the chunks, as UTF-8.

use verdict::Intent;
use wire::Message;

use crate::{Case, Collector, ExchangeEnd, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "stdio/input",
    judges: &[
        "stdio.framing.newline-terminated",
        "stdio.framing.pipelined-messages",
        "stdio.framing.split-writes",
        "stdio.framing.only-lf-splits",
        "stdio.encoding.utf8-input",
        "stdio.framing.crlf-input-tolerated",
        "stdio.framing.blank-line-input-tolerated",
    ],
    judge,
};

/// Intent, requirement, what is wrong, what was expected.
const SERVED: [(Intent, &str, &str, &str); 6] = [
    (
        Intent::Alone,
        "stdio.framing.newline-terminated",
        "The answer to a single request does not arrive until something else is sent: it is held back in a buffer, or its newline is missing.",
        "the whole line with its newline, flushed immediately",
    ),
    (
        Intent::OneWrite,
        "stdio.framing.pipelined-messages",
        "Not all of several messages that arrive together are answered.",
        "an answer to each",
    ),
    (
        Intent::SplitWrite,
        "stdio.framing.split-writes",
        "A message that arrives in pieces is not read as one: pipes split data anywhere, so this will happen to any client.",
        "one answer, once the newline has arrived",
    ),
    (
        Intent::OnlyLf,
        "stdio.framing.only-lf-splits",
        "A message with the characters U+2028, U+2029 or U+0085 in a string is split there, but only a newline ends a message.",
        "an answer with the same id",
    ),
    (
        Intent::Utf8Id,
        "stdio.encoding.utf8-input",
        "Non-ASCII text is not read as UTF-8, so every name and argument with such text reaches tools garbled.",
        "an answer with the same id, whatever the locale",
    ),
    (
        Intent::Crlf,
        "stdio.framing.crlf-input-tolerated",
        "A message that ends with CR LF is not served, so clients that send CR LF cannot talk to this server.",
        "the same answer as after LF alone",
    ),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (intent, id, message, expected) in SERVED {
        for case in view.probes(intent) {
            // One with the right id is enough: any answer shows that the message was read.
            let late = intent == Intent::Alone && case.exchange.gave_up.is_some();
            if is_answered(&case) && !late {
                collector.check(id, fragments(&case) == 0, || {
                    let mut finding = case.finding("The pieces of a message are answered individually.", expected);
                    "an answer, and errors for the pieces".clone_into(&mut finding.actual);
                    finding
                });
            } else if is_known(&case) {
                let mut finding = case.finding(message, expected);
                if late {
                    "no answer within the time limit".clone_into(&mut finding.actual);
                }
                collector.fail(id, finding);
            }
        }
    }
    for case in view.probes(Intent::BlankLine) {
        check_blank(&case, collector);
    }
}

fn is_answered(case: &Case<'_>) -> bool {
    !case.exchange.answers.is_empty()
}

/// No answer came although the server went on: something sent later was answered, or its time was up.
fn is_known(case: &Case<'_>) -> bool {
    case.is_followed() || matches!(case.exchange.end, ExchangeEnd::Settled | ExchangeEnd::GaveUp)
}

/// Errors without an id that came before the answer to a message sent in pieces.
fn fragments(case: &Case<'_>) -> usize {
    let until = case.answer().filter(|_| case.intent() == Some(Intent::SplitWrite)).map_or(0, |answer| answer.seq);
    let nameless =
        |message: &Message| message.error().is_some() && message.id.as_ref().and_then(wire::Id::key).is_none();
    let between = |incoming: &&Incoming<'_>| (case.exchange.seq..until).contains(&incoming.seq);
    case.session.incoming.iter().filter(between).filter(|incoming| incoming.message().is_some_and(nameless)).count()
}

/// An error with null id is tolerable; that a server lives on is judged elsewhere.
fn check_blank(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "stdio.framing.blank-line-input-tolerated";
    if !is_known(case) {
        return;
    }
    let next = case.session.exchanges.iter().find(|other| other.seq > case.exchange.seq);
    let until = next.and_then(|next| next.answers.first()).and_then(|at| case.session.incoming.get(*at));
    let until = until.map_or(u32::MAX, |answer| answer.seq);
    let between = |seq: u32| case.exchange.seq < seq && seq < until;
    let own = case.session.incoming.iter().filter(|incoming| between(incoming.seq) && incoming.is_answer());
    let invented = own.filter(|incoming| incoming.answers.is_none()).find(|incoming| {
        incoming.message().is_some_and(|message| message.id.as_ref().and_then(wire::Id::key).is_some())
    });
    match invented {
        None => collector.witness(ID),
        Some(incoming) => {
            let mut finding = case.finding(
                "A blank line is answered with an id that no request had, which may be mistaken for the answer to something else.",
                "nothing, or an error without an id",
            );
            "an answer with an invented id".clone_into(&mut finding.actual);
            finding.wire.push(incoming.wire());
            collector.fail(ID, finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status};

    use super::SERVED;
    use crate::testing::Script;

    fn script() -> Script {
        Script::new(Revision::V2025_11_25, json!({}))
    }

    #[test]
    fn an_answer_passes_and_silence_beside_a_later_answer_fails() {
        for (intent, id, ..) in SERVED {
            let served = script().probe(intent, "ping", json!({}), json!({"result": {}}));
            assert_eq!(served.status_of(id), Status::Pass, "{id}");
            let silent = script().unanswered(intent, "ping", json!({})).plain("ping", json!({}), json!({"result": {}}));
            assert_eq!(silent.fails_in("stdio"), [id]);
            assert_eq!(script().unanswered(intent, "ping", json!({})).gave_up().fails_in("stdio"), [id]);
            // A server that ended over it is for others.
            assert_eq!(
                script().unanswered(intent, "ping", json!({})).exits(1).status_of(id),
                Status::NotObserved,
                "{id}"
            );
        }
    }

    #[test]
    fn an_error_for_a_piece_fails() {
        let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#;
        let script = script().unanswered(Intent::SplitWrite, "ping", json!({})).says(error);
        let script = script.says(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
        assert_eq!(script.fails_in("stdio"), ["stdio.framing.split-writes"]);
    }

    #[test]
    fn a_blank_line_may_get_an_error_without_id_and_no_other() {
        const ID: &str = "stdio.framing.blank-line-input-tolerated";
        let sent = || script().raw(Intent::BlankLine, json!({}), "  ");
        let error = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32700,"message":"x"}}}}"#);
        let ping = |script: Script| script.plain("ping", json!({}), json!({"result": {}}));
        assert_eq!(ping(sent()).status_of(ID), Status::Pass);
        assert_eq!(ping(sent().says(&error("null"))).status_of(ID), Status::Pass);
        assert_eq!(ping(sent().says(&error("77"))).fails_in("stdio"), [ID]);
        assert_eq!(sent().exits(1).status_of(ID), Status::NotObserved);
    }
}
