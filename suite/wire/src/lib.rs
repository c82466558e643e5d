//! JSON-RPC messages and their framings as facts.
//!
//! Bytes go in, values come out: nothing here reads, writes, waits or judges. Every function is total (a malformed message is
//! a value with its defects, never an error), bounded (bytes, depth, number of values), linear in its input, and free of
//! panics. What an ordinary reader smooths over is kept: repeated names, the spelling of ids, bytes beyond a limit, oddities
//! of an event stream.

mod alike;
pub mod defect;
pub mod document;
#[doc(hidden)]
pub mod fuzzing;
pub mod host;
pub mod id;
pub mod line;
pub mod mcp;
pub mod message;
pub mod parse;
pub mod parsed;
mod read;
mod shared;
pub mod sse;
mod surrogate;
pub mod write;

pub use alike::Alike;
pub use defect::Defect;
pub use host::is_loopback;
pub use id::{Id, IdKey};
pub use line::{Frame, LineFramer};
pub use message::{Kind, Message};
pub use parse::{parse, parse_sent, value};
pub use parsed::{Content, Limits, MAX_DEPTH, Parsed, Unreadable};
pub use sse::{Event, Oddity, SseFramer};
