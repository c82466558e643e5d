//! Handshakes, good and bad, and what comes before one.

use mcp_conform_reference::Revision;
use serde_json::{Value, json};

use super::{Step, Tour, initialize};

impl Tour<'_> {
    pub(super) fn handshakes(&mut self) -> Step {
        let server = self.server();
        let plain = |version: &str| initialize(json!(1), version);
        let mut requests: Vec<Value> = Revision::ALL.iter().map(|revision| plain(revision.as_str())).collect();
        requests.extend([plain("1999-01-01"), plain(""), plain("2099-12-31")]);
        let mut extra = plain(self.revision.as_str());
        extra["params"]["capabilities"] = json!({"roots": {}, "x-unknown": {}});
        extra["params"]["clientInfo"]["title"] = json!("A title");
        requests.push(extra);
        for missing in ["protocolVersion", "capabilities", "clientInfo"] {
            let mut request = plain(self.revision.as_str());
            request["params"].as_object_mut().expect("an object").remove(missing);
            requests.push(request);
        }
        requests.push(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize"}));
        for request in &requests {
            let mut talk = self.talk(&server)?;
            self.value(&mut talk, request)?;
            let mut again = request.clone();
            again["id"] = json!(2);
            self.value(&mut talk, &again)?;
        }
        let mut halfway = self.talk(&server)?;
        self.value(&mut halfway, &initialize(json!(1), self.revision.as_str()))?;
        self.value(&mut halfway, &json!({"jsonrpc": "2.0", "id": 2, "method": "prompts/list"}))?;
        let mut early = self.talk(&server)?;
        self.value(&mut early, &json!({"jsonrpc": "2.0", "id": 1, "method": "prompts/list"}))?;
        self.value(&mut early, &json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}))?;
        self.value(&mut early, &json!([initialize(json!(3), self.revision.as_str())]))?;
        Ok(())
    }
}
