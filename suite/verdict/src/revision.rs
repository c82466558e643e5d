//! Protocol revisions, their eras, and the transports they are spoken over.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wire::mcp::code;

/// A released revision of the Model Context Protocol; later ones compare greater.
///
/// Code that asks for a trait of a revision ("has it a version header?") reads [`Revision::traits`]; it names a revision
/// only where that very document is meant. A new revision is a variant here and a row of the table `TRAITS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the dates")]
pub enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

/// How a conversation is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Era {
    /// `initialize`, then `notifications/initialized` (to 2025-11-25).
    Handshake,
    /// Every request stands alone and carries its version in `_meta` (2026-07-28).
    Stateless,
}

/// Whether several messages may be sent as one JSON array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batching {
    /// The revision does not mention batches.
    Unspecified,
    /// Servers must accept batches (basic/index.mdx#batching of 2025-03-26).
    Required,
    /// Batches were removed (changelog of 2025-06-18).
    Removed,
}

/// How clients find the authorization server (basic/authorization.mdx).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AuthorizationDiscovery {
    /// The revision does not describe authorization.
    Unspecified,
    /// The server is its own authorization server, or publishes the metadata of one (2025-03-26).
    OwnServer,
    /// Protected resource metadata, named in the challenge.
    ResourceMetadata,
    /// Protected resource metadata, named in the challenge or at a well-known URL; OpenID Connect metadata counts too.
    ResourceMetadataOrWellKnown,
}

/// Ways in which a server can ask for input from the user (client/elicitation.mdx).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Elicitation {
    /// There is no elicitation.
    None,
    /// Forms.
    Form,
    /// Forms and URLs, declared one by one.
    FormAndUrl,
}

/// Properties in which revisions differ.
#[derive(Debug)]
pub struct Traits {
    /// The date that names the revision on the wire.
    pub name: &'static str,
    /// How a conversation is opened.
    pub era: Era,
    /// The HTTP transport it defines: HTTP+SSE or Streamable HTTP (basic/transports.mdx).
    pub http_transport: Transport,
    /// Whether batches may be sent.
    pub batching: Batching,
    /// `completions` is a capability, so that its absence says something (schema, ServerCapabilities).
    pub completions_capability: bool,
    /// `completion/complete` takes a `context` (schema, CompleteRequest).
    pub completion_context: bool,
    /// HTTP requests carry `MCP-Protocol-Version` (basic/transports.mdx#protocol-version-header).
    pub version_header: bool,
    /// How servers ask for input.
    pub elicitation: Elicitation,
    /// `sampling/createMessage` can carry tools (client/sampling.mdx).
    pub sampling_tools: bool,
    /// `tools/call` can be augmented to a task (basic/utilities/tasks.mdx of 2025-11-25; an extension later).
    pub core_tasks: bool,
    /// The revision says which tool names are valid and that case matters (server/tools.mdx#tool-names).
    pub tool_names: bool,
    /// A tool may report malformed `arguments` in its result, with isError (server/tools.mdx#error-handling).
    pub tools_report_malformed_arguments: bool,
    /// Schemas without `$schema` are JSON Schema 2020-12 (basic/index.mdx#json-schema-usage).
    pub default_dialect_2020_12: bool,
    /// The error with which a request asks for input or a capability first (schema, error codes).
    pub input_required_code: Option<i64>,
    /// The error for a resource that does not exist (server/resources.mdx#error-handling).
    pub unknown_resource_code: i64,
    /// The second label of a `_meta` prefix is the reserved one; before it was the second to last
    /// (basic/index.mdx#_meta).
    pub meta_prefix_by_second_label: bool,
    /// A foreign Origin is refused with HTTP status 403 (basic/transports.mdx#security-warning).
    pub origin_refused_with_403: bool,
    /// Where the authorization server is found.
    pub authorization: AuthorizationDiscovery,
}

/// One row a revision, in order.
static TRAITS: [Traits; 5] = [FIRST_TRAITS, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28];

const FIRST_TRAITS: Traits = Traits {
    name: "2024-11-05",
    era: Era::Handshake,
    http_transport: Transport::Sse,
    batching: Batching::Unspecified,
    completions_capability: false,
    completion_context: false,
    version_header: false,
    elicitation: Elicitation::None,
    sampling_tools: false,
    core_tasks: false,
    tool_names: false,
    tools_report_malformed_arguments: true,
    default_dialect_2020_12: false,
    input_required_code: None,
    unknown_resource_code: code::RESOURCE_NOT_FOUND,
    meta_prefix_by_second_label: false,
    origin_refused_with_403: false,
    authorization: AuthorizationDiscovery::Unspecified,
};

const V2025_03_26: Traits = Traits {
    name: "2025-03-26",
    http_transport: Transport::Http,
    batching: Batching::Required,
    completions_capability: true,
    authorization: AuthorizationDiscovery::OwnServer,
    ..FIRST_TRAITS
};

