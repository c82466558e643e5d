//! Only message kinds and values of the negotiated revision are used.
//!
//! Members that a later revision added to open objects are harmless and not looked at.

use serde_json::Value;
use verdict::Batching;
use verdict::{Finding, Revision, Transport};
use wire::Content;

use crate::{Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule =
    Rule { name: "lifecycle/operation", judges: &["lifecycle.operation.version-respected"], judge };

const ID: &str = RULE.judges[0];

/// Methods that a server may send, by the revision that brought them.
const METHODS: [(&str, Revision); 8] = [
    ("elicitation/create", Revision::V2025_06_18),
    ("notifications/elicitation/complete", Revision::V2025_11_25),
    ("tasks/get", Revision::V2025_11_25),
    ("tasks/result", Revision::V2025_11_25),
    ("tasks/list", Revision::V2025_11_25),
    ("tasks/cancel", Revision::V2025_11_25),
    ("notifications/tasks/status", Revision::V2025_11_25),
    ("notifications/subscriptions/acknowledged", Revision::V2026_07_28),
];

/// Types of content blocks, by the revision that brought them.
const CONTENT: [(&str, Revision); 4] = [
    ("audio", Revision::V2025_03_26),
    ("resource_link", Revision::V2025_06_18),
    ("tool_use", Revision::V2025_11_25),
    ("tool_result", Revision::V2025_11_25),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (session, incoming) in view.incoming() {
        check_method(view.revision, incoming, collector);
        check_content(view.revision, session, incoming, collector);
        check_array(view.revision, session, incoming, collector);
    }
}

fn finding(incoming: &Incoming<'_>, actual: String, expected: String) -> Finding {
    Finding::new(
        "The server uses something that the negotiated revision does not define, so its client cannot know it.",
        expected,
        actual,
        vec![incoming.wire()],
    )
}

fn check_method(revision: Revision, incoming: &Incoming<'_>, collector: &mut Collector) {
    let Some(method) = incoming.method() else { return };
    let newer = METHODS.iter().find(|(name, since)| *name == method && revision < *since);
    match newer {
        Some((name, since)) => {
            collector.fail(ID, finding(incoming, (*name).to_owned(), format!("no {name} before {since}")));
        }
        None => collector.witness(ID),
    }
}

/// Content of tool results, prompts and sampling requests.
fn check_content(revision: Revision, session: &Session<'_>, incoming: &Incoming<'_>, collector: &mut Collector) {
    let Some(message) = incoming.message() else { return };
    let asked = incoming.answers.and_then(|at| session.exchanges.get(at)).and_then(|exchange| {
        let Content::One(sent) = &exchange.parsed.content else { return None };
        sent.method()
    });
    let blocks: Vec<&Value> = match asked.or(message.method()) {
        Some("tools/call") => list(message.result(), "content"),
        Some("prompts/get") => inner(list(message.result(), "messages")),
        Some("sampling/createMessage") => inner(list(message.params(), "messages")),
        _ => return,
    };
    // Streamable HTTP is younger than 2024-11-05: a server that keeps no sessions takes its clients for newer ones.
    let revision =
        if session.open.transport == Transport::Http { revision.max(Revision::V2025_03_26) } else { revision };
    for block in blocks {
        let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
        match CONTENT.iter().find(|(name, since)| *name == kind && revision < *since) {
            Some((name, since)) => {
                collector
                    .fail(ID, finding(incoming, format!("content of type {name}"), format!("none before {since}")));
            }
            None => collector.witness(ID),
        }
    }
}

fn list<'v>(value: Option<&'v Value>, member: &str) -> Vec<&'v Value> {
    let found = value.and_then(|value| value.get(member)).and_then(Value::as_array);
    found.map(|entries| entries.iter().collect()).unwrap_or_default()
}

/// The content of messages: one block or, in sampling from 2025-11-25 on, several.
fn inner(messages: Vec<&Value>) -> Vec<&Value> {
    let contents = messages.into_iter().filter_map(|message| message.get("content"));
    contents
        .flat_map(|content| content.as_array().map_or_else(|| vec![content], |blocks| blocks.iter().collect()))
        .collect()
}

/// Arrays exist in 2025-03-26 only. One that answers an array of the client's is the business of the rules on batches.
fn check_array(revision: Revision, session: &Session<'_>, incoming: &Incoming<'_>, collector: &mut Collector) {
    if incoming.element.is_none() {
        collector.witness(ID);
        return;
    }
    let asked = incoming.answers.and_then(|at| session.exchanges.get(at));
    let solicited = asked.is_some_and(|exchange| matches!(exchange.parsed.content, Content::Batch(_)));
    let unasked = session.exchanges.iter().all(|exchange| !matches!(exchange.parsed.content, Content::Batch(_)));
    if revision.traits().batching != Batching::Required && !solicited && unasked {
        collector.fail(ID, finding(incoming, "an array of messages".to_owned(), "one message at a time".to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn start(revision: Revision) -> Script {
        Script::new(revision, json!({"tools": {}}))
    }

    fn called(revision: Revision, block: &Value) -> Script {
        let result = json!({"result": {"content": [block]}});
        start(revision).plain("tools/call", json!({"name": "t", "arguments": {}}), result)
    }

    #[test]
    fn ordinary_traffic_passes() {
        let text = json!({"type": "text", "text": "hi"});
        assert_eq!(called(Revision::V2024_11_05, &text).status_of(ID), Status::Pass);
    }

    #[test]
    fn content_of_later_revisions_fails() {
        let audio = json!({"type": "audio", "data": "", "mimeType": "audio/wav"});
        let link = json!({"type": "resource_link", "uri": "x:1", "name": "x"});
        assert_eq!(called(Revision::V2024_11_05, &audio).verdict(ID).level, Level::Should);
        assert_eq!(called(Revision::V2024_11_05, &audio).status_of(ID), Status::Fail);
        assert_eq!(called(Revision::V2025_03_26, &audio).status_of(ID), Status::Pass);
        assert_eq!(called(Revision::V2025_03_26, &link).status_of(ID), Status::Fail);
        assert_eq!(called(Revision::V2025_06_18, &link).status_of(ID), Status::Pass);
    }

    #[test]
    fn messages_of_later_revisions_fail() {
        let elicitation = r#"{"jsonrpc":"2.0","id":"s","method":"elicitation/create","params":{}}"#;
        assert_eq!(start(Revision::V2025_03_26).says(elicitation).status_of(ID), Status::Fail);
        assert_eq!(start(Revision::V2025_06_18).says(elicitation).status_of(ID), Status::Pass);
        let task = r#"{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{}}"#;
        assert_eq!(start(Revision::V2025_06_18).says(task).status_of(ID), Status::Fail);
    }

    #[test]
    fn arrays_belong_to_one_revision() {
        let array = r#"[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}]"#;
        assert_eq!(start(Revision::V2025_06_18).says(array).status_of(ID), Status::Fail);
        assert_eq!(start(Revision::V2025_03_26).says(array).status_of(ID), Status::Pass);
    }

    #[test]
    fn an_array_for_an_array_is_for_other_rules() {
        let script = start(Revision::V2024_11_05).raw(
            Intent::Batch,
            Value::Null,
            r#"[{"jsonrpc":"2.0","id":"b","method":"ping"}]"#,
        );
        assert_eq!(script.says(r#"[{"jsonrpc":"2.0","id":"b","result":{}}]"#).status_of(ID), Status::Pass);
    }
}
