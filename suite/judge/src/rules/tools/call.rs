//! Calls with arguments that satisfy the tool's inputSchema.

use std::collections::BTreeMap;
use wire::mcp::code;

use schema::Readings;
use serde_json::{Value, json};
use verdict::{Finding, Intent, Key, Level};

use super::came::{Came, arguments, came};
use super::compared::{Compared, undecided};
use super::lists;
use super::unlisted::{Says, Unlisted};
use crate::rules::own_doing::is_own_doing;
use crate::rules::wording::{failure_text, mentioned};
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
        Intent::ToolsHeldBack
            if probe.get(Key::Names).and_then(Value::as_array).is_some_and(|names| !names.is_empty()) =>
        {
            Some("no tool that may be called shows it".to_owned())
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
    let (compared, unlisted) = (Compared::new(view), Unlisted::new(view));
    let mut broken = 0;
    for case in view.probes(Intent::ValidCall).filter(|case| case.is_decided() && !is_own_doing(case)) {
        let Some(tool) = case.tool().and_then(|name| view.tool(name)) else { continue };
        let says = unlisted.says(&case);
        check_known(&case, tool, says, collector);
        if says != Says::Known {
            continue;
        }
        if inputs.of(tool).is_some_and(|schema| schema.accept(&arguments(&case))) {
            check_accepted(&case, &compared, collector);
        }
        check_execution(&case, &mut broken, collector);
    }
    for case in view.probes(Intent::CallWithoutArguments).filter(Case::is_decided) {
        check_optional(&case, collector);
        check_execution(&case, &mut broken, collector);
    }
    excuse_held_back(view, collector, RULE.judges);
}

fn check_known(case: &Case<'_>, tool: &Tool, says: Says, collector: &mut Collector) {
    const ID: &str = "tools.call.listed-tool-known";
    match says {
        Says::Known if case.reply().is_some() => return collector.witness(ID),
        Says::Known => return,
        Says::Either => {
            let reason = "a call was answered that something is not there, and no unknown name shows whether that means the tool";
            return collector.inconclusive(ID, reason);
        }
        Says::Unknown => {}
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

fn check_accepted(case: &Case<'_>, compared: &Compared<'_>, collector: &mut Collector) {
    const ID: &str = "tools.call.valid-arguments-accepted";
    match came(case) {
        Came::Plain | Came::Task => collector.witness(ID),
        Came::ToolError if compared.lets_through(case) => collector.witness(ID),
        Came::ToolError => collector.undecided(ID, undecided(case)),
        Came::Error if case.error_code() == Some(code::INVALID_PARAMS) => {
            const EXPECTED: &str = "a result; if the tool cannot use the values, one with isError true";
            let noted = if is_unusual(&arguments(case)) {
                "Unusual values that the tool's inputSchema allows are refused with a JSON-RPC error: the schema promises more than the tool accepts."
            } else if compared.serves(case) && is_about_several(case) {
                "Arguments that satisfy the tool's inputSchema are refused with a JSON-RPC error for a rule between parameters that the schema does not state; models see such a rule in a result with isError true."
            } else {
                ""
            };
            if !noted.is_empty() {
                let finding = case.finding(noted, EXPECTED);
                return collector.fail(ID, Finding { level: Some(Level::Advice), ..finding });
            }
            let message = "Arguments that satisfy the tool's inputSchema are refused with a JSON-RPC error, so a client that trusts the schema cannot call the tool.";
            collector.fail(ID, case.finding(message, EXPECTED));
        }
        _ => {}
    }
}

/// Whether a refusal is about how parameters go together ("code or prompt must be given"), which few schemas state.
fn is_about_several(case: &Case<'_>) -> bool {
    let schema = case.tool().and_then(|name| case.view.tool(name)).and_then(Tool::input_schema);
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let names = properties.into_iter().flatten().map(|(name, _)| name.as_str());
    failure_text(case).is_some_and(|text| mentioned(&text, names) > 1)
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
        let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}, "k": {"type": "integer"}}, "additionalProperties": false}});
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
        // Otherwise than arguments that are wrong.
        let wrong = json!({"name": "add", "arguments": {"n": "x"}});
        let script = script.probe(Intent::InvalidCall, "tools/call", wrong, text("n must be an integer", true));
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
    fn rules_between_parameters_are_advice() {
        const ID: &str = "tools.call.valid-arguments-accepted";
        let refused = |script, message| {
            let script = call(script, "add", json!({"n": 1}), error(-32602, message)).verdict(ID);
            (script.status, script.level)
        };
        let served = || call(start(V), "add", json!({"n": 2, "k": 3}), text("5", false));
        assert_eq!(refused(served(), "n goes with k"), (Status::Fail, Level::Advice));
        assert_eq!(refused(served(), "n is bad"), (Status::Fail, Level::Should));
        // Nothing shows that the tool can be called at all.
        assert_eq!(refused(start(V), "n goes with k"), (Status::Fail, Level::Should));
    }

    #[test]
    fn arguments_that_are_not_valid_after_all_count_for_nothing() {
        let script = call(start(V), "add", json!({"m": 1}), error(-32602, "bad value"));
        assert_eq!(script.status_of("tools.call.valid-arguments-accepted"), Status::NotObserved);
    }

    #[test]
    fn a_listed_tool_that_is_unknown_fails_if_it_is_still_listed() {
        const ID: &str = "tools.call.listed-tool-known";
        let unknown = |answer| start(V).probe(Intent::UnknownTool, "tools/call", json!({"name": "nope"}), answer);
        let refused =
            call(unknown(error(-32602, "Unknown tool: nope")), "add", json!({}), error(-32602, "Unknown tool: add"));
        assert_eq!(list(refused).fails(), [ID]);
        let wrapped = |name: &str| text(&format!("MCP error -32602: Tool {name} not found"), true);
        let refused = call(unknown(wrapped("nope")), "add", json!({}), wrapped("add"));
        assert_eq!(refused.status_of(ID), Status::Inconclusive);
        assert!(list(refused).fails().contains(&ID));
        let search = call(unknown(wrapped("nope")), "add", json!({}), text("tool hammer not found", true));
        assert_eq!(search.status_of(ID), Status::Pass);
    }

    #[test]
    fn what_a_tool_says_of_its_own_subject_is_not_about_the_tool() {
        const ID: &str = "tools.call.listed-tool-known";
        let unknown = |answer| start(V).probe(Intent::UnknownTool, "tools/call", json!({"name": "nope"}), answer);
        let missing = |what: &str| text(&format!("Error calling tool 'add': {what} not found"), true);
        // The server says something else of a name that it does not have.
        let user = list(call(unknown(text("Unknown tool: 'nope'", true)), "add", json!({}), missing("user")));
        assert_eq!(user.status_of(ID), Status::Pass);
        // The tool says something else of other arguments.
        let script = call(unknown(missing("it")), "add", json!({}), missing("it"));
        let served = list(call(script, "add", json!({"n": 1}), text("1", false)));
        assert_eq!(served.status_of(ID), Status::Pass);
        // Nothing tells what is meant.
        let alone = list(call(start(V), "add", json!({}), missing("it")));
        assert_eq!(alone.status_of(ID), Status::Inconclusive);
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
        assert_eq!(verdict.reason.as_deref(), Some("no tool that may be called shows it"));
        let script = start(V).means(Intent::ToolsWithoutArguments, json!({"tool": "add", "why": "none were found"}));
        let verdict = script.verdict("tools.call.valid-arguments-accepted");
        assert!(verdict.reason.expect("a reason").starts_with("add was not called"));
    }
}
