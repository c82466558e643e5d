//! A list that changes while it may still be kept is announced, where the server announces changes and the client listens.
//! Changes are seen by comparing walks, as in the areas of the lists.

use std::time::Duration;

use crate::rules::lists::{PROMPTS, RESOURCES, TOOLS, Walk, complete, finding, hears, notices};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "caching/fresh", judges: &["caching.change-inside-ttl-notified"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    if view.revision.is_handshake() {
        return;
    }
    for list in [&TOOLS, &RESOURCES, &PROMPTS] {
        if !view.declares(&format!("{}.listChanged", list.capability)) {
            continue;
        }
        let walks = complete(view, list);
        for session in view.judged() {
            let own: Vec<&Walk<'_>> = walks.iter().filter(|walk| walk.session.id == session.id).collect();
            for pair in own.windows(2) {
                check_changed(view, pair[0], pair[1], collector);
            }
        }
    }
    collector.not_observed(ID, "no list changed within its ttlMs while the client listened for changes");
}

fn check_changed(view: &View<'_>, before: &Walk<'_>, after: &Walk<'_>, collector: &mut Collector) {
    // What may be kept for longer than the whole session lasted, may be kept until the second walk.
    let lives = |case: &crate::Case<'_>| case.result().and_then(|result| result.get("ttlMs")?.as_u64());
    let least = before.pages.iter().filter_map(lives).min().map_or(Duration::ZERO, Duration::from_millis);
    if before.same(after) || least <= before.session.lasted || !hears(view, before.session, before.list, before.end()) {
        return;
    }
    let list = before.list;
    let told = notices(before.session, list).any(|notice| notice.seq > before.start());
    let late = before.session.incoming.iter().any(|incoming| incoming.is_answer() && incoming.seq > after.end());
    if !told && !late {
        return;
    }
    collector.check(ID, told, || {
        let message = format!(
            "The list of {} changed within its ttlMs, and no notification was sent: clients keep using the old one.",
            list.things
        );
        let mut wire = before.pages[0].wire();
        wire.extend(after.pages[0].wire());
        finding(wire, &message, list.notice, "a changed list and no notification")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn list(name: &str, ttl: u64) -> Value {
        let tool = json!({"name": name, "inputSchema": {"type": "object"}});
        json!({"result": {"resultType": "complete", "tools": [tool], "ttlMs": ttl, "cacheScope": "public"}})
    }

    fn listening(ttl: u64, name: &str, told: bool) -> Script {
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {"listChanged": true}}));
        let meta = json!({"io.modelcontextprotocol/subscriptionId": 2});
        let script = script.unanswered(
            Intent::ListSubscribed,
            "subscriptions/listen",
            json!({"notifications": {"toolsListChanged": true}}),
        );
        let script = script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
            "params": {"notifications": {"toolsListChanged": true}, "_meta": meta}}));
        let script = script.probe(Intent::WalkAfter, "tools/list", json!({}), list("a", ttl));
        let script = if told {
            script.says_json(
                &json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": meta}}),
            )
        } else {
            script
        };
        let script = script.probe(Intent::WalkAfter, "tools/list", json!({}), list(name, ttl));
        script.plain("server/discover", json!({}), json!({"result": {}}))
    }

    #[test]
    fn a_change_inside_the_ttl_is_announced() {
        assert_eq!(listening(300_000, "b", true).status_of(ID), Status::Pass);
        assert_eq!(listening(300_000, "b", false).status_of(ID), Status::Fail);
        assert_eq!(listening(300_000, "a", false).status_of(ID), Status::NotObserved);
        assert_eq!(listening(0, "b", false).status_of(ID), Status::NotObserved);
    }
}
