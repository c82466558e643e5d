//! Fuzzing a server from outside: conversations are mutated by structure, those that bring new behaviour are kept, and what
//! goes wrong is repeated on fresh processes, made small and told once.
//!
//! No feedback comes from inside the server: what is new is told by the shape of its answers, its errors, its standard
//! error, how long it takes and how it ends.

mod converse;
mod found;
mod ids;
mod leak;
mod pilot;
mod pool;
mod regress;
mod replay;
mod safe;
mod seeds;
mod shrink;
mod trace;
mod worker;

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use fuzz::Chance;
use tokio::task::{JoinSet, LocalSet};
use verdict::Revision;

use crate::opener::Opener;
use crate::opening::Opening;
use crate::plan::unless_interrupted;
use crate::{Options, Recorder, RunGuard, Session, Target, Trouble};

pub use found::{Found, Sort};
pub use regress::{Again, Regression, regress};
pub use replay::{Replayed, replay};

use pilot::Pilot;
use pool::Pool;

/// Findings after which there is enough to mend.
const ENOUGH: usize = 40;

/// How long, with which choices, on how many processes at a time.
#[derive(Clone, Debug)]
pub struct Manners {
    /// When to end.
    pub time: Duration,
    /// Repeats the choices of an earlier time.
    pub seed: u64,
    /// Processes side by side.
    pub jobs: usize,
}

/// Progress of a fuzzing session.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// The current phase.
    pub phase: &'static str,
    /// Conversations so far.
    pub conversations: u64,
    /// Conversations a second.
    pub a_second: f64,
    /// Behaviours seen.
    pub behaviours: usize,
    /// Conversations that are kept because they brought something new.
    pub kept: usize,
    /// Findings.
    pub findings: usize,
}

/// The outcome of a fuzzing session.
#[derive(Clone, Debug)]
pub struct Fuzzed {
    /// Name and version of the server.
    pub server: String,
    /// The revision spoken.
    pub revision: Revision,
    /// The findings, in the order in which they were made.
    pub findings: Vec<Found>,
    /// At the end.
    pub pace: Pace,
    /// The requirements that are broken without any fuzzing, which are not told again.
    pub known: Vec<String>,
    /// It was interrupted.
    pub interrupted: bool,
    /// How long it went on.
    pub took: Duration,
}

/// Fuzzes a target, on a runtime of its own. Nothing that was started is left behind.
///
/// # Errors
/// When there is nothing to fuzz.
pub fn fuzz(target: &Target, options: &Options, manners: &Manners, tell: &dyn Fn(&Pace)) -> Result<Fuzzed, Trouble> {
    let _guard = RunGuard::begin();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Trouble::Usage(format!("cannot start: {error}")))?;
    runtime.block_on(LocalSet::new().run_until(whole(target, options, manners, tell)))
}

async fn whole(target: &Target, options: &Options, manners: &Manners, tell: &dyn Fn(&Pace)) -> Result<Fuzzed, Trouble> {
    if !target.is_own() && !options.yes_disrupt {
        let advice = "fuzzing disrupts: against a URL that is not on this machine it takes --yes-disrupt";
        return Err(Trouble::Usage(advice.to_owned()));
    }
    let began = Instant::now();
    tell(&Pace { phase: "judging the server as it is", ..Pace::default() });
    let pilot = unless_interrupted(pilot::fly(target, options)).await.ok_or(Trouble::Interrupted)??;
    // However long it took to get to know the server, half of the time is for fuzzing.
    let until = (began + manners.time).max(Instant::now() + manners.time / 2);
    let lab = Rc::new(Lab::new(pilot, options, manners.seed, until));
    let interrupted = unless_interrupted(lab.work(manners.jobs.max(1), tell)).await.is_none();
    Ok(lab.finish(interrupted, began.elapsed()))
}

/// State shared by all workers.
struct Lab {
    target: Target,
    options: Rc<Options>,
    revision: Revision,
    server: String,
    known: HashSet<String>,
    seed: u64,
    began: Instant,
    until: Instant,
    pool: RefCell<Pool>,
    seeds: seeds::Seeds,
    progress: RefCell<Progress>,
}

/// What all workers have done and found so far.
struct Progress {
    found: Vec<Found>,
    /// Signatures of findings that are reported or being examined.
    known_signatures: HashSet<String>,
    conversations: u64,
    /// Kilobytes by which a process may grow before that is examined.
    growth_limit: u64,
    /// Processes at whose end an answer was awaited in vain.
    futile_waits: u32,
}

impl Lab {
    fn new(pilot: Pilot, options: &Options, seed: u64, until: Instant) -> Self {
        let seeds = seeds::Seeds::new(pilot.profile, options, &mut Chance::new(seed));
        Self {
            target: pilot.target,
            options: Rc::new(options.clone()),
            revision: pilot.revision,
            server: pilot.server,
            known: pilot.known,
            seed,
            began: Instant::now(),
            until,
            pool: RefCell::new(Pool::new(seeds.conversations())),
            seeds,
            progress: RefCell::new(Progress {
                found: Vec::new(),
                known_signatures: HashSet::new(),
                conversations: 0,
                growth_limit: leak::SUSPECT,
                futile_waits: 0,
            }),
        }
    }

    async fn work(self: &Rc<Self>, jobs: usize, tell: &dyn Fn(&Pace)) {
        let mut workers = JoinSet::new();
        for number in 0..jobs {
            let lab = Rc::clone(self);
            workers.spawn_local(async move { worker::work(&lab, number as u64).await });
        }
        let telling = async {
            loop {
                tell(&self.pace());
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        };
        tokio::select! {
            () = async { while workers.join_next().await.is_some() {} } => {}
            () = telling => {}
        }
    }

    fn pace(&self) -> Pace {
        let (pool, progress) = (self.pool.borrow(), self.progress.borrow());
        let conversations = progress.conversations;
        #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
        let a_second = conversations as f64 / self.began.elapsed().as_secs_f64().max(0.001);
        Pace {
            phase: "fuzzing",
            conversations,
            a_second,
            behaviours: pool.behaviours(),
            kept: pool.kept(),
            findings: progress.found.len(),
        }
    }

    fn finish(&self, interrupted: bool, took: Duration) -> Fuzzed {
        let mut known: Vec<String> = self.known.iter().cloned().collect();
        known.sort();
        Fuzzed {
            server: self.server.clone(),
            revision: self.revision,
            findings: self.progress.borrow().found.clone(),
            pace: self.pace(),
            known,
            interrupted,
            took,
        }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until || self.progress.borrow().found.len() >= ENOUGH
    }

    /// How long the server may give no sign of life before that is looked into.
    fn suspicion(&self) -> Duration {
        self.options.timeout / 10
    }

    /// A fresh process, with a transcript of its own, ready for requests.
    async fn fresh(&self) -> Result<Session, Trouble> {
        let recorder = Rc::new(Recorder::masking(self.options.secrets()));
        let opener = Opener::new(self.target.clone(), Rc::clone(&self.options), recorder)?;
        opener.ready(Opening::new("fuzz", self.revision), self.revision).await
    }
}
