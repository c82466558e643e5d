//! Sending: requests, notifications, and raw bytes.

use std::rc::Rc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use verdict::{Batching, Revision};
use wire::mcp::meta;

use serde_json::{Map, Value, json};
use tokio::sync::{Notify, oneshot};
use verdict::transcript::{Headers, Kind, Probe, Send};
use wire::{IdKey, Limits, Message, write};

use super::dispatch::own_id;
use super::draft::{Draft, Patience, drafted};
use super::exchange::recorded;
use super::in_flight::RequestOutcome;
use super::{Channel, Inner, Session};
use crate::transport::{Departure, Parcel};
use crate::vain::tool_behind;

/// How long a tool may be at work of which nothing is known, or which may take longer this time.
const WORK: Duration = Duration::from_secs(1);

/// A request in the making.
#[derive(Debug)]
pub struct Ask<'s> {
    session: &'s Session,
    method: String,
    params: Option<Value>,
    id: Option<String>,
    bare: bool,
    draft: Draft,
}

drafted!(Ask);

/// Raw bytes, or a notification, in the making.
#[derive(Debug)]
pub struct Raw<'s> {
    pub(super) session: &'s Session,
    pub(super) bytes: Bytes,
    pub(super) draft: Draft,
}

drafted!(Raw);

/// What was handed over.
pub(super) struct Posted {
    /// Its position in the transcript.
    pub(super) seq: u32,
    /// What it was sent on.
    pub(super) channel: u32,
    /// Gets what comes of the first request in it.
    pub(super) outcome: oneshot::Receiver<RequestOutcome>,
    /// When it leaves for the server.
    pub(super) departure: Departure,
}

impl Session {
    /// A request with params. In 2026-07-28 the required `_meta` is added.
    pub fn ask(&self, method: &str, params: Value) -> Ask<'_> {
        let method = method.to_owned();
        Ask { session: self, method, params: Some(params), id: None, bare: false, draft: Draft::default() }
    }

    /// A notification. In 2026-07-28 nothing is added: notifications need no `_meta`.
    pub fn notify(&self, method: &str, params: Option<&Value>) -> Raw<'_> {
        self.raw(write::notification(method, params))
    }

    /// Tells the server that nobody waits for this request any more. (Over HTTP in 2026-07-28 dropping the connection says
    /// it.)
    pub async fn cancel(&self, id: i64) {
        if let Some(key) = wire::Id::Integer(id.to_string()).key() {
            self.0.in_flight.borrow_mut().take_pending(&key);
        }
        if !self.0.is_stateless() || self.transport() == verdict::Transport::Stdio {
            let params = json!({"requestId": id, "reason": "it takes longer than the tester waits"});
            self.notify("notifications/cancelled", Some(&params)).send().await;
        }
    }

    /// Exactly these bytes as one message.
    pub fn raw(&self, bytes: impl Into<Bytes>) -> Raw<'_> {
        Raw { session: self, bytes: bytes.into(), draft: Draft::default() }
    }

    /// An id that was not used on this session yet.
    #[must_use]
    pub fn fresh_id(&self) -> i64 {
        self.0.in_flight.borrow_mut().take_id()
    }

    /// Returns the `_meta` that every request of a stateless revision must carry. In a session with a handshake it is that of the
    /// newest revision: scenarios send it there as a client of both eras would.
    #[must_use]
    pub fn meta(&self) -> Value {
        let revision = if self.0.is_stateless() { self.0.client.get() } else { Revision::LATEST };
        json!({
            (meta::PROTOCOL_VERSION): revision.as_str(),
            (meta::CLIENT_CAPABILITIES): self.0.profile.get().capabilities(revision),
            (meta::CLIENT_INFO): super::client::info(),
        })
    }
}

impl<'s> Ask<'s> {
    /// Adds nothing to the params, in no revision.
    #[must_use]
    pub fn bare(mut self) -> Self {
        self.bare = true;
        self
    }

    /// Leaves the `params` member out (in 2026-07-28 only together with [`Ask::bare`]).
    #[must_use]
    pub fn no_params(mut self) -> Self {
        self.params = None;
        self
    }

    /// The JSON text of the id.
    #[must_use]
    pub fn id(mut self, text: impl Into<String>) -> Self {
        self.id = Some(text.into());
        self
    }

