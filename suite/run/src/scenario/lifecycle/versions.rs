//! Which version a server answers with, and what it says before the handshake is done.
//!
//! Processes are dear, so one session asks several things, in the order that matters: what is asked first is asked as a
//! first message. Whatever looks wrong in such a session is asked again in a fresh one that varies one thing.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::transcript::Probe;
use verdict::{Intent, Revision, Transport};

use super::{NAME, fields, open_unspoken, opening};
use crate::scenario::jsonrpc::all;
use crate::scenario::{Cx, Running, Scenario, Stage};
use crate::{Profile, Protocol, RequestOutcome, Session, Wear};

pub(super) static SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "lifecycle.initialize.extra-client-fields",
        "lifecycle.initialize.missing-fields-refused",
        "lifecycle.initialize.missing-fields-code",
        "lifecycle.initialize.again",
        "lifecycle.initialized.accepted",
        "lifecycle.version.same-if-supported",
        "lifecycle.version.counter-offer",
        "lifecycle.version.no-blind-echo",
        "lifecycle.version.counter-offer-latest",
        "lifecycle.version.no-modern-by-handshake",
        "lifecycle.version.mismatch-survivable",
        "lifecycle.pre-init.server-silent",
        "lifecycle.pre-init.no-server-requests",
        "lifecycle.pre-init.other-notifications",
        "lifecycle.pre-init.requests-not-served",
        "lifecycle.pre-init.connection-survives-early-request",
        "lifecycle.shutdown.no-message",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.is_handshake(),
    run: |cx| -> Running { Box::pin(run(cx)) },
};

/// A version that no server can know yet, and one that none can have known.
const FUTURE: &str = "2099-12-31";
const PAST: &str = "1999-01-01";
/// Strings that are not versions.
const NONSENSE: [&str; 2] = ["not-a-version", ""];

/// How long a process that is run by itself is watched before it is spoken to.
const SILENT: Duration = Duration::from_millis(200);

async fn run(cx: Cx) {
    if cx.is_alone() {
        return run_in_turn(&cx).await;
    }
    if cx.profile.transport != Transport::Stdio {
        return run_apart(&cx).await;
    }
    let handover = cx.for_flow.promise();
    // Others wait for the first: it is spoken to while the second still waits for its turn to start.
    let Ok(one) = cx.open_first(opening()).await else { return };
    let first = async {
        let offered = future(&cx, one).await;
        drop(handover);
        offered
    };
    let second = async {
        Cx::let_others_go_first().await;
        // Others have it afterwards.
        let two = cx.lease_new(opening(), Wear::Malformed).await.ok()?;
        two.idle(SILENT).await;
        let reopens = modern(&cx, &two).await;
        two.give_back().await;
        Some(reopens)
    };
    let (offered, Some(reopens)) = tokio::join!(first, second) else { return };
    if !reopens {
        let Ok(three) = open_unspoken(&cx).await else { return };
        if !past(&cx, three).await {
            provoke_ahead(&cx).await;
        }
    }
    provoke_offers(&cx, offered).await;
}

/// Over HTTP a session costs little.
async fn run_apart(cx: &Cx) {
    // All start now; the third is spoken to last, so that what it says by itself has time to come.
    let (Ok(one), Ok(two), Ok(three)) = (open_unspoken(cx).await, open_unspoken(cx).await, open_unspoken(cx).await)
    else {
        return;
    };
    let (offered, _) = tokio::join!(future(cx, one), past(cx, two));
    provoke_apart(cx).await;
    provoke_offers(cx, offered).await;
    modern(cx, &three).await;
    three.kill().await;
}

/// The same where one process is run at a time.
async fn run_in_turn(cx: &Cx) {
    let Ok(one) = open_unspoken(cx).await else { return };
    let offered = future(cx, one).await;
    let Ok(two) = open_unspoken(cx).await else { return };
    if !past(cx, two).await {
        provoke_ahead(cx).await;
    }
    provoke_offers(cx, offered).await;
    let Ok(three) = open_unspoken(cx).await else { return };
    three.idle(SILENT).await;
    modern(cx, &three).await;
    three.kill().await;
}

/// The version of the far future, with members that no revision defines; goes on as the session on which tools are watched.
async fn future(cx: &Cx, session: Session) -> Option<Revision> {
    let probe = Probe::new(NAME, Intent::InitializeUnknown, json!({"extras": true}));
    let refused = session.handshake(FUTURE, extras(FUTURE), Some(probe)).await.is_err();
    let offered = session.revision();
    // Where another session fell already, it is seen whether this one does before anything else is asked.
    if cx.session.is_down() {
        session.ends_within(SILENT).await;
    }
    if offered == Some(cx.profile.revision) && session.settle().await {
        let to = if cx.profile.transport == Transport::Stdio { &cx.for_flow } else { &cx.for_rough };
        cx.offer(to, session).await;
    } else {
        session.kill().await;
    }
    if refused {
        let probe = Probe::new(NAME, Intent::InitializeExtras, json!({"extras": true}));
        let revision = cx.profile.revision.as_str();
        let unknown = Probe::new(NAME, Intent::InitializeUnknown, Value::Null);
        tokio::join!(
            provoke_again(cx, revision, extras(revision), probe),
            provoke_again(cx, FUTURE, json!({}), unknown)
        );
    }
    offered
}

/// Asks in a session of its own, as a repetition.
async fn provoke_again(cx: &Cx, version: &str, extra: Value, probe: Probe) {
    if let Ok(session) = cx.open(opening().confirm()).await {
        session.initialize(version, extra, Some(probe)).await;
        session.kill().await;
    }
}

