//! The area `stdio`: how a process reads its input, speaks, and ends. Processes of its own, beside everything else.

mod early;
mod ending;
mod framing;
mod modern;

use verdict::Transport;

use super::{Cx, Scenario, Stage};
use crate::ServerProfile;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] =
    &[early::SCENARIO, framing::SCENARIO, ending::IMMEDIATE, ending::PENDING, ending::DEAF, modern::SCENARIO];

/// A spawned server.
fn spawned(profile: &ServerProfile) -> bool {
    profile.transport == Transport::Stdio
}
