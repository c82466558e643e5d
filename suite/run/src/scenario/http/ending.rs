//! A session is ended by DELETE while its stream is open, and used once more.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::join;
use verdict::Intent;

use super::{is_legacy, open_full_session};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "http/ending";
/// How long a stream may stay open after its session has ended.
const LEISURE: Duration = Duration::from_millis(300);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "http.session.terminated-404",
        "http.session.delete-or-405",
        "http.session.delete-closes-streams",
        "http.session.accepted-on-all-methods",
        "http.get.stream-or-405",
        "http.get.headers-at-once",
        "http.session.issued-on-initialize",
    ],
    stage: Stage::Alone,
    applies: is_legacy,
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let Some((session, method)) = open_full_session(&cx, NAME).await else { return };
    session.settle().await;
    if session.http_session().is_none() {
        return session.kill().await;
    }
    let listening = session.listening();
    session.stop_listening();
    let reply = session.http("DELETE").probe(NAME, Intent::End, Value::Null).send().await;
    let ask = session.ask(method, json!({})).probe(NAME, Intent::AfterEnd, Value::Null);
    if !reply.is_success() {
        ask.send().await;
        return session.kill().await;
    }
    let streamed = listening.filter(|channel| session.status(*channel) == Some(200));
    let ended = async {
        if let Some(channel) = streamed {
            session.ends(channel, LEISURE).await;
        }
    };
    let get = async {
        // Where GET is refused anyway it shows nothing.
        if streamed.is_some() {
            session.http("GET").probe(NAME, Intent::AfterEnd, Value::Null).send().await;
        }
    };
    join!(ask.send(), get, ended);
    session.kill().await;
}