    /// The first request of a process: a server that is slow to start is not silent.
    pub(crate) fn opening(mut self) -> Self {
        self.draft.limit = Some(self.session.opening_limit());
        self.draft.patience = Patience::Start;
        self.session.0.in_flight.borrow_mut().note_opening();
        self
    }

    /// As long as it waits for the work of a tool: once this is told, that work is over, and nothing else takes time.
    pub(crate) fn until_over(mut self, over: &Rc<Notify>) -> Self {
        self.draft.over = Some((Rc::clone(over), None));
        self
    }

    /// Once this is told, the answer is as good as lost: it may take this long.
    pub(super) fn until_lost(mut self, lost: &Rc<Notify>, rest: Duration) -> Self {
        self.draft.over = Some((Rc::clone(lost), Some(rest)));
        self
    }

    /// Sends it and waits for what comes of it.
    pub async fn send(self) -> RequestOutcome {
        self.build().answered().await
    }

    /// Sends it without waiting; gives the HTTP exchange (0 on stdio), for [`Session::abort_exchange`].
    pub fn start(self) -> u32 {
        let raw = self.build();
        let channel = raw.session.0.in_flight.borrow().next_channel(raw.session.transport());
        if !raw.session.is_down() && !raw.session.avoids(&raw.bytes) {
            raw.post();
        }
        channel
    }

    /// Sends it without taking a turn, even in a bisecting session, and waits for what comes of it, as long as the server is
    /// heard at all.
    pub(super) async fn uncounted(mut self) -> RequestOutcome {
        self.draft.patience = Patience::Work;
        self.build().wait().await
    }

    fn build(mut self) -> Raw<'s> {
        self.draft.numbered = self.id.is_none();
        let id = self.id.unwrap_or_else(|| self.session.fresh_id().to_string());
        let stateless = self.session.0.is_stateless() && !self.bare;
        let params = match self.params {
            Some(params) if stateless => Some(with_meta(params, self.session.meta())),
            None if stateless => Some(with_meta(json!({}), self.session.meta())),
            params => params,
        };
        let text = write::request(write::IdText::raw(&id), &self.method, params.as_ref());
        Raw { session: self.session, bytes: text.into(), draft: self.draft }
    }
}

fn with_meta(params: Value, meta: Value) -> Value {
    let Value::Object(mut params) = params else { return params };
    let mut merged = Map::new();
    merged.extend(meta.as_object().cloned().unwrap_or_default());
    if let Some(Value::Object(own)) = params.remove("_meta") {
        merged.extend(own);
    }
    params.insert("_meta".to_owned(), Value::Object(merged));
    Value::Object(params)
}

impl Raw<'_> {
    /// Sends it without waiting for an answer; `settle` tells whether one came. (When the input that fells a server is
    /// looked for, it waits for a sign of life.)
    pub async fn send(self) {
        let session = self.session;
        let Some(bisection) = session.0.settings.bisection.clone() else {
            self.post();
            return;
        };
        let _turn = bisection.turn.lock().await;
        if bisection.takes(session, &self.bytes, self.draft.probe.as_ref()) {
            self.post();
            session.settle().await;
        }
    }

    /// Sends it and waits for the answer to the first request in it, or over HTTP for the end of the exchange.
    pub async fn answered(self) -> RequestOutcome {
        let session = self.session;
        let Some(bisection) = session.0.settings.bisection.clone() else { return self.wait().await };
        let _turn = bisection.turn.lock().await;
        if !bisection.takes(session, &self.bytes, self.draft.probe.as_ref()) {
            return RequestOutcome::Gone;
        }
        self.wait().await
    }

    /// Sends it; what comes of it can be waited for later.
    pub(crate) fn begin(self) -> (u32, oneshot::Receiver<RequestOutcome>) {
        let posted = self.post();
        (posted.seq, posted.outcome)
    }

    pub(super) fn post(self) -> Posted {
        self.session.0.post(self.bytes, &self.draft)
    }
}

