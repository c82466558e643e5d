//! Protects the endpoint on demand: tokens are asked for, checked before anything else is looked at, and where to get one
//! is told. There is one guard for all revisions: protected resource metadata for the later ones, and for 2025-03-26 a
//! tiny authorization server at the host root.

mod challenge;
mod issuer;
mod jwt;
mod metadata;
mod tokens;

use std::collections::VecDeque;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hyper::header::AUTHORIZATION;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method};
use serde_json::Value;

use super::PATH;
use super::answer::{Answer, plain};
use crate::deviation::Deviation;
use crate::settings::{Auth, Settings};
use challenge::Why;
use issuer::Issuer;
use tokens::{Holder, RESET, Tokens, WRITE};

/// RFC 9728.
const METADATA: &str = "/.well-known/oauth-protected-resource";
/// The tool that takes more scope than the others.
const PRECIOUS: &str = "reset_counter";
/// The name by which clients call it.
const SPOKEN: &str = "reference_reset_counter";
/// More sessions than this are not remembered.
const MOST: usize = 1000;

pub(super) struct Guard {
    origin: String,
    tokens: Tokens,
    issuer: Issuer,
    owners: Mutex<VecDeque<(String, String)>>,
    refused: AtomicU64,
}

/// The content of an Authorization header.
enum Given<'a> {
    Nothing,
    Malformed,
    /// Of another scheme than Bearer.
    Other,
    Bearer(&'a str),
}

impl Guard {
    /// A guard for a server at this origin, with fresh tokens.
    pub(super) fn new(auth: Auth, origin: &str) -> std::io::Result<Self> {
        Ok(Self {
            origin: origin.to_owned(),
            tokens: Tokens::new(auth, origin, &format!("{origin}{PATH}"))?,
            issuer: Issuer::default(),
            owners: Mutex::default(),
            refused: AtomicU64::new(0),
        })
    }

