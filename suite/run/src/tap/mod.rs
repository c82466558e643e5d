//! The tap: records what a real client and a server send each other; nothing is changed, added or left out.

mod http;
mod judged;
mod listen;
mod recording;
mod shown;
mod stdio;
mod tracker;

pub use judged::{judged, spoken};
pub use listen::{Bridge, listen};
pub use recording::Recording;
pub use shown::Hidden;
pub use stdio::pass;
