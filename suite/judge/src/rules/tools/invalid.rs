//! Calls with arguments that break the tool's inputSchema.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use verdict::{Finding, Intent, Key, Level, Transport};
use wire::mcp::code;

use super::call::{Inputs, excuse_held_back};
use super::came::{Came, arguments, came};
use super::compared::{Compared, undecided};
use super::parts::refuses_item;
use super::unlisted::{Says, Unlisted};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/invalid",
    judges: &[
        "tools.call.invalid-arguments-rejected",
        "tools.call.invalid-arguments-as-execution-error",
        "tools.call.invalid-arguments-code",
        "jsonrpc.schema.default-dialect",
    ],
    judge,
};

/// Keywords that mean nothing before 2019-09, or nothing before 2020-12.
const NEW: [&str; 7] = [
    "prefixItems",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
    "minContains",
    "maxContains",
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut inputs = Inputs::new(view);
    let (compared, unlisted) = (Compared::new(view), Unlisted::new(view));
    let conversions = Conversions::new(view, &compared);
    for case in view.probes(Intent::InvalidCall).filter(Case::is_decided) {
        let Some(tool) = case.tool().and_then(|name| view.tool(name)) else { continue };
        // A tool that is unknown after all says nothing of its arguments, nor does one that is called as a task only.
        if unlisted.says(&case) != Says::Known || super::execution::wants_task(&case, tool) {
            continue;
        }
        let broken = inputs.of(tool).and_then(|schema| schema.refuse(&arguments(&case)));
        if broken.is_none() {
            if case.about_str(Key::Keyword) == Some("format") {
                check_format(&case, collector);
            }
            continue;
        }
        let failed = matches!(came(&case), Came::Error | Came::ToolError);
        if failed && !compared.blames_arguments(&case) {
            collector.undecided(RULE.judges[0], undecided(&case));
            continue;
        }
        check_rejected(&case, &conversions, collector);
        check_form(&case, collector);
        let keyword = case.about_str(Key::Keyword).unwrap_or_default();
        if NEW.contains(&keyword) && tool.input_schema().is_some_and(|schema| schema.get("$schema").is_none()) {
            check_dialect(&case, collector);
        }
    }
    excuse_held_back(view, collector, &RULE.judges[..3]);
}

/// Parameters whose values are converted on purpose: all that cannot be read as another type is refused there.
struct Conversions<'v>(BTreeSet<(&'v str, &'v str)>);

impl<'v> Conversions<'v> {
    fn new(view: &'v View<'v>, compared: &Compared<'_>) -> Self {
        let mut places = BTreeMap::new();
        for case in view.probes(Intent::InvalidCall).filter(|case| case.is_decided() && !is_convertible(case)) {
            let Some(place) = wrong_type_at(&case) else { continue };
            let refused = matches!(came(&case), Came::Error | Came::ToolError) && compared.blames_arguments(&case);
            *places.entry(place).or_insert(true) &= refused;
        }
        Self(places.into_iter().filter_map(|(place, refused)| refused.then_some(place)).collect())
    }

    fn explain(&self, case: &Case<'_>) -> bool {
        is_convertible(case) && wrong_type_at(case).is_some_and(|place| self.0.contains(&place))
    }
}

/// The tool and the place in its arguments at which a value of a wrong type was sent.
fn wrong_type_at<'v>(case: &Case<'v>) -> Option<(&'v str, &'v str)> {
    let at = case.about_str(Key::At).filter(|_| case.about_str(Key::Keyword) == Some("type"))?;
    Some((case.tool()?, at))
}

/// Whether the value at the place is one that can be read as the type that the place wants and loses nothing by it:
/// a string keeps the part of a fraction, an integer does not.
fn is_convertible(case: &Case<'_>) -> bool {
    let at = case.about_str(Key::At).unwrap_or_default();
    let value = case.param("arguments").and_then(|arguments| arguments.pointer(at));
    value.is_some_and(|value| match value {
        Value::Number(number) => number.as_f64().is_some_and(|float| float.fract() == 0.0) || wants_string(case, at),
        value => value.is_string() || value.is_boolean(),
    })
}

