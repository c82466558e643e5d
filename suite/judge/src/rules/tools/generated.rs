//! Requests with generated arguments that the server does not survive, or never answers: calls of tools, and what takes strings
//! (prompts, resource templates, completions).
//!
//! A request whose probe has a `case` is a generated one. Only what was sent alone (`alone`) shows that it is the
//! cause. A session with the purpose `careful` looks for what crashed the server, and counts as a repetition.

use serde_json::Value;
use verdict::transcript::Ending;
use verdict::{Finding, Key, Level};

use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule { name: "tools/generated", judges: &[ANSWERED], judge };

const ANSWERED: &str = "jsonrpc.response.every-request-answered";

/// Answered calls from which on a tool counts as one that answers.
const ANSWERS: usize = 5;

/// Parameters by which a caller asks for time: their tools may be as slow as they were asked to be.
const TIME: [&str; 16] = [
    "duration",
    "delay",
    "timeout",
    "sleep",
    "wait",
    "second",
    "minute",
    "hour",
    "ms",
    "millis",
    "interval",
    "time",
    "steps",
    "iteration",
    "repeat",
    "until",
];

/// Whether an exchange is a generated call: others judge silence by other measures.
pub(in crate::rules) fn is_generated(case: &Case<'_>) -> bool {
    case.about(Key::Case).is_some()
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(is_generated) {
        if case.about(Key::Alone) != Some(&Value::Bool(true)) || !case.is_decided() {
            continue;
        }
        match case.exchange.end {
            // A fresh process was sent nothing but this.
            ExchangeEnd::Gone { alone: true } if case.about(Key::Minimal).is_some() => check_fell(&case, collector),
            ExchangeEnd::GaveUp if !asks_for_time(view, &case) => check_silent(&case, collector),
            _ => {}
        }
    }
}

fn check_fell(case: &Case<'_>, collector: &mut Collector) {
    let ended =
        case.session.exit.is_some_and(|(_, exit)| exit.after == Ending::Nothing) || case.session.closed.is_some();
    let what = what(case);
    let mut finding = if ended {
        let all = if case.tool().is_some() { "every tool" } else { "everything the server offers" };
        let one = if case.tool().is_some() { "call" } else { "request" };
        let message =
            format!("{what} terminates the server: a single such {one}, from anyone, makes {all} unavailable.");
        case.finding(message, "an answer")
    } else {
        case.finding(silenced(&what), "an answer")
    };
    finding.place = place(case);
    collector.suspect(ANSWERED, case, finding.fells());
}

fn check_silent(case: &Case<'_>, collector: &mut Collector) {
    let who = if case.tool().is_some() { "the tool" } else { "the server" };
    let message = format!(
        "{} gets no answer although {who} answers others immediately: whoever called waits forever.",
        what(case)
    );
    let finding = case.finding(message, "an answer within the time limit");
    // Nobody works on what cannot be right: it is dropped, and not slow.
    let dropped = case.about(Key::Firm) == Some(&Value::Bool(true));
    let level = match is_answered_otherwise(case) {
        true if dropped => Level::Must,
        true => Level::Should,
        false => Level::Advice,
    };
    collector.suspect(ANSWERED, case, Finding { level: Some(level), place: place(case), ..finding });
}

/// Whether the tool answers in general, so that it is this value that it does not come back from: a tool that is slow now and
/// then shows that more often.
fn is_answered_otherwise(case: &Case<'_>) -> bool {
    let same = |other: &Case<'_>| other.tool().is_some() && other.tool() == case.tool() && other.is_decided();
    let (answered, silent): (Vec<_>, Vec<_>) =
        case.view.calls("tools/call").filter(same).partition(|other| other.reply().is_some());
    answered.len() >= ANSWERS && answered.len() >= silent.len()
}

/// Says that nothing is answered after a request, given the beginning of a sentence about it.
pub(in crate::rules) fn silenced(what: &str) -> String {
    format!("After {}{}, the server no longer answers anything.", what[..1].to_lowercase(), &what[1..])
}

/// Describes the request, as the beginning of a sentence.
pub(in crate::rules) fn what(case: &Case<'_>) -> String {
    match (case.method(), case.about_str(Key::Keyword)) {
        (Some("prompts/get"), None) => "A prompt request with strings as arguments".to_owned(),
        (Some("prompts/get"), Some(_)) => "A prompt request without what the prompt requires".to_owned(),
        (Some("resources/read"), _) => "A read of a URI built from a template with strings as its variables".to_owned(),
        (Some("completion/complete"), _) => "A request to complete a string".to_owned(),
        (_, Some(keyword)) => format!("A call with arguments that violate `{keyword}` of its inputSchema"),
        (_, None) => "A call with arguments that satisfy its inputSchema".to_owned(),
    }
}

fn place(case: &Case<'_>) -> Option<String> {
    let named = case.about_str(Key::Subject).or(case.about_str(Key::At));
    named.map(str::to_owned).filter(|at| !at.is_empty())
}

