//! Tasks that want something of the client: looked at while the client has not answered, and when it has.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use verdict::Intent;
use verdict::transcript::{Event, Kind};

use super::subject::{Subject, is_over, pause, subjects, supports_task_calls};
use super::task_exchange::TaskExchange;
use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{ClientBehavior, Session};

const NAME: &str = "tasks/input";
/// How long a task is watched for the status that says that it wants something.
const WATCH: Duration = Duration::from_secs(3);
/// How often it is asked after at most.
const POLLS: usize = 20;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tasks.lifecycle.input-required",
        "tasks.lifecycle.input-requests-related",
        "tasks.server-as-requestor.capability",
    ],
    stage: Stage::Alone,
    applies: supports_task_calls,
    run: |cx| Box::pin(provoke_input(cx)),
};

async fn provoke_input(cx: Cx) {
    let opening = Opening::new("tasks that ask", cx.profile.revision).full().behavior(ClientBehavior::Withholds);
    let Ok(session) = cx.open_ready(opening).await else { return };
    let talk = TaskExchange { session: session.clone(), scenario: NAME };
    let sound = subjects(&cx, &session).await.into_iter().filter(|subject| !subject.broken && !subject.tuned);
    for subject in sound {
        answer_one_input(&talk, &subject).await;
    }
    session.settle().await;
    session.kill().await;
}

async fn answer_one_input(talk: &TaskExchange, subject: &Subject) {
    let session = &talk.session;
    let from = session.mark();
    let Some(made) = talk.create(subject, &json!({"ttl": 120_000}), json!({"tool": subject.tool})).await else {
        return;
    };
    let pause = pause(&made.task);
    let began = Instant::now();
    let number = session.id();
    let wants_input = |events: &[Event]| events.iter().any(|event| event.session == number && is_request(event));
    for _ in 0..POLLS {
        let Some(task) = talk.get(&made.id, Intent::TaskPoll).await else { return };
        let waits = task.get("status").and_then(Value::as_str) == Some("input_required");
        if is_over(&task) || waits || last_server_request(session, from).is_some() || began.elapsed() > WATCH {
            break;
        }
        session.until(from, pause, wants_input).await;
    }
    let mut result = {
        let (talk, id) = (talk.clone(), made.id.clone());
        let limit = session.limit() * 3;
        tokio::task::spawn_local(async move { talk.result(&id, Intent::TaskResult, limit).await })
    };
    let wanting = session.until(from, session.limit(), wants_input);
    let over = tokio::select! {
        _ = &mut result => true,
        _ = wanting => false,
    };
    if let Some((request, reply)) = last_server_request(session, from) {
        talk.get(&made.id, Intent::TaskAsking).await;
        let answer = json!({"jsonrpc": "2.0", "id": request, "result": reply});
        session.raw(answer.to_string()).send().await;
        if !over {
            let _ = result.await;
        }
        talk.get(&made.id, Intent::TaskAnswered).await;
    } else {
        result.abort();
    }
}

fn is_request(event: &Event) -> bool {
    let Kind::Receive(receive) = &event.kind else { return false };
    let parsed = wire::parse(receive.text.as_bytes(), &wire::Limits::default());
    parsed.messages().iter().any(wants)
}

fn wants(message: &wire::Message) -> bool {
    message.kind == wire::Kind::Request && message.method() != Some("ping")
}

/// The request that the server sent last, and the answer to it.
fn last_server_request(session: &Session, from: usize) -> Option<(Value, Value)> {
    let heard = session.heard(from);
    let (_, message) = heard.iter().rev().find(|(_, message)| wants(message))?;
    let id = message.member("id")?.clone();
    Some((id, session.served(message.method()?, message.params())?))
}
