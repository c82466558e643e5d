//! Rules about requests without a credential. `docs/probes.md` lists the probes.

use verdict::{Intent, Key};
use wire::mcp::code;

use super::standing::{CREDENTIAL, Guarded, finding, guarded, is_served, probes, status};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "auth/refusal",
    judges: &[
        "auth.challenge.401-without-token",
        "auth.challenge.401-on-get-and-delete",
        "auth.token.every-request",
        "auth.token.before-processing",
        "security.session.not-authentication",
        "security.session.bound-to-user",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let Some(guarded) = guarded(view, collector, RULE.judges) else { return };
    for id in [RULE.judges[2], RULE.judges[4]] {
        collector.not_observed(id, CREDENTIAL);
    }
    collector
        .not_observed("security.session.bound-to-user", "needs valid tokens of two users: [auth] token and second");
    check_door(&guarded.door, collector);
    for case in probes(view, Intent::AuthBare).filter(Case::is_decided) {
        match case.about_str(Key::Request) {
            Some("GET" | "DELETE") if guarded.whole => check_bodiless(&case, collector),
            // Without sessions every request stands for itself.
            Some("tools/list") if guarded.whole && !view.revision.is_handshake() => {
                check_processed(&case, &guarded, collector);
                in_session(&case, collector);
            }
            Some("tools/list" | "unknown-method" | "unknown-tool" | "invalid-opening") if guarded.whole => {
                check_processed(&case, &guarded, collector);
            }
            Some("invalid-call") => check_processed(&case, &guarded, collector),
            _ => {}
        }
    }
    for case in probes(view, Intent::AuthInSession).filter(Case::is_decided) {
        match case.about_str(Key::Request) {
            Some("GET" | "DELETE") => check_bodiless(&case, collector),
            Some("unknown-method") => check_processed(&case, &guarded, collector),
            _ => in_session(&case, collector),
        }
    }
    for case in probes(view, Intent::AuthOtherUser).filter(Case::is_decided) {
        collector.check("security.session.bound-to-user", !is_served(&case), || {
            let message = "A session opened by one user can be used with another user's token: anyone who learns the session id can take part in somebody else's session.";
            finding(&case, message, "HTTP status 401, 403 or 404", status(&case))
        });
    }
}

fn check_door(case: &Case<'_>, collector: &mut Collector) {
    collector.check("auth.challenge.401-without-token", case.status() == Some(401), || {
        let message = match case.status() {
            Some(403) => "A request without a token is answered with 403, which tells clients that no token would help: they do not start to request one.",
            Some(300..400) => "A request without a token is redirected: MCP clients start to request a token when they get a 401, and do not follow redirects to login pages.",
            Some(200..300) => "A request without a token is answered with a JSON-RPC error and a success status: clients do not start to request a token.",
            _ => "A request without a token is not answered with 401, which is how clients know that they need one.",
        };
        finding(case, message, "HTTP status 401", status(case))
    });
}

/// GET and DELETE. What is refused for another reason first shows nothing.
fn check_bodiless(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "auth.challenge.401-on-get-and-delete";
    let method = case.http().unwrap_or("a request");
    match case.status() {
        Some(401) => collector.witness(ID),
        // A page for people who come with a browser is no stream.
        Some(200..300) if method == "GET" && case.media_type().as_deref() != Some("text/event-stream") => {
            collector.note(ID, "GET without a token returns something other than a stream");
        }
        Some(200..300) => {
            let message = format!(
                "{method} is served without a token: anyone who has a session id can read along or end the session."
            );
            collector.fail(ID, finding(case, &message, "HTTP status 401", status(case)));
        }
        Some(405) => collector.not_observed(ID, "the server offers neither GET nor DELETE"),
        Some(other) => collector.note(ID, format!("{method} without a token gets {other} before the token is checked")),
        None => {}
    }
}

/// Checks that a request without a token is refused before it is processed.
fn check_processed(case: &Case<'_>, guarded: &Guarded<'_>, collector: &mut Collector) {
    const ID: &str = "auth.token.before-processing";
    let looked_at =
        matches!(case.error_code(), Some(code::METHOD_NOT_FOUND | code::INVALID_PARAMS)) || case.result().is_some();
    match case.status() {
        Some(401) if case.result().is_none() => collector.witness(ID),
        // Refused as everything is: that it should be 401 is another requirement's affair.
        same if same == guarded.door.status() && !looked_at && same != Some(200) => collector.witness(ID),
        // For want of a session: in which order things are checked is free.
        Some(400 | 404) if !looked_at => {
            collector
                .note(ID, "some requests without a token are refused for another reason before the token is checked");
        }
        Some(_) => {
            let message = "A request without a token is processed before the token is checked: strangers learn what the server offers, and reach code that should be protected.";
            collector.fail(ID, finding(case, message, "HTTP status 401 and no JSON-RPC response", case.outcome()));
        }
        None => {}
    }
}

fn in_session(case: &Case<'_>, collector: &mut Collector) {
    for id in ["auth.token.every-request", "security.session.not-authentication"] {
        match case.status() {
            Some(401) => collector.witness(id),
            Some(_) if is_served(case) => {
                let message = "In a session that was opened with a token, a request without one is served: anyone who learns the session id needs no token.";
                collector.fail(id, finding(case, message, "HTTP status 401", status(case)));
            }
            Some(other) => collector.note(id, format!("in a session, a request without a token gets {other}, not 401")),
            None => {}
        }
    }
}
