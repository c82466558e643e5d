//! What one server is to be spared at a time, and whether its processes bear each other: some share a lock file, a fixed port or a
//! profile, and those that are started beside another end, or say something else than they would alone.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard, Notify, OwnedSemaphorePermit, Semaphore};
use verdict::{Purpose, Revision};

use crate::opening::Opening;
use crate::transport::http;
use crate::{Options, Session, Trouble};

/// A process that is to make room for the next one is left as long as messages cross within this time.
const IDLE: Duration = Duration::from_millis(400);
/// A start that is worth having others beside it, and how many more then start at a time.
const LONG_START: Duration = Duration::from_secs(1);
const WIDER: usize = 8;

/// Turns for all sessions with one server, in all revisions.
#[derive(Debug)]
pub(crate) struct Turns {
    /// Starting a process.
    starting: Arc<Semaphore>,
    /// It is known whether starting takes the processor.
    widened: Cell<bool>,
    /// Sending an HTTP request.
    pub(crate) requests: Rc<http::Turns>,
    /// Processes that were started and may still run.
    live: RefCell<Vec<Session>>,
    manner: Cell<Manner>,
    /// One process after the other is started, where each is to be alone.
    alone: Mutex<()>,
    clash: RefCell<Option<Clash>>,
    clashed: Notify,
}

/// How processes are started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Beside each other, and it is looked at whether they bear that.
    #[default]
    Watched,
    /// Beside each other: what looked like a disturbance was none.
    Beside,
    /// One at a time: they disturb each other.
    Alone,
}

/// A session that did not come about while another process of the server was running.
#[derive(Clone, Debug)]
pub(crate) struct Clash {
    pub(crate) opening: Opening,
    pub(crate) revision: Revision,
    /// It said something.
    pub(crate) spoke: bool,
}

impl Turns {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            starting: Arc::new(Semaphore::new(options.jobs.max(1))),
            widened: Cell::default(),
            requests: Rc::default(),
            live: RefCell::default(),
            manner: Cell::default(),
            alone: Mutex::default(),
            clash: RefCell::default(),
            clashed: Notify::new(),
        }
    }

    /// Has more processes start at a time if this one took its time to start and little of the processor: then they do not wait for
    /// each other.
    pub(crate) fn widen(&self, session: &Session) {
        let took = session.started_in().as_millis();
        let idle = session.processor().is_some_and(|ticks| u128::from(ticks) * 10 * 2 < took);
        if idle && took >= LONG_START.as_millis() && !self.widened.replace(true) {
            self.starting.add_permits(WIDER);
        }
    }

    /// Whether a process takes long to start, and little of the processor.
    pub(crate) fn is_wide(&self) -> bool {
        self.widened.get()
    }

    /// Waits for a turn to start a process, which lasts until that has said something, or could have.
    pub(crate) async fn start(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.starting).acquire_owned().await.ok()
    }

    /// Whether one process at a time is started.
    pub(crate) fn are_alone(&self) -> bool {
        self.manner.get() == Manner::Alone
    }

    pub(crate) fn set(&self, manner: Manner) {
        self.manner.set(manner);
    }

    /// Remembers a process.
    pub(crate) fn add(&self, session: &Session) {
        let mut live = self.live.borrow_mut();
        // One that ended by itself without a word is still of interest.
        live.retain(|session| !session.is_over() || session.ended_mute());
        live.push(session.clone());
    }

    fn others(&self) -> Vec<Session> {
        self.live.borrow().iter().filter(|session| !session.is_over()).cloned().collect()
    }

    /// Where each process is to be alone, waits until no other is left; an idle one is ended, but for the main one.
    ///
    /// # Errors
    /// When the main one is there.
    pub(crate) async fn room(&self) -> Result<Option<MutexGuard<'_, ()>>, Trouble> {
        if !self.are_alone() {
            return Ok(None);
        }
        let guard = self.alone.lock().await;
        for session in self.others() {
            if session.is_for(Purpose::Main) && !session.is_ending() {
                return Err(Trouble::Usage("the server runs one process at a time".to_owned()));
            }
            session.idle(IDLE).await;
            session.kill().await;
            session.over().await;
        }
        Ok(Some(guard))
    }

    /// Whether any process that was started last is like this.
    pub(crate) fn any(&self, like: impl Fn(&Session) -> bool) -> bool {
        self.live.borrow().iter().any(like)
    }

    /// Ends every process, and waits for that.
    pub(crate) async fn clear(&self) {
        for session in self.others() {
            session.kill().await;
        }
        for session in self.others() {
            session.over().await;
        }
        self.live.borrow_mut().clear();
    }

    /// Notes that a session did not come about, in a process like any other; that may be a disturbance if another process was
    /// running that answers.
    pub(crate) fn doubt(&self, failed: &Session, opening: &Opening, revision: Revision) {
        let beside = |other: &Session| !other.is_same(failed) && !other.is_ending() && other.has_spoken();
        if self.manner.get() == Manner::Watched && opening.is_plain() && self.others().iter().any(beside) {
            let clash = Clash { opening: opening.clone(), revision, spoke: failed.has_spoken() };
            self.clash.borrow_mut().get_or_insert(clash);
            self.clashed.notify_one();
        }
    }

    /// Waits for a disturbance; for ever where nobody looks for one.
    pub(crate) async fn disturbance(&self) -> Clash {
        loop {
            if let Some(clash) = self.clash.borrow_mut().take() {
                return clash;
            }
            self.clashed.notified().await;
        }
    }
}
