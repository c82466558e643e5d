//! JSON Web Tokens, signed with ES256 by a key that lives as long as the server. `jsonwebtoken` reads and verifies them; the
//! cryptography is that of `ring`.

use std::sync::Once;

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, dangerous, decode, encode};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, VerificationAlgorithm,
};
use serde_json::Value;

/// A key pair of the server's own.
pub(super) struct Keys {
    signing: EncodingKey,
    verifying: DecodingKey,
}

/// Checks of a token that deviations skip.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Blind {
    pub(super) signature: bool,
    pub(super) expiry: bool,
}

impl Keys {
    /// A fresh pair.
    pub(super) fn new() -> std::io::Result<Self> {
        static INSTALLED: Once = Once::new();
        // Whoever came first installed the same one.
        INSTALLED.call_once(|| {
            let _ = PROVIDER.install_default();
        });
        let broken = |_: ring::error::Unspecified| std::io::Error::other("no key could be made");
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).map_err(broken)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random);
        let public = pair.map_err(|_| broken(ring::error::Unspecified))?.public_key().as_ref().to_vec();
        Ok(Self { signing: EncodingKey::from_ec_der(document.as_ref()), verifying: DecodingKey::from_ec_der(&public) })
    }

    /// Signs claims.
    pub(super) fn mint(&self, claims: &Value) -> std::io::Result<String> {
        encode(&Header::new(Algorithm::ES256), claims, &self.signing).map_err(std::io::Error::other)
    }

    /// The claims of a token that is good in signature, issuer and expiry; the audience is for the caller to compare.
    pub(super) fn verify(&self, token: &str, issuer: &str, blind: Blind) -> Option<Value> {
        if blind.signature {
            return dangerous::insecure_decode_claims::<Value>(token).ok();
        }
        let mut validation = Validation::new(Algorithm::ES256);
        validation.set_issuer(&[issuer]);
        validation.set_required_spec_claims(&["exp", "iss", "sub"]);
        validation.validate_aud = false;
        validation.validate_exp = !blind.expiry;
        decode::<Value>(token, &self.verifying, &validation).ok().map(|data| data.claims)
    }
}

/// ES256 and nothing else.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| match algorithm {
        Algorithm::ES256 => Ok(Box::new(Signing::new(key)?) as Box<dyn JwtSigner>),
        _ => Err(Error::from(ErrorKind::InvalidAlgorithm)),
    },
    verifier_factory: |algorithm, key| match algorithm {
        Algorithm::ES256 => Ok(Box::new(Verifying(key.try_get_as_bytes()?.to_vec())) as Box<dyn JwtVerifier>),
        _ => Err(Error::from(ErrorKind::InvalidAlgorithm)),
    },
    key_utils: KeyUtils::new_unimplemented(),
};

struct Signing(EcdsaKeyPair);

impl Signing {
    fn new(key: &EncodingKey) -> Result<Self, Error> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, key.as_bytes(), &SystemRandom::new());
        pair.map(Self).map_err(|_| ErrorKind::InvalidEcdsaKey.into())
    }
}

impl Signer<Vec<u8>> for Signing {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        let signed = self.0.sign(&SystemRandom::new(), message).map_err(|_| signature::Error::new())?;
        Ok(signed.as_ref().to_vec())
    }
}

impl JwtSigner for Signing {
    fn algorithm(&self) -> Algorithm {
        Algorithm::ES256
    }
}

struct Verifying(Vec<u8>);

impl Verifier<Vec<u8>> for Verifying {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        ECDSA_P256_SHA256_FIXED
            .verify(self.0.as_slice().into(), message.into(), signature.as_slice().into())
            .map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Verifying {
    fn algorithm(&self) -> Algorithm {
        Algorithm::ES256
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_token_is_good_only_with_its_own_key_issuer_and_time() {
        let (keys, others) = (Keys::new().expect("a key"), Keys::new().expect("a key"));
        let claims = |expiry: u64| json!({"iss": "http://a", "sub": "x", "exp": expiry});
        let token = keys.mint(&claims(9_000_000_000)).expect("a token");
        let look = Blind::default();
        assert_eq!(keys.verify(&token, "http://a", look).map(|claims| claims["sub"].clone()), Some(json!("x")));
        assert!(keys.verify(&token, "http://b", look).is_none());
        assert!(others.verify(&token, "http://a", look).is_none());
        let old = keys.mint(&claims(1_000_000_000)).expect("a token");
        assert!(keys.verify(&old, "http://a", look).is_none());
        assert!(keys.verify(&old, "http://a", Blind { expiry: true, ..look }).is_some());
        assert!(others.verify(&token, "http://b", Blind { signature: true, ..look }).is_some());
    }
}
