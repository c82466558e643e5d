//! A conforming MCP server in every revision, over stdio and Streamable HTTP, that is safe to call.
//!
//! The tester is proved against it: plain, nothing may be flagged; with a *quirk* (one allowance made use of), still
//! nothing; with a *fault* (one requirement broken), exactly that requirement. The server proper is a sans-io core
//! ([`Server`], [`Connection`]): bytes of one payload in, [`Output`]s out, no clock of its own. [`serve_stdio`] and
//! [`serve_http`] drive it, and so do tests and fuzz targets, in process.

mod core;
mod error;
mod faults;
mod http;
mod methods;
mod quirks;
mod settings;
mod stdio;
mod tools;

pub use core::{Action, Connection, Output, Server, Stream, Transport};
pub use faults::{Fault, faults, unbreakable};
pub use http::serve_http;
pub use quirks::{Quirk, quirks};
pub use settings::{Options, UnknownName};
pub use stdio::serve_stdio;
pub use verdict::Revision;