/// The version of the past; then, where a server takes further ones, nonsense and ill-formed ones. Says whether it does.
async fn past(cx: &Cx, session: Session) -> bool {
    let unknown = || Probe::new(NAME, Intent::InitializeUnknown, Value::Null);
    let outcome = session.initialize(PAST, json!({}), Some(unknown())).await;
    if matches!(outcome, RequestOutcome::Silent) {
        provoke_again(cx, PAST, json!({}), unknown()).await;
    }
    let mut reopens = false;
    if outcome.result().is_some() {
        ping(&session, Intent::PingBeforeInitialized).await;
        if session.transport() == Transport::Stdio {
            for version in NONSENSE {
                reopens |= session.initialize(version, json!({}), Some(unknown())).await.result().is_some();
            }
            if reopens {
                fields::ill_formed(cx, &session, true).await;
            }
        }
    }
    session.kill().await;
    reopens
}

/// The revision that has no handshake; then what may follow a handshake once; then, where a server takes further ones, other
/// versions and what is ill-formed. Says whether it does.
async fn modern(cx: &Cx, session: &Session) -> bool {
    session.record_probe(NAME, Intent::WatchedBeforeInitialize, json!({}));
    let probe = Probe::new(NAME, Intent::InitializeModern, Value::Null);
    session.initialize(Revision::LATEST.as_str(), json!({}), Some(probe)).await;
    let mut reopens = false;
    if session.revision().is_some() {
        ping(session, Intent::PingBeforeInitialized).await;
        let notify = session.notify("notifications/initialized", Some(&json!({})));
        notify.probe(NAME, Intent::InitializedWithParams, json!({})).send().await;
        session.settle().await;
        reopens = second(session).await;
        ping(session, Intent::PingAfterInitializeAgain).await;
        if reopens && session.transport() == Transport::Stdio {
            reopens = further(cx, session).await;
        }
        session.ask("shutdown", json!({})).probe(NAME, Intent::ShutdownRequest, json!({})).send().await;
    }
    reopens
}

/// The version of the past, nonsense, and what is ill-formed, in a session that is open. Says whether the first is taken there: else
/// it is asked in one that is not.
async fn further(cx: &Cx, session: &Session) -> bool {
    for version in std::iter::once(PAST).chain(NONSENSE) {
        let unknown = Probe::new(NAME, Intent::InitializeUnknown, Value::Null);
        let taken = session.initialize(version, json!({}), Some(unknown)).await.result().is_some();
        if version == PAST && !taken {
            return false;
        }
    }
    fields::ill_formed(cx, session, true).await;
    true
}

/// A second initialize in the same session, which over HTTP its header tells. Says whether it is taken.
async fn second(session: &Session) -> bool {
    let Some(revision) = session.revision() else { return false };
    let params = json!({
        "protocolVersion": revision.as_str(),
        "capabilities": Profile::Full.capabilities(revision),
        "clientInfo": {"name": "mcp-conform", "version": env!("CARGO_PKG_VERSION")},
    });
    let ask = session.ask("initialize", params).probe(NAME, Intent::InitializeAgain, json!({}));
    let outcome = match session.http_session() {
        Some(id) => ask.header("Mcp-Session-Id", Some(&id)).send().await,
        None => ask.send().await,
    };
    outcome.result().is_some()
}

async fn ping(session: &Session, intent: Intent) {
    session.ask("ping", json!({})).probe(NAME, intent, json!({})).send().await;
}

/// A process that is not opened until the end, for a server that takes one initialize only.
async fn provoke_ahead(cx: &Cx) {
    let Ok(session) = open_unspoken(cx).await else { return };
    if !fields::ill_formed(cx, &session, false).await && !session.is_down() {
        fields::early(cx, &session).await;
    }
    session.kill().await;
}

/// Over HTTP a session costs little: one for each question.
async fn provoke_apart(cx: &Cx) {
    let nonsense = NONSENSE.map(|version| async move {
        let Ok(session) = open_unspoken(cx).await else { return };
        session.initialize(version, json!({}), Some(Probe::new(NAME, Intent::InitializeUnknown, Value::Null))).await;
        session.kill().await;
    });
    tokio::join!(all(nonsense), fields::ill_formed_apart(cx));
    if let Ok(session) = open_unspoken(cx).await {
        fields::early(cx, &session).await;
        session.kill().await;
    }
}

/// Comes back with the version that was offered, and asks for the newest one where nobody has.
async fn provoke_offers(cx: &Cx, offered: Option<Revision>) {
    let Some(offered) = offered else { return };
    let mut versions = Vec::new();
    if offered != cx.profile.revision || cx.profile.transport != Transport::Stdio {
        versions.push(offered);
    }
    if offered < Revision::LATEST_HANDSHAKE && cx.options.protocol != Protocol::Latest {
        versions.push(Revision::LATEST_HANDSHAKE);
    }
    for version in versions {
        let Ok(session) = open_unspoken(cx).await else { return };
        session.initialize(version.as_str(), json!({}), None).await;
        session.kill().await;
    }
}

/// Members that no revision defines, or that a later one does.
fn extras(version: &str) -> Value {
    let revision = version.parse().unwrap_or(Revision::LATEST_HANDSHAKE);
    let mut capabilities = Profile::Full.capabilities(revision);
    capabilities["x-unknown"] = json!({});
    capabilities["experimental"] = json!({"mcp-conform.dev/probe": {}});
    json!({
        "capabilities": capabilities,
        "clientInfo": {
            "name": "mcp-conform",
            "version": env!("CARGO_PKG_VERSION"),
            "title": "mcp-conform",
            "websiteUrl": "https://example.com/",
            "icons": [{"src": "data:image/png;base64,", "mimeType": "image/png"}],
            "x-unknown": true,
        },
        "_meta": {"mcp-conform.dev/probe": true},
        "x-unknown": {},
    })
}
