//! Hand-written transcripts for the tests of rules.

mod http;
mod outcome;

use serde_json::{Value, json};
use verdict::transcript::{Ending, Event, Exit, Kind, Open, Probe, Receive, Send, Via};
use verdict::{Intent, Key, Purpose, Revision, Status, Transport, Verdict};

use crate::{Criteria, judge};

/// A transcript in the making, one session at a time.
#[derive(Debug)]
pub(crate) struct Script {
    criteria: Criteria,
    events: Vec<Event>,
    session: u32,
    next_id: i64,
    next_channel: u32,
    /// Over HTTP+SSE the stream of each session.
    streams: Vec<u32>,
    /// Over HTTP+SSE the status of what is posted.
    posts: u16,
    /// Microseconds in which nothing happened, so far.
    paused: u64,
}

impl Script {
    /// A stdio session in `revision`, opened and (for handshake revisions) shaken, with these server capabilities.
    pub(crate) fn new(revision: Revision, capabilities: Value) -> Self {
        Self::over(Transport::Stdio, revision, capabilities)
    }

    /// Begins a transcript over another transport.
    pub(crate) fn over(transport: Transport, revision: Revision, capabilities: Value) -> Self {
        let mut script = Self::nothing(revision, transport);
        script.opened(false);
        script.greet(&capabilities);
        script
    }

    /// A transcript with nothing in it: every session is opened by hand.
    pub(crate) fn empty(revision: Revision) -> Self {
        Self::nothing(revision, Transport::Stdio)
    }

    fn nothing(revision: Revision, transport: Transport) -> Self {
        let criteria = Criteria { revision, transport };
        Self {
            criteria,
            events: Vec::new(),
            session: 0,
            next_id: 1,
            next_channel: 1,
            streams: vec![],
            posts: 202,
            paused: 0,
        }
    }

    /// A transcript over HTTP+SSE with a session that has asked for its stream, and nothing else.
    pub(crate) fn streaming(revision: Revision) -> Self {
        let mut script = Self::nothing(revision, Transport::Sse);
        script.asks_for_stream("main");
        script
    }

    /// Another session over HTTP+SSE that has asked for its stream; with the purpose `confirm` a repetition.
    pub(crate) fn and_streaming(mut self, purpose: &str) -> Self {
        self.session += 1;
        self.asks_for_stream(purpose);
        self
    }

    fn asks_for_stream(&mut self, purpose: &str) {
        let transport = self.criteria.transport;
        let confirm = purpose == "confirm";
        let revision = (!self.criteria.revision.is_handshake()).then_some(self.criteria.revision);
        self.event(Kind::Open(Open {
            transport,
            purpose: purpose.into(),
            revision,
            confirm,
            outside: false,
            continues: None,
        }));
        let channel = self.channel();
        self.streams.resize(self.session as usize + 1, 0);
        self.streams[self.session as usize] = channel;
        let http = Some("GET".to_owned());
        let send = Send { channel, text: String::new(), base64: None, probe: None, http, headers: vec![], path: None };
        self.event(Kind::Send(send));
    }

    /// The stream opens.
    pub(crate) fn streams(self) -> Self {
        self.head(200, &[("Content-Type", "text/event-stream")])
    }

    /// An event on the stream of the current session.
    pub(crate) fn tells(self, event: &str, data: &str) -> Self {
        let stream = self.streams[self.session as usize];
        self.sse_on(stream, (!event.is_empty()).then_some(event), None, data)
    }

    /// The handshake of a session over HTTP+SSE whose stream has said where to post.
    pub(crate) fn greets(mut self, capabilities: Value) -> Self {
        self.greet(&capabilities);
        self
    }

    /// The status of everything that is posted from now on.
    pub(crate) fn posting(mut self, status: u16) -> Self {
        self.posts = status;
        self
    }

    /// A while in which nothing happens.
    pub(crate) fn pauses(mut self, milliseconds: u64) -> Self {
        self.paused += milliseconds * 1_000;
        self
    }

