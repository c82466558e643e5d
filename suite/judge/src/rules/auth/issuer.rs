//! The authorization server: of 2025-03-26 as a part of the MCP server, later as far as it may be asked. The probes are
//! described in `standing.rs`.

use serde_json::Value;
use url::Url;
use verdict::AuthorizationDiscovery;
use verdict::{Intent, Key};

use super::metadata::{is_safe, same_origin};
use super::standing::{document, finding, guarded, has_probe, probes, status};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "auth/issuer",
    judges: &[
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
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    if guarded(view, collector, RULE.judges).is_none() {
        return;
    }
    for id in ["auth.as.redirect-uri-scheme", "auth.as.pkce-required"] {
        collector.not_observed(id, "requires registering a client: allow it with [auth] register = true");
    }
    if has_probe(view, Intent::AuthElsewhere) {
        for id in ["auth.as.discovery", "auth.as.pkce-advertised"] {
            collector.not_observed(id, "the authorization server is on another host, which is not contacted");
        }
    }
    for case in probes(view, Intent::AuthServer).filter(Case::is_decided) {
        check_server(&case, collector);
    }
    check_fallback(view, collector);
    for case in probes(view, Intent::AuthRedirect).filter(|case| case.status().is_some()) {
        check_redirect(&case, collector);
    }
    for case in probes(view, Intent::AuthRegister).filter(|case| case.about_str(Key::Kind) == Some("http")) {
        register(&case, collector);
    }
    for case in probes(view, Intent::AuthPkce).filter(|case| case.status().is_some()) {
        check_pkce(&case, collector);
    }
    check_discovery(view, collector);
}

fn check_server(case: &Case<'_>, collector: &mut Collector) {
    let document = document(case);
    collector.check("auth.as.metadata", document.is_some(), || {
        let message = "There is no authorization server metadata at the root of the host: clients of this revision have to guess the endpoints.";
        finding(case, message, "HTTP status 200 and a JSON object", case.outcome())
    });
    let Some(document) = document else { return };
    let missing = missing(&document);
    collector.check("auth.as.metadata-required-members", missing.is_empty(), || {
        let message = "The authorization server metadata lacks members that clients need to request a token.";
        finding(
            case,
            message,
            "issuer, authorization_endpoint, token_endpoint and response_types_supported",
            format!("no {}", missing.join(", ")),
        )
    });
    check_issuer(case, &document, collector);
    collector.check("auth.as.dynamic-registration", document.get("registration_endpoint").is_some(), || {
        let message = "Clients cannot register themselves: each has to be known to the server in advance.";
        finding(case, message, "registration_endpoint", "no registration_endpoint")
    });
    for name in ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"] {
        let Some(url) = document.get(name).and_then(Value::as_str).and_then(|text| Url::parse(text).ok()) else {
            continue;
        };
        collector.check("auth.as.https", is_safe(&url), || {
            let message =
                "An authorization endpoint does not use https: anyone on the network path can read codes and tokens.";
            finding(case, message, "https (http on loopback)", format!("{name} with the scheme {}", url.scheme()))
        });
    }
}

/// RFC 8414, section 2.
fn missing(document: &Value) -> Vec<&'static str> {
    let text = |name: &&str| !document.get(*name).is_some_and(Value::is_string);
    let mut missing: Vec<&str> = ["issuer", "token_endpoint"].into_iter().filter(text).collect();
    if !document.get("response_types_supported").is_some_and(Value::is_array) {
        missing.push("response_types_supported");
    }
    let grants = document.get("grant_types_supported").and_then(Value::as_array);
    let excused =
        grants.is_some_and(|grants| !grants.iter().any(|grant| grant == "authorization_code" || grant == "implicit"));
    if !excused && text(&"authorization_endpoint") {
        missing.push("authorization_endpoint");
    }
    missing
}

/// RFC 8414, section 3.3. An issuer on another host is a separate authorization server's document handed on.
fn check_issuer(case: &Case<'_>, document: &Value, collector: &mut Collector) {
    const ID: &str = "auth.as.metadata-required-members";
    let named = document.get("issuer").and_then(Value::as_str).and_then(|text| Url::parse(text).ok());
    let endpoint = case.about_str(Key::Endpoint).and_then(|text| Url::parse(text).ok());
    let (Some(named), Some(endpoint)) = (named, endpoint) else { return };
    if same_origin(&named, &endpoint) {
        collector.check(ID, named.path() == "/" && named.query().is_none(), || {
            let message = "`issuer` is not the URL where the metadata was found: clients refuse it, because one issuer could impersonate another.";
            finding(case, message, "the origin of this server", format!("the path {}", named.path()))
        });
    } else {
        collector.note(ID, "`issuer` is on another host: the metadata belongs to a separate authorization server");
    }
}

