//! Calls with arguments that satisfy the tool's inputSchema.

use std::collections::BTreeMap;
use wire::mcp::code;

use schema::Readings;
use serde_json::{Value, json};
use verdict::{Finding, Intent, Key, Level};

use super::lists;
use crate::{Case, Collector, Rule, Tool, View, dialects};

pub(super) const RULE: Rule = Rule {
    name: "tools/call",
    judges: &[
        "tools.call.arguments-optional",
        "tools.call.listed-tool-known",
        "tools.call.valid-arguments-accepted",
        "tools.error.execution-in-result",
    ],
    judge,
};

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// A result that is no error.
    Plain,
    /// A result with isError true.
    ToolError,
    /// A JSON-RPC error, or over HTTP a bare 4xx.
    Error,
    /// A handle for a task.
    Task,
    /// A result of another kind: more input is wanted, or an extension's.
    Other,
    /// No answer.
    Nothing,
}

pub(super) fn came(case: &Case<'_>) -> Came {
    let Some(result) = case.result() else {
        let refused = case.error().is_some() || case.status().is_some_and(|status| (400..500).contains(&status));
        return if refused { Came::Error } else { Came::Nothing };
    };
    let kind = result.get("resultType").and_then(Value::as_str);
    if kind.is_some_and(|kind| kind != "complete") {
        Came::Other
    } else if result["task"].is_object() && result.get("content").is_none() {
        Came::Task
    } else if case.is_tool_error() {
        Came::ToolError
    } else {
        Came::Plain
    }
}

/// The arguments of a call; left out is the same as empty.
pub(super) fn arguments(case: &Case<'_>) -> Value {
    case.param("arguments").cloned().unwrap_or_else(|| json!({}))
}

/// The input schemas of the listed tools, read once.
pub(super) struct Inputs<'v> {
    view: &'v View<'v>,
    known: BTreeMap<String, Option<Readings>>,
}

impl<'v> Inputs<'v> {
    pub(super) fn new(view: &'v View<'v>) -> Self {
        Self { view, known: BTreeMap::new() }
    }

    /// The schema of a tool; none if instances cannot be judged by it.
    pub(super) fn of(&mut self, tool: &Tool) -> Option<&Readings> {
        let dialects = dialects(self.view.revision);
        let read = || tool.input_schema().and_then(|schema| Readings::new(schema, dialects).ok());
        self.known.entry(tool.name.clone()).or_insert_with(read).as_ref()
    }
}

/// Says why calls were not made: safety, or a schema that nothing was found for.
pub(super) fn excuse_held_back(view: &View<'_>, collector: &mut Collector, ids: &[&'static str]) {
    let mut probes = view.judged().flat_map(|session| &session.probes).map(|(_, probe)| probe);
    let reason = probes.find_map(|probe| match probe.intent {
        Intent::ToolsHeldBack => {
            let count = probe.get(Key::Names).and_then(Value::as_array).map_or(0, Vec::len);
            Some(format!(
                "{count} tools were not called, because nothing marks them as harmless: allow them with --tool NAME or --calls all"
            ))
        }
        Intent::ToolsWithoutArguments => {
            let (tool, why) = (probe.get(Key::Tool)?.as_str()?, probe.get(Key::Why)?.as_str()?);
            Some(format!("{tool} was not called with valid arguments: {why}"))
        }
        _ => None,
    });
    if let Some(reason) = reason {
        ids.iter().for_each(|id| collector.not_observed(id, reason.clone()));
    }
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut inputs = Inputs::new(view);
    let mut broken = 0;
    for case in view.probes(Intent::ValidCall).filter(Case::is_decided) {
        let Some(tool) = case.tool().and_then(|name| view.tool(name)) else { continue };
        check_known(&case, tool, collector);
        if says_unknown(&case, tool) {
            continue;
        }
        if inputs.of(tool).is_some_and(|schema| schema.accept(&arguments(&case))) {
            check_accepted(&case, collector);
        }
        check_execution(&case, &mut broken, collector);
    }
    for case in view.probes(Intent::CallWithoutArguments).filter(Case::is_decided) {
        check_optional(&case, collector);
        check_execution(&case, &mut broken, collector);
    }
    excuse_held_back(view, collector, RULE.judges);
}

