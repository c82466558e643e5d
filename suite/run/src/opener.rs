//! Opens sessions: starts processes or makes HTTP clients, and does the handshake.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};
use url::Url;
use verdict::transcript::Probe;
use verdict::{Revision, Transport};

use crate::credentials::Who;
use crate::session::{Bisection, Settings};
use crate::transport::stdio::Launch;
use crate::transport::{Link, http, sse, stdio};
use crate::{ClientBehavior, Options, Profile, Recorder, RequestOutcome, Session, Target, Trouble};

/// Frames that may wait to be recorded; a server that floods is slowed down.
const INBOX: usize = 256;

/// How a session is to be opened.
#[derive(Clone, Debug)]
pub struct Opening {
    /// What the session is for, as the transcript names it.
    pub purpose: String,
    /// The revision whose client the tester is; a handshake may end in another one.
    pub revision: Revision,
    /// The capabilities that the tester declares.
    pub profile: Profile,
    /// A repetition because evidence was ambiguous.
    pub confirm: bool,
    pub(crate) bisection: Option<Bisection>,
    pub(crate) behavior: ClientBehavior,
    /// Not of the conversation that is judged: only rules about outsiders look at it.
    outside: bool,
    who: Who,
    /// Another place than the target's.
    place: Option<Url>,
    /// Whether that place is another party's server, which is sent none of the user's headers.
    elsewhere: bool,
    env: Vec<(String, String)>,
    /// Variables that the program is not to have.
    without: Vec<String>,
}

impl Opening {
    /// A session for some purpose, with nothing declared.
    #[must_use]
    pub fn new(purpose: &str, revision: Revision) -> Self {
        Self {
            purpose: purpose.to_owned(),
            revision,
            profile: Profile::Bare,
            confirm: false,
            bisection: None,
            behavior: ClientBehavior::default(),
            outside: false,
            who: Who::User,
            place: None,
            elsewhere: false,
            env: Vec::new(),
            without: Vec::new(),
        }
    }

    /// With everything declared that a client can declare.
    #[must_use]
    pub fn full(mut self) -> Self {
        self.profile = Profile::Full;
        self
    }

    /// With everything declared, and that the model can be offered tools.
    #[must_use]
    pub fn tools(mut self) -> Self {
        self.profile = Profile::Tools;
        self
    }

    /// With elicitation by forms alone.
    #[must_use]
    pub fn forms(mut self) -> Self {
        self.profile = Profile::Forms;
        self
    }

    /// With elicitation by URLs alone.
    #[must_use]
    pub fn urls(mut self) -> Self {
        self.profile = Profile::Urls;
        self
    }

    /// With everything declared, and that what the server asks for can be a task.
    #[must_use]
    pub fn tasks(mut self) -> Self {
        self.profile = Profile::Tasks;
        self
    }

    /// As a repetition.
    #[must_use]
    pub fn confirm(mut self) -> Self {
        self.confirm = true;
        self
    }

    /// With another way to treat the server's own requests.
    #[must_use]
    pub fn behavior(mut self, behavior: ClientBehavior) -> Self {
        self.behavior = behavior;
        self
    }

    /// On stdio with an environment variable set.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// On stdio without an environment variable, whoever has set it.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.without.push(name.to_owned());
        self
    }

    /// As somebody who takes no part in what is judged, with the user's credential.
    #[must_use]
    pub fn outside(mut self) -> Self {
        self.outside = true;
        self
    }

    /// As somebody who takes no part in what is judged, without a credential.
    #[must_use]
    pub fn outsider(mut self) -> Self {
        self.who = Who::Nobody;
        self.outside()
    }

    /// As somebody who takes no part in what is judged, with the second user's credential.
    pub(crate) fn second(mut self) -> Self {
        self.who = Who::Second;
        self.outside()
    }

    /// At another party's server on this machine, which is told nothing of what is for this one.
    pub(crate) fn elsewhere(mut self, place: Url) -> Self {
        self.elsewhere = true;
        self.place = Some(place);
        self.outsider()
    }

    /// At another address of the same server.
    pub(crate) fn place(mut self, place: Url) -> Self {
        self.place = Some(place);
        self.outside()
    }

    pub(crate) fn bisection(mut self, bisection: Bisection) -> Self {
        self.bisection = Some(bisection);
        self
    }
}

