//! The state of a session: how far it has come, and what the server has declared.

use serde_json::Value;
use verdict::Revision;
use verdict::record::Named;
use wire::mcp::meta;

/// The stage of a session's life. Stages only go forward, but an end that the server brings about is noted while closing too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lifecycle {
    /// In use.
    Open(Health),
    /// The tester is ending it: what ends now says nothing about the server.
    Closing(Health),
}

/// Whether the server at the other end works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Health {
    /// Nothing points to the contrary.
    Alive,
    /// It answers no more.
    Unresponsive,
    /// It floods its output, and is no longer listened to.
    Flooding,
    /// It ended, or closed the connection, by itself.
    Ended,
}

impl Lifecycle {
    /// Returns the health of the server.
    pub(super) fn health(self) -> Health {
        match self {
            Self::Open(health) | Self::Closing(health) => health,
        }
    }

    /// Whether the tester is ending the session.
    pub(super) fn is_closing(self) -> bool {
        matches!(self, Self::Closing(_))
    }

    /// Returns the stage in which the tester ends the session.
    pub(super) fn closing(self) -> Self {
        Self::Closing(self.health())
    }

    /// Returns the stage after the server got worse; it never recovers.
    pub(super) fn worsened(self, health: Health) -> Self {
        let health = match (self.health(), health) {
            (Health::Ended | Health::Flooding, _) => self.health(),
            (_, new) => new,
        };
        match self {
            Self::Open(_) => Self::Open(health),
            Self::Closing(_) => Self::Closing(health),
        }
    }
}

/// Over HTTP+SSE, what the transcript has of the endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Endpoint {
    /// Nothing so far.
    #[default]
    Awaited,
    /// The event that names it.
    Recorded,
    /// That nothing can be posted.
    Refused,
    /// That another origin is named, whose path is tried on this one.
    Elsewhere,
}

/// What is known about the server in this session: what it declared, and the HTTP sessions it opened.
#[derive(Debug, Default)]
pub(super) struct Server {
    /// The revision in force, once it is known.
    pub(super) revision: Option<Revision>,
    pub(super) capabilities: Value,
    pub(super) identity: Named,
    /// The `Mcp-Session-Id` of this session.
    pub(super) http_session: Option<String>,
    /// Those of sessions that it opened for outsiders; ended with this one.
    pub(super) guests: Vec<String>,
    /// `supportedVersions` of the last answer to an opening request, if that was an array.
    supported_versions: Option<Vec<Value>>,
    /// That answer has a member that only results of 2026-07-28 have.
    modern: bool,
}

impl Server {
    /// Returns a server of which nothing is known but perhaps the revision.
    pub(super) fn new(revision: Option<Revision>) -> Self {
        Self { revision, ..Self::default() }
    }

    /// Notes what the result of an opening request declares: capabilities, identity, versions.
    pub(super) fn learn(&mut self, result: &Value) {
        if let Some(capabilities) = result.get("capabilities") {
            self.capabilities = capabilities.clone();
        }
        let meta = result.get("_meta").and_then(|meta| meta.get(meta::SERVER_INFO));
        if let Some(info) = result.get("serverInfo").or(meta) {
            let text = |name: &str| info.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            self.identity = Named { name: text("name"), version: text("version") };
        }
        self.supported_versions = result.get("supportedVersions").and_then(Value::as_array).cloned();
        self.modern = result.get("supportedVersions").is_some() || is_modern(result);
    }

    /// Notes a session id: the first is this session's; others were issued to outsiders, or for a second `initialize`.
    pub(super) fn note_http_session(&mut self, id: String, outsider: bool) {
        if self.http_session.is_none() && !outsider {
            self.http_session = Some(id);
        } else if self.http_session.as_ref() != Some(&id) && !self.guests.contains(&id) {
            self.guests.push(id);
        }
    }

    /// Whether it answered the opening request as no older revision does.
    pub(super) fn speaks_modern(&self) -> bool {
        self.modern
    }

    /// Whether it declared that it supports only other versions.
    pub(super) fn declares_only_others_than(&self, revision: Revision) -> bool {
        let other = |version: &Value| version.as_str() != Some(revision.as_str());
        self.supported_versions.as_ref().is_some_and(|versions| !versions.is_empty() && versions.iter().all(other))
    }
}

/// Whether a result has the member that every result of 2026-07-28 has, and none before it.
pub(super) fn is_modern(result: &Value) -> bool {
    result.get("resultType").is_some_and(Value::is_string)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_server_that_ended_stays_ended_while_the_session_closes() {
        let stage = Lifecycle::Open(Health::Alive).worsened(Health::Unresponsive).worsened(Health::Ended);
        assert_eq!(stage.closing().worsened(Health::Unresponsive), Lifecycle::Closing(Health::Ended));
    }

    #[test]
    fn the_first_session_id_is_the_sessions_own_unless_it_was_issued_to_an_outsider() {
        let mut server = Server::default();
        for (id, outsider) in [("guest", true), ("own", false), ("own", true), ("again", false), ("guest", true)] {
            server.note_http_session(id.to_owned(), outsider);
        }
        assert_eq!(server.http_session.as_deref(), Some("own"));
        assert_eq!(server.guests, ["guest", "again"]);
    }

    #[test]
    fn an_empty_list_of_versions_excludes_none() {
        let mut server = Server::default();
        server.learn(&json!({"supportedVersions": []}));
        assert!(server.speaks_modern() && !server.declares_only_others_than(Revision::LATEST));
        server.learn(&json!({"supportedVersions": ["2020-01-01"]}));
        assert!(server.declares_only_others_than(Revision::LATEST));
        server.learn(&json!({}));
        assert!(!server.speaks_modern());
    }
}