/// Whether the answer says that there is no such tool, in whatever form.
pub(super) fn says_unknown(case: &Case<'_>, tool: &Tool) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        let missing = ["not found", "not exist", "no such tool", "not available", "not registered"];
        text.contains("unknown tool") || (text.contains("tool") && missing.iter().any(|word| text.contains(word)))
    };
    if let Some(error) = case.error() {
        let code = matches!(case.error_code(), Some(code::INVALID_PARAMS | code::METHOD_NOT_FOUND));
        return code && error["message"].as_str().is_some_and(says);
    }
    // A tool may itself look for tools: its text must name this one.
    let blocks = case.result().filter(|_| case.is_tool_error()).and_then(|result| result["content"].as_array());
    let texts = blocks.into_iter().flatten().filter_map(|block| block["text"].as_str());
    texts.into_iter().any(|text| says(text) && text.contains(&tool.name))
}

fn check_known(case: &Case<'_>, tool: &Tool, collector: &mut Collector) {
    const ID: &str = "tools.call.listed-tool-known";
    if !says_unknown(case, tool) {
        if case.reply().is_some() {
            collector.witness(ID);
        }
        return;
    }
    let walks = lists::complete(case.view);
    let later = walks.iter().rfind(|walk| walk.session.id == case.session.id && walk.start() > case.exchange.seq);
    match later {
        Some(later) if later.set().contains(tool.name.as_str()) => {
            let message = "A tool listed by tools/list is refused as unknown when called, so clients offer a tool that nobody can use.";
            collector.fail(ID, case.finding(message, "the tool's result"));
        }
        Some(_) => collector.witness(ID),
        None => {
            collector.inconclusive(ID, "a listed tool was refused as unknown, but the list may have changed in between")
        }
    }
}

fn check_accepted(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "tools.call.valid-arguments-accepted";
    match came(case) {
        Came::Plain | Came::ToolError | Came::Task => collector.witness(ID),
        Came::Error if case.error_code() == Some(code::INVALID_PARAMS) => {
            const EXPECTED: &str = "a result; if the tool cannot use the values, one with isError true";
            if is_unusual(&arguments(case)) {
                let message = "Unusual values that the tool's inputSchema allows are refused with a JSON-RPC error: the schema promises more than the tool accepts.";
                let finding = case.finding(message, EXPECTED);
                return collector.fail(ID, Finding { level: Some(Level::Advice), ..finding });
            }
            let message = "Arguments that satisfy the tool's inputSchema are refused with a JSON-RPC error, so a client that trusts the schema cannot call the tool.";
            collector.fail(ID, case.finding(message, EXPECTED));
        }
        _ => {}
    }
}

/// Values that a schema allows and hardly anybody has thought of: numbers beyond what all languages hold exactly, integers
/// written as fractions, control characters, strings and arrays of thousands.
pub(super) fn is_unusual(value: &Value) -> bool {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    const LONG: usize = 4_096;
    match value {
        Value::Number(number) => {
            let float = number.as_f64().unwrap_or_default();
            float.abs() > SAFE || (number.is_f64() && float.fract() == 0.0) || (float != 0.0 && float.abs() < 1e-9)
        }
        Value::String(text) => text.len() > LONG || text.chars().any(char::is_control),
        Value::Array(items) => items.len() > LONG || items.iter().any(is_unusual),
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| name.chars().any(char::is_control) || name == "__proto__" || is_unusual(value)),
        _ => false,
    }
}

/// Errors that mean something else than a failure of the tool: of the request (-32600 to -32602), of the transport's headers,
/// of what the client can do.
fn is_of_the_request(code: i64) -> bool {
    matches!(code, code::PARSE_ERROR | code::INVALID_PARAMS..=code::INVALID_REQUEST | code::UNSUPPORTED_PROTOCOL_VERSION..=code::HEADER_MISMATCH | code::URL_ELICITATION_REQUIRED)
}

