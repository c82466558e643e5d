//! State shared by all connections: settings, tool definitions with their validators, and the little state that changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use super::output::Action;
use super::toolbox::Toolbox;
use super::{Interceptor, Service};
use crate::Revision;
use crate::deviation::Deviation;
use crate::settings::Settings;

/// How a connection is carried; some rules differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Newline-delimited messages over pipes.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE of 2024-11-05.
    Sse,
}

/// A server, shared by its connections.
pub struct Server {
    pub(crate) settings: Settings,
    pub(crate) toolbox: Toolbox,
    pub(super) service: &'static dyn Service,
    pub(crate) interceptors: Arc<[Box<dyn Interceptor>]>,
    state: Mutex<State>,
    nonce: String,
}

/// How often what is announced has changed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Generations {
    pub(crate) tools: u64,
    pub(crate) prompts: u64,
    pub(crate) resources: u64,
    pub(crate) counter: u64,
    /// How often all subscriptions were to end.
    pub(crate) endings: u64,
}

/// State that changes while the server runs.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) extra_tool: bool,
    pub(crate) counter: i64,
    pub(crate) note: String,
    pub(crate) extra_prompt: bool,
    pub(crate) extra_resource: bool,
    pub(crate) generations: Generations,
    /// How many connections there have been.
    pub(crate) connections: u64,
    /// Baskets by handle, and whose they are.
    pub(crate) baskets: BTreeMap<String, Option<String>>,
    pub(crate) opened: u64,
    /// States of demands for input that were made use of.
    pub(crate) used_states: BTreeSet<String>,
    pub(crate) serial: u64,
    // What follows is remembered for faults alone.
    pub(crate) walks: BTreeMap<String, u64>,
    /// Arguments of which something was told.
    pub(crate) told: BTreeSet<String>,
    pub(crate) positions: BTreeMap<String, usize>,
    pub(crate) cursors: BTreeSet<String>,
    pub(crate) ids: BTreeMap<String, u64>,
    /// The progress token of the request that came last.
    pub(crate) newest_token: serde_json::Value,
    /// The log level that a request of 2026-07-28 asked for last.
    pub(crate) newest_level: Option<usize>,
    /// A client of 2026-07-28 has declared elicitation.
    pub(crate) elicits: bool,
    /// Demands for input.
    pub(crate) demands: u64,
    /// Open subscriptions of 2026-07-28, and whether one was ever ended.
    pub(crate) listens: u64,
    pub(crate) dropped_listen: bool,
    /// Notifications that are to come out where they do not belong.
    pub(crate) strays: Vec<Stray>,
    pub(crate) doom: Option<Action>,
    pub(crate) recent: Option<String>,
    pub(crate) token: Option<String>,
    pub(crate) silent: bool,
    pub(crate) last: Option<(String, String)>,
    pub(crate) meta: serde_json::Value,
    pub(crate) client: String,
    pub(crate) spoilt: bool,
    pub(crate) served: bool,
    /// The level that any session has set last.
    pub(crate) shared_level: Option<usize>,
    /// From now on every request fails,
    pub(crate) upset: bool,
    /// or only the next.
    pub(crate) upset_once: bool,
    /// Requests that came over HTTP, where some fail.
    pub(crate) posts: u64,
    /// Everybody's tasks, with the connection that each is of.
    pub(crate) tasks: Vec<(u64, serde_json::Value)>,
    pub(crate) task_count: u64,
    /// Requests that hold something for ever.
    pub(crate) spent: u64,
    /// How often each call was made: of which tool, with what arguments.
    pub(crate) calls: std::collections::HashMap<String, u64>,
    /// How long everybody waits, and until when calls of anybody are followed by that.
    pub(crate) busy: Option<std::time::Instant>,
}

/// One in so many requests that come over HTTP fails, where some do.
const SOME: u64 = 30;

impl State {
    /// Whether this request fails because of what came before it.
    pub(crate) fn is_upset(&mut self) -> bool {
        std::mem::take(&mut self.upset_once) || self.upset
    }

    /// Whether this request is one of those that fail for no reason.
    pub(crate) fn falters(&mut self) -> bool {
        self.posts += 1;
        self.posts.is_multiple_of(SOME)
    }
}

/// A notification on its way to another connection.
#[derive(Debug, Clone)]
pub(crate) struct Stray {
    /// The connection that it is of.
    pub(crate) from: u64,
    /// It is to come out on a subscription, else on the response of any request.
    pub(crate) on_listen: bool,
    pub(crate) method: &'static str,
    pub(crate) params: serde_json::Value,
}

impl Server {
    /// A server of these parts.
    pub(crate) fn assemble(
        settings: Settings,
        toolbox: Toolbox,
        service: &'static dyn Service,
        interceptors: Vec<Box<dyn Interceptor>>,
    ) -> Self {
        let mut random = [0; 4];
        // Only faults use it, and zeros will do for them.
        let _ = getrandom::fill(&mut random);
        let nonce = format!(".{:08x}", u32::from_le_bytes(random));
        Self { settings, toolbox, service, interceptors: interceptors.into(), state: Mutex::default(), nonce }
    }

    /// Those who have a say in what the server does.
    pub(crate) fn interceptors(&self) -> impl DoubleEndedIterator<Item = &dyn Interceptor> {
        self.interceptors.iter().map(AsRef::as_ref)
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Something no other process has.
    pub(crate) fn nonce(&self) -> &str {
        &self.nonce
    }

    /// Whether the server deviates from the specification in this way.
    pub(crate) fn deviates(&self, deviation: Deviation) -> bool {
        self.settings.deviates(deviation)
    }

    pub(crate) fn quirk(&self, name: &str) -> bool {
        self.settings.quirk(name)
    }

    /// The versions a modern request may name.
    pub(crate) fn modern_versions(&self) -> &'static [&'static str] {
        if self.settings.modern() { &["2026-07-28"] } else { &[] }
    }

    /// The newest revision that `initialize` can open.
    pub(crate) fn newest_legacy(&self) -> Option<Revision> {
        self.settings.legacy().last().copied()
    }

    /// The newest revision served.
    pub(crate) fn newest(&self) -> Option<Revision> {
        if self.settings.modern() { Some(Revision::V2026_07_28) } else { self.newest_legacy() }
    }
}
