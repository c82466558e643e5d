//! Refusals: a status and the `WWW-Authenticate` header that says what it takes.

use hyper::StatusCode;

use super::super::answer::{Answer, empty, plain, with};
use super::tokens::{USE, WRITE};
use super::{Guard, METADATA};
use crate::deviation::Deviation;
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

    /// Changes every challenge as deviations have it.
    fn spoil(&mut self, why: Why, settings: &Settings) {
        if settings.deviates(Deviation::ChallengeScopesTwice) {
            self.parameters.push(("scope", WRITE.to_owned()));
        }
        if settings.deviates(Deviation::ChallengeScopesAsJson) {
            self.set("scope", "[\"mcp:use\"]");
        }
        if settings.deviates(Deviation::ChallengeScopesByComma) {
            self.set("scope", "mcp:use, mcp:write");
        }
        if settings.deviates(Deviation::ChallengeIsOAuth) {
            self.scheme = "OAuth";
        }
        if settings.deviates(Deviation::ChallengeWithoutScope) && why != Why::Scope {
            self.drop("scope");
        }
        if settings.deviates(Deviation::ChallengeAsksOfflineAccess) {
            self.set("scope", "mcp:use offline_access");
        }
        if settings.deviates(Deviation::ChallengeErrorWithoutToken) && why == Why::Missing {
            self.set("error", "invalid_token");
        }
        if settings.deviates(Deviation::ChallengeWithoutError) && why == Why::Invalid {
            self.drop("error");
        }
    }

    /// Changes a challenge for more scope as deviations have it.
    fn spoil_scope(&mut self, count: u64, settings: &Settings) {
        if settings.deviates(Deviation::ScopeChallengeWithoutError) {
            self.drop("error");
        }
        if settings.deviates(Deviation::ScopeChallengeWithoutScopes) {
            self.drop("scope");
        }
        if settings.deviates(Deviation::ScopeChallengeWithoutMetadata) {
            self.drop("resource_metadata");
        }
        if settings.deviates(Deviation::ScopeChallengesDiffer) && count % 2 == 1 {
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
        let silent = settings.deviates(Deviation::NoChallenge) && status == StatusCode::UNAUTHORIZED;
        if silent || status.is_redirection() {
            return answer;
        }
        let value = if settings.quirk("own-keys") { "Bearer".to_owned() } else { challenge.value() };
        let answer = with(answer, "www-authenticate", &value);
        with(answer, "access-control-expose-headers", "WWW-Authenticate")
    }

    fn name_metadata(&self, challenge: &mut Challenge, settings: &Settings) {
        let missing = [Deviation::ChallengeWithoutMetadata, Deviation::MetadataNeitherNamedNorServed];
        if missing.iter().any(|deviation| settings.deviates(*deviation)) {
            return;
        }
        let place = if settings.deviates(Deviation::WellKnownAppended) {
            format!("{PATH}{METADATA}")
        } else {
            format!("{METADATA}{PATH}")
        };
        let url = match () {
            () if settings.deviates(Deviation::ChallengeMetadataRelative) => place,
            () if settings.deviates(Deviation::ChallengeMetadataNowhere) => format!("{}/nowhere{place}", self.origin),
            () => format!("{}{place}", self.origin),
        };
        challenge.set("resource_metadata", &url);
    }

    fn status(&self, why: Why, settings: &Settings) -> StatusCode {
        let on = |deviation| settings.deviates(deviation);
        match why {
            Why::Missing if on(Deviation::MissingTokenRedirects) => StatusCode::FOUND,
            Why::Missing if on(Deviation::MissingTokenGets403) => StatusCode::FORBIDDEN,
            Why::Missing => StatusCode::UNAUTHORIZED,
            Why::Malformed if on(Deviation::MalformedAuthorizationGets500) => StatusCode::INTERNAL_SERVER_ERROR,
            Why::Malformed => StatusCode::BAD_REQUEST,
            Why::Invalid if on(Deviation::InvalidTokenGets403) => StatusCode::FORBIDDEN,
            Why::Invalid if on(Deviation::InvalidTokenGets500) => StatusCode::INTERNAL_SERVER_ERROR,
            Why::Invalid => StatusCode::UNAUTHORIZED,
            Why::Scope if on(Deviation::MissingScopeGets401) => StatusCode::UNAUTHORIZED,
            Why::Scope => StatusCode::FORBIDDEN,
        }
    }
}
