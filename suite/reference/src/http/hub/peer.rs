//! A connection of the core with its streams, and the task that carries outputs from one to the other.

use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedReceiver;

use super::Hub;
use crate::core::{Action, Connection, Output, Stream, Transport};
use crate::deviation::Deviation;
use crate::http::body::Hold;
use crate::http::replay::{Name, Position, Streams};
use crate::http::{sse_event, stray};

pub(in crate::http) struct Peer {
    inside: Mutex<Inside>,
    wake: Notify,
    hub: Weak<Hub>,
    started: Instant,
    /// Of its connection.
    pub(in crate::http) number: u64,
}

struct Inside {
    connection: Connection,
    streams: Streams,
    closed: bool,
}

impl Peer {
    pub(in crate::http) fn new(hub: &Arc<Hub>) -> Arc<Self> {
        Self::over(hub, Transport::Http)
    }

    pub(in crate::http) fn over(hub: &Arc<Hub>, transport: Transport) -> Arc<Self> {
        let connection = Connection::new(hub.server.clone(), transport);
        let number = connection.number;
        let inside = Inside { connection, streams: Streams::default(), closed: false };
        let peer = Arc::new(Self {
            inside: Mutex::new(inside),
            wake: Notify::new(),
            hub: Arc::downgrade(hub),
            started: Instant::now(),
            number,
        });
        hub.introduce(&peer);
        tokio::spawn(carry(Arc::downgrade(&peer)));
        peer
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the connection, or changes it.
    pub(in crate::http) fn with<T>(&self, look: impl FnOnce(&mut Connection) -> T) -> T {
        look(&mut self.inside().connection)
    }

    /// Hands a payload to the core; what it sends for it comes out of the channel.
    pub(in crate::http) fn receive(self: &Arc<Self>, body: &[u8]) -> (u64, UnboundedReceiver<Action>) {
        let (payload, receiver) = {
            let mut inside = self.inside();
            let payload = inside.connection.receive(body, self.started.elapsed());
            (payload, inside.streams.open(Name::Answer(payload)))
        };
        self.carry_now();
        if let Some(hub) = self.hub.upgrade() {
            hub.wake_all();
        }
        (payload, receiver)
    }

    /// Hands a payload to the core; what it sends for it goes to the client's one stream.
    pub(in crate::http) fn take(self: &Arc<Self>, body: &[u8]) {
        // What nobody receives on a channel of its own goes there.
        let now = self.started.elapsed();
        self.inside().connection.receive(body, now);
        self.carry_now();
        if let Some(hub) = self.hub.upgrade() {
            hub.wake_all();
        }
    }

    /// Puts text on the client's one stream.
    pub(in crate::http) fn say(&self, text: impl Into<Vec<u8>>) {
        self.inside().streams.announce(Action::Raw(text.into()));
    }

    /// The client no longer reads its one stream.
    fn left(&self) {
        if let Some(hub) = self.hub.upgrade().filter(|_| self.inside().connection.transport == Transport::Sse) {
            hub.leave(self);
        }
    }

    /// Opens a stream for what is related to no request.
    pub(in crate::http) fn listen(&self) -> (Name, UnboundedReceiver<Action>) {
        self.inside().streams.listen()
    }

    pub(in crate::http) fn is_listened_to(&self) -> bool {
        self.inside().streams.is_listened_to()
    }

    /// Opens a stream again, after what the client has seen of it.
    pub(in crate::http) fn resume(&self, from: Position) -> Option<UnboundedReceiver<Action>> {
        let mut inside = self.inside();
        let deviations = stray::replay(&inside.connection.server);
        inside.streams.resume(from, &deviations)
    }

    /// Whether a fault has the work go on when the client is gone: then this peer stays for a while.
    fn works_on(self: &Arc<Self>) -> bool {
        let lax = self.with(|connection| connection.server.deviates(Deviation::DisconnectsAreIgnored));
        if lax && let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let peer = self.clone();
            runtime.spawn(async move {
                tokio::time::sleep(std::time::Duration::from_secs(3)).await;
                drop(peer);
            });
        }
        lax
    }

    /// The answer to a payload is complete, or no longer wanted.
    fn let_go(&self, payload: u64, alone: bool) {
        let mut inside = self.inside();
        inside.connection.drop_stream(payload);
        if alone {
            inside.streams.forget(payload);
            inside.closed = true;
        }
        drop(inside);
        self.wake.notify_one();
    }

