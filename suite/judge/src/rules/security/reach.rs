//! Who can reach the server, and whether it asks them who they are. The probes are described in `common.rs`.

use serde_json::Value;
use verdict::{Intent, Key, Level, Transport};

use super::common::{finding, is_served, origins, probes, target};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "security/reach",
    judges: &[
        "security.bind.loopback-only",
        "security.auth.connections-authenticated",
        "security.tls.remote",
        "security.local.access-restricted",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    if view.transport == Transport::Stdio {
        collector.witness("security.local.access-restricted");
        return;
    }
    match target(view, Key::Loopback) {
        Some(true) => check_local(view, collector),
        Some(false) => check_remote(view, collector),
        None => {}
    }
}

/// A URL does not tell whether the server was told to listen everywhere, as it has to be in a container: that is said,
/// and no more than advice.
fn check_local(view: &View<'_>, collector: &mut Collector) {
    let (bind, restricted) = ("security.bind.loopback-only", "security.local.access-restricted");
    collector.not_applicable("security.auth.connections-authenticated", "optional for a server on this machine");
    collector.not_applicable("security.tls.remote", "nothing crosses a network on this machine");
    let beyond: Vec<_> = probes(view, Intent::Beyond).filter(crate::Case::is_decided).collect();
    let Some(case) = beyond.first() else {
        collector.not_observed(bind, "this machine has no other address to try");
        collector.not_observed(restricted, "this machine has no other address to try");
        return;
    };
    let reached = case.status().is_some();
    if reached {
        let message = "The server is reachable on every address of this machine, not only from the machine itself: others on the same network can use it. (This does not apply if it was configured to listen there or has to, as in a container.)";
        let mut found = finding(case, message, "no connection on any address except loopback");
        found.level = Some(Level::Advice);
        collector.fail(bind, found);
    } else {
        collector.witness(bind);
    }
    let open = |case: &crate::Case<'_>| is_served(case) && case.about(Key::Credential) == Some(&Value::Bool(false));
    match beyond.iter().find(|case| open(case)) {
        Some(case) => {
            let message = "The server answers anyone who can reach it, and is reachable from outside this machine: nothing keeps out others on the same network. (This does not apply if it was configured to listen there or has to, as in a container.)";
            let mut found = finding(case, message, "a token, a socket with restricted access, or stdio");
            found.level = Some(Level::Advice);
            collector.fail(restricted, found);
        }
        None if reached => collector.witness(restricted),
        None => collector.not_observed(
            restricted,
            "anyone on this machine can use it, which a token or a socket with restricted access would prevent",
        ),
    }
}

fn check_remote(view: &View<'_>, collector: &mut Collector) {
    collector.not_applicable("security.bind.loopback-only", "the server is not on this machine");
    collector.not_applicable("security.local.access-restricted", "the server is not on this machine");
    let mut opened = view
        .judged()
        .flat_map(|session| session.exchanges.iter().map(move |exchange| crate::Case { view, session, exchange }));
    let first = opened.find(|case| case.result().is_some());
    let given =
        view.outsiders.iter().flat_map(|session| &session.probes).any(|(_, probe)| probe.intent == Intent::AuthGiven);
    let control = origins(view, "POST", "control").next();
    if let Some(case) = control.filter(|_| given).or(first.filter(|_| !given)) {
        // What the tester was given nothing for was served to it as to anybody.
        collector.check("security.auth.connections-authenticated", given && !is_served(&case), || {
            let message =
                "The server is reached over a network and serves anyone: clients are not asked to authenticate.";
            finding(&case, message, "HTTP status 401 without a credential")
        });
    }
    if let (Some(https), Some(case)) = (target(view, Key::Https), first) {
        collector.check("security.tls.remote", https, || {
            let message =
                "The server is reached over a network without https: anyone in between can read and change everything.";
            verdict::Finding { actual: "an http URL".to_owned(), ..case.finding(message, "an https URL") }
        });
    }
}
