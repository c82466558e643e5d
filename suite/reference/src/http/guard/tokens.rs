//! Whose token it is and what it may do. Every token is made when the server starts, and good until it ends.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use url::Url;

use super::jwt::{Blind, Keys};
use crate::deviation::Deviation;
use crate::settings::{Auth, Settings};

/// The scope that every request needs.
pub(super) const USE: &str = "mcp:use";
/// The scope that the destructive tool needs as well.
pub(super) const WRITE: &str = "mcp:write";
/// The scope that the destructive tool needs last if a deviation asks for one scope at a time.
pub(super) const RESET: &str = "mcp:reset";
/// Implies every other.
const ADMIN: &str = "mcp:admin";

/// Somebody who has shown a good token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(in crate::http) subject: String,
    scopes: Vec<String>,
}

impl Holder {
    /// Whether a scope, or one that implies it, was granted.
    pub(super) fn has(&self, scope: &str, settings: &Settings) -> bool {
        let implies = |granted: &String| granted == ADMIN && !settings.deviates(Deviation::ScopesAreFlat);
        self.scopes.iter().any(|granted| granted == scope || implies(granted))
    }
}

/// Every token there is, by the name under which a tester is told of it.
pub(super) struct Tokens {
    known: Vec<(&'static str, String, Holder)>,
    jwt: Option<(Keys, String)>,
}

/// name, subject, scopes, whether it is for this server, and whether it is still good
const MADE: [(&str, &str, &str, Audience, bool); 9] = [
    ("token", "ada", "mcp:use mcp:write mcp:reset", Audience::This, true),
    ("second", "bob", "mcp:use mcp:write mcp:reset", Audience::This, true),
    ("lesser", "ada", "mcp:use", Audience::This, true),
    ("granted", "ada", "mcp:use mcp:write", Audience::This, true),
    ("broader", "ada", "mcp:admin", Audience::This, true),
    ("expired", "ada", "mcp:use mcp:write", Audience::This, false),
    ("other_audience", "ada", "mcp:use mcp:write", Audience::Other, true),
    ("no_audience", "ada", "mcp:use mcp:write", Audience::None, true),
    ("upper_case_audience", "ada", "mcp:use mcp:write", Audience::UpperCase, true),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Audience {
    This,
    Other,
    None,
    UpperCase,
}

impl Tokens {
    /// Random strings, or tokens signed by `issuer` for `resource`.
    pub(super) fn new(auth: Auth, issuer: &str, resource: &str) -> std::io::Result<Self> {
        let keys = if auth == Auth::Jwt { Some(Keys::new()?) } else { None };
        let mut known = Vec::new();
        for (name, subject, scopes, audience, fresh) in MADE {
            let token = match &keys {
                Some(keys) => keys.mint(&claims(issuer, subject, scopes, (audience, resource), fresh))?,
                // Nothing can be read from a random string that would make it a wrong one.
                None if audience != Audience::This || !fresh => continue,
                None => random()?,
            };
            let scopes = scopes.split(' ').map(str::to_owned).collect();
            known.push((name, token, Holder { subject: subject.to_owned(), scopes }));
        }
        Ok(Self { known, jwt: keys.map(|keys| (keys, issuer.to_owned())) })
    }

    /// Names and tokens.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.known.iter().map(|(name, token, _)| (*name, token.as_str()))
    }

    /// Who holds this token, if it is good here.
    pub(super) fn holder(&self, token: &str, resource: &str, settings: &Settings) -> Option<Holder> {
        let Some((keys, issuer)) = &self.jwt else {
            return self.known.iter().find(|(_, known, _)| known == token).map(|(_, _, holder)| holder.clone());
        };
        let claims = keys.verify(token, issuer, blind(token, settings))?;
        if !for_this(&claims["aud"], resource, settings) {
            return None;
        }
        let scopes = claims["scope"].as_str().unwrap_or_default().split(' ').map(str::to_owned).collect();
        Some(Holder { subject: claims["sub"].as_str().unwrap_or_default().to_owned(), scopes })
    }
}

/// Returns the checks that deviations skip.
fn blind(token: &str, settings: &Settings) -> Blind {
    let unsigned = settings.deviates(Deviation::UnsignedTokensAccepted) && token.ends_with('.');
    let signature = settings.deviates(Deviation::SignatureUnchecked)
        || settings.deviates(Deviation::SignatureUnchecked)
        || unsigned;
    Blind { signature, expiry: settings.deviates(Deviation::ExpiryUnchecked) }
}

fn for_this(audience: &Value, resource: &str, settings: &Settings) -> bool {
    let careless = settings.deviates(Deviation::AudienceOptional);
    if careless || audience.is_null() {
        return careless;
    }
    if settings.deviates(Deviation::AudienceUnchecked) {
        return true;
    }
    let same = |named: &Value| match (named.as_str(), settings.deviates(Deviation::AudienceCaseMatters)) {
        (Some(named), true) => named == resource,
        (Some(named), false) => canonical(named).is_some_and(|named| Some(named) == canonical(resource)),
        (None, _) => false,
    };
    match audience {
        Value::Array(several) => several.iter().any(same),
        one => same(one),
    }
}

/// Scheme and host in lower case, as any URL library writes them.
fn canonical(text: &str) -> Option<String> {
    Some(Url::parse(text).ok()?.as_str().trim_end_matches('/').to_owned())
}

fn claims(issuer: &str, subject: &str, scopes: &str, (audience, resource): (Audience, &str), fresh: bool) -> Value {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let expiry = if fresh { now + 86_400 } else { now.saturating_sub(86_400) };
    let mut claims =
        json!({"iss": issuer, "sub": subject, "scope": scopes, "iat": now.saturating_sub(90_000), "exp": expiry});
    match audience {
        Audience::This => claims["aud"] = json!(resource),
        Audience::Other => claims["aud"] = json!("https://another.example/mcp"),
        Audience::UpperCase => claims["aud"] = json!(resource.replacen("http", "HTTP", 1)),
        Audience::None => {}
    }
    claims
}

/// 192 bits that nobody can guess.
fn random() -> std::io::Result<String> {
    use base64::Engine as _;
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Options;

    const ISSUER: &str = "http://127.0.0.1:1";
    const HERE: &str = "http://127.0.0.1:1/mcp";

    fn settings(deviations: &[Deviation]) -> Settings {
        Settings::new(&Options::default(), Vec::new(), deviations.iter().copied().collect())
    }

    fn good(auth: Auth, deviations: &[Deviation]) -> Vec<&'static str> {
        let tokens = Tokens::new(auth, ISSUER, HERE).expect("randomness");
        let settings = settings(deviations);
        let good = tokens.all().filter(|(_, token)| tokens.holder(token, HERE, &settings).is_some());
        good.map(|(name, _)| name).collect()
    }

