//! Everything that touches a server: targets, transports, sessions, scenarios, and the plan of a run.
//!
//! Running never prints and never judges: it writes a transcript, which [`judge`] turns into verdicts, and tells of its
//! progress through a callback.

mod arguments;
mod credentials;
mod flow;
pub mod fuzz;
#[doc(hidden)]
pub mod fuzzing;
mod offer;
mod opener;
mod options;
mod plan;
mod process;
mod progress;
mod property;
mod recorder;
pub mod scenario;
mod secrets;
mod session;
pub mod survey;
pub mod tap;
mod target;
mod template;
mod told;
mod transport;
mod trouble;

pub use arguments::{Arguments, Invalid};
pub use credentials::{Credentials, Token};
pub use flow::{Flow, Sample};
pub use offer::{Offer, Tool};
pub use opener::Opening;
pub use options::{Calls, Choice, Options, Protocol, Trigger, Triggers, matches};
pub use plan::{Finished, Visit, drive, run};
pub use progress::Progress;
pub use recorder::Recorder;
pub use session::{Ask, Family, Http, Manner, Outcome, Profile, Raw, Reply, Session};
pub use target::Target;
pub use told::{Handles, States, Told};
pub use transport::Piece;
pub use trouble::Trouble;
