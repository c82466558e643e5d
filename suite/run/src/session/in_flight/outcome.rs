//! What comes of a request.

use serde_json::Value;
use wire::Message;

/// The outcome of a request.
#[derive(Clone, Debug)]
pub enum RequestOutcome {
    /// A response or an error.
    Answer(Message),
    /// An HTTP response without a JSON-RPC message.
    Status(u16),
    /// Nothing within the time limit.
    Silent,
    /// The server ended or broke the connection.
    Gone,
}

impl RequestOutcome {
    /// The result, if that is what came.
    #[must_use]
    pub fn result(&self) -> Option<&Value> {
        match self {
            Self::Answer(message) => message.result(),
            _ => None,
        }
    }

    /// The error code, if an error came.
    #[must_use]
    pub fn error_code(&self) -> Option<i64> {
        match self {
            Self::Answer(message) => message.error_code(),
            _ => None,
        }
    }

    /// Whether the server gave any sign of life.
    #[must_use]
    pub fn is_sign_of_life(&self) -> bool {
        matches!(self, Self::Answer(_) | Self::Status(_))
    }
}
