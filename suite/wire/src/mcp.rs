//! Names and numbers that the Model Context Protocol defines on top of JSON-RPC, each once.

/// Error codes. The first five are JSON-RPC 2.0's (section 5.1), the others MCP's.
pub mod code {
    /// The message is not valid JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// The JSON is not a valid request object.
    pub const INVALID_REQUEST: i64 = -32600;
    /// The method does not exist or is not available.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The parameters are missing or invalid.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The server failed.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// The first code reserved for implementation-defined server errors, and SDKs' "connection closed".
    pub const SERVER_ERROR: i64 = -32000;
    /// A resource does not exist (server/resources.mdx#error-handling, to 2025-11-25).
    pub const RESOURCE_NOT_FOUND: i64 = -32002;
    /// HTTP headers contradict the body (schema, `HeaderMismatchError`, 2026-07-28).
    pub const HEADER_MISMATCH: i64 = -32020;
    /// The client lacks a capability that the request needs (schema, `MissingRequiredClientCapabilityError`, 2026-07-28).
    pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
    /// The server does not speak the version (schema, `UnsupportedProtocolVersionError`, 2026-07-28).
    pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;
    /// The user must visit a URL first (schema, `URLElicitationRequiredError`, 2025-11-25).
    pub const URL_ELICITATION_REQUIRED: i64 = -32042;
    /// The request was cancelled. Not MCP's: the Language Server Protocol's code, which some servers use.
    pub const REQUEST_CANCELLED: i64 = -32800;

    /// Whether it may come from where messages are taken in, before anything asks what the request is.
    #[must_use]
    pub fn is_from_intake(code: i64) -> bool {
        matches!(code, PARSE_ERROR | INVALID_REQUEST | HEADER_MISMATCH)
    }
}

/// The levels of log messages, the mildest first (schema, `LoggingLevel`).
pub const LOG_LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// Keys of `_meta` that the protocol reserves (basic/index.mdx#_meta).
pub mod meta {
    /// The revision of a stateless request.
    pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    /// The capabilities of the client of a stateless request.
    pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    /// Who sent a stateless request.
    pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    /// The least severe log message that a stateless request wants.
    pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    /// Who answered a stateless request.
    pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
    /// The subscription that a notification belongs to.
    pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
    /// The task that a message belongs to (basic/utilities/tasks.mdx of 2025-11-25).
    pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
    /// A text for the model while a task goes on (basic/utilities/tasks.mdx of 2025-11-25).
    pub const MODEL_IMMEDIATE_RESPONSE: &str = "io.modelcontextprotocol/model-immediate-response";
}

/// Identifiers of official extensions.
pub mod extension {
    /// Tasks, as of 2026-07-28.
    pub const TASKS: &str = "io.modelcontextprotocol/tasks";
    /// User interfaces (MCP Apps).
    pub const UI: &str = "io.modelcontextprotocol/ui";
}
