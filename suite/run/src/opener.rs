//! Opens sessions: starts processes or makes HTTP clients.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::spawn_local;
use tokio::time::{Instant, timeout_at};
use url::Url;
use verdict::{Revision, Transport};

use crate::learned::Learned;
use crate::leases::{Lease, Leases, Wear, can_be_kept, can_be_shared, patience};
use crate::opening::Opening;
use crate::session::{Settings, slowest_start};
use crate::transport::stdio::Launch;
use crate::transport::{Link, http, sse, stdio};
use crate::turns::Turns;
use crate::{Options, Profile, Recorder, Session, Target, Trouble};

/// Frames that may wait to be recorded; a server that floods is slowed down.
const INBOX: usize = 256;

/// Opens sessions with one target.
pub(crate) struct Opener {
    target: Target,
    options: Rc<Options>,
    recorder: Rc<Recorder>,
    turns: Rc<Turns>,
    scratch: Option<Scratch>,
    /// The server answers only clients that declare something: whoever would declare nothing declares all.
    declares: Cell<bool>,
    learned: Rc<Learned>,
    leases: Rc<Leases>,
}

impl Opener {
    pub(crate) fn new(target: Target, options: Rc<Options>, recorder: Rc<Recorder>) -> Result<Self, Trouble> {
        let turns = Rc::new(Turns::new(&options));
        Self::beside(target, options, recorder, turns)
    }

    /// One that takes turns with others.
    pub(crate) fn beside(
        target: Target,
        options: Rc<Options>,
        recorder: Rc<Recorder>,
        turns: Rc<Turns>,
    ) -> Result<Self, Trouble> {
        let scratch = if options.scratch { Some(Scratch::new()?) } else { None };
        Ok(Self {
            target,
            options,
            recorder,
            turns,
            scratch,
            declares: Cell::new(false),
            learned: Rc::default(),
            leases: Rc::default(),
        })
    }

    /// The URL that is driven.
    pub(crate) fn url(&self) -> Option<&Url> {
        match &self.target {
            Target::Url(url) => Some(url),
            Target::Program { .. } | Target::Stream(_) => None,
        }
    }

    /// From now on nobody declares nothing: the server was found to leave such clients without an answer.
    pub(crate) fn declare(&self) {
        self.declares.set(true);
    }

    pub(crate) fn recorder(&self) -> &Rc<Recorder> {
        &self.recorder
    }

    /// Whether each process is to be alone: further ones are no use while one is needed.
    pub(crate) fn is_alone(&self) -> bool {
        self.turns.are_alone()
    }

    pub(crate) fn learned(&self) -> &Learned {
        &self.learned
    }

    /// The turns that it takes.
    pub(crate) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// Waits until every process that was to end has ended.
    pub(crate) async fn farewells(&self) {
        self.learned.farewells.over().await;
    }

