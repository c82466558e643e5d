//! What a server was asked to be: revisions, faults and quirks by name, checked once.

use crate::Revision;
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
        Ok(Self { revisions, faults, quirks })
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
        .find(|fault| fault.id == id && variant.is_none_or(|v| v == fault.variant))
        .ok_or_else(|| unknown("fault", name, faults().map(Fault::name)))
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
