//! `notifications/tools/list_changed`: sent when the list changes, true when sent, and only by servers that declare it.
//!
//! A change is seen by comparing walks, whoever caused it. Intent `list-trigger`: a call that the configuration names as one
//! that changes the list. Over HTTP to 2025-11-25 the notification needs an open GET stream, in 2026-07-28 an acknowledged
//! subscription: where there is none, silence proves nothing.

use verdict::{Revision, Transport};

use super::lists::{self, Walk};
use crate::{Bench, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/changed",
    judges: &["tools.list-changed.sent", "tools.list-changed.list-follows", "tools.list-changed.only-if-declared"],
    judge,
};

const METHOD: &str = "notifications/tools/list_changed";

fn judge(view: &View<'_>, bench: &mut Bench) {
    let declared = view.declares("tools.listChanged");
    let walks = lists::complete(view);
    for session in view.judged() {
        let own: Vec<&Walk<'_>> = walks.iter().filter(|walk| walk.session.id == session.id).collect();
        only_if_declared(session, declared, bench);
        if declared {
            sent(view, session, &own, bench);
            follows(view, session, &own, bench);
        }
    }
    if declared {
        bench.beside("tools.list-changed.only-if-declared", "the server declares tools.listChanged");
    }
}

fn notices<'v>(session: &'v Session<'_>) -> impl Iterator<Item = &'v Incoming<'v>> {
    session.incoming.iter().filter(|incoming| incoming.method() == Some(METHOD))
}

fn only_if_declared(session: &Session<'_>, declared: bool, bench: &mut Bench) {
    const ID: &str = "tools.list-changed.only-if-declared";
    if declared {
        return;
    }
    let mut seen = false;
    for notice in notices(session) {
        seen = true;
        let message = "The server sends notifications/tools/list_changed but does not declare tools.listChanged, so no client expects it.";
        bench.fail(
            ID,
            finding(
                vec![notice.wire()],
                message,
                "no such notification, or tools.listChanged true",
                "the notification",
            ),
        );
    }
    // The whole traffic of a session that said something is what was examined.
    if !seen && session.incoming.iter().filter(|incoming| incoming.is_answer()).count() > 1 {
        bench.saw(ID);
    }
}

fn finding(wire: Vec<String>, message: &str, expected: &str, actual: &str) -> verdict::Finding {
    verdict::Finding {
        message: message.into(),
        expected: expected.into(),
        actual: actual.into(),
        tool: None,
        place: None,
        level: None,
        wire,
        reproduce: String::new(),
        stderr: Vec::new(),
        count: 1,
    }
}

fn sent(view: &View<'_>, session: &Session<'_>, walks: &[&Walk<'_>], bench: &mut Bench) {
    const ID: &str = "tools.list-changed.sent";
    for pair in walks.windows(2) {
        let (before, after) = (pair[0], pair[1]);
        if before.same(after) {
            continue;
        }
        if notices(session).any(|notice| notice.seq > before.start()) {
            bench.saw(ID);
        } else if !hears(view, session, before.end()) {
            bench.excuse(ID, "the list changed while nothing was open on which the notification could have come");
        } else if session.incoming.iter().any(|incoming| incoming.is_answer() && incoming.seq > after.end()) {
            let message = "The list of tools changed and the server declares tools.listChanged, but no notification came: clients go on with the old list.";
            let mut wire = before.pages[0].wire();
            wire.extend(after.pages[0].wire());
            bench.fail(ID, finding(wire, message, METHOD, "another list and no notification"));
        } else {
            bench.doubt(ID, "the list changed at the end of a session, too late to wait for the notification");
        }
    }
}

/// Whether a notification could reach the tester from then on.
fn hears(view: &View<'_>, session: &Session<'_>, from: u32) -> bool {
    if view.revision >= Revision::V2026_07_28 {
        return session.incoming.iter().any(|incoming| incoming.seq <= from && acknowledges(incoming));
    }
    let listens = |exchange: &crate::Exchange<'_>| {
        exchange.send.http.as_deref() == Some("GET")
            && exchange.seq <= from
            && exchange.status.is_some_and(|(status, _)| status == 200)
    };
    view.transport != Transport::Http || session.exchanges.iter().any(listens)
}

fn acknowledges(incoming: &Incoming<'_>) -> bool {
    let params = || incoming.message()?.params()?.get("notifications")?.get("toolsListChanged")?.as_bool();
    incoming.method() == Some("notifications/subscriptions/acknowledged") && params() == Some(true)
}

fn follows(view: &View<'_>, session: &Session<'_>, walks: &[&Walk<'_>], bench: &mut Bench) {
    const ID: &str = "tools.list-changed.list-follows";
    let triggers = session
        .exchanges
        .iter()
        .filter(|exchange| exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == "list-trigger"));
    let triggers: Vec<u32> = triggers.map(|exchange| exchange.seq).collect();
    for notice in notices(session) {
        let trigger = triggers.iter().rfind(|seq| **seq < notice.seq);
        let since = *trigger.unwrap_or(&notice.seq);
        let before = walks.iter().rfind(|walk| walk.end() < since);
        let after = walks.iter().find(|walk| walk.start() > notice.seq);
        let (Some(before), Some(after)) = (before, after) else { continue };
        if !before.same(after) {
            bench.saw(ID);
        } else if trigger.is_some() && view.revision.is_handshake() {
            let message = "After notifications/tools/list_changed the list is the same as before the change, so clients fetch the old tools once more.";
            let mut wire = vec![notice.wire()];
            wire.extend(after.pages[0].wire());
            bench.fail(ID, finding(wire, message, "the changed list", "the list from before"));
        } else {
            // A change and its reversal may cancel out; in 2026-07-28 a call must not change the list of its connection alone.
            bench.note(ID, "a notification came, but the list was the same afterwards");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status, Transport};

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
            "list-trigger",
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
        script.plain("ping", json!({}), json!({"result": {}}))
    }

    #[test]
    fn a_change_with_its_notification_passes() {
        let script = ping(list(notice(trigger(start())), &["a", "b"]));
        assert_eq!((script.status_of(SENT), script.status_of(FOLLOWS)), (Status::Pass, Status::Pass));
        assert_eq!(script.fails(), [""; 0]);
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
