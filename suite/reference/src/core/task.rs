//! Tasks (2025-11-25) as a connection keeps them: those of the server, and those that its client works on.

use std::time::Duration;
use wire::mcp::meta;

use serde_json::Value;

use super::call::Call;
use crate::error::RpcError;

/// Marks what belongs to a task.
pub(crate) const RELATED: &str = meta::RELATED_TASK;
/// A call that is worked on after it was answered.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) id: String,
    /// The call as it runs: it knows its task.
    pub(crate) call: Call,
    pub(crate) status: &'static str,
    pub(crate) message: Option<String>,
    pub(crate) created: Duration,
    pub(crate) updated: Duration,
    pub(crate) ttl: u64,
    pub(crate) outcome: Option<Result<Value, RpcError>>,
    /// Requests for the result that wait for it.
    pub(crate) waiting: Vec<Call>,
    /// Requests to the client that wait for a stream.
    pub(super) asks: Vec<(Value, &'static str, Value)>,
    // What follows is for faults alone.
    /// The call, still to be answered.
    pub(crate) creator: Option<Call>,
    /// Requests for the status that wait for the end.
    pub(crate) gets: Vec<Call>,
    /// How often the status, and the result, was told.
    pub(crate) told: u32,
    pub(crate) fetched: u32,
    pub(crate) begun: bool,
    pub(crate) cancelled_by: u32,
}

impl Task {
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.status, "completed" | "failed" | "cancelled")
    }
}

/// A task of the client's.
#[derive(Debug, Clone)]
pub(crate) struct ClientTask {
    /// Its id.
    pub(super) id: String,
    /// The call that waits for the end.
    pub(crate) call: Call,
    /// The method that the client was asked for, and the id of that request.
    pub(super) method: &'static str,
    pub(super) request: Value,
    pub(super) pause: Duration,
}
