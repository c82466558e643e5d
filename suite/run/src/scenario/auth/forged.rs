//! Tokens that nobody should take: without signature, signed by an outsider, of an outsider's issuer.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use serde_json::{Value, json};

/// The claims of a valid token, as far as they are public.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    pub(super) issuer: String,
    pub(super) resource: String,
    pub(super) scope: String,
}

/// Names and tokens, each wrong in one way.
pub(super) fn all(claims: &Claims) -> Vec<(&'static str, String)> {
    let body = coded(&claims.body(&claims.issuer));
    let head = |algorithm: &str| coded(&json!({"alg": algorithm, "typ": "JWT"}));
    let foreign = coded(&claims.body("https://issuer.mcp-conform.invalid"));
    let mut all = vec![
        ("random", random(32)),
        ("truncated", format!("{}.{body}", head("ES256"))),
        ("alg-none", format!("{}.{body}.", head("none"))),
        ("forged-hs256", hs256(&format!("{}.{body}", head("HS256")), &claims.resource)),
        // A outsider's signature is as good as any other that does not fit.
        ("forged-rs256", format!("{}.{body}.{}", head("RS256"), random(256))),
    ];
    all.extend(es256(&format!("{}.{body}", head("ES256"))).map(|token| ("forged-es256", token)));
    all.extend(es256(&format!("{}.{foreign}", head("ES256"))).map(|token| ("foreign-issuer", token)));
    all
}

impl Claims {
    fn body(&self, issuer: &str) -> Value {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        json!({"iss": issuer, "aud": self.resource, "sub": "mcp-conform", "client_id": "mcp-conform",
            "scope": self.scope, "iat": now.saturating_sub(60), "exp": now + 3600})
    }
}

fn coded(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

/// So many random bytes.
pub(super) fn random(bytes: usize) -> String {
    let mut random = vec![0x5a; bytes];
    // Without randomness it is still a token that nobody issued.
    let _ = getrandom::fill(&mut random);
    URL_SAFE_NO_PAD.encode(random)
}

/// With what anybody knows as the secret.
fn hs256(signed: &str, secret: &str) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tag))
}

/// With a key that was made this moment.
fn es256(signed: &str) -> Option<String> {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).ok()?;
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).ok()?;
    let signature = pair.sign(&random, signed.as_bytes()).ok()?;
    Some(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forged_tokens_differ_from_a_good_one_in_one_thing_each() {
        let claims = Claims { issuer: "https://a".into(), resource: "https://b/mcp".into(), scope: "x".into() };
        let all = all(&claims);
        assert_eq!(all.len(), 7);
        for (name, token) in all.iter().filter(|(name, _)| *name != "random") {
            let parts: Vec<&str> = token.split('.').collect();
            assert_eq!(parts.len(), if *name == "truncated" { 2 } else { 3 }, "{name}");
            let body: Value =
                serde_json::from_slice(&URL_SAFE_NO_PAD.decode(parts[1]).expect("Base64")).expect("claims");
            assert_eq!(body["aud"], "https://b/mcp");
            assert_eq!(body["iss"] == "https://a", *name != "foreign-issuer", "{name}");
        }
    }
}