    /// Another session, with its own handshake.
    pub(crate) fn session(mut self, confirm: bool, capabilities: Value) -> Self {
        self.session += 1;
        self.opened(confirm);
        self.greet(&capabilities);
        self
    }

    /// A session in which one message at a time is sent, to find what fells the server.
    pub(crate) fn careful(mut self, capabilities: Value) -> Self {
        self = self.session(false, capabilities);
        let open = self.events.iter_mut().rev().find_map(|event| match &mut event.kind {
            Kind::Open(open) => Some(open),
            _ => None,
        });
        open.expect("it was opened").purpose = Purpose::Careful.word().to_owned();
        self
    }

    /// Back to an earlier session.
    pub(crate) fn resume(mut self, session: u32) -> Self {
        self.session = session;
        self
    }

    /// Another session without a word in it.
    pub(crate) fn bare(mut self) -> Self {
        self.session += 1;
        self.opened(false);
        self
    }

    /// Another session, opened so.
    pub(crate) fn bare_as(mut self, open: Open) -> Self {
        self.session += 1;
        self.event(Kind::Open(open));
        self
    }

    /// Another session, which goes on with the connection of the last.
    pub(crate) fn goes_on(mut self, purpose: &str) -> Self {
        let before = self.session;
        self.session += 1;
        let revision = (!self.criteria.revision.is_handshake()).then_some(self.criteria.revision);
        self.event(Kind::Open(Open {
            transport: self.criteria.transport,
            purpose: purpose.into(),
            revision,
            confirm: false,
            outside: false,
            continues: Some(before),
        }));
        self
    }

    /// Another session without a word in it, whose revision a handshake is to settle.
    pub(crate) fn undecided(mut self) -> Self {
        self.session += 1;
        let transport = self.criteria.transport;
        self.event(Kind::Open(Open {
            transport,
            purpose: "main".into(),
            revision: None,
            confirm: false,
            outside: false,
            continues: None,
        }));
        self
    }

    /// A session in which the tester poses as somebody else.
    pub(crate) fn outsider(mut self) -> Self {
        self.session += 1;
        let (transport, purpose) = (self.criteria.transport, "stranger".to_owned());
        self.event(Kind::Open(Open {
            transport,
            purpose,
            revision: None,
            confirm: false,
            outside: true,
            continues: None,
        }));
        self
    }

    /// A handshake session beside the others, with one message each way.
    pub(crate) fn foreign(mut self, sent: &str, received: &str) -> Self {
        self.session += 1;
        let open = Open {
            transport: self.criteria.transport,
            purpose: "other".into(),
            revision: None,
            confirm: false,
            outside: false,
            continues: None,
        };
        self.event(Kind::Open(open));
        self.send(sent.to_owned(), None);
        self.says(received)
    }

    fn opened(&mut self, confirm: bool) {
        let stateless = !self.criteria.revision.is_handshake();
        let revision = stateless.then_some(self.criteria.revision);
        if self.criteria.transport == Transport::Sse {
            self.asks_for_stream("main");
            let stream = self.last_channel();
            let headers = owned(&[("content-type", "text/event-stream")]);
            self.event(Kind::Status { channel: stream, status: 200, headers });
            let via = Via::Sse { event: Some("endpoint".into()), id: None, retry: None, oddities: vec![] };
            let text = format!("/messages?session={}5f0b6c1e9a", self.session);
            self.event(Kind::Receive(Receive { channel: stream, text, via, dropped: 0, not_utf8: false }));
            return;
        }
        self.event(Kind::Open(Open {
            transport: self.criteria.transport,
            purpose: "main".into(),
            revision,
            confirm,
            outside: false,
            continues: None,
        }));
    }

