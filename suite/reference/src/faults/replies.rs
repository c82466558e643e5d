//! Replies that many faults give.

use serde_json::{Value, json};
use wire::mcp::code;

use crate::core::{Action, Call, Connection, Reply};
use crate::error::RpcError;

/// An error.
pub(super) fn error(code: i64, why: impl Into<String>) -> Reply {
    RpcError::new(code, why).into()
}

/// The error for invalid params.
pub(super) fn invalid(why: &str) -> Reply {
    RpcError::invalid_params(why).into()
}

/// The error for a method that does not exist.
pub(super) fn unknown(method: &str) -> Reply {
    RpcError::unknown_method(method).into()
}

/// The error of a server that does not offer what it was asked for, with a code other than it should have.
pub(super) fn unavailable() -> Reply {
    error(code::INVALID_PARAMS, "This is not available")
}

/// The error of something that went wrong inside.
pub(super) fn went_wrong() -> Reply {
    error(code::INTERNAL_ERROR, "it went wrong")
}

/// An empty result.
pub(super) fn empty() -> Reply {
    Reply::Result(json!({}))
}

/// Ends the process, or the whole HTTP server; the request is not answered.
pub(super) fn exit(connection: &mut Connection) -> Reply {
    connection.act(Action::Exit(1));
    Reply::Later
}

/// Gives an error another code on a condition.
pub(super) fn recode(applies: bool, error: &mut RpcError, code: i64) -> Option<Reply> {
    if applies {
        error.code = code;
    }
    None
}

/// Takes a capability out of those that the server declares.
pub(super) fn undeclare(call: &Call, result: &mut Value, name: &str) -> Option<Reply> {
    if ["initialize", "server/discover"].contains(&call.method.as_str())
        && let Some(capabilities) = result["capabilities"].as_object_mut()
    {
        capabilities.shift_remove(name);
    }
    None
}

/// Keeps memory for ever.
pub(super) fn leak(bytes: usize) {
    std::mem::forget(std::hint::black_box(vec![1_u8; bytes]));
}
