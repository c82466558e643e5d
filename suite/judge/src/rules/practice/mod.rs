//! The area `practice`: advice that no specification gives. What concerns many tools is one finding with the tools counted, and
//! nothing here is more than advice.

mod descriptions;
mod effects;
mod elsewhere;
mod errors;
mod formats;
mod helpful;
mod hints;
mod inputs;
mod keys;
mod leaks;
mod load;
mod names;
mod page;
mod pages;
mod parameters;
mod results;
mod server;
mod sheet;
mod slow;
mod timeout;
mod truncation;
mod twice;
mod words;

use serde_json::Value;
use verdict::{Finding, Intent};

use super::lists::{Listed, TOOLS, walks};
use crate::{Case, Collector, Rule, View};

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[
    descriptions::RULE,
    effects::RULE,
    elsewhere::RULE,
    errors::RULE,
    formats::RULE,
    helpful::RULE,
    hints::RULE,
    inputs::RULE,
    keys::RULE,
    leaks::RULE,
    load::RULE,
    names::RULE,
    pages::RULE,
    parameters::RULE,
    results::RULE,
    server::RULE,
    slow::RULE,
    timeout::RULE,
    truncation::RULE,
];

/// Names shown in one finding.
const SHOWN: usize = 6;

/// The tools of the first walk.
fn tools<'v>(view: &'v View<'v>) -> Vec<Listed<'v>> {
    let mut walks = walks(view, &TOOLS).into_iter();
    let tools = walks.next().map(|walk| walk.entries()).unwrap_or_default();
    tools.into_iter().filter(|tool| !tool.name.is_empty()).collect()
}

/// Exchanges of the judged revision whose probe has this intent, sessions in which a server is sent what no client sends
/// included.
fn probed<'v>(view: &'v View<'v>, intent: Intent) -> impl Iterator<Item = Case<'v>> {
    view.judged().chain(view.robust()).flat_map(move |session| {
        let cases = session.exchanges.iter().map(move |exchange| Case { view, session, exchange });
        cases.filter(move |case| case.intent() == Some(intent))
    })
}

fn finding(message: String, expected: &str, actual: String) -> Finding {
    super::lists::finding(Vec::new(), &message, expected, &actual)
}

/// Some names, and how many more.
fn some<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut all: Vec<String> = names.map(|name| name.chars().take(60).collect()).collect();
    all.dedup();
    let more = all.len().saturating_sub(SHOWN);
    all.truncate(SHOWN);
    let text = all.join(", ");
    if more > 0 { format!("{text} and {more} more") } else { text }
}

/// One finding for all tools of which something is true that should not be. `what` follows "3 of 12 tools".
fn fold<'v>(
    collector: &mut Collector,
    id: &'static str,
    tools: &[&Listed<'v>],
    bad: impl Fn(&Listed<'v>) -> bool,
    what: &str,
    expected: &str,
) {
    let found: Vec<&&Listed<'v>> = tools.iter().filter(|tool| bad(tool)).collect();
    collector.witness_times(id, u32::try_from(tools.len() - found.len()).unwrap_or(u32::MAX));
    if !found.is_empty() {
        let message = format!("{} of {} tools {what}.", found.len(), tools.len());
        collector.fail(id, finding(message, expected, some(found.iter().map(|tool| tool.name))));
    }
}

/// The described parameters, at every depth.
fn parameters(schema: &Value) -> Vec<(&str, &Value)> {
    let mut found = Vec::new();
    collect(schema, 8, &mut found);
    found
}

fn collect<'s>(schema: &'s Value, depth: u32, found: &mut Vec<(&'s str, &'s Value)>) {
    if depth == 0 || found.len() > 10_000 {
        return;
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        found.push((name, property));
        collect(property, depth - 1, found);
    }
    if let Some(items) = schema.get("items") {
        collect(items, depth - 1, found);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Level, Revision, Status};

    use crate::testing::Script;

    /// A session that lists these tools; a tool without inputSchema gets one.
    pub(super) fn listed(tools: Value) -> Script {
        let mut tools = tools;
        for tool in tools.as_array_mut().into_iter().flatten() {
            if tool.get("inputSchema").is_none() {
                tool["inputSchema"] = json!({"type": "object"});
            }
        }
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        script.plain("tools/list", json!({}), json!({"result": {"tools": tools}}))
    }

    /// Whether a list of tools is advised against.
    pub(super) fn advised(id: &str, tools: Value) -> bool {
        let verdict = listed(tools).verdict(id);
        assert!(verdict.status != Status::Fail || verdict.level == Level::Advice);
        verdict.status == Status::Fail
    }

    #[test]
    fn many_tools_are_one_finding() {
        let tools: Vec<Value> = (0..9).map(|number| json!({"name": format!("get_thing{number}")})).collect();
        let verdict = listed(json!(tools)).verdict("practice.tool.description-present");
        assert_eq!(verdict.findings.len(), 1);
        assert_eq!(verdict.findings[0].message, "9 of 9 tools have no description.");
        assert!(verdict.findings[0].actual.ends_with("and 3 more"));
    }
}