fn check_execution(case: &Case<'_>, broken: &mut u32, collector: &mut Collector) {
    const ID: &str = "tools.error.execution-in-result";
    if came(case) == Came::ToolError {
        collector.witness(ID);
    }
    let Some(code) = case.error_code().filter(|code| !is_of_the_request(*code)) else { return };
    if case.about(Key::Case).is_some() && is_unusual(&arguments(case)) {
        let message = "A call with unusual values that inputSchema allows fails with a JSON-RPC error that is not about the request.";
        let finding = case.finding(message, "a result with isError true");
        return collector.fail(ID, Finding { level: Some(Level::Advice), ..finding });
    }
    *broken += 1;
    // One internal error may be the server's own trouble; several are its habit.
    if code == code::INTERNAL_ERROR && *broken < 2 {
        collector.note(ID, format!("a call of {} returned error -32603", case.tool().unwrap_or("a tool")));
        collector
            .inconclusive(ID, "one call failed with error -32603, which is correct only if the server itself failed");
        return;
    }
    let message = "A call with valid arguments fails with a JSON-RPC error, which models do not see; a failure inside a tool belongs in the result.";
    collector.fail(ID, case.finding(message, "a result with isError true"));
}

fn check_optional(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "tools.call.arguments-optional";
    let Some(tool) = case.tool() else { return };
    let same = |other: &Case<'_>| other.tool() == Some(tool) && other.param("arguments") == Some(&json!({}));
    let empty = case
        .view
        .probes(Intent::ValidCall)
        .filter(Case::is_decided)
        .find(|other| other.session.id == case.session.id && same(other));
    let Some(empty) = empty else { return };
    let (with, without) = (came(&empty), came(case));
    // The tool may fail now and then: only a refusal of the request tells.
    if with == Came::Nothing || with == Came::Error || without == Came::Nothing {
        return;
    }
    let refused =
        without == Came::Error || (with != Came::ToolError && without == Came::ToolError && blames_arguments(case));
    collector.check(ID, !refused, || {
        let message =
            "A call without `arguments` is refused, though the tool needs none and the member may be omitted.";
        case.finding(message, "the same kind of result as with empty arguments")
    });
}