fn check_fallback(view: &View<'_>, collector: &mut Collector) {
    const ID: &str = "auth.as.fallback-endpoints";
    let probed = |name: &str| {
        probes(view, Intent::AuthFallback)
            .find(|case| case.about_str(Key::Endpoint) == Some(name) && case.status().is_some())
    };
    let (Some(authorize), Some(token)) = (probed("authorize"), probed("token")) else {
        collector.not_observed(ID, "the metadata states where the endpoints are");
        return;
    };
    if token.status() != Some(404) && authorize.status() == Some(404) {
        collector.note(ID, "there is no /authorize: client credentials may be the only grant");
    }
    collector.check(ID, token.status() != Some(404), || {
        let message = "There is neither authorization server metadata nor a token endpoint at the default path: nobody can get a token.";
        finding(&token, message, "a status other than 404 at /authorize and /token", status(&token))
    });
}

fn check_redirect(case: &Case<'_>, collector: &mut Collector) {
    let away = case
        .header("location")
        .and_then(|to| Url::parse(to).ok())
        .is_some_and(|to| to.host_str() == Some("evil.example"));
    let redirected = case.status().is_some_and(|status| (300..400).contains(&status)) && away;
    collector.check("auth.as.redirect-uri-validated", !redirected, || {
        let message = "The authorization endpoint redirects to a URI that no client has registered: attackers can have codes sent to themselves.";
        finding(case, message, "an error and no redirect to that URI", "a redirect to that URI")
    });
}

fn register(case: &Case<'_>, collector: &mut Collector) {
    let Some(code) = case.status() else { return };
    collector.check("auth.as.redirect-uri-scheme", !(200..300).contains(&code), || {
        let message =
            "A client whose redirect URI is http on another host is registered: anyone on the network path can read its codes.";
        finding(case, message, "HTTP status 400", status(case))
    });
}

fn check_pkce(case: &Case<'_>, collector: &mut Collector) {
    let location = case.header("location").and_then(|to| Url::parse(to).ok());
    let error = location.is_some_and(|to| to.query_pairs().any(|(name, _)| name == "error"));
    let refused = case.status().is_some_and(|status| status >= 400) || error;
    collector.check("auth.as.pkce-required", refused, || {
        let message = "An authorization request without a PKCE challenge is not refused: a code stolen in transit can be redeemed by the thief.";
        finding(case, message, "an error, immediately or in the redirect", status(case))
    });
}

/// One issuer may be asked at several places; one good document is enough.
fn check_discovery(view: &View<'_>, collector: &mut Collector) {
    let mut issuers: Vec<&str> =
        probes(view, Intent::AuthIssuer).filter_map(|case| case.about_str(Key::Issuer)).collect();
    issuers.sort_unstable();
    issuers.dedup();
    for issuer in issuers {
        let of: Vec<Case<'_>> =
            probes(view, Intent::AuthIssuer).filter(|case| case.about_str(Key::Issuer) == Some(issuer)).collect();
        let (mut good, mut other) = (None, false);
        for case in &of {
            let Some(document) = document(case) else { continue };
            let named = document.get("issuer").and_then(Value::as_str).unwrap_or_default();
            let early = view.revision.traits().authorization < AuthorizationDiscovery::ResourceMetadataOrWellKnown
                && case.about_str(Key::Kind) == Some("openid");
            if named.trim_end_matches('/') != issuer.trim_end_matches('/') {
                other = true;
            } else if !early {
                good = Some((*case, document));
                break;
            }
        }
        let Some(first) = of.iter().find(|case| case.status().is_some()) else { continue };
        collector.check("auth.as.discovery", good.is_some(), || {
            let message = "The authorization server named in the metadata does not publish valid metadata of its own: clients cannot request a token from it. (This is the authorization server's responsibility, not the MCP server's.)";
            let actual = if other { "a document with another issuer" } else { "no document" };
            finding(first, message, "metadata at a well-known URL whose issuer matches the entry", actual)
        });
        if let Some((case, document)) = good {
            let told = document.get("code_challenge_methods_supported").is_some_and(Value::is_array);
            collector.check("auth.as.pkce-advertised", told, || {
                let message = "The authorization server does not advertise PKCE support: MCP clients refuse to continue. (This is the authorization server's responsibility, not the MCP server's.)";
                finding(&case, message, "code_challenge_methods_supported", "no such member")
            });
        }
    }
}
