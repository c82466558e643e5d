//! The plan of a run: which revision, which sessions, which scenarios, in which order; and the record at the end.

mod alone;
mod assumed;
mod bisection;
mod era;
mod fallback;
mod falls;
mod named;
mod outside;
mod overtaken;
pub(crate) mod record_builder;
mod rescue;
mod revision;
mod said;
mod sdk;
mod stages;
mod stopped;
mod together;
mod withheld;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use judge::{Criteria, examine};
use tokio::sync::RwLock;
use tokio::task::LocalSet;
use verdict::Revision;
use verdict::record::Record;
use verdict::transcript::Event;

use crate::opener::Opener;
use crate::process::{adopt, reap};
use crate::progress::Progress;
use crate::turns::Turns;
use crate::{Options, Protocol, Recorder, Target, Trouble};

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct Finished {
    /// One record for each revision judged.
    pub records: Vec<Record>,
    /// Everything that crossed the wire, one transcript for each record.
    pub transcripts: Vec<Vec<Event>>,
    /// Revisions that were asked for with `all` and are not spoken, with what the server did.
    pub unspoken: Vec<(Revision, String)>,
    /// The run was interrupted; the last record is partial.
    pub interrupted: bool,
}

type Tell<'a> = &'a dyn Fn(Progress);

/// Drives a target and judges it, on a runtime of its own. Nothing that was started is left behind.
///
/// # Errors
/// When there is nothing to judge.
pub fn drive(target: &Target, options: &Options, tell: &dyn Fn(Progress)) -> Result<Finished, Trouble> {
    let _visit = RunGuard::begin();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Trouble::Usage(format!("cannot start: {error}")))?;
    let finished = runtime.block_on(LocalSet::new().run_until(run(target, options, tell)));
    drop(runtime);
    finished
}

/// How often it is looked what is waited for, and how long that must be to be told.
const LOOK: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(2);

/// Runs that are going on in this process.
static RUNS: AtomicUsize = AtomicUsize::new(0);

/// A run; when the last one ends, whatever descendant is left is ended too, also after a panic.
#[derive(Debug)]
pub struct RunGuard(());

impl RunGuard {
    /// Holds off the end for somebody who does several runs and has children of their own beside them.
    #[must_use]
    pub fn begin() -> Self {
        adopt();
        RUNS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        if RUNS.fetch_sub(1, Ordering::SeqCst) == 1 {
            reap();
        }
    }
}

/// Drives a target and judges it, on the caller's runtime (a current-thread one inside a `LocalSet`).
///
/// # Errors
/// When there is nothing to judge.
pub async fn run(target: &Target, options: &Options, tell: Tell<'_>) -> Result<Finished, Trouble> {
    let plan = Plan {
        target: RefCell::new(target.clone().over(options.transport)?),
        options: Rc::new(options.clone()),
        turns: Rc::new(Turns::new(options)),
        server_lock: RwLock::default(),
        tell,
        state: RefCell::default(),
    };
    let mut finished = Finished::default();
    let work = async {
        tokio::select! {
            ended = plan.run_all(&mut finished) => ended,
            () = plan.tell_waits() => Ok(()),
        }
    };
    let ended = unless_interrupted(work).await.unwrap_or(Err(Trouble::Interrupted));
    match ended {
        Err(Trouble::Interrupted) => {
            finished.interrupted = true;
            plan.take_done(&mut finished);
            plan.add_partial_records(&mut finished);
            Ok(finished)
        }
        Err(trouble) => Err(trouble),
        Ok(()) => Ok(finished),
    }
}

/// Returns what comes of some work; `None` if it is interrupted. Signals are caught before it starts anything.
pub(crate) async fn unless_interrupted<T>(work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        () = interrupted() => None,
        done = work => Some(done),
    }
}

/// Ctrl-C, or being asked to end.
pub(crate) async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

struct Plan<'a> {
    target: RefCell<Target>,
    options: Rc<Options>,
    turns: Rc<Turns>,
    /// The server behind a URL: revisions judged side by side share it, and who disturbs it has it alone.
    server_lock: RwLock<()>,
    tell: Tell<'a>,
    state: RefCell<State>,
}

/// How far the run has come, for all revisions.
#[derive(Default)]
struct State {
    /// A scenario has disturbed the server.
    disturbed: bool,
    /// What the server is built with.
    sdk: Option<sdk::Search>,
    /// Revisions under way, for a partial report.
    under_way: Vec<(Rc<Recorder>, Revision)>,
    /// A server that could not be opened, judged by what it said: used if it does not speak an older transport either.
    said: Finished,
    /// Revisions that were judged, if there are several.
    done: Vec<together::Done>,
    /// By revision, what must not look like silence of the server: scenarios that panicked, and what could not be tried.
    notes: Vec<(Revision, String)>,
}

