//! A program started without the environment variable that holds its key: the configuration names it. The same calls are made of
//! one that has it.

use serde_json::json;
use verdict::transcript::{Event, Kind};
use verdict::{Intent, Purpose, Transport};

use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Session, Trouble};

const NAME: &str = "practice/keys";
/// Tools that are called.
const TOOLS: usize = 8;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["practice.auth.missing-key-message"],
    stage: Stage::Alone,
    applies: |profile| profile.transport == Transport::Stdio && !profile.tools.is_empty(),
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let Some(variable) = &cx.options.hints.key_variable else { return };
    if let Some(session) = super::open_for_purpose(&cx, "practice").await {
        session.record_probe(NAME, Intent::KeyVariable, json!({"variable": variable}));
        provoke_calls(&cx, &session, Intent::WithKey).await;
        session.give_back().await;
    }
    // Only one rule is to look at what a program does that lacks what it needs.
    let opening = Opening::new(Purpose::WithoutKey, cx.profile.revision).outside().without(variable);
    let Ok(session) = cx.open(opening).await else { return };
    let from = session.mark();
    if greet(&cx, &session).await.is_ok() {
        provoke_calls(&cx, &session, Intent::WithoutKey).await;
    } else {
        // It may say why and end a little later.
        session.until(from, session.limit(), |events| has_ended(events, session.id())).await;
    }
    session.kill().await;
}

async fn greet(cx: &Cx, session: &Session) -> Result<(), Trouble> {
    if cx.profile.is_handshake() {
        session.handshake(cx.profile.revision.as_str(), json!({}), None).await?;
    } else {
        session.discover().await?;
    }
    Ok(())
}

async fn provoke_calls(cx: &Cx, session: &Session, intent: Intent) {
    for (tool, arguments) in super::repeatable(cx).into_iter().take(TOOLS) {
        if session.is_down() {
            return;
        }
        let params = json!({"name": tool.name, "arguments": arguments});
        session.ask("tools/call", params).probe(NAME, intent, json!({"tool": tool.name})).send().await;
    }
}

fn has_ended(events: &[Event], session: u32) -> bool {
    events.iter().any(|event| event.session == session && matches!(event.kind, Kind::Exit(_)))
}
