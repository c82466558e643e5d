//! HTTP+SSE: several clients, what is posted to the wrong place, foreign pages, and how clients are told apart.

pub(crate) mod clients;
mod identifiers;
mod origin;
mod strangers;

use verdict::{Revision, Transport};

use super::Scenario;
use crate::Offer;

pub(super) static SCENARIOS: &[Scenario] =
    &[clients::SCENARIO, identifiers::SCENARIO, origin::SCENARIO, strangers::SCENARIO];

/// The revision that defines the transport; servers speak later ones over it too.
fn defined(offer: &Offer) -> bool {
    offer.transport == Transport::Sse && offer.revision == Revision::V2024_11_05
}
