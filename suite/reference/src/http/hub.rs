//! State shared by all HTTP connections: the server, the sessions, and those who wait for changes.

mod peer;

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use tokio::sync::Notify;

use super::Interceptor;
use super::guard::Guard;
pub(super) use peer::Peer;

use crate::core::Server;
use crate::deviation::Deviation;

/// More sessions than this end the oldest.
const MOST_SESSIONS: usize = 1000;

pub(crate) struct Hub {
    pub(crate) server: Arc<Server>,
    /// Who is let in, if that is asked at all.
    pub(super) guard: Option<Guard>,
    pub(super) interceptor: Option<Box<dyn Interceptor>>,
    /// HTTP+SSE is served.
    pub(super) streams: bool,
    /// A client of HTTP+SSE has gone: only faults look at it.
    lost: AtomicBool,
    sessions: Mutex<VecDeque<(String, Arc<Peer>)>>,
    peers: Mutex<Vec<Weak<Peer>>>,
    exit: Notify,
    code: Mutex<u8>,
    /// Only faults look at it.
    memory: Mutex<Memory>,
}

/// Memory that only faults use.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) minted: u64,
    pub(crate) ended: Vec<String>,
    pub(crate) late: Option<String>,
    /// Of each session: the requests of the last moment, when they came and on which connection.
    pub(crate) requests: HashMap<String, Vec<(Instant, usize)>>,
    /// Of each id of a request: the session that used it first.
    pub(crate) users: HashMap<String, String>,
}

impl Hub {
    pub(super) fn new(
        server: Server,
        guard: Option<Guard>,
        interceptor: Option<Box<dyn Interceptor>>,
        streams: bool,
    ) -> Self {
        Self {
            server: Arc::new(server),
            guard,
            interceptor,
            streams,
            lost: AtomicBool::new(false),
            sessions: Mutex::default(),
            peers: Mutex::default(),
            exit: Notify::new(),
            code: Mutex::new(0),
            memory: Mutex::default(),
        }
    }

    /// Whether there are legacy clients, and session ids for them.
    pub(super) fn keeps_sessions(&self) -> bool {
        self.server.newest_legacy().is_some() && !self.server.quirk("no-session-id")
    }

    /// Whether a GET opens a stream.
    pub(super) fn listens(&self) -> bool {
        self.keeps_sessions() && !self.server.quirk("get-405")
    }

    /// Whether clients may end their sessions.
    pub(super) fn lets_end(&self) -> bool {
        self.keeps_sessions() && !self.server.quirk("delete-405")
    }

    pub(crate) fn has_session(&self, id: &str) -> bool {
        self.session(id).is_some()
    }

    pub(super) fn session(&self, id: &str) -> Option<Arc<Peer>> {
        lock(&self.sessions).iter().rfind(|(known, _)| known == id).map(|(_, peer)| peer.clone())
    }

    pub(crate) fn memory(&self) -> MutexGuard<'_, Memory> {
        lock(&self.memory)
    }

    /// Whether there is a session at all.
    pub(crate) fn is_in_use(&self) -> bool {
        !lock(&self.sessions).is_empty()
    }

    /// Every session but this one, the newest first.
    pub(super) fn others(&self, than: &Arc<Peer>) -> Vec<Arc<Peer>> {
        let sessions = lock(&self.sessions);
        sessions.iter().rev().map(|(_, peer)| peer.clone()).filter(|peer| !Arc::ptr_eq(peer, than)).collect()
    }

    /// Keeps a session and gives its id.
    pub(super) fn keep(&self, peer: Arc<Peer>) -> String {
        let random = random_id(&peer);
        let count = {
            let mut memory = self.memory();
            memory.minted += 1;
            memory.minted
        };
        let other = self.interceptor.as_ref().and_then(|interceptor| interceptor.session_id(count, &random));
        let id = other.unwrap_or(random);
        self.keep_as(id.clone(), peer);
        id
    }

    /// Keeps a client of HTTP+SSE and gives what names it in the URI that it posts to.
    pub(super) fn join(&self, peer: &Arc<Peer>) -> String {
        let id = if self.server.deviates(Deviation::OneEndpointForAll) {
            "all".to_owned()
        } else if self.server.deviates(Deviation::EndpointsAreCounted) {
            (1000 + peer.number).to_string()
        } else {
            random_id(peer)
        };
        self.keep_as(id.clone(), peer.clone());
        id
    }

    /// A client of HTTP+SSE has closed its stream.
    pub(super) fn leave(&self, peer: &Peer) {
        self.lost.store(true, Ordering::Relaxed);
        let all = self.server.settings.deviates(Deviation::DisconnectEndsAllStreams);
        let mut gone = Vec::new();
        lock(&self.sessions).retain(|(_, known)| {
            let stays = !all && !std::ptr::eq(Arc::as_ptr(known), peer);
            if !stays {
                gone.push(known.clone());
            }
            stays
        });
        gone.iter().for_each(|peer| peer.close());
    }

    pub(super) fn has_lost_one(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// The session that has lasted longest.
    pub(super) fn first(&self) -> Option<Arc<Peer>> {
        lock(&self.sessions).front().map(|(_, peer)| peer.clone())
    }

    /// Returns the oldest client unless it is the one of this connection.
    pub(super) fn first_but(&self, number: u64) -> Option<Arc<Peer>> {
        self.first().filter(|peer| peer.number != number)
    }

    fn keep_as(&self, id: String, peer: Arc<Peer>) {
        let mut sessions = lock(&self.sessions);
        sessions.push_back((id, peer));
        if sessions.len() > MOST_SESSIONS
            && let Some((_, oldest)) = sessions.pop_front()
        {
            oldest.close();
        }
    }

    pub(super) fn forget(&self, id: &str) {
        self.memory().ended.push(id.to_owned());
        let mut sessions = lock(&self.sessions);
        if let Some(index) = sessions.iter().rposition(|(known, _)| known == id)
            && let Some((_, peer)) = sessions.remove(index)
            && !self.server.deviates(Deviation::EndedSessionsKeepStreams)
        {
            peer.close();
        }
    }

    pub(super) fn introduce(&self, peer: &Arc<Peer>) {
        let mut peers = lock(&self.peers);
        peers.retain(|peer| peer.strong_count() > 0);
        peers.push(Arc::downgrade(peer));
    }

    /// Something may have changed that others are to hear of.
    pub(super) fn wake_all(&self) {
        for peer in lock(&self.peers).iter().filter_map(Weak::upgrade) {
            peer.wake();
        }
    }

    pub(super) fn end(&self, code: u8) {
        *lock(&self.code) = code;
        self.exit.notify_one();
    }

    pub(super) async fn exit(&self) -> u8 {
        self.exit.notified().await;
        *lock(&self.code)
    }
}

fn random_id(peer: &Arc<Peer>) -> String {
    let mut random = [0; 16];
    // Without randomness ids are still unique, and a test server keeps no secrets.
    if getrandom::fill(&mut random).is_err() {
        random[..8].copy_from_slice(&(Arc::as_ptr(peer) as usize as u64).to_le_bytes());
    }
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
