//! Everything that touches a server: targets, transports, sessions, scenarios, and the plan of a run.
//!
//! Running never prints and never judges: it writes a transcript, which [`judge`] turns into verdicts, and tells of its
//! progress through a callback.

mod arguments;
mod credentials;
pub mod fuzz;
#[doc(hidden)]
pub mod fuzzing;
mod observations;
mod opener;
mod options;
mod plan;
mod process;
mod profile;
mod progress;
mod property;
mod recorder;
pub mod scenario;
mod secrets;
mod server_hints;
mod session;
pub mod survey;
pub mod tap;
mod target;
mod template;
mod transport;
mod trouble;

pub use arguments::{Arguments, Invalid};
pub use credentials::{Credentials, Token};
pub use observations::{Sample, ToolObservations};
pub use opener::Opening;
pub use options::{Calls, Choice, Options, Protocol, Trigger, Triggers, matches};
pub use plan::{Finished, RunGuard, drive, run};
pub use profile::{ServerProfile, Tool};
pub use progress::Progress;
pub use recorder::Recorder;
pub use server_hints::{Handles, ServerHints, States};
pub use session::{Ask, ClientBehavior, Family, Http, Profile, Raw, Reply, RequestOutcome, Session};
pub use target::Target;
pub use transport::Piece;
pub use trouble::Trouble;