/// Opens sessions with one target.
pub(crate) struct Opener {
    target: Target,
    options: Rc<Options>,
    recorder: Rc<Recorder>,
    /// Shared by all revisions: so many processes may be starting at a time.
    starting: Rc<Semaphore>,
    scratch: Option<Scratch>,
    /// The server answers only clients that declare something: whoever would declare nothing declares all.
    declares: Cell<bool>,
}

impl Opener {
    pub(crate) fn new(target: Target, options: Rc<Options>, recorder: Rc<Recorder>) -> Result<Self, Trouble> {
        let starting = Rc::new(Semaphore::new(options.jobs.max(1)));
        Self::beside(target, options, recorder, starting)
    }

    /// One that starts processes in turn with others.
    pub(crate) fn beside(
        target: Target,
        options: Rc<Options>,
        recorder: Rc<Recorder>,
        starting: Rc<Semaphore>,
    ) -> Result<Self, Trouble> {
        let scratch = if options.scratch { Some(Scratch::new()?) } else { None };
        Ok(Self { target, options, recorder, starting, scratch, declares: Cell::new(false) })
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
                let launch = Launch { program, args, env: &env, without: &opening.without, directory };
                Link::Stdio(stdio::open(&launch, inbox)?)
            }
            Target::Url(url) => Link::Http(http::open(opening.place.as_ref().unwrap_or(url), inbox)),
            Target::Stream(url) => Link::Sse(sse::open(url, self.options.timeout, inbox)),
        };
        let settings = Settings {
            place: match &self.target {
                Target::Url(url) | Target::Stream(url) => url.to_string(),
                program @ Target::Program { .. } => program.command_line(),
            },
            transport: self.target.transport(),
            revision: opening.revision,
            profile: match opening.profile {
                Profile::Bare if self.declares.get() && !opening.elsewhere => Profile::Full,
                profile => profile,
            },
            behavior: opening.behavior,
            limit: self.options.timeout,
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
        Ok(session)
    }

    /// Waits for a turn, so that not too many processes start at once, and connects.
    pub(crate) async fn open(&self, opening: Opening) -> Result<Session, Trouble> {
        let _turn = self.starting.acquire().await;
        self.connect(opening)
    }

    /// A session in this revision, ready for requests.
    pub(crate) async fn ready(&self, opening: Opening, revision: Revision) -> Result<Session, Trouble> {
        let _turn = self.starting.acquire().await;
        let session = self.connect(opening)?;
        if revision.is_handshake() {
            session.handshake(revision.as_str(), json!({}), None).await?;
            let spoken = session.revision();
            if spoken != Some(revision) {
                let offered =
                    spoken.map_or_else(|| "no revision that is known".to_owned(), |spoken| spoken.to_string());
                return Err(Trouble::Revision { asked: revision.to_string(), offered });
            }
        } else {
            session.discover().await.map_err(|trouble| match trouble {
                Trouble::Refused { answer, .. } if answer.starts_with('{') => {
                    Trouble::Revision { asked: revision.to_string(), offered: format!("server/discover with {answer}") }
                }
                other => other,
            })?;
        }
        Ok(session)
    }
}

