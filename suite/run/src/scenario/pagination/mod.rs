//! The area `pagination`.

mod elsewhere;
mod invalid;
mod malformed;
mod start;
mod twice;

use super::Scenario;
use crate::{RequestOutcome, ServerProfile};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] =
    &[twice::SCENARIO, start::SCENARIO, invalid::SCENARIO, malformed::SCENARIO, elsewhere::SCENARIO];

/// Whether the server has any list.
fn lists(profile: &ServerProfile) -> bool {
    !profile.walks.is_empty()
}

/// Whether any list has a second page.
fn has_pages(profile: &ServerProfile) -> bool {
    profile.walks.iter().any(|walk| !walk.cursors.is_empty())
}

/// The cursor that a page came with.
fn next(outcome: &RequestOutcome) -> Option<String> {
    outcome.result()?.get("nextCursor")?.as_str().map(str::to_owned)
}
