//! Connections that scenarios have one after the other: to start a process costs more than most of what is asked of it. One that is
//! given back is settled and has answered everything; a scenario that leaves it otherwise ends it.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};
use verdict::Revision;

use crate::opening::Opening;
use crate::{ClientBehavior, Profile, RequestOutcome, Session, Trouble};

/// How long nobody's turn may come before one more is used at a time, since some take long because the server does: this, and as long
/// as so many starts, more of those that are quick. A process that is there at once need not be waited for.
const PATIENCE: Duration = Duration::from_millis(100);
const STARTS: u32 = 3;
const QUICK_STARTS: u32 = 6;
const LONG: Duration = Duration::from_secs(2);

/// A handshake under way.
pub(crate) type Greeted = JoinHandle<Result<RequestOutcome, Trouble>>;

/// What a scenario does with a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wear {
    /// It sends what any client sends.
    Ordinary,
    /// It does that, and then only watches what becomes of it: after all that do not.
    Watched,
    /// It does that, and ends it: after all that do not.
    Last,
    /// It sends what no client sends. Whoever has the connection afterwards does so too.
    Malformed,
    /// It ends it, whatever was sent before: after all others.
    Any,
}

/// Whose turn comes first.
#[derive(Clone, Copy, Debug)]
enum Place {
    Uses,
    Watches,
    Ends,
}

impl Wear {
    fn place(self) -> Place {
        match self {
            Self::Ordinary | Self::Malformed => Place::Uses,
            Self::Watched => Place::Watches,
            Self::Last | Self::Any => Place::Ends,
        }
    }

    /// What others find that have the connection afterwards.
    fn leaves(self) -> Self {
        match self {
            Self::Ordinary | Self::Watched | Self::Last => Self::Ordinary,
            Self::Malformed | Self::Any => Self::Malformed,
        }
    }

    fn line(self) -> usize {
        usize::from(self.leaves() == Self::Malformed)
    }
}

/// Connections that are used one at a time: those with nothing out of the ordinary behind them, or the others. More processes would
/// only wait for each other, and some disturb each other.
#[derive(Debug, Default)]
struct Line {
    used: Cell<usize>,
    /// How many more may be used at a time, since some were seen to take long.
    further: Cell<usize>,
    /// Scenarios that wait for their turn, by their place.
    waiting: [Cell<usize>; 3],
    /// Scenarios whose turn it is, and that wait for a connection.
    seeking: Cell<usize>,
    /// When somebody's turn came last.
    moved: Cell<Option<Instant>>,
    /// Connections that somebody will give back soon: it is better to wait for one of these than to start another process.
    coming: Cell<usize>,
}

/// The connections of one opener.
#[derive(Debug, Default)]
pub(crate) struct Leases {
    /// A process that has refused `server/discover`, and to which nothing else was said.
    refused: RefCell<Option<Session>>,
    /// A process that an older client has greeted while a newer one is served, and what comes of that unless it is known that the session
    /// came about.
    older: RefCell<Option<(Session, Option<Greeted>)>>,
    idle: RefCell<Vec<(Session, Wear)>>,
    lines: [Line; 2],
    /// Connections that somebody has and may give back.
    lent: Cell<usize>,
    freed: Notify,
}

/// What is counted; the lines by their number.
#[derive(Clone, Copy, Debug)]
enum Count {
    Lent,
    Used(usize),
    Waiting(usize, Place),
    Seeking(usize),
    Coming(usize),
}

/// Counts one while it lasts; whoever comes after it looks again when it is over.
#[derive(Debug)]
pub(crate) struct Counted {
    leases: Rc<Leases>,
    count: Count,
}

/// A session that a scenario has for a while.
#[derive(Debug)]
pub struct Lease {
    session: Session,
    wear: Wear,
    /// To whom it is given back; to nobody if only this scenario is to have it.
    pool: Option<(Counted, Revision)>,
    /// The right to use a connection, which only one of a line has.
    turn: Option<Counted>,
    /// Others wait for it.
    coming: Option<Counted>,
}

