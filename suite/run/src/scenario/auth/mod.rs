//! Authorization from outside and inside: what outsiders get, what forged and foreign tokens get, and what the server says
//! about how to get a good one.
//!
//! Documents are fetched from the server's own origin and from this machine alone, and tokens are sent to the server alone.

mod forged;
mod good;
mod issuer;
mod metadata;
mod outsiders;

use serde_json::{Value, json};
use url::Url;
use verdict::transcript::{Headers, Kind};
use verdict::{Intent, Revision, Transport};

use crate::scenario::{Cx, Running, Scenario, Stage};
use crate::session::Ask;
use crate::{Opening, RequestOutcome, Session};

const NAME: &str = "auth/guard";

pub(super) static SCENARIOS: &[Scenario] = &[Scenario {
    name: NAME,
    provokes: &[
        "auth.challenge.401-without-token",
        "auth.challenge.401-on-get-and-delete",
        "auth.challenge.www-authenticate-present",
        "auth.challenge.bearer-scheme",
        "auth.challenge.resource-metadata",
        "auth.challenge.resource-metadata-or-well-known",
        "auth.challenge.resource-metadata-url",
        "auth.challenge.no-error-without-token",
        "auth.challenge.scope",
        "auth.challenge.scope-syntax",
        "auth.challenge.no-offline-access",
        "auth.prm.served",
        "auth.prm.public",
        "auth.prm.content-type",
        "auth.prm.resource-present",
        "auth.prm.resource-matches",
        "auth.prm.resource-identical",
        "auth.prm.at-well-known",
        "auth.prm.resource-form",
        "auth.prm.resource-no-trailing-slash",
        "auth.prm.authorization-servers",
        "auth.prm.authorization-servers-form",
        "auth.prm.no-empty-members",
        "auth.prm.scopes-form",
        "auth.prm.no-offline-access",
        "auth.prm.scopes-minimal",
        "auth.prm.no-query-method",
        "auth.prm.consistent",
        "auth.prm.cors",
        "auth.token.invalid-401",
        "auth.token.forged-401",
        "auth.token.error-code",
        "auth.token.expired-401",
        "auth.token.wrong-audience",
        "auth.token.no-audience",
        "auth.token.wrong-issuer",
        "auth.token.query-string",
        "auth.token.every-request",
        "auth.token.before-processing",
        "auth.token.scheme-case",
        "auth.status.malformed-400",
        "auth.scope.status-403",
        "auth.scope.insufficient-scope",
        "auth.scope.names-scopes",
        "auth.scope.names-metadata",
        "auth.scope.consistent",
        "auth.scope.hierarchy",
        "auth.scope.all-at-once",
        "auth.resource.upper-case-accepted",
        "auth.as.metadata",
        "auth.as.metadata-required-members",
        "auth.as.fallback-endpoints",
        "auth.as.https",
        "auth.as.redirect-uri-validated",
        "auth.as.redirect-uri-scheme",
        "auth.as.pkce-required",
        "auth.as.dynamic-registration",
        "auth.as.discovery",
        "auth.as.pkce-advertised",
        "security.session.not-authentication",
        "security.session.bound-to-user",
    ],
    // After everything else on the main session: only then is it known whether something takes a credential.
    stage: Stage::Ordered,
    applies: |profile| profile.transport == Transport::Http,
    run: |cx| -> Running { Box::pin(run(cx)) },
}];

/// State shared by the parts of the scenario.
struct Probing {
    cx: Cx,
    /// Who has no credential.
    outsider: Session,
    /// The URL that is driven.
    url: Url,
    /// The endpoint as clients know it.
    endpoint: String,
    door: Door,
}

/// A request that is refused without a credential.
#[derive(Clone, Debug)]
enum Door {
    /// The opening one: nothing is open.
    Opening,
    /// The list of tools.
    Listing,
    /// The call of a tool.
    Call(String, Value),
}

