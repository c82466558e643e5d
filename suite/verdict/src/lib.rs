//! The vocabulary that all of mcp-conform shares: revisions, the requirements catalogue, transcripts, verdicts, stored records
//! and exit codes.
//!
//! Nothing here touches a server or judges one. What third parties parse (the record, the transcript) is defined here.

mod catalogue;
pub mod exit;
pub mod probes;
pub mod property;
mod purpose;
pub mod record;
mod revision;
mod sdks;
pub mod transcript;
mod verdict;

pub use catalogue::{Allowance, Level, Observe, Requirement, allowances, requirement, requirements};
pub use probes::{Intent, Key};
pub use purpose::Purpose;
pub use revision::{AuthorizationDiscovery, Batching, Elicitation, Era, Revision, Traits, Transport, UnknownRevision};
pub use sdks::{SdkFix, sdk_fixes};
pub use verdict::{Finding, Status, Verdict};