impl Leases {
    fn counted(self: &Rc<Self>, count: Count) -> Counted {
        self.cell(count).update(|counted| counted + 1);
        Counted { leases: Rc::clone(self), count }
    }

    fn cell(&self, count: Count) -> &Cell<usize> {
        match count {
            Count::Lent => &self.lent,
            Count::Used(line) => &self.lines[line].used,
            Count::Waiting(line, place) => &self.lines[line].waiting[place as usize],
            Count::Seeking(line) => &self.lines[line].seeking,
            Count::Coming(line) => &self.lines[line].coming,
        }
    }

    /// Has others wait for what will be given back.
    pub(crate) fn coming(self: &Rc<Self>, wear: Wear) -> Counted {
        self.counted(Count::Coming(wear.line()))
    }

    /// Has those that end a connection wait for somebody who will need one.
    pub(crate) fn needed(self: &Rc<Self>, wear: Wear) -> Counted {
        self.counted(Count::Waiting(wear.line(), wear.place()))
    }

    /// Whether it is better to wait for a connection to be given back than to start another process.
    pub(crate) fn are_coming(&self, wear: Wear) -> bool {
        match wear {
            Wear::Any => self.lent.get() > 0 || self.lines.iter().any(|line| line.coming.get() > 0),
            _ => self.lines[wear.line()].coming.get() > 0,
        }
    }

    /// Keeps a process that has refused `server/discover` for whoever looks at what it does next.
    pub(crate) fn keep_refused(&self, session: Session) {
        self.refused.replace(Some(session));
    }

    /// Keeps a process that an older client has greeted for whoever looks at how such a client is served.
    pub(crate) fn keep_older(&self, session: Session, greeted: Option<Greeted>) {
        self.older.replace(Some((session, greeted)));
    }

    /// The session of that client, if it came about. It was started beside another, and is not waited for much longer than that took.
    pub(crate) async fn take_older(&self) -> Option<Session> {
        let (session, greeted) = self.older.take()?;
        let came_about = match greeted {
            Some(mut greeted) => {
                let came = timeout(patience(session.slowest_start()), &mut greeted).await;
                greeted.abort();
                matches!(came, Ok(Ok(Ok(_))))
            }
            None => true,
        };
        if came_about && !session.is_down() {
            return Some(session);
        }
        session.kill().await;
        None
    }

    pub(crate) fn take_refused(&self) -> Option<Session> {
        self.refused.take().filter(|session| !session.is_down())
    }

    /// Waits until one may be used, or the one in use has been for long.
    pub(crate) async fn turn(self: &Rc<Self>, wear: Wear, started_in: Duration) -> Counted {
        let patience = patience(started_in);
        let place = wear.place();
        let line = &self.lines[wear.line()];
        // What is ended could have served whoever waits.
        let ahead = if matches!(place, Place::Ends) { self.lines.iter() } else { std::slice::from_ref(line).iter() };
        let _waits = self.counted(Count::Waiting(wear.line(), place));
        // Those that were started together find each other here.
        tokio::task::yield_now().await;
        loop {
            let freed = self.freed.notified();
            let mut waiting = ahead.clone().flat_map(|line| &line.waiting[..place as usize]);
            let first = waiting.all(|waiting| waiting.get() == 0);
            if first && line.used.get() <= line.further.get() {
                break;
            }
            let long = |at: Instant| at.elapsed() >= patience;
            let deadline = line.moved.get().unwrap_or_else(Instant::now) + patience;
            if timeout_at(deadline, freed).await.is_err() && line.moved.get().is_none_or(long) {
                line.further.set(line.used.get());
            }
        }
        line.moved.set(Some(Instant::now()));
        self.counted(Count::Used(wear.line()))
    }

