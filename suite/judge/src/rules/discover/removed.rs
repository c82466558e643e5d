//! Methods that 2026-07-28 no longer has.
//!
//! Whether the request gets an error is judged here; which error, with the other unknown methods.

use verdict::Intent;
use wire::mcp::code;

use crate::rules::jsonrpc::common::is_client_error;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "discover/removed",
    judges: &["discover.removed.ping", "discover.removed.logging-setlevel", "discover.removed.tasks-core"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::RemovedMethod).filter(Case::is_decided) {
        match case.method() {
            Some("ping") => check_removed(RULE.judges[0], &case, collector),
            Some("logging/setLevel") => check_removed(RULE.judges[1], &case, collector),
            Some(method) if method.starts_with("tasks/") => check_task(&case, method, collector),
            _ => {}
        }
    }
}

fn check_task(case: &Case<'_>, method: &str, collector: &mut Collector) {
    let advertised = case.view.capabilities().get("extensions").and_then(serde_json::Value::as_object);
    let extension = advertised.is_some_and(|extensions| extensions.keys().any(|name| name.ends_with("/tasks")));
    // The extension has these take a header more, and a server that knows it may look for that first.
    if case.error_code() == Some(code::HEADER_MISMATCH) {
        return collector.note(RULE.judges[2], format!("{method} is refused because of its headers"));
    }
    // With the extension on offer any error will do.
    let any = extension && matches!(method, "tasks/get" | "tasks/cancel");
    let code = case.error_code();
    if !any && code.is_some_and(|code| code != code::METHOD_NOT_FOUND) {
        let message =
            "A method removed in 2026-07-28 is refused with an error other than the one for an unknown method.";
        let mut finding = case.finding(message, "error -32601 (method not found)");
        finding.place = Some(method.to_owned());
        return collector.fail(RULE.judges[2], finding);
    }
    check_removed(RULE.judges[2], case, collector);
}

fn check_removed(id: &'static str, case: &Case<'_>, collector: &mut Collector) {
    if case.result().is_some() {
        let message = "A method removed in 2026-07-28 is served, so clients continue to rely on it.";
        let mut finding = case.finding(message, "error -32601 (method not found)");
        finding.place = case.method().map(str::to_owned);
        collector.fail(id, finding);
    } else if case.error().is_some() || is_client_error(case) {
        collector.witness(id);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use super::RULE;
    use crate::testing::Script;

    fn sent(capabilities: Value, method: &str, answer: Value) -> Script {
        Script::new(Revision::V2026_07_28, capabilities).probe(Intent::RemovedMethod, method, json!({}), answer)
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    fn done() -> Value {
        json!({"result": {"resultType": "complete"}})
    }

    const METHODS: [&str; 3] = ["ping", "logging/setLevel", "tasks/list"];

    #[test]
    fn what_is_gone_is_unknown() {
        for (method, id) in METHODS.into_iter().zip(RULE.judges) {
            assert_eq!(sent(json!({}), method, error(-32601)).status_of(id), Status::Pass, "{method}");
            let verdict = sent(json!({}), method, done()).verdict(id);
            assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should), "{method}");
        }
    }

    #[test]
    fn tasks_of_the_extension_may_be_refused_in_other_ways() {
        let extension = || json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
        let id = RULE.judges[2];
        assert_eq!(sent(extension(), "tasks/get", error(-32021)).status_of(id), Status::Pass);
        assert_eq!(sent(json!({}), "tasks/get", error(-32602)).status_of(id), Status::Fail);
        assert_eq!(sent(extension(), "tasks/list", error(-32602)).status_of(id), Status::Fail);
        assert_eq!(sent(json!({}), "tasks/get", error(-32020)).status_of(id), Status::NotObserved);
    }

    #[test]
    fn another_code_for_ping_is_told_with_the_unknown_methods() {
        assert_eq!(sent(json!({}), "ping", error(-32600)).status_of(RULE.judges[0]), Status::Pass);
    }

    #[test]
    fn a_missing_header_says_nothing_of_the_method() {
        let script = Script::over(verdict::Transport::Http, Revision::V2026_07_28, json!({}));
        let script = script.probe(Intent::RemovedMethod, "tasks/cancel", json!({"taskId": "x"}), error(-32020));
        assert_eq!(script.status_of(RULE.judges[2]), Status::NotObserved);
    }
}
