//! What goes on while requests are under way: log messages, progress, cancellations, subscriptions.

use serde_json::{Value, json};

use super::{Step, Talk, Tour};

impl Tour<'_> {
    /// Log levels and progress tokens.
    pub(super) fn flows(&mut self, talk: &mut Talk) -> Step {
        const KEY: &str = "io.modelcontextprotocol/logLevel";
        for params in [json!({"level": "notice"}), json!({"level": "error"}), json!({}), json!({"level": 3})] {
            self.request(talk, "logging/setLevel", params)?;
        }
        self.request(talk, "tools/call", json!({"name": "log_all_levels"}))?;
        for level in ["emergency", "debug"] {
            self.request(talk, "logging/setLevel", json!({"level": level}))?;
        }
        for level in [json!("error"), json!("notice"), json!("loud"), json!(3), Value::Null] {
            let meta = if level.is_null() { json!({}) } else { json!({KEY: level}) };
            self.request(talk, "tools/call", json!({"name": "log_all_levels", "_meta": meta}))?;
        }
        for token in [json!(0), json!(""), json!("7"), json!(7), json!({"a": 1}), Value::Null] {
            let meta = if token.is_null() { json!({}) } else { json!({"progressToken": token}) };
            self.request(talk, "tools/call", json!({"name": "work_slowly", "_meta": meta}))?;
        }
        self.others_first(talk)?;
        // Two at the same time.
        for token in ["one", "two"] {
            let params = talk.dressed(json!({"name": "work_slowly", "_meta": {"progressToken": token}}));
            let request = json!({"jsonrpc": "2.0", "id": token, "method": "tools/call", "params": params});
            talk.connection.receive(request.to_string().as_bytes(), talk.now);
        }
        self.raw(talk, b"")?;
        Ok(())
    }

    /// Cancellations, subscriptions, and what the client is asked for.
    pub(super) fn others_first(&mut self, talk: &mut Talk) -> Step {
        for params in [json!({"requestId": "none"}), json!({"requestId": 1}), json!({"requestId": {}}), json!({})] {
            self.value(talk, &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))?;
        }
        for (id, reason) in [("c1", json!("because")), ("c2", Value::Null), ("c3", json!("because"))] {
            let params =
                talk.dressed(json!({"name": "work_slowly", "arguments": {"steps": 9}, "_meta": {"progressToken": id}}));
            let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
            talk.connection.receive(request.to_string().as_bytes(), talk.now);
            let mut params = json!({"requestId": id});
            if !reason.is_null() {
                params["reason"] = reason;
            }
            if id != "c3" {
                self.value(talk, &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))?;
            }
        }
        self.raw(talk, b"")?;
        for (method, params) in [
            ("resources/subscribe", json!({})),
            ("resources/subscribe", json!({"uri": "memory://counter"})),
            ("tools/call", json!({"name": "bump_counter"})),
            ("resources/unsubscribe", json!({"uri": "memory://counter"})),
            ("tools/call", json!({"name": "bump_counter"})),
            ("subscriptions/listen", json!({})),
            ("subscriptions/listen", json!({"notifications": []})),
            ("subscriptions/listen", json!({"notifications": {}})),
            ("subscriptions/listen", json!({"notifications": {"toolsListChanged": true, "promptsListChanged": true}})),
            ("subscriptions/listen", json!({"notifications": {"resourceSubscriptions": ["memory://counter"]}})),
            ("tools/call", json!({"name": "bump_counter"})),
            ("tools/call", json!({"name": "work_slowly", "_meta": {"progressToken": "l"}})),
        ] {
            self.request(talk, method, params)?;
        }
        Ok(())
    }
}
