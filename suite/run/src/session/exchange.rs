//! HTTP requests of any method, and what becomes of a single exchange.

use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use verdict::Intent;
use verdict::transcript::{Event, Headers, Kind, Receive, Via};

use super::draft::{Draft, drafted};
use super::{Channel, Session};
use crate::transport::{Departure, Form, Link, Parcel, Piece};
use crate::vain::tool_behind;

/// An HTTP request in the making.
#[derive(Debug)]
pub struct Http<'s> {
    session: &'s Session,
    method: String,
    body: Vec<u8>,
    draft: Draft,
}

drafted!(Http);

/// The outcome of an HTTP request: the head, and the body unless it is an event stream, which goes on.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The exchange, for [`Session::abort_exchange`] and [`Session::until`].
    pub channel: u32,
    /// The status; none if no response came within the time limit or the connection broke.
    pub status: Option<u16>,
    /// The headers.
    pub headers: Headers,
    /// The whole body; empty for a stream.
    pub body: String,
}

impl Reply {
    /// The first header of this name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// 2xx.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }

    /// The response is an event stream.
    #[must_use]
    pub fn is_stream(&self) -> bool {
        let kind = self.header("content-type").unwrap_or_default().trim().to_ascii_lowercase();
        kind.starts_with("text/event-stream")
    }
}

impl<'s> Http<'s> {
    /// The body.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends it without waiting; gives the exchange.
    pub fn start(self) -> u32 {
        self.session.begin(self.method, self.body, &self.draft).0
    }

    /// Sends it and waits for the head and, unless it is an event stream, for the end of the body.
    pub async fn send(self) -> Reply {
        let (session, from) = (self.session, self.session.mark());
        let parsed = wire::parse(&self.body, &wire::Limits::default());
        let limit = self.draft.limit.unwrap_or(session.limit());
        let limit = session.patience(limit, session.awaited(tool_behind(&parsed)));
        let (channel, departure) = session.begin(self.method, self.body, &self.draft);
        let began = departure.left().await;
        let own = (session.0.id.get(), channel);
        if !session.until(from, limit, |events| reply(events, own).is_some_and(|(_, whole)| whole)).await {
            session.0.settings.learned.vain.note(began);
        }
        session
            .0
            .recorder
            .with(|events| reply(&events[from..], own))
            .map_or_else(|| Reply { channel, ..Reply::default() }, |(reply, _)| reply)
    }
}

/// Returns what has come on a channel of a session so far, and whether there is nothing more to wait for: it ended, or it is a
/// stream. `None` if nothing has come.
fn reply(events: &[Event], (session, channel): (u32, u32)) -> Option<(Reply, bool)> {
    let mut found = None;
    for event in events.iter().filter(|event| event.session == session) {
        match &event.kind {
            Kind::Status { channel: of, status, headers } if *of == channel => {
                let reply = Reply { channel, status: Some(*status), headers: headers.clone(), body: String::new() };
                let streams = reply.is_stream();
                found = Some((reply, streams));
            }
            Kind::Receive(Receive { channel: of, text, via: Via::Body, .. }) if *of == channel => {
                if let Some((reply, _)) = &mut found {
                    reply.body.push_str(text);
                }
            }
            Kind::Closed { channel: of, .. } if *of == channel => {
                let reply = found.map_or(Reply { channel, ..Reply::default() }, |(reply, _)| reply);
                return Some((reply, true));
            }
            _ => {}
        }
    }
    found
}

impl Session {
    /// An HTTP request of any method with the headers of this session; a GET asks for an event stream.
    pub fn http(&self, method: &str) -> Http<'_> {
        Http { session: self, method: method.to_owned(), body: Vec::new(), draft: Draft::default() }
    }

    fn begin(&self, method: String, body: Vec<u8>, draft: &Draft) -> (u32, Departure) {
        let departure = Departure::default();
        let inner = &self.0;
        debug_assert!(self.transport() != verdict::Transport::Stdio, "pipes know no {method}");
        let channel = inner.in_flight.borrow_mut().take_channel(self.transport());
        let mut headers = Headers::new();
        if method == "GET" {
            headers.push(("Accept".to_owned(), "text/event-stream".to_owned()));
        }
        if method == "POST" {
            headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
            headers.push(("Accept".to_owned(), "application/json, text/event-stream".to_owned()));
        }
        headers.extend(inner.common(draft.outsider));
        let headers = draft.apply(headers);
        let bytes = recorded(body.into(), &draft.form);
        inner.record(channel, &bytes, draft.probe.clone(), Some(&method), headers.clone(), draft.path.clone());
        inner.in_flight.borrow_mut().add_channel(channel, Channel { outsider: draft.outsider, ..Channel::default() });
        inner.link.send(Parcel {
            channel,
            method,
            path: draft.path.clone(),
            headers,
            bytes,
            form: draft.form.clone(),
            at_once: draft.at_once,
            departure: departure.clone(),
        });
        (channel, departure)
    }

    /// Drops the connection of one exchange, as a client that vanishes does.
    pub fn abort_exchange(&self, channel: u32) {
        self.0.link.abort_exchange(channel);
        self.record_probe("session", Intent::Forsaken, json!({"channel": channel}));
        self.0.in_flight.borrow_mut().remove_channel(channel);
    }

    /// The position that the next event will have: where to begin to look in [`Session::until`].
    #[must_use]
    pub fn mark(&self) -> usize {
        self.0.recorder.with(<[Event]>::len)
    }

    /// Waits until the events of the run from `from` on, of whatever session, are as wanted; false when the time is over, or the process of
    /// this session.
    pub async fn until(&self, from: usize, limit: Duration, mut wanted: impl FnMut(&[Event]) -> bool) -> bool {
        let mut holds = || self.0.recorder.with(|events| wanted(events.get(from..).unwrap_or_default()));
        let coming = async {
            while !holds() {
                // Nothing comes from a process that is no more.
                if self.0.exited.get() {
                    return false;
                }
                self.0.heard.notified().await;
            }
            true
        };
        tokio::time::timeout(limit, coming).await.unwrap_or(false)
    }

    /// Returns the messages that this session received since the event `from`, each with its exchange.
    #[must_use]
    pub fn heard(&self, from: usize) -> Vec<(u32, wire::Message)> {
        let message = |event: &Event| match &event.kind {
            Kind::Receive(receive) if event.session == self.0.id.get() => {
                let parsed = wire::parse(receive.text.as_bytes(), &wire::Limits::default());
                parsed.messages().iter().map(|message| (receive.channel, message.clone())).collect()
            }
            _ => Vec::new(),
        };
        self.0.recorder.with(|events| events.get(from..).unwrap_or_default().iter().flat_map(message).collect())
    }

    /// Kilobytes of memory that the spawned server and its process group hold; none where that cannot be known.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        match &self.0.link {
            Link::Stdio(pipe) => pipe.memory(),
            Link::Http(_) | Link::Sse(_) => None,
        }
    }
}

/// The bytes as the transcript has them.
pub(super) fn recorded(bytes: Bytes, form: &Form) -> Bytes {
    let (Form::Pieces(pieces) | Form::Wire(pieces)) = form else { return bytes };
    let parts = pieces.iter().filter_map(|piece| match piece {
        Piece::Bytes(bytes) => Some(bytes.as_slice()),
        Piece::Fill { shown, .. } => Some(shown.as_bytes()),
        Piece::Pause(_) | Piece::HalfClose | Piece::Abort => None,
    });
    parts.collect::<Vec<_>>().concat().into()
}