impl Session {
    /// `initialize` asking for `version`, with `extra` merged into its params, and `notifications/initialized` if the
    /// answer names a revision that the tester drives. Over HTTP the stream for the server's own messages is opened.
    ///
    /// # Errors
    /// When no result came.
    pub async fn handshake(
        &self,
        version: &str,
        extra: Value,
        probe: Option<Probe>,
    ) -> Result<RequestOutcome, Trouble> {
        self.announced().await?;
        let outcome = self.initialize(version, extra, probe).await;
        if outcome.result().is_none() {
            return Err(self.refused("initialize", &outcome).await);
        }
        if self.revision().is_none() && names_no_version(&outcome) {
            self.assume(version);
        }
        if self.revision().is_some() {
            let initialized = self.notify("notifications/initialized", None);
            match self.transport() {
                Transport::Stdio => initialized.send().await,
                // POSTs may overtake each other: what follows must not arrive before it.
                Transport::Http => {
                    initialized.answered().await;
                    self.listen();
                }
                Transport::Sse => {
                    initialized.answered().await;
                }
            }
        }
        Ok(outcome)
    }

    /// `initialize` alone: what came of it is noted, nothing else is sent.
    pub async fn initialize(&self, version: &str, extra: Value, probe: Option<Probe>) -> RequestOutcome {
        let revision = version.parse().unwrap_or(Revision::LATEST_HANDSHAKE);
        let mut params = json!({
            "protocolVersion": version,
            "capabilities": self.profile().capabilities(revision),
            "clientInfo": {"name": "mcp-conform", "version": env!("CARGO_PKG_VERSION")},
        });
        merge(&mut params, extra);
        self.located().await;
        let mut ask = self.ask("initialize", params).bare().opening();
        if let Some(probe) = probe {
            ask = ask.probe(&probe.scenario, probe.intent, probe.about);
        }
        let outcome = ask.send().await;
        if let RequestOutcome::Answer(message) = &outcome {
            self.settle_opening(message);
        }
        outcome
    }

    /// `server/discover`: what the server offers in 2026-07-28.
    ///
    /// # Errors
    /// When no result came.
    pub async fn discover(&self) -> Result<RequestOutcome, Trouble> {
        self.announced().await?;
        let outcome = self.ask("server/discover", json!({})).opening().send().await;
        match &outcome {
            RequestOutcome::Answer(message) if message.result().is_some() => {
                self.settle_opening(message);
                Ok(outcome)
            }
            _ => Err(self.refused("server/discover", &outcome).await),
        }
    }

    /// Over HTTP+SSE waits until it is known where to post.
    ///
    /// # Errors
    /// When nothing can be posted.
    pub async fn announced(&self) -> Result<(), Trouble> {
        self.located().await;
        self.no_endpoint().map_or(Ok(()), Err)
    }

    async fn refused(&self, method: &str, outcome: &RequestOutcome) -> Trouble {
        self.last_words().await;
        let waiting = method.to_owned();
        if let Some(answer) = self.challenge() {
            return Trouble::Challenged { waiting, answer };
        }
        match outcome {
            RequestOutcome::Answer(message) => {
                Trouble::Refused { waiting, answer: shown(&message.value.to_string()), status: None }
            }
            RequestOutcome::Status(status) => {
                Trouble::Refused { waiting, answer: self.http_refusal(*status), status: Some(*status) }
            }
            RequestOutcome::Silent => {
                let seconds = self.limit().as_secs() * 6;
                Trouble::Silent { waiting, seconds, longer: seconds * 4, seen: self.seen() }
            }
            RequestOutcome::Gone => self.gone(waiting),
        }
    }
}

/// A result whose `protocolVersion` is missing or no string: a rule says so, and the rest can be judged all the same.
fn names_no_version(outcome: &RequestOutcome) -> bool {
    outcome.result().is_some_and(|result| !result.get("protocolVersion").is_some_and(Value::is_string))
}

fn shown(text: &str) -> String {
    text.chars().take(500).collect()
}

fn merge(params: &mut Value, extra: Value) {
    if let (Some(params), Value::Object(extra)) = (params.as_object_mut(), extra) {
        for (name, value) in extra {
            if value.is_null() {
                params.shift_remove(&name);
            } else {
                params.insert(name, value);
            }
        }
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
