//! Opens sessions: starts processes or makes HTTP clients, and does the handshake.

use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};
use verdict::transcript::Probe;
use verdict::{Era, Revision};

use crate::session::{Careful, Parts};
use crate::transport::stdio::Launch;
use crate::transport::{Link, http, stdio};
use crate::{Options, Outcome, Profile, Recorder, Session, Target, Trouble};

/// Frames that may wait to be recorded; a server that floods is slowed down.
const INBOX: usize = 256;

/// How a session is to be opened.
#[derive(Clone, Debug)]
pub struct Opening {
    /// What it is for.
    pub purpose: String,
    /// Handshake or stateless.
    pub era: Era,
    /// What the tester declares.
    pub profile: Profile,
    /// A repetition because evidence was ambiguous.
    pub confirm: bool,
    pub(crate) careful: Option<Careful>,
}

impl Opening {
    /// A session for some purpose, with nothing declared.
    #[must_use]
    pub fn new(purpose: &str, era: Era) -> Self {
        Self { purpose: purpose.to_owned(), era, profile: Profile::Bare, confirm: false, careful: None }
    }

    /// With everything declared that a client can declare.
    #[must_use]
    pub fn full(mut self) -> Self {
        self.profile = Profile::Full;
        self
    }

    /// As a repetition.
    #[must_use]
    pub fn confirm(mut self) -> Self {
        self.confirm = true;
        self
    }

    pub(crate) fn careful(mut self, careful: Careful) -> Self {
        self.careful = Some(careful);
        self
    }
}

/// Opens sessions with one target.
pub(crate) struct Opener {
    target: Target,
    options: Rc<Options>,
    recorder: Rc<Recorder>,
    starting: Semaphore,
    scratch: Option<Scratch>,
}

impl Opener {
    pub(crate) fn new(target: Target, options: Rc<Options>, recorder: Rc<Recorder>) -> Result<Self, Trouble> {
        let scratch = if options.scratch { Some(Scratch::new()?) } else { None };
        let starting = Semaphore::new(options.jobs.max(1));
        Ok(Self { target, options, recorder, starting, scratch })
    }

    pub(crate) fn recorder(&self) -> &Rc<Recorder> {
        &self.recorder
    }

    /// Starts the server or makes a client; says nothing to it.
    pub(crate) fn connect(&self, opening: Opening) -> Result<Session, Trouble> {
        let (inbox, inbound) = mpsc::channel(INBOX);
        let link = match &self.target {
            Target::Program { program, args } => {
                let env =
                    [self.options.env.as_slice(), self.scratch.as_ref().map_or(&[], |scratch| scratch.env.as_slice())]
                        .concat();
                let directory = self.scratch.as_ref().map(|scratch| scratch.path.as_path());
                Link::Stdio(stdio::open(&Launch { program, args, env: &env, directory }, inbox)?)
            }
            Target::Url(url) => Link::Http(http::open(url, inbox)),
        };
        let parts = Parts {
            place: self.target.command_line(),
            transport: self.target.transport(),
            era: opening.era,
            profile: opening.profile,
            recorder: Rc::clone(&self.recorder),
            limit: self.options.timeout,
            headers: self.options.headers.clone(),
            purpose: opening.purpose,
            confirm: opening.confirm,
            careful: opening.careful,
        };
        Ok(Session::new(parts, link, inbound))
    }

    /// The same, waiting for its turn so that not too many processes start at once.
    pub(crate) async fn open(&self, opening: Opening) -> Result<Session, Trouble> {
        let _turn = self.starting.acquire().await;
        self.connect(opening)
    }

    /// A session in this revision, ready for requests.
    pub(crate) async fn ready(&self, opening: Opening, revision: Revision) -> Result<Session, Trouble> {
        let _turn = self.starting.acquire().await;
        let session = self.connect(opening)?;
        if revision.is_handshake() {
            session.shake(revision.as_str(), json!({}), None).await?;
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
    pub async fn shake(&self, version: &str, extra: Value, probe: Option<Probe>) -> Result<Outcome, Trouble> {
        let outcome = self.initialize(version, extra, probe).await;
        if outcome.result().is_none() {
            return Err(self.refused("initialize", &outcome).await);
        }
        if self.revision().is_none() && names_no_version(&outcome) {
            self.assume(version);
        }
        if self.revision().is_some() {
            let initialized = self.notify("notifications/initialized", None);
            if self.transport() == verdict::Transport::Http {
                // POSTs may overtake each other: what follows must not arrive before it.
                initialized.answered().await;
                self.listen();
            } else {
                initialized.send().await;
            }
        }
        Ok(outcome)
    }

    /// `initialize` alone: what came of it is noted, nothing else is sent.
    pub async fn initialize(&self, version: &str, extra: Value, probe: Option<Probe>) -> Outcome {
        let revision = version.parse().unwrap_or(Revision::LATEST_HANDSHAKE);
        let mut params = json!({
            "protocolVersion": version,
            "capabilities": self.profile().capabilities(revision),
            "clientInfo": {"name": "mcp-conform", "version": env!("CARGO_PKG_VERSION")},
        });
        merge(&mut params, extra);
        let mut ask = self.ask("initialize", params).bare().limit(self.limit() * 6);
        if let Some(probe) = probe {
            ask = ask.probe(&probe.scenario, &probe.intent, probe.about);
        }
        let outcome = ask.send().await;
        if let Outcome::Answer(message) = &outcome {
            self.settle_opening(message);
        }
        outcome
    }

    /// `server/discover`: what the server offers in 2026-07-28.
    ///
    /// # Errors
    /// When no result came.
    pub async fn discover(&self) -> Result<Outcome, Trouble> {
        let outcome = self.ask("server/discover", json!({})).limit(self.limit() * 6).send().await;
        match &outcome {
            Outcome::Answer(message) if message.result().is_some() => {
                self.settle_opening(message);
                Ok(outcome)
            }
            _ => Err(self.refused("server/discover", &outcome).await),
        }
    }

    async fn refused(&self, method: &str, outcome: &Outcome) -> Trouble {
        self.last_words().await;
        let waiting = method.to_owned();
        match outcome {
            Outcome::Answer(message) => Trouble::Refused { waiting, answer: shown(&message.value.to_string()) },
            Outcome::Status(status) => Trouble::Refused { waiting, answer: self.http_refusal(*status) },
            Outcome::Silent => {
                let seconds = self.limit().as_secs() * 6;
                Trouble::Silent { waiting, seconds, longer: seconds * 4, seen: self.seen() }
            }
            Outcome::Gone => self.gone(waiting),
        }
    }
}

/// A result whose `protocolVersion` is missing or no string: a rule says so, and the rest can be judged all the same.
fn names_no_version(outcome: &Outcome) -> bool {
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
