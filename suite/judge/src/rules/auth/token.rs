//! Which tokens are good. The probes are described in `standing.rs`.

use verdict::{Intent, Key};

use super::header::bearer;
use super::standing::{CREDENTIAL, finding, guarded, has_probe, is_served, probes, status};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "auth/token",
    judges: &[
        "auth.token.invalid-401",
        "auth.token.forged-401",
        "auth.token.error-code",
        "auth.token.expired-401",
        "auth.token.wrong-audience",
        "auth.token.no-audience",
        "auth.token.wrong-issuer",
        "auth.token.query-string",
        "auth.token.scheme-case",
        "auth.status.malformed-400",
        "auth.resource.upper-case-accepted",
        "auth.token.stored-securely",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    if guarded(view, collector, RULE.judges).is_none() {
        return;
    }
    collector.not_observed("auth.token.stored-securely", "the logs of a server behind a URL cannot be seen");
    if !has_probe(view, Intent::AuthGiven) {
        collector.not_observed("auth.token.scheme-case", CREDENTIAL);
        collector.not_observed("auth.token.query-string", CREDENTIAL);
    }
    let other = probes(view, Intent::AuthToken)
        .any(|case| case.about_str(Key::Token) == Some("other-audience") && is_served(&case));
    for case in probes(view, Intent::AuthToken).filter(|case| case.status().is_some()) {
        match case.about_str(Key::Token).unwrap_or_default() {
            kind @ ("random" | "truncated" | "alg-none" | "basic") => check_invalid(&case, kind, collector),
            "forged-hs256" | "forged-es256" | "forged-rs256" => check_forged(&case, collector),
            "foreign-issuer" => check_foreign(&case, collector),
            "expired" => check_expired(&case, collector),
            "other-audience" => check_audience(&case, collector),
            "no-audience" => check_nobody(&case, other, collector),
            "upper-case-audience" => upper_case(&case, collector),
            "lower-case" => check_scheme(&case, collector),
            _ => {}
        }
    }
    for case in probes(view, Intent::AuthQuery).filter(|case| case.status().is_some()) {
        check_query(&case, collector);
    }
    for case in probes(view, Intent::AuthMalformed).filter(|case| case.status().is_some()) {
        check_malformed(&case, collector);
    }
}

fn check_invalid(case: &Case<'_>, kind: &str, collector: &mut Collector) {
    let good = case.status() == Some(401) || (kind == "basic" && case.status() == Some(400));
    collector.check("auth.token.invalid-401", good, || {
        let message = match (is_served(case), kind) {
            (true, "alg-none") => {
                "A token that declares that it needs no signature (alg none) is accepted: anyone can write one."
            }
            (true, "basic") => "A password that was never issued is accepted.",
            (true, _) => "A token that was never issued is accepted: the server is open to anyone.",
            _ => "An invalid token does not get 401, which is how clients know that they need another one.",
        };
        let expected = if kind == "basic" { "HTTP status 401 (or 400)" } else { "HTTP status 401" };
        finding(case, message, expected, status(case))
    });
    if kind != "basic" {
        error_code(case, collector);
    }
}

fn error_code(case: &Case<'_>, collector: &mut Collector) {
    let Some(challenge) = bearer(case).filter(|_| case.status() == Some(401)) else { return };
    collector.check("auth.token.error-code", challenge.get("error") == Some("invalid_token"), || {
        let message = "The challenge after an invalid token does not say so: clients cannot tell an invalid token from a missing one.";
        let actual = challenge.get("error").map_or("no error".to_owned(), |error| format!("error={error:?}"));
        finding(case, message, "error=\"invalid_token\"", actual)
    });
}

fn check_forged(case: &Case<'_>, collector: &mut Collector) {
    collector.check("auth.token.forged-401", case.status() == Some(401), || {
        let message = if is_served(case) {
            "A token signed by a stranger is accepted: signatures are not checked, and anyone can get in."
        } else {
            "A token with a wrong signature does not get 401, which is how clients know that they need another one."
        };
        finding(case, message, "HTTP status 401", status(case))
    });
    error_code(case, collector);
}

fn check_foreign(case: &Case<'_>, collector: &mut Collector) {
    collector.check("auth.token.wrong-issuer", !is_served(case), || {
        let message = "A token from an issuer that the metadata does not name is accepted: anyone can run an issuer.";
        finding(case, message, "HTTP status 401", status(case))
    });
}

fn check_expired(case: &Case<'_>, collector: &mut Collector) {
    collector.check("auth.token.expired-401", case.status() == Some(401), || {
        let message = if is_served(case) {
            "An expired token is accepted: a stolen one works forever."
        } else {
            "An expired token does not get 401, which is how clients know that they need to refresh it."
        };
        finding(case, message, "HTTP status 401", status(case))
    });
}

fn check_audience(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "auth.token.wrong-audience";
    if case.status() == Some(403) {
        collector.note(ID, "a token for another server gets 403, not 401");
    }
    collector.check(ID, !is_served(case), || {
        let message = "A token issued for another server is accepted: the operator of that server can use its users' tokens here.";
        finding(case, message, "HTTP status 401", status(case))
    });
}

/// The server may know in another way that such a token is meant for it, unless it asks nobody about any.
fn check_nobody(case: &Case<'_>, other: bool, collector: &mut Collector) {
    const ID: &str = "auth.token.no-audience";
    if is_served(case) && !other {
        collector.inconclusive(
            ID,
            "such a token is accepted, but the server may have determined by other means that it is meant for it",
        );
        return;
    }
    collector.check(ID, !is_served(case), || {
        let message = "A token without an audience is accepted, and so is one for another server: the server does not check for whom tokens are meant.";
        finding(case, message, "HTTP status 401", status(case))
    });
}

fn upper_case(case: &Case<'_>, collector: &mut Collector) {
    collector.check("auth.resource.upper-case-accepted", is_served(case), || {
        let message =
            "A token for the same URL with an upper-case scheme and host is refused, though both are case-insensitive.";
        finding(case, message, "the request is served", status(case))
    });
}

fn check_scheme(case: &Case<'_>, collector: &mut Collector) {
    collector.check("auth.token.scheme-case", is_served(case), || {
        let message = "The scheme of the Authorization header is accepted only with a capital letter, though it is case-insensitive.";
        finding(case, message, "the request is served", status(case))
    });
}

fn check_query(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "auth.token.query-string";
    let valid = case.about_str(Key::Token) == Some("valid");
    let wrong = if valid { is_served(case) } else { !matches!(case.status(), Some(400..500)) };
    if wrong {
        let message = if valid {
            "A token in the query string is accepted: URLs are logged and passed on, and tokens with them."
        } else {
            "A query parameter access_token changes the outcome of a request that is refused without it."
        };
        collector.fail(ID, finding(case, message, "HTTP status 401", status(case)));
    } else if valid {
        collector.witness(ID);
    }
}

fn check_malformed(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "auth.status.malformed-400";
    match case.status() {
        Some(400 | 401) => collector.witness(ID),
        Some(other @ 402..500) => collector.note(ID, format!("a malformed Authorization header gets {other}")),
        _ => {
            let message = if is_served(case) {
                "A request whose Authorization header contains no token is served."
            } else {
                "A malformed Authorization header is not refused as such: clients cannot tell their own mistake from the server's."
            };
            collector.fail(ID, finding(case, message, "HTTP status 400 or 401", status(case)));
        }
    }
}
