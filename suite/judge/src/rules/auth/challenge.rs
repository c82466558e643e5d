//! Rules about the challenge in a 401 or 403. `docs/probes.md` lists the probes.

use url::Url;
use verdict::{Intent, Key};

use super::header::{Challenge, bearer, challenges};
use super::metadata::is_safe;
use super::standing::{challenged, document, finding, guarded, has_probe, probes, refusals};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "auth/challenge",
    judges: &[
        "auth.challenge.www-authenticate-present",
        "auth.challenge.bearer-scheme",
        "auth.challenge.resource-metadata",
        "auth.challenge.resource-metadata-or-well-known",
        "auth.challenge.resource-metadata-url",
        "auth.challenge.no-error-without-token",
        "auth.challenge.scope",
        "auth.challenge.scope-syntax",
        "auth.challenge.no-offline-access",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let Some(guarded) = guarded(view, collector, RULE.judges) else { return };
    for case in refusals(view) {
        check_present(&case, collector);
    }
    for case in challenged(view) {
        for challenge in challenges(&case).iter().filter(|challenge| challenge.is_bearer()) {
            check_syntax(&case, challenge, collector);
            check_offline(&case, challenge, collector);
        }
    }
    if guarded.door.status() == Some(401) {
        check_named(view, &guarded.door, collector);
        check_scope(view, &guarded.door, collector);
    }
    check_url(view, &guarded.door, collector);
    for case in probes(view, Intent::AuthBare).filter(|case| case.status() == Some(401)) {
        no_error(&case, collector);
    }
}

fn check_present(case: &Case<'_>, collector: &mut Collector) {
    collector.check("auth.challenge.www-authenticate-present", case.header("www-authenticate").is_some(), || {
        let message = "A 401 response has no WWW-Authenticate header, which is where clients learn how to get a token.";
        finding(
            case,
            message,
            "a WWW-Authenticate header with a Bearer challenge",
            "HTTP status 401 without WWW-Authenticate",
        )
    });
    let schemes: Vec<String> = challenges(case).into_iter().map(|challenge| challenge.scheme).collect();
    if !schemes.is_empty() {
        let bearer = schemes.iter().any(|scheme| scheme.eq_ignore_ascii_case("Bearer"));
        collector.check("auth.challenge.bearer-scheme", bearer, || {
            let message = "The challenge has a scheme other than Bearer: MCP clients send Bearer tokens and support nothing else.";
            finding(case, message, "a challenge with the Bearer scheme", format!("scheme {}", schemes.join(", ")))
        });
    }
}

/// How the metadata is to be found.
fn check_named(view: &View<'_>, door: &Case<'_>, collector: &mut Collector) {
    let parameter = bearer(door).is_some_and(|challenge| challenge.get("resource_metadata").is_some());
    if bearer(door).is_some() {
        collector.check("auth.challenge.resource-metadata", parameter, || {
            let message = "The challenge does not say where the protected resource metadata is, so clients cannot find out where tokens are issued.";
            finding(door, message, "the resource_metadata parameter with a URL", "a Bearer challenge without resource_metadata")
        });
    }
    let well_known = probes(view, Intent::AuthMetadata)
        .any(|case| case.about_str(Key::Place) != Some("challenge") && document(&case).is_some());
    collector.check("auth.challenge.resource-metadata-or-well-known", parameter || well_known, || {
        let message = "Clients cannot find the protected resource metadata: the challenge does not name it, and it is not at a well-known URL.";
        let expected = "resource_metadata in the challenge, or a document at /.well-known/oauth-protected-resource";
        finding(door, message, expected, "neither")
    });
}

