//! Faults of the area auth: what the guard of the HTTP endpoint does wrong. All imply that there is one.

use super::Hook::Switch;
use super::{Fault, Hook, fault};
use crate::Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::Transport::Http;
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
    guarded(
        "auth.challenge.401-without-token",
        "",
        "a request without a token gets 403",
        Switch(&[Deviation::MissingTokenGets403]),
    ),
    guarded(
        "auth.challenge.401-without-token",
        "redirect",
        "a request without a token is sent to a login page",
        Switch(&[Deviation::MissingTokenRedirects]),
    ),
    guarded(
        "auth.challenge.401-on-get-and-delete",
        "",
        "GET and DELETE take no token",
        Switch(&[Deviation::GetAndDeleteOpen]),
    ),
    guarded(
        "auth.challenge.www-authenticate-present",
        "",
        "401 comes without WWW-Authenticate",
        Switch(&[Deviation::NoChallenge]),
    ),
    guarded(
        "auth.challenge.bearer-scheme",
        "",
        "the challenge is of a scheme named OAuth",
        Switch(&[Deviation::ChallengeIsOAuth]),
    ),
    guarded(
        "auth.challenge.resource-metadata",
        "",
        "the challenge does not name the metadata",
        Switch(&[Deviation::ChallengeWithoutMetadata]),
    ),
    guarded(
        "auth.challenge.resource-metadata-or-well-known",
        "",
        "there is no way to the metadata",
        Switch(&[Deviation::MetadataNeitherNamedNorServed]),
    ),
    guarded(
        "auth.challenge.resource-metadata-url",
        "",
        "the challenge names a URL where nothing is",
        Switch(&[Deviation::ChallengeMetadataNowhere]),
    ),
    guarded(
        "auth.challenge.resource-metadata-url",
        "relative",
        "the challenge names a relative URL",
        Switch(&[Deviation::ChallengeMetadataRelative]),
    ),
    guarded(
        "auth.challenge.no-error-without-token",
        "",
        "a request without a token gets error=invalid_token",
        Switch(&[Deviation::ChallengeErrorWithoutToken]),
    ),
    guarded("auth.challenge.scope", "", "the challenge names no scope", Switch(&[Deviation::ChallengeWithoutScope])),
    guarded(
        "auth.challenge.scope-syntax",
        "",
        "the scopes are separated by commas",
        Switch(&[Deviation::ChallengeScopesByComma]),
    ),
    guarded(
        "auth.challenge.scope-syntax",
        "json",
        "the scopes are a JSON list",
        Switch(&[Deviation::ChallengeScopesAsJson]),
    ),
    guarded(
        "auth.challenge.scope-syntax",
        "twice",
        "the challenge has scope twice",
        Switch(&[Deviation::ChallengeScopesTwice]),
    ),
    guarded(
        "auth.challenge.no-offline-access",
        "",
        "the challenge asks for offline_access",
        Switch(&[Deviation::ChallengeAsksOfflineAccess]),
    ),
    guarded(
        "auth.prm.served",
        "",
        "the challenge names metadata that is nowhere",
        Switch(&[Deviation::MetadataNotServed]),
    ),
    guarded("auth.prm.public", "", "the metadata takes a token", Switch(&[Deviation::MetadataNeedsToken])),
    guarded("auth.prm.content-type", "", "the metadata comes as text/html", Switch(&[Deviation::MetadataIsHtml])),
    guarded("auth.prm.resource-present", "", "the metadata has no resource", Switch(&[Deviation::ResourceMissing])),
    guarded("auth.prm.resource-present", "array", "resource is a list", Switch(&[Deviation::ResourceIsArray])),
    guarded(
        "auth.prm.resource-matches",
        "",
        "resource is another endpoint of the host",
        Switch(&[Deviation::ResourceIsOtherEndpoint]),
    ),
    guarded(
        "auth.prm.resource-identical",
        "",
        "resource is the origin, wherever it was looked up",
        Switch(&[Deviation::ResourceIsOrigin]),
    ),
    guarded(
        "auth.prm.at-well-known",
        "",
        "the well-known part follows after the path",
        Switch(&[Deviation::WellKnownAppended]),
    )
    .only(&[V2025_06_18]),
    guarded("auth.prm.resource-form", "", "resource is a path", Switch(&[Deviation::ResourceIsPath])),
    guarded("auth.prm.resource-form", "fragment", "resource has a fragment", Switch(&[Deviation::ResourceHasFragment])),
    guarded(
        "auth.prm.resource-form",
        "http",
        "resource is http, and not on this machine",
        Switch(&[Deviation::ResourceIsHttp]),
    ),
    guarded(
        "auth.prm.resource-no-trailing-slash",
        "",
        "resource ends with a slash",
        Switch(&[Deviation::ResourceHasTrailingSlash]),
    ),
    guarded(
        "auth.prm.authorization-servers",
        "",
        "the metadata has no authorization_servers",
        Switch(&[Deviation::AuthorizationServersMissing]),
    ),
    guarded(
        "auth.prm.authorization-servers",
        "empty",
        "authorization_servers is empty",
        Switch(&[Deviation::AuthorizationServersEmpty]),
    ),
    guarded(
        "auth.prm.authorization-servers-form",
        "",
        "an authorization server is http, with a query",
        Switch(&[Deviation::AuthorizationServerIsHttp]),
    ),
    guarded(
        "auth.prm.authorization-servers-form",
        "well-known",
        "an authorization server is named by its metadata",
        Switch(&[Deviation::AuthorizationServerIsMetadataUrl]),
    ),
    guarded(
        "auth.prm.no-empty-members",
        "",
        "a list in the metadata is empty",
        Switch(&[Deviation::MetadataHasEmptyList]),
    ),
    guarded(
        "auth.prm.no-empty-members",
        "null",
        "a member of the metadata is null",
        Switch(&[Deviation::MetadataHasNull]),
    ),
    guarded("auth.prm.scopes-form", "", "scopes_supported is a string", Switch(&[Deviation::ScopesAreString])),
    guarded(
        "auth.prm.no-offline-access",
        "",
        "scopes_supported has offline_access",
        Switch(&[Deviation::ScopesHaveOfflineAccess]),
    ),
    guarded("auth.prm.scopes-minimal", "", "scopes_supported has a wildcard", Switch(&[Deviation::ScopesHaveWildcard])),
    guarded(
        "auth.prm.no-query-method",
        "",
        "bearer_methods_supported names query",
        Switch(&[Deviation::BearerInQueryAdvertised]),
    ),
    guarded(
        "auth.prm.cors",
        "",
        "the metadata cannot be read by pages of other origins",
        Switch(&[Deviation::MetadataWithoutCors]),
    ),
    guarded("auth.token.invalid-401", "", "any Authorization header will do", Switch(&[Deviation::AnyTokenAccepted])),
    guarded(
        "auth.token.invalid-401",
        "alg-none",
        "a token that says it needs no signature is believed",
        Switch(&[Deviation::UnsignedTokensAccepted]),
    ),
    guarded("auth.token.invalid-401", "status", "an invalid token gets 403", Switch(&[Deviation::InvalidTokenGets403])),
    guarded("auth.token.invalid-401", "breaks", "an invalid token gets 500", Switch(&[Deviation::InvalidTokenGets500])),
    guarded("auth.token.forged-401", "", "signatures are not checked", Switch(&[Deviation::SignatureUnchecked])),
    guarded("auth.token.wrong-issuer", "", "a token of any issuer will do", Switch(&[Deviation::SignatureUnchecked])),
    guarded(
        "auth.token.error-code",
        "",
        "the challenge after an invalid token has no error",
        Switch(&[Deviation::ChallengeWithoutError]),
    ),
    guarded("auth.token.expired-401", "", "expired tokens are good", Switch(&[Deviation::ExpiryUnchecked])),
    guarded(
        "auth.token.wrong-audience",
        "",
        "tokens for other servers are good",
        Switch(&[Deviation::AudienceUnchecked]),
    ),
    guarded("auth.token.no-audience", "", "nobody looks for whom a token is", Switch(&[Deviation::AudienceOptional])),
    guarded(
        "auth.token.query-string",
        "",
        "a token in the query string is good",
        Switch(&[Deviation::TokenInQueryAccepted]),
    ),
    guarded(
        "auth.token.every-request",
        "",
        "within a session no token is asked for",
        Switch(&[Deviation::SessionNeedsNoToken]),
    )
    .only(SESSIONS),
    guarded(
        "auth.token.before-processing",
        "",
        "unknown methods are refused before the token is looked at",
        Switch(&[Deviation::UnknownMethodsNeedNoToken]),
    ),
    guarded(
        "auth.token.scheme-case",
        "",
        "only Bearer with a capital letter is understood",
        Switch(&[Deviation::SchemeCaseMatters]),
    ),
    guarded(
        "auth.status.malformed-400",
        "",
        "a malformed Authorization header gets 500",
        Switch(&[Deviation::MalformedAuthorizationGets500]),
    ),
    guarded(
        "auth.scope.status-403",
        "",
        "too little scope gives a tool error",
        Switch(&[Deviation::MissingScopeIsToolError]),
    ),
    guarded(
        "auth.scope.status-403",
        "unauthorized",
        "too little scope gives 401",
        Switch(&[Deviation::MissingScopeGets401]),
    ),
    guarded(
        "auth.scope.insufficient-scope",
        "",
        "the challenge for more scope has no error",
        Switch(&[Deviation::ScopeChallengeWithoutError]),
    ),
    guarded(
        "auth.scope.names-scopes",
        "",
        "the challenge for more scope names none",
        Switch(&[Deviation::ScopeChallengeWithoutScopes]),
    ),
    guarded(
        "auth.scope.names-metadata",
        "",
        "the challenge for more scope does not name the metadata",
        Switch(&[Deviation::ScopeChallengeWithoutMetadata]),
    ),
    guarded(
        "auth.scope.consistent",
        "",
        "every other challenge for more scope names others",
        Switch(&[Deviation::ScopeChallengesDiffer]),
    ),
    guarded(
        "auth.scope.all-at-once",
        "",
        "who has got the scopes that were named is asked for one more",
        Switch(&[Deviation::ScopesAskedPiecemeal]),
    ),
    guarded(
        "auth.scope.hierarchy",
        "",
        "a broader scope does not imply a narrower one",
        Switch(&[Deviation::ScopesAreFlat]),
    ),
    guarded(
        "auth.resource.upper-case-accepted",
        "",
        "a token for the same URL in capital letters is refused",
        Switch(&[Deviation::AudienceCaseMatters]),
    ),
    guarded(
        "auth.as.metadata",
        "",
        "there is no authorization server metadata",
        Switch(&[Deviation::NoServerMetadata]),
    ),
    guarded(
        "auth.as.metadata-required-members",
        "",
        "the authorization server metadata has no token_endpoint",
        Switch(&[Deviation::TokenEndpointMissing]),
    ),
    guarded(
        "auth.as.metadata-required-members",
        "issuer",
        "issuer is another URL of the host",
        Switch(&[Deviation::ForeignIssuer]),
    ),
    guarded(
        "auth.as.fallback-endpoints",
        "",
        "there is neither metadata nor an authorization endpoint",
        Switch(&[Deviation::NoAuthorizationServer]),
    ),
    guarded(
        "auth.as.https",
        "",
        "the token endpoint is http, and not on this machine",
        Switch(&[Deviation::TokenEndpointIsHttp]),
    ),
    guarded(
        "auth.as.redirect-uri-validated",
        "",
        "the authorization endpoint redirects anywhere",
        Switch(&[Deviation::RedirectUriUnchecked]),
    ),
    guarded(
        "auth.as.redirect-uri-scheme",
        "",
        "clients with http redirect URIs are registered",
        Switch(&[Deviation::HttpRedirectUriAllowed]),
    ),
    guarded("auth.as.pkce-required", "", "no PKCE challenge is asked for", Switch(&[Deviation::PkceOptional])),
    guarded(
        "auth.as.dynamic-registration",
        "",
        "there is no registration endpoint",
        Switch(&[Deviation::RegistrationEndpointMissing]),
    ),
    guarded(
        "auth.as.discovery",
        "",
        "the authorization server has no metadata",
        Switch(&[Deviation::NoServerMetadata]),
    )
    .only(LATER),
    guarded(
        "auth.as.discovery",
        "issuer",
        "the authorization server's metadata has another issuer",
        Switch(&[Deviation::ForeignIssuer]),
    )
    .only(LATER),
    guarded(
        "auth.as.pkce-advertised",
        "",
        "the authorization server does not say that it knows PKCE",
        Switch(&[Deviation::PkceNotAdvertised]),
    ),
];

const SESSIONS: &[crate::Revision] = &[V2025_03_26, V2025_06_18, V2025_11_25];
const LATER: &[crate::Revision] = &[V2025_06_18, V2025_11_25, V2026_07_28];

const fn guarded(id: &'static str, variant: &'static str, what: &'static str, hook: Hook) -> Fault {
    fault(id, variant, what, hook).over(&[Http])
}
