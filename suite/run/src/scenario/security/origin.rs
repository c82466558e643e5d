//! One request, again and again, each time from somewhere else.

use serde_json::{Value, json};
use url::Url;
use verdict::Intent;

use super::NAME;
use crate::scenario::Cx;
use crate::scenario::auth::opening;
use crate::{Opening, Session};

/// A site that nobody has allowed.
const FOREIGN: &str = "http://evil.example";

/// The request without an Origin, without what tells who the user is.
pub(super) async fn control(cx: &Cx, session: &Session) {
    let about = json!({"kind": "control"});
    let ask = opening(session, cx.profile.revision).bare_headers().header("Authorization", None).header("Cookie", None);
    ask.probe(NAME, Intent::Origin, about).send().await;
}

pub(super) async fn probe(cx: &Cx, session: &Session, url: &Url) {
    let port = url.port_or_known_default().unwrap_or(80);
    let shot = |kind: &str, form: &str, headers: &[(&str, &str)]| {
        let ask = opening(session, cx.profile.revision).bare_headers();
        let ask = headers.iter().fold(ask, |ask, (name, value)| ask.header(name, Some(value)));
        ask.probe(NAME, Intent::Origin, json!({"kind": kind, "form": form}))
    };
    shot("control", "", &[]).send().await;
    shot("foreign", "", &[("Origin", FOREIGN)]).send().await;
    let (pair, host) = (format!("{FOREIGN}:{port}"), format!("evil.example:{port}"));
    shot("rebinding", "", &[("Origin", &pair), ("Host", &host)]).send().await;
    shot("host", "", &[("Host", &host)]).send().await;
    let lookalikes = [
        ("a name that begins with localhost", "http://localhost.evil.example".to_owned()),
        ("a name that begins with 127.0.0.1", "http://127.0.0.1.evil.example".to_owned()),
        ("a foreign name with the server's port", pair.clone()),
        ("localhost as a user name", "http://localhost@evil.example".to_owned()),
        ("localhost in the path", "https://evil.example/localhost".to_owned()),
    ];
    for (form, origin) in &lookalikes {
        shot("lookalike", form, &[("Origin", origin)]).send().await;
    }
    shot("null", "", &[("Origin", "null")]).send().await;
    shot("malformed", "", &[("Origin", "%%%")]).verbatim().send().await;
    shot("empty", "", &[("Origin", "")]).verbatim().send().await;
    shot("twice", "", &[("Origin", FOREIGN)]).also("Origin", FOREIGN).verbatim().send().await;
    shot("own", "", &[("Origin", &format!("http://localhost:{port}"))]).send().await;
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        shot("simple", kind, &[("Content-Type", kind)]).send().await;
    }
    let preflight = session.http("OPTIONS").bare_headers().header("Origin", Some(FOREIGN));
    let preflight = preflight.header("Access-Control-Request-Method", Some("POST"));
    preflight.probe(NAME, Intent::Preflight, Value::Null).send().await;
    if cx.profile.is_handshake() && !cx.profile.outside {
        provoke_bodiless(cx).await;
    }
}

/// GET and DELETE, on sessions of their own: the control of DELETE ends one.
async fn provoke_bodiless(cx: &Cx) {
    for method in ["GET", "DELETE"] {
        for (kind, origin) in [("foreign", Some(FOREIGN)), ("control", None)] {
            let Some(session) = inside(cx).await else { return };
            let http = session.http(method).header("Origin", origin);
            let reply = http.probe(NAME, Intent::Origin, json!({"kind": kind})).send().await;
            if reply.is_stream() {
                session.abort_exchange(reply.channel);
            }
            session.kill().await;
        }
    }
}

async fn inside(cx: &Cx) -> Option<Session> {
    let revision = cx.profile.revision;
    let session = cx.open(Opening::new("inside", revision).outside()).await.ok()?;
    session.initialize(revision.as_str(), json!({}), None).await.result()?;
    session.notify("notifications/initialized", None).answered().await;
    Some(session)
}