fn wants_string(case: &Case<'_>, at: &str) -> bool {
    let Some(schema) = case.tool().and_then(|name| case.view.tool(name)?.input_schema()) else { return false };
    let place = at.split('/').skip(1).try_fold(schema, |schema, token| {
        schema.get("properties").and_then(|properties| properties.get(token)).or_else(|| schema.get("items"))
    });
    place.is_some_and(|schema| schema.get("type").is_some_and(|kind| kind == "string"))
}

fn check_rejected(case: &Case<'_>, conversions: &Conversions<'_>, collector: &mut Collector) {
    const ID: &str = "tools.call.invalid-arguments-rejected";
    match came(case) {
        Came::Error | Came::ToolError => collector.witness(ID),
        Came::Plain | Came::Task if conversions.explain(case) => {
            let mut finding = accepted_finding(case);
            finding.level = Some(Level::Advice);
            collector.fail(ID, finding);
        }
        Came::Plain if is_refused_in_part(case) => {
            collector.note(ID, "a call with an invalid item succeeds, and its result tells that the item was refused");
        }
        Came::Plain | Came::Task => collector.fail(ID, accepted_finding(case)),
        // More input may be asked for before anything is checked; silence is for other rules.
        Came::Other | Came::Nothing => {}
    }
}

fn is_refused_in_part(case: &Case<'_>) -> bool {
    case.about_str(Key::At).is_some_and(|at| refuses_item(case, at))
}

fn accepted_finding(case: &Case<'_>) -> Finding {
    let keyword = case.about_str(Key::Keyword).unwrap_or("a keyword");
    let message = format!(
        "Arguments that violate `{keyword}` of the tool's inputSchema are accepted, so a model that makes a mistake gets a wrong result instead of a correction."
    );
    let mut finding = case.finding(message, "a result with isError true, or error -32602");
    finding.place = place(case);
    if is_proto(case) {
        finding.level = Some(Level::Advice);
    } else if case.about(Key::Firm) != Some(&true.into()) {
        finding.level = Some(Level::Should);
    }
    finding
}

/// Where in the arguments; whichever item of an array it was, it is the same check that is missing.
fn place(case: &Case<'_>) -> Option<String> {
    let at = case.about_str(Key::At).filter(|at| !at.is_empty())?;
    let is_index = |step: &str| !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    let steps: Vec<&str> = at.split('/').map(|step| if is_index(step) { "*" } else { step }).collect();
    Some(steps.join("/"))
}

/// A name that some languages take for the object's own, and so never see: nothing comes of it.
fn is_proto(case: &Case<'_>) -> bool {
    let at = case.about_str(Key::At).unwrap_or_default();
    let parent = arguments(case).pointer(at).cloned().unwrap_or_default();
    matches!(case.about_str(Key::Keyword), Some("additionalProperties" | "unevaluatedProperties"))
        && parent.as_object().is_some_and(|members| members.contains_key("__proto__"))
}

/// A format asserts nothing by itself. (The validator here asserts none either: the probe is believed.)
fn check_format(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "tools.call.invalid-arguments-rejected";
    if came(case) == Came::Plain {
        let message = "Values that do not match the `format` in inputSchema are accepted. Servers do not have to check it, but models are told that they must follow it.";
        let mut finding = case.finding(message, "a result with isError true, or a schema without the format");
        finding.place = place(case);
        finding.level = Some(Level::Advice);
        collector.fail(ID, finding);
    }
}

