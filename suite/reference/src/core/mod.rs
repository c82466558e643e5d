//! The sans-io core: bytes of a payload in, outputs out. It knows no sockets, no threads and no clock.
//!
//! Here are the two contracts with what is built on it: a [`Service`] has the methods, an [`Interceptor`] a say in what the
//! core does.

mod call;
mod client_tasks;
mod connection;
mod dispatch;
mod edits;
mod emit;
mod era;
mod incoming;
mod log;
mod notify;
mod offer;
mod outbox;
mod output;
mod page;
mod requests;
mod schedule;
mod server;
mod task;
mod task_deviations;
mod tasks;
mod toolbox;

pub(crate) use call::{Call, Reply, failure};
pub use connection::Connection;
pub(crate) use connection::{Listen, SUBSCRIPTION_ID, Session};
pub(crate) use edits::{Edits, Ended, Line, Payload};
pub(crate) use emit::{About, Kind};
pub(crate) use era::{VERSION, looks_modern};
pub(crate) use incoming::Unusual;
pub(crate) use log::LEVELS;
pub use output::{Action, Output, Stream};
pub(crate) use page::{Made, Page, cursor, offset, page};
pub(crate) use schedule::What;
pub use server::{Server, Transport};
pub(crate) use task::RELATED;
pub(crate) use tasks::{capability as tasks_capability, has_tasks};
pub(crate) use toolbox::{EXTRA, Entry, TOGGLE, TOGGLES, Toolbox};

use std::time::Duration;

use jsonschema::ValidationError;
use serde_json::Value;

use crate::Revision;
use crate::error::RpcError;
use crate::settings::Settings;

/// Serves what the core has read. The core calls nothing else of the methods.
pub(crate) trait Service: Send + Sync {
    /// Called when a connection begins.
    fn connection_opened(&self, connection: &mut Connection);
    fn initialize(&self, connection: &mut Connection, call: &mut Call) -> Reply;
    /// The error for a handshake where there is none.
    fn refuse_initialize(&self, server: &Server, call: &Call) -> RpcError;
    /// Serves a request on a connection of the handshake era.
    fn legacy(&self, connection: &mut Connection, call: &Call) -> Reply;
    /// Serves a request of 2026-07-28 whose `_meta` was found good.
    fn modern(&self, connection: &mut Connection, call: &Call) -> Reply;
    /// Does what a task stands for.
    fn work(&self, connection: &mut Connection, call: &Call) -> Reply;
    /// Takes a notification.
    fn notification(&self, connection: &mut Connection, payload: u64, method: &str, params: Value);
    /// Takes the client's answer to a request of the server.
    fn response(&self, connection: &mut Connection, id: &Value, outcome: Result<Value, Value>);
    /// Announces what has changed since this was last called.
    fn announce_changes(&self, connection: &mut Connection);
    /// Called before a call is answered.
    fn before_answer(&self, connection: &mut Connection, call: &Call);
    /// Ends a call that adds one to the counter.
    fn bump(&self, connection: &mut Connection, call: &Call);
    /// A final result with what every result of its revision has.
    fn envelope(&self, server: &Server, call: &Call, result: Value) -> Value;
    /// A result that asks for input, with what every result has.
    fn input_envelope(&self, result: Value) -> Value;
    /// The name under which the server keeps a tool that clients call otherwise.
    fn inner_tool_name<'n>(&self, settings: &Settings, name: &'n str) -> &'n str;
    /// The name by which clients call a tool.
    fn public_tool_name(&self, settings: &Settings, name: &str) -> String;
}

/// Has a say in what the core does. A conforming server has no interceptors, or such as make use of an allowance; faults are
/// interceptors too.
///
/// Sees what comes in and what goes out, and changes it. Every method does nothing unless implemented.
pub(crate) trait Interceptor: Send + Sync {
    /// Called before a payload is read.
    fn payload(&self, _connection: &mut Connection, _bytes: &[u8]) -> Payload {
        Payload::AsIs
    }

    /// Called before a request is routed; a reply ends it there.
    fn request(&self, _connection: &mut Connection, _call: &mut Call) -> Option<Reply> {
        None
    }

    /// Called with the reply to a request.
    fn reply(&self, _connection: &Connection, _call: &Call, reply: Reply) -> Reply {
        reply
    }

    /// How long a reply is held back.
    fn delay(&self, _connection: &Connection, _call: &Call) -> Option<Duration> {
        None
    }

    /// Called before an answer is sent; `plain` is one that must not become a stream for it.
    fn before_answer(&self, _connection: &mut Connection, _call: &Call, _plain: bool) {}

    /// Called when the client has sent `notifications/initialized`.
    fn client_initialized(&self, _connection: &mut Connection) {}

    /// Called when the client has answered the server's request with this id.
    fn client_answered(&self, _connection: &mut Connection, _id: &Value) {}

    /// Called with a result that has what every result of its revision has.
    fn result_enveloped(&self, _call: &Call, _result: &mut Value) {}

    /// The id that an answer carries, if another than that of the request.
    fn answer_id(&self, _id: &Value) -> Option<Value> {
        None
    }

    /// Called with the error for what is no request; returns the id that it is to have.
    fn refusal(&self, _error: &mut RpcError) -> Option<Value> {
        None
    }

    /// Called with every outgoing message; what is left to be done once it is text goes into `edits`.
    fn message(&self, _connection: &Connection, _about: &About<'_>, _message: &mut Value, _edits: &mut Edits) {}

    /// Called with every outgoing message once it is text.
    fn text(&self, text: String) -> String {
        text
    }

    /// Whether an answer is sent as an array of one.
    fn wraps(&self, _connection: &Connection) -> bool {
        false
    }

    /// Where a page starts, or why there is none.
    fn page_start(&self, _page: &Page<'_>) -> Option<Result<usize, RpcError>> {
        None
    }

    /// Called with a page that was made.
    fn page_made(&self, _made: &Made<'_>, _result: &mut Value) {}

    /// Called with the definitions of tools/list.
    fn tools(&self, _connection: &Connection, _call: &Call, _tools: &mut Vec<Value>) {}

    /// Called with a tool as a revision is shown it.
    fn tool_shown(&self, _revision: Revision, _shown: &mut Value) {}

    /// Another name for the tool `empty`.
    fn tool_name(&self) -> Option<&'static str> {
        None
    }

    /// Whether something wrong with the arguments of a tool goes unnoticed.
    fn overlooks(&self, _error: &ValidationError<'_>) -> bool {
        false
    }

    /// Called with good arguments before their tool sees them; a reply ends the call there.
    fn arguments(&self, _connection: &mut Connection, _arguments: &Value) -> Option<Reply> {
        None
    }

    /// Called before a process reads or writes anything.
    fn process_started(&self) {}

    /// Called with the lines that came at once, and the number of reads it took.
    fn lines(&self, _lines: &mut Vec<Vec<u8>>, _reads: u32) {}

    /// Called with a message as it is written to a pipe; `begun` is whether something was written before.
    fn line(&self, _text: &str, _begun: bool, _line: &mut Line) {}

    /// Whether the process stays when its input has ended.
    fn stays(&self, _ended: Ended) -> bool {
        false
    }
}
