//! The header `MCP-Protocol-Version` as negotiated, left out, and naming versions that do not exist.

use serde_json::{Value, json};
use tokio::join;
use verdict::{Intent, Revision};

use super::{end, is_legacy, own_or_main};
use crate::Session;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "http/versions";
const HEADER: &str = "MCP-Protocol-Version";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "http.version-header.negotiated-accepted",
        "http.version-header.unsupported-400",
        "http.version-header.absent-later",
        "http.version-header.absent-on-initialize",
        "http.version-header.ignored-on-initialize",
    ],
    stage: Stage::Alone,
    applies: is_legacy,
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let (session, method) = own_or_main(&cx, NAME).await;
    let version = cx.profile.revision.as_str();
    let ask = |kind: &'static str, header: Option<&'static str>| {
        let ask = session.ask(method, json!({})).probe(NAME, Intent::VersionHeader, json!({"kind": kind}));
        ask.header(HEADER, header).send()
    };
    if cx.profile.revision.traits().version_header {
        join!(
            ask("negotiated", Some(version)),
            ask("absent", None),
            ask("unsupported", Some("1999-01-01")),
            ask("unsupported", Some("not-a-version")),
            get(&session),
            openings(&session, cx.profile.revision),
        );
    } else {
        ask("absent", None).await;
    }
    end(&cx, session).await;
}

async fn get(session: &Session) {
    let about = json!({"kind": "unsupported", "method": "GET"});
    let reply =
        session.http("GET").header(HEADER, Some("1999-01-01")).probe(NAME, Intent::VersionHeader, about).send().await;
    session.abort_exchange(reply.channel);
}

/// Further clients that open sessions.
async fn openings(session: &Session, revision: Revision) {
    let version = revision.as_str();
    let open = |intent: Intent, header: Option<&'static str>, asked: &'static str| async move {
        let ask = session.ask("initialize", session.introduction_params(asked)).bare_headers();
        ask.probe(NAME, intent, Value::Null).header(HEADER, header).send().await;
    };
    join!(
        open(Intent::InitializePlain, None, version),
        open(Intent::InitializeVersioned, Some(version), version),
        open(Intent::InitializeUnknownHeader, Some("2099-01-01"), "2099-01-01"),
    );
}
