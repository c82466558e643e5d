//! Lists: pages, walks, and cursors that are none.

use serde_json::json;

use super::{Step, Talk, Tour};

impl Tour<'_> {
    pub(super) fn lists(&mut self, talk: &mut Talk) -> Step {
        for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
            let first = self.request(talk, method, json!({}))?;
            let cursor = first["result"]["nextCursor"].clone();
            if !cursor.is_null() {
                self.request(talk, method, json!({"cursor": cursor}))?;
                self.request(talk, method, json!({"cursor": cursor}))?;
                self.request(talk, "prompts/list", json!({"cursor": cursor}))?;
                self.request(talk, method, json!({}))?;
            }
            for _ in 0..3 {
                self.walk(talk, method)?;
            }
            for cursor in [json!(42), json!({}), json!([]), json!(true), json!("no cursor")] {
                self.request(talk, method, json!({"cursor": cursor}))?;
            }
            self.request(talk, method, json!({"x-unknown": 1}))?;
            self.request(talk, method, json!({"_meta": {"com.example/x": {"a": 1}, "plain": 1}}))?;
            self.request(talk, method, json!({"_meta": {"traceparent": "garbage"}}))?;
            talk.next += 1;
            let id = talk.next;
            self.value(talk, &json!({"jsonrpc": "2.0", "id": id, "method": method}))?;
        }
        Ok(())
    }

    pub(super) fn walk(&mut self, talk: &mut Talk, method: &str) -> Step {
        let mut params = json!({});
        for _ in 0..12 {
            let page = self.request(talk, method, params)?;
            match page["result"].get("nextCursor") {
                Some(cursor) if !cursor.is_null() => params = json!({"cursor": cursor}),
                _ => break,
            }
        }
        Ok(())
    }
}
