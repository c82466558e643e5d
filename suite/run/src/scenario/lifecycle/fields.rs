//! `initialize` without what it must have, and a request ahead of it.

use serde_json::{Value, json};
use verdict::transcript::Probe;
use verdict::{Intent, Transport};

use super::{NAME, open_unspoken};
use crate::scenario::Cx;
use crate::scenario::jsonrpc::all;
use crate::{RequestOutcome, Session};

/// The defects of `initialize`; those that servers are most likely to accept come last.
const KINDS: [&str; 5] = ["version-number", "no-params", "no-client-info", "no-capabilities", "no-version"];

/// In one session one after the other. One that is served opens the session: then a server that takes no second
/// initialize would refuse the others for that.
pub(super) async fn ill_formed(cx: &Cx, session: &Session, reopens: bool) -> bool {
    let mut opened = false;
    for kind in KINDS {
        opened |= ask(cx, session, kind).await.result().is_some();
        if opened && !reopens {
            break;
        }
    }
    opened
}

/// A session for each, all at once.
pub(super) async fn ill_formed_apart(cx: &Cx) {
    all(KINDS.map(|kind| async move {
        let Ok(session) = open_unspoken(cx).await else { return };
        ask(cx, &session, kind).await;
        session.kill().await;
    }))
    .await;
}

/// A request ahead of initialize, and initialize after it.
pub(super) async fn early(cx: &Cx, session: &Session) {
    // Over HTTP only a server that issues session ids can know that there was no initialize.
    if session.transport() == Transport::Http && cx.session.http_session().is_none() {
        return;
    }
    let Some(method) = cx.profile.walks.first().map(|walk| walk.method) else { return };
    session.ask(method, json!({})).probe(NAME, Intent::BeforeInitialize, json!({})).send().await;
    if session.transport() != Transport::Http && !session.is_down() {
        let probe = Probe::new(NAME, Intent::InitializeAfterEarly, Value::Null);
        session.initialize(cx.profile.revision.as_str(), json!({}), Some(probe)).await;
    }
}

async fn ask(cx: &Cx, session: &Session, kind: &'static str) -> RequestOutcome {
    let mut params = session.introduction_params(cx.profile.revision.as_str());
    let missing = match kind {
        "no-version" => Some("protocolVersion"),
        "no-capabilities" => Some("capabilities"),
        "no-client-info" => Some("clientInfo"),
        _ => None,
    };
    if let (Some(missing), Some(members)) = (missing, params.as_object_mut()) {
        members.shift_remove(missing);
    }
    if kind == "version-number" {
        params["protocolVersion"] = json!(1);
    }
    let ask = session.ask("initialize", params).probe(NAME, Intent::InitializeIllFormed, json!({"kind": kind}));
    if kind == "no-params" { ask.no_params().send().await } else { ask.send().await }
}