    /// Whether the server is on this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        self.target.is_own()
    }

    /// Starts the server or makes a client; says nothing to it.
    pub(crate) fn connect(&self, opening: Opening) -> Result<Session, Trouble> {
        let (inbox, inbound) = mpsc::channel(INBOX);
        let link = match &self.target {
            Target::Program { program, args } => {
                let scratch = self.scratch.as_ref().map_or(&[][..], |scratch| scratch.env.as_slice());
                let env = [self.options.env.as_slice(), scratch, opening.env.as_slice()].concat();
                let scratch = self.scratch.as_ref().map(|scratch| scratch.path.as_path());
                let directory = scratch.or(self.options.folder.as_deref());
                let (without, objects) = (&opening.without, self.learned.objects.get());
                let launch = Launch { program, args, env: &env, without, directory, objects };
                Link::Stdio(stdio::open(&launch, inbox)?)
            }
            Target::Url(url) => {
                Link::Http(http::open(opening.place.as_ref().unwrap_or(url), &self.turns.requests, inbox))
            }
            Target::Stream(url) => Link::Sse(sse::open(
                url,
                self.learned.until_announced(self.options.timeout),
                &self.turns.requests,
                inbox,
            )),
        };
        let settings = Settings {
            place: match &self.target {
                Target::Url(url) | Target::Stream(url) => url.to_string(),
                program @ Target::Program { .. } => program.command_line(),
            },
            transport: self.target.transport(),
            revision: opening.revision,
            profile: self.profile_of(&opening),
            behavior: opening.behavior,
            limit: self.options.timeout,
            start_limit: self.options.start_timeout,
            learned: Rc::clone(&self.learned),
            headers: if opening.elsewhere { Vec::new() } else { self.options.headers_of(opening.who) },
            outside: opening.outside,
            purpose: opening.purpose,
            confirm: opening.confirm,
            bisection: opening.bisection,
        };
        let session = Session::new(settings, Rc::clone(&self.recorder), link, inbound);
        if session.transport() == Transport::Sse {
            // Nothing can be said before the stream has told where.
            session.http("GET").bare_headers().start();
        }
        if matches!(self.target, Target::Program { .. }) {
            self.turns.add(&session);
        }
        Ok(session)
    }

    /// Waits for a turn, so that not too many processes start at once, and connects.
    pub(crate) async fn open(&self, opening: Opening) -> Result<Session, Trouble> {
        let turn = self.turns.start().await;
        let _room = self.turns.room().await?;
        let session = self.connect(opening)?;
        if session.transport() == Transport::Stdio {
            let starting = session.clone();
            spawn_local(async move {
                starting.starts().await;
                drop(turn);
            });
        }
        Ok(session)
    }

    /// A session in this revision, ready for requests.
    pub(crate) async fn ready(&self, opening: Opening, revision: Revision) -> Result<Session, Trouble> {
        self.ready_in(self.turns.start().await, opening, revision).await
    }

    /// The same for who has a turn to start a process.
    async fn ready_in(
        &self,
        _turn: Option<OwnedSemaphorePermit>,
        opening: Opening,
        revision: Revision,
    ) -> Result<Session, Trouble> {
        let session = {
            let _room = self.turns.room().await?;
            self.connect(opening.clone())?
        };
        let Err(trouble) = Self::greet(&session, revision).await else { return Ok(session) };
        // A session that is over because the run is says nothing of its process.
        let ended = matches!(trouble, Trouble::Ended { .. });
        let tells = if ended { session.has_failed() } else { revision.is_handshake() && trouble.is_of_the_server() };
        if tells {
            self.turns.doubt(&session, &opening, revision);
        }
        session.kill().await;
        Err(trouble)
    }

    /// A session in this revision that others have before and after, where each has a process of its own.
    pub(crate) async fn lease(&self, opening: Opening, revision: Revision, wear: Wear) -> Result<Lease, Trouble> {
        if !self.shares(&opening) {
            return Ok(Lease::alone(self.ready(opening, revision).await?));
        }
        let started_in = self.recorder.with(slowest_start);
        let turn = self.leases.turn(wear, started_in).await;
        let session = self.used_or_ready(opening, revision, wear, patience(started_in)).await?;
        self.leases.begins(wear);
        Ok(Lease::new(session, wear, &self.leases, revision, Some(turn)))
    }

    /// The same for who has one already and must not wait for another.
    pub(crate) async fn lease_another(
        &self,
        opening: Opening,
        revision: Revision,
        wear: Wear,
    ) -> Result<Lease, Trouble> {
        if !self.shares(&opening) {
            return Ok(Lease::alone(self.ready(opening, revision).await?));
        }
        let session = self.used_or_ready(opening, revision, wear, Duration::ZERO).await?;
        Ok(Lease::new(session, wear, &self.leases, revision, None))
    }

    /// A session to which nothing has been said; others have it afterwards, if it is ready for requests in this revision by then.
    pub(crate) async fn lease_new(&self, opening: Opening, revision: Revision, wear: Wear) -> Result<Lease, Trouble> {
        if !self.has_processes() || !can_be_kept(&opening) {
            return Ok(Lease::alone(self.open(opening).await?));
        }
        let coming = self.leases.coming(wear);
        let session = self.open(opening).await?;
        Ok(Lease::awaited(session, wear, coming, revision))
    }

    /// One that has refused `server/discover`, and to which nothing else has been said.
    pub(crate) fn lease_refused(&self, opening: &Opening, wear: Wear) -> Option<Lease> {
        let fits = self.has_processes() && can_be_kept(opening);
        let session = fits.then(|| self.leases.take_refused()).flatten()?;
        let session = session.reborn(&opening.purpose, self.profile_of(opening), opening.revision);
        Some(Lease::awaited(session, wear, self.leases.coming(wear), opening.revision))
    }

    /// One that a scenario has left to another.
    pub(crate) fn leased(&self, session: Session, revision: Revision, wear: Wear) -> Lease {
        if self.has_processes() {
            Lease::new(session, wear, &self.leases, revision, None)
        } else {
            Lease::alone(session)
        }
    }

    fn shares(&self, opening: &Opening) -> bool {
        self.has_processes() && can_be_shared(opening)
    }

    /// Whether each session has a process of its own, and several may run.
    fn has_processes(&self) -> bool {
        matches!(self.target, Target::Program { .. }) && !self.is_alone()
    }

    /// One that was given back, for which somebody who will give one back soon is waited until then; else a fresh one.
    async fn used_or_ready(
        &self,
        opening: Opening,
        revision: Revision,
        wear: Wear,
        patience: Duration,
    ) -> Result<Session, Trouble> {
        let mut deadline = Instant::now() + patience;
        let profile = self.profile_of(&opening);
        let used = || {
            let session = self.leases.take(profile, wear)?;
            let profile = if wear == Wear::Malformed { session.profile() } else { profile };
            Some(session.renewed(&opening.purpose, profile))
        };
        let _seeks = self.leases.seek(wear);
        let mut start = None;
        loop {
            let freed = self.leases.freed();
            if let Some(session) = used() {
                return Ok(session);
            }
            if self.leases.are_coming(wear) && Instant::now() < deadline {
                // Those that are to come may need this turn.
                start = None;
                if timeout_at(deadline, freed).await.is_ok() && wear == Wear::Any {
                    deadline = Instant::now() + patience;
                }
                continue;
            }
            let start = start.get_or_insert_with(|| Box::pin(self.turns.start()));
            // While other processes start, somebody may be done with his.
            tokio::select! {
                biased;
                turn = start => return self.ready_in(turn, opening, revision).await,
                () = freed => {}
            }
        }
    }

    /// The connections that scenarios have one after the other.
    pub(crate) fn leases(&self) -> &Rc<Leases> {
        &self.leases
    }

    /// What the client declares.
    fn profile_of(&self, opening: &Opening) -> Profile {
        match opening.profile {
            Profile::Bare if self.declares.get() && !opening.elsewhere => Profile::Full,
            profile => profile,
        }
    }

    /// A session after its handshake. If that does not come about, no other process is taken for the cause: who tries several ways in
    /// at once runs them beside it.
    pub(crate) async fn met(&self, opening: Opening, revision: Revision) -> Result<Session, Trouble> {
        let session = self.open(opening).await?;
        match Self::greet(&session, revision).await {
            Ok(()) => Ok(session),
            Err(trouble) => {
                session.kill().await;
                Err(trouble)
            }
        }
    }

    /// The handshake of this revision, or its `server/discover`.
    pub(crate) async fn greet(session: &Session, revision: Revision) -> Result<(), Trouble> {
        let began = std::time::Instant::now();
        let greeted = Self::say_hello(session, revision).await;
        if greeted.as_ref().is_err_and(Trouble::is_failure) {
            session.note_unopened(began);
        }
        greeted
    }

    async fn say_hello(session: &Session, revision: Revision) -> Result<(), Trouble> {
        if revision.is_handshake() {
            session.handshake(revision.as_str(), json!({}), None).await?;
            if let Some(spoken) = session.revision().filter(|spoken| *spoken != revision) {
                return Err(Trouble::Revision { asked: revision.to_string(), offered: spoken.to_string() });
            }
        } else {
            session.discover().await.map_err(|trouble| match trouble {
                Trouble::Refused { answer, .. } if answer.starts_with('{') => {
                    Trouble::Revision { asked: revision.to_string(), offered: format!("server/discover with {answer}") }
                }
                other => other,
            })?;
        }
        Ok(())
    }
}

/// An empty directory for a server that is not to touch the user's; removed when dropped.
struct Scratch {
    path: std::path::PathBuf,
    env: Vec<(String, String)>,
}

impl Scratch {
    fn new() -> Result<Self, Trouble> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("mcp-conform-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        let create = std::fs::create_dir_all(path.join("tmp"));
        create.map_err(|error| Trouble::Usage(format!("cannot create {}: {error}", path.display())))?;
        let variable = |name: &str, path: &std::path::Path| (name.to_owned(), path.display().to_string());
        let env = vec![variable("HOME", &path), variable("TMPDIR", &path.join("tmp"))];
        Ok(Self { path, env })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
