//! `notifications/cancelled`: what the client no longer waits for is given up, unless a fault or quirk has it otherwise.

use std::time::Duration;

use serde_json::{Value, json};
use wire::mcp::code;

use crate::core::{Action, Connection, Reply, Server, Stream, What};
use crate::deviation::Deviation;
use crate::error::RpcError;

/// How long a process lives on that does not survive a cancellation.
const LATER: Duration = Duration::from_millis(300);

/// Cancellations of what was answered that are too many for a server that keeps count.
const MANY: u32 = 8;

const CANCELLED: &str = "notifications/cancelled";

/// What a faulty server says of a call that is no longer waited for: an error of its own, or that of the Python SDK.
fn answer_to_cancelled(server: &Server) -> Option<RpcError> {
    if server.deviates(Deviation::CancelledCallsAreAnsweredWithZero) {
        return Some(RpcError::new(0, "Request cancelled"));
    }
    let answers = server.deviates(Deviation::CancelledCallsAreAnswered);
    answers.then(|| RpcError::new(code::REQUEST_CANCELLED, "cancelled"))
}

impl Connection {
    pub(super) fn cancel(&mut self, payload: u64, params: &Value) {
        if self.server.deviates(Deviation::CancellationIsFatalLater) {
            self.later(LATER, None, What::Crash);
        }
        let id = params.get("requestId").cloned().unwrap_or_default();
        let Some(key) = self.open_key(&id) else { return self.cancel_nothing(payload, &id, params) };
        if self.is_to_go_on(key, params) {
            return;
        }
        let server = self.server.clone();
        if let Some(error) = answer_to_cancelled(&server)
            && self.finish_open(key, error)
        {
            return;
        }
        if server.deviates(Deviation::CancellationEndsAllCalls) {
            self.open_keys().into_iter().for_each(|key| self.abandon(key));
        }
        if server.deviates(Deviation::CancelledCallsGoOn) {
            self.abandon_silently(key);
        } else {
            self.abandon(key);
        }
    }

    /// Whether nothing comes of the cancellation.
    fn is_to_go_on(&self, key: u64, params: &Value) -> bool {
        let server = &self.server;
        let listens = self.listens.iter().any(|listen| listen.call.key == key);
        if listens {
            return server.deviates(Deviation::CancelledListenGoesOn);
        }
        server.quirk("ignore-cancellation")
            || server.deviates(Deviation::CancellationNeedsReason) && params.get("reason").is_none()
            || server.deviates(Deviation::CancellationNeedsMeta) && params.get("_meta").is_none()
    }

    /// Of nothing that is under way: ignored, unless a fault takes it ill.
    fn cancel_nothing(&mut self, payload: u64, id: &Value, params: &Value) {
        super::task_deviations::cancel_by_notification(self, id);
        let reason = params.get("reason");
        let malformed =
            !(id.is_string() || id.is_i64() || id.is_u64()) || reason.is_some_and(|reason| !reason.is_string());
        let over = self.served_ids.contains(&id.to_string());
        let server = self.server.clone();
        let fatal = if malformed {
            Deviation::MalformedCancellationIsFatal
        } else if over {
            Deviation::LateCancellationIsFatal
        } else {
            Deviation::UnknownCancellationIsFatal
        };
        self.late_cancellations += u32::from(over);
        let many = self.late_cancellations == MANY && server.deviates(Deviation::LateCancellationsAddUp);
        if many || server.deviates(fatal) {
            return self.act(Action::Exit(1));
        }
        if over && server.deviates(Deviation::LateCancellationIsAnswered) {
            let error = RpcError::new(code::REQUEST_CANCELLED, "cancelled").to_value();
            let message = json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string();
            return self.say(payload, message);
        }
        if !over && server.deviates(Deviation::UnknownCancellationIsAnswered) {
            return self.refuse(payload, CANCELLED, &RpcError::invalid_request("there is no such request"));
        }
        if server.deviates(Deviation::CancelsWithObjectId) {
            self.notify(Stream::Standalone, CANCELLED, json!({"requestId": {}}));
        } else if server.deviates(Deviation::CancelsUnsentRequest) {
            self.notify(Stream::Standalone, CANCELLED, json!({"requestId": 424_242, "reason": "no reason"}));
        }
    }

    fn finish_open(&mut self, key: u64, error: RpcError) -> bool {
        let Some(call) = self.waiting_call(key) else { return false };
        self.abandon_work(key);
        self.finish(&call, Reply::Error(error));
        true
    }
}
