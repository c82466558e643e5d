//! Notifications get no answer and break nothing.

use verdict::{Intent, Key, Level, Transport};
use wire::Kind;

use super::common::{felled, frame, is_fatal, milder, placed, survived};
use crate::{Case, Collector, ExchangeEnd, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/notification",
    judges: &[
        "jsonrpc.notification.no-reply",
        "jsonrpc.notification.request-method-without-id",
        "jsonrpc.notification.unknown-tolerated",
        "jsonrpc.notification.known-methods",
    ],
    judge,
};

/// The notifications that some revision lets a server send. One of a later revision is judged elsewhere.
const KNOWN: [&str; 11] = [
    "notifications/cancelled",
    "notifications/progress",
    "notifications/message",
    "notifications/resources/updated",
    "notifications/resources/list_changed",
    "notifications/tools/list_changed",
    "notifications/prompts/list_changed",
    "notifications/elicitation/complete",
    "notifications/tasks/status",
    "notifications/tasks",
    "notifications/subscriptions/acknowledged",
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::Notification).filter(Case::is_decided) {
        no_reply("jsonrpc.notification.no-reply", &case, collector);
        if matches!(case.about_str(Key::Kind), Some("unknown" | "vendor")) {
            check_tolerated(&case, collector);
        }
    }
    for case in view.probes(Intent::RequestWithoutId).filter(Case::is_decided) {
        no_reply("jsonrpc.notification.request-method-without-id", &case, collector);
    }
    // Over HTTP the channel says what was answered, so ordinary notifications are judged too.
    for case in view.cases().filter(|case| view.transport == Transport::Http && is_plain_notification(case)) {
        no_reply("jsonrpc.notification.no-reply", &case, collector);
    }
    for (_, incoming) in view.incoming() {
        check_known(incoming, collector);
    }
}

fn is_plain_notification(case: &Case<'_>) -> bool {
    case.intent().is_none()
        && case.sent().is_some_and(|message| message.kind == Kind::Notification && message.defects.is_empty())
        && case.status().is_some()
}

fn no_reply(id: &'static str, case: &Case<'_>, collector: &mut Collector) {
    let place = case.method().unwrap_or_default();
    if case.answer().is_some() {
        // Over HTTP a notification that is not accepted may be refused with an error.
        let refused = case.status().is_some_and(|status| status >= 400) && case.result().is_none();
        collector.check(id, refused, || {
            placed(
                case,
                place,
                "A message without an id is answered: nobody waits for this response, and it matches no request.",
                "no response: a message without an id is a notification",
            )
        });
    } else if is_fatal(case) {
        // It gave no response, which is what the clause is about: its end is a matter of its own.
        let finding = placed(
            case,
            place,
            "A message that asks for no answer makes the server exit.",
            "no response, and the next request is answered",
        );
        collector.fail(id, milder(finding, Level::Should).fells());
    } else if case.status().is_some() || matches!(case.exchange.end, ExchangeEnd::Settled) {
        collector.witness(id);
    }
}

fn check_tolerated(case: &Case<'_>, collector: &mut Collector) {
    if let Some(alive) = survived(case) {
        collector.check("jsonrpc.notification.unknown-tolerated", alive, || {
            felled(
                placed(
                    case,
                    case.about_str(Key::Kind).unwrap_or_default(),
                    "An unknown notification makes the server exit.",
                    "the notification ignored, and the next request answered",
                ),
                case,
            )
        });
    }
}

fn check_known(incoming: &Incoming<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.notification.known-methods";
    let Some(method) = incoming.method().filter(|_| incoming.message().is_some_and(|m| m.kind == Kind::Notification))
    else {
        return;
    };
    // A dot is what vendors put into their names and the specification never does.
    collector.check(ID, KNOWN.contains(&method) || method.contains('.'), || {
        frame(
            incoming,
            "The server sends a notification that no revision defines, so clients drop it.",
            "a notification of the specification, or a name with the vendor's domain",
            format!("{:?}", method.chars().take(80).collect::<String>()),
        )
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const NO_REPLY: &str = "jsonrpc.notification.no-reply";
    const ERROR: &str = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}"#;

    fn sent(transport: Transport, intent: Intent, text: &str) -> Script {
        Script::over(transport, Revision::V2025_11_25, json!({})).settled().raw(
            intent,
            json!({"kind": "unknown"}),
            text,
        )
    }

    fn unknown(transport: Transport) -> Script {
        sent(transport, Intent::Notification, r#"{"jsonrpc":"2.0","method":"notifications/x-unknown"}"#)
    }

    #[test]
    fn silence_passes_and_an_answer_fails() {
        let quiet = unknown(Transport::Stdio).settled();
        assert!(quiet.fails_in("jsonrpc").is_empty());
        assert_eq!(quiet.status_of(NO_REPLY), Status::Pass);
        assert_eq!(quiet.status_of("jsonrpc.notification.unknown-tolerated"), Status::Pass);
        assert_eq!(unknown(Transport::Stdio).says(ERROR).settled().fails_in("jsonrpc"), [NO_REPLY]);
    }

    #[test]
    fn over_http_only_the_body_of_a_2xx_is_a_reply() {
        assert!(unknown(Transport::Http).status(202).fails_in("jsonrpc").is_empty());
        assert!(unknown(Transport::Http).status(400).says(ERROR).fails_in("jsonrpc").is_empty());
        assert_eq!(unknown(Transport::Http).status(200).says(ERROR).fails_in("jsonrpc"), [NO_REPLY]);
    }

    #[test]
    fn a_server_that_falls_over_a_notification_fails() {
        let script = unknown(Transport::Stdio).exits(1);
        assert_eq!(script.fails_in("jsonrpc"), [NO_REPLY, "jsonrpc.notification.unknown-tolerated"]);
        let beside = unknown(Transport::Stdio).unanswered(Intent::Unknown, "ping", json!({})).exits(1);
        assert_eq!(beside.status_of(NO_REPLY), Status::NotObserved);
    }

    #[test]
    fn a_request_without_id_is_a_notification() {
        const ID: &str = "jsonrpc.notification.request-method-without-id";
        let text = r#"{"jsonrpc":"2.0","method":"ping"}"#;
        assert_eq!(sent(Transport::Stdio, Intent::RequestWithoutId, text).settled().status_of(ID), Status::Pass);
        let answered = sent(Transport::Http, Intent::RequestWithoutId, text).status(200);
        assert!(answered.says(r#"{"jsonrpc":"2.0","id":null,"result":{}}"#).fails_in("jsonrpc").contains(&ID));
        assert!(sent(Transport::Http, Intent::RequestWithoutId, text).status(400).fails_in("jsonrpc").is_empty());
    }

    #[test]
    fn a_notification_of_nobody_is_told_and_a_vendors_is_not() {
        let says = |method: &str| {
            let script = Script::new(Revision::V2025_11_25, json!({}));
            script.says_json(&json!({"jsonrpc": "2.0", "method": method}))
        };
        const ID: &str = "jsonrpc.notification.known-methods";
        assert!(says("notifications/hello").fails_in("jsonrpc").contains(&ID));
        assert_eq!(says("notifications/message").status_of(ID), Status::Pass);
        assert_eq!(says("com.example/hello").status_of(ID), Status::Pass);
        assert_eq!(says("notifications/tasks/status").status_of(ID), Status::Pass);
    }
}