    fn greet(&mut self, capabilities: &Value) {
        let revision = self.criteria.revision.as_str();
        if self.criteria.revision.is_handshake() {
            let params =
                json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
            let result = json!({"protocolVersion": revision, "capabilities": capabilities, "serverInfo": {"name": "s", "version": "1"}});
            self.ask(None, "initialize", params);
            self.answer(json!({"result": result}));
            self.event(Kind::Probe(Probe::new("session", Intent::Negotiated, json!({"revision": revision}))));
            self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(), None);
        } else {
            self.ask(None, "server/discover", json!({}));
            let result = json!({"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "supportedVersions": [revision], "capabilities": capabilities});
            self.answer(json!({"result": result}));
        }
    }

    fn event(&mut self, kind: Kind) -> u32 {
        let seq = u32::try_from(self.events.len()).expect("tests are short");
        self.events.push(Event { seq, at_us: self.paused + u64::from(seq), session: self.session, kind });
        seq
    }

    fn channel(&mut self) -> u32 {
        if self.criteria.transport == Transport::Stdio {
            return 0;
        }
        self.next_channel += 1;
        self.next_channel - 1
    }

    fn send(&mut self, text: String, probe: Option<Probe>) {
        let channel = self.channel();
        let http = (channel != 0).then(|| "POST".to_owned());
        self.event(Kind::Send(Send { channel, text, base64: None, probe, http, headers: vec![], path: None }));
        if self.criteria.transport == Transport::Sse {
            self.event(Kind::Status { channel, status: self.posts, headers: vec![] });
            self.event(Kind::Closed { channel, fault: None });
        }
    }

    /// A request, with a probe if `intent` is given; its id is the next number. In 2026-07-28 params without `_meta` get
    /// the version that every request must name, except where `_meta` is what is probed.
    pub(crate) fn ask(&mut self, intent: Option<(Intent, Value)>, method: &str, mut params: Value) {
        let varied = intent.as_ref().is_some_and(|(intent, _)| *intent == Intent::RequestMeta);
        if let Some(members) = params.as_object_mut().filter(|_| !self.criteria.revision.is_handshake() && !varied) {
            let version = self.criteria.revision.as_str();
            members.entry("_meta").or_insert(json!({"io.modelcontextprotocol/protocolVersion": version}));
        }
        let text = json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}).to_string();
        let probe = intent.map(|(intent, about)| probe(intent, about));
        self.send(text, probe);
    }

    /// The answer to the last `ask`: `members` are added to jsonrpc and id. In 2026-07-28 a result without `_meta` gets
    /// the one that every result should have.
    pub(crate) fn answer(&mut self, members: Value) {
        let mut message = json!({"jsonrpc": "2.0", "id": self.next_id});
        self.next_id += 1;
        if let (Some(message), Some(members)) = (message.as_object_mut(), members.as_object()) {
            message.extend(members.clone());
        }
        if !self.criteria.revision.is_handshake()
            && let Some(result) = message.get_mut("result").and_then(Value::as_object_mut)
        {
            let info = json!({"io.modelcontextprotocol/serverInfo": {"name": "s", "version": "1"}});
            result.entry("_meta").or_insert(info);
        }
        self.receive(message.to_string());
    }

    fn receive(&mut self, text: String) {
        if self.criteria.transport == Transport::Sse {
            let (channel, event) = (self.streams[self.session as usize], Some("message".to_owned()));
            let via = Via::Sse { event, id: None, retry: None, oddities: vec![] };
            self.event(Kind::Receive(Receive { channel, text, via, dropped: 0, not_utf8: false }));
            return;
        }
        let via = if self.criteria.transport == Transport::Stdio { Via::Line } else { Via::Body };
        let channel = if self.criteria.transport == Transport::Stdio { 0 } else { self.next_channel - 1 };
        self.event(Kind::Receive(Receive { channel, text, via, dropped: 0, not_utf8: false }));
    }

    /// `ask` without a probe, and `answer`.
    pub(crate) fn plain(mut self, method: &str, params: Value, answer: Value) -> Self {
        self.ask(None, method, params);
        self.answer(answer);
        self
    }

    /// `ask` with a probe, and `answer`.
    pub(crate) fn probe(mut self, intent: Intent, method: &str, params: Value, answer: Value) -> Self {
        self.ask(Some((intent, Value::Null)), method, params);
        self.answer(answer);
        self
    }

    /// Adds a probe with further keys.
    pub(crate) fn probe_about(
        mut self,
        intent: Intent,
        about: Value,
        method: &str,
        params: Value,
        answer: Value,
    ) -> Self {
        self.ask(Some((intent, about)), method, params);
        self.answer(answer);
        self
    }

    /// A probe that gets no answer.
    pub(crate) fn unanswered(mut self, intent: Intent, method: &str, params: Value) -> Self {
        self.ask(Some((intent, Value::Null)), method, params);
        self.next_id += 1;
        self
    }

    /// An ordinary request that gets no answer.
    pub(crate) fn unanswered_plainly(mut self, method: &str, params: Value) -> Self {
        self.ask(None, method, params);
        self.next_id += 1;
        self
    }

    /// Any bytes sent with a probe.
    pub(crate) fn raw(mut self, intent: Intent, about: Value, text: &str) -> Self {
        self.send(text.to_owned(), Some(probe(intent, about)));
        self
    }

    /// Any bytes sent without a probe.
    pub(crate) fn raw_plain(mut self, text: &str) -> Self {
        self.send(text.to_owned(), None);
        self
    }

    /// Any frame from the server.
    pub(crate) fn says(mut self, text: &str) -> Self {
        self.receive(text.to_owned());
        self
    }

    /// A message from the server.
    pub(crate) fn says_json(self, message: &Value) -> Self {
        let text = message.to_string();
        self.says(&text)
    }

    /// Any event of the current session.
    pub(crate) fn add(mut self, kind: Kind) -> Self {
        self.event(kind);
        self
    }

    /// A liveness request was answered and a grace passed.
    pub(crate) fn settled(mut self) -> Self {
        let upto = u32::try_from(self.events.len()).expect("tests are short");
        self.event(Kind::Settled { upto });
        self
    }

    /// The time limit of the last thing sent passed.
    pub(crate) fn gave_up(mut self) -> Self {
        let sent = self.events.iter().rfind(|event| matches!(event.kind, Kind::Send(_)));
        let request = sent.map_or(0, |event| event.seq);
        self.event(Kind::GaveUp { request });
        self
    }

    /// The server ended by itself.
    pub(crate) fn exits(mut self, code: i32) -> Self {
        self.event(Kind::Exit(Exit { code: Some(code), signal: None, after: Ending::Nothing }));
        self
    }

    /// Intent that belongs to no message.
    pub(crate) fn means(mut self, intent: Intent, about: Value) -> Self {
        self.event(Kind::Probe(probe(intent, about)));
        self
    }

    /// Turns the conversation into one recorded between a real client and the server, with inferred intents.
    pub(crate) fn understood(mut self) -> Self {
        for event in &mut self.events {
            if let Kind::Open(open) = &mut event.kind {
                open.purpose = Purpose::Recorded.word().to_owned();
            }
        }
        self.meaning()
    }

    /// The conversation with what it meant, if it is a recording.
    pub(crate) fn meaning(mut self) -> Self {
        self.events = crate::infer_intents(&self.events, &self.criteria).into_owned();
        self
    }

    /// The intents of what was sent.
    pub(crate) fn intents(&self) -> Vec<Intent> {
        let sent = self.events.iter().filter_map(|event| match &event.kind {
            Kind::Send(send) => send.probe.as_ref(),
            _ => None,
        });
        sent.map(|probe| probe.intent).collect()
    }
}

/// The members of `about` that the intent declares, for helpers that serve several intents.
pub(crate) fn declared(intent: Intent, mut about: Value) -> Value {
    if let Value::Object(members) = &mut about {
        members.retain(|name, _| Key::ALL.iter().any(|key| key.name() == name && intent.declares(*key)));
    }
    about
}

/// A probe that need not have all keys of its intent.
fn probe(intent: Intent, about: Value) -> Probe {
    assert_eq!(intent.wrong_key(&about), None);
    Probe { scenario: "test".to_owned(), intent, about }
}

fn owned(headers: &[(&str, &str)]) -> Vec<(String, String)> {
    headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
