//! Calls that were served once and fail when they are repeated.
//!
//! Differences in content are no finding: there may be a clock in it.

use serde_json::Value;
use verdict::{Intent, Key};

use crate::rules::wording::failure_text;
use crate::{Case, Collector, Promise, View, promise};

/// Those who have enough of calls say so.
const ENOUGH: [&str; 8] = ["rate", "limit", "too many", "quota", "throttl", "busy", "429", "later"];

/// Judges tools that say they only read by the first requirement, others that say they may be repeated by the second.
pub(super) fn judge(view: &View<'_>, ids: [&'static str; 2], collector: &mut Collector) {
    let repeated: Vec<Case<'_>> = view.probes(Intent::RepeatedCall).filter(Case::is_decided).collect();
    for second in repeated.iter().filter(|case| case.about(Key::Again) == Some(&Value::from(2))) {
        let promised = second.tool().and_then(|name| view.tool(name)).and_then(|tool| promise(&tool.definition));
        let Some(promised) = promised else { continue };
        let id = if promised == Promise::Reads { ids[0] } else { ids[1] };
        let first =
            repeated.iter().find(|case| is_same(case, second) && case.about(Key::Again) == Some(&Value::from(1)));
        let original = view.probes(Intent::ValidCall).find(|case| is_same(case, second) && is_served(case));
        let after = |case: &Case<'_>| case.session.id == second.session.id && case.exchange.seq > second.exchange.seq;
        let mut beside = view.probes(Intent::RepeatedBeside).filter(|case| case.tool() == second.tool() && after(case));
        let alike = original.is_some() && first.is_some_and(is_refused) && is_refused(second);
        if alike && beside.any(|case| is_served(&case)) {
            collector.fail(id, finding(second, promised));
        }
    }
}

fn finding(case: &Case<'_>, promised: Promise) -> verdict::Finding {
    let (says, hint) = match promised {
        Promise::Reads => ("it is read-only", "readOnlyHint false"),
        Promise::Repeats => ("it is idempotent", "idempotentHint false"),
    };
    let message = format!("A tool claims that {says}, but a call that it served fails when repeated.");
    case.finding(message, format!("an answer of the same kind each time, or {hint}"))
}

fn is_same(case: &Case<'_>, other: &Case<'_>) -> bool {
    let same = |name: &str| case.param(name) == other.param(name);
    case.session.id == other.session.id && same("name") && same("arguments")
}

fn is_served(case: &Case<'_>) -> bool {
    let kind = case.result().map(|result| result.get("resultType").and_then(Value::as_str));
    !case.is_tool_error() && kind.is_some_and(|kind| kind.is_none_or(|kind| kind == "complete"))
}

/// An error, and none that speaks of too many calls.
fn is_refused(case: &Case<'_>) -> bool {
    let Some(text) = failure_text(case).map(|text| text.to_lowercase()) else { return false };
    !ENOUGH.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Status};

    use super::super::tests::listed;
    use crate::testing::Script;

    const READS: &str = "practice.annotations.read-only-has-no-effect";
    const REPEATS: &str = "practice.annotations.idempotent-truthful";

    fn served(text: &str) -> Value {
        json!({"result": {"content": [{"type": "text", "text": text}]}})
    }

    fn failed(text: &str) -> Value {
        json!({"result": {"content": [{"type": "text", "text": text}], "isError": true}})
    }

    /// A call that was served, what came of its repetitions, and of another call.
    fn repeated(hints: Value, repetitions: &[Value], beside: Value) -> Script {
        let call = |script: Script, intent: Intent, about, number: i32, answer| {
            let params = json!({"name": "take_it", "arguments": {"n": number}});
            script.probe_about(intent, about, "tools/call", params, answer)
        };
        let script = listed(json!([{"name": "take_it", "annotations": hints}]));
        let mut script = call(script, Intent::ValidCall, json!({"tool": "take_it", "case": 0}), 1, served("one"));
        for (at, answer) in repetitions.iter().enumerate() {
            let about = json!({"tool": "take_it", "case": 0, "again": at + 1});
            script = call(script, Intent::RepeatedCall, about, 1, answer.clone());
        }
        call(script, Intent::RepeatedBeside, json!({"tool": "take_it"}), 2, beside)
    }

    #[test]
    fn what_was_served_once_and_fails_twice_is_advice() {
        let gone = failed("there is no such thing");
        let error = json!({"error": {"code": -32603, "message": "gone"}});
        for (hint, id) in [("readOnlyHint", READS), ("idempotentHint", REPEATS)] {
            let hints = json!({(hint): true, "openWorldHint": false, "destructiveHint": false});
            let script = repeated(hints, &[gone.clone(), error.clone()], served("two"));
            let verdict = script.verdict(id);
            assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
            let finding = &verdict.findings[0];
            assert_eq!((finding.tool.as_deref(), finding.generated.is_some()), (Some("take_it"), true));
        }
    }

    #[test]
    fn other_content_a_passing_failure_and_a_tool_that_serves_nobody_are_none() {
        let hints = || json!({"readOnlyHint": true, "openWorldHint": false});
        let gone = || failed("gone");
        let passes = |script: Script| assert_ne!(script.status_of(READS), Status::Fail);
        passes(repeated(hints(), &[served("two")], served("three")));
        passes(repeated(hints(), &[gone(), served("one")], served("two")));
        passes(repeated(hints(), &[gone(), gone()], gone()));
        passes(repeated(hints(), &[failed("Rate limit exceeded"), failed("Rate limit exceeded")], served("two")));
        passes(repeated(json!({"readOnlyHint": true}), &[gone(), gone()], served("two")));
        let destroys = json!({"idempotentHint": true, "openWorldHint": false, "destructiveHint": true});
        assert_ne!(repeated(destroys, &[gone(), gone()], served("two")).status_of(REPEATS), Status::Fail);
    }
}
