//! Resource subscriptions of the handshake era, and subscriptions/listen of 2026-07-28.

use serde_json::{Value, json};
use wire::mcp::code;

use super::{resources, samples};
use crate::core::{Call, Connection, Listen, Reply, SUBSCRIPTION_ID, Stream};
use crate::deviation::Deviation;
use crate::error::RpcError;

pub(super) fn subscribe(connection: &mut Connection, call: &Call) -> Reply {
    let uri = match super::text(&call.params, "uri") {
        Ok(uri) => uri,
        Err(error) => return error.into(),
    };
    if samples::contents_for(&connection.server, uri, call.caller.as_deref()).is_none() {
        return resources::not_found(call.revision, uri).into();
    }
    if let Some(session) = &mut connection.session {
        session.subscriptions.insert(uri.to_owned());
    }
    Reply::Result(json!({}))
}

pub(super) fn unsubscribe(connection: &mut Connection, call: &Call) -> Reply {
    let uri = match super::text(&call.params, "uri") {
        Ok(uri) => uri,
        Err(error) => return error.into(),
    };
    let deaf = connection.server.deviates(Deviation::UnsubscribeIgnored);
    if let Some(session) = connection.session.as_mut().filter(|_| !deaf) {
        session.subscriptions.remove(uri);
    }
    Reply::Result(json!({}))
}

pub(super) fn listen(connection: &mut Connection, call: &Call) -> Reply {
    let listen = match filter(connection, call) {
        Ok(listen) => listen,
        Err(error) => return error.into(),
    };
    let server = connection.server.clone();
    if let Some(error) = refuses(connection, call, &listen) {
        return error.into();
    }
    if server.deviates(Deviation::ListenAnsweredAtOnce) {
        return Reply::Result(json!({"_meta": {SUBSCRIPTION_ID: call.id}}));
    }
    if server.deviates(Deviation::ChangeBeforeAck) {
        connection.notify_for(call, CHANGED, json!({"_meta": {SUBSCRIPTION_ID: call.id}}));
    }
    if !server.deviates(Deviation::ListenNotAcknowledged) {
        let params = acknowledgement(connection, call, &listen);
        connection.notify_for(call, "notifications/subscriptions/acknowledged", params);
    }
    if server.deviates(Deviation::ListenEndsAfterAck) {
        return Reply::Result(json!({"_meta": {SUBSCRIPTION_ID: call.id}}));
    }
    if server.deviates(Deviation::ListenResultWithoutId) {
        return Reply::Result(json!({}));
    }
    connection.listens.push(listen);
    server.state().listens += 1;
    Reply::Later
}

const CHANGED: &str = "notifications/tools/list_changed";

/// Subscriptions that faults refuse.
fn refuses(connection: &Connection, call: &Call, listen: &Listen) -> Option<RpcError> {
    let server = &connection.server;
    let full = server.deviates(Deviation::OneSubscriptionOnly) && server.state().listens > 0;
    let over = server.deviates(Deviation::NoListenAfterCancel) && server.state().dropped_listen;
    let nothing = !listen.tools && call.params["notifications"].as_object().is_some_and(serde_json::Map::is_empty);
    let empty = server.deviates(Deviation::EmptyFilterRefused) && nothing;
    (full || over || empty).then(|| RpcError::new(code::INTERNAL_ERROR, "no further subscription is possible"))
}

/// The acknowledgement, as faults give it.
fn acknowledgement(connection: &Connection, call: &Call, listen: &Listen) -> Value {
    let server = &connection.server;
    let mut accepted = json!({});
    if listen.tools && !server.deviates(Deviation::AckLacksTools) {
        accepted["toolsListChanged"] = json!(true);
    }
    for (name, wanted) in [("promptsListChanged", listen.prompts), ("resourcesListChanged", listen.listed)] {
        if wanted {
            accepted[name] = json!(true);
        }
    }
    if !listen.resources.is_empty() {
        accepted["resourceSubscriptions"] = json!(listen.resources);
    }
    if server.deviates(Deviation::AckExceedsFilter) {
        accepted["toolsListChanged"] = json!(true);
        accepted["resourceSubscriptions"] = json!([samples::COUNTER, "memory://all"]);
    }
    if server.deviates(Deviation::AcknowledgesUndeclared) && call.params["notifications"]["promptsListChanged"] == true
    {
        accepted["promptsListChanged"] = json!(true);
    }
    let mut params = json!({"_meta": {SUBSCRIPTION_ID: call.id}, "notifications": accepted});
    if server.deviates(Deviation::AckIdIsString) {
        params["_meta"][SUBSCRIPTION_ID] = json!(call.id.as_str().map_or(call.id.to_string(), str::to_owned));
    }
    if server.deviates(Deviation::AckWithoutId) {
        params["_meta"] = json!({});
    }
    params
}