    #[test]
    fn only_tokens_made_for_this_server_and_not_expired_are_good() {
        let expected = ["token", "second", "lesser", "granted", "broader", "upper_case_audience"];
        assert_eq!(good(Auth::Jwt, &[]), expected);
        assert_eq!(good(Auth::Static, &[]), expected[..5]);
    }

    #[test]
    fn deviations_let_through_what_they_name() {
        assert!(good(Auth::Jwt, &[Deviation::ExpiryUnchecked]).contains(&"expired"));
        assert!(good(Auth::Jwt, &[Deviation::AudienceUnchecked]).contains(&"other_audience"));
        assert!(good(Auth::Jwt, &[Deviation::AudienceOptional]).contains(&"no_audience"));
        assert!(!good(Auth::Jwt, &[Deviation::AudienceCaseMatters]).contains(&"upper_case_audience"));
    }

    #[test]
    fn a_broader_scope_implies_the_narrower() {
        let tokens = Tokens::new(Auth::Jwt, ISSUER, HERE).expect("randomness");
        let settings = settings(&[]);
        let holder = |wanted: &str| {
            let (_, token) = tokens.all().find(|(name, _)| *name == wanted).expect("it is made");
            tokens.holder(token, HERE, &settings).expect("it is good")
        };
        assert!(holder("broader").has(WRITE, &settings) && holder("broader").has(USE, &settings));
        assert!(!holder("lesser").has(WRITE, &settings));
    }
}
