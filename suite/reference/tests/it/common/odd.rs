//! What is odd: ids, metadata, malformed input, and a second connection.

use std::sync::Arc;

use mcp_conform_reference::Server;
use serde_json::json;

use super::{Step, Talk, Tour, initialize, meta};

impl Tour<'_> {
    pub(super) fn ids(&mut self, talk: &mut Talk) -> Step {
        let long = "x".repeat(1000);
        let ids = [
            json!(0),
            json!(-1),
            json!(9_007_199_254_740_993_u64),
            json!(""),
            json!("7"),
            json!("é\"\\"),
            json!("a\u{0}b"),
            json!(long),
            json!("7"),
            json!(true),
            json!(null),
            json!(1.5),
            json!({}),
        ];
        for id in ids {
            let params = talk.dressed(json!({}));
            self.value(talk, &json!({"jsonrpc": "2.0", "id": id, "method": "prompts/list", "params": params}))?;
        }
        // Many at once: no time passes between them.
        for id in 0..30 {
            let params = talk.dressed(json!({}));
            let request = json!({"jsonrpc": "2.0", "id": format!("m{id}"), "method": "prompts/list", "params": params});
            talk.connection.receive(request.to_string().as_bytes(), talk.now);
        }
        let outputs = talk.connection.poll(talk.now);
        self.note(None, outputs)
    }

    pub(super) fn oddities(&mut self, talk: &mut Talk) -> Step {
        let ping = json!({"jsonrpc": "2.0", "id": "b", "method": "ping", "params": talk.dressed(json!({}))});
        let list = json!({"jsonrpc": "2.0", "id": "c", "method": "prompts/list", "params": talk.dressed(json!({}))});
        let note = json!({"jsonrpc": "2.0", "method": "notifications/unknown"});
        for batch in [json!([ping, list]), json!([ping, note]), json!([note]), json!([]), json!([1, ping, {"foo": 1}])]
        {
            self.value(talk, &batch)?;
        }
        for params in [json!([]), json!("x"), json!(7)] {
            self.value(talk, &json!({"jsonrpc": "2.0", "id": "o", "method": "prompts/list", "params": params}))?;
        }
        let mut extra = list;
        extra["foo"] = json!(1);
        self.value(talk, &extra)?;
        Ok(())
    }

    /// Wrong `_meta`, on connections of their own: what was sent before must not help.
    pub(super) fn metadata(&mut self, talk: &mut Talk) -> Step {
        let version = json!("2026-07-28");
        let metas = [
            json!(null),
            json!([]),
            json!({"io.modelcontextprotocol/protocolVersion": version}),
            json!({"io.modelcontextprotocol/clientCapabilities": {}}),
            meta(json!(20_260_728), json!({})),
            meta(json!("1999-01-01"), json!({})),
            meta(json!("2025-11-25"), json!({})),
            meta(version.clone(), json!({"elicitation": {}})),
            meta(version.clone(), json!({})),
            meta(version.clone(), json!([])),
            meta(version.clone(), json!({"sampling": true})),
            meta(version.clone(), json!({"x-unknown": {}})),
            json!({"io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
                "io.modelcontextprotocol/clientInfo": {"name": "n", "version": "1"}}),
            json!({"io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": 1}}),
        ];
        for method in ["server/discover", "tools/list", "tools/call"] {
            for meta in &metas {
                talk.next += 1;
                let id = talk.next;
                let params = json!({"_meta": meta, "name": "ask_name"});
                self.value(talk, &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
            }
        }
        for name in ["ask_name", "book_table"] {
            let params = json!({"_meta": meta(version.clone(), json!({"elicitation": {}})), "name": name,
                "inputResponses": {"answer": {"action": "accept", "content": {"name": "Bo"}}}});
            self.value(talk, &json!({"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": params}))?;
        }
        let server = self.server();
        let mut older = self.talk(&server)?;
        self.value(&mut older, &initialize(json!(1), "2025-11-25"))?;
        self.value(&mut older, &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}))?;
        Ok(())
    }

    /// A cursor of one process in another.
    pub(super) fn across(&mut self, talk: &mut Talk, other: &Arc<Server>) -> Step {
        let page = self.request(talk, "tools/list", json!({}))?;
        let cursor = page["result"]["nextCursor"].clone();
        let mut second = self.opened(other)?;
        self.request(&mut second, "tools/list", json!({"cursor": cursor}))?;
        Ok(())
    }

    pub(super) fn pages_gone_wrong(&mut self) -> Step {
        let server = self.server();
        let mut talk = self.opened(&server)?;
        self.request(&mut talk, "prompts/list", json!({"cursor": "no cursor"}))?;
        self.request(&mut talk, "prompts/list", json!({}))?;
        Ok(())
    }

    pub(super) fn malformed(&mut self) -> Step {
        let server = self.server();
        let mut talk = self.opened(&server)?;
        let payloads = [
            "{bad",
            "",
            "   ",
            "42",
            "null",
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
            r#"{"jsonrpc":"2.0","id":"who","result":{}}"#,
        ];
        for payload in payloads {
            self.raw(&mut talk, payload.as_bytes())?;
        }
        Ok(())
    }
}
