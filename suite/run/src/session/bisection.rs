//! How the input that fells a server is found: one message at a time, and none twice.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Duration;

use verdict::transcript::Probe;

use super::Session;
use crate::learned::Learned;

/// Sends one message at a time, each followed by a sign of life, and none twice: how the input that crashes a server is found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bisection {
    /// The probes that were sent already, in this session or an earlier one: intent, details, and text without the id.
    pub(crate) spent: Rc<RefCell<HashSet<String>>>,
    pub(super) turn: Rc<tokio::sync::Mutex<()>>,
    /// When the run has waited in vain for so long, it is over.
    until: Duration,
}

impl Bisection {
    /// Over when the run has waited in vain for so long.
    pub(crate) fn until(until: Duration) -> Self {
        Self { until, ..Self::default() }
    }

    /// For a further session, which takes turns with nobody.
    pub(crate) fn further(&self) -> Self {
        Self { spent: Rc::clone(&self.spent), turn: Rc::default(), until: self.until }
    }

    /// Whether there is nothing to be found in bounded time.
    pub(crate) fn is_over(&self, learned: &Learned) -> bool {
        learned.vain.spent() > self.until
    }

    /// Whether to send a message, which is noted as sent: nothing once the search is over, and no probe that was sent before with
    /// the same text except for its id. What is no probe opens sessions.
    pub(super) fn takes(&self, session: &Session, bytes: &[u8], probe: Option<&Probe>) -> bool {
        if session.is_down() || self.is_over(&session.0.settings.learned) {
            return false;
        }
        let Some(probe) = probe else { return true };
        let text = String::from_utf8_lossy(bytes);
        let key: Vec<&str> =
            text.split("\"id\":").map(|part| part.trim_start_matches(|digit: char| digit.is_ascii_digit())).collect();
        let key = key.join("\"id\":");
        self.spent.borrow_mut().insert(format!("{} {} {key}", probe.intent, probe.about))
    }
}
