//! Tools that give a handle for a state and tools that take it: those that the configuration names, with the credentials there
//! are; without it a handle that was never given, to a tool whose parameter another tool's output names.

use schema::Readings;
use serde_json::{Value, json};
use verdict::probes::values::Who;
use verdict::{Intent, Transport};

use crate::scenario::{Cx, Scenario, Stage};
use crate::{Arguments, Handles, Opening, Session, Tool};

const NAME: &str = "tools/handles";
/// Handles that are made to see how they are made.
const MADE: usize = 12;
/// Tools that are guessed to take one.
const GUESSED: usize = 4;
/// The end of a name that is one of a handle.
const ENDINGS: [&str; 4] = ["_id", "Id", "_handle", "Handle"];
/// A handle that no server has issued.
const NEVER: &str = "7f3c9a1e5b2d4860a1c9e7d3f5b80246";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tools.stateful.unknown-handle",
        "tools.stateful.handle-opaque",
        "tools.stateful.lifetime-documented",
        "tools.stateful.handle-authorized",
        "security.handle.unguessable",
        "security.handle.not-authentication",
    ],
    stage: Stage::Alone,
    applies: |profile| !profile.is_handshake() && profile.declares("tools"),
    run: |cx| Box::pin(provoke_handles(cx)),
};

async fn provoke_handles(cx: Cx) {
    let guesses = if cx.options.hints.handles.is_some() { Vec::new() } else { guessed(&cx) };
    if guesses.is_empty() && cx.options.hints.handles.is_none() {
        return;
    }
    let opening = Opening::new("handles", cx.profile.revision).outside();
    let Ok(session) = cx.open_ready(opening).await else { return };
    session.mirror(&cx.profile.tools);
    if let Some(told) = &cx.options.hints.handles {
        made_and_used(&cx, &session, told).await;
    }
    for (name, arguments) in guesses {
        let ask = session.ask("tools/call", json!({"name": name, "arguments": arguments}));
        ask.probe(NAME, Intent::HandleUsed, json!({"who": Who::Unknown, "told": false, "tool": name})).send().await;
    }
    session.kill().await;
}

async fn made_and_used(cx: &Cx, session: &Session, told: &Handles) {
    let mut made: Vec<String> = Vec::new();
    for _ in 0..MADE {
        let params = json!({"name": told.create.call, "arguments": told.create.arguments});
        let about = json!({"field": told.field, "tool": told.create.call});
        let outcome = session.ask("tools/call", params).probe(NAME, Intent::HandleMade, about).send().await;
        made.extend(outcome.result().and_then(|result| judge::handle(result, &told.field)));
    }
    let Some(handle) = made.first() else { return };
    let call = |who: Who, handle: &str| {
        let mut arguments = told.using.arguments.clone();
        arguments[told.argument.as_str()] = json!(handle);
        let ask = session.ask("tools/call", json!({"name": told.using.call, "arguments": arguments}));
        ask.probe(NAME, Intent::HandleUsed, json!({"who": who, "told": true, "tool": told.using.call}))
    };
    call(Who::Own, handle).send().await;
    call(Who::Unknown, NEVER).send().await;
    if cx.profile.transport != Transport::Http || cx.options.authorization().is_none() {
        return;
    }
    let list = session.ask("tools/list", json!({})).header("Authorization", None);
    list.probe(NAME, Intent::NobodyLetIn, json!({})).send().await;
    call(Who::Nobody, handle).header("Authorization", None).send().await;
    if let Some(second) = &cx.options.credentials.second {
        let list = session.ask("tools/list", json!({})).header("Authorization", Some(&second.header()));
        list.probe(NAME, Intent::SecondLetIn, json!({})).send().await;
        call(Who::Second, handle).header("Authorization", Some(&second.header())).send().await;
    }
    // It was still good when the others tried.
    call(Who::Own, handle).send().await;
}

/// Calls of tools with a handle that there is not.
fn guessed(cx: &Cx) -> Vec<(String, Value)> {
    let given = |tool: &Tool, name: &str| {
        let outputs = cx.profile.tools.iter().filter(|other| other.name != tool.name);
        outputs
            .filter_map(|other| other.definition.get("outputSchema")?.get("properties"))
            .any(|all| all.get(name).is_some())
    };
    let call = |tool: &Tool| {
        let schema = tool.input_schema()?;
        let properties = schema.get("properties")?.as_object()?;
        let name = properties.keys().find(|name| is_handle(name) && given(tool, name))?;
        let mut arguments = Arguments::of(tool, cx.profile.revision, &cx.options).valid.ok()?;
        arguments[name.as_str()] = json!(NEVER);
        let readings = Readings::new(schema, judge::dialects(cx.profile.revision)).ok()?;
        readings.accept(&arguments).then(|| (tool.name.clone(), arguments))
    };
    cx.profile.callable().filter_map(call).take(GUESSED).collect()
}

fn is_handle(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}
