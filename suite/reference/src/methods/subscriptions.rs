//! Resource subscriptions of the handshake era, and subscriptions/listen of 2026-07-28.

use serde_json::{Value, json};

use super::{resources, samples};
use crate::core::{Call, Connection, Listen, Reply, Stream};
use crate::error::RpcError;

pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

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
    let deaf = connection.server.faulty("subscriptions.resource.quiet-after-unsubscribe");
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
    if server.faulty("subscriptions.listen.http-event-stream") {
        return Reply::Result(json!({"_meta": {SUBSCRIPTION_ID: call.id}}));
    }
    if server.faulty("subscriptions.ack.first") {
        connection.notify_for(call, CHANGED, json!({"_meta": {SUBSCRIPTION_ID: call.id}}));
    }
    if !server.faulty("subscriptions.ack.sent") {
        let params = acknowledgement(connection, call, &listen);
        connection.notify_for(call, "notifications/subscriptions/acknowledged", params);
    }
    if server.faulty("subscriptions.listen.stays-open") {
        return Reply::Result(json!({"_meta": {SUBSCRIPTION_ID: call.id}}));
    }
    if server.faulty("subscriptions.graceful-result-shape") {
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
    let full = server.faulty("subscriptions.multiple") && server.state().listens > 0;
    let over = server.faulty("subscriptions.cancel-http") && server.state().dropped_listen;
    let nothing = !listen.tools && call.params["notifications"].as_object().is_some_and(serde_json::Map::is_empty);
    let empty = server.faulty("subscriptions.listen.empty-filter") && nothing;
    (full || over || empty).then(|| RpcError::new(-32603, "no further subscription is possible"))
}

/// The acknowledgement, as faults give it.
fn acknowledgement(connection: &Connection, call: &Call, listen: &Listen) -> Value {
    let server = &connection.server;
    let mut accepted = json!({});
    if listen.tools && !server.faulty("subscriptions.ack.supported-honoured") {
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
    if server.faulty("subscriptions.ack.subset") {
        accepted["toolsListChanged"] = json!(true);
        accepted["resourceSubscriptions"] = json!([samples::COUNTER, "memory://all"]);
    }
    if server.faulty("subscriptions.ack.unsupported-omitted")
        && call.params["notifications"]["promptsListChanged"] == true
    {
        accepted["promptsListChanged"] = json!(true);
    }
    let mut params = json!({"_meta": {SUBSCRIPTION_ID: call.id}, "notifications": accepted});
    match server.settings.variant("subscriptions.ack.subscription-id") {
        Some("") => {
            params["_meta"][SUBSCRIPTION_ID] = json!(call.id.as_str().map_or(call.id.to_string(), str::to_owned))
        }
        Some(_) => params["_meta"] = json!({}),
        None => {}
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
        prompts: wants("promptsListChanged") && !connection.server.faulty("subscriptions.ack.unsupported-omitted"),
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
        let silent = self.server.faulty("cancellation.sent.on-teardown");
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
        let silent = server.faulty("subscriptions.resource.updated-on-change")
            || server.faulty("subscriptions.resource-updated-delivered");
        if silent {
            return;
        }
        let other = server.faulty("subscriptions.resource.updated-uri-known");
        let uri = if other { "memory://elsewhere" } else { samples::COUNTER };
        let unasked = server.faulty("subscriptions.resource.updated-only-when-subscribed");
        let subscribed = |session: &crate::core::Session| unasked || session.subscriptions.contains(samples::COUNTER);
        if self.session.as_ref().is_some_and(subscribed) {
            self.notify(Stream::Standalone, UPDATED, json!({"uri": uri}));
        }
        let any = server.faulty("subscriptions.notifications.only-requested");
        let watching = |listen: &&Listen| any || listen.resources.iter().any(|uri| uri == samples::COUNTER);
        for listen in self.listens.clone().iter().filter(watching) {
            let mut params = json!({"_meta": {SUBSCRIPTION_ID: listen.call.id}, "uri": uri});
            match server.settings.variant("subscriptions.notifications.tagged") {
                Some("") => params["_meta"] = json!({}),
                Some(_) => params["_meta"][SUBSCRIPTION_ID] = json!("somebody else"),
                None => {}
            }
            self.notify_for(&listen.call, UPDATED, params);
        }
    }

    /// A change told to a client of 2026-07-28 that did not subscribe: faults do so.
    pub(crate) fn announce_unasked(&mut self, call: &Call) {
        let server = self.server.clone();
        let after = server.faulty("subscriptions.no-state-across-reconnect") && server.state().dropped_listen;
        let always = server.faulty("subscriptions.notifications.none-without-listen");
        let changes = call.modern.is_some() && call.tool() == Some("bump_counter") && self.listens.is_empty();
        if changes && (after || always) {
            self.notify_for(call, UPDATED, json!({"uri": samples::COUNTER}));
        }
    }
}

const UPDATED: &str = "notifications/resources/updated";
