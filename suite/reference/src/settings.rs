//! The settings of a server: revisions, quirks by name, and deviations from the specification.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::Revision;
use crate::deviation::Deviation;

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

/// The credential that a client must present.
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

impl UnknownName {
    pub(crate) fn new(kind: &'static str, name: &str, known: impl Iterator<Item = String>) -> Self {
        let mut ranked: Vec<(f64, String)> = known.map(|k| (strsim::jaro_winkler(name, &k), k)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        Self { kind, name: name.to_owned(), nearest: ranked.into_iter().take(3).map(|(_, k)| k).collect() }
    }
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
    quirks: Vec<&'static str>,
    deviations: BTreeSet<Deviation>,
    fixtures: bool,
    auth: Option<Auth>,
}

impl Settings {
    pub(crate) fn new(options: &Options, quirks: Vec<&'static str>, deviations: BTreeSet<Deviation>) -> Self {
        let mut revisions = options.revisions.clone();
        if revisions.is_empty() {
            revisions = Revision::ALL.to_vec();
        }
        revisions.sort();
        revisions.dedup();
        Self { revisions, quirks, deviations, fixtures: options.fixtures, auth: options.auth }
    }

    /// Asks clients for tokens unless the options say how.
    pub(crate) fn imply_auth(&mut self) {
        self.auth = self.auth.or(Some(Auth::Jwt));
    }

    pub(crate) fn fixtures(&self) -> bool {
        self.fixtures
    }

    pub(crate) fn auth(&self) -> Option<Auth> {
        self.auth
    }

    /// Whether the server deviates from the specification in this way.
    pub(crate) fn deviates(&self, deviation: Deviation) -> bool {
        self.deviations.contains(&deviation)
    }

    pub(crate) fn quirk(&self, name: &str) -> bool {
        self.quirks.contains(&name)
    }

    /// The revisions opened by a handshake, oldest first.
    pub(crate) fn legacy(&self) -> Vec<Revision> {
        self.revisions.iter().copied().filter(|revision| revision.is_handshake()).collect()
    }

    pub(crate) fn modern(&self) -> bool {
        self.revisions.contains(&Revision::V2026_07_28)
    }
}
