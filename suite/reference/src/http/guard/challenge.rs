//! Refusals: a status and the `WWW-Authenticate` header that says what it takes.

use hyper::StatusCode;

use super::super::answer::{Answer, empty, plain, with};
use super::tokens::{USE, WRITE};
use super::{Guard, METADATA};
use crate::http::PATH;
use crate::settings::Settings;

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// There is no credential, or one of another kind.
    Missing,
    /// The Authorization header cannot be read.
    Malformed,
    /// The token is not good here.
    Invalid,
    /// The token is good but has too little scope.
    Scope,
}

/// An authentication challenge in the making.
struct Challenge {
    scheme: &'static str,
    parameters: Vec<(&'static str, String)>,
}

impl Challenge {
    fn new(why: Why) -> Self {
        let error = match why {
            Why::Missing => None,
            Why::Malformed => Some(("invalid_request", "The Authorization header is malformed.")),
            Why::Invalid => Some(("invalid_token", "The token is not valid for this server.")),
            Why::Scope => Some(("insufficient_scope", "This tool needs more scope.")),
        };
        let mut parameters = Vec::new();
        if let Some((code, description)) = error {
            parameters.push(("error", code.to_owned()));
            parameters.push(("error_description", description.to_owned()));
        }
        let scope = if why == Why::Scope { format!("{USE} {WRITE}") } else { USE.to_owned() };
        parameters.push(("scope", scope));
        Self { scheme: "Bearer", parameters }
    }

    fn drop(&mut self, name: &str) {
        self.parameters.retain(|(known, _)| *known != name);
    }

    fn set(&mut self, name: &'static str, value: &str) {
        self.drop(name);
        self.parameters.push((name, value.to_owned()));
    }

    fn value(&self) -> String {
        let quoted = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
        let pairs = self.parameters.iter().map(|(name, value)| format!("{name}=\"{}\"", quoted(value)));
        format!("{} {}", self.scheme, pairs.collect::<Vec<_>>().join(", "))
    }

    /// What faults make of every challenge.
    fn spoil(&mut self, why: Why, settings: &Settings) {
        match settings.variant("auth.challenge.scope-syntax") {
            Some("twice") => self.parameters.push(("scope", WRITE.to_owned())),
            Some("json") => self.set("scope", "[\"mcp:use\"]"),
            Some(_) => self.set("scope", "mcp:use, mcp:write"),
            None => {}
        }
        if settings.faulty("auth.challenge.bearer-scheme") {
            self.scheme = "OAuth";
        }
        if settings.faulty("auth.challenge.scope") && why != Why::Scope {
            self.drop("scope");
        }
        if settings.faulty("auth.challenge.no-offline-access") {
            self.set("scope", "mcp:use offline_access");
        }
        if settings.faulty("auth.challenge.no-error-without-token") && why == Why::Missing {
            self.set("error", "invalid_token");
        }
        if settings.faulty("auth.token.error-code") && why == Why::Invalid {
            self.drop("error");
        }
    }

    /// What faults make of challenges for more scope.
    fn spoil_scope(&mut self, count: u64, settings: &Settings) {
        if settings.faulty("auth.scope.insufficient-scope") {
            self.drop("error");
        }
        if settings.faulty("auth.scope.names-scopes") {
            self.drop("scope");
        }
        if settings.faulty("auth.scope.names-metadata") {
            self.drop("resource_metadata");
        }
        if settings.faulty("auth.scope.consistent") && count % 2 == 1 {
            self.set("scope", "mcp:use mcp:write mcp:more");
        }
    }
}

impl Guard {
    /// The answer to a request that is refused.
    pub(super) fn refuse(&self, why: Why, settings: &Settings) -> Answer {
        let mut challenge = Challenge::new(why);
        self.name_metadata(&mut challenge, settings);
        challenge.spoil(why, settings);
        if why == Why::Scope {
            challenge.spoil_scope(self.count(), settings);
        }
        let status = self.status(why, settings);
        let answer = if status.is_redirection() {
            with(empty(status), "location", "/login")
        } else {
            plain(status, "This takes a credential: see WWW-Authenticate.")
        };
        let silent = settings.faulty("auth.challenge.www-authenticate-present") && status == StatusCode::UNAUTHORIZED;
        if silent || status.is_redirection() {
            return answer;
        }
        let value = if settings.quirk("own-keys") { "Bearer".to_owned() } else { challenge.value() };
        let answer = with(answer, "www-authenticate", &value);
        with(answer, "access-control-expose-headers", "WWW-Authenticate")
    }

    fn name_metadata(&self, challenge: &mut Challenge, settings: &Settings) {
        let missing = ["auth.challenge.resource-metadata", "auth.challenge.resource-metadata-or-well-known"];
        if missing.iter().any(|id| settings.faulty(id)) {
            return;
        }
        let place = if settings.faulty("auth.prm.at-well-known") {
            format!("{PATH}{METADATA}")
        } else {
            format!("{METADATA}{PATH}")
        };
        let url = match settings.variant("auth.challenge.resource-metadata-url") {
            Some("relative") => place,
            Some(_) => format!("{}/nowhere{place}", self.origin),
            None => format!("{}{place}", self.origin),
        };
        challenge.set("resource_metadata", &url);
    }

    fn status(&self, why: Why, settings: &Settings) -> StatusCode {
        let faulty = |id: &str| settings.variant(id);
        match why {
            Why::Missing => match faulty("auth.challenge.401-without-token") {
                Some("redirect") => StatusCode::FOUND,
                Some(_) => StatusCode::FORBIDDEN,
                None => StatusCode::UNAUTHORIZED,
            },
            Why::Malformed if faulty("auth.status.malformed-400").is_some() => StatusCode::INTERNAL_SERVER_ERROR,
            Why::Malformed => StatusCode::BAD_REQUEST,
            Why::Invalid => match faulty("auth.token.invalid-401") {
                Some("status") => StatusCode::FORBIDDEN,
                Some("breaks") => StatusCode::INTERNAL_SERVER_ERROR,
                _ => StatusCode::UNAUTHORIZED,
            },
            Why::Scope if faulty("auth.scope.status-403") == Some("unauthorized") => StatusCode::UNAUTHORIZED,
            Why::Scope => StatusCode::FORBIDDEN,
        }
    }
}
