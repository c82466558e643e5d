//! Resource subscriptions of the handshake era, and subscriptions/listen of 2026-07-28.

use serde_json::{Value, json};

use super::{resources, samples};
use crate::core::{Call, Connection, Listen, Reply, Stream};
use crate::error::RpcError;

const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

pub(super) fn subscribe(connection: &mut Connection, call: &Call) -> Reply {
    let uri = match super::text(&call.params, "uri") {
        Ok(uri) => uri,
        Err(error) => return error.into(),
    };
    if samples::contents(&connection.server, uri).is_none() {
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
    if let Some(session) = &mut connection.session {
        session.subscriptions.remove(uri);
    }
    Reply::Result(json!({}))
}

pub(super) fn listen(connection: &mut Connection, call: &Call) -> Reply {
    let listen = match filter(connection, call) {
        Ok(listen) => listen,
        Err(error) => return error.into(),
    };
    let mut accepted = json!({});
    if listen.tools {
        accepted["toolsListChanged"] = json!(true);
    }
    if !listen.resources.is_empty() {
        accepted["resourceSubscriptions"] = json!(listen.resources);
    }
    let params = json!({"_meta": {SUBSCRIPTION_ID: call.id}, "notifications": accepted});
    connection.notify_for(call, "notifications/subscriptions/acknowledged", params);
    connection.listens.push(listen);
    Reply::Later
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
                if samples::contents(&connection.server, uri).is_some() {
                    resources.push(uri.to_owned());
                }
            }
        }
        Some(_) => return Err(RpcError::invalid_params("resourceSubscriptions must be an array")),
    }
    Ok(Listen { call: call.clone(), tools: wanted["toolsListChanged"] == true, resources })
}

impl Connection {
    /// Sends what has changed since the last time to those who are to hear of it.
    pub(crate) fn announce_changes(&mut self) {
        let (tools, counter) = {
            let state = self.server.state();
            (state.tools_generation, state.counter_generation)
        };
        if tools != self.seen_tools {
            self.seen_tools = tools;
            self.announce_tools();
        }
        if counter != self.seen_counter {
            self.seen_counter = counter;
            self.announce_counter();
        }
    }

    fn announce_tools(&mut self) {
        if self.session.as_ref().is_some_and(|session| session.initialized) {
            self.notify(Stream::Standalone, "notifications/tools/list_changed", Value::Null);
        }
        for listen in self.listens.clone().iter().filter(|listen| listen.tools) {
            let params = json!({"_meta": {SUBSCRIPTION_ID: listen.call.id}});
            self.notify_for(&listen.call, "notifications/tools/list_changed", params);
        }
    }

    fn announce_counter(&mut self) {
        let subscribed = |session: &crate::core::Session| session.subscriptions.contains(samples::COUNTER);
        if self.session.as_ref().is_some_and(subscribed) {
            let params = json!({"uri": samples::COUNTER});
            self.notify(Stream::Standalone, "notifications/resources/updated", params);
        }
        let watching = |listen: &&Listen| listen.resources.iter().any(|uri| uri == samples::COUNTER);
        for listen in self.listens.clone().iter().filter(watching) {
            let params = json!({"_meta": {SUBSCRIPTION_ID: listen.call.id}, "uri": samples::COUNTER});
            self.notify_for(&listen.call, "notifications/resources/updated", params);
        }
    }
}
