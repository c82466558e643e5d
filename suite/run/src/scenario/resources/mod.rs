//! The area `resources`.

mod malformed;
mod missing;
mod read;
mod templates;
mod traversal;

use super::Scenario;
use crate::ServerProfile;
use crate::template::may_match;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] =
    &[read::SCENARIO, missing::SCENARIO, templates::SCENARIO, malformed::SCENARIO, traversal::SCENARIO];

/// Templates that are tried.
pub(crate) const TEMPLATES: usize = 5;
/// The last part of a uri that nobody offers.
const NOTHING: &str = "mcp-conform-no-such-resource";

/// The listed uris, each once.
fn listed_uris(profile: &ServerProfile) -> Vec<&str> {
    let mut seen = std::collections::HashSet::new();
    let uris = profile.entries("resources/list").iter().filter_map(|resource| resource.get("uri")?.as_str());
    uris.filter(|uri| seen.insert(*uri)).collect()
}

/// The texts of the templates.
fn templates_of(profile: &ServerProfile) -> Vec<&str> {
    let templates = profile.entries("resources/templates/list").iter();
    templates.filter_map(|template| template.get("uriTemplate")?.as_str()).collect()
}

/// Whether the server lists it, or a template could make it.
fn is_offered(profile: &ServerProfile, uri: &str) -> bool {
    listed_uris(profile).contains(&uri) || templates_of(profile).iter().any(|template| may_match(template, uri))
}
