//! `notifications/tools/list_changed`: sent when the list changes, true when sent, and only by servers that declare it.
//!
//! A change is seen by comparing walks, whoever caused it. Over HTTP to 2025-11-25 the notification needs an open GET
//! stream, in 2026-07-28 an acknowledged subscription: where there is none, silence proves nothing.

use verdict::Intent;

use super::lists::{self, TOOLS, Walk};
use crate::rules::lists::{changed, finding, notices};
use crate::{Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/changed",
    judges: &["tools.list-changed.sent", "tools.list-changed.list-follows", "tools.list-changed.only-if-declared"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    changed(view, collector, &TOOLS, "tools.list-changed.sent", "tools.list-changed.only-if-declared");
    if !view.declares("tools.listChanged") {
        return;
    }
    let walks = lists::complete(view);
    for session in view.judged() {
        let own: Vec<&Walk<'_>> = walks.iter().filter(|walk| walk.session.id == session.id).collect();
        check_follows(view, session, &own, collector);
    }
}

fn check_follows(view: &View<'_>, session: &Session<'_>, walks: &[&Walk<'_>], collector: &mut Collector) {
    const ID: &str = "tools.list-changed.list-follows";
    let triggers = session
        .exchanges
        .iter()
        .filter(|exchange| exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::ListTrigger));
    let triggers: Vec<u32> = triggers.map(|exchange| exchange.seq).collect();
    let heard: Vec<u32> = notices(session, &TOOLS).map(|notice| notice.seq).collect();
    for notice in notices(session, &TOOLS) {
        let trigger = triggers.iter().rfind(|seq| **seq < notice.seq);
        let since = *trigger.unwrap_or(&notice.seq);
        let before = walks.iter().rfind(|walk| walk.end() < since);
        let after = walks.iter().find(|walk| walk.start() > notice.seq);
        let (Some(before), Some(after)) = (before, after) else { continue };
        // What has no names cannot be told from something else.
        let names = after.names();
        if !names.is_empty() && names.iter().all(|name| name.is_empty()) {
            continue;
        }
        // What changed may have come back, and that was announced, too: perhaps only after the list had been read.
        let next = triggers.iter().find(|seq| **seq > notice.seq).copied().unwrap_or(u32::MAX);
        let once = heard.iter().filter(|seq| (before.end()..next).contains(seq)).count() == 1;
        if !before.same(after) {
            collector.witness(ID);
        } else if once && trigger.is_some() && view.revision.is_handshake() {
            let message = "After notifications/tools/list_changed, the list is the same as before the change, so clients fetch the old tools again.";
            let mut wire = vec![notice.wire()];
            wire.extend(after.pages[0].wire());
            collector.fail(ID, finding(wire, message, "the changed list", "the previous list"));
        } else {
            // A change and its reversal may cancel out; in 2026-07-28 a call must not change the list of its connection alone.
            collector.note(ID, "a notification arrived, but the list was the same afterwards");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const SENT: &str = "tools.list-changed.sent";
    const FOLLOWS: &str = "tools.list-changed.list-follows";
    const DECLARED: &str = "tools.list-changed.only-if-declared";

    fn list(script: Script, names: &[&str]) -> Script {
        let tools: Vec<Value> = names
            .iter()
            .map(|name| json!({"name": name, "inputSchema": {"type": "object", "additionalProperties": false}}))
            .collect();
        script.plain("tools/list", json!({}), json!({"result": {"resultType": "complete", "tools": tools}}))
    }

    fn trigger(script: Script) -> Script {
        script.probe(
            Intent::ListTrigger,
            "tools/call",
            json!({"name": "a"}),
            json!({"result": {"resultType": "complete", "content": []}}),
        )
    }

    fn notice(script: Script) -> Script {
        script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}))
    }

    fn start() -> Script {
        list(Script::new(Revision::V2025_11_25, json!({"tools": {"listChanged": true}})), &["a"])
    }

    fn ping(script: Script) -> Script {
        script.pauses(1_100).plain("ping", json!({}), json!({"result": {}}))
    }

    #[test]
    fn a_change_with_its_notification_passes() {
        let script = ping(list(notice(trigger(start())), &["a", "b"]));
        assert_eq!((script.status_of(SENT), script.status_of(FOLLOWS)), (Status::Pass, Status::Pass));
        assert_eq!(script.fails(), [""; 0]);
    }

    #[test]
    fn a_list_without_names_cannot_be_compared() {
        let list = |script: Script| {
            script.plain("tools/list", json!({}), json!({"result": {"resultType": "complete", "tools": ["echo"]}}))
        };
        let start = || list(Script::new(Revision::V2025_11_25, json!({"tools": {"listChanged": true}})));
        assert_ne!(ping(list(notice(trigger(start())))).status_of(FOLLOWS), Status::Fail);
    }

    #[test]
    fn a_change_without_one_fails_whoever_caused_it() {
        assert_eq!(ping(list(trigger(start()), &["a", "b"])).fails(), [SENT]);
        assert_eq!(ping(list(start(), &["a", "b"])).fails(), [SENT]);
        assert_eq!(list(start(), &["a", "b"]).status_of(SENT), Status::Inconclusive);
    }

    #[test]
    fn a_notification_without_a_change_fails_only_if_a_change_was_caused() {
        assert_eq!(ping(list(notice(trigger(start())), &["a"])).fails(), [FOLLOWS]);
        let there_and_back = notice(notice(trigger(start())));
        assert_eq!(ping(list(there_and_back, &["a"])).status_of(FOLLOWS), Status::NotObserved);
        let back_late = notice(list(notice(trigger(start())), &["a"]));
        assert_eq!(ping(back_late).status_of(FOLLOWS), Status::NotObserved);
        assert_eq!(ping(list(notice(start()), &["a"])).status_of(FOLLOWS), Status::NotObserved);
        let stateless = list(Script::new(Revision::V2026_07_28, json!({"tools": {"listChanged": true}})), &["a"]);
        let verdict = ping(list(notice(trigger(stateless)), &["a"])).verdict(FOLLOWS);
        assert_eq!((verdict.status, verdict.notes.len()), (Status::NotObserved, 1));
    }

    #[test]
    fn it_is_sent_only_if_declared() {
        const TWIN: &str = "lifecycle.capabilities.notifications-backed";
        let quiet = |capabilities| list(Script::new(Revision::V2025_11_25, capabilities), &["a"]);
        assert_eq!(notice(quiet(json!({"tools": {}}))).fails(), [TWIN, DECLARED]);
        assert_eq!(notice(quiet(json!({"tools": {"listChanged": false}}))).fails(), [TWIN, DECLARED]);
        assert_eq!(quiet(json!({"tools": {}})).status_of(DECLARED), Status::Pass);
        assert_eq!(start().status_of(DECLARED), Status::NotApplicable);
    }

    #[test]
    fn nothing_is_expected_where_nothing_could_come() {
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({"tools": {"listChanged": true}}));
        assert_eq!(ping(list(list(script, &["a"]), &["b"])).status_of(SENT), Status::NotObserved);
        let stateless = || Script::new(Revision::V2026_07_28, json!({"tools": {"listChanged": true}}));
        assert_eq!(ping(list(list(stateless(), &["a"]), &["b"])).status_of(SENT), Status::NotObserved);
        let acknowledged = json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
            "params": {"notifications": {"toolsListChanged": true}}});
        let heard = stateless().says_json(&acknowledged);
        assert_eq!(ping(list(list(heard, &["a"]), &["b"])).status_of(SENT), Status::Fail);
    }
}
