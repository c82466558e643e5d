//! Tools that seem to ask the client for something, called by clients that refuse it, never answer, or only report progress.

use std::time::Duration;

use serde_json::json;
use verdict::Intent;

use super::{Cx, Scenario, Stage};
use crate::{Arguments, ClientBehavior, Opening, ServerProfile, Session, Tool};

const NAME: &str = "jsonrpc/own-requests";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "jsonrpc.server-request.error-tolerated",
        "lifecycle.timeouts.server-requests",
        "lifecycle.timeouts.cancel-on-expiry",
        "lifecycle.timeouts.hard-cap",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.is_handshake() && asking(profile).next().is_some(),
    run: |cx| Box::pin(run(cx)),
};

/// Words in the names and descriptions of tools that ask their client.
const WORDS: [&str; 5] = ["sampl", "elicit", "roots", "client's model", "asks the user"];
/// Tools that are called.
const TOOLS: usize = 3;

fn asking(profile: &ServerProfile) -> impl Iterator<Item = &Tool> {
    profile.callable().filter(|tool| seems_to_ask(tool))
}

/// By its name or its description.
pub(in crate::scenario) fn seems_to_ask(tool: &Tool) -> bool {
    let text = tool.definition.get("description").and_then(serde_json::Value::as_str).unwrap_or_default();
    let text = format!("{} {text}", tool.name).to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// How long after its time was up the server may take to say so.
const MARGIN: Duration = Duration::from_secs(2);

async fn run(cx: Cx) {
    call(&cx, ClientBehavior::Refuses, Intent::CallRefused, None).await;
    // Only the user knows whether to wait so long.
    let told = cx.options.hints.server_waits.map(|waits| waits + MARGIN);
    if told.is_some() || cx.options.only.iter().any(|glob| glob.starts_with("lifecycle.timeouts")) {
        call(&cx, ClientBehavior::Withholds, Intent::CallWithheld, told).await;
        // Twice as long: a clock that progress resets once is allowed.
        call(&cx, ClientBehavior::Withholds, Intent::CallProgressing, told.map(|told| told * 2)).await;
    }
}

async fn call(cx: &Cx, behavior: ClientBehavior, intent: Intent, told: Option<Duration>) {
    let opening = Opening::new(NAME, cx.profile.revision).full().behavior(behavior);
    let Ok(session) = cx.open_ready(opening).await else { return };
    let limit = told.unwrap_or(session.limit());
    // Waiting is dear: one tool shows it.
    let count = if intent == Intent::CallRefused { TOOLS } else { 1 };
    for tool in asking(&cx.profile).take(count) {
        let Ok(arguments) = Arguments::of(tool, cx.profile.revision, &cx.options).valid else { continue };
        let about = json!({"tool": tool.name, "seconds": limit.as_secs(), "told": told.is_some()});
        let from = session.mark();
        let ask = session.ask("tools/call", json!({"name": tool.name, "arguments": arguments}));
        let answer = ask.probe(NAME, intent, about).limit(limit).send();
        if intent == Intent::CallProgressing {
            tokio::select! {
                _ = answer => {}
                () = progress(&session, from, limit / 20) => {}
            }
        } else {
            answer.await;
        }
    }
    if !session.is_down() {
        session.is_alive().await;
    }
    session.kill().await;
}

/// For every request of the server that asks for it, again and again.
async fn progress(session: &Session, from: usize, pause: Duration) {
    for step in 1.. {
        tokio::time::sleep(pause).await;
        for (_, message) in session.heard(from) {
            let token = message.params().and_then(|params| params.pointer("/_meta/progressToken"));
            if let Some(token) = token.filter(|_| message.kind == wire::Kind::Request) {
                let params = json!({"progressToken": token, "progress": step});
                session.notify("notifications/progress", Some(&params)).send().await;
            }
        }
    }
}
