//! `resultType` of 2026-07-28: known values, and those of extensions only where they were declared. Passive.

use serde_json::Value;
use wire::mcp::meta;

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/result-type",
    judges: &["jsonrpc.result-type.known-value", "jsonrpc.result-type.extension-negotiated"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases() {
        let Some(kind) = case.result().and_then(|result| result.get("resultType")).and_then(Value::as_str) else {
            continue;
        };
        check_known(&case, kind, collector);
        check_negotiated(&case, kind, collector);
    }
}

fn is_core(kind: &str) -> bool {
    matches!(kind, "complete" | "input_required")
}

fn check_known(case: &Case<'_>, kind: &str, collector: &mut Collector) {
    const ID: &str = "jsonrpc.result-type.known-value";
    let extensions = case.view.capabilities().get("extensions").and_then(Value::as_object);
    if is_core(kind) {
        collector.witness(ID);
    } else if extensions.is_some_and(|extensions| !extensions.is_empty()) {
        collector.note(ID, "a resultType may belong to an extension that the server advertises");
    } else {
        let mut finding = case.finding(
            "A result has a resultType that nothing defines, so clients must treat it as invalid.",
            "\"complete\" or \"input_required\"",
        );
        finding.actual = format!("{:?}", kind.chars().take(80).collect::<String>());
        finding.place = case.method().map(str::to_owned);
        collector.fail(ID, finding);
    }
}

fn check_negotiated(case: &Case<'_>, kind: &str, collector: &mut Collector) {
    const ID: &str = "jsonrpc.result-type.extension-negotiated";
    let declared = case
        .param("_meta")
        .and_then(|meta| meta.get(meta::CLIENT_CAPABILITIES))
        .and_then(|capabilities| capabilities.get("extensions"))
        .and_then(Value::as_object);
    let extensions = case.view.capabilities().get("extensions").and_then(Value::as_object);
    if !is_core(kind) && extensions.is_none_or(serde_json::Map::is_empty) {
        // A value of no extension at all: judged above.
        return;
    }
    let any = declared.is_some_and(|declared| !declared.is_empty());
    collector.check(ID, is_core(kind) || any, || {
        let mut finding = case.finding(
            "A result has the resultType of an extension that the request did not declare, so the client cannot read it.",
            "\"complete\" or \"input_required\" for a client without extensions",
        );
        finding.actual = format!("{:?}", kind.chars().take(80).collect::<String>());
        finding.place = case.method().map(str::to_owned);
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    const KNOWN: &str = "jsonrpc.result-type.known-value";
    const NEGOTIATED: &str = "jsonrpc.result-type.extension-negotiated";

    fn called(offered: Value, declared: Value, kind: &str) -> Script {
        let meta = json!({"io.modelcontextprotocol/clientCapabilities": declared});
        let script = Script::new(Revision::V2026_07_28, offered);
        script.plain("x/y", json!({"_meta": meta}), json!({"result": {"resultType": kind}}))
    }

    #[test]
    fn core_values_pass() {
        for kind in ["complete", "input_required"] {
            let script = called(json!({}), json!({}), kind);
            assert_eq!((script.status_of(KNOWN), script.status_of(NEGOTIATED)), (Status::Pass, Status::Pass));
        }
    }

    #[test]
    fn a_value_of_nobody_fails() {
        let script = called(json!({}), json!({}), "done");
        assert!(script.fails_in("jsonrpc").contains(&KNOWN) && !script.fails_in("jsonrpc").contains(&NEGOTIATED));
    }

    #[test]
    fn an_extension_is_used_only_where_it_was_declared() {
        let offered = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
        let undeclared = called(offered.clone(), json!({}), "task");
        assert!(
            !undeclared.fails_in("jsonrpc").contains(&KNOWN) && undeclared.fails_in("jsonrpc").contains(&NEGOTIATED)
        );
        let declared = called(offered, json!({"extensions": {"io.modelcontextprotocol/tasks": {}}}), "task");
        assert!(!declared.fails_in("jsonrpc").contains(&NEGOTIATED));
    }
}
