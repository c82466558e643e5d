//! The area `lifecycle`.

mod declared;
mod fields;
mod versions;

use verdict::Revision;

use super::{Cx, Scenario};
use crate::{Opening, Session, Trouble};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[versions::SCENARIO, declared::SCENARIO];

/// The name of the scenario about versions and fields.
const NAME: &str = "lifecycle/versions";

/// A session to which nothing has been said; its client declares everything.
async fn open_unspoken(cx: &Cx) -> Result<Session, Trouble> {
    cx.open(opening()).await
}

/// Of a client that declares everything.
fn opening() -> Opening {
    Opening::new(NAME, Revision::LATEST_HANDSHAKE).full()
}
