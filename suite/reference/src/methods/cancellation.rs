//! `notifications/cancelled`: what the client no longer waits for is given up, unless a fault or quirk has it otherwise.

use serde_json::{Value, json};

use crate::core::{Action, Connection, Reply, Stream};
use crate::error::RpcError;

const CANCELLED: &str = "notifications/cancelled";

impl Connection {
    pub(super) fn cancel(&mut self, payload: u64, params: &Value) {
        let id = params.get("requestId").cloned().unwrap_or_default();
        let Some(key) = self.open_key(&id) else { return self.cancel_nothing(payload, &id, params) };
        if self.is_to_go_on(key, params) {
            return;
        }
        let server = self.server.clone();
        if server.faulty("cancellation.no-response-after") && self.finish_open(key, RpcError::new(-32800, "cancelled"))
        {
            return;
        }
        if server.faulty("cancellation.only-the-named-request") {
            self.open_keys().into_iter().for_each(|key| self.abandon(key));
        }
        let talks_on = server.faulty("cancellation.stops-work") || server.faulty("cancellation.no-further-messages");
        if talks_on {
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
            return server.faulty("subscriptions.cancel-stdio");
        }
        server.quirk("ignore-cancellation")
            || server.faulty("cancellation.reason-optional") && params.get("reason").is_none()
            || server.faulty("cancellation.without-request-meta") && params.get("_meta").is_none()
    }

    /// Of nothing that is under way: ignored, unless a fault takes it ill.
    fn cancel_nothing(&mut self, payload: u64, id: &Value, params: &Value) {
        crate::faults::tasks::cancelled_by_notification(self, id);
        let reason = params.get("reason");
        let malformed =
            !(id.is_string() || id.is_i64() || id.is_u64()) || reason.is_some_and(|reason| !reason.is_string());
        let over = self.served_ids.contains(&id.to_string());
        let server = self.server.clone();
        let fatal = if malformed {
            "cancellation.malformed-ignored"
        } else if over {
            "cancellation.completed-id-ignored"
        } else {
            "cancellation.unknown-id-ignored"
        };
        if server.faulty(fatal) {
            return self.act(Action::Exit(1));
        }
        if over && server.faulty("cancellation.race-graceful") {
            let error = RpcError::new(-32800, "cancelled").to_value();
            let message = json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string();
            return self.say(payload, message);
        }
        if !over && server.faulty("cancellation.no-reply") {
            return self.refuse(payload, CANCELLED, &RpcError::invalid_request("there is no such request"));
        }
        if server.faulty("cancellation.sent.shape") {
            self.notify(Stream::Standalone, CANCELLED, json!({"requestId": {}}));
        } else if server.faulty("cancellation.sent.own-open-request") || server.faulty("cancellation.sent.only-listen")
        {
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
