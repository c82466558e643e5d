//! Requests of different clients on one connection: each alone, all at once, and each alone again.

use serde_json::{Value, json};
use verdict::Intent;
use wire::mcp::meta;

use super::{CAPABILITIES, Cx, prompt, resource};
use crate::scenario::jsonrpc::all;
use crate::{Profile, Session};

/// Lists among the requests.
const LISTS: usize = 2;

/// A request with its key.
type Request = (usize, String, Value);

pub(super) async fn mix(cx: &Cx, session: &Session, scenario: &str) {
    let requests = requests(cx);
    send_alone(session, scenario, &requests, 1).await;
    // Clients by turns: a neighbour is always another one.
    let half = requests.len() / 2;
    let turns = (0..half).flat_map(|at| [&requests[at], &requests[at + half]]);
    all(turns.map(|(key, method, params)| {
        session.ask(method, params.clone()).probe(scenario, Intent::Mixed, json!({"key": key})).send()
    }))
    .await;
    send_alone(session, scenario, &requests, 2).await;
}

async fn send_alone(session: &Session, scenario: &str, requests: &[Request], turn: u32) {
    for (key, method, params) in requests {
        let about = json!({"key": key, "turn": turn});
        session.ask(method, params.clone()).probe(scenario, Intent::Alone, about).send().await;
    }
}

/// Sends them all at once and twice, without the lists: a first page of which nobody asks for the next is no walk.
pub(super) async fn use_up(cx: &Cx, session: &Session, scenario: &str) {
    let requests = requests(cx);
    let twice = requests.iter().chain(&requests).filter(|(_, method, _)| !method.ends_with("/list"));
    all(twice.map(|(_, method, params)| {
        session.ask(method, params.clone()).probe(scenario, Intent::UsedUp, json!({})).send()
    }))
    .await;
}

/// Everything that can be asked for, as two clients would: first all of the one, then all of the other.
fn requests(cx: &Cx) -> Vec<Request> {
    let lists = cx.profile.walks.iter().take(LISTS).map(|walk| (walk.method, json!({})));
    let mut plain: Vec<(&str, Value)> = std::iter::once(("server/discover", json!({}))).chain(lists).collect();
    plain.extend(resource(cx).map(|params| ("resources/read", params)));
    plain.extend(prompt(cx).map(|params| ("prompts/get", params)));
    let one = json!({
        CAPABILITIES: {},
        (meta::CLIENT_INFO): {"name": "one-client", "version": "1"},
        (meta::LOG_LEVEL): "debug",
    });
    let other = json!({
        CAPABILITIES: Profile::Full.capabilities(cx.profile.revision),
        (meta::CLIENT_INFO): {"name": "another-client", "version": "2"},
    });
    let both = [one, other].into_iter().flat_map(|meta| {
        plain.iter().map(move |(method, params)| {
            let mut params = params.clone();
            params["_meta"] = meta.clone();
            ((*method).to_owned(), params)
        })
    });
    both.enumerate().map(|(key, (method, params))| (key, method, params)).collect()
}
