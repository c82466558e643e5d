//! Whose a finding is: the author's, or that of the SDK, which breaks the same requirement in the same way in the smallest server
//! that is built with it.

mod profile;
mod shelf;
mod style;
mod upstream;
mod whose;
mod wire;

pub use profile::{Broken, Profile};
pub use shelf::{all, nearest, parse_name};
pub use whose::attribute;
pub use wire::by_wire;
