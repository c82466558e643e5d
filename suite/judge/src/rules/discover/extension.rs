//! A client that declares no extension is spoken to in the core protocol.

use serde_json::Value;

use super::common::declared_capabilities;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "discover/extension", judges: &["discover.extension.fallback"], judge };

const ID: &str = RULE.judges[0];

/// Notifications that the core has for clients.
const CORE: [&str; 9] = [
    "notifications/cancelled",
    "notifications/progress",
    "notifications/message",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/tools/list_changed",
    "notifications/prompts/list_changed",
    "notifications/elicitation/complete",
    "notifications/subscriptions/acknowledged",
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let extensions = view.capabilities().get("extensions").and_then(Value::as_object);
    if extensions.is_none_or(serde_json::Map::is_empty) {
        return collector.not_applicable(ID, "the server offers no extension");
    }
    for case in view
        .cases()
        .filter(|case| declared_capabilities(case).is_some_and(|declared| declared.get("extensions").is_none()))
    {
        let Some(kind) = case.result().and_then(|result| result.get("resultType")).and_then(Value::as_str) else {
            continue;
        };
        collector.check(ID, matches!(kind, "complete" | "input_required"), || {
            let message =
                "A client that declares no extension gets a result that only an extension defines, so it cannot continue.";
            let mut finding = case.finding(message, "a result of the core protocol, or an error");
            finding.actual = format!("resultType {:?}", crate::view::clip(kind));
            finding
        });
    }
    for (session, incoming) in view.incoming() {
        let foreign = incoming.message().is_some_and(|message| message.kind == wire::Kind::Notification);
        let Some(method) = incoming.method().filter(|method| foreign && !CORE.contains(method)) else { continue };
        // Somebody on this session declared one: nothing tells whose notification it is.
        if session.exchanges.iter().any(|exchange| declares_any(view, session, exchange)) {
            continue;
        }
        let Some(case) = session.exchanges.first().map(|exchange| Case { view, session, exchange }) else { continue };
        let message = "A client that declares no extension gets a notification that the core protocol does not define.";
        let mut finding = case.finding(message, "notifications of the core protocol");
        finding.actual = crate::view::clip(method);
        finding.wire = vec![incoming.wire()];
        collector.fail(ID, finding);
    }
}

fn declares_any(view: &View<'_>, session: &crate::Session<'_>, exchange: &crate::Exchange<'_>) -> bool {
    declared_capabilities(&Case { view, session, exchange })
        .is_some_and(|declared| declared.get("extensions").is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn called(extensions: Value, capabilities: Value, kind: &str) -> Script {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": capabilities});
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {}, "extensions": extensions}));
        let result = json!({"resultType": kind, "content": []});
        script.plain("tools/call", json!({"name": "a", "arguments": {}, "_meta": meta}), json!({"result": result}))
    }

    fn tasks() -> Value {
        json!({"io.modelcontextprotocol/tasks": {}})
    }

    #[test]
    fn the_core_is_for_everybody() {
        assert_eq!(called(tasks(), json!({}), "complete").status_of(ID), Status::Pass);
        assert_eq!(called(json!({}), json!({}), "complete").status_of(ID), Status::NotApplicable);
    }

    #[test]
    fn what_only_an_extension_has_is_for_those_who_declare_it() {
        assert_eq!(called(tasks(), json!({}), "task").status_of(ID), Status::Fail);
        assert_eq!(called(tasks(), json!({"extensions": tasks()}), "task").status_of(ID), Status::NotObserved);
    }

    #[test]
    fn notifications_of_an_extension_are_for_those_who_declare_it() {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/tasks", "params": {}});
        let script = called(tasks(), json!({}), "complete").says_json(&note);
        assert_eq!(script.status_of(ID), Status::Fail);
        let core =
            json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}});
        assert_eq!(called(tasks(), json!({}), "complete").says_json(&core).status_of(ID), Status::Pass);
    }
}
