//! Options of everything that is sent: what it probes, how long to wait, and over HTTP how it differs from what a good client
//! would send.

use std::rc::Rc;
use std::time::Duration;

use tokio::sync::Notify;
use verdict::transcript::{Headers, Probe};

use crate::transport::Form;

/// What makes waiting for an answer longer than the time limit worth it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Patience {
    /// Answers to earlier requests still come.
    #[default]
    Backlog,
    /// Other processes of the server took long to say their first word.
    Start,
    /// Anything still comes, be it on standard error: a server that is heard is at work.
    Work,
}

/// Options shared by requests, notifications, raw bytes and plain HTTP.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) probe: Option<Probe>,
    pub(super) limit: Option<Duration>,
    pub(super) patience: Patience,
    pub(super) form: Form,
    pub(super) path: Option<String>,
    /// Without the headers that belong to the session.
    pub(super) outsider: bool,
    /// Over HTTP without waiting for a turn.
    pub(super) at_once: bool,
    /// Told once the work behind it is known to be over, and how long the answer may take then; none if as long as any.
    pub(super) over: Option<(Rc<Notify>, Option<Duration>)>,
    /// The request has an id that no other of the session has.
    pub(super) numbered: bool,
    edits: Vec<(String, Option<String>)>,
    also: Headers,
}

impl Draft {
    pub(super) fn edit(&mut self, name: &str, value: Option<&str>) {
        self.edits.push((name.to_owned(), value.map(str::to_owned)));
    }

    pub(super) fn also(&mut self, name: &str, value: &str) {
        self.also.push((name.to_owned(), value.to_owned()));
    }

    /// Sent as a good client sends it.
    pub(super) fn is_usual(&self) -> bool {
        self.numbered
            && matches!(self.form, Form::Tidy)
            && self.path.is_none()
            && !self.outsider
            && self.edits.is_empty()
            && self.also.is_empty()
    }

    /// A good client's headers with what is wanted otherwise: set differently in place, left out, or added.
    pub(super) fn apply(&self, mut headers: Headers) -> Headers {
        for (name, value) in &self.edits {
            let at = headers.iter().position(|(known, _)| known.eq_ignore_ascii_case(name));
            headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            if let Some(value) = value {
                headers.insert(at.unwrap_or(headers.len()).min(headers.len()), (name.clone(), value.clone()));
            }
        }
        headers.extend(self.also.iter().cloned());
        headers
    }
}

/// Gives a builder with a `draft` the methods that all builders have.
macro_rules! drafted {
    ($builder:ident) => {
        impl $builder<'_> {
            /// Marks it as a probe with this intent; the rules that read the intent judge what comes of it.
            #[must_use]
            pub fn probe(mut self, scenario: &str, intent: verdict::Intent, about: serde_json::Value) -> Self {
                self.draft.probe = Some(verdict::transcript::Probe::new(scenario, intent, about));
                self
            }

            /// Another time limit.
            #[must_use]
            pub fn limit(mut self, limit: std::time::Duration) -> Self {
                self.draft.limit = Some(limit);
                self
            }

            /// Over HTTP a header that is set differently, or left out.
            #[must_use]
            pub fn header(mut self, name: &str, value: Option<&str>) -> Self {
                self.draft.edit(name, value);
                self
            }

            /// Over HTTP one more header, even if there is one of that name.
            #[must_use]
            pub fn also(mut self, name: &str, value: &str) -> Self {
                self.draft.also(name, value);
                self
            }

            /// Over HTTP without the headers of this session, as from somebody else; the user's own headers stay.
            #[must_use]
            pub fn bare_headers(mut self) -> Self {
                self.draft.outsider = true;
                self
            }

            /// Over HTTP sent even while many others are under way, where so many at once are what is probed.
            #[must_use]
            pub fn at_once(mut self) -> Self {
                self.draft.at_once = true;
                self
            }

            /// Over HTTP another path (and query) on the same host.
            #[must_use]
            pub fn at(mut self, path: &str) -> Self {
                self.draft.path = Some(path.to_owned());
                self
            }

            /// Over HTTP written byte for byte on a connection of its own: header names in their case, duplicates and
            /// odd bytes kept.
            #[must_use]
            pub fn verbatim(mut self) -> Self {
                self.draft.form = crate::transport::Form::Verbatim;
                self
            }

            /// The body in pieces, over HTTP verbatim; on stdio exactly these bytes, without a line feed.
            #[must_use]
            pub fn pieces(mut self, pieces: Vec<crate::transport::Piece>) -> Self {
                self.draft.form = crate::transport::Form::Pieces(pieces);
                self
            }

            /// Exactly these bytes on the wire, over HTTP head and all.
            #[must_use]
            pub fn wire(mut self, pieces: Vec<crate::transport::Piece>) -> Self {
                self.draft.form = crate::transport::Form::Wire(pieces);
                self
            }
        }
    };
}

pub(super) use drafted;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_replaced_in_place_left_out_or_doubled() {
        let given = |headers: &[(&str, &str)]| -> Headers {
            headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let mut draft = Draft::default();
        draft.edit("MCP-METHOD", Some("x"));
        draft.edit("accept", None);
        draft.also("A", "b");
        let headers = draft.apply(given(&[("Mcp-Method", "y"), ("Accept", "*/*"), ("A", "a")]));
        assert_eq!(headers, given(&[("MCP-METHOD", "x"), ("A", "a"), ("A", "b")]));
    }
}
