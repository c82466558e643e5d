//! Log messages, and the levels below which a client wants none.

use serde_json::{Value, json};

use super::call::Call;
use super::connection::Connection;
use super::schedule::What;
use crate::deviation::Deviation;

pub(crate) use wire::mcp::LOG_LEVELS as LEVELS;

const MESSAGE: &str = "notifications/message";

impl Connection {
    /// Logs on behalf of a request, if the client wants to hear of it.
    pub(crate) fn log(&mut self, call: &Call, level: usize, data: Value) {
        let threshold = if call.modern.is_some() { self.asked_level(call) } else { self.set_level() };
        if threshold.is_none_or(|threshold| level < threshold) {
            return;
        }
        let params = json!({"level": LEVELS[level], "logger": "reference", "data": data});
        if call.revision.is_stateless() && self.logs_elsewhere(call, &params) {
            return;
        }
        if self.server.deviates(Deviation::LogsAfterResponse) {
            let what = What::Notify(Box::new(call.clone()), MESSAGE, params);
            return self.later(std::time::Duration::from_millis(1), None, what);
        }
        self.notify_for(call, MESSAGE, params);
    }

    fn set_level(&self) -> Option<usize> {
        let session = self.session.as_ref()?;
        let minded = !self.server.deviates(Deviation::LogsBelowSessionLevel);
        let mute = self.server.deviates(Deviation::MuteAfterTwoLevels) && session.level_changes > 1;
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
            Some(_) if server.deviates(Deviation::LogsBelowRequestedLevel) => Some(0),
            None if server.deviates(Deviation::LogsUnasked) => Some(0),
            None if server.deviates(Deviation::LogLevelSticks) => server.state().newest_level,
            asked => asked,
        }
    }

    /// Whether a fault has a message come out on another stream than that of its request.
    fn logs_elsewhere(&self, _call: &Call, params: &Value) -> bool {
        let on_listen = self.server.deviates(Deviation::LogsOnSubscriptions);
        if on_listen {
            self.stray(on_listen, MESSAGE, params.clone());
        }
        on_listen
    }
}
