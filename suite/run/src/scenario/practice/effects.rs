//! Everything that the server shows, looked at before and after calls that should change nothing: of tools marked read-only,
//! and the second one of tools marked idempotent.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use super::{open_for_purpose, repeatable};
use crate::scenario::observations::looks_slow;
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::LISTS;
use crate::{Arguments, Session, Tool};

const NAME: &str = "practice/effects";
const READ_ONLY: &str = "practice.annotations.read-only-has-no-effect";
const IDEMPOTENT: &str = "practice.annotations.idempotent-truthful";
/// Tools that are called, and tools that are looked at.
const TOOLS: (usize, usize) = (16, 8);
/// A look that takes longer is not taken again, unless the server is slow with everything: so many times as long as a sign of
/// life.
const QUICK: Duration = Duration::from_millis(150);
const SLOWER: u32 = 10;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[READ_ONLY, IDEMPOTENT],
    stage: Stage::Last,
    applies: |profile| profile.callable().any(|tool| tool.hints("readOnlyHint") || tool.hints("idempotentHint")),
    run: |cx| Box::pin(run(cx)),
};

/// Something that the server shows.
struct Sight {
    what: String,
    method: &'static str,
    params: Value,
}

async fn run(cx: Cx) {
    let Some(session) = open_for_purpose(&cx, "practice").await else { return };
    let sights = sights(&cx, &session).await;
    for of in [READ_ONLY, IDEMPOTENT].into_iter().filter(|of| cx.wants(of)) {
        let called = tools_with_arguments(&cx, of);
        if called.is_empty() || session.is_down() || !all(&session, &sights, of, &called).await {
            continue;
        }
        // Something changed: each by itself tells which one did it.
        for (tool, arguments) in &called {
            for round in 0..2 {
                let about = json!({"of": of, "tool": tool.name, "round": round});
                try_one(&session, &sights, (tool, arguments), &about).await;
            }
        }
    }
    if !session.is_down() {
        session.settle().await;
    }
    session.give_back().await;
}

/// All tools together; says whether anything looks otherwise than before. What was not answered shows no change.
async fn all(session: &Session, sights: &[Sight], of: &str, called: &[(&Tool, Value)]) -> bool {
    let names: Vec<&str> = called.iter().map(|(tool, _)| tool.name.as_str()).collect();
    let about = json!({"of": of, "tools": names, "round": 0});
    if of == IDEMPOTENT {
        call(session, called, &about).await;
    }
    look(session, sights, "", &about, "first").await;
    let second = look(session, sights, "", &about, "second").await;
    call(session, called, &about).await;
    let after = look(session, sights, "", &about, "after").await;
    second.iter().zip(&after).any(|(before, after)| before.is_some() && after.is_some() && before != after)
}

async fn call(session: &Session, called: &[(&Tool, Value)], about: &Value) {
    for (tool, arguments) in called {
        let params = json!({"name": tool.name, "arguments": arguments});
        let ask = session.ask("tools/call", params).limit(QUICK * 4);
        ask.probe(NAME, Intent::PracticeEffect, about.clone()).send().await;
    }
}

async fn try_one(session: &Session, sights: &[Sight], called: (&Tool, &Value), about: &Value) {
    let one = [(called.0, called.1.clone())];
    if about["of"] == IDEMPOTENT {
        call(session, &one, about).await;
    }
    look(session, sights, &called.0.name, about, "first").await;
    look(session, sights, &called.0.name, about, "second").await;
    call(session, &one, about).await;
    look(session, sights, &called.0.name, about, "after").await;
}

/// Tools with the hint to put to the test, and their arguments.
fn tools_with_arguments<'c>(cx: &'c Cx, of: &str) -> Vec<(&'c Tool, Value)> {
    let quick = |tool: &&Tool| !looks_slow(tool);
    let hinted = |tool: &&Tool| {
        if of == READ_ONLY {
            tool.hints("readOnlyHint")
        } else {
            tool.hints("idempotentHint") && !tool.hints("readOnlyHint")
        }
    };
    let valid = |tool: &'c Tool| Some((tool, Arguments::of(tool, cx.profile.revision, &cx.options).valid.ok()?));
    cx.profile.callable().filter(quick).filter(hinted).filter_map(valid).take(TOOLS.0).collect()
}

/// The lists, and what quick read-only tools say.
async fn sights(cx: &Cx, session: &Session) -> Vec<Sight> {
    let lists = LISTS.iter().filter(|(_, _, capability)| cx.profile.declares(capability));
    let mut sights: Vec<Sight> =
        lists.map(|(method, ..)| Sight { what: (*method).to_owned(), method, params: json!({}) }).collect();
    let quick = |tool: &Tool| tool.hints("readOnlyHint") && !looks_slow(tool);
    let mut read_only: Vec<(&Tool, Value)> = repeatable(cx).into_iter().filter(|(tool, _)| quick(tool)).collect();
    // What needs no arguments and is called after a state tells most of it.
    read_only.sort_by_key(|(tool, arguments)| (!speaks_of_state(&tool.name), *arguments != json!({})));
    let began = Instant::now();
    session.is_alive().await;
    let limit = QUICK.max(began.elapsed() * SLOWER);
    let mut looked_at = 0;
    for (tool, arguments) in read_only {
        let sight = Sight {
            what: tool.name.clone(),
            method: "tools/call",
            params: json!({"name": tool.name, "arguments": arguments}),
        };
        let began = Instant::now();
        let ask = session.ask(sight.method, sight.params.clone()).probe(NAME, Intent::PracticeSight, json!({}));
        let shows = ask.limit(limit * 2).send().await.result().is_some_and(tells);
        if shows && began.elapsed() < limit {
            looked_at += 1;
            sights.push(sight);
        }
        if looked_at == TOOLS.1 || session.is_down() {
            break;
        }
    }
    sights
}

fn speaks_of_state(name: &str) -> bool {
    let name = name.to_lowercase();
    ["get", "list", "read", "show", "status", "count", "state"].iter().any(|word| name.contains(word))
}

fn tells(result: &Value) -> bool {
    result.get("isError") != Some(&Value::Bool(true)) && result.get("content").is_some()
}

/// Looks at everything but what the tool itself says; what was seen, where there was an answer: null for an error.
async fn look(session: &Session, sights: &[Sight], tool: &str, about: &Value, when: &str) -> Vec<Option<Value>> {
    let mut looks = JoinSet::new();
    for (at, sight) in sights.iter().enumerate().filter(|(_, sight)| sight.what != tool) {
        let (session, method, params) = (session.clone(), sight.method, sight.params.clone());
        let mut about = about.clone();
        about["when"] = json!(when);
        about["what"] = json!(sight.what);
        looks.spawn_local(async move {
            let outcome = session.ask(method, params).probe(NAME, Intent::PracticeLook, about).send().await;
            let answered = outcome.is_sign_of_life();
            (at, answered.then(|| outcome.result().map_or(Value::Null, without_meta)))
        });
    }
    let mut seen = vec![None; sights.len()];
    for (at, result) in looks.join_all().await {
        seen[at] = result;
    }
    seen
}

/// `_meta` may hold times.
fn without_meta(result: &Value) -> Value {
    let mut result = result.clone();
    if let Some(members) = result.as_object_mut() {
        members.remove("_meta");
    }
    result
}
