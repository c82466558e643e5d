//! Helpers shared by the rules of this area: posted messages, streams with their events, and the ids of a session.

use verdict::transcript::Via;
use wire::{Id, Kind, Message};

use crate::rules::own_doing::is_cancelled;
use crate::{Case, Incoming, Session};

pub(super) const SESSION: &str = crate::view::SESSION_ID;
pub(super) const VERSION: &str = "mcp-protocol-version";
pub(super) const STREAM: &str = "text/event-stream";

/// The kind of message in a POST to the endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Posted {
    /// A request with nothing wrong in its envelope.
    Request,
    /// A well-formed notification.
    Notification,
    /// A response to a request of the server.
    Response,
    /// Anything else: batches, malformed input, what is no POST.
    Other,
}

/// Returns the kind of message that was posted.
pub(super) fn posted(case: &Case<'_>) -> Posted {
    let Some(message) = case.sent().filter(|_| case.http() == Some("POST") && case.path().is_none()) else {
        return Posted::Other;
    };
    if !message.defects.is_empty() || !case.exchange.parsed.duplicates.is_empty() {
        return Posted::Other;
    }
    match message.kind {
        Kind::Request if message.id.as_ref().is_some_and(is_plain) => Posted::Request,
        Kind::Notification => Posted::Notification,
        Kind::Response | Kind::Error => Posted::Response,
        _ => Posted::Other,
    }
}

fn is_plain(id: &Id) -> bool {
    match id {
        Id::Integer(text) => text.parse::<i64>().is_ok(),
        Id::String(_) => true,
        _ => false,
    }
}

/// 2xx.
pub(super) fn is_success(case: &Case<'_>) -> bool {
    case.status().is_some_and(|status| (200..300).contains(&status))
}

/// Statuses by which a server, or what stands before it, says "not now" or "not you": no verdict on anything else.
pub(super) fn is_no_verdict(case: &Case<'_>) -> bool {
    matches!(case.status(), None | Some(401 | 403 | 429 | 503))
}

/// The client said that it no longer wants the answer, or let go of the connection.
pub(super) fn is_given_up(case: &Case<'_>) -> bool {
    is_cancelled(case) || case.exchange.aborted.is_some()
}

/// The id that the server issued with the answer to the first `initialize` of a session.
pub(super) fn issued<'v>(view: &'v crate::View<'v>, session: &'v Session<'v>) -> Option<&'v str> {
    // Without a handshake there is no such answer, and looking for it takes long.
    if session.open.revision.is_some_and(|revision| revision.era() == verdict::Era::Stateless) {
        return None;
    }
    let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    let opening = cases.find(|case| case.method() == Some("initialize") && case.result().is_some())?;
    opening.header(SESSION)
}

/// Whether a request was sent as this session's own: with the id that was issued, if one was.
pub(super) fn is_own(case: &Case<'_>) -> bool {
    case.sent_header(SESSION) == issued(case.view, case.session)
}

/// The answer is an event stream that was opened.
pub(super) fn is_stream(case: &Case<'_>) -> bool {
    is_success(case) && case.media_type().as_deref() == Some(STREAM)
}

/// One event of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event<'v> {
    pub(super) incoming: &'v Incoming<'v>,
    pub(super) kind: Option<&'v str>,
    pub(super) id: Option<&'v str>,
    pub(super) retry: Option<u64>,
    pub(super) oddities: &'v [String],
}

impl<'v> Event<'v> {
    pub(super) fn data(&self) -> &'v str {
        &self.incoming.receive.text
    }

    /// Of the type that standard readers deliver.
    pub(super) fn is_message(&self) -> bool {
        self.kind.is_none_or(|kind| kind.is_empty() || kind == "message")
    }

    /// An id and nothing else: for coming back.
    pub(super) fn primes(&self) -> bool {
        self.id.is_some_and(|id| !id.is_empty()) && self.data().is_empty()
    }
}

/// The events of an exchange, each once; the elements of a batch in one event count as one.
pub(super) fn events<'v>(case: &Case<'v>) -> impl Iterator<Item = Event<'v>> {
    case.received().filter_map(|incoming| match &incoming.receive.via {
        Via::Sse { event, id, retry, oddities } if matches!(incoming.element, None | Some(0)) => {
            Some(Event { incoming, kind: event.as_deref(), id: id.as_deref(), retry: *retry, oddities })
        }
        _ => None,
    })
}

/// The stream for the server's own messages: opened by GET, not to resume another.
pub(super) fn is_listening(case: &Case<'_>) -> bool {
    case.http() == Some("GET") && case.path().is_none() && case.sent_header("last-event-id").is_none()
}

/// Its id is what is probed: what a server makes of that is judged elsewhere.
pub(super) fn has_odd_id(case: &Case<'_>) -> bool {
    case.intent().is_some_and(|intent| intent.varies_id())
}

/// Whether a response answers a request with an unusual id.
pub(super) fn answers_odd_id(session: &Session<'_>, message: &Message) -> bool {
    let Some(key) = message.id.as_ref().and_then(Id::key).filter(|_| message.is_answer()) else { return false };
    session.exchanges.iter().any(|exchange| {
        let odd = exchange.send.probe.as_ref().is_some_and(|probe| probe.intent.varies_id());
        odd && exchange.parsed.messages().iter().any(|sent| sent.id.as_ref().and_then(Id::key).as_ref() == Some(&key))
    })
}
