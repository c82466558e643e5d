//! Whether `tools` is declared by those who serve it, and by no others.
//!
//! Intent `tools-undeclared`: a `tools/list` or `tools/call` sent although the server does not declare `tools`.

use serde_json::Value;

use super::lists;
use crate::{Bench, Case, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/capability",
    judges: &[
        "tools.capability.declared",
        "tools.capability.undeclared-method-not-found",
        "tools.capability.list-answered",
    ],
    judge,
};

fn judge(view: &View<'_>, bench: &mut Bench) {
    if view.declares("tools") {
        bench.beside("tools.capability.undeclared-method-not-found", "the server declares tools");
    }
    for case in view.calls("tools/list").filter(Case::is_decided) {
        if lists::is_ordinary(&case) && case.param("cursor").is_none() {
            listed(&case, bench);
        }
    }
    for case in view.probes("tools-undeclared").filter(Case::is_decided) {
        undeclared(&case, bench);
    }
}

fn listed(case: &Case<'_>, bench: &mut Bench) {
    if !case.view.declares("tools") || matches!(case.status(), Some(401 | 403)) {
        return;
    }
    if case.result().is_some() {
        bench.saw("tools.capability.declared");
        bench.saw("tools.capability.list-answered");
    } else if case.error().is_some() {
        bench.fail("tools.capability.list-answered", unanswered(case));
    } else {
        // Silence under load is repeated before it counts.
        bench.suspect("tools.capability.list-answered", case, unanswered(case));
    }
}

fn unanswered(case: &Case<'_>) -> verdict::Finding {
    case.finding(
        "The server declares tools, yet tools/list gives no result, so no client can find a tool.",
        "a result with the list of tools",
    )
}

fn undeclared(case: &Case<'_>, bench: &mut Bench) {
    let tools = case.result().and_then(|result| result.get("tools")).and_then(Value::as_array);
    match tools {
        Some(tools) if tools.is_empty() => {
            bench.saw("tools.capability.declared");
            bench.note("tools.capability.declared", "tools/list gives an empty list although tools is not declared");
        }
        Some(_) => bench.fail(
            "tools.capability.declared",
            case.finding(
                "The server lists tools but does not declare the tools capability, so clients will not look for them.",
                "capabilities.tools in the answer that opens the session",
            ),
        ),
        None if case.error().is_some() && case.method() == Some("tools/list") => bench.saw("tools.capability.declared"),
        None => {}
    }
    refused(case, bench);
}

fn refused(case: &Case<'_>, bench: &mut Bench) {
    const ID: &str = "tools.capability.undeclared-method-not-found";
    if case.reply().is_none() && case.status().is_some() {
        bench.doubt(ID, format!("{} is answered with a bare HTTP status", case.method().unwrap_or("the request")));
        return;
    }
    bench.check(ID, case.error_code() == Some(-32601), || {
        let message = if case.error().is_some() {
            "A tools method is refused with another code than -32601, though the server does not declare tools."
        } else {
            "A tools method is not refused, though the server does not declare tools."
        };
        let mut finding = case.finding(message, "error -32601 (method not found)");
        finding.place = case.method().map(str::to_owned);
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Level, Revision, Status};

    use crate::testing::Script;

    const V: Revision = Revision::V2025_11_25;
    const CODE: &str = "tools.capability.undeclared-method-not-found";

    fn undeclared(answer: Value) -> Script {
        Script::new(V, json!({})).probe("tools-undeclared", "tools/list", json!({}), answer)
    }

    #[test]
    fn a_list_without_the_capability_fails() {
        let script = undeclared(json!({"result": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}}));
        assert_eq!(script.fails(), ["tools.capability.declared", CODE]);
    }

    #[test]
    fn an_empty_list_is_weak_evidence() {
        let verdict = undeclared(json!({"result": {"tools": []}})).verdict("tools.capability.declared");
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
    }

    #[test]
    fn the_code_decides_and_is_a_should_before_2026() {
        let script = undeclared(json!({"error": {"code": -32601, "message": "no"}}));
        assert_eq!(script.status_of(CODE), Status::Pass);
        assert_eq!(script.status_of("tools.capability.declared"), Status::Pass);
        let verdict = undeclared(json!({"error": {"code": -32602, "message": "no"}})).verdict(CODE);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
    }

    #[test]
    fn declared_tools_must_be_listed() {
        let list = |answer| Script::new(V, json!({"tools": {}})).plain("tools/list", json!({}), answer);
        assert_eq!(
            list(json!({"error": {"code": -32603, "message": "x"}})).fails(),
            ["lifecycle.capabilities.declared-served", "tools.capability.list-answered"]
        );
        let good = list(json!({"result": {"tools": []}}));
        assert_eq!(good.status_of("tools.capability.list-answered"), Status::Pass);
        assert_eq!(good.status_of(CODE), Status::NotApplicable);
    }

    #[test]
    fn silence_counts_once_repeated() {
        let silent = |script: Script| script.unanswered("walk", "tools/list", json!({})).gave_up();
        let once = silent(Script::new(V, json!({"tools": {}})));
        assert_eq!(once.status_of("tools.capability.list-answered"), Status::Inconclusive);
        let twice = silent(once.session(true, json!({"tools": {}})));
        assert_eq!(twice.status_of("tools.capability.list-answered"), Status::Fail);
    }

    #[test]
    fn a_demand_for_authorization_is_no_missing_list() {
        let script = Script::over(verdict::Transport::Http, V, json!({"tools": {}}));
        let script = script.unanswered("walk", "tools/list", json!({})).status(401);
        assert_eq!(script.fails(), [""; 0]);
    }
}
