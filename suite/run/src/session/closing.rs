//! How a session ends: as the specification asks for, or at once.

use std::time::Duration;

use verdict::Intent;
use verdict::transcript::Ending;

use super::Session;
use super::state::Health;
use crate::transport::Link;

impl Session {
    /// Ends the session as the specification asks for: closes standard input and waits (stdio), or deletes it (HTTP).
    /// Says after which step a process ended.
    pub async fn close(&self, patience: Duration) -> Ending {
        self.linger().await;
        self.begin_closing();
        match &self.0.link {
            Link::Stdio(pipe) => {
                let ending = pipe.end(patience).await;
                self.drained().await;
                ending
            }
            Link::Http(client) => {
                if !self.is_down() {
                    self.delete().await;
                }
                self.note_hanging_up();
                client.close();
                Ending::Nothing
            }
            Link::Sse(client) => {
                // The same URL may speak Streamable HTTP too, and have opened sessions when it was asked.
                if !self.0.server.borrow().guests.is_empty() {
                    self.delete().await;
                }
                client.close();
                Ending::Nothing
            }
        }
    }

    /// Ends the session; a process ends in the background.
    pub async fn kill(&self) {
        self.linger().await;
        self.begin_closing();
        match &self.0.link {
            Link::Stdio(_) => {
                self.0.worsen(Health::Ended);
                self.see_off();
            }
            Link::Http(_) | Link::Sse(_) => {
                self.close(Duration::ZERO).await;
            }
        }
    }

    /// Some servers do not bear that a client leaves.
    fn note_hanging_up(&self) {
        let open = self.0.in_flight.borrow().open_requests();
        for channel in open {
            self.record_probe("session", Intent::HungUp, serde_json::json!({"channel": channel}));
        }
    }

    /// From here on, whatever ends says nothing about the server.
    pub(super) fn begin_closing(&self) {
        self.0.lifecycle.set(self.0.lifecycle.get().closing());
    }

    /// A server that closed its output by itself is given the time to say with which status it ended.
    pub(super) async fn linger(&self) {
        if let Link::Stdio(pipe) = &self.0.link
            && self.0.health() == Health::Ended
        {
            pipe.linger().await;
        }
    }

    /// Waits until the dispatcher has recorded the end of the process.
    pub(crate) async fn drained(&self) {
        let task = self.0.dispatcher.borrow_mut().take();
        if let Some(task) = task {
            let _ = tokio::time::timeout(Duration::from_secs(1), task).await;
        }
    }
}
