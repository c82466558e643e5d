//! The faults of a server, called where they have a hook.

use std::time::Duration;

use jsonschema::ValidationError;
use serde_json::Value;

use super::edit::edit;
use super::{Fault, Hook};
use crate::core::{About, Call, Connection, Edits, Ended, Interceptor, Line, Made, Page, Payload, Reply, Transport};
use crate::error::RpcError;
use crate::http::answer::{Answer, plain};
use crate::http::check::Posted;
use crate::http::hub::Hub;
use crate::http::{self, Asked};

/// The faults that a server was asked for.
pub(crate) struct Active {
    faults: Vec<&'static Fault>,
}

impl Active {
    pub(crate) fn new(faults: &[&'static Fault]) -> Self {
        Self { faults: faults.to_vec() }
    }

    fn hooks(&self) -> impl Iterator<Item = Hook> {
        self.faults.iter().flat_map(|fault| fault.hooks)
    }
}

/// Defines how to call a kind of hook: with each in order, or with the first that returns something.
macro_rules! each {
    ($self:ident, $kind:ident($hook:ident) => $call:expr) => {
        $self.hooks().for_each(|hook| {
            if let Hook::$kind($hook) = hook {
                $call;
            }
        })
    };
}
macro_rules! first {
    ($self:ident, $kind:ident($hook:ident) => $call:expr) => {
        $self.hooks().find_map(|hook| if let Hook::$kind($hook) = hook { $call } else { None })
    };
}

impl Interceptor for Active {
    fn payload(&self, _connection: &mut Connection, bytes: &[u8]) -> Payload {
        let read = |hook| if let Hook::Payload(hook) = hook { Some(hook(bytes)) } else { None };
        let changed = |payload: &Payload| !matches!(payload, Payload::AsIs);
        self.hooks().filter_map(read).find(changed).unwrap_or(Payload::AsIs)
    }

    fn request(&self, connection: &mut Connection, call: &mut Call) -> Option<Reply> {
        first!(self, Request(hook) => hook(connection, call))
    }

    fn reply(&self, connection: &Connection, call: &Call, mut reply: Reply) -> Reply {
        for hook in self.hooks() {
            let other = match (hook, &mut reply) {
                (Hook::Result(hook), Reply::Result(result)) => hook(connection, call, result),
                (Hook::Error(hook), Reply::Error(error)) => hook(call, error),
                _ => None,
            };
            reply = other.unwrap_or(reply);
        }
        reply
    }

    fn delay(&self, connection: &Connection, _call: &Call) -> Option<Duration> {
        first!(self, Delay(delay) => (connection.transport == Transport::Stdio).then_some(delay))
    }

    fn client_initialized(&self, connection: &mut Connection) {
        each!(self, Initialized(hook) => hook(connection));
    }

    fn client_answered(&self, connection: &mut Connection, id: &Value) {
        each!(self, Answered(hook) => hook(connection, id));
    }

    fn result_enveloped(&self, call: &Call, result: &mut Value) {
        each!(self, Enveloped(hook) => hook(call, result));
    }

    fn answer_id(&self, id: &Value) -> Option<Value> {
        first!(self, AnswerId(hook) => hook(id))
    }

    fn refusal(&self, error: &mut RpcError) -> Option<Value> {
        let mut id = None;
        each!(self, Refusal(hook) => id = hook(error).or(id.take()));
        id
    }

    fn message(&self, _connection: &Connection, about: &About<'_>, message: &mut Value, edits: &mut Edits) {
        for fault in &self.faults {
            if about.revision.is_none_or(|revision| fault.holds_in(revision)) {
                for hook in fault.hooks {
                    if let Hook::Rewrite(rewrites) = hook {
                        edit(rewrites, about, message, edits);
                    }
                }
            }
        }
    }

    fn page_start(&self, page: &Page<'_>) -> Option<Result<usize, RpcError>> {
        first!(self, PageStart(hook) => hook(page))
    }

    fn page_made(&self, made: &Made<'_>, result: &mut Value) {
        each!(self, PageMade(hook) => hook(made, result));
    }

    fn tools(&self, connection: &Connection, call: &Call, tools: &mut Vec<Value>) {
        each!(self, Tools(hook) => hook(connection, call, tools));
    }

    fn tool_name(&self) -> Option<&'static str> {
        first!(self, ToolName(name) => Some(name))
    }

    fn overlooks(&self, error: &ValidationError<'_>) -> bool {
        first!(self, Overlooks(hook) => hook(error).then_some(())).is_some()
    }

    fn arguments(&self, connection: &mut Connection, arguments: &Value) -> Option<Reply> {
        first!(self, Arguments(hook) => hook(connection, arguments))
    }

    fn process_started(&self) {
        each!(self, Start(hook) => hook());
    }

    fn lines(&self, lines: &mut Vec<Vec<u8>>, reads: u32) {
        each!(self, Lines(hook) => hook(lines, reads));
    }

    fn line(&self, text: &str, begun: bool, line: &mut Line) {
        each!(self, Line(hook) => hook(text, begun, line));
    }

    fn stays(&self, ended: Ended) -> bool {
        first!(self, Stays(hook) => hook(ended).then_some(())).is_some()
    }
}

impl http::Interceptor for Active {
    fn request(&self, hub: &Hub, asked: &mut Asked, message: &mut Posted) -> Option<Answer> {
        let fatal = first!(self, Payload(hook) => matches!(hook(&asked.body), Payload::Fatal).then_some(()));
        fatal.map(|()| server_error()).or_else(|| first!(self, HttpRequest(hook) => hook(hub, asked, message)))
    }

    fn answer(&self, hub: &Hub, mut answer: Answer, asked: &Asked, message: &Posted) -> Answer {
        for hook in self.hooks() {
            if let Hook::HttpAnswer(hook) = hook {
                answer = hook(hub, answer, asked, message);
            }
        }
        answer
    }

    fn session_id(&self, count: u64, random: &str) -> Option<String> {
        first!(self, SessionId(hook) => hook(count, random))
    }
}

/// The answer of an HTTP server that has failed.
pub(super) fn server_error() -> Answer {
    plain(hyper::StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
}
