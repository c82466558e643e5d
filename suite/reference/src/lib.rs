//! A conforming MCP server in every revision, over stdio, Streamable HTTP and HTTP+SSE, that is safe to call.
//!
//! The tester is proved against it: plain, nothing may be flagged; with a *quirk* (one allowance made use of), still
//! nothing; with a *fault* (one requirement broken), exactly that requirement. The server proper is a sans-io core
//! ([`Server`], [`Connection`]): bytes of one payload in, [`Output`]s out, no clock of its own. [`serve_stdio`],
//! [`serve_http`] and [`serve_sse`] drive it, and so do tests and fuzz targets, in process.

#![cfg_attr(
    not(feature = "faults"),
    expect(
        dead_code,
        unused_imports,
        reason = "hooks, and what is remembered for them, have no other user than faults"
    )
)]

mod assembly;
#[cfg(feature = "faults")]
mod bugs;
mod core;
mod deviation;
mod error;
#[cfg(feature = "faults")]
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

pub use assembly::{serve_http, serve_sse, serve_stdio};
#[cfg(feature = "faults")]
pub use bugs::{Bug, bugs};
pub use core::{Action, Connection, Output, Server, Stream, Transport};
#[cfg(feature = "faults")]
pub use faults::{Fault, faults, unbreakable};
pub use quirks::{Quirk, quirks};
pub use settings::{Auth, Options, UnknownName};
pub use verdict::Revision;