    /// One that was given back and fits: with nothing behind it that does not belong before this, and of the same client unless what is
    /// sent is malformed whoever sends it. Of several the most worn.
    pub(crate) fn take(&self, profile: Profile, wear: Wear) -> Option<Session> {
        let mut idle = self.idle.borrow_mut();
        idle.retain(|(session, _)| !session.is_down());
        let ordinary = &self.lines[0];
        let needed = ordinary.waiting.iter().chain([&ordinary.seeking]).any(|waiting| waiting.get() > 0);
        let fits = |(session, worn): &(Session, Wear)| match wear {
            Wear::Any => *worn == Wear::Malformed || !needed,
            Wear::Malformed => *worn == Wear::Malformed,
            _ => session.suits(profile) && *worn == wear.leaves(),
        };
        let found = (0..idle.len()).filter(|at| fits(&idle[*at])).max_by_key(|at| idle[*at].1)?;
        Some(idle.remove(found).0)
    }

    /// Counts one whose turn it is, and that waits for a connection.
    pub(crate) fn seek(self: &Rc<Self>, wear: Wear) -> Counted {
        self.counted(Count::Seeking(wear.line()))
    }

    /// There is a connection for whoever has the turn: from here on it is used.
    pub(crate) fn begins(&self, wear: Wear) {
        self.lines[wear.line()].moved.set(Some(Instant::now()));
    }

    /// Ends when somebody may have left one.
    pub(crate) fn freed(&self) -> impl Future<Output = ()> {
        self.freed.notified()
    }

    /// Leaves a session to others, if it is as they need it; else ends it.
    pub(crate) async fn leave(&self, session: Session, revision: Revision, wear: Wear) {
        let worn = wear.leaves();
        if let Some(session) = sound(session, revision, worn).await {
            self.idle.borrow_mut().push((session, worn));
            self.freed.notify_waiters();
        }
    }

    /// Ends those that nobody uses.
    pub(crate) async fn clear(&self) {
        let idle = self.idle.take().into_iter().map(|(session, _)| session);
        let older = self.older.take().map(|(session, greeted)| {
            greeted.inspect(JoinHandle::abort);
            session
        });
        for session in idle.chain(self.refused.take()).chain(older) {
            session.kill().await;
        }
    }
}

/// The session, if others can have it; else it is ended.
async fn sound(session: Session, revision: Revision, worn: Wear) -> Option<Session> {
    if session.revision() == Some(revision) && session.is_sound(worn == Wear::Malformed).await {
        return Some(session);
    }
    session.kill().await;
    None
}

/// How long somebody is waited for who has a connection, where a process takes this long to start.
pub(crate) fn patience(started_in: Duration) -> Duration {
    PATIENCE + (started_in * STARTS).max((started_in * QUICK_STARTS).min(LONG))
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.leases.cell(self.count).update(|counted| counted.saturating_sub(1));
        self.leases.freed.notify_waiters();
    }
}

impl Lease {
    /// One that nobody else has afterwards.
    pub(crate) fn alone(session: Session) -> Self {
        Self { session, wear: Wear::Any, pool: None, turn: None, coming: None }
    }

    /// One that goes on to others.
    pub(crate) fn new(
        session: Session,
        wear: Wear,
        pool: &Rc<Leases>,
        revision: Revision,
        turn: Option<Counted>,
    ) -> Self {
        Self { session, wear, pool: Some((pool.counted(Count::Lent), revision)), turn, coming: None }
    }

    /// The same, with others waiting for it.
    pub(crate) fn awaited(session: Session, wear: Wear, coming: Counted, revision: Revision) -> Self {
        let pool = Some((coming.leases.counted(Count::Lent), revision));
        Self { session, wear, pool, turn: None, coming: Some(coming) }
    }

    /// The session, for what lives longer than the scenario that has it.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// From here on it is only watched: others go on meanwhile; who would end one waits for this.
    pub fn rest(&mut self) {
        self.coming = self.pool.as_ref().map(|(lent, _)| lent.leases.coming(self.wear));
        self.turn = None;
    }

    /// From here on others go on beside this, with connections of their own.
    pub fn step_aside(&mut self) {
        self.turn = None;
    }

    /// Leaves it to others, if it is as they need it.
    pub async fn give_back(self) {
        match &self.pool {
            Some((lent, revision)) => lent.leases.leave(self.session.clone(), *revision, self.wear).await,
            None => self.session.kill().await,
        }
        drop((self.turn, self.coming));
    }