impl Inner {
    /// Records and hands over.
    fn post(&self, bytes: Bytes, draft: &Draft) -> Posted {
        let (sender, receiver) = oneshot::channel();
        let transport = self.settings.transport;
        let http = transport != verdict::Transport::Stdio;
        let channel = self.in_flight.borrow_mut().take_channel(transport);
        let bytes = recorded(bytes, &draft.form);
        let parsed = wire::parse_sent(&bytes, &Limits { bytes: 80 << 20, ..Limits::default() });
        let message = parsed.messages().first();
        if parsed.messages().iter().any(super::lease::lasts) {
            self.lasting.set(true);
        }
        let ids = parsed.messages().iter().filter(|_| !http).filter_map(key_of);
        ids.for_each(|id| self.in_flight.borrow_mut().note_id(id));
        let key = parsed.messages().iter().filter(|message| message.method().is_some()).find_map(key_of);
        let headers = if http { self.headers(message, draft) } else { Vec::new() };
        let method = http.then_some("POST");
        let seq = self.record(channel, &bytes, draft.probe.clone(), method, headers.clone(), draft.path.clone());
        if let Some(key) = &key {
            self.recorder.asked();
            if let Some(tool) = tool_behind(&parsed) {
                let known = self.settings.learned.vain.work(tool);
                let certain = self.settings.learned.loses_answers() && !known.is_zero();
                let work = if certain { known } else { known.max(WORK) };
                self.in_flight.borrow_mut().note_call(key.clone(), Instant::now() + work);
            }
        }
        if let Some(id) =
            message.and_then(|message| own_id(message.id.as_ref()?)).filter(|_| draft.probe.is_some() && !http)
        {
            self.in_flight.borrow_mut().note_probe(id, bytes.clone());
        }
        let quiet = parsed.messages().iter().filter(|message| key_of(message).is_none());
        let ill = |message: &Message| !message.defects.is_empty();
        let mut in_flight = self.in_flight.borrow_mut();
        quiet.for_each(|message| in_flight.note_no_request(ill(message)));
        if parsed.messages().is_empty() {
            in_flight.note_no_request(true);
        }
        drop(in_flight);
        let by_id = transport != verdict::Transport::Http;
        let (waiter, pending) = if by_id && key.is_some() { (None, Some(sender)) } else { (Some(sender), None) };
        if let (Some(key), Some(waiter)) = (key.clone(), pending) {
            let owed = self.may_expect(&parsed);
            self.in_flight.borrow_mut().add_pending(key, waiter, owed);
        }
        if http {
            let exchange = Channel { key, waiter, outsider: draft.outsider, ..Channel::default() };
            self.in_flight.borrow_mut().add_channel(channel, exchange);
        }
        let departure = Departure::default();
        let (path, form, at_once) = (draft.path.clone(), draft.form.clone(), draft.at_once);
        self.link.send(Parcel {
            channel,
            method: "POST".to_owned(),
            path,
            headers,
            bytes,
            form,
            at_once,
            departure: departure.clone(),
        });
        Posted { seq, channel, outcome: receiver, departure }
    }

    /// Nothing about it is unusual, so that an answer is owed: silence is believed only after a longer grace.
    fn may_expect(&self, parsed: &wire::Parsed) -> bool {
        const SAFE: i64 = 9_007_199_254_740_991;
        let plain = |message: &Message| {
            let id = match &message.id {
                Some(wire::Id::Integer(text)) => {
                    text.parse::<i64>().is_ok_and(|number| (-SAFE..=SAFE).contains(&number))
                }
                id => matches!(id, Some(wire::Id::String(_)) | None),
            };
            message.defects.is_empty() && id
        };
        let batch = matches!(parsed.content, wire::Content::Batch(_));
        let served = !batch
            || self.server.borrow().revision.is_some_and(|revision| revision.traits().batching == Batching::Required);
        served && parsed.messages().iter().all(plain)
    }

    pub(super) fn record(
        &self,
        channel: u32,
        bytes: &[u8],
        probe: Option<Probe>,
        http: Option<&str>,
        headers: Headers,
        path: Option<String>,
    ) -> u32 {
        let valid = std::str::from_utf8(bytes).is_ok();
        let send = Send {
            channel,
            text: String::from_utf8_lossy(bytes).into_owned(),
            base64: (!valid).then(|| base64(bytes)),
            probe,
            http: http.map(str::to_owned),
            headers,
            path,
        };
        self.in_flight.borrow_mut().note_sent();
        self.recorder.add(self.id.get(), Kind::Send(send))
    }
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn key_of(message: &Message) -> Option<IdKey> {
    message.id.as_ref().and_then(wire::Id::key)
}
