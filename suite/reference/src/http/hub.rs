//! What all HTTP connections share: the server, the sessions, and whoever waits for changes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::Notify;

use super::peer::Peer;
use crate::core::Server;

/// More sessions than this end the oldest.
const MOST_SESSIONS: usize = 1000;

pub(super) struct Hub {
    pub(super) server: Arc<Server>,
    sessions: Mutex<VecDeque<(String, Arc<Peer>)>>,
    peers: Mutex<Vec<Weak<Peer>>>,
    exit: Notify,
    code: Mutex<u8>,
}

impl Hub {
    pub(super) fn new(server: Server) -> Self {
        Self {
            server: Arc::new(server),
            sessions: Mutex::default(),
            peers: Mutex::default(),
            exit: Notify::new(),
            code: Mutex::new(0),
        }
    }

    /// Whether there are legacy clients, and session ids for them.
    pub(super) fn keeps_sessions(&self) -> bool {
        self.server.newest_legacy().is_some() && !self.server.quirk("no-session-id")
    }

    pub(super) fn session(&self, id: &str) -> Option<Arc<Peer>> {
        lock(&self.sessions).iter().find(|(known, _)| known == id).map(|(_, peer)| peer.clone())
    }

    /// Keeps a session and gives its id.
    pub(super) fn keep(&self, peer: Arc<Peer>) -> String {
        let mut random = [0; 16];
        // Without randomness ids are still unique, and a test server keeps no secrets.
        if getrandom::fill(&mut random).is_err() {
            random[..8].copy_from_slice(&(Arc::as_ptr(&peer) as usize as u64).to_le_bytes());
        }
        let id: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut sessions = lock(&self.sessions);
        sessions.push_back((id.clone(), peer));
        if sessions.len() > MOST_SESSIONS
            && let Some((_, oldest)) = sessions.pop_front()
        {
            oldest.close();
        }
        id
    }

    pub(super) fn forget(&self, id: &str) {
        let mut sessions = lock(&self.sessions);
        if let Some(index) = sessions.iter().position(|(known, _)| known == id)
            && let Some((_, peer)) = sessions.remove(index)
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
