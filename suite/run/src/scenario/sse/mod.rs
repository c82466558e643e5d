//! HTTP+SSE: several clients, what is posted to the wrong place, foreign pages, and how clients are told apart.

pub(crate) mod clients;
mod identifiers;
mod origin;
mod outsiders;

use verdict::Transport;

use super::Scenario;
use crate::ServerProfile;

pub(super) static SCENARIOS: &[Scenario] =
    &[clients::SCENARIO, identifiers::SCENARIO, origin::SCENARIO, outsiders::SCENARIO];

/// The revision that defines the transport; servers speak later ones over it too.
fn defined(profile: &ServerProfile) -> bool {
    profile.transport == Transport::Sse && profile.revision.is_spoken_over(Transport::Sse)
}
