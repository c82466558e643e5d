//! What all HTTP connections share: the server, the sessions, and whoever waits for changes.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use tokio::sync::Notify;

use super::guard::Guard;
use super::peer::Peer;
use super::wrong;
use crate::core::Server;

/// More sessions than this end the oldest.
const MOST_SESSIONS: usize = 1000;

pub(super) struct Hub {
    pub(super) server: Arc<Server>,
    /// Who is let in, if that is asked at all.
    pub(super) guard: Option<Guard>,
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

/// What is remembered for the sake of faults alone.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) minted: u64,
    pub(super) ended: Vec<String>,
    pub(super) late: Option<String>,
    /// Of each session: the requests of the last moment, when they came and on which connection.
    pub(super) requests: HashMap<String, Vec<(Instant, usize)>>,
}

impl Hub {
    pub(super) fn new(server: Server, guard: Option<Guard>, streams: bool) -> Self {
        Self {
            server: Arc::new(server),
            guard,
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

    pub(super) fn session(&self, id: &str) -> Option<Arc<Peer>> {
        lock(&self.sessions).iter().rfind(|(known, _)| known == id).map(|(_, peer)| peer.clone())
    }

    pub(super) fn memory(&self) -> MutexGuard<'_, Memory> {
        lock(&self.memory)
    }

    /// Whether there is a session at all.
    pub(super) fn is_in_use(&self) -> bool {
        !lock(&self.sessions).is_empty()
    }

    /// Every session but this one, the newest first.
    pub(super) fn others(&self, than: &Arc<Peer>) -> Vec<Arc<Peer>> {
        let sessions = lock(&self.sessions);
        sessions.iter().rev().map(|(_, peer)| peer.clone()).filter(|peer| !Arc::ptr_eq(peer, than)).collect()
    }

    /// Keeps a session and gives its id.
    pub(super) fn keep(&self, peer: Arc<Peer>) -> String {
        let id = wrong::session_id(self, random_id(&peer));
        self.keep_as(id.clone(), peer);
        id
    }

    /// Keeps a client of HTTP+SSE and gives what names it in the URI that it posts to.
    pub(super) fn join(&self, peer: &Arc<Peer>) -> String {
        let id = if self.server.faulty("sse.multi.distinct-endpoints") {
            "all".to_owned()
        } else if self.server.faulty("security.sse.endpoint-unguessable") {
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
        let all = self.server.settings.faulty_as("sse.shutdown.disconnect-ends-session", "others");
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

    /// The same, unless it is the client of this connection.
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
            && !self.server.faulty("http.session.delete-closes-streams")
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