impl Plan<'_> {
    /// Says now and then what is waited for; does not end.
    async fn tell_waits(&self) {
        loop {
            tokio::time::sleep(LOOK).await;
            let state = self.state.borrow();
            let waits = state.under_way.iter().filter_map(|(recorder, _)| recorder.longest_wait(LONG));
            if let Some((name, what, long)) = waits.max_by_key(|(_, _, long)| *long) {
                (self.tell)(Progress::Waits { name, what, long });
            }
        }
    }

    /// Everything that was asked for, over another transport if that is how the server is spoken to.
    async fn run_all(&self, finished: &mut Finished) -> Result<(), Trouble> {
        match self.judge_undisturbed(finished).await {
            Err(trouble) if finished.records.is_empty() => {
                if let Err(trouble) = self.fall_back(trouble).await {
                    let said = std::mem::take(&mut self.state.borrow_mut().said);
                    finished.records.extend(said.records);
                    finished.transcripts.extend(said.transcripts);
                    return if finished.records.is_empty() { Err(trouble) } else { Ok(()) };
                }
                finished.unspoken.clear();
                // What was begun over the other transport is no part of a partial report.
                self.state.borrow_mut().under_way.clear();
                self.state.borrow_mut().notes.clear();
                self.judge_revisions(finished).await
            }
            ended => ended,
        }
    }

    async fn judge_revisions(&self, finished: &mut Finished) -> Result<(), Trouble> {
        match self.options.protocol {
            Protocol::Latest => {
                let opener = self.opener()?;
                match self.newest(&opener).await {
                    Ok((main, revision)) => self.judge(&opener, main, revision, finished).await,
                    Err(trouble) => {
                        // HTTP+SSE is of one revision alone.
                        let sse = self.target().transport() == verdict::Transport::Sse;
                        let revision = if sse { Revision::V2024_11_05 } else { Revision::LATEST_HANDSHAKE };
                        self.unopened(&opener, revision, trouble, finished).await
                    }
                }
            }
            Protocol::One(revision) => self.judge_one(revision, finished).await,
            Protocol::All => self.judge_all(finished).await,
        }
    }

    async fn judge_one(&self, revision: Revision, finished: &mut Finished) -> Result<(), Trouble> {
        let opener = self.opener()?;
        match self.in_revision(&opener, revision).await {
            Ok(main) => self.judge(&opener, main, revision, finished).await,
            Err(trouble) => self.unopened(&opener, revision, trouble, finished).await,
        }
    }

    /// What can be judged of a server with which no session came about.
    async fn unopened(
        &self,
        opener: &Rc<Opener>,
        revision: Revision,
        trouble: Trouble,
        finished: &mut Finished,
    ) -> Result<(), Trouble> {
        match self.outside(opener, revision, trouble, finished).await {
            Err(trouble) if self.may_fall_back(&trouble) => {
                let mut said = Finished::default();
                if self.by_what_was_said(opener, revision, trouble.clone(), &mut said).await.is_ok() {
                    self.state.borrow_mut().said = said;
                }
                Err(trouble)
            }
            Err(trouble) => self.by_what_was_said(opener, revision, trouble, finished).await,
            Ok(()) => Ok(()),
        }
    }

    async fn judge_all(&self, finished: &mut Finished) -> Result<(), Trouble> {
        let mut trouble = None;
        self.judge_each().await;
        for (revision, ended) in self.take_done(finished) {
            match ended {
                Ok(()) => {}
                Err(why) if is_unspoken(&why) => {
                    finished.unspoken.push((revision, why.to_string()));
                    trouble = Some(why);
                }
                Err(other) => return Err(other),
            }
        }
        match trouble {
            Some(trouble) if finished.records.is_empty() => Err(trouble),
            _ => Ok(()),
        }
    }

    /// Adds a note to the report of a revision.
    fn add_note(&self, revision: Revision, note: impl Into<String>) {
        self.state.borrow_mut().notes.push((revision, note.into()));
    }

    fn target(&self) -> Target {
        self.target.borrow().clone()
    }

    fn criteria(&self, revision: Revision) -> Criteria {
        Criteria { revision, transport: self.target().transport() }
    }

    fn opener(&self) -> Result<Rc<Opener>, Trouble> {
        let recorder = Rc::new(Recorder::masking(self.options.secrets()));
        let (options, turns) = (Rc::clone(&self.options), Rc::clone(&self.turns));
        Ok(Rc::new(Opener::beside(self.target(), options, recorder, turns)?))
    }

    /// Partial records of what was going on when the run was interrupted.
    fn add_partial_records(&self, finished: &mut Finished) {
        let under_way = std::mem::take(&mut self.state.borrow_mut().under_way);
        for (recorder, revision) in under_way {
            let judged = recorder.with(|events| examine(events, &self.criteria(revision), self.options.look));
            let mut record = record_builder::record(self, &recorder, revision, judged);
            record.partial = true;
            finished.records.push(record);
            finished.transcripts.push(recorder.take());
        }
    }
}

/// The server is there and does not speak the revision.
fn is_unspoken(why: &Trouble) -> bool {
    matches!(
        why,
        Trouble::Revision { .. }
            | Trouble::Refused { .. }
            | Trouble::Challenged { .. }
            | Trouble::Silent { .. }
            | Trouble::Unflushed { .. }
            | Trouble::NoEndpoint { .. }
            | Trouble::Ended { .. }
    )
}
