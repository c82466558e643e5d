//! Whether the server at a URL has stopped: it answers nobody any more, and nobody here can start it again.

use std::cell::Cell;
use std::io::ErrorKind;
use std::time::{Duration, Instant};

use tokio::net::TcpStream;
use tokio::sync::{Notify, SetOnce};
use url::Url;

/// For how long nothing was answered at least: what fails at once may be a moment's trouble.
const MOMENT: Duration = Duration::from_secs(2);
/// How often it is tried meanwhile whether somebody listens.
const TRY: Duration = Duration::from_millis(250);

/// Shared by all sessions with a server.
#[derive(Debug, Default)]
pub(crate) struct Standstill {
    /// When something was answered for the last time.
    answered: Cell<Option<Instant>>,
    /// Sessions since then that could not be opened, each begun when the one before had failed.
    unopened: Cell<u32>,
    /// When the last of them failed.
    failed: Cell<Option<Instant>>,
    /// An open session had no answer to what it sent since then: the server does not merely have too many clients.
    ignored: Cell<bool>,
    /// It is being tried whether somebody listens,
    watched: Cell<bool>,
    /// and that has come to an end.
    concluded: Notify,
    reached: SetOnce<()>,
}

impl Standstill {
    /// Notes that something was answered.
    pub(crate) fn note_answer(&self) {
        self.answered.set(Some(Instant::now()));
        self.unopened.set(0);
        self.ignored.set(false);
    }

    /// Notes that a session that began then could not be opened.
    pub(crate) fn note_unopened(&self, began: Instant) {
        if self.answered.get() < Some(began) && self.failed.get() < Some(began) {
            self.unopened.set(self.unopened.get() + 1);
            self.failed.set(Some(Instant::now()));
        }
        self.conclude();
    }

    /// Notes that an open session had no answer to what it sent then.
    pub(crate) fn note_ignored(&self, began: Instant) {
        self.ignored.set(self.ignored.get() || self.answered.get() < Some(began));
        self.conclude();
    }

    /// A connection was refused that was accepted before. Tries whether somebody listens again soon; true if that shows now that the
    /// server has ended.
    pub(crate) async fn watch(&self, url: &Url) -> bool {
        if self.answered.get().is_none() || self.is_reached() || self.watched.replace(true) {
            return false;
        }
        let ended = self.nobody_listens(url).await;
        if ended {
            // It may have been known before.
            let _ = self.reached.set(());
        }
        self.watched.set(false);
        self.concluded.notify_waiters();
        ended
    }

    async fn nobody_listens(&self, url: &Url) -> bool {
        let began = Instant::now();
        let answered = || self.answered.get() > Some(began);
        while began.elapsed() < MOMENT && !answered() {
            tokio::time::sleep(TRY).await;
            if !refuses(url).await {
                return false;
            }
        }
        !answered()
    }

    /// Waits until it is known whether the server has ended, if there is a doubt.
    pub(crate) async fn concluded(&self) {
        while self.watched.get() {
            let concluded = self.concluded.notified();
            if self.watched.get() {
                concluded.await;
            }
        }
    }

    /// As many in turn as a rule takes for it.
    fn conclude(&self) {
        let enough = usize::try_from(self.unopened.get()).is_ok_and(|unopened| unopened >= judge::FAILURES);
        let lasts = self.answered.get().is_some_and(|at| at.elapsed() >= MOMENT);
        if enough && lasts && self.ignored.get() {
            // It may have been known before.
            let _ = self.reached.set(());
        }
    }

    pub(crate) fn is_reached(&self) -> bool {
        self.reached.initialized()
    }

    /// Ends when it is.
    pub(crate) async fn reached(&self) {
        self.reached.wait().await;
    }
}

/// Whether nobody listens there.
async fn refuses(url: &Url) -> bool {
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return false };
    let connected = TcpStream::connect((host.trim_matches(['[', ']']), port)).await;
    connected.is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address, and whether somebody goes on listening there.
    async fn watched(listens: bool) -> bool {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let kept = listens.then_some(listener);
        let standstill = Standstill::default();
        standstill.note_answer();
        let ended = standstill.watch(&Url::parse(&format!("http://{address}/mcp")).expect("a URL")).await;
        drop(kept);
        assert_eq!(ended, standstill.is_reached());
        ended
    }

    #[tokio::test]
    async fn where_nobody_listens_any_more_the_server_has_ended() {
        assert!(watched(false).await);
        assert!(!watched(true).await);
    }

    /// A server that was heard for the last time long enough ago.
    fn quiet() -> Standstill {
        let standstill = Standstill::default();
        standstill.answered.set(Instant::now().checked_sub(MOMENT));
        standstill
    }

    fn unopened(standstill: &Standstill, times: usize) {
        (0..times).for_each(|_| standstill.note_unopened(Instant::now()));
    }

    #[test]
    fn nobody_is_let_in_and_who_is_in_has_no_answer() {
        let standstill = quiet();
        unopened(&standstill, judge::FAILURES);
        assert!(!standstill.is_reached(), "it may have as many clients as it takes");
        standstill.note_ignored(Instant::now());
        assert!(standstill.is_reached());
    }

    #[test]
    fn an_answer_to_anyone_shows_that_it_works() {
        let standstill = quiet();
        standstill.note_ignored(Instant::now());
        unopened(&standstill, judge::FAILURES - 1);
        standstill.note_answer();
        standstill.answered.set(quiet().answered.get());
        unopened(&standstill, judge::FAILURES);
        assert!(!standstill.is_reached(), "nobody was ignored since");
    }

    #[test]
    fn what_fails_at_once_may_be_a_moments_trouble() {
        let standstill = Standstill::default();
        standstill.note_answer();
        standstill.note_ignored(Instant::now());
        unopened(&standstill, judge::FAILURES);
        assert!(!standstill.is_reached());
    }

    #[test]
    fn what_fails_side_by_side_is_one_failure() {
        let (standstill, began) = (quiet(), Instant::now());
        standstill.note_ignored(began);
        (0..judge::FAILURES).for_each(|_| standstill.note_unopened(began));
        assert!(!standstill.is_reached());
    }
}
