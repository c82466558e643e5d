//! Errors: flagged as such, with codes that mean something, and short.

use std::collections::BTreeSet;
use wire::mcp::code;

use serde_json::Value;

use super::{finding, some};
use crate::rules::own_doing::is_own_doing;
use crate::rules::wording::failure_text;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/errors",
    judges: &["practice.errors.flagged", "practice.errors.standard-codes", "practice.errors.short"],
    judge,
};

/// Characters from which on nobody reads an error.
const LONG: usize = 2_000;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut codes = BTreeSet::new();
    let mut long = BTreeSet::new();
    let mut plain = BTreeSet::new();
    for case in view.cases().filter(|case| case.is_decided() && !is_own_doing(case)) {
        if let Some(code) = case.error_code() {
            collector.witness(RULE.judges[1]);
            if !is_standard(code) {
                codes.insert(code.to_string());
            }
        }
        if let Some(length) = length(&case) {
            collector.witness(RULE.judges[2]);
            // What repeats the client's own long words is as long as they are.
            if length > LONG && length > case.exchange.send.text.len() {
                long.insert(case.tool().or(case.method()).unwrap_or_default());
            }
        }
        if let Some((tool, text)) = result_text(&case) {
            collector.witness(RULE.judges[0]);
            if looks_failed(tool, text) && !asks_for_it(&case) {
                plain.insert(tool);
            }
        }
    }
    tell(
        collector,
        RULE.judges[0],
        &plain,
        "Tools report a failure as an ordinary result, so clients mistake it for an answer.",
        "isError true",
    );
    tell(
        collector,
        RULE.judges[1],
        &codes,
        "Errors have codes outside the ranges of JSON-RPC and MCP.",
        "-32700, -32600 to -32603, or -32099 to -32000",
    );
    tell(collector, RULE.judges[2], &long, "Errors are longer than 2,000 characters.", "a sentence");
}

fn tell<T: AsRef<str>>(
    collector: &mut Collector,
    id: &'static str,
    found: &BTreeSet<T>,
    message: &str,
    expected: &str,
) {
    if !found.is_empty() {
        collector.fail(id, finding(message.to_owned(), expected, some(found.iter().map(AsRef::as_ref))));
    }
}

fn is_standard(code: i64) -> bool {
    // The last one says that a request was cancelled, as in other protocols over JSON-RPC.
    matches!(code, code::PARSE_ERROR | code::INTERNAL_ERROR..=code::INVALID_REQUEST | -32099..=code::SERVER_ERROR | code::REQUEST_CANCELLED)
}

/// Characters of what people read of an error; `data` is for programs.
fn length(case: &Case<'_>) -> Option<usize> {
    let message = case.error().map(|error| error.get("message").and_then(Value::as_str).unwrap_or_default());
    message.map(|message| message.chars().count()).or_else(|| Some(failure_text(case)?.chars().count()))
}

/// The only text of a result that is no error.
fn result_text<'v>(case: &Case<'v>) -> Option<(&'v str, &'v str)> {
    let tool = case.tool()?;
    let content = case.result().filter(|_| !case.is_tool_error())?.get("content")?.as_array()?;
    match content.as_slice() {
        [one] => Some((tool, one.get("text")?.as_str()?)),
        _ => None,
    }
}

/// Who sends such a word may get it back.
fn asks_for_it(case: &Case<'_>) -> bool {
    let sent = case.param("arguments").map(|arguments| arguments.to_string().to_lowercase()).unwrap_or_default();
    ["error", "fail", "exception"].iter().any(|word| sent.contains(word))
}

fn looks_failed(tool: &str, text: &str) -> bool {
    // Texts about errors are what some tools are for.
    let about = ["log", "error", "echo", "lint", "diagnos"].iter().any(|word| tool.to_lowercase().contains(word));
    let start = text.trim_start().chars().take(40).collect::<String>().to_lowercase();
    let marks =
        ["error:", "error ", "failed to ", "failed:", "exception", "traceback", "{\"error\":", "{\n  \"error\":"];
    !about && marks.iter().any(|mark| start.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::Status;

    use super::super::tests::listed;
    use super::RULE;
    use crate::testing::Script;

    fn call(answer: Value) -> Script {
        listed(json!([{"name": "get_it"}])).plain("tools/call", json!({"name": "get_it"}), answer)
    }

    fn text(text: &str, is_error: bool) -> Value {
        json!({"result": {"content": [{"type": "text", "text": text}], "isError": is_error}})
    }

    #[test]
    fn a_failure_says_so() {
        const ID: &str = RULE.judges[0];
        assert_eq!(call(text("Error: not found", false)).status_of(ID), Status::Fail);
        assert_eq!(call(text("{\"error\": \"x\"}", false)).status_of(ID), Status::Fail);
        assert_eq!(call(text("No errors.", false)).status_of(ID), Status::Pass);
        assert_eq!(call(text("Error: not found", true)).status_of(ID), Status::NotObserved);
        let wanted = listed(json!([{"name": "get_it"}]));
        let params = json!({"name": "get_it", "arguments": {"kind": "error"}});
        let wanted = wanted.plain("tools/call", params, text("Error: not found", false));
        assert_eq!(wanted.status_of(ID), Status::Pass);
        let log = listed(json!([{"name": "read_log"}]));
        assert_eq!(
            log.plain("tools/call", json!({"name": "read_log"}), text("Error: x", false)).status_of(ID),
            Status::Pass
        );
    }

    #[test]
    fn codes_are_those_of_a_range() {
        const ID: &str = RULE.judges[1];
        let error = |code: i64| call(json!({"error": {"code": code, "message": "no"}}));
        assert_eq!(error(-32602).status_of(ID), Status::Pass);
        assert_eq!(error(-32042).status_of(ID), Status::Pass);
        assert_eq!(error(0).status_of(ID), Status::Fail);
        assert_eq!(error(404).status_of(ID), Status::Fail);
    }

    #[test]
    fn errors_are_short() {
        const ID: &str = RULE.judges[2];
        assert_eq!(call(text(&"x".repeat(2_100), true)).status_of(ID), Status::Fail);
        assert_eq!(call(text("Give a name.", true)).status_of(ID), Status::Pass);
    }
}
