//! What a request without a credential gets. The probes are described in `standing.rs`.

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
            let message = "A session that one user opened can be used with another user's token: whoever learns of the id takes part in somebody else's session.";
            finding(&case, message, "HTTP status 401, 403 or 404", status(&case))
        });
    }
}

fn check_door(case: &Case<'_>, collector: &mut Collector) {
    collector.check("auth.challenge.401-without-token", case.status() == Some(401), || {
        let message = match case.status() {
            Some(403) => "A request without a token is answered with 403, which tells a client that no token would help: it does not begin to ask for one.",
            Some(300..400) => "A request without a token is redirected: MCP clients begin to ask for a token when they see 401, and follow no login pages.",
            Some(200..300) => "A request without a token is answered with a JSON-RPC error under a status of success: clients do not begin to ask for a token.",
            _ => "A request without a token is not answered with 401, by which clients know that they need one.",
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
            collector.note(ID, "GET without a token gives something that is no stream");
        }
        Some(200..300) => {
            let message = format!(
                "{method} is served without a token: whoever has a session id reads along or ends the session."
            );
            collector.fail(ID, finding(case, &message, "HTTP status 401", status(case)));
        }
        Some(405) => collector.not_observed(ID, "the server offers neither GET nor DELETE"),
        Some(other) => {
            collector.note(ID, format!("{method} without a token gets {other} before the token is asked for"))
        }
        None => {}
    }
}

/// What would be refused with a token as well.
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
                .note(ID, "some requests without a token are refused for another reason before the token is asked for");
        }
        Some(_) => {
            let message = "A request without a token is looked at before the token is asked for: strangers learn what there is, and reach code that is to be protected.";
            collector.fail(ID, finding(case, message, "HTTP status 401 and no JSON-RPC answer", case.outcome()));
        }
        None => {}
    }
}

fn in_session(case: &Case<'_>, collector: &mut Collector) {
    for id in ["auth.token.every-request", "security.session.not-authentication"] {
        match case.status() {
            Some(401) => collector.witness(id),
            Some(_) if is_served(case) => {
                let message = "Within a session that began with a token, a request without one is served: who learns of the session id needs no token.";
                collector.fail(id, finding(case, message, "HTTP status 401", status(case)));
            }
            Some(other) => {
                collector.note(id, format!("a request without a token gets {other} within a session, not 401"))
            }
            None => {}
        }
    }
}
