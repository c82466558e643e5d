//! Tools that take their time, told by the names of their parameters, and arguments with which they take a known one.

use judge::dialects;
use schema::Readings;
use serde_json::{Value, json};
use verdict::Revision;

use crate::Tool;

/// How long a tool is to take: seconds, milliseconds, steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    seconds: f64,
    milliseconds: f64,
    steps: f64,
}

/// Long enough to show progress.
pub(super) const SHORT: Pace = Pace { seconds: 1.0, milliseconds: 20.0, steps: 4.0 };
/// Long enough to be cancelled: nearly a second, if the steps add up.
pub(crate) const LONG: Pace = Pace { seconds: 1.0, milliseconds: 80.0, steps: 11.0 };

/// Half of that, for work that has to outlast something shorter.
pub(crate) const HALF: Pace = Pace { seconds: 1.0, milliseconds: 40.0, steps: 11.0 };

/// The unit of a parameter that says how long a tool works.
enum Sort {
    Seconds,
    Milliseconds,
    Steps,
}

fn sort(name: &str) -> Option<Sort> {
    let name = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["millis"]) || name == "ms" || name.ends_with("_ms") || name.ends_with("delayms") {
        Some(Sort::Milliseconds)
    } else if has(&["second", "duration", "delay", "sleep", "wait"]) || name == "secs" {
        Some(Sort::Seconds)
    } else if matches!(name.as_str(), "steps" | "iterations" | "ticks" | "updates") {
        Some(Sort::Steps)
    } else {
        None
    }
}

/// The numeric properties.
pub(super) fn numbers(tool: &Tool) -> impl Iterator<Item = (&str, &Value)> {
    let properties = tool.input_schema().and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let numeric = |schema: &Value| matches!(schema.get("type").and_then(Value::as_str), Some("number" | "integer"));
    let found = properties.into_iter().flatten().filter(move |(_, schema)| numeric(schema));
    found.map(|(name, schema)| (name.as_str(), schema))
}

/// Those that say how long it takes.
fn knobs(tool: &Tool) -> Vec<(&str, Sort, &Value)> {
    numbers(tool).filter_map(|(name, schema)| Some((name, sort(name)?, schema))).collect()
}

/// The arguments, if the schema of the tool accepts them.
pub(super) fn accepted(tool: &Tool, arguments: Value, revision: Revision) -> Option<Value> {
    let readings = Readings::new(tool.input_schema()?, dialects(revision)).ok()?;
    readings.accept(&arguments).then_some(arguments)
}

/// Whether it has a parameter for how long it takes.
pub(crate) fn looks_slow(tool: &Tool) -> bool {
    knobs(tool).iter().any(|(_, sort, _)| !matches!(sort, Sort::Steps))
}

/// Arguments with which it takes about that long; none if it has no parameter for it.
pub(crate) fn tuned(tool: &Tool, valid: &Value, revision: Revision, pace: Pace) -> Option<Value> {
    if !looks_slow(tool) {
        return None;
    }
    let mut arguments = valid.clone();
    for (name, sort, schema) in knobs(tool) {
        let wanted = match sort {
            Sort::Seconds => pace.seconds,
            Sort::Milliseconds => pace.milliseconds,
            Sort::Steps => pace.steps,
        };
        let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        let value = wanted.min(bound("maximum").unwrap_or(wanted)).max(bound("minimum").unwrap_or(0.0));
        let whole = value.fract() == 0.0;
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and small")]
        let value = if whole { json!(value as i64) } else { json!(value) };
        arguments[name] = value;
    }
    accepted(tool, arguments, revision)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(properties: Value) -> Tool {
        let definition = json!({"name": "t", "inputSchema": {"type": "object", "properties": properties}});
        Tool { name: "t".into(), definition, callable: true }
    }

    #[test]
    fn parameters_of_time_are_set_within_their_bounds() {
        let number = json!({"type": "number"});
        let long = tool(json!({"duration": number, "steps": number, "other": number}));
        let tune = |tool: &Tool| tuned(tool, &json!({}), Revision::V2025_11_25, LONG);
        assert_eq!(tune(&long), Some(json!({"duration": 1, "steps": 11})));
        let bounded = tool(json!({"milliseconds": {"type": "integer", "maximum": 50}}));
        assert_eq!(tune(&bounded), Some(json!({"milliseconds": 50})));
        assert_eq!(tune(&tool(json!({"steps": number}))), None);
        assert_eq!(tune(&tool(json!({"duration": {"type": "string"}}))), None);
    }
}
