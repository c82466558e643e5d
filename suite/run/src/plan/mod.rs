//! The plan of a run: which revision, which sessions, which scenarios, in which order; and the record at the end.

mod careful;
mod era;
mod fallback;
mod outside;
mod rescue;
mod revision;
pub(crate) mod sheet;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::task::LocalSet;
use verdict::Revision;
use verdict::record::Record;
use verdict::transcript::Event;

use crate::opener::Opener;
use crate::process::{adopt, reap};
use crate::progress::Progress;
use crate::{Options, Protocol, Recorder, Target, Trouble};

/// What a run leaves.
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
    let _visit = Visit::begin();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Trouble::Usage(format!("cannot start: {error}")))?;
    let finished = runtime.block_on(LocalSet::new().run_until(run(target, options, tell)));
    drop(runtime);
    finished
}

/// Runs that are going on in this process.
static VISITS: AtomicUsize = AtomicUsize::new(0);

/// A run; when the last one ends, whatever descendant is left is ended too, also after a panic.
#[derive(Debug)]
pub struct Visit(());

impl Visit {
    /// Holds off the end for somebody who does several runs and has children of their own beside them.
    #[must_use]
    pub fn begin() -> Self {
        adopt();
        VISITS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if VISITS.fetch_sub(1, Ordering::SeqCst) == 1 {
            reap();
        }
    }
}

/// The same, on the caller's runtime (a current-thread one inside a `LocalSet`).
///
/// # Errors
/// When there is nothing to judge.
pub async fn run(target: &Target, options: &Options, tell: Tell<'_>) -> Result<Finished, Trouble> {
    let plan = Plan {
        target: RefCell::new(target.clone().over(options.transport)?),
        options: Rc::new(options.clone()),
        tell,
        now: RefCell::default(),
        notes: RefCell::default(),
    };
    let mut finished = Finished::default();
    let ended = tokio::select! {
        ended = plan.whole(&mut finished) => ended,
        () = interrupted() => Err(Trouble::Interrupted),
    };
    match ended {
        Err(Trouble::Interrupted) => {
            finished.interrupted = true;
            plan.salvage(&mut finished);
            Ok(finished)
        }
        Err(trouble) => Err(trouble),
        Ok(()) => Ok(finished),
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
    tell: Tell<'a>,
    /// What is being judged at this moment, for a partial report.
    now: RefCell<Vec<(Rc<Recorder>, Revision)>>,
    /// What must not look like silence of the server, by revision, for two may be judged side by side: scenarios that
    /// panicked, and what could not be tried.
    notes: RefCell<Vec<(Revision, String)>>,
}

impl Plan<'_> {
    /// Everything that was asked for, over another transport if that is how the server is spoken to.
    async fn whole(&self, finished: &mut Finished) -> Result<(), Trouble> {
        match self.judged(finished).await {
            Err(trouble) if finished.records.is_empty() => {
                self.fall_back(trouble).await?;
                finished.unspoken.clear();
                // What was begun over the other transport is no part of a partial report.
                self.now.borrow_mut().clear();
                self.notes.borrow_mut().clear();
                self.judged(finished).await
            }
            ended => ended,
        }
    }

    async fn judged(&self, finished: &mut Finished) -> Result<(), Trouble> {
        match self.options.protocol {
            Protocol::Latest => {
                let opener = self.opener()?;
                match self.newest(&opener).await {
                    Ok((main, revision)) => self.judge(&opener, main, revision, finished).await,
                    Err(trouble) => self.outside(&opener, Revision::LATEST_HANDSHAKE, trouble, finished).await,
                }
            }
            Protocol::One(revision) => self.one(revision, finished).await,
            Protocol::All => self.all(finished).await,
        }
    }

    async fn one(&self, revision: Revision, finished: &mut Finished) -> Result<(), Trouble> {
        let opener = self.opener()?;
        match self.in_revision(&opener, revision).await {
            Ok(main) => self.judge(&opener, main, revision, finished).await,
            Err(trouble) => self.outside(&opener, revision, trouble, finished).await,
        }
    }

    async fn all(&self, finished: &mut Finished) -> Result<(), Trouble> {
        let mut trouble = None;
        let together = if matches!(self.target(), Target::Program { .. }) { 2 } else { 1 };
        for revisions in Revision::ALL.chunks(together) {
            for (revision, own, ended) in self.pair(revisions).await {
                finished.records.extend(own.records);
                finished.transcripts.extend(own.transcripts);
                match ended {
                    Ok(()) => {}
                    Err(why) if is_unspoken(&why) => {
                        finished.unspoken.push((revision, why.to_string()));
                        trouble = Some(why);
                    }
                    Err(other) => return Err(other),
                }
            }
            self.now.borrow_mut().clear();
        }
        match trouble {
            Some(trouble) if finished.records.is_empty() => Err(trouble),
            _ => Ok(()),
        }
    }

    /// Programs are judged in two revisions at a time, each in processes of its own; behind a URL there is one server.
    async fn pair(&self, pair: &[Revision]) -> Vec<(Revision, Finished, Result<(), Trouble>)> {
        let alone = async |revision: Revision| {
            let mut own = Finished::default();
            let ended = self.one(revision, &mut own).await;
            (revision, own, ended)
        };
        match pair {
            [first, second] => {
                let (first, second) = tokio::join!(alone(*first), alone(*second));
                vec![first, second]
            }
            few => {
                let mut ended = Vec::new();
                for revision in few {
                    ended.push(alone(*revision).await);
                }
                ended
            }
        }
    }

    fn target(&self) -> Target {
        self.target.borrow().clone()
    }

    fn opener(&self) -> Result<Rc<Opener>, Trouble> {
        let recorder = Rc::new(Recorder::masking(self.options.secrets()));
        Ok(Rc::new(Opener::new(self.target(), Rc::clone(&self.options), recorder)?))
    }

    /// Partial records of what was going on when the run was interrupted.
    fn salvage(&self, finished: &mut Finished) {
        for (recorder, revision) in self.now.take() {
            let mut record = sheet::record(self, &recorder, revision);
            record.partial = true;
            finished.records.push(record);
            finished.transcripts.push(recorder.with(<[Event]>::to_vec));
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
            | Trouble::Ended { .. }
    )
}