fn filter(connection: &Connection, call: &Call) -> Result<Listen, RpcError> {
    let wanted =
        call.params.get("notifications").ok_or_else(|| RpcError::invalid_params("notifications is missing"))?;
    if !wanted.is_object() {
        return Err(RpcError::invalid_params("notifications must be an object"));
    }
    for name in ["toolsListChanged", "promptsListChanged", "resourcesListChanged"] {
        if wanted.get(name).is_some_and(|flag| !flag.is_boolean()) {
            return Err(RpcError::invalid_params(format!("{name} must be a boolean")));
        }
    }
    let mut resources = Vec::new();
    match wanted.get("resourceSubscriptions") {
        None => {}
        Some(Value::Array(uris)) => {
            for uri in uris {
                let uri = uri.as_str().ok_or_else(|| RpcError::invalid_params("a uri must be a string"))?;
                // A uri that names nothing is left out, which is allowed.
                if samples::contents_for(&connection.server, uri, call.caller.as_deref()).is_some() {
                    resources.push(uri.to_owned());
                }
            }
        }
        Some(_) => return Err(RpcError::invalid_params("resourceSubscriptions must be an array")),
    }
    // What is not declared is not announced.
    let wants = |name: &str| !connection.server.quirk("bare-capabilities") && wanted[name] == true;
    Ok(Listen {
        call: call.clone(),
        tools: wants("toolsListChanged"),
        prompts: wants("promptsListChanged") && !connection.server.deviates(Deviation::AcknowledgesUndeclared),
        listed: wants("resourcesListChanged"),
        resources,
    })
}

impl Connection {
    /// Sends what has changed since the last time to those who are to hear of it.
    pub(crate) fn announce_changes(&mut self) {
        let now = self.server.state().generations;
        let seen = std::mem::replace(&mut self.seen, now);
        if now.tools != seen.tools {
            self.announce_list("notifications/tools/list_changed", |listen| listen.tools);
        }
        if now.prompts != seen.prompts {
            self.announce_list("notifications/prompts/list_changed", |listen| listen.prompts);
        }
        if now.resources != seen.resources {
            self.announce_list("notifications/resources/list_changed", |listen| listen.listed);
        }
        if now.counter != seen.counter {
            self.announce_counter();
        }
        if now.endings != seen.endings {
            self.end_subscriptions();
        }
    }

    fn end_subscriptions(&mut self) {
        let silent = self.server.deviates(Deviation::SubscriptionsEndSilently);
        for listen in std::mem::take(&mut self.listens) {
            if silent {
                self.abandon(listen.call.key);
            } else {
                self.finish(&listen.call, Reply::Result(json!({"_meta": {SUBSCRIPTION_ID: listen.call.id}})));
            }
        }
    }

    fn announce_list(&mut self, method: &'static str, wants: fn(&Listen) -> bool) {
        if self.server.quirk("bare-capabilities") {
            return;
        }
        if self.session.as_ref().is_some_and(|session| session.initialized) {
            self.notify(Stream::Standalone, method, Value::Null);
        }
        for listen in self.listens.clone().iter().filter(|listen| wants(listen)) {
            let params = json!({"_meta": {SUBSCRIPTION_ID: listen.call.id}});
            self.notify_for(&listen.call, method, params);
        }
    }

    fn announce_counter(&mut self) {
        let server = self.server.clone();
        if server.deviates(Deviation::UpdatesNotSent) {
            return;
        }
        let other = server.deviates(Deviation::UpdatesNameOtherUri);
        let uri = if other { "memory://elsewhere" } else { samples::COUNTER };
        let unasked = server.deviates(Deviation::UpdatesSentToAllSessions);
        let subscribed = |session: &crate::core::Session| unasked || session.subscriptions.contains(samples::COUNTER);
        if self.session.as_ref().is_some_and(subscribed) {
            self.notify(Stream::Standalone, UPDATED, json!({"uri": uri}));
        }
        let any = server.deviates(Deviation::UpdatesSentToAllListeners);
        let watching = |listen: &&Listen| any || listen.resources.iter().any(|uri| uri == samples::COUNTER);
        for listen in self.listens.clone().iter().filter(watching) {
            let mut params = json!({"_meta": {SUBSCRIPTION_ID: listen.call.id}, "uri": uri});
            if server.deviates(Deviation::UpdatesUntagged) {
                params["_meta"] = json!({});
            }
            if server.deviates(Deviation::UpdatesTaggedForOther) {
                params["_meta"][SUBSCRIPTION_ID] = json!("somebody else");
            }
            self.notify_for(&listen.call, UPDATED, params);
        }
    }

    /// A change told to a client of 2026-07-28 that did not subscribe: faults do so.
    pub(crate) fn announce_unasked(&mut self, call: &Call) {
        let server = self.server.clone();
        let after = server.deviates(Deviation::UpdatesAfterReconnect) && server.state().dropped_listen;
        let always = server.deviates(Deviation::UpdatesWithoutListen);
        let changes = call.modern.is_some() && call.tool() == Some("bump_counter") && self.listens.is_empty();
        if changes && (after || always) {
            self.notify_for(call, UPDATED, json!({"uri": samples::COUNTER}));
        }
    }
}

const UPDATED: &str = "notifications/resources/updated";
