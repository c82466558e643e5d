//! Helpers shared by the rules of this area: the streams of the run, and the events on them.

use serde_json::Value;
use verdict::transcript::{Receive, Via};
use verdict::{Intent, Key, Transport};

use crate::{Case, Session, View};

/// The scenarios whose sessions show how several clients are served.
pub(super) const CLIENTS: &str = "sse/clients";
/// A session opened after another one has been closed.
pub(super) const AFTER: &str = "sse/after";

/// Every session over HTTP+SSE with the request for its stream, whatever its revision: the stream comes before that is
/// known.
pub(super) fn streams<'v>(view: &'v View<'v>) -> impl Iterator<Item = Case<'v>> {
    let sessions = view.sessions.iter().filter(|session| session.open.transport == Transport::Sse);
    sessions.filter_map(move |session| stream(view, session))
}

/// The request for the stream of a session.
pub(super) fn stream<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> Option<Case<'v>> {
    let asks = |case: &Case<'_>| case.http() == Some("GET") && case.path().is_none() && case.intent().is_none();
    let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    cases.find(asks)
}

/// Everything on the stream, in order: where it stands, the type if one is given, and the frame.
pub(super) fn events<'v>(stream: &Case<'v>) -> impl Iterator<Item = (u32, Option<&'v str>, &'v Receive)> {
    let (session, channel) = (stream.session, stream.exchange.send.channel);
    session.frames.iter().filter(move |(_, frame)| frame.channel == channel).filter_map(|(seq, frame)| {
        let frame: &'v Receive = frame;
        match &frame.via {
            Via::Sse { event, .. } => Some((*seq, event.as_deref().filter(|event| !event.is_empty()), frame)),
            _ => None,
        }
    })
}

/// The endpoint events of a stream.
pub(super) fn endpoints<'v>(stream: &Case<'v>) -> impl Iterator<Item = (u32, &'v Receive)> {
    events(stream).filter(|(_, event, _)| *event == Some("endpoint")).map(|(seq, _, frame)| (seq, frame))
}

/// Why nothing could be posted on a session, if nothing could be.
pub(super) fn refusal<'v>(session: &'v Session<'v>) -> Option<&'v str> {
    let (_, probe) = session.probes.iter().find(|(_, probe)| probe.intent == Intent::NotAnnounced)?;
    probe.get(Key::Why).and_then(Value::as_str)
}

/// The HTTP status of anything, also one that only says that it was accepted.
pub(super) fn posted(case: &Case<'_>) -> Option<u16> {
    case.exchange.status.map(|(status, _)| status)
}

/// A frame as a line of evidence.
pub(super) fn evidence_line(frame: &Receive) -> String {
    let event = match &frame.via {
        Via::Sse { event: Some(event), .. } => format!("event: {event}, data: "),
        Via::Sse { .. } => "data: ".to_owned(),
        _ => String::new(),
    };
    format!("< {event}{}", crate::view::clip(&frame.text))
}
