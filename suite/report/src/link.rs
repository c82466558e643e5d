//! Links from requirements to the text of the judged revision.
//!
//! Pages move between revisions, so `pages.txt` lists those that exist with their anchors (`REVISION PAGE ANCHOR...`).
//! A link always names a page of that list, the schema of a revision that has no schema page, or another standard.

use std::collections::HashMap;
use std::sync::LazyLock;

use verdict::{Requirement, Revision};

type Pages = HashMap<(&'static str, &'static str), Vec<&'static str>>;

static PAGES: LazyLock<Pages> = LazyLock::new(|| include_str!("pages.txt").lines().filter_map(page).collect());

const SITE: &str = "https://modelcontextprotocol.io";
const SCHEMA: &str = "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema";
const JSON_RPC: &str = "https://www.jsonrpc.org/specification";
const TUTORIALS: &str = "docs/tutorials/security/security_best_practices";

/// Pages that were renamed with their text.
const MOVED: &[(&str, &str)] = &[
    ("basic/patterns/progress", "basic/utilities/progress"),
    ("basic/patterns/cancellation", "basic/utilities/cancellation"),
    ("basic/transports/stdio", "basic/transports"),
    ("basic/transports/streamable-http", "basic/transports"),
    ("basic/transports/index", "basic/transports"),
    ("basic/authorization/index", "basic/authorization"),
    ("basic/versioning", "basic/lifecycle"),
];

/// Returns the best link for the judged revision; none for good practice, which no revision requires.
#[must_use]
pub fn link(requirement: &Requirement, revision: Revision) -> Option<String> {
    links(requirement, revision).into_iter().next()
}

/// Returns the links of all sources, best for this revision first.
#[must_use]
pub fn links(requirement: &Requirement, revision: Revision) -> Vec<String> {
    let mut found: Vec<Found> = sources(requirement).filter_map(|source| Found::new(source, revision)).collect();
    // The sort is stable: equal links keep catalogue order.
    found.sort_by_key(|found| std::cmp::Reverse(found.fit));
    let mut urls: Vec<String> = Vec::new();
    for found in found {
        if !urls.contains(&found.url) {
            urls.push(found.url);
        }
    }
    urls
}

fn sources(requirement: &Requirement) -> impl Iterator<Item = &'static str> {
    std::iter::once(requirement.source).chain(requirement.sources.iter().copied())
}

/// The quality of a link for the judged revision, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    OtherRevision,
    Elsewhere,
    Page,
    Schema,
    Anchor,
    /// The catalogue names this very revision.
    Exact,
}

#[derive(Debug)]
struct Found {
    fit: Fit,
    url: String,
}

impl Found {
    fn new(source: &str, revision: Revision) -> Option<Self> {
        if source.starts_with("https://") {
            return Some(Self { fit: Fit::Elsewhere, url: source.to_owned() });
        }
        if let Some(section) = source.strip_prefix("JSON-RPC 2.0 §") {
            return Some(Self { fit: Fit::Elsewhere, url: json_rpc(section) });
        }
        if let Some(rest) = source.strip_prefix("schema/") {
            return Self::schema_file(rest, revision);
        }
        let (page, anchor) = source.split_once('#').unwrap_or((source, ""));
        Self::page(page.strip_suffix(".mdx")?, anchor, revision)
    }

    fn schema_file(rest: &str, revision: Revision) -> Option<Self> {
        let (named, name) = rest.split_once("/schema.ts")?;
        let anchor = name.trim_start_matches('#').to_ascii_lowercase();
        let mut found = Self::in_revision("schema", &anchor, revision)?;
        if named != revision.as_str() && found.fit == Fit::Page {
            found.fit = Fit::OtherRevision;
        }
        Some(found)
    }

    fn page(page: &str, anchor: &str, revision: Revision) -> Option<Self> {
        if page.starts_with("../../docs/") {
            return Self::in_revision(TUTORIALS, anchor, revision);
        }
        let (named, page) = Revision::ALL
            .into_iter()
            .find_map(|named| Some((Some(named), page.strip_prefix(named.as_str())?.strip_prefix('/')?)))
            .unwrap_or((None, page));
        if named == Some(revision) {
            let found = Self::in_revision(page, anchor, revision)?;
            return Some(Self { fit: Fit::Exact, url: found.url });
        }
        let here = Self::in_revision(page, anchor, revision).or_else(|| Self::moved(page, anchor, revision));
        here.or_else(|| Self::other(page, anchor, named))
    }

