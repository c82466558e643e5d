//! Tools that give pages or let the format be chosen: pages of several sizes, a walk, and every format.

use serde_json::{Value, json};
use verdict::Intent;

use super::{normalized_name, open_for_purpose, properties, repeatable};
use crate::scenario::{Cx, Scenario, Stage};
use crate::{RequestOutcome, Session, Tool};

const NAME: &str = "practice/lists";
/// Tools that are asked.
const TOOLS: usize = 8;
/// Pages of a walk.
const PAGES: usize = 20;
/// Entries of a page of a walk.
const ENTRIES: u64 = 20;
/// A limit that nobody means.
const HUGE: u64 = 1_000_000;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "practice.list.default-page",
        "practice.list.limit-bounded",
        "practice.list.offset-echoed",
        "practice.list.next-advances",
        "practice.list.pages-agree-with-total",
        "practice.list.has-more",
        "practice.list.next-marker",
        "practice.list.total-count",
        "practice.list.count-matches",
        "practice.list.last-page-clean",
        "practice.list.limit-honoured",
        "practice.response.size-limit",
        "practice.response.truncated-json-valid",
        "practice.response.truncation-flagged",
        "practice.response.truncation-guidance",
        "practice.response.truncation-metadata",
        "practice.response.json-parses",
        "practice.response.markdown-is-readable",
        "practice.response.markdown-default",
        "practice.response.json-complete",
        "practice.response.json-consistent",
        "practice.response.markdown-structured",
        "practice.response.markdown-timestamps",
    ],
    stage: Stage::Last,
    applies: |profile| profile.tools.iter().any(|tool| place(tool).is_some() || format(tool).is_some()),
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let tools = repeatable(&cx);
    let tools = tools.iter().filter(|(tool, _)| place(tool).is_some() || format(tool).is_some()).take(TOOLS);
    let tools: Vec<&(&Tool, Value)> = tools.collect();
    if tools.is_empty() {
        return;
    }
    let Some(session) = open_for_purpose(&cx, "practice").await else { return };
    for (tool, valid) in tools {
        let answers = match format(tool) {
            Some(parameter) => formats(&session, tool, valid, parameter).await,
            None => true,
        };
        if let Some(places) = place(tool).filter(|_| answers) {
            pages(&session, tool, valid, &places).await;
        }
        if session.is_down() {
            break;
        }
    }
    session.settle().await;
    session.give_back().await;
}

/// The parameter that chooses between Markdown and JSON.
fn format(tool: &Tool) -> Option<&str> {
    let has = |schema: &Value, name: &str| {
        schema.get("enum").and_then(Value::as_array).is_some_and(|values| values.iter().any(|value| value == name))
    };
    let chooses = |schema: &Value| has(schema, "json") && has(schema, "markdown");
    let named = |name: &str| ["responseformat", "format", "outputformat"].contains(&normalized_name(name).as_str());
    properties(tool).find(|(name, schema)| named(name) && chooses(schema)).map(|(name, _)| name)
}

/// The parameters that say how many, and from where.
struct Places<'t> {
    limit: (&'t str, &'t Value),
    place: &'t str,
    required: bool,
}

fn place(tool: &Tool) -> Option<Places<'_>> {
    let named = |names: &[&str]| properties(tool).find(|(name, _)| names.contains(&normalized_name(name).as_str()));
    let limit = named(&["limit", "pagesize", "perpage", "maxresults", "count"])?;
    let (place, _) = named(&["offset", "cursor", "after", "pagetoken", "page", "start"])?;
    let required = tool.input_schema()?.get("required").and_then(Value::as_array);
    let required = required.is_some_and(|names| names.iter().any(|name| name == limit.0));
    Some(Places { limit, place, required })
}

/// Says whether any of them was answered.
async fn formats(session: &Session, tool: &Tool, valid: &Value, parameter: &str) -> bool {
    let mut answers = false;
    for name in ["markdown", "json", "default"] {
        let mut arguments = valid.clone();
        set(&mut arguments, parameter, (name != "default").then(|| json!(name)));
        let params = json!({"name": tool.name, "arguments": arguments});
        let about = json!({"tool": tool.name, "format": name});
        let outcome = session.ask("tools/call", params).probe(NAME, Intent::PracticeFormat, about).send().await;
        answers |= !matches!(outcome, RequestOutcome::Silent);
    }
    answers
}

async fn pages(session: &Session, tool: &Tool, valid: &Value, places: &Places<'_>) {
    let mut base = valid.clone();
    set(&mut base, places.limit.0, None);
    set(&mut base, places.place, None);
    if let Some(parameter) = format(tool) {
        set(&mut base, parameter, Some(json!("json")));
    }
    let maximum = places.limit.1.get("maximum").and_then(Value::as_u64);
    if !places.required {
        page(session, tool, &base, places, "default", None).await;
    }
    for limit in [1, 2, 5] {
        page(session, tool, &base, places, "limit", Some(limit)).await;
    }
    page(session, tool, &base, places, "huge", Some(maximum.unwrap_or(HUGE))).await;
    walk(session, tool, base, places, maximum.unwrap_or(ENTRIES).min(ENTRIES)).await;
}

async fn page(
    session: &Session,
    tool: &Tool,
    base: &Value,
    places: &Places<'_>,
    kind: &str,
    limit: Option<u64>,
) -> RequestOutcome {
    let mut arguments = base.clone();
    if let Some(limit) = limit {
        set(&mut arguments, places.limit.0, Some(json!(limit)));
    }
    let params = json!({"name": tool.name, "arguments": arguments});
    let about = json!({"tool": tool.name, "kind": kind});
    session.ask("tools/call", params).probe(NAME, Intent::PracticePage, about).send().await
}

async fn walk(session: &Session, tool: &Tool, mut base: Value, places: &Places<'_>, limit: u64) {
    for _ in 0..PAGES {
        let outcome = page(session, tool, &base, places, "walk", Some(limit)).await;
        let Some(next) = outcome.result().and_then(next) else { break };
        set(&mut base, places.place, Some(next));
    }
}

/// Where a page says that the next one begins.
fn next(result: &Value) -> Option<Value> {
    let text = || result.get("content")?.get(0)?.get("text")?.as_str();
    let structured = result.get("structuredContent").cloned();
    let page = structured.or_else(|| serde_json::from_str(text()?).ok())?;
    let members = page.as_object()?;
    if members.iter().any(|(name, value)| normalized_name(name) == "hasmore" && *value == Value::Bool(false)) {
        return None;
    }
    let names = ["nextoffset", "nextcursor", "nextpage", "nextpagetoken", "next"];
    let next = members.iter().find(|(name, _)| names.contains(&normalized_name(name).as_str()));
    next.map(|(_, value)| value.clone()).filter(|value| value.is_u64() || value.is_string())
}

fn set(arguments: &mut Value, name: &str, value: Option<Value>) {
    let Some(members) = arguments.as_object_mut() else { return };
    match value {
        Some(value) => {
            members.insert(name.to_owned(), value);
        }
        None => {
            members.remove(name);
        }
    }
}
