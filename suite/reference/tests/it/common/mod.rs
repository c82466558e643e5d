//! Drives the core in process through everything it offers, and everything it must refuse.

pub(crate) mod calls;
mod corners;
mod flows;
mod handshakes;
mod lists;
mod odd;
mod offers;

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
        self.flows(&mut talk)?;
        self.offers(&mut talk)?;
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

/// The messages among outputs.
pub(crate) fn texts(outputs: &[Output]) -> impl Iterator<Item = &str> {
    outputs.iter().filter_map(|output| match &output.action {
        Action::Send(text) => Some(text.as_str()),
        _ => None,
    })
}
