//! Defects of the envelope of a message.
//!
//! A defect is an observation, not a verdict: which revision forbids what is for rules to say.

use std::fmt;

/// Something about a message's envelope that JSON-RPC or MCP does not provide for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Defect {
    /// The message is no object.
    NotAnObject,
    /// No `jsonrpc` member.
    VersionMissing,
    /// `jsonrpc` is not the string `"2.0"`; its JSON text, shortened.
    VersionWrong(String),
    /// `method` is no string.
    MethodNotString,
    /// `params` is no object.
    ParamsNotObject,
    /// `id` is `null`. Of an error this alone is no fault: JSON-RPC says so that the id could not be read.
    IdNull,
    /// `id` is a number that is not whole.
    IdFractional,
    /// `id` is a boolean, an array or an object.
    IdWrongType,
    /// A response or an error without `id`. Of an error this alone is no fault: the request may have been unreadable.
    IdMissing,
    /// `result` and `error` together.
    ResultAndError,
    /// `method` together with `result` or `error`.
    MethodAndOutcome,
    /// None of `method`, `result` and `error`.
    NoKind,
    /// `result` is no object.
    ResultNotObject,
    /// `error` is no object.
    ErrorNotObject,
    /// `error` has no `code`.
    ErrorCodeMissing,
    /// `error.code` is not a whole number.
    ErrorCodeNotInteger,
    /// `error` has no `message`.
    ErrorMessageMissing,
    /// `error.message` is no string.
    ErrorMessageNotString,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::VersionWrong(text) => return write!(f, "\"jsonrpc\" is {text}, not \"2.0\""),
            Self::NotAnObject => "the message is not an object",
            Self::VersionMissing => "\"jsonrpc\" is missing",
            Self::MethodNotString => "\"method\" is not a string",
            Self::ParamsNotObject => "\"params\" is not an object",
            Self::IdNull => "\"id\" is null",
            Self::IdFractional => "\"id\" is not a whole number",
            Self::IdWrongType => "\"id\" is neither a string nor a number",
            Self::IdMissing => "\"id\" is missing",
            Self::ResultAndError => "\"result\" and \"error\" are both present",
            Self::MethodAndOutcome => "\"method\" is present together with \"result\" or \"error\"",
            Self::NoKind => "none of \"method\", \"result\" and \"error\" is present",
            Self::ResultNotObject => "\"result\" is not an object",
            Self::ErrorNotObject => "\"error\" is not an object",
            Self::ErrorCodeMissing => "\"error.code\" is missing",
            Self::ErrorCodeNotInteger => "\"error.code\" is not an integer",
            Self::ErrorMessageMissing => "\"error.message\" is missing",
            Self::ErrorMessageNotString => "\"error.message\" is not a string",
        })
    }
}
