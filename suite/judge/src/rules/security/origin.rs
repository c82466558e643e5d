//! Which pages may send requests. The probes are described in `common.rs`.

use verdict::{Intent, Key};

use super::common::{actual, control, finding, here, is_served, origins, probes};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "security/origin",
    judges: &[
        "security.origin.foreign-rejected",
        "security.origin.status-403",
        "security.origin.rebinding-pair",
        "security.origin.lookalikes-rejected",
        "security.origin.null-rejected",
        "security.origin.malformed-rejected",
        "security.origin.absent-accepted",
        "security.origin.no-reflection",
        "security.host.foreign-rejected",
        "security.csrf.simple-content-type",
        "security.origin.get-validated",
        "security.origin.delete-validated",
    ],
    judge,
};

const EVERY: &str = "every origin is allowed: see security.origin.foreign-rejected";
const REFUSED: &str = "HTTP status 403 (or another 4xx) and no result";

fn judge(view: &View<'_>, collector: &mut Collector) {
    if !here(view, collector, RULE.judges) {
        return;
    }
    for case in origins(view, "POST", "control") {
        let message = "A request without an Origin header is refused, but programs other than browsers send none.";
        if is_served(&case) {
            collector.witness("security.origin.absent-accepted");
        } else if case.status() == Some(403) && origins(view, "POST", "own").any(|own| is_served(&own)) {
            collector.fail("security.origin.absent-accepted", finding(&case, message, "the request is served"));
        }
    }
    check_reflection(view, collector);
    if control(view, "POST", collector, RULE.judges) {
        let every = posts(view, collector);
        for (method, id) in [("GET", "security.origin.get-validated"), ("DELETE", "security.origin.delete-validated")] {
            check_bodiless(view, method, id, every, collector);
        }
    }
}

/// POST. Says whether every origin is let in.
fn posts(view: &View<'_>, collector: &mut Collector) -> bool {
    let foreign: Vec<_> = origins(view, "POST", "foreign").collect();
    let every = foreign.iter().any(is_served);
    for case in &foreign {
        collector.check("security.origin.foreign-rejected", !is_served(case), || {
            let message = "A request that names a foreign web site as its origin is served: whether a page that a user visits can use this server is left to browsers.";
            finding(case, message, REFUSED)
        });
        if !is_served(case) {
            check_status(case, collector);
        }
    }
    for case in origins(view, "POST", "rebinding") {
        collector.check("security.origin.rebinding-pair", !is_served(&case), || {
            let message = "A request whose Host and Origin name the same foreign site is served, which is what a browser sends after DNS rebinding: a page of that site can use this server and read its answers.";
            finding(&case, message, REFUSED)
        });
    }
    for case in origins(view, "POST", "host") {
        collector.check("security.host.foreign-rejected", !is_served(&case), || {
            let message = "A request with a foreign Host header is served: after DNS rebinding, a page can use this server where browsers send no Origin.";
            finding(&case, message, "HTTP status 403 or 421 (or another 4xx) and no result")
        });
    }
    for case in origins(view, "POST", "simple") {
        collector.check("security.csrf.simple-content-type", !is_served(&case), || {
            let message = "A request is served although its Content-Type is one that browsers send without a preflight: if the Origin check fails, pages can still send requests.";
            finding(&case, message, "HTTP status 415 (or another 4xx)")
        });
    }
    let others =
        ["security.origin.lookalikes-rejected", "security.origin.null-rejected", "security.origin.malformed-rejected"];
    if every {
        for id in others {
            collector.not_observed(id, EVERY);
        }
        return true;
    }
    for case in origins(view, "POST", "lookalike") {
        collector.check(others[0], !is_served(&case), || {
            let message = "An origin that merely resembles a valid one is allowed: names are compared only in part, and anyone can register one that matches.";
            let mut finding = finding(&case, message, REFUSED);
            finding.place = case.about_str(Key::Form).map(str::to_owned);
            finding
        });
    }
    for case in origins(view, "POST", "null") {
        collector.check(others[1], !is_served(&case), || {
            let message = "Origin null is allowed: sandboxed frames of any web site and files on disk send it.";
            finding(&case, message, REFUSED)
        });
    }
    for case in origins(view, "POST", "malformed").chain(origins(view, "POST", "twice")) {
        collector.check(others[2], !is_served(&case), || {
            let message = "A request whose Origin header does not contain an origin is served.";
            finding(&case, message, REFUSED)
        });
    }
    false
}

/// Checks the status. The specification prescribes 403; a server that checks the credential before the origin is not wrong.
fn check_status(case: &crate::Case<'_>, collector: &mut Collector) {
    const ID: &str = "security.origin.status-403";
    if case.status() == Some(401) {
        collector.inconclusive(ID, "the request was refused for lack of a credential, not because of its origin");
        return;
    }
    collector.check(ID, case.status() == Some(403), || {
        let message =
            "A request with a foreign Origin is refused with a status other than 403, which is the prescribed one.";
        finding(case, message, "HTTP status 403")
    });
}

/// GET and DELETE, each on a session of its own.
fn check_bodiless(view: &View<'_>, method: &str, id: &'static str, every: bool, collector: &mut Collector) {
    if every {
        collector.not_observed(id, EVERY);
        return;
    }
    let foreign: Vec<_> = origins(view, method, "foreign").collect();
    let not_offered = |case: &crate::Case<'_>| matches!(case.status(), Some(405 | 501));
    if origins(view, method, "control").any(|case| not_offered(&case)) {
        collector.not_applicable(id, format!("the server does not offer {method}"));
        return;
    }
    if !control(view, method, collector, &[id]) {
        return;
    }
    for case in foreign {
        let message = format!("{method} with a foreign Origin is served, although POST is not: {}.", harm(method));
        collector.check(id, !is_served(&case), || finding(&case, &message, REFUSED));
        let exact = collector.revision().traits().origin_refused_with_403;
        if exact && !is_served(&case) && !matches!(case.status(), Some(401 | 403)) {
            collector.note(id, format!("{method} with a foreign Origin is refused with {}, not 403", actual(&case)));
        }
    }
}

fn harm(method: &str) -> &'static str {
    if method == "GET" { "a foreign page can listen in" } else { "a foreign page can end sessions" }
}

fn check_reflection(view: &View<'_>, collector: &mut Collector) {
    const ID: &str = "security.origin.no-reflection";
    let foreign =
        origins(view, "POST", "foreign").chain(probes(view, Intent::Preflight).filter(|case| case.status().is_some()));
    for case in foreign {
        let echoed = case
            .header("access-control-allow-origin")
            .is_some_and(|allowed| Some(allowed) == case.sent_header("origin"));
        let credentials = case.header("access-control-allow-credentials").is_some_and(|value| value.trim() == "true");
        collector.check(ID, !(echoed && credentials), || {
            let message =
                "Any origin may read answers with the user's credentials: any web site can act on the user's behalf.";
            let expected = "no Access-Control-Allow-Origin for foreign origins, or none with credentials";
            verdict::Finding {
                actual: "the foreign origin, with Access-Control-Allow-Credentials: true".to_owned(),
                ..case.finding(message, expected)
            }
        });
    }
}