    /// Writes each token into a file of its own that nobody else may read, and a configuration that names the files.
    pub(super) fn hand_out(&self, folder: &Path, settings: &Settings) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mut names = String::from("[auth]\n");
        for (name, token) in self.tokens.all() {
            let path = folder.join(name);
            private(&path)?.write_all(token.as_bytes())?;
            let path = toml_string(&path.canonicalize()?.to_string_lossy());
            names.push_str(&format!("{name} = {{ file = {path} }}\n"));
        }
        names.push_str(&format!(
            "step_up = {{ call = \"{SPOKEN}\" }}\nregister = true\nprivate = [\"memory://diary\"]\n"
        ));
        if !settings.quirk("own-keys") {
            names.push_str("oauth = true\n");
        }
        std::fs::write(folder.join("mcp-conform.toml"), names)
    }

    fn count(&self) -> u64 {
        self.refused.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns public documents: metadata and the authorization server. `None` at the endpoint, and if there is none of that.
    pub(super) fn public(&self, head: &Parts, body: &[u8], settings: &Settings) -> Option<Answer> {
        let (path, query) = (head.uri.path(), head.uri.query().unwrap_or_default());
        if path == PATH || settings.quirk("own-keys") {
            return None;
        }
        let found = self.document(&head.method, path, settings);
        if found.is_some() && settings.deviates(Deviation::MetadataNeedsToken) && path.contains(METADATA) {
            return Some(self.refuse(Why::Missing, settings));
        }
        let found = found.or_else(|| self.issuer.answer(&head.method, (path, query), body, settings));
        Some(found.unwrap_or_else(|| plain(hyper::StatusCode::NOT_FOUND, "There is nothing here.")))
    }

    /// Who asks; or the refusal.
    pub(super) fn admit(&self, head: &Parts, settings: &Settings) -> Result<Holder, Box<Answer>> {
        let refuse = |why| Err(Box::new(self.refuse(why, settings)));
        let in_query =
            head.uri.query().filter(|_| settings.deviates(Deviation::TokenInQueryAccepted)).and_then(query_token);
        let token = match (authorization(&head.headers, settings), &in_query) {
            (Given::Nothing, Some(token)) => token.as_str(),
            (Given::Nothing | Given::Other, None) => return refuse(Why::Missing),
            (Given::Other, Some(_)) => return refuse(Why::Missing),
            (Given::Malformed, _) => return refuse(Why::Malformed),
            (Given::Bearer(token), _) => token,
        };
        match self.tokens.holder(token, &format!("{}{PATH}", self.origin), settings) {
            Some(holder) => Ok(holder),
            None => refuse(Why::Invalid),
        }
    }

    /// Whether a request is served without a token: as a quirk or a fault has it.
    pub(super) fn is_open(&self, head: &Parts, body: Option<&[u8]>, settings: &Settings) -> bool {
        let message: Value = body.and_then(|body| serde_json::from_slice(body).ok()).unwrap_or_default();
        let method = message["method"].as_str();
        let in_session = head.headers.contains_key("mcp-session-id");
        let bodiless = matches!(head.method, Method::GET | Method::DELETE);
        let junk = || message.is_object() && method.is_some_and(|method| !crate::methods::METHODS.contains(&method));
        (settings.quirk("open-discovery") && method.is_some_and(|method| method != "tools/call"))
            || (settings.quirk("open-discovery") && (bodiless || message.is_object() && method.is_none()))
            || (settings.deviates(Deviation::GetAndDeleteOpen) && bodiless)
            || (settings.deviates(Deviation::SessionNeedsNoToken) && in_session)
            || (settings.deviates(Deviation::SessionReplacesToken) && in_session)
            || (settings.deviates(Deviation::UnknownMethodsNeedNoToken) && junk())
            || (settings.deviates(Deviation::AnyTokenAccepted) && head.headers.contains_key(AUTHORIZATION))
    }

    /// Checks that somebody may do what a message asks for; the error is the answer that refuses it.
    pub(super) fn allow(&self, holder: &Holder, body: &[u8], settings: &Settings) -> Result<(), Box<Answer>> {
        let message: Value = serde_json::from_slice(body).unwrap_or_default();
        let precious = message["method"] == "tools/call"
            && [PRECIOUS, SPOKEN].iter().any(|name| message["params"]["name"] == *name);
        let more = settings.deviates(Deviation::ScopesAskedPiecemeal) && !holder.has(RESET, settings);
        if !precious || holder.has(WRITE, settings) && !more {
            return Ok(());
        }
        if settings.deviates(Deviation::MissingScopeIsToolError) {
            let id = &message["id"];
            let text = "You may not do this.";
            let body = serde_json::json!({"jsonrpc": "2.0", "id": id, "result":
                {"content": [{"type": "text", "text": text}], "isError": true, "resultType": "complete"}});
            let answer = plain(hyper::StatusCode::OK, &body.to_string());
            return Err(Box::new(super::answer::with(answer, "content-type", "application/json")));
        }
        Err(Box::new(self.refuse(Why::Scope, settings)))
    }

    /// Whether a session belongs to somebody; one that nobody owns belongs to all.
    pub(super) fn owns(&self, holder: &Holder, session: &str, settings: &Settings) -> bool {
        let owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        let owner = owners.iter().find(|(id, _)| id == session);
        owner.is_none_or(|(_, subject)| *subject == holder.subject)
            || settings.deviates(Deviation::SessionsOpenToAllUsers)
    }

    /// Remembers whose a new session is.
    pub(super) fn bind_session(&self, holder: &Holder, session: &str) {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        owners.push_back((session.to_owned(), holder.subject.clone()));
        if owners.len() > MOST {
            owners.pop_front();
        }
    }
}

fn authorization<'a>(headers: &'a HeaderMap, settings: &Settings) -> Given<'a> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Given::Nothing };
    let (None, Ok(value)) = (values.next(), value.to_str()) else { return Given::Malformed };
    let (scheme, token) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
    let same = scheme == "Bearer"
        || (scheme.eq_ignore_ascii_case("Bearer") && !settings.deviates(Deviation::SchemeCaseMatters));
    let readable = |letter: char| letter.is_ascii_alphanumeric() || "-._~+/=".contains(letter);
    match token.trim() {
        _ if !same => Given::Other,
        "" => Given::Malformed,
        token if token.chars().all(readable) => Given::Bearer(token),
        _ => Given::Malformed,
    }
}

fn query_token(query: &str) -> Option<String> {
    url::form_urlencoded::parse(query.as_bytes())
        .find(|(key, _)| key == "access_token")
        .map(|(_, value)| value.into_owned())
}

fn private(path: &Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A basic string of TOML.
fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