    fn in_revision(page: &str, anchor: &str, revision: Revision) -> Option<Self> {
        if page == "schema" && !exists(page, revision) {
            return Some(Self { fit: Fit::Schema, url: format!("{SCHEMA}/{revision}/schema.ts") });
        }
        let anchors = PAGES.get(&(revision.as_str(), page))?;
        let known = anchors.contains(&anchor);
        let anchor = if known { format!("#{anchor}") } else { String::new() };
        Some(Self { fit: if known { Fit::Anchor } else { Fit::Page }, url: url(page, &anchor, revision) })
    }

    fn moved(page: &str, anchor: &str, revision: Revision) -> Option<Self> {
        let old = MOVED.iter().filter(|(new, _)| *new == page).map(|(_, old)| *old);
        let new = MOVED.iter().filter(|(_, old)| *old == page).map(|(new, _)| *new);
        old.chain(new).find_map(|page| Self::in_revision(page, anchor, revision))
    }

    fn other(page: &str, anchor: &str, named: Option<Revision>) -> Option<Self> {
        let mut revisions = named.into_iter().chain(Revision::ALL.into_iter().rev());
        let found = revisions.find_map(|revision| Self::in_revision(page, anchor, revision))?;
        Some(Self { fit: Fit::OtherRevision, url: found.url })
    }
}

fn page(line: &'static str) -> Option<((&'static str, &'static str), Vec<&'static str>)> {
    let mut words = line.split(' ');
    Some(((words.next()?, words.next()?), words.collect()))
}

fn exists(page: &str, revision: Revision) -> bool {
    PAGES.contains_key(&(revision.as_str(), page))
}

fn url(page: &str, anchor: &str, revision: Revision) -> String {
    match page.strip_prefix("docs/") {
        Some(page) => format!("{SITE}/docs/{revision}/{page}{anchor}"),
        None => {
            let page = page.strip_suffix("/index").unwrap_or(page);
            format!("{SITE}/specification/{revision}/{page}{anchor}")
        }
    }
}

fn json_rpc(section: &str) -> String {
    let anchor = match section.split([',', ' ']).next() {
        Some("4") => "#request_object",
        Some("4.1") => "#notification",
        Some("5") => "#response_object",
        Some("5.1") => "#error_object",
        Some("6") => "#batch",
        _ => "",
    };
    format!("{JSON_RPC}{anchor}")
}

#[cfg(test)]
mod tests {
    use verdict::{requirement, requirements};

    use super::*;

    fn link_of(id: &str, revision: Revision) -> String {
        link(requirement(id).expect("in the catalogue"), revision).expect("a link")
    }

    /// Every URL that a page of the list, or a known file, stands behind.
    fn is_known(link: &str) -> bool {
        let link = link.split('#').next().unwrap_or(link);
        let page_exists = PAGES
            .keys()
            .any(|(revision, page)| url(page, "", revision.parse().expect("a revision of the list")) == link);
        let schema = Revision::ALL.iter().any(|revision| link == format!("{SCHEMA}/{revision}/schema.ts"));
        page_exists || schema || link == JSON_RPC || link.starts_with("https://github.com/modelcontextprotocol/")
    }

    #[test]
    fn every_link_of_every_requirement_names_a_page_that_exists() {
        let mut seen = 0;
        for requirement in requirements() {
            for &revision in requirement.revisions {
                let link = link(requirement, revision);
                assert!(link.is_some() || requirement.source == "advice", "{} in {revision}", requirement.id);
                if let Some(link) = link {
                    assert!(is_known(&link), "{} in {revision}: {link}", requirement.id);
                    seen += 1;
                }
            }
        }
        assert!(seen > 2000, "only {seen} links");
    }

    #[test]
    fn a_link_leads_into_the_judged_revision_wherever_its_page_is_there() {
        let here = "https://modelcontextprotocol.io/specification";
        let unknown = |revision| link_of("tools.call.unknown-tool", revision);
        for revision in Revision::ALL {
            assert_eq!(unknown(revision), format!("{here}/{revision}/server/tools#error-handling"));
        }
        assert_eq!(
            link_of("tools.capability.is-object", Revision::V2025_11_25),
            format!("{here}/2025-11-25/schema#servercapabilities")
        );
        assert_eq!(
            link_of("tools.capability.is-object", Revision::V2024_11_05),
            format!("{SCHEMA}/2024-11-05/schema.ts")
        );
    }

    #[test]
    fn few_links_lead_into_another_revision() {
        let pairs = requirements()
            .iter()
            .flat_map(|requirement| requirement.revisions.iter().map(move |&revision| (requirement, revision)));
        let astray: Vec<String> = pairs
            .filter_map(|(requirement, revision)| Some((requirement, revision, link(requirement, revision)?)))
            .filter(|(_, revision, link)| link.contains("/specification/20") && !link.contains(revision.as_str()))
            .map(|(requirement, revision, link)| format!("{} {revision} {link}", requirement.id))
            .collect();
        assert!(astray.len() < 20, "{}", astray.join("\n"));
    }
}
