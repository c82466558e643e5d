//! What a server was asked to be: revisions, faults and quirks by name, checked once.

use std::path::PathBuf;

use crate::Revision;
use crate::bugs::{Bug, bugs};
use crate::faults::{Fault, faults};
use crate::quirks::{Quirk, quirks};

/// How to serve.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The revisions served; none means all.
    pub revisions: Vec<Revision>,
    /// Faults as `ID` (its first variant) or `ID/variant`.
    pub faults: Vec<String>,
    /// Quirks by name.
    pub quirks: Vec<String>,
    /// Whether there are also the tools, resources and prompts that the official conformance suite asks for by name.
    pub fixtures: bool,
    /// Bugs by name: what no requirement speaks of and no scenario looks for, so that fuzzing has something to find.
    pub bugs: Vec<String>,
    /// How the server protects itself over HTTP. Faults and quirks of authorization imply `Jwt`.
    pub auth: Option<Auth>,
    /// A folder into which the tokens are written, with a configuration file that names them.
    pub tokens: Option<PathBuf>,
}

/// What is asked of a client before it is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// One of a few random strings.
    Static,
    /// A JSON Web Token: signature, issuer, audience and expiry are checked.
    Jwt,
}

/// A fault or quirk that does not exist.
#[derive(Debug, thiserror::Error)]
#[error("there is no {kind} {name:?}; nearest: {}", nearest.join(", "))]
pub struct UnknownName {
    kind: &'static str,
    name: String,
    nearest: Vec<String>,
}

impl From<UnknownName> for std::io::Error {
    fn from(unknown: UnknownName) -> Self {
        std::io::Error::new(std::io::ErrorKind::InvalidInput, unknown)
    }
}

/// Options whose names were found.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    revisions: Vec<Revision>,
    faults: Vec<&'static Fault>,
    quirks: Vec<&'static Quirk>,
    fixtures: bool,
    bugs: Vec<&'static Bug>,
    auth: Option<Auth>,
}

impl Settings {
    pub(crate) fn new(options: &Options) -> Result<Self, UnknownName> {
        let mut revisions = options.revisions.clone();
        if revisions.is_empty() {
            revisions = Revision::ALL.to_vec();
        }
        revisions.sort();
        revisions.dedup();
        let faults = options.faults.iter().map(|name| find_fault(name)).collect::<Result<_, _>>()?;
        let quirks = options.quirks.iter().map(|name| find_quirk(name)).collect::<Result<_, _>>()?;
        let bugs = options.bugs.iter().map(|name| find_bug(name)).collect::<Result<_, _>>()?;
        let mut settings = Self { revisions, faults, quirks, bugs, fixtures: options.fixtures, auth: options.auth };
        let implied = settings.faults.iter().any(|fault| fault.needs_auth())
            || ["own-keys", "open-discovery"].iter().any(|name| settings.quirk(name));
        settings.auth = settings.auth.or(implied.then_some(Auth::Jwt));
        Ok(settings)
    }

    pub(crate) fn fixtures(&self) -> bool {
        self.fixtures
    }

    pub(crate) fn auth(&self) -> Option<Auth> {
        self.auth
    }

    /// The variant under which the server is to break a requirement, `None` if it keeps it.
    pub(crate) fn variant(&self, id: &str) -> Option<&'static str> {
        self.faults.iter().find(|fault| fault.id == id).map(|fault| fault.variant)
    }

    pub(crate) fn faulty(&self, id: &str) -> bool {
        self.variant(id).is_some()
    }

    /// Whether the server is to break a requirement in just this way.
    pub(crate) fn faulty_as(&self, id: &str, variant: &str) -> bool {
        self.faults.iter().any(|fault| fault.id == id && fault.variant == variant)
    }

    pub(crate) fn quirk(&self, name: &str) -> bool {
        debug_assert!(quirks().iter().any(|q| q.name == name), "no quirk {name}");
        self.quirks.iter().any(|quirk| quirk.name == name)
    }

    pub(crate) fn has_bug(&self, name: &str) -> bool {
        debug_assert!(bugs().iter().any(|bug| bug.name == name), "no bug {name}");
        self.bugs.iter().any(|bug| bug.name == name)
    }

    pub(crate) fn has_bugs(&self) -> bool {
        !self.bugs.is_empty()
    }

    pub(crate) fn faults(&self) -> &[&'static Fault] {
        &self.faults
    }

    /// The revisions opened by a handshake, oldest first.
    pub(crate) fn legacy(&self) -> Vec<Revision> {
        self.revisions.iter().copied().filter(|r| *r < Revision::V2026_07_28).collect()
    }

    pub(crate) fn modern(&self) -> bool {
        self.revisions.contains(&Revision::V2026_07_28)
    }
}

fn find_fault(name: &str) -> Result<&'static Fault, UnknownName> {
    let (id, variant) = name.split_once('/').map_or((name, None), |(id, variant)| (id, Some(variant)));
    faults()
        .find(|fault| fault.id == id && fault.variant == variant.unwrap_or_default())
        .or_else(|| faults().find(|fault| fault.id == id && variant.is_none()))
        .ok_or_else(|| unknown("fault", name, faults().map(Fault::name)))
}

fn find_bug(name: &str) -> Result<&'static Bug, UnknownName> {
    let found = bugs().iter().find(|bug| bug.name == name);
    found.ok_or_else(|| unknown("bug", name, bugs().iter().map(|bug| bug.name.to_owned())))
}

fn find_quirk(name: &str) -> Result<&'static Quirk, UnknownName> {
    quirks()
        .iter()
        .find(|quirk| quirk.name == name)
        .ok_or_else(|| unknown("quirk", name, quirks().iter().map(|q| q.name.to_owned())))
}

fn unknown(kind: &'static str, name: &str, known: impl Iterator<Item = String>) -> UnknownName {
    let mut ranked: Vec<(f64, String)> = known.map(|k| (strsim::jaro_winkler(name, &k), k)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    UnknownName { kind, name: name.to_owned(), nearest: ranked.into_iter().take(3).map(|(_, k)| k).collect() }
}
