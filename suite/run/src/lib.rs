//! Everything that touches a server: targets, transports, sessions, scenarios, and the plan of a run.
//!
//! Running never prints and never judges: it writes a transcript, which [`judge`] turns into verdicts, and tells of its
//! progress through a callback.

mod arguments;
mod credentials;
mod crowd;
mod farewell;
pub mod fuzz;
#[doc(hidden)]
pub mod fuzzing;
mod greeting;
mod handover;
mod learned;
mod leases;
mod opener;
mod opening;
mod options;
mod plan;
mod process;
mod profile;
mod progress;
mod recorder;
pub mod scenario;
mod secrets;
mod server_hints;
mod session;
mod standstill;
pub mod survey;
pub mod tap;
mod target;
mod template;
mod timing;
mod tool;
mod transport;
mod triggers;
mod trouble;
mod turns;
mod vain;
mod wedges;

pub use arguments::{Arguments, Invalid};
pub use credentials::{Credentials, Token};
pub use leases::{Lease, Wear};
pub use opening::Opening;
pub use options::{Calls, Options, Protocol, matches};
pub use plan::{Finished, RunGuard, drive, run};
pub use profile::ServerProfile;
pub use progress::Progress;
pub use recorder::Recorder;
pub use scenario::observations::{Sample, ToolObservations};
pub use server_hints::{Handles, ServerHints, States};
pub use session::{Ask, ClientBehavior, Family, Http, Profile, Raw, Reply, RequestOutcome, Session};
pub use target::{Choice, Target};
pub use tool::Tool;
pub use transport::Piece;
pub use triggers::{Trigger, Triggers};
pub use trouble::{Trouble, UnknownTool};
