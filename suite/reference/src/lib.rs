//! A conforming MCP server in every revision, over stdio, Streamable HTTP and HTTP+SSE, that is safe to call.
//!
//! The tester is proved against it: plain, nothing may be flagged; with a *quirk* (one allowance made use of), still
//! nothing; with a *fault* (one requirement broken), exactly that requirement. The server proper is a sans-io core
//! ([`Server`], [`Connection`]): bytes of one payload in, [`Output`]s out, no clock of its own. [`serve_stdio`],
//! [`serve_http`] and [`serve_sse`] drive it, and so do tests and fuzz targets, in process.

mod bugs;
mod core;
mod error;
mod faults;
mod fixtures;
#[doc(hidden)]
pub mod fuzzing;
mod http;
mod methods;
mod quirks;
mod settings;
mod stdio;
mod tools;

pub use bugs::{Bug, bugs};
pub use core::{Action, Connection, Output, Server, Stream, Transport};
pub use faults::{Fault, faults, unbreakable};
pub use http::{serve_http, serve_sse};
pub use quirks::{Quirk, quirks};
pub use settings::{Auth, Options, UnknownName};
pub use stdio::serve_stdio;
pub use verdict::Revision;