fn check_url(view: &View<'_>, door: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "auth.challenge.resource-metadata-url";
    let Some(text) = bearer(door).and_then(|challenge| challenge.get("resource_metadata").map(str::to_owned)) else {
        collector.not_observed(ID, "the challenge names no URL");
        return;
    };
    let expected = "an absolute https URL (http on loopback) that serves the document";
    let Ok(url) = Url::parse(&text) else {
        let message = "resource_metadata is not an absolute URL, so clients cannot fetch it.";
        collector.fail(ID, finding(door, message, expected, "a relative URL, or none"));
        return;
    };
    if !is_safe(&url) {
        let message = "resource_metadata is not an https URL: anyone on the network path can send clients to an authorization server of their own.";
        collector.fail(ID, finding(door, message, expected, format!("a URL with the scheme {}", url.scheme())));
        return;
    }
    match probes(view, Intent::AuthMetadata).find(|case| case.about_str(Key::Place) == Some("challenge")) {
        Some(case) => collector.check(ID, case.status() == Some(200), || {
            let message = "The URL in the challenge does not return the metadata.";
            finding(&case, message, "HTTP status 200", super::standing::status(&case))
        }),
        None if has_probe(view, Intent::AuthElsewhere) => {
            collector.not_observed(ID, "the document is on another host, which is not contacted");
        }
        None => {}
    }
}

fn no_error(case: &Case<'_>, collector: &mut Collector) {
    let Some(challenge) = bearer(case) else { return };
    collector.check("auth.challenge.no-error-without-token", challenge.get("error").is_none(), || {
        let message = "The challenge for a request without any credential contains an error: clients conclude that a token was refused.";
        let error = challenge.get("error").unwrap_or_default();
        finding(case, message, "a challenge without an error parameter", format!("error={error:?}"))
    });
}

fn check_scope(view: &View<'_>, door: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "auth.challenge.scope";
    let Some(challenge) = bearer(door) else { return };
    let supported = probes(view, Intent::AuthMetadata).filter_map(|case| document(&case)).any(|document| {
        document.get("scopes_supported").and_then(|scopes| scopes.as_array()).is_some_and(|scopes| !scopes.is_empty())
    });
    if challenge.get("scope").is_some() {
        collector.witness(ID);
    } else if supported {
        let message = "The challenge does not say which scopes are needed, although the server supports scopes: clients have to guess, or request all of them.";
        collector.fail(ID, finding(door, message, "the scope parameter", "a Bearer challenge without scope"));
    } else {
        collector.not_applicable(ID, "nothing shows that the server supports scopes");
    }
}

/// RFC 6750, section 3.
fn check_syntax(case: &Case<'_>, challenge: &Challenge, collector: &mut Collector) {
    const ID: &str = "auth.challenge.scope-syntax";
    for name in ["scope", "error", "error_description", "error_uri"] {
        if challenge.all(name).count() > 1 {
            let message =
                "A parameter occurs more than once in the challenge: clients do not know which value to believe.";
            collector.fail(ID, finding(case, message, "each parameter at most once", format!("{name} more than once")));
        }
    }
    let Some(scope) = challenge.get("scope") else { return };
    let words: Vec<&str> = scope.split(' ').filter(|word| !word.is_empty()).collect();
    let commas = words.len() > 1 && words[..words.len() - 1].iter().all(|word| word.ends_with(','));
    let good = !words.is_empty() && words.iter().all(|word| is_scope(word)) && !commas;
    collector.check(ID, good, || {
        let message = "`scope` in the challenge is not a space-separated list of scopes: clients request scopes that do not exist.";
        finding(case, message, "scope tokens separated by single spaces", format!("scope={scope:?}"))
    });
}

/// `scope-token` of RFC 6749.
pub(super) fn is_scope(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e))
}

fn check_offline(case: &Case<'_>, challenge: &Challenge, collector: &mut Collector) {
    if challenge.get("scope").is_some() {
        let asked = challenge.scopes().any(|scope| scope == "offline_access");
        collector.check("auth.challenge.no-offline-access", !asked, || {
            let message = "The challenge requests offline_access: refresh tokens are up to the client, and no resource needs them.";
            finding(case, message, "only scopes of the resource", "offline_access among the scopes")
        });
    }
}
