//! Reading what is not there: beside a listed resource, and of a scheme that nobody knows.

use serde_json::json;
use verdict::Intent;

use super::{NOTHING, is_offered, listed_uris};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "resources/missing";
/// Schemes whose resources a server may fetch from elsewhere, or that hold their content themselves.
const ELSEWHERE: [&str; 4] = ["http", "https", "data", "ftp"];

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "resources.read.not-found-error",
        "resources.read.not-found-code",
        "resources.read.not-found-no-empty-contents",
        "resources.read.not-found-data-uri",
        "resources.read.no-32002",
    ],
    stage: Stage::Shared,
    applies: |profile| profile.declares("resources"),
    run: |cx| Box::pin(provoke_missing(cx)),
};

async fn provoke_missing(cx: Cx) {
    let beside = listed_uris(&cx.profile).into_iter().filter_map(sibling);
    let known = beside.into_iter().find(|uri| !is_offered(&cx.profile, uri)).map(|uri| ("known-scheme", uri));
    let unknown = Some(("unknown-scheme", format!("mcp-conform-none://{NOTHING}")));
    let unknown = unknown.filter(|(_, uri)| !is_offered(&cx.profile, uri));
    for (kind, uri) in known.into_iter().chain(unknown) {
        let ask = cx.session.ask("resources/read", json!({"uri": uri}));
        ask.probe(NAME, Intent::ResourceMissing, json!({"kind": kind})).send().await;
    }
}

/// Another last part.
fn sibling(uri: &str) -> Option<String> {
    let (scheme, rest) = uri.split_once(':')?;
    if ELSEWHERE.contains(&scheme.to_ascii_lowercase().as_str()) {
        return None;
    }
    let path = rest.split(['?', '#']).next().unwrap_or(rest).trim_end_matches('/');
    let base = path.rsplit_once('/').map_or(String::new(), |(base, _)| format!("{base}/"));
    let slashes = if rest.starts_with("//") && !base.starts_with("//") { "//" } else { "" };
    Some(format!("{scheme}:{slashes}{base}{NOTHING}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sibling_lies_beside() {
        let sibling = |uri| sibling(uri).map(|uri| uri.replace(NOTHING, "*"));
        assert_eq!(sibling("memory://readme").as_deref(), Some("memory://*"));
        assert_eq!(sibling("file:///a/b.txt").as_deref(), Some("file:///a/*"));
        assert_eq!(sibling("file:///").as_deref(), Some("file://*"));
        assert_eq!(sibling("note:a?b=/c").as_deref(), Some("note:*"));
        assert_eq!(sibling("https://example.com/a"), None);
    }
}
