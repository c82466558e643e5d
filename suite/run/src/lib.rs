//! Everything that touches a server: targets, transports, sessions, scenarios, and the plan of a run.
//!
//! Running never prints and never judges: it writes a transcript, which [`judge`] turns into verdicts, and tells of its
//! progress through a callback.

mod arguments;
mod offer;
mod opener;
mod options;
mod plan;
mod process;
mod progress;
mod recorder;
pub mod scenario;
mod session;
pub mod survey;
mod target;
mod transport;
mod trouble;

pub use arguments::{Arguments, Invalid};
pub use offer::{Offer, Tool};
pub use opener::Opening;
pub use options::{Calls, Options, Protocol, Trigger, Triggers, matches};
pub use plan::{Finished, Visit, drive, run};
pub use progress::Progress;
pub use recorder::Recorder;
pub use session::{Ask, Outcome, Profile, Raw, Session};
pub use target::Target;
pub use trouble::Trouble;
