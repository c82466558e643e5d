//! Whose a mistake is, and what the server is built with.

use serde::{Deserialize, Serialize};

use super::Named;

/// Whose mistake something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// That of the SDK: the smallest server that is built with it breaks the same in the same way.
    Sdk,
    /// The author's: the smallest server does not break it, or in another way.
    Own,
    /// It cannot be told.
    #[default]
    Unknown,
}

/// What a server is built with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sdk {
    /// The registry of the package, as package URLs name it: `npm`, `pypi`, `cargo`, `golang`.
    pub registry: String,
    /// The package whose code answers clients.
    pub name: String,
    /// Its version; empty where that cannot be told.
    pub version: String,
    /// The version of the profile that the findings were held against; none if there is no profile.
    pub profile: Option<String>,
    /// How it is known: `files`, `wire` or `told`.
    pub how: String,
    /// The interface of the package that the server uses, if it has several and that is known: `high` or `low`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// What that package is built on, if it is a framework on an SDK.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<Named>,
    /// Whether violations that are its own do not fail the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
}
