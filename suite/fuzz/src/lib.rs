//! Fuzzing of MCP servers by structure: seeds for every revision, a mutator over parsed JSON-RPC, shrinking, and a harness
//! that holds what a handler answers against every rule of mcp-conform.
//!
//! An input is a conversation as it stands on a server's standard input: one message a line. The same file feeds libFuzzer,
//! `mcp-conform replay`, and `cat FILE | ./server`.
//!
//! For the handler of a server of one's own, in a folder made by `cargo fuzz init` (libFuzzer's own `main` keeps it from being a doctest;
//! `fuzz/fuzz_targets` has targets that are built):
//!
//! ```text
//! #![no_main]
//! mcp_conform_fuzz::fuzz_handler!(MyServer::new, |server: &mut MyServer, line: &[u8]| server.handle(line));
//! ```

mod harness;
mod libfuzzer;
mod mutate;
mod node;
mod seeds;
mod shape;
mod shrink;
mod sweep;
mod words;
mod wrong;

pub use harness::{Harness, Report};
pub use libfuzzer::{Shape, custom, dictionary};
pub use mutate::Mutator;
pub use node::Node;
pub use schema::Chance;
pub use seeds::{conversations, edges, messages, opening};
pub use shape::{features, pattern};
pub use shrink::{fewer, simpler};
pub use sweep::sweep;
pub use wrong::{Used, wrong};
