//! logging/setLevel and log messages.

use serde_json::{Value, json};

use crate::core::{Call, Connection, Reply};
use crate::error::RpcError;

/// The levels, lowest first.
pub(crate) const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

pub(super) fn set_level(connection: &mut Connection, call: &Call) -> Reply {
    let level = match super::text(&call.params, "level") {
        Ok(level) => level,
        Err(error) => return error.into(),
    };
    let Some(index) = LEVELS.iter().position(|known| *known == level) else {
        return RpcError::invalid_params("level must be one of the eight log levels").into();
    };
    if let Some(session) = &mut connection.session {
        session.log_level = index;
    }
    Reply::Result(json!({}))
}

impl Connection {
    /// Logs on behalf of a request, if the client wants to hear of it.
    pub(crate) fn log(&mut self, call: &Call, level: usize, data: Value) {
        let threshold = match &call.modern {
            Some(meta) => meta.log_level.filter(|_| self.server.newest_legacy().is_some()),
            None => self.session.as_ref().map(|session| session.log_level),
        };
        if threshold.is_some_and(|threshold| level >= threshold) {
            let params = json!({"level": LEVELS[level], "logger": "reference", "data": data});
            self.notify_for(call, "notifications/message", params);
        }
    }
}