fn check_form(case: &Case<'_>, collector: &mut Collector) {
    const FORM: &str = "tools.call.invalid-arguments-as-execution-error";
    const CODE: &str = "tools.call.invalid-arguments-code";
    if came(case) == Came::ToolError {
        collector.witness(FORM);
    }
    let Some(code) = case.error_code() else { return };
    let mirrored = case.view.transport == Transport::Http && case.view.revision.is_stateless();
    if code == code::HEADER_MISMATCH && mirrored {
        return;
    }
    collector.check(CODE, code == code::INVALID_PARAMS, || {
        let message = "Arguments that violate inputSchema are refused with a code other than -32602, so clients conclude that the server is broken.";
        case.finding(message, "a result with isError true, or error -32602")
    });
    // 2026-07-28 says both things in two places: the listed code is never a finding there.
    if code == code::INVALID_PARAMS && case.view.revision.is_stateless() {
        collector.witness(FORM);
        collector.note(FORM, "arguments that violate inputSchema are refused with error -32602");
        return;
    }
    let message = "Arguments that violate inputSchema are refused with a JSON-RPC error, which models do not see and so cannot correct.";
    collector.fail(FORM, case.finding(message, "a result with isError true"));
}

fn check_dialect(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.schema.default-dialect";
    match came(case) {
        Came::Error | Came::ToolError => collector.witness(ID),
        Came::Plain if is_refused_in_part(case) => {}
        Came::Plain => {
            let message = "The server does not enforce a keyword of its own schema that only newer dialects define: a schema without $schema is JSON Schema 2020-12.";
            let mut finding = accepted_finding(case);
            finding.level = None;
            finding.message = message.into();
            collector.fail(ID, finding);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    const V: Revision = Revision::V2025_11_25;
    const REJECTED: &str = "tools.call.invalid-arguments-rejected";
    const FORM: &str = "tools.call.invalid-arguments-as-execution-error";
    const CODE: &str = "tools.call.invalid-arguments-code";

    fn call(revision: Revision, arguments: Value, about: Value, answer: Value) -> Script {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "dependentRequired": {"m": ["k"]}});
        let tools = json!({"result": {"resultType": "complete", "tools": [{"name": "add", "inputSchema": schema}]}});
        let script = Script::new(revision, json!({"tools": {}})).plain("tools/list", json!({}), tools);
        // Beside a good call that is served, a refusal says something of the arguments.
        let good = json!({"name": "add", "arguments": {"n": 1}});
        let script = script.probe(Intent::ValidCall, "tools/call", good, plain());
        script.probe_about(
            Intent::InvalidCall,
            about,
            "tools/call",
            json!({"name": "add", "arguments": arguments}),
            answer,
        )
    }

    fn missing(revision: Revision, answer: Value) -> Script {
        call(revision, json!({}), json!({"tool": "add", "keyword": "required", "at": "", "firm": true}), answer)
    }

    fn plain() -> Value {
        json!({"result": {"content": []}})
    }

    fn tool_error() -> Value {
        json!({"result": {"content": [{"type": "text", "text": "n is missing"}], "isError": true}})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    #[test]
    fn conversion_on_purpose_is_advice() {
        let about = json!({"tool": "add", "keyword": "type", "at": "/n", "firm": false});
        let converted = call(V, json!({"n": "5"}), about.clone(), plain());
        assert_eq!(converted.verdict(REJECTED).level, Level::Should);
        let other = json!({"name": "add", "arguments": {"n": [[]]}});
        let refused = converted.probe_about(Intent::InvalidCall, about, "tools/call", other, tool_error());
        let verdict = refused.verdict(REJECTED);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
    }

    /// A string keeps all of a number, an integer does not keep the part of a fraction.
    #[test]
    fn a_fraction_is_converted_to_a_string_on_purpose() {
        let level = |kind: &str| {
            let schema = json!({"type": "object", "properties": {"n": {"type": kind}}});
            let tools = json!({"result": {"tools": [{"name": "add", "inputSchema": schema}]}});
            let script = Script::new(V, json!({"tools": {}})).plain("tools/list", json!({}), tools);
            let good = json!({"name": "add", "arguments": {}});
            let script = script.probe(Intent::ValidCall, "tools/call", good, plain());
            let about = || json!({"tool": "add", "keyword": "type", "at": "/n", "firm": false});
            let sent = |n: Value| json!({"name": "add", "arguments": {"n": n}});
            let script = script.probe_about(Intent::InvalidCall, about(), "tools/call", sent(json!(1.5)), plain());
            let script = script.probe_about(Intent::InvalidCall, about(), "tools/call", sent(json!([])), tool_error());
            script.verdict(REJECTED).level
        };
        assert_eq!((level("string"), level("integer")), (Level::Advice, Level::Should));
    }

    #[test]
    fn accepted_invalid_arguments_fail() {
        let verdict = missing(V, plain()).verdict(REJECTED);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Must));
        assert_eq!(missing(V, plain()).fails(), [REJECTED]);
        assert_eq!(missing(V, tool_error()).fails(), [""; 0]);
        assert_eq!(missing(V, tool_error()).status_of(REJECTED), Status::Pass);
    }

    /// Every call ends in the same way, with its own words about what was sent.
    fn backend_down(good: Value, bad: Value) -> Script {
        let schema = json!({"type": "object", "properties": {"repo": {"type": "string"}}, "required": ["repo"]});
        let tools = json!({"result": {"tools": [{"name": "log", "inputSchema": schema}]}});
        let script = Script::new(V, json!({"tools": {}})).plain("tools/list", json!({}), tools);
        let good_call = json!({"name": "log", "arguments": {"repo": "some/where"}});
        let script = script.probe(Intent::ValidCall, "tools/call", good_call, good);
        let about = json!({"tool": "log", "keyword": "required", "at": "", "firm": true});
        script.probe_about(Intent::InvalidCall, about, "tools/call", json!({"name": "log", "arguments": {}}), bad)
    }

    #[test]
    fn what_good_and_bad_arguments_get_alike_says_nothing_of_them() {
        const ACCEPTED: &str = "tools.call.valid-arguments-accepted";
        let failed = |text: &str| json!({"result": {"content": [{"type": "text", "text": text}], "isError": true}});
        let down = backend_down(
            failed("fetch of some/where failed after 31 ms"),
            failed("fetch of some/where failed after 2 ms"),
        );
        assert_eq!(down.status_of(REJECTED), Status::Inconclusive);
        let down = backend_down(failed("fetch failed after 31 ms"), failed("fetch failed after 2 ms"));
        assert_eq!(down.fails(), [""; 0]);
        for (id, words) in [(REJECTED, "fetch failed after 2 ms"), (ACCEPTED, "fetch failed after 31 ms")] {
            let verdict = down.verdict(id);
            assert_eq!(verdict.status, Status::Inconclusive, "{id}");
            assert!(verdict.reason.expect("a reason").ends_with(words), "{id}");
        }
        assert_eq!(down.status_of(FORM), Status::NotObserved);
        // The form of an error that every call gets is not that of a refusal of arguments.
        let broken = backend_down(error(-32603), error(-32603));
        assert_eq!((broken.status_of(CODE), broken.status_of(FORM)), (Status::NotObserved, Status::NotObserved));
        // What fails otherwise was looked at.
        let told = backend_down(failed("fetch failed"), failed("repo is required"));
        assert_eq!((told.status_of(REJECTED), told.status_of(ACCEPTED)), (Status::Pass, Status::Pass));
    }

    #[test]
    fn an_unchecked_format_is_advice() {
        let about = json!({"tool": "add", "keyword": "format", "at": "/day", "case": 1});
        let run = |answer| call(V, json!({"n": 1, "day": "soon"}), about.clone(), answer);
        let verdict = run(plain()).verdict(REJECTED);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        assert_eq!(run(tool_error()).fails(), [""; 0]);
    }

    #[test]
    fn a_name_that_some_languages_do_not_see_is_advice() {
        let about = json!({"tool": "add", "keyword": "additionalProperties", "at": "", "case": 1});
        let schema = json!({"type": "object", "additionalProperties": false});
        let tools = json!({"result": {"tools": [{"name": "add", "inputSchema": schema}]}});
        let run = |name: &str| {
            let script = Script::new(V, json!({"tools": {}})).plain("tools/list", json!({}), tools.clone());
            let params = json!({"name": "add", "arguments": {(name): 1}});
            script
                .probe_about(Intent::InvalidCall, about.clone(), "tools/call", params, plain())
                .verdict(REJECTED)
                .level
        };
        assert_eq!((run("__proto__"), run("x")), (Level::Advice, Level::Should));
    }

    #[test]
    fn of_generated_calls_the_simplest_is_shown() {
        let about = |minimal| json!({"tool": "add", "keyword": "required", "at": "", "firm": true, "case": 4, "minimal": minimal});
        let script = call(V, json!({"a": 1}), about(false), plain());
        let script = script.probe_about(
            Intent::InvalidCall,
            about(true),
            "tools/call",
            json!({"name": "add", "arguments": {}}),
            plain(),
        );
        let verdict = script.verdict(REJECTED);
        assert_eq!((verdict.findings.len(), verdict.findings[0].count), (1, 2));
        let generated = verdict.findings[0].generated.as_ref().expect("a generated call");
        assert_eq!(generated.call, json!({"name": "add", "arguments": {}}));
        assert_eq!(generated.keyword.as_deref(), Some("required"));
    }

    #[test]
    fn what_could_be_converted_is_a_should() {
        let about = json!({"tool": "add", "keyword": "type", "at": "/n", "firm": false});
        let verdict = call(V, json!({"n": "5"}), about, plain()).verdict(REJECTED);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
    }

    #[test]
    fn the_form_of_the_refusal_depends_on_the_revision() {
        assert_eq!(missing(V, error(-32602)).fails(), [FORM]);
        assert_eq!(missing(Revision::V2025_06_18, error(-32602)).fails(), [""; 0]);
        let verdict = missing(Revision::V2026_07_28, error(-32602)).verdict(FORM);
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
    }

    #[test]
    fn the_code_of_the_refusal_is_judged_in_every_revision() {
        assert_eq!(missing(Revision::V2024_11_05, error(-32603)).fails(), [CODE]);
        assert_eq!(missing(V, error(-32602)).status_of(CODE), Status::Pass);
    }

    #[test]
    fn an_unknown_tool_says_nothing_of_its_arguments() {
        let unknown = |name: &str| json!({"error": {"code": -32602, "message": format!("Unknown tool: {name}")}});
        let schema = json!({"type": "object", "required": ["n"]});
        let tools = json!({"result": {"tools": [{"name": "add", "inputSchema": schema}]}});
        let script = Script::new(V, json!({"tools": {}})).plain("tools/list", json!({}), tools);
        let script = script.probe(Intent::UnknownTool, "tools/call", json!({"name": "nope"}), unknown("nope"));
        let about = json!({"tool": "add", "keyword": "required", "at": "", "firm": true});
        let bare = json!({"name": "add", "arguments": {}});
        let script = script.probe_about(Intent::InvalidCall, about, "tools/call", bare, unknown("add"));
        assert_eq!(script.status_of(FORM), Status::NotObserved);
    }

    #[test]
    fn arguments_that_are_valid_after_all_count_for_nothing() {
        let about = json!({"tool": "add", "keyword": "type", "at": "/n", "firm": true});
        // 1.0 is an integer, and unknown properties are welcome.
        assert_eq!(call(V, json!({"n": 1.0, "x": 1}), about, plain()).status_of(REJECTED), Status::NotObserved);
    }

    #[test]
    fn a_keyword_of_the_default_dialect_is_enforced() {
        let about = json!({"tool": "add", "keyword": "dependentRequired", "at": "", "firm": false});
        let run = |revision, answer| call(revision, json!({"n": 1, "m": 1}), about.clone(), answer);
        assert_eq!(run(V, plain()).fails(), ["jsonrpc.schema.default-dialect", REJECTED]);
        assert_eq!(run(V, tool_error()).status_of("jsonrpc.schema.default-dialect"), Status::Pass);
        // draft-07 knows no such keyword, and no dialect is the default there.
        assert_eq!(run(Revision::V2025_06_18, plain()).fails(), [""; 0]);
    }
}
