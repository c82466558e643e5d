//! JSON-RPC errors that the server answers with.

use serde_json::{Value, json};
use wire::mcp::code;

/// The error member of a response.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) data: Option<Value>,
}

impl RpcError {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(crate) fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    pub(crate) fn parse() -> Self {
        Self::new(code::PARSE_ERROR, "Parse error: the input is not JSON")
    }

    pub(crate) fn invalid_request(why: &str) -> Self {
        Self::new(code::INVALID_REQUEST, format!("Invalid request: {why}"))
    }

    pub(crate) fn unknown_method(method: &str) -> Self {
        Self::new(code::METHOD_NOT_FOUND, format!("Method not found: {}", shorten(method)))
    }

    pub(crate) fn invalid_params(why: impl AsRef<str>) -> Self {
        Self::new(code::INVALID_PARAMS, format!("Invalid params: {}", why.as_ref()))
    }

    pub(crate) fn header_mismatch(why: &str) -> Self {
        Self::new(code::HEADER_MISMATCH, format!("Header mismatch: {why}"))
    }

    pub(crate) fn missing_capability(name: &str) -> Self {
        Self::missing_capabilities(&[name])
    }

    /// Capabilities, or with a dot in them parts of one. An elicitation is by forms unless it says otherwise.
    pub(crate) fn missing_capabilities(names: &[&str]) -> Self {
        let whole =
            |name: &&str| if *name == "elicitation" { "elicitation.form".to_owned() } else { (*name).to_owned() };
        let names: Vec<String> = names.iter().map(whole).collect();
        let mut required = json!({});
        for name in &names {
            match name.split_once('.') {
                Some((whole, part)) => required[whole][part] = json!({}),
                None => required[name] = json!({}),
            }
        }
        let (noun, verb) = if names.len() == 1 { ("capability", "is") } else { ("capabilities", "are") };
        Self::new(code::MISSING_CLIENT_CAPABILITY, format!("The client {noun} {} {verb} required", names.join(", ")))
            .with_data(json!({"requiredCapabilities": required}))
    }

    pub(crate) fn unsupported_version(requested: &str, supported: &[&str]) -> Self {
        Self::new(code::UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version")
            .with_data(json!({"supported": supported, "requested": requested}))
    }

    pub(crate) fn to_value(&self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        error
    }
}

/// A name from outside, on one line and short enough for a message.
pub(crate) fn shorten(name: &str) -> String {
    let mut short: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    if name.chars().count() > 60 {
        short.push('…');
    }
    short
}