/// The head of a response, and what came of the request.
struct ResponseHead {
    status: Option<u16>,
    headers: Headers,
    outcome: Option<RequestOutcome>,
}

impl ResponseHead {
    fn is_served(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.result().is_some())
    }

    /// Not let in, by status or by an error under a status of success.
    fn is_refused(&self) -> bool {
        match self.status {
            Some(401 | 403 | 300..=399) => true,
            Some(200) => self.outcome.as_ref().is_some_and(|outcome| outcome.error_code().is_some()),
            _ => false,
        }
    }
}

async fn run(cx: Cx) {
    let given = cx.options.authorization().is_some();
    if !given && !cx.profile.outside && !was_refused(&cx) {
        return;
    }
    let Some(url) = cx.opener.url().cloned() else { return };
    let Ok(outsider) = cx.open(Opening::new("stranger", cx.profile.revision).outsider()).await else { return };
    if given {
        outsider.record_probe(NAME, Intent::AuthGiven, Value::Null);
    }
    if cx.options.credentials.oauth {
        outsider.record_probe(NAME, Intent::AuthStated, Value::Null);
    }
    let endpoint = cx.options.credentials.public_url.clone().unwrap_or_else(|| url.to_string());
    let mut probing = Probing { cx, outsider, url, endpoint, door: Door::Opening };
    if let Some(challenge) = outsiders::find_door(&mut probing).await {
        outsiders::knock(&probing).await;
        let known = metadata::look(&probing, &challenge).await;
        issuer::look(&probing, &known).await;
        outsiders::bad_tokens(&probing, &known).await;
        if given {
            good::tokens(&probing).await;
        }
    }
    probing.outsider.kill().await;
}

/// Somebody was told that it takes a credential.
fn was_refused(cx: &Cx) -> bool {
    let refused = |kind: &Kind| matches!(kind, Kind::Status { status: 401, .. });
    cx.opener.recorder().with(|events| events.iter().any(|event| refused(&event.kind)))
}

impl Probing {
    /// The request by which it shows whether somebody is let in.
    fn at_door<'s>(&self, session: &'s Session) -> Ask<'s> {
        match &self.door {
            Door::Opening => opening(session, self.cx.profile.revision).bare_headers(),
            Door::Listing => session.ask("tools/list", json!({})),
            Door::Call(name, arguments) => session.ask("tools/call", json!({"name": name, "arguments": arguments})),
        }
    }

    /// Sends it as an outsider who shows this credential.
    async fn try_door(&self, intent: Intent, about: Value, authorization: Option<&str>) -> ResponseHead {
        let ask = self.at_door(&self.outsider).header("Authorization", authorization);
        response_head(&self.cx, &self.outsider, ask.probe(NAME, intent, about)).await
    }
}

/// `initialize`, or `server/discover`.
pub(in crate::scenario) fn opening(session: &Session, revision: Revision) -> Ask<'_> {
    if !revision.is_handshake() {
        return session.ask("server/discover", json!({}));
    }
    session.ask("initialize", session.introduction_params(revision.as_str())).bare()
}

/// Sends it and says what came, the head of the response included.
async fn response_head(cx: &Cx, session: &Session, ask: Ask<'_>) -> ResponseHead {
    let from = session.mark();
    let outcome = ask.send().await;
    let head = cx.opener.recorder().with(|events| {
        let own = events.get(from..).unwrap_or_default().iter().filter(|event| event.session == session.id());
        own.filter_map(|event| match &event.kind {
            Kind::Status { status, headers, .. } => Some((*status, headers.clone())),
            _ => None,
        })
        .next()
    });
    let (status, headers) = head.map_or((None, Headers::new()), |(status, headers)| (Some(status), headers));
    ResponseHead { status, headers, outcome: Some(outcome) }
}

/// Path and query as a request line has them.
fn path_of(url: &Url) -> String {
    url[url::Position::BeforePath..url::Position::AfterQuery].to_owned()
}
