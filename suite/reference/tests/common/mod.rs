//! Drives the core in process through everything it offers, and everything it must refuse.

use std::sync::Arc;
use std::time::Duration;

use mcp_conform_reference::{Action, Connection, Options, Output, Revision, Server, Transport};
use serde_json::{Value, json};

/// What was sent for each payload, in order, and which request it was for.
pub(crate) struct Seen {
    /// The method of the payload, if it was one good request.
    pub(crate) method: Option<String>,
    pub(crate) outputs: Vec<Output>,
}

/// A conversation, with a clock of its own.
struct Talk {
    connection: Connection,
    revision: Revision,
    now: Duration,
    next: u64,
}

/// Whether to go on, asked after every payload with all that was seen.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(&Seen) -> bool;

/// Thrown up the stack when the watcher has seen enough.
struct Enough;

type Step<T = ()> = Result<T, Enough>;

struct Tour<'a> {
    options: &'a Options,
    revision: Revision,
    transport: Transport,
    watch: Watch<'a>,
}

/// Shows the server in one revision all that the tests know, until the watcher has seen enough.
pub(crate) fn tour(options: &Options, revision: Revision, transport: Transport, watch: Watch<'_>) {
    let mut tour = Tour { options, revision, transport, watch };
    let _ = tour.run();
}