fn asks_for_time(view: &View<'_>, case: &Case<'_>) -> bool {
    let schema = case.tool().and_then(|name| view.tool(name)).and_then(|tool| tool.input_schema());
    let Some(properties) = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object) else {
        return false;
    };
    let says = |text: &str| {
        let text = text.to_lowercase();
        TIME.iter().any(|word| text.split(|letter: char| !letter.is_alphanumeric()).any(|part| part.starts_with(word)))
    };
    properties.iter().any(|(name, of)| says(name) || of.get("description").and_then(Value::as_str).is_some_and(says))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use super::ANSWERED;
    use crate::testing::Script;

    const V: Revision = Revision::V2025_11_25;

    fn call(parameter: &str, alone: bool) -> Script {
        let schema = json!({"type": "object", "properties": {(parameter): {"type": "integer"}}});
        let tools = json!({"result": {"tools": [{"name": "add", "inputSchema": schema}]}});
        let script = Script::new(V, json!({"tools": {}})).plain("tools/list", json!({}), tools);
        let mut script = script.session(true, json!({"tools": {}})).settled();
        let about = json!({"tool": "add", "case": 3, "alone": alone, "minimal": true});
        script.ask(
            Some((Intent::ValidCall, about)),
            "tools/call",
            json!({"name": "add", "arguments": {(parameter): 0}}),
        );
        script
    }

    #[test]
    fn a_call_that_ends_the_server_fails_when_it_was_alone() {
        let verdict = call("n", true).exits(1).verdict(ANSWERED);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Must));
        let generated = verdict.findings[0].generated.as_ref().expect("a generated call");
        assert_eq!((generated.call.clone(), generated.minimal), (json!({"name": "add", "arguments": {"n": 0}}), true));
        assert_ne!(call("n", false).exits(1).status_of(ANSWERED), Status::Fail);
    }

    #[test]
    fn silence_is_advice_and_nothing_where_time_is_asked_for() {
        let verdict = call("n", true).gave_up().verdict(ANSWERED);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        assert_ne!(call("duration_ms", true).gave_up().status_of(ANSWERED), Status::Fail);
    }

    /// A call that is never answered, by a tool that answers others.
    fn unanswered(intent: Intent, about: Value, arguments: &Value) -> Level {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
        let tools = json!({"result": {"tools": [{"name": "add", "inputSchema": schema}]}});
        let mut script = Script::new(V, json!({"tools": {}})).plain("tools/list", json!({}), tools);
        for at in 1..=5 {
            let params = json!({"name": "add", "arguments": {"n": at}});
            script = script.probe(Intent::ValidCall, "tools/call", params, json!({"result": {"content": []}}));
        }
        let mut script = script.session(true, json!({"tools": {}})).settled();
        script.ask(Some((intent, about)), "tools/call", json!({"name": "add", "arguments": arguments}));
        let verdict = script.gave_up().verdict(ANSWERED);
        assert_eq!(verdict.status, Status::Fail);
        verdict.level
    }

    #[test]
    fn one_value_that_a_tool_does_not_come_back_from_is_a_should() {
        let about = json!({"tool": "add", "case": 3, "alone": true, "minimal": true});
        assert_eq!(unanswered(Intent::ValidCall, about, &json!({"n": -1})), Level::Should);
    }

    /// Nobody works on what cannot be right.
    #[test]
    fn an_invalid_call_that_is_dropped_is_a_must() {
        let about = |firm: bool| json!({"tool": "add", "case": 3, "alone": true, "minimal": true, "keyword": "type", "firm": firm});
        assert_eq!(unanswered(Intent::InvalidCall, about(true), &json!({"n": {}})), Level::Must);
        assert_eq!(unanswered(Intent::InvalidCall, about(false), &json!({"n": "1"})), Level::Should);
    }

    #[test]
    fn an_answer_passes() {
        let mut script = call("n", true);
        script.answer(json!({"result": {"content": []}}));
        let none: [&str; 0] = [];
        assert_eq!(script.fails(), none);
    }

    /// A request about something that takes strings, sent alone in a session that counts as a repetition.
    fn strings(method: &str) -> Script {
        let script = Script::new(V, json!({"prompts": {}})).session(true, json!({"prompts": {}})).settled();
        let about = json!({"subject": "p", "kind": "prompt", "case": 3, "alone": true, "minimal": true});
        let mut script = script;
        script.ask(Some((Intent::GeneratedPrompt, about)), method, json!({"name": "p", "arguments": {"a": ""}}));
        script
    }

    #[test]
    fn what_takes_strings_is_survived_and_answered_too() {
        for (method, word) in
            [("prompts/get", "prompt"), ("resources/read", "template"), ("completion/complete", "complete")]
        {
            let verdict = strings(method).exits(1).verdict(ANSWERED);
            assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Must));
            let finding = &verdict.findings[0];
            assert!(finding.message.contains(word) && finding.place.as_deref() == Some("p"), "{finding:?}");
            let generated = finding.generated.as_ref().expect("a generated request");
            assert_eq!(generated.method.as_deref(), Some(method));
            let verdict = strings(method).gave_up().verdict(ANSWERED);
            assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        }
    }
}
