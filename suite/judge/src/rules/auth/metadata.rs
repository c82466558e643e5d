//! Where the protected resource metadata is and how it is served. The probes are described in `standing.rs`.

use serde_json::Value;
use url::Url;
use verdict::{Intent, Key};

use super::standing::{all, document, either_way, finding, guarded, has_probe, probes, status};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "auth/metadata",
    judges: &[
        "auth.prm.served",
        "auth.prm.public",
        "auth.prm.content-type",
        "auth.prm.at-well-known",
        "auth.prm.consistent",
        "auth.prm.cors",
    ],
    judge,
};

/// A document that describes this server, and the exchange that fetched it.
pub(super) struct Found<'v> {
    pub(super) case: Case<'v>,
    pub(super) document: Value,
}

impl Found<'_> {
    pub(super) fn place(&self) -> &str {
        self.case.about_str(Key::Place).unwrap_or_default()
    }
}

/// Every document that describes this server: one at the root may be another resource's, if there are better ones.
pub(super) fn documents<'v>(view: &'v View<'v>) -> Vec<Found<'v>> {
    let found = |case: Case<'v>| document(&case).map(|document| Found { case, document });
    let (root, own): (Vec<_>, Vec<_>) =
        probes(view, Intent::AuthMetadata).filter_map(found).partition(|found| found.place() == "root");
    if own.is_empty() { root } else { own }
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    if guarded(view, collector, RULE.judges).is_none() {
        return;
    }
    let documents = documents(view);
    check_served(view, &documents, collector);
    for found in &documents {
        content_type(found, collector);
    }
    well_known(view, &documents, collector);
    check_consistent(view, collector);
    for case in probes(view, Intent::AuthMetadataCors).filter(|case| case.status() == Some(200)) {
        collector.check("auth.prm.cors", case.header("access-control-allow-origin").is_some(), || {
            let message =
                "Browser-based clients cannot read the metadata: the response has no Access-Control-Allow-Origin.";
            finding(&case, message, "the header Access-Control-Allow-Origin", "a response without it")
        });
    }
}

fn check_served(view: &View<'_>, documents: &[Found<'_>], collector: &mut Collector) {
    if !documents.is_empty() {
        collector.witness("auth.prm.served");
        collector.witness("auth.prm.public");
        return;
    }
    let fetches: Vec<Case<'_>> = probes(view, Intent::AuthMetadata).filter(Case::is_decided).collect();
    // Elsewhere a server may refuse whatever it does not know.
    let named = |case: &&Case<'_>| case.about_str(Key::Place) == Some("challenge");
    if let Some(case) = fetches.iter().filter(named).find(|case| matches!(case.status(), Some(401 | 403))) {
        let message = "The metadata itself requires a token: a client without one cannot find out where to get one.";
        collector.fail("auth.prm.public", finding(case, message, "HTTP status 200 without a token", status(case)));
    } else if has_probe(view, Intent::AuthElsewhere) {
        collector.not_observed("auth.prm.served", "the document is on another host, which is not contacted");
    } else if let Some(case) = fetches.first() {
        let message =
            "There is no protected resource metadata: clients cannot find out where tokens for this server are issued.";
        collector.fail("auth.prm.served", finding(case, message, "HTTP status 200 and a JSON object", case.outcome()));
    }
}

fn content_type(found: &Found<'_>, collector: &mut Collector) {
    let kind = found.case.media_type().unwrap_or_default();
    collector.check("auth.prm.content-type", kind == "application/json", || {
        let message = "The media type of the metadata is not application/json: strict clients do not read it.";
        let actual = if kind.is_empty() { "no Content-Type".to_owned() } else { kind.clone() };
        finding(&found.case, message, "Content-Type: application/json", actual)
    });
}

fn well_known(view: &View<'_>, documents: &[Found<'_>], collector: &mut Collector) {
    const ID: &str = "auth.prm.at-well-known";
    let Some(first) = documents.first() else { return };
    let inserted = documents.iter().any(|found| found.place() == "path");
    let resource = first.document.get("resource").and_then(Value::as_str).and_then(|text| Url::parse(text).ok());
    // The well-known URL of a whole origin is the one at the root.
    let origin = resource.is_some_and(|url| url.path() == "/");
    let at_root = probes(view, Intent::AuthMetadata)
        .any(|case| case.about_str(Key::Place) == Some("root") && document(&case).is_some());
    let good = inserted || (at_root && origin) || either_way(view);
    collector.check(ID, good, || {
        let message = "The metadata is not at the well-known URL of this resource, where clients that have not seen the challenge look for it.";
        let expected = "a document at /.well-known/oauth-protected-resource followed by the path of the endpoint";
        finding(&first.case, message, expected, "a document only elsewhere")
    });
}

fn check_consistent(view: &View<'_>, collector: &mut Collector) {
    let found = |place: &str| {
        probes(view, Intent::AuthMetadata)
            .find(|case| case.about_str(Key::Place) == Some(place))
            .and_then(|case| document(&case))
    };
    let (Some(challenge), Some(path)) = (found("challenge"), found("path")) else { return };
    let same = ["resource", "authorization_servers"].iter().all(|name| challenge.get(name) == path.get(name));
    if let Some(case) = all(view).find(|case| case.about_str(Key::Place) == Some("path")) {
        collector.check("auth.prm.consistent", same, || {
            let message = "The metadata named in the challenge differs from that at the well-known URL: whether clients succeed depends on which one they use.";
            finding(&case, message, "the same resource and authorization_servers", "different ones")
        });
    }
}

/// A URL whose traffic nobody else reads: https, or http on this machine.
pub(super) fn is_safe(url: &Url) -> bool {
    url.scheme() == "https" || (url.scheme() == "http" && wire::is_loopback(url.host()))
}

/// Whether two URLs have equal schemes, hosts and ports; the names of this machine count as one host.
pub(super) fn same_origin(one: &Url, other: &Url) -> bool {
    let hosts = one.host() == other.host() || (wire::is_loopback(one.host()) && wire::is_loopback(other.host()));
    hosts && one.scheme() == other.scheme() && one.port_or_known_default() == other.port_or_known_default()
}
