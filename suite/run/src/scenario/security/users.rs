//! Two users: what is the first one's alone must not be had by the second, and what is public must be the same for both.

use serde_json::{Value, json};
use verdict::probes::values::Who;
use verdict::{Intent, Transport};

use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::LISTS;
use crate::{Opening, Session};

const NAME: &str = "security/users";
/// Resources whose contents are compared.
const READ: usize = 5;
/// Pages of a list that are compared.
const PAGES: usize = 20;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "caching.public-is-not-user-specific",
        "caching.access-control-not-by-scope",
        "resources.security.access-controls",
        "resources.security.permissions-checked",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.transport == Transport::Http,
    run: |cx| Box::pin(provoke_users(cx)),
};

async fn provoke_users(cx: Cx) {
    if cx.options.authorization().is_none() || cx.options.credentials.second.is_none() {
        return;
    }
    let revision = cx.profile.revision;
    let Ok(first) = cx.open_ready(Opening::new("first user", revision).outside()).await else { return };
    if let Ok(second) = cx.open_ready(Opening::new("second user", revision).second()).await {
        // By that it is known that the second credential is good.
        second.ask("tools/list", json!({})).probe(NAME, Intent::UserLetIn, Value::Null).send().await;
        provoke_private(&cx, &first, &second).await;
        if !cx.profile.is_handshake() {
            provoke_compared(&cx, &first, &second).await;
        }
        second.kill().await;
    }
    first.kill().await;
}

async fn provoke_private(cx: &Cx, first: &Session, second: &Session) {
    let mut methods = vec!["resources/read"];
    if cx.profile.is_handshake() && cx.profile.declares("resources.subscribe") {
        methods.push("resources/subscribe");
    }
    for uri in &cx.options.credentials.private {
        for method in &methods {
            for (who, session) in [(Who::First, first), (Who::Second, second)] {
                let about = json!({"who": who, "uri": uri});
                session.ask(method, json!({"uri": uri})).probe(NAME, Intent::PrivateResource, about).send().await;
            }
        }
    }
}

/// Sends each request as both users, and once more as the first: a value that changes by itself proves nothing.
async fn provoke_compared(cx: &Cx, first: &Session, second: &Session) {
    let mut requests = vec![("server/discover", json!({}))];
    requests.extend(LISTS.iter().filter(|(_, _, of)| cx.profile.declares(of)).map(|(method, ..)| (*method, json!({}))));
    let uris = cx.profile.entries("resources/list").iter().filter_map(|entry| entry.get("uri")).take(READ);
    requests.extend(uris.map(|uri| ("resources/read", json!({"uri": uri}))));
    for (at, (method, params)) in requests.into_iter().enumerate() {
        for (who, session) in [(Who::First, first), (Who::Second, second), (Who::Again, first)] {
            pages(session, method, params.clone(), json!({"who": who, "of": at})).await;
        }
    }
}

async fn pages(session: &Session, method: &str, mut params: Value, mut about: Value) {
    for page in 0..PAGES {
        about["page"] = json!(page);
        let outcome = session.ask(method, params.clone()).probe(NAME, Intent::UserCompared, about.clone()).send().await;
        let Some(cursor) = outcome.result().and_then(|result| result.get("nextCursor")).cloned() else { return };
        params["cursor"] = cursor;
    }
}