    /// The session for somebody who needs just such a one, with what has others wait until he gives it back; none if it is not sound.
    pub(crate) async fn passed_on(self) -> Option<(Session, Option<Counted>)> {
        let Some((lent, revision)) = &self.pool else {
            self.session.kill().await;
            return None;
        };
        let coming = lent.leases.coming(self.wear);
        Some((sound(self.session.clone(), *revision, self.wear.leaves()).await?, Some(coming)))
    }
}

impl Deref for Lease {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

/// Whether a session that is opened like this can be had by several: nothing about its process is out of the ordinary, and what is
/// repeated because it was ambiguous is asked in a fresh one.
pub(crate) fn can_be_shared(opening: &Opening) -> bool {
    opening.is_plain() && can_be_kept(opening)
}

/// The same for one that is opened for a purpose of its own and only then goes on as any other.
pub(crate) fn can_be_kept(opening: &Opening) -> bool {
    opening.has_plain_process()
        && !opening.confirm
        && opening.bisection.is_none()
        && opening.behavior == ClientBehavior::default()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use tokio::task::{LocalSet, spawn_local};

    use super::*;

    /// The order in which those get their turn that wait for one line, each for a moment.
    async fn order(waiting: &[(&'static str, Wear)]) -> Vec<&'static str> {
        let (leases, order) = (Rc::new(Leases::default()), Rc::new(RefCell::new(Vec::new())));
        let one = |(name, wear): (&'static str, Wear)| {
            let (leases, order) = (Rc::clone(&leases), Rc::clone(&order));
            spawn_local(async move {
                let turn = leases.turn(wear, Duration::ZERO).await;
                order.borrow_mut().push(name);
                tokio::task::yield_now().await;
                drop(turn);
            })
        };
        let waiting: Vec<_> = waiting.iter().copied().map(one).collect();
        for one in waiting {
            one.await.expect("it does not panic");
        }
        order.take()
    }

    #[tokio::test]
    async fn those_that_end_a_connection_come_last() {
        let waiting = [("ends", Wear::Last), ("watches", Wear::Watched), ("uses", Wear::Ordinary)];
        assert_eq!(LocalSet::new().run_until(order(&waiting)).await, ["uses", "watches", "ends"]);
        for uses in [Wear::Malformed, Wear::Ordinary] {
            let waiting = [("ends", Wear::Any), ("uses", uses)];
            assert_eq!(LocalSet::new().run_until(order(&waiting)).await, ["uses", "ends"]);
        }
    }

    #[tokio::test]
    async fn those_that_end_a_connection_wait_for_who_will_need_one() {
        let leases = Rc::new(Leases::default());
        let needed = leases.needed(Wear::Ordinary);
        leases.turn(Wear::Ordinary, Duration::ZERO).await;
        assert!(timeout(PATIENCE * 3, leases.turn(Wear::Last, Duration::ZERO)).await.is_err(), "one is needed");
        drop(needed);
        assert!(timeout(PATIENCE, leases.turn(Wear::Last, Duration::ZERO)).await.is_ok());
    }

    #[test]
    fn who_ends_one_waits_for_those_that_come() {
        let leases = Rc::new(Leases::default());
        let coming = leases.coming(Wear::Ordinary);
        let are_coming = || [Wear::Any, Wear::Ordinary, Wear::Malformed].map(|wear| leases.are_coming(wear));
        assert_eq!(are_coming(), [true, true, false]);
        drop(coming);
        assert_eq!(are_coming(), [false; 3]);
    }

    #[tokio::test]
    async fn one_more_is_used_where_somebody_takes_long() {
        let leases = Rc::new(Leases::default());
        let long = leases.turn(Wear::Ordinary, Duration::ZERO).await;
        let began = Instant::now();
        let second = leases.turn(Wear::Ordinary, Duration::ZERO).await;
        assert!(began.elapsed() >= patience(Duration::ZERO), "{:?}", began.elapsed());
        drop(second);
        let began = Instant::now();
        leases.turn(Wear::Ordinary, Duration::ZERO).await;
        assert!(began.elapsed() < patience(Duration::ZERO), "it is known by now");
        drop(long);
    }
}
