//! Ways out of what is offered: from listed files and through templates that take a path.

use serde_json::json;
use verdict::Intent;

use super::{listed_uris, templates_of};
use crate::ServerProfile;
use crate::scenario::jsonrpc::all;
use crate::scenario::{Cx, Scenario, Stage};
use crate::template::variables;

const NAME: &str = "resources/traversal";
/// Places from which a way out is tried.
const PLACES: usize = 3;
/// Steps up: more than any path is deep.
const STEPS: usize = 16;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["resources.security.path-traversal"],
    stage: Stage::Rough,
    applies: |profile| !places(profile).is_empty(),
    run: |cx| Box::pin(provoke_traverse(cx)),
};

async fn provoke_traverse(cx: Cx) {
    let outside = cx.session.ask("resources/read", json!({"uri": "file:///etc/passwd"}));
    outside.probe(NAME, Intent::ResourceOutside, json!({})).send().await;
    for (base, tail) in places(&cx.profile) {
        all(ways().map(|(kind, way)| {
            let ask = cx.session.ask("resources/read", json!({"uri": format!("{base}{way}{tail}")}));
            ask.probe(NAME, Intent::ResourceTraversal, json!({"kind": kind})).send()
        }))
        .await;
    }
}

/// Returns the parts of URIs before and after the place for a path that leads out of the folder.
fn places(profile: &ServerProfile) -> Vec<(String, String)> {
    let files = listed_uris(profile).into_iter().filter(|uri| is_file(uri)).filter_map(|uri| uri.rsplit_once('/'));
    let mut found: Vec<(String, String)> = files.map(|(base, _)| (format!("{base}/"), String::new())).collect();
    found.dedup();
    found.truncate(PLACES);
    let templates = templates_of(profile).into_iter().filter_map(|template| {
        let [name] = variables(template)?[..] else { return None };
        let (head, rest) = template.split_once('{')?;
        let reserved = rest.starts_with('+');
        let speaks = ["path", "file", "name", "dir", "doc"].iter().any(|word| name.to_lowercase().contains(word));
        (reserved || speaks).then(|| (head.to_owned(), rest.split_once('}').map_or("", |(_, tail)| tail).to_owned()))
    });
    found.extend(templates.take(PLACES));
    found
}

/// A `file:` uri, or one whose last part looks like the name of a file.
fn is_file(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once("://") else { return false };
    let last = rest.rsplit('/').next().unwrap_or_default();
    let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    scheme.eq_ignore_ascii_case("file") || (!web && rest.contains('/') && last.contains('.'))
}

fn ways() -> [(&'static str, String); 5] {
    [
        ("dots", format!("{}etc/passwd", "../".repeat(STEPS))),
        ("encoded", format!("{}etc%2fpasswd", "%2e%2e%2f".repeat(STEPS))),
        ("encoded twice", format!("{}etc%252fpasswd", "%252e%252e%252f".repeat(STEPS))),
        ("backslashes", format!("{}etc%5cpasswd", "..%5c".repeat(STEPS))),
        ("absolute", "/etc/passwd".to_owned()),
    ]
}
