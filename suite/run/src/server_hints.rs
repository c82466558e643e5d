//! Facts about a server that cannot be observed and that its operator knows: which tools give handles, which states
//! of a demand for input are good for once, how a schema was written.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::Trigger;

/// Facts about a server that only its operator knows.
#[derive(Clone, Debug, Default)]
pub struct ServerHints {
    /// Tools that keep a state for the client.
    pub handles: Option<Handles>,
    /// Calls that ask for input and keep a state, and how long or how often the state is good.
    pub states: States,
    /// How long the server waits for answers to requests of its own.
    pub server_waits: Option<Duration>,
    /// The environment variable that holds the key with which the program reaches what is behind it.
    pub key_variable: Option<String>,
    /// Input schemas as their author wrote them, by tool.
    pub schemas: BTreeMap<String, Value>,
}

/// A tool that gives a handle and one that takes it; naming them allows both.
#[derive(Clone, Debug, PartialEq)]
pub struct Handles {
    /// Gives a fresh handle.
    pub create: Trigger,
    /// Takes one, beside these arguments.
    pub using: Trigger,
    /// The member of the result that is the handle, or a JSON pointer to it.
    pub field: String,
    /// The argument that takes it.
    pub argument: String,
}

/// Calls that ask for input and keep a state (`requestState`, 2026-07-28); naming them allows them.
#[derive(Clone, Debug, Default)]
pub struct States {
    /// Its state must be used once.
    pub once: Option<Trigger>,
    /// Its state is good for a time.
    pub expiring: Option<Trigger>,
    /// How long.
    pub lifetime: Option<Duration>,
}
