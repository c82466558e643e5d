//! What all connections share: settings, tool definitions with their validators, and the little state there is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

use super::output::Action;
use crate::Revision;
use crate::settings::{Options, Settings, UnknownName};
use crate::tools::Toolbox;

/// How a connection is carried; some rules differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Newline-delimited messages over pipes.
    Stdio,
    /// Streamable HTTP.
    Http,
}

/// A server, shared by its connections.
pub struct Server {
    pub(crate) settings: Settings,
    pub(crate) toolbox: Toolbox,
    state: Mutex<State>,
    nonce: String,
}

/// What changes while the server runs. The generations count the changes that are announced.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) extra_tool: bool,
    pub(crate) counter: i64,
    pub(crate) note: String,
    pub(crate) tools_generation: u64,
    pub(crate) counter_generation: u64,
    /// How many connections there have been.
    pub(crate) connections: u64,
    // What follows is remembered for the sake of faults alone.
    pub(crate) walks: BTreeMap<String, u64>,
    pub(crate) positions: BTreeMap<String, usize>,
    pub(crate) cursors: BTreeSet<String>,
    pub(crate) ids: BTreeMap<String, u64>,
    pub(crate) doom: Option<Action>,
    pub(crate) silent: bool,
}

impl Server {
    /// A server as asked for.
    ///
    /// # Errors
    /// A fault or quirk that does not exist.
    pub fn new(options: &Options) -> Result<Self, UnknownName> {
        let settings = Settings::new(options)?;
        let toolbox = Toolbox::new(&settings);
        let mut random = [0; 4];
        // Only faults use it, and zeros will do for them.
        let _ = getrandom::fill(&mut random);
        let nonce = format!(".{:08x}", u32::from_le_bytes(random));
        Ok(Self { settings, toolbox, state: Mutex::default(), nonce })
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Something no other process has.
    pub(crate) fn nonce(&self) -> &str {
        &self.nonce
    }

    pub(crate) fn faulty(&self, id: &str) -> bool {
        self.settings.faulty(id)
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