const V2025_06_18: Traits = Traits {
    name: "2025-06-18",
    batching: Batching::Removed,
    completion_context: true,
    version_header: true,
    elicitation: Elicitation::Form,
    authorization: AuthorizationDiscovery::ResourceMetadata,
    ..V2025_03_26
};

const V2025_11_25: Traits = Traits {
    name: "2025-11-25",
    elicitation: Elicitation::FormAndUrl,
    sampling_tools: true,
    core_tasks: true,
    tool_names: true,
    tools_report_malformed_arguments: false,
    default_dialect_2020_12: true,
    input_required_code: Some(code::URL_ELICITATION_REQUIRED),
    meta_prefix_by_second_label: true,
    origin_refused_with_403: true,
    authorization: AuthorizationDiscovery::ResourceMetadataOrWellKnown,
    ..V2025_06_18
};

const V2026_07_28: Traits = Traits {
    name: "2026-07-28",
    era: Era::Stateless,
    core_tasks: false,
    input_required_code: Some(code::MISSING_CLIENT_CAPABILITY),
    unknown_resource_code: code::INVALID_PARAMS,
    ..V2025_11_25
};

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Self; TRAITS.len()] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];
    /// The oldest revision.
    pub const FIRST: Self = Self::ALL[0];
    /// The newest revision that `initialize` can select.
    pub const LATEST_HANDSHAKE: Self = Self::V2025_11_25;
    /// The newest revision.
    pub const LATEST: Self = Self::ALL[Self::ALL.len() - 1];

    /// The revisions from one to another, both included.
    #[must_use]
    pub const fn range(from: Self, until: Self) -> &'static [Self] {
        const ALL: &[Revision] = &Revision::ALL;
        let (_, later) = ALL.split_at(from as usize);
        let (range, _) = later.split_at(until as usize + 1 - from as usize);
        range
    }

    /// Its row in the table of traits.
    #[must_use]
    pub fn traits(self) -> &'static Traits {
        &TRAITS[self as usize]
    }

    /// The date that names the revision on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.traits().name
    }

    /// How a conversation in this revision is opened.
    #[must_use]
    pub fn era(self) -> Era {
        self.traits().era
    }

    /// Whether this revision opens with `initialize`.
    #[must_use]
    pub fn is_handshake(self) -> bool {
        self.era() == Era::Handshake
    }

    /// Whether every request of this revision stands alone.
    #[must_use]
    pub fn is_stateless(self) -> bool {
        self.era() == Era::Stateless
    }

    /// Whether servers of this revision can be spoken to over the transport.
    #[must_use]
    pub fn is_spoken_over(self, transport: Transport) -> bool {
        transport == Transport::Stdio || transport == self.traits().http_transport
    }
}

impl Serialize for Revision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Revision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<'de, str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A name that is no released revision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown revision `{0}`: the revisions are {known}", known = names())]
pub struct UnknownRevision(pub String);

/// The names of all revisions, as an enumeration in a sentence.
fn names() -> String {
    let names = Revision::ALL.map(Revision::as_str);
    let (last, others) = names.split_last().unwrap_or((&"", &[]));
    format!("{} and {last}", others.join(", "))
}

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == text).ok_or_else(|| UnknownRevision(text.to_owned()))
    }
}

/// How messages reach a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// Lines on the standard input and output of a child process.
    Stdio,
    /// Streamable HTTP (from 2025-03-26; 2026-07-28 in another form).
    Http,
    /// HTTP+SSE of 2024-11-05.
    Sse,
}

impl Transport {
    /// The name used in the catalogue and in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Sse => "sse",
        }
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_revision_is_read_back_from_its_name() {
        for revision in Revision::ALL {
            assert_eq!(revision.as_str().parse(), Ok(revision));
        }
        assert!("2025-06-19".parse::<Revision>().is_err());
    }

    #[test]
    fn the_table_is_in_order_and_an_error_names_all() {
        assert!(TRAITS.is_sorted_by(|one, other| one.name < other.name));
        assert_eq!(
            Revision::LATEST_HANDSHAKE,
            Revision::ALL.into_iter().rfind(|found| found.is_handshake()).unwrap_or(Revision::FIRST)
        );
        let error = UnknownRevision("1.0".to_owned()).to_string();
        assert!(error.ends_with("2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28"), "{error}");
    }

    #[test]
    fn a_revision_is_its_date_in_json() {
        let json = serde_json::to_string(&Revision::V2025_06_18).expect("a string");
        assert_eq!(json, "\"2025-06-18\"");
        assert_eq!(serde_json::from_str::<Revision>(&json).ok(), Some(Revision::V2025_06_18));
        assert!(serde_json::from_str::<Revision>("\"2025-06-19\"").is_err());
    }

    #[test]
    fn later_revisions_compare_greater() {
        assert!(Revision::ALL.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
