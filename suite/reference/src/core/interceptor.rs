//! Where others have a say in what the core does. A conforming server has no interceptors, or such as make use of an allowance;
//! faults are interceptors too.

use std::time::Duration;

use jsonschema::ValidationError;
use serde_json::Value;

use super::call::{Call, Reply};
use super::connection::Connection;
use super::emit::About;
use super::page::Page;
use crate::Revision;
use crate::error::RpcError;

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

/// How a payload is taken in.
#[derive(Debug)]
pub(crate) enum Payload {
    /// It is read.
    AsIs,
    /// The process ends.
    Fatal,
    /// Nothing is done about it.
    Dropped,
    /// This is read instead.
    Instead(Vec<u8>),
    /// This is read first, then the payload.
    Before(Vec<u8>),
}

/// Edits that are left to be done to a message once it is text.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    /// It is not sent.
    pub(crate) drop: bool,
    /// Messages sent before it; `$id` stands for its id.
    pub(crate) before: Vec<String>,
    /// Messages sent after it.
    pub(crate) after: Vec<String>,
    /// Texts replaced where they occur first.
    pub(crate) texts: Vec<(&'static str, &'static str)>,
    /// It is sent again.
    pub(crate) twice: bool,
    /// It is sent as the only element of an array.
    pub(crate) wrap: bool,
}

impl Edits {
    /// The edited text of a message.
    pub(crate) fn text(&self, mut text: String) -> String {
        for (from, to) in &self.texts {
            text = text.replacen(from, to, 1);
        }
        if self.wrap { format!("[{text}]") } else { text }
    }
}

/// A page that was made.
#[derive(Clone, Copy)]
pub(crate) struct Made<'a> {
    pub(crate) page: &'a Page<'a>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Made<'_> {
    /// Whether it is the last page of its list.
    pub(crate) fn is_last(&self) -> bool {
        self.end >= self.page.items.len()
    }
}

/// A message as it is written to a pipe.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) text: Vec<u8>,
    pub(crate) end: &'static str,
    /// Its end is not written until something else is.
    pub(crate) held: bool,
}

/// How the end of the input finds a process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    /// Requests are being worked on.
    pub(crate) busy: bool,
    /// The client has said something.
    pub(crate) said: bool,
    /// Nobody reads the output.
    pub(crate) deaf: bool,
}