fn blames_arguments(case: &Case<'_>) -> bool {
    let text = case.result().map(ToString::to_string).unwrap_or_default().to_lowercase();
    text.contains("argument")
        || text.contains("-32602")
        || text.contains("undefined")
        || text.contains("expected object")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    const V: Revision = Revision::V2025_11_25;

    fn list(script: Script) -> Script {
        let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": false}});
        script.plain(
            "tools/list",
            json!({}),
            json!({"result": {"resultType": "complete", "tools": [tool("add"), tool("sub")]}}),
        )
    }

    fn start(revision: Revision) -> Script {
        list(Script::new(revision, json!({"tools": {}})))
    }

    fn call(script: Script, name: &str, arguments: Value, answer: Value) -> Script {
        script.probe(Intent::ValidCall, "tools/call", json!({"name": name, "arguments": arguments}), answer)
    }

    fn text(text: &str, error: bool) -> Value {
        json!({"result": {"content": [{"type": "text", "text": text}], "isError": error}})
    }

    fn error(code: i64, message: &str) -> Value {
        json!({"error": {"code": code, "message": message}})
    }

    #[test]
    fn a_result_passes_and_a_tool_error_too() {
        let script = call(start(V), "add", json!({"n": 1}), text("the file is gone", true));
        assert_eq!(script.fails(), [""; 0]);
        for id in
            ["tools.call.valid-arguments-accepted", "tools.error.execution-in-result", "tools.call.listed-tool-known"]
        {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn refused_valid_arguments_are_a_should_in_2025_11_25_only() {
        let refused = |revision| call(start(revision), "add", json!({"n": 1}), error(-32602, "bad value"));
        let verdict = refused(V).verdict("tools.call.valid-arguments-accepted");
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
        let verdict = refused(Revision::V2025_06_18).verdict("tools.call.valid-arguments-accepted");
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
    }

    #[test]
    fn arguments_that_are_not_valid_after_all_count_for_nothing() {
        let script = call(start(V), "add", json!({"m": 1}), error(-32602, "bad value"));
        assert_eq!(script.status_of("tools.call.valid-arguments-accepted"), Status::NotObserved);
    }

    #[test]
    fn a_listed_tool_that_is_unknown_fails_if_it_is_still_listed() {
        const ID: &str = "tools.call.listed-tool-known";
        let refused = call(start(V), "add", json!({}), error(-32602, "Unknown tool: add"));
        assert_eq!(list(refused).fails(), [ID]);
        let refused = call(start(V), "add", json!({}), text("MCP error -32602: Tool add not found", true));
        assert_eq!(refused.status_of(ID), Status::Inconclusive);
        assert!(list(refused).fails().contains(&ID));
        let search = call(start(V), "add", json!({}), text("tool hammer not found", true));
        assert_eq!(search.status_of(ID), Status::Pass);
    }

    #[test]
    fn a_failure_as_a_protocol_error_fails() {
        const ID: &str = "tools.error.execution-in-result";
        assert_eq!(call(start(V), "add", json!({}), error(-32000, "boom")).fails(), [ID]);
        let one = call(start(V), "add", json!({}), error(-32603, "boom"));
        assert_eq!(one.status_of(ID), Status::Inconclusive);
        assert_eq!(call(one, "sub", json!({}), error(-32603, "boom")).fails(), [ID]);
        let open = json!({"mode": "url", "message": "m", "url": "https://e.org", "elicitationId": "e"});
        let open = json!({"error": {"code": -32042, "message": "open this", "data": {"elicitations": [open]}}});
        assert_eq!(call(start(V), "add", json!({}), open).fails(), [""; 0]);
    }

    #[test]
    fn arguments_may_be_left_out() {
        const ID: &str = "tools.call.arguments-optional";
        let pair = |answer| {
            call(start(V), "add", json!({}), text("0", false)).probe(
                Intent::CallWithoutArguments,
                "tools/call",
                json!({"name": "add"}),
                answer,
            )
        };
        assert_eq!(pair(text("0", false)).status_of(ID), Status::Pass);
        assert_eq!(pair(error(-32602, "arguments are required")).fails(), [ID]);
        assert_eq!(pair(text("Input validation error: arguments undefined", true)).fails(), [ID]);
        assert_eq!(pair(text("the network is down", true)).status_of(ID), Status::Pass);
    }

    #[test]
    fn unusual_values_that_are_refused_are_advice() {
        let verdict = call(start(V), "add", json!({"n": 1e300}), error(-32602, "out of range"))
            .verdict("tools.call.valid-arguments-accepted");
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        let about = json!({"tool": "add", "case": 2});
        let params = json!({"name": "add", "arguments": {"n": 5.0}});
        let script = start(V).probe_about(Intent::ValidCall, about, "tools/call", params, error(-32603, "boom"));
        let verdict = script.verdict("tools.error.execution-in-result");
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
    }

    #[test]
    fn what_safety_held_back_is_said() {
        let script = start(V).means(Intent::ToolsHeldBack, json!({"names": ["add", "sub"]}));
        let verdict = script.verdict("tools.call.valid-arguments-accepted");
        assert_eq!(verdict.status, Status::NotObserved);
        assert!(verdict.reason.expect("a reason").contains("--calls all"));
        let script = start(V).means(Intent::ToolsWithoutArguments, json!({"tool": "add", "why": "none were found"}));
        let verdict = script.verdict("tools.call.valid-arguments-accepted");
        assert!(verdict.reason.expect("a reason").starts_with("add was not called"));
    }
}
