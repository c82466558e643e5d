//! A subscription of 2026-07-28 as the transcript shows it: what was asked for, what was acknowledged, what came.

use serde_json::Value;
use verdict::Transport;
use wire::mcp::meta;

pub(super) use crate::rules::during::ACKNOWLEDGED;
use crate::rules::during::{cancelled, is_listen, param, request};
use crate::{Case, Incoming, Session, View};

pub(super) const ID: &str = meta::SUBSCRIPTION_ID;

/// The flags of a filter, the capability behind each, and the notification that it lets through.
pub(super) const FLAGS: [(&str, &str, &str); 3] = [
    ("toolsListChanged", "tools.listChanged", "notifications/tools/list_changed"),
    ("promptsListChanged", "prompts.listChanged", "notifications/prompts/list_changed"),
    ("resourcesListChanged", "resources.listChanged", "notifications/resources/list_changed"),
];
pub(super) const URIS: &str = "resourceSubscriptions";
pub(super) const UPDATED: &str = "notifications/resources/updated";

/// One `subscriptions/listen`.
#[derive(Clone, Copy)]
pub(super) struct Listen<'v> {
    pub(super) case: Case<'v>,
    pub(super) id: &'v Value,
}

/// All of a session.
pub(super) fn listens<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> impl Iterator<Item = Listen<'v>> {
    session.exchanges.iter().filter(|exchange| is_listen(exchange) && !exchange.failing).filter_map(move |exchange| {
        let id = request(exchange)?.member("id")?;
        Some(Listen { case: Case { view, session, exchange }, id })
    })
}

impl<'v> Listen<'v> {
    /// The filter asked for.
    pub(super) fn filter(&self) -> Option<&'v Value> {
        self.case.param("notifications")
    }

    /// Messages of this subscription, in order: over HTTP those of its stream, on stdio those that carry its id, as
    /// whatever type.
    pub(super) fn messages(&self) -> impl Iterator<Item = &'v Incoming<'v>> {
        let (session, id, channel): (&'v Session<'v>, _, _) =
            (self.case.session, self.id, self.case.exchange.send.channel);
        let http = self.case.view.transport == Transport::Http;
        let from = self.case.exchange.seq;
        session.incoming.iter().filter(move |incoming| {
            let own = || tag(incoming).is_some_and(|tag| alike(tag, id));
            incoming.seq > from
                && !incoming.is_answer()
                && if http { incoming.receive.channel == channel && incoming.message().is_some() } else { own() }
        })
    }

    /// Its acknowledgement. On stdio one without an id, while nothing else waits for one, can only be meant for it.
    pub(super) fn acknowledgement(&self) -> Option<&'v Incoming<'v>> {
        let own = self.messages().find(|incoming| incoming.method() == Some(ACKNOWLEDGED));
        own.or_else(|| {
            let session: &'v Session<'v> = self.case.session;
            let mut stray = session.incoming.iter().filter(|incoming| {
                incoming.seq > self.case.exchange.seq
                    && incoming.method() == Some(ACKNOWLEDGED)
                    && tag(incoming).is_none()
            });
            stray.next().filter(|_| self.case.view.transport == Transport::Stdio)
        })
    }

    /// The filter acknowledged.
    pub(super) fn accepted(&self) -> Option<&'v Value> {
        param(self.acknowledgement()?, "notifications")
    }

    /// When the tester ended it.
    pub(super) fn ended(&self) -> Option<u32> {
        cancelled(self.case.exchange)
    }

    /// Whether a notification of this method (and uri) was asked for, if only by a flag of the wrong type: taking that is a matter of
    /// its own.
    pub(super) fn covers(&self, incoming: &Incoming<'_>) -> bool {
        let Some(filter) = self.filter() else { return false };
        let method = incoming.method().unwrap_or_default();
        if method == UPDATED {
            let uri = param(incoming, "uri").and_then(Value::as_str).unwrap_or_default();
            return uris(filter).any(|watched| within(watched, uri));
        }
        FLAGS.iter().filter(|(_, _, notification)| *notification == method).any(|(flag, ..)| {
            filter.get(flag).is_some_and(|wanted| !matches!(wanted, Value::Bool(false) | Value::Null))
        })
    }
}

/// The subscription that a message says it belongs to.
pub(super) fn tag<'v>(incoming: &'v Incoming<'_>) -> Option<&'v Value> {
    param(incoming, "_meta")?.get(ID)
}

/// The watched uris of a filter.
pub(super) fn uris(filter: &Value) -> impl Iterator<Item = &str> {
    filter.get(URIS).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Whether two ids are equal, or differ only in their type: `7` and `"7"`.
fn alike(tag: &Value, id: &Value) -> bool {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    tag == id || text(tag) == text(id)
}

/// The uri itself, or a sub-resource of it.
pub(super) fn within(watched: &str, uri: &str) -> bool {
    uri.strip_prefix(watched)
        .is_some_and(|rest| rest.is_empty() || watched.ends_with('/') || rest.starts_with(['/', '#', '?']))
}

/// A notification that only subscriptions bring.
pub(super) fn is_change(incoming: &Incoming<'_>) -> bool {
    let method = incoming.method().unwrap_or_default();
    method == UPDATED || FLAGS.iter().any(|(_, _, notification)| *notification == method)
}
