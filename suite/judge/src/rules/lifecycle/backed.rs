//! Notifications of a feature come only from a server that declared it.

use serde_json::Value;
use verdict::Finding;

use super::handshake::agreed;
use crate::{Collector, Incoming, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "lifecycle/backed", judges: &["lifecycle.capabilities.notifications-backed"], judge };

const ID: &str = RULE.judges[0];

/// A notification and the capability that announces it.
const NEEDS: [(&str, &str); 5] = [
    ("notifications/tools/list_changed", "/tools/listChanged"),
    ("notifications/prompts/list_changed", "/prompts/listChanged"),
    ("notifications/resources/list_changed", "/resources/listChanged"),
    ("notifications/resources/updated", "/resources/subscribe"),
    ("notifications/message", "/logging"),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let declared = agreed(view, session).and_then(|greeting| greeting.case.result()?.get("capabilities"));
        let Some(declared) = declared else { continue };
        for incoming in &session.incoming {
            if let Some((method, pointer)) = NEEDS.iter().find(|(method, _)| incoming.method() == Some(*method)) {
                collector.check(ID, is_declared(declared, pointer), || undeclared_finding(incoming, method, pointer));
            }
        }
    }
}

fn is_declared(capabilities: &Value, pointer: &str) -> bool {
    capabilities.pointer(pointer).is_some_and(|value| value.is_object() || *value == Value::Bool(true))
}

fn undeclared_finding(incoming: &Incoming<'_>, method: &str, pointer: &str) -> Finding {
    let capability = pointer.trim_start_matches('/').replace('/', ".");
    Finding::new(
        "The server sends a notification without having declared its capability.",
        format!("{capability} in the capabilities of the initialize result, or no {method}"),
        method,
        vec![incoming.wire()],
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn run(capabilities: Value, method: &str) -> Script {
        let script = Script::new(Revision::V2025_11_25, capabilities);
        script.says_json(&json!({"jsonrpc": "2.0", "method": method}))
    }

    #[test]
    fn what_was_declared_may_be_sent() {
        let script = run(json!({"tools": {"listChanged": true}}), "notifications/tools/list_changed");
        assert_eq!(script.status_of(ID), Status::Pass);
        assert_eq!(run(json!({"logging": {}}), "notifications/message").status_of(ID), Status::Pass);
    }

    #[test]
    fn what_was_not_declared_may_not() {
        for (capabilities, method) in [
            (json!({"tools": {"listChanged": false}}), "notifications/tools/list_changed"),
            (json!({"resources": {}}), "notifications/resources/updated"),
            (json!({}), "notifications/message"),
        ] {
            assert_eq!(run(capabilities, method).status_of(ID), Status::Fail, "{method}");
        }
    }

    #[test]
    fn what_was_declared_holds_for_whoever_has_the_connection_later() {
        let pinged =
            || Script::empty(Revision::V2025_11_25).undecided().plain("ping", json!({}), json!({"result": {}}));
        let greeted = || pinged().goes_on("robust").greets(json!({"tools": {}})).goes_on("rough");
        let told = |method: &str| greeted().says_json(&json!({"jsonrpc": "2.0", "method": method}));
        assert_eq!(told("notifications/message").status_of(ID), Status::Fail);
        assert_eq!(told("notifications/progress").status_of(ID), Status::NotObserved);
    }

    #[test]
    fn other_notifications_need_no_capability() {
        assert_eq!(run(json!({}), "notifications/progress").status_of(ID), Status::NotObserved);
    }
}
