//! Rules about valid tokens with insufficient scope. `docs/probes.md` lists the probes.

use std::collections::BTreeSet;

use verdict::{Intent, Key};

use super::header::bearer;
use super::standing::{finding, guarded, is_served, probes, status};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "auth/scope",
    judges: &[
        "auth.scope.status-403",
        "auth.scope.insufficient-scope",
        "auth.scope.names-scopes",
        "auth.scope.names-metadata",
        "auth.scope.consistent",
        "auth.scope.all-at-once",
        "auth.scope.hierarchy",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    if guarded(view, collector, RULE.judges).is_none() {
        return;
    }
    let by = |token: &'static str| {
        probes(view, Intent::AuthScope).filter(move |case| case.about_str(Key::Token) == Some(token))
    };
    if !by("full").any(|case| is_served(&case)) {
        let reason = match by("full").next() {
            Some(_) => "the call [auth] step_up did not succeed with the full token either",
            None => "needs a token with less scope and a call that requires more: [auth] lesser and step_up",
        };
        RULE.judges.iter().for_each(|id| collector.not_observed(id, reason));
        return;
    }
    collector
        .not_observed("auth.scope.hierarchy", "needs a token with a broader scope that implies others: [auth] broader");
    collector.not_observed(
        "auth.scope.all-at-once",
        "needs a token with exactly the scopes that the server names when it refuses one with less scope: [auth] granted, in addition to lesser and step_up",
    );
    let refused: Vec<Case<'_>> = by("lesser").filter(|case| case.status().is_some()).collect();
    for case in &refused {
        check_code(case, collector);
        if case.status() == Some(403) {
            check_challenge(case, collector);
        }
    }
    check_consistent(&refused, collector);
    for case in by("granted").filter(|case| case.status().is_some()) {
        collector.check("auth.scope.all-at-once", is_served(&case), || {
            let message = "A token with every scope that the server named is refused again: users have to consent again for one call.";
            finding(&case, message, "the call is served", status(&case))
        });
    }
    for case in by("broader").filter(|case| case.status().is_some()) {
        collector.check("auth.scope.hierarchy", is_served(&case), || {
            let message = "A token whose scope implies the required one is refused: users have to consent again to something they already consented to.";
            finding(&case, message, "the call is served", status(&case))
        });
    }
}

fn check_code(case: &Case<'_>, collector: &mut Collector) {
    collector.check("auth.scope.status-403", case.status() == Some(403), || {
        let message = if is_served(case) {
            "A call that requires more scope than the token has is served."
        } else if case.status() == Some(200) {
            "A token with insufficient scope gets a JSON-RPC response with a success status: clients do not start to request more scope."
        } else {
            "A token with insufficient scope does not get 403, which is how clients know that they need more."
        };
        let actual = if case.status() == Some(200) { case.outcome() } else { status(case) };
        finding(case, message, "HTTP status 403", actual)
    });
}

fn check_challenge(case: &Case<'_>, collector: &mut Collector) {
    let challenge = bearer(case);
    let get = |name: &str| challenge.as_ref().and_then(|challenge| challenge.get(name));
    collector.check("auth.scope.insufficient-scope", get("error") == Some("insufficient_scope"), || {
        let message = "The 403 does not state that the scope is insufficient: clients take it for a final refusal.";
        finding(case, message, "a Bearer challenge with error=\"insufficient_scope\"", "none")
    });
    collector.check("auth.scope.names-scopes", get("scope").is_some_and(|scope| !scope.trim().is_empty()), || {
        let message = "The 403 does not say which scopes the call requires: clients do not know what to request.";
        finding(case, message, "the scope parameter in the challenge", "none")
    });
    collector.check("auth.scope.names-metadata", get("resource_metadata").is_some(), || {
        let message =
            "The challenge of the 403 does not name the metadata, which tells clients where to request more scope.";
        finding(case, message, "the resource_metadata parameter in the challenge", "none")
    });
}

fn check_consistent(refused: &[Case<'_>], collector: &mut Collector) {
    let scopes = |case: &Case<'_>| -> Option<BTreeSet<String>> {
        let challenge = bearer(case).filter(|challenge| challenge.get("scope").is_some())?;
        Some(challenge.scopes().map(str::to_owned).collect())
    };
    let sets: Vec<BTreeSet<String>> = refused.iter().filter_map(scopes).collect();
    let [first, rest @ ..] = sets.as_slice() else { return };
    if let Some(last) = refused.last().filter(|_| !rest.is_empty()) {
        collector.check("auth.scope.consistent", rest.iter().all(|set| set == first), || {
            let message =
                "Refusals of the same call name different scopes: clients ask users for consent over and over.";
            finding(last, message, "the same scopes each time", "different ones")
        });
    }
}
