//! Hooks: the closed set of places where a fault can change what the server does.

use std::fmt;
use std::time::Duration;

use jsonschema::ValidationError;
use serde_json::Value;

use super::edit::{Edit, On};
use crate::core::{Call, Connection, Ended, Line, Made, Page, Payload, Reply};
use crate::deviation::Deviation;
use crate::error::RpcError;
use crate::http::Asked;
use crate::http::answer::Answer;
use crate::http::check::Posted;
use crate::http::hub::Hub;

/// One place, and what is done there.
#[derive(Clone, Copy)]
pub(super) enum Hook {
    Nothing,
    /// Rewrites outgoing messages.
    Rewrite(&'static [(On, Edit)]),
    /// Sets switches, for what no other hook reaches.
    Switch(&'static [Deviation]),
    /// Reads a payload otherwise.
    Payload(fn(&[u8]) -> Payload),
    /// Changes a request before it is routed, or answers it.
    Request(fn(&mut Connection, &mut Call) -> Option<Reply>),
    /// Changes a result, or puts another reply in its place.
    Result(fn(&Connection, &Call, &mut Value) -> Option<Reply>),
    /// Changes an error, or puts another reply in its place.
    Error(fn(&Call, &mut RpcError) -> Option<Reply>),
    /// Changes a result that has what every result of its revision has.
    Enveloped(fn(&Call, &mut Value)),
    /// Holds replies on stdio back.
    Delay(Duration),
    /// The id that an answer carries.
    AnswerId(fn(&Value) -> Option<Value>),
    /// Changes the error for what is no request, and gives it an id.
    Refusal(fn(&mut RpcError) -> Option<Value>),
    /// Does something when the client has sent `notifications/initialized`.
    Initialized(fn(&mut Connection)),
    /// Does something when the client has answered a request of the server's own.
    Answered(fn(&mut Connection, &Value)),
    /// Where a page starts.
    PageStart(fn(&Page<'_>) -> Option<Result<usize, RpcError>>),
    /// Changes a page that was made.
    PageMade(fn(&Made<'_>, &mut Value)),
    /// Changes the definitions of tools/list.
    Tools(fn(&Connection, &Call, &mut Vec<Value>)),
    /// Gives a tool another name.
    ToolName(&'static str),
    /// Passes something over that is wrong with the arguments of a tool.
    Overlooks(fn(&ValidationError<'_>) -> bool),
    /// Ends a call for its arguments.
    Arguments(fn(&mut Connection, &Value) -> Option<Reply>),
    /// Does something before a process reads or writes anything.
    Start(fn()),
    /// Changes the lines that a process has read at once; the number is that of the reads it took.
    Lines(fn(&mut Vec<Vec<u8>>, u32)),
    /// Changes a line that a process writes; the flag is whether it has written something before.
    Line(fn(&str, bool, &mut Line)),
    /// Has a process stay when its input has ended.
    Stays(fn(Ended) -> bool),
    /// Changes an HTTP request before it is routed, or answers it.
    HttpRequest(fn(&Hub, &mut Asked, &mut Posted) -> Option<Answer>),
    /// Changes the answer to an HTTP request.
    HttpAnswer(fn(&Hub, Answer, &Asked, &Posted) -> Answer),
    /// Makes the id of an HTTP session, from its number and a random one.
    SessionId(fn(u64, &str) -> Option<String>),
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hook::Rewrite(edits) => f.debug_tuple("Rewrite").field(edits).finish(),
            Hook::Switch(switches) => f.debug_tuple("Switch").field(switches).finish(),
            Hook::ToolName(name) => f.debug_tuple("ToolName").field(name).finish(),
            _ => f.write_str("Hook"),
        }
    }
}
