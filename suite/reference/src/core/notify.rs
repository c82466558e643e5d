//! Notifications and requests of the server's own, and the streams that they come out on.

use serde_json::{Value, json};

use super::call::Call;
use super::connection::{Connection, SUBSCRIPTION_ID};
use super::emit::{About, Kind};
use super::output::Stream;
use super::server::{Stray, Transport};
use super::task::RELATED;
use super::task_deviations;
use crate::Revision;
use crate::deviation::Deviation;

impl Connection {
    /// Sends a notification on a stream.
    pub(crate) fn notify(&mut self, stream: Stream, method: &'static str, params: Value) {
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        let revision = self.revision();
        self.emit(stream, &About { kind: Kind::Notification, method, tool: None, subject: None, revision }, message);
    }

    /// Sends a notification on behalf of a request.
    pub(crate) fn notify_for(&mut self, call: &Call, method: &'static str, mut params: Value) {
        if let Some(task) = &call.task {
            params["_meta"][RELATED] = json!({"taskId": task});
            task_deviations::notification(&self.server, method, task, &mut params);
        }
        let about =
            About { kind: Kind::Notification, method, tool: call.tool(), subject: None, revision: Some(call.revision) };
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        let legacy_http = self.transport == Transport::Http && call.modern.is_none();
        let astray = legacy_http && self.server.deviates(Deviation::ProgressOnGetStream);
        let stream = if astray || call.task.is_some() { Stream::Standalone } else { Stream::Answer(call.payload) };
        self.emit(stream, &about, message);
    }

    /// Sends a request of the server's own.
    pub(crate) fn request_of_ours(&mut self, stream: Stream, id: Value, method: &'static str, params: Value) {
        let about = About { kind: Kind::Request, method, tool: None, subject: None, revision: self.revision() };
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.emit(stream, &about, message);
    }

    /// Sends a notification of a request on its stream, unless a fault has it elsewhere.
    pub(super) fn notify_or_stray(&mut self, call: &Call, method: &'static str, mut params: Value) {
        if method == "notifications/progress" {
            if self.server.deviates(Deviation::ProgressGoesToNewestToken) {
                params["progressToken"] = self.server.state().newest_token.clone();
            }
            let on_listen = self.server.deviates(Deviation::ProgressOnSubscriptions);
            let modern = call.revision.is_stateless();
            if modern && (on_listen || self.server.deviates(Deviation::ProgressOnOtherResponse)) {
                return self.stray(on_listen, method, params);
            }
        }
        self.notify_for(call, method, params);
    }

    /// Has a notification come out on another connection, or on a subscription of this one.
    pub(crate) fn stray(&self, on_listen: bool, method: &'static str, params: Value) {
        self.server.state().strays.push(Stray { from: self.number, on_listen, method, params });
    }

    /// Sends what faults of others have come out here.
    pub(super) fn take_strays(&mut self) {
        let listen = self.listens.first().map(|listen| listen.call.clone());
        let mut open = self.outbox.requests().iter();
        let busy = open.find(|open| listen.as_ref().is_none_or(|call| call.key != open.key));
        let busy = busy.map(|open| open.payload);
        let (number, mut mine) = (self.number, Vec::new());
        self.server.state().strays.retain(|stray| {
            let here = if stray.on_listen { listen.is_some() } else { busy.is_some() && stray.from != number };
            if here {
                mine.push(stray.clone());
            }
            !here
        });
        for mut stray in mine {
            let payload = match &listen {
                Some(call) if stray.on_listen => {
                    stray.params["_meta"][SUBSCRIPTION_ID] = call.id.clone();
                    call.payload
                }
                _ => busy.unwrap_or_default(),
            };
            let about = About {
                kind: Kind::Notification,
                method: stray.method,
                tool: None,
                subject: None,
                revision: Some(Revision::V2026_07_28),
            };
            let message = json!({"jsonrpc": "2.0", "method": stray.method, "params": stray.params});
            self.emit(Stream::Answer(payload), &about, message);
        }
    }
}
