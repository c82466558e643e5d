//! logging/setLevel and log messages.

use serde_json::{Value, json};

use crate::Revision;
use crate::core::{Call, Connection, Reply};
use crate::error::RpcError;

/// The levels, lowest first.
pub(crate) const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const MESSAGE: &str = "notifications/message";

pub(super) fn set_level(connection: &mut Connection, call: &Call) -> Reply {
    let level = match super::text(&call.params, "level") {
        Ok(level) => level,
        Err(error) => return ill(connection, "logging.set-level.missing-level", error),
    };
    let Some(index) = LEVELS.iter().position(|known| *known == level) else {
        let error = RpcError::invalid_params("level must be one of the eight log levels");
        return ill(connection, "logging.set-level.invalid-level", error);
    };
    if connection.server.faulty("logging.set-level.every-level") && level == "notice" {
        return RpcError::invalid_params("this level is not supported").into();
    }
    change(connection, index)
}

fn change(connection: &mut Connection, index: usize) -> Reply {
    let server = connection.server.clone();
    let Some(session) = &mut connection.session else { return Reply::Result(json!({})) };
    let back = session.log_level + 1 == LEVELS.len() && index < session.log_level;
    let once = server.settings.variant("logging.set-level.changeable").filter(|_| back);
    session.level_changes += 1;
    match once {
        Some("") => return RpcError::new(-32603, "the level has been set").into(),
        Some(_) => {}
        None => session.log_level = index,
    }
    if server.faulty("logging.set-level.session-scope") {
        server.state().shared_level = Some(index);
    }
    Reply::Result(json!({}))
}

/// A level that is none, as faults take it.
fn ill(connection: &Connection, id: &str, error: RpcError) -> Reply {
    match connection.server.settings.variant(id) {
        Some("") => Reply::Result(json!({})),
        Some(_) => RpcError::new(-32603, "the level could not be set").into(),
        None => error.into(),
    }
}

impl Connection {
    /// Logs on behalf of a request, if the client wants to hear of it.
    pub(crate) fn log(&mut self, call: &Call, level: usize, data: Value) {
        let threshold = if call.modern.is_some() { self.asked_level(call) } else { self.set_level() };
        if threshold.is_none_or(|threshold| level < threshold) {
            return;
        }
        let params = json!({"level": LEVELS[level], "logger": "reference", "data": data});
        if call.revision == Revision::V2026_07_28 && self.logs_elsewhere(call, &params) {
            return;
        }
        if self.server.faulty("logging.per-request.before-response") {
            let what = crate::core::What::Notify(Box::new(call.clone()), MESSAGE, params);
            return self.later(std::time::Duration::from_millis(1), None, what);
        }
        self.notify_for(call, MESSAGE, params);
    }

    fn set_level(&self) -> Option<usize> {
        let session = self.session.as_ref()?;
        let minded = !self.server.faulty("logging.set-level.threshold");
        let mute = self.server.faulty("logging.set-level.higher-still-sent") && session.level_changes > 1;
        let level = self.server.state().shared_level.unwrap_or(session.log_level);
        (!mute).then_some(if minded { level } else { 0 })
    }

    /// The level that a request of 2026-07-28 asks for, as faults have it.
    fn asked_level(&self, call: &Call) -> Option<usize> {
        let server = &self.server;
        let asked = call.modern.as_ref().and_then(|meta| meta.log_level).filter(|_| server.newest_legacy().is_some());
        if asked.is_some() {
            server.state().newest_level = asked;
        }
        match asked {
            Some(_) if server.faulty("logging.per-request.threshold") => Some(0),
            None if server.faulty("logging.per-request.opt-in") => Some(0),
            None if server.faulty("logging.per-request.not-sticky") => server.state().newest_level,
            asked => asked,
        }
    }

    /// Whether a fault has a message come out on another stream than that of its request.
    fn logs_elsewhere(&self, _call: &Call, params: &Value) -> bool {
        let on_listen = self.server.faulty("logging.per-request.not-on-listen");
        if on_listen {
            self.stray(on_listen, MESSAGE, params.clone());
        }
        on_listen
    }
}
