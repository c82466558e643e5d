//! The first exchange of a session: `initialize`, or `server/discover`, and what is made of a server that answers it otherwise than
//! it should.

use std::time::Duration;

use serde_json::{Map, Value, json};
use verdict::transcript::Probe;
use verdict::{Revision, Transport};
use wire::mcp::code;

use crate::survey::LISTS;
use crate::{Ask, RequestOutcome, Session, Trouble};

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
        // A rule says so if the answer names no version that there is, and the rest can be judged all the same.
        if self.revision().is_none() {
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
            self.find_capabilities().await;
        }
        Ok(outcome)
    }

    /// Where the server declared no capabilities, or nothing that can be read as such, it is taken to have those whose lists it serves.
    pub(crate) async fn find_capabilities(&self) {
        if self.capabilities().is_object() {
            return;
        }
        if self.learned_capabilities().is_none() {
            let mut found = Map::new();
            for (method, _, capability) in LISTS {
                if !found.contains_key(capability) && self.ask(method, json!({})).send().await.result().is_some() {
                    found.insert(capability.to_owned(), json!({}));
                }
            }
            // One that ended meanwhile may have served more.
            if self.is_down() {
                return;
            }
            self.learn_capabilities(Value::Object(found));
        }
        self.assume_capabilities();
    }

    /// `initialize` alone: what came of it is noted, nothing else is sent.
    pub async fn initialize(&self, version: &str, extra: Value, probe: Option<Probe>) -> RequestOutcome {
        self.located().await;
        let mut ask = self.introduction(version, extra);
        if let Some(probe) = probe {
            ask = ask.probe(&probe.scenario, probe.intent, probe.about);
        }
        let outcome = ask.send().await;
        if let RequestOutcome::Answer(message) = &outcome {
            self.settle_opening(message);
        }
        outcome
    }

    /// Whether `initialize` is answered as the last message: the input ends right behind it.
    pub(crate) async fn initializes_at_the_end(&self, version: &str, patience: Duration) -> bool {
        let (outcome, _) = tokio::join!(self.introduction(version, json!({})).send(), self.end_of_input(patience));
        matches!(outcome, RequestOutcome::Answer(_))
    }

    fn introduction(&self, version: &str, extra: Value) -> Ask<'_> {
        let mut params = self.introduction_params(version);
        merge(&mut params, extra);
        self.ask("initialize", params).bare().opening()
    }

    /// The params of an `initialize` that asks for `version`, as this session's client sends it.
    pub(crate) fn introduction_params(&self, version: &str) -> Value {
        let revision = version.parse().unwrap_or(Revision::LATEST_HANDSHAKE);
        json!({
            "protocolVersion": version,
            "capabilities": self.profile().capabilities(revision),
            "clientInfo": {"name": "mcp-conform", "version": env!("CARGO_PKG_VERSION")},
        })
    }

    /// `server/discover`: what the server offers in 2026-07-28.
    ///
    /// # Errors
    /// When no result came.
    pub async fn discover(&self) -> Result<RequestOutcome, Trouble> {
        self.announced().await?;
        // No client has to ask.
        let outcome = if self.is_undiscovered() { RequestOutcome::Silent } else { self.discovered().await };
        match &outcome {
            RequestOutcome::Answer(message) => {
                self.settle_opening(message);
                if !self.speaks_modern() && message.error_code() != Some(code::UNSUPPORTED_PROTOCOL_VERSION) {
                    self.find_modern(|list| self.ask(list, json!({})), |_, result| self.learn_modern(result)).await;
                }
                if !self.speaks_modern() {
                    let refused = message.result().is_none();
                    return if refused { Err(self.refused("server/discover", &outcome).await) } else { Ok(outcome) };
                }
            }
            RequestOutcome::Silent if self.is_undiscovered() => {}
            _ => return Err(self.refused("server/discover", &outcome).await),
        }
        self.note_modern();
        self.find_capabilities().await;
        Ok(outcome)
    }

    /// What comes of `server/discover`. A server that answers something else meanwhile is not slow to start.
    async fn discovered(&self) -> RequestOutcome {
        let asked = self.ask("server/discover", json!({})).opening().send();
        tokio::pin!(asked);
        let usual = self.limit();
        if let Ok(outcome) = tokio::time::timeout(usual, &mut asked).await {
            return outcome;
        }
        let ask = |list| self.ask(list, json!({})).opening();
        tokio::select! {
            outcome = &mut asked => return outcome,
            () = self.find_modern(ask, |list, result| self.learn_undiscovered(list, result)) => {}
        }
        asked.await
    }

    /// Where `server/discover` is not answered as it should be, the lists tell whether the server speaks 2026-07-28 all the same:
    /// one after the other is asked for, until its result says so.
    async fn find_modern<'s>(
        &'s self,
        ask: impl Fn(&'static str) -> Ask<'s>,
        learn: impl Fn(&'static str, Option<&Value>) -> bool,
    ) {
        for (list, ..) in LISTS {
            let outcome = ask(list).send().await;
            // Who is silent is not asked again: an older server before its handshake.
            if learn(list, outcome.result()) || !matches!(outcome, RequestOutcome::Answer(_)) {
                return;
            }
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
        if !matches!(outcome, RequestOutcome::Answer(_))
            && let Some(trouble) = self.foreign_endpoint()
        {
            return trouble;
        }
        match outcome {
            RequestOutcome::Answer(message) => {
                Trouble::Refused { waiting, answer: shown(&wire::write::message(message)), status: None }
            }
            RequestOutcome::Status(status) => {
                Trouble::Refused { waiting, answer: self.http_refusal(*status), status: Some(*status) }
            }
            RequestOutcome::Silent => {
                let seconds = self.start_limit().as_secs();
                Trouble::Silent { waiting, seconds, longer: seconds * 4, seen: self.seen() }
            }
            RequestOutcome::Gone => self.gone(waiting),
        }
    }
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
