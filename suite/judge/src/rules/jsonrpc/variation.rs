//! Ordinary requests with something added that a server must not mind.
//!
//! Each variation stands beside ordinary requests of the same method (the control, or the walk of the survey), and is
//! blamed only if those are served.

use verdict::{Intent, Key};

use super::common::{agreed, essence, is_served, is_silent, placed};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/variation",
    judges: &[
        "jsonrpc.meta.accepted-in-requests",
        "jsonrpc.meta.trace-context-accepted",
        "jsonrpc.unknown-members.params",
        "jsonrpc.unknown-members.top-level",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::MetaExtra).filter(Case::is_decided) {
        let message = "A request is served differently because of a _meta key that the server does not know.";
        check_same("jsonrpc.meta.accepted-in-requests", &case, message, collector);
    }
    for case in view.probes(Intent::TraceContext).filter(Case::is_decided) {
        let message = "A request is not served because of the trace context in its _meta.";
        check_served("jsonrpc.meta.trace-context-accepted", &case, message, collector);
    }
    for case in view.probes(Intent::UnknownParam).filter(Case::is_decided) {
        let message = "A request is not served because its params have a member that the server does not know.";
        check_served("jsonrpc.unknown-members.params", &case, message, collector);
    }
    for case in view.probes(Intent::UnknownMember).filter(Case::is_decided) {
        collector.check("jsonrpc.unknown-members.top-level", !is_silent(&case), || {
            case.finding("A request with an extra top-level member is never answered.", "a result or an error")
        });
    }
}

fn check_served(id: &'static str, case: &Case<'_>, message: &str, collector: &mut Collector) {
    if case.result().is_some() {
        collector.witness(id);
    } else if is_served(case) {
        let place = case.about_str(Key::Kind).or(case.method()).unwrap_or_default();
        collector.fail(id, placed(case, place, message, "the same result as without the member"));
    } else {
        collector.not_observed(id, "the same request is not served without it either");
    }
}

/// Served, and with the same entries if ordinary requests agree on them.
fn check_same(id: &'static str, case: &Case<'_>, message: &str, collector: &mut Collector) {
    let plain = case.method().and_then(|method| agreed(case.view, method));
    match (case.result().map(essence), plain) {
        (Some(result), Some(plain)) if result != plain => {
            let mut finding =
                placed(case, case.method().unwrap_or_default(), message, "the same result as without the key");
            finding.actual = "another result".to_owned();
            collector.fail(id, finding);
        }
        _ => check_served(id, case, message, collector),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    const TOPICS: [(Intent, &str); 3] = [
        (Intent::MetaExtra, "jsonrpc.meta.accepted-in-requests"),
        (Intent::TraceContext, "jsonrpc.meta.trace-context-accepted"),
        (Intent::UnknownParam, "jsonrpc.unknown-members.params"),
    ];

    fn listed(names: &[&str]) -> Value {
        let tools: Vec<Value> =
            names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
        json!({"result": {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": tools}})
    }

    fn plain(revision: Revision) -> Script {
        let script = Script::new(revision, json!({"tools": {}}));
        let script = script.probe(Intent::Control, "tools/list", json!({}), listed(&["a", "b"]));
        script.probe(Intent::Control, "tools/list", json!({}), listed(&["b", "a"]))
    }

    fn refusal() -> Value {
        json!({"error": {"code": -32602, "message": "no"}})
    }

    #[test]
    fn a_variation_that_is_served_passes_and_one_that_is_refused_fails() {
        for (intent, id) in TOPICS {
            let good = plain(Revision::V2026_07_28).probe(intent, "tools/list", json!({}), listed(&["a", "b"]));
            assert_eq!(good.status_of(id), Status::Pass, "{id}");
            let bad = plain(Revision::V2026_07_28).probe(intent, "tools/list", json!({}), refusal());
            assert!(bad.fails_in("jsonrpc").contains(&id), "{id}");
        }
    }

    #[test]
    fn a_server_that_refuses_the_plain_request_too_is_not_blamed() {
        for (intent, id) in TOPICS {
            let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
            let script = script.probe(Intent::Control, "tools/list", json!({}), refusal());
            assert_eq!(script.probe(intent, "tools/list", json!({}), refusal()).status_of(id), Status::NotObserved);
        }
    }

    #[test]
    fn a_key_that_changes_the_result_fails_unless_the_list_changes_by_itself() {
        const ID: &str = "jsonrpc.meta.accepted-in-requests";
        let changed = plain(Revision::V2025_11_25).probe(Intent::MetaExtra, "tools/list", json!({}), listed(&["a"]));
        assert_eq!(changed.fails_in("jsonrpc"), [ID]);
        let moving = plain(Revision::V2025_11_25).probe(Intent::Control, "tools/list", json!({}), listed(&["c"]));
        assert!(
            moving.probe(Intent::MetaExtra, "tools/list", json!({}), listed(&["a"])).fails_in("jsonrpc").is_empty()
        );
        let older = plain(Revision::V2025_03_26).probe(Intent::MetaExtra, "tools/list", json!({}), refusal());
        assert_eq!(older.verdict(ID).level, Level::Should);
    }

    #[test]
    fn a_request_with_an_extra_member_may_be_refused_but_not_lost() {
        const ID: &str = "jsonrpc.unknown-members.top-level";
        let sent = || {
            let text = r#"{"jsonrpc":"2.0","id":80,"method":"ping","foo":1}"#;
            Script::new(Revision::V2025_11_25, json!({})).settled().raw(Intent::UnknownMember, json!({}), text)
        };
        assert_eq!(sent().settled().fails_in("jsonrpc"), [ID]);
        let refused = sent().says(r#"{"jsonrpc":"2.0","id":80,"error":{"code":-32600,"message":"no"}}"#);
        assert_eq!(refused.status_of(ID), Status::Pass);
    }
}