impl Tour<'_> {
    fn server(&self) -> Arc<Server> {
        Arc::new(Server::new(self.options).expect("known names"))
    }

    fn talk(&mut self, server: &Arc<Server>) -> Step<Talk> {
        let connection = Connection::new(server.clone(), self.transport);
        let mut talk = Talk { connection, revision: self.revision, now: Duration::ZERO, next: 0 };
        talk.now += Duration::from_secs(1);
        let outputs = talk.connection.poll(talk.now);
        self.note(None, outputs)?;
        Ok(talk)
    }

    fn note(&mut self, method: Option<String>, outputs: Vec<Output>) -> Step {
        if (self.watch)(&Seen { method, outputs }) { Ok(()) } else { Err(Enough) }
    }

    /// Sends bytes and lets time pass until all that follows from them is out.
    fn raw(&mut self, talk: &mut Talk, bytes: &[u8]) -> Step<Vec<Value>> {
        talk.now += Duration::from_secs(1);
        talk.connection.receive(bytes, talk.now);
        let mut outputs = talk.connection.poll(talk.now);
        while talk.connection.is_busy() {
            talk.now = talk.connection.next_due().unwrap_or(talk.now);
            outputs.extend(talk.connection.poll(talk.now));
        }
        let messages = texts(&outputs).filter_map(|text| serde_json::from_str(text).ok()).collect();
        let method = serde_json::from_slice::<Value>(bytes).ok();
        let method = method.filter(|m| m["id"].is_string() || m["id"].is_i64());
        let method = method.and_then(|m| m["method"].as_str().map(str::to_owned));
        self.note(method, outputs)?;
        Ok(messages)
    }

    fn value(&mut self, talk: &mut Talk, value: &Value) -> Step<Vec<Value>> {
        self.raw(talk, value.to_string().as_bytes())
    }

    fn request(&mut self, talk: &mut Talk, method: &str, params: Value) -> Step<Value> {
        talk.next += 1;
        let id = talk.next;
        let params = talk.dressed(params);
        let messages = self.value(talk, &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let answer = |message: &&Value| message["id"] == id && message.get("method").is_none();
        Ok(messages.iter().find(answer).cloned().unwrap_or_default())
    }

    fn run(&mut self) -> Step {
        if self.revision < Revision::V2026_07_28 {
            self.handshakes()?;
        }
        let server = self.server();
        let mut talk = self.opened(&server)?;
        self.lists(&mut talk)?;
        self.calls(&mut talk)?;
        self.others(&mut talk)?;
        self.ids(&mut talk)?;
        self.oddities(&mut talk)?;
        let mut second = self.opened(&server)?;
        self.request(&mut second, "tools/list", json!({}))?;
        if self.revision == Revision::V2026_07_28 {
            self.metadata(&mut talk)?;
        }
        let other = self.server();
        self.across(&mut talk, &other)?;
        self.pages_gone_wrong()?;
        self.malformed()
    }

    /// A conversation whose handshake, if there is one, is over.
    fn opened(&mut self, server: &Arc<Server>) -> Step<Talk> {
        let mut talk = self.talk(server)?;
        if self.revision < Revision::V2026_07_28 {
            talk.next += 1;
            let id = talk.next;
            let request = initialize(json!(id), self.revision.as_str());
            self.value(&mut talk, &request)?;
            self.value(&mut talk, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        }
        Ok(talk)
    }

    fn handshakes(&mut self) -> Step {
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

    fn lists(&mut self, talk: &mut Talk) -> Step {
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

    fn walk(&mut self, talk: &mut Talk, method: &str) -> Step {
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

    fn calls(&mut self, talk: &mut Talk) -> Step {
        for (name, arguments) in calls() {
            let meta = json!({"progressToken": "p", "io.modelcontextprotocol/logLevel": "debug"});
            let meta = if self.revision == Revision::V2026_07_28 { meta } else { json!({"progressToken": 7}) };
            self.request(talk, "tools/call", json!({"name": name, "arguments": arguments, "_meta": meta}))?;
        }
        let wrong = [
            json!({"name": "no_such_tool", "arguments": {}}),
            json!({"arguments": {}}),
            json!({"name": 42}),
            json!({"name": "version", "arguments": []}),
            json!({"name": "version", "arguments": "x"}),
            json!({"name": "version"}),
            json!({"name": "VERSION", "arguments": {}}),
            json!({"name": "version", "arguments": {}, "task": {}}),
            json!({"name": "echo", "arguments": {}}),
            json!({"name": "add", "arguments": {"a": "x", "b": 1}}),
            json!({"name": "add", "arguments": {"a": 10_000_000, "b": 1}}),
            json!({"name": "greet", "arguments": {"loud": true}}),
        ];
        for params in wrong {
            self.request(talk, "tools/call", params)?;
        }
        for method in ["tools/call", "prompts/get", "resources/read"] {
            talk.next += 1;
            let id = talk.next;
            self.value(talk, &json!({"jsonrpc": "2.0", "id": id, "method": method}))?;
            self.request(talk, method, json!({}))?;
        }
        self.request(talk, "tools/list", json!({}))?;
        Ok(())
    }

    fn others(&mut self, talk: &mut Talk) -> Step {
        let reference = json!({"type": "ref/prompt", "name": "postcard"});
        let argument = json!({"name": "city", "value": ""});
        let requests = [
            ("resources/read", json!({"uri": "memory://readme"})),
            ("resources/read", json!({"uri": "memory://pixel"})),
            ("resources/read", json!({"uri": "weather://Bern"})),
            ("resources/read", json!({"uri": "memory://gone"})),
            ("resources/read", json!({"uri": 5})),
            ("prompts/get", json!({"name": "postcard", "arguments": {"city": "Bern"}})),
            ("prompts/get", json!({"name": "picture"})),
            ("prompts/get", json!({"name": "summary"})),
            ("prompts/get", json!({"name": "postcard"})),
            ("prompts/get", json!({"name": []})),
            ("completion/complete", json!({"ref": reference, "argument": argument})),
            ("completion/complete", json!({"ref": {"type": "ref/tool", "name": "x"}, "argument": argument})),
            ("ping", json!({})),
            ("logging/setLevel", json!({"level": "debug"})),
            ("logging/setLevel", json!({"level": "loud"})),
            ("resources/subscribe", json!({"uri": "memory://counter"})),
            (
                "subscriptions/listen",
                json!({"notifications": {"toolsListChanged": true,
                "resourceSubscriptions": ["memory://counter"]}}),
            ),
            ("tools/call", json!({"name": "bump_counter"})),
            ("tools/call", json!({"name": "flash_extra"})),
            ("tools/call", json!({"name": "toggle_extra"})),
            ("server/discover", json!({})),
        ];
        for (method, params) in requests {
            self.request(talk, method, params)?;
        }
        self.walk(talk, "tools/list")?;
        self.request(talk, "tools/call", json!({"name": "toggle_extra"}))?;
        for method in ["no/such", "Tools/List", "sampling/createMessage", "roots/list", "shutdown"] {
            self.request(talk, method, json!({}))?;
        }
        self.request(talk, "notifications/cancelled", json!({"requestId": "none"}))?;
        for text in [r#""method":"notifications/unknown""#, r#""method":"tools/list""#] {
            self.raw(talk, format!(r#"{{"jsonrpc":"2.0",{text}}}"#).as_bytes())?;
        }
        Ok(())
    }

    fn ids(&mut self, talk: &mut Talk) -> Step {
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

    fn oddities(&mut self, talk: &mut Talk) -> Step {
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
    fn metadata(&mut self, talk: &mut Talk) -> Step {
        let version = json!("2026-07-28");
        let metas = [
            json!(null),
            json!([]),
            json!({"io.modelcontextprotocol/protocolVersion": version}),
            json!({"io.modelcontextprotocol/clientCapabilities": {}}),
            meta(json!(20_260_728), json!({})),
            meta(json!("1999-01-01"), json!({})),
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
        let params = json!({"_meta": meta(version, json!({"elicitation": {}})), "name": "ask_name",
            "inputResponses": {"answer": {"action": "accept", "content": {"name": "Bo"}}}});
        self.value(talk, &json!({"jsonrpc": "2.0", "id": "r", "method": "tools/call", "params": params}))?;
        Ok(())
    }

    /// A cursor of one process in another.
    fn across(&mut self, talk: &mut Talk, other: &Arc<Server>) -> Step {
        let page = self.request(talk, "tools/list", json!({}))?;
        let cursor = page["result"]["nextCursor"].clone();
        let mut second = self.opened(other)?;
        self.request(&mut second, "tools/list", json!({"cursor": cursor}))?;
        Ok(())
    }

    fn pages_gone_wrong(&mut self) -> Step {
        let server = self.server();
        let mut talk = self.opened(&server)?;
        self.request(&mut talk, "prompts/list", json!({"cursor": "no cursor"}))?;
        self.request(&mut talk, "prompts/list", json!({}))?;
        Ok(())
    }

    fn malformed(&mut self) -> Step {
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

impl Talk {
    /// Params with the metadata that the revision asks for.
    fn dressed(&self, mut params: Value) -> Value {
        if self.revision == Revision::V2026_07_28 {
            let required = meta(json!("2026-07-28"), json!({}));
            for (key, value) in required.as_object().expect("an object") {
                params["_meta"][key] = value.clone();
            }
        }
        params
    }
}

fn meta(version: Value, capabilities: Value) -> Value {
    json!({"io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": capabilities})
}

fn initialize(id: Value, version: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": {"protocolVersion": version,
        "capabilities": {}, "clientInfo": {"name": "tour", "version": "1"}}})
}

/// Every tool with arguments it takes.
pub(crate) fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("echo", json!({"message": "hello"})),
        ("add", json!({"a": 100, "b": 2})),
        ("describe_order", json!({"customer": {"name": "n"}, "items": [{"sku": "AB-123", "quantity": 1}]})),
        ("version", json!({})),
        ("greet", json!({"name": "Ann"})),
        ("measure_tree", json!({"root": {"name": "a", "children": [{"name": "b"}]}})),
        ("statistics", json!({"numbers": [1, 2.5]})),
        ("query_region", json!({"region": "eu", "limit": 3, "options": {"dry_run": true}})),
        ("draw_pixel", json!({})),
        ("play_silence", json!({})),
        ("link_poem", json!({})),
        ("embed_readme", json!({})),
        ("mixed", json!({})),
        ("empty", json!({})),
        ("fail", json!({})),
        ("read_counter", json!({})),
        ("bump_counter", json!({})),
        ("reset_counter", json!({})),
        ("keep_note", json!({"text": "a"})),
        ("flash_extra", json!({})),
        ("work_slowly", json!({"steps": 2})),
        ("log_all_levels", json!({})),
        ("list_roots", json!({})),
        ("ask_model", json!({})),
        ("ask_name", json!({})),
        ("never_a_task", json!({})),
    ]
}

/// The messages among outputs.
pub(crate) fn texts(outputs: &[Output]) -> impl Iterator<Item = &str> {
    outputs.iter().filter_map(|output| match &output.action {
        Action::Send(text) => Some(text.as_str()),
        _ => None,
    })
}
