//! A connection of the core with its streams, and the task that carries outputs from one to the other.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::hub::Hub;
use crate::core::{Action, Connection, Output, Stream, Transport};

pub(super) struct Peer {
    inside: Mutex<Inside>,
    wake: Notify,
    hub: Weak<Hub>,
    started: Instant,
}

struct Inside {
    connection: Connection,
    answers: HashMap<u64, UnboundedSender<Action>>,
    standalone: Vec<UnboundedSender<Action>>,
    closed: bool,
}

impl Peer {
    pub(super) fn new(hub: &Arc<Hub>) -> Arc<Self> {
        let connection = Connection::new(hub.server.clone(), Transport::Http);
        let inside = Inside { connection, answers: HashMap::new(), standalone: Vec::new(), closed: false };
        let peer = Arc::new(Self {
            inside: Mutex::new(inside),
            wake: Notify::new(),
            hub: Arc::downgrade(hub),
            started: Instant::now(),
        });
        hub.introduce(&peer);
        tokio::spawn(carry(Arc::downgrade(&peer)));
        peer
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the connection, or changes it.
    pub(super) fn with<T>(&self, look: impl FnOnce(&mut Connection) -> T) -> T {
        look(&mut self.inside().connection)
    }

    /// Hands a payload to the core; what it sends for it comes out of the channel.
    pub(super) fn receive(&self, body: &[u8]) -> (u64, UnboundedReceiver<Action>) {
        let (sender, receiver) = unbounded_channel();
        let payload = {
            let mut inside = self.inside();
            let payload = inside.connection.receive(body, self.started.elapsed());
            inside.answers.insert(payload, sender);
            payload
        };
        self.carry_now();
        if let Some(hub) = self.hub.upgrade() {
            hub.wake_all();
        }
        (payload, receiver)
    }

    /// Opens a stream for what is related to no request.
    pub(super) fn listen(&self) -> UnboundedReceiver<Action> {
        let (sender, receiver) = unbounded_channel();
        self.inside().standalone.push(sender);
        receiver
    }

    /// The answer to the one payload of a modern peer is complete, or no longer wanted.
    pub(super) fn let_go(&self, payload: u64) {
        let mut inside = self.inside();
        inside.answers.remove(&payload);
        inside.connection.drop_stream(payload);
        // Such a peer was there for this one request.
        inside.closed = true;
        drop(inside);
        self.wake.notify_one();
    }

    pub(super) fn close(&self) {
        let mut inside = self.inside();
        inside.closed = true;
        inside.answers.clear();
        inside.standalone.clear();
        drop(inside);
        self.wake.notify_one();
    }

    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }

    /// Carries what is due; `None` once the peer is closed, else when to come back.
    fn carry_now(&self) -> Option<Option<std::time::Duration>> {
        let mut inside = self.inside();
        if inside.closed {
            return None;
        }
        let now = self.started.elapsed();
        for output in inside.connection.poll(now) {
            inside.route(output, self.hub.upgrade().as_deref());
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
            Stream::Answer(payload) => {
                let last = output.action == Action::End;
                if let Some(sender) = self.answers.get(&payload) {
                    // Nobody reads it any more: then it is lost, as on any broken connection.
                    let _ = sender.send(output.action);
                }
                if last {
                    self.answers.remove(&payload);
                }
            }
            Stream::Standalone => {
                self.standalone.retain(|sender| !sender.is_closed());
                if let Some(sender) = self.standalone.first() {
                    let _ = sender.send(output.action);
                }
            }
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