    /// Returns what a stream holds for as long as the client reads it: of the answer to a payload, if that is to be known, and
    /// of a peer that is there for this one request alone, if so.
    pub(in crate::http) fn hold(self: Arc<Self>, payload: Option<u64>, alone: bool) -> Hold {
        Hold::new(move || {
            if self.works_on() {
                return;
            }
            match payload {
                Some(payload) => self.let_go(payload, alone),
                None => self.left(),
            }
        })
    }

    /// Puts something on a stream that answers no payload.
    pub(in crate::http) fn announce(&self, action: Action) {
        self.inside().streams.announce(action);
    }

    pub(in crate::http) fn close(&self) {
        let mut inside = self.inside();
        inside.closed = true;
        inside.streams.clear();
        drop(inside);
        self.wake.notify_one();
    }

    pub(in crate::http) fn wake(&self) {
        self.wake.notify_one();
    }

    /// Carries what is due; `None` once the peer is closed, else when to come back.
    fn carry_now(self: &Arc<Self>) -> Option<Option<std::time::Duration>> {
        let hub = self.hub.upgrade();
        let mut inside = self.inside();
        if inside.closed {
            return None;
        }
        let now = self.started.elapsed();
        for output in inside.connection.poll(now) {
            if let Some(hub) = &hub
                && stray::reaches_other_sessions(&hub.server, &output)
            {
                let (hub, peer, action) = (hub.clone(), self.clone(), output.action.clone());
                tokio::spawn(async move { hub.others(&peer).iter().for_each(|other| other.announce(action.clone())) });
            }
            inside.route(output, hub.as_deref());
        }
        Some(inside.connection.next_due().map(|due| due.saturating_sub(now)))
    }
}

impl Inside {
    fn route(&mut self, output: Output, hub: Option<&Hub>) {
        match output.action {
            Action::Exit(code) => {
                if let Some(hub) = hub {
                    hub.end(code);
                }
                return;
            }
            Action::Chatter(text) => {
                // Whoever serves has no other use for it.
                let _ = writeln!(std::io::stderr(), "{text}");
                return;
            }
            _ => {}
        }
        match output.stream {
            Stream::Answer(payload)
                if self.connection.transport == Transport::Sse && !self.streams.is_answer(payload) =>
            {
                self.tell(output.action, hub);
            }
            Stream::Standalone if self.connection.transport == Transport::Sse => self.tell(output.action, hub),
            Stream::Answer(payload) => {
                if stray::comes_on_get_too(&self.connection.server, &output.action) {
                    self.streams.announce(output.action.clone());
                }
                self.streams.answer(payload, output.action);
            }
            Stream::Standalone if stray::comes_on_every_stream(&self.connection.server) => {
                self.streams.announce_everywhere(&output.action)
            }
            Stream::Standalone => self.streams.announce(output.action),
        }
    }

    /// Puts a message on the one stream of HTTP+SSE.
    fn tell(&mut self, action: Action, hub: Option<&Hub>) {
        let Action::Send(text) = action else { return };
        let event = sse_event::event(&self.connection.server, &text);
        match hub.and_then(|hub| peer_for_stray(hub, &self.connection, &text)) {
            Some(other) => other.say(event),
            None => self.streams.announce(Action::Raw(event)),
        }
    }
}

async fn carry(peer: Weak<Peer>) {
    loop {
        let Some(strong) = peer.upgrade() else { return };
        let Some(wait) = strong.carry_now() else { return };
        let wait = wait.unwrap_or(std::time::Duration::from_secs(3600));
        // Between two looks nothing may keep the peer alive but those who use it.
        let notified = async {
            strong.wake.notified().await;
        };
        let _ = tokio::time::timeout(wait.min(std::time::Duration::from_secs(5)), notified).await;
    }
}

/// Another client on whose stream a fault puts an answer.
fn peer_for_stray(hub: &Hub, connection: &Connection, text: &str) -> Option<Arc<Peer>> {
    let lists = ["\"tools\":[", "\"prompts\":[", "\"resources\":["].iter().any(|list| text.contains(list));
    if !lists || !hub.server.deviates(Deviation::ListsGoToOldestClient) {
        return None;
    }
    // Its own stream is locked.
    hub.first_but(connection.number)
}
