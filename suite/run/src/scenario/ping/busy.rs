//! A ping while a tool is at work; on stdio then the end of the input, with the call still under way.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::Transport;

use super::{Cx, Scenario, Stage};
use crate::{Offer, Opening, Session, Tool};

const NAME: &str = "ping/while-busy";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["ping.while-busy", "stdio.shutdown.exits-on-eof-mid-request"],
    stage: Stage::Alone,
    applies: |offer| slow_tools(offer).next().is_some(),
    run: |cx| Box::pin(busy(cx)),
};

/// How long a call is to take, where the tool can be told.
const LONG: Duration = Duration::from_secs(2);
/// Words in the names of tools that take their time.
const NAMES: [&str; 6] = ["slow", "sleep", "wait", "delay", "long", "timeout"];

/// Tools that seem to take a while, and whose arguments say how long.
fn slow_tools(offer: &Offer) -> impl Iterator<Item = &Tool> {
    offer.callable().filter(|tool| {
        let name = tool.name.to_lowercase();
        NAMES.iter().any(|word| name.contains(word)) && length(tool).is_some()
    })
}

/// The arguments that make it take about as long as wanted.
fn length(tool: &Tool) -> Option<Value> {
    let schema = tool.input_schema()?;
    let properties = schema.get("properties")?.as_object()?;
    let mut arguments = json!({});
    for (name, property) in properties {
        let number = matches!(property.get("type").and_then(Value::as_str), Some("integer" | "number"));
        if let Some(value) = Some(name.to_lowercase()).filter(|_| number).and_then(|name| amount(&name)) {
            arguments[name] = json!(clamped(value, property));
        }
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let whole = required.into_iter().all(|name| arguments.get(name).is_some());
    (whole && arguments != json!({})).then_some(arguments)
}

/// A number for a property of this name.
fn amount(name: &str) -> Option<u64> {
    if ["step", "count", "iteration"].iter().any(|word| name.contains(word)) {
        Some(5)
    } else if name == "ms" || name.contains("milli") || name.ends_with("_ms") {
        u64::try_from(LONG.as_millis()).ok()
    } else {
        ["sec", "duration", "delay", "time", "sleep", "wait"]
            .iter()
            .any(|word| name.contains(word))
            .then(|| LONG.as_secs())
    }
}

fn clamped(value: u64, property: &Value) -> u64 {
    let bound = |name: &str, default| property.get(name).and_then(Value::as_f64).map_or(default, |bound| bound as u64);
    value.clamp(bound("minimum", 0), bound("maximum", u64::MAX).max(bound("minimum", 0)))
}

async fn busy(cx: Cx) {
    let Some((tool, arguments)) = slow_tools(&cx.offer).find_map(|tool| Some((tool, length(tool)?))) else { return };
    let given = cx.options.arguments.get(&tool.name).cloned().unwrap_or(arguments);
    let Ok(session) = cx.open_ready(Opening::new(NAME, cx.offer.revision.era())).await else { return };
    let from = session.mark();
    let mut params = json!({"name": tool.name, "arguments": given});
    if !cx.offer.is_handshake() {
        params["_meta"] = session.meta();
    }
    let id = session.fresh_id();
    let call = wire::write::request(id, "tools/call", Some(&params));
    session.raw(call).probe(NAME, "slow-call", json!({"tool": tool.name})).send().await;
    if cx.offer.is_handshake() {
        session.ask("ping", json!({})).probe(NAME, "ping-while-busy", Value::Null).send().await;
    } else {
        session.ask("server/discover", json!({})).send().await;
    }
    end(&cx, &session, from, id).await;
}

async fn end(cx: &Cx, session: &Session, from: usize, call: i64) {
    let answer = format!("\"id\":{call},");
    let own = session.id();
    let done = session
        .until(from, Duration::ZERO, |events| {
            events.iter().any(|event| {
                event.session == own
                    && matches!(&event.kind, verdict::transcript::Kind::Receive(receive)
                        if receive.text.replace(' ', "").contains(&answer) && receive.text.contains("\"content\""))
            })
        })
        .await;
    if cx.offer.transport == Transport::Stdio && !done && !session.is_down() {
        session.mean(NAME, "eof", json!({"when": "mid-request"}));
        session.end_of_input(session.limit() + LONG).await;
    } else {
        session.kill().await;
    }
}
