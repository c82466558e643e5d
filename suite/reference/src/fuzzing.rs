//! The reference server as a handler: a line in, the lines that it answers, without a clock of anybody's.

use std::sync::Arc;
use std::time::Duration;

use crate::{Action, Connection, Options, Server, Transport};

/// The longest time that a client waits for an answer: whatever is put off happens within it.
const PATIENCE: Duration = Duration::from_secs(120);

/// A conversation over pipes.
pub struct Conversation {
    connection: Connection,
    now: Duration,
}

impl Default for Conversation {
    fn default() -> Self {
        Self::new(&Options::default())
    }
}

impl Conversation {
    /// With a server as asked for.
    ///
    /// # Panics
    /// When a fault or quirk does not exist.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        let server = match Server::new(options) {
            Ok(server) => server,
            Err(unknown) => panic!("{unknown}"),
        };
        Self { connection: Connection::new(Arc::new(server), Transport::Stdio), now: Duration::ZERO }
    }

    /// Everything that the server says to a line, and what it had put off.
    ///
    /// # Panics
    /// When the server asks for something that only its faults do, or is busy for ever.
    pub fn say(&mut self, line: &[u8]) -> Vec<Vec<u8>> {
        let mut said = Vec::new();
        self.connection.receive(line, self.now);
        self.take(&mut said);
        let until = self.now + PATIENCE;
        while let Some(due) = self.connection.next_due().filter(|due| *due <= until) {
            assert!(due >= self.now, "what is due lies in the past");
            self.now = due;
            self.take(&mut said);
        }
        assert!(!self.connection.is_busy(), "nothing that was put off happens");
        said
    }

    fn take(&mut self, said: &mut Vec<Vec<u8>>) {
        for output in self.connection.poll(self.now) {
            match output.action {
                Action::Send(text) => {
                    assert!(!text.contains('\n'), "a message of several lines");
                    said.push(text.into_bytes());
                }
                Action::End | Action::Chatter(_) => {}
                Action::Raw(_) | Action::Exit(_) => panic!("the plain server does this: {:?}", output.action),
            }
        }
    }
}
