//! JSON Schema offline: dialects, the meta-schemas, validation that never fetches and is bounded, and walks over the
//! subschemas and references of a schema, and instances made from one. Knows nothing of MCP.

mod cost;
mod dialect;
mod flaw;
#[doc(hidden)]
pub mod fuzzing;
mod generate;
mod readings;
mod refs;
mod validate;
mod walk;

pub use dialect::{Declared, Dialect, declared, meta_flaw};
pub use flaw::Flaw;
pub use generate::{Boundary, Break, Breaks, Chance, Declined, Generator, Instances, Reason, Shrinking, Unreached};
pub use readings::Readings;
pub use refs::{Reference, Target, references};
pub use validate::{Outcome, Unusable, Validator};
pub use walk::{Node, Step, pointer, walk};
