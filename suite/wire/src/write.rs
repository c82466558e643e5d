//! Messages to text: one line each, without the newline that ends it on stdio.
//!
//! Members stand in a fixed order (`jsonrpc`, `id`, `method`, ...), so what is sent is the same in every run.

use serde_json::{Map, Value};

use crate::id::Id;
use crate::message::Message;

/// The text of an `id` member: from an [`Id`], a number, or raw text that need not be a legal id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdText(String);

impl IdText {
    /// Text to stand after `"id":`, as it is.
    #[must_use]
    pub fn raw(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<&Id> for IdText {
    fn from(id: &Id) -> Self {
        Self(id.to_json())
    }
}

impl From<Id> for IdText {
    fn from(id: Id) -> Self {
        Self(id.to_json())
    }
}

impl From<i64> for IdText {
    fn from(number: i64) -> Self {
        Self(number.to_string())
    }
}

/// A request.
#[must_use]
pub fn request(id: impl Into<IdText>, method: &str, params: Option<&Value>) -> String {
    let mut line = open();
    member(&mut line, "id", &id.into().0);
    member(&mut line, "method", &Value::from(method).to_string());
    if let Some(params) = params {
        member(&mut line, "params", &params.to_string());
    }
    close(line)
}

/// A notification.
#[must_use]
pub fn notification(method: &str, params: Option<&Value>) -> String {
    let mut line = open();
    member(&mut line, "method", &Value::from(method).to_string());
    if let Some(params) = params {
        member(&mut line, "params", &params.to_string());
    }
    close(line)
}

/// A response with a result.
#[must_use]
pub fn response(id: impl Into<IdText>, result: &Value) -> String {
    let mut line = open();
    member(&mut line, "id", &id.into().0);
    member(&mut line, "result", &result.to_string());
    close(line)
}

/// A response with an error; without `id` when there is none to name.
#[must_use]
pub fn error(id: Option<IdText>, code: i64, message: &str, data: Option<&Value>) -> String {
    let mut line = open();
    if let Some(id) = id {
        member(&mut line, "id", &id.0);
    }
    let mut body = Map::new();
    body.insert("code".into(), code.into());
    body.insert("message".into(), message.into());
    if let Some(data) = data {
        body.insert("data".into(), data.clone());
    }
    member(&mut line, "error", &Value::Object(body).to_string());
    close(line)
}

/// A message as it is, its id with the spelling it came with.
#[must_use]
pub fn message(message: &Message) -> String {
    let Some(members) = message.shared.object() else { return message.but_for_id().to_string() };
    let mut line = vec![b'{'];
    for (name, value) in members {
        if line.len() > 1 {
            line.push(b',');
        }
        push(&mut line, name.as_str());
        line.push(b':');
        match &message.id {
            Some(id @ (Id::Integer(_) | Id::Number(_))) if name == "id" => line.extend(id.to_json().bytes()),
            _ => push(&mut line, value),
        }
    }
    // JSON is UTF-8.
    close(String::from_utf8(line).unwrap_or_default())
}

/// The JSON text of a value; writing to memory cannot fail, nor can a value that was read.
fn push(line: &mut Vec<u8>, value: &(impl serde::Serialize + ?Sized)) {
    let written = serde_json::to_writer(line, value);
    debug_assert!(written.is_ok());
}

/// Several messages as one batch.
#[must_use]
pub fn batch(lines: &[String]) -> String {
    format!("[{}]", lines.join(","))
}

/// Any bytes as one line: line feeds, which would end it, become spaces (the same white space to JSON).
#[must_use]
pub fn raw(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    bytes.as_ref().iter().map(|&b| if b == b'\n' { b' ' } else { b }).collect()
}

fn open() -> String {
    String::from(r#"{"jsonrpc":"2.0""#)
}

fn member(line: &mut String, name: &str, text: &str) {
    line.push_str(",\"");
    line.push_str(name);
    line.push_str("\":");
    line.push_str(text);
}

/// Only a raw id can have brought a line feed: `serde_json` escapes its own.
fn close(mut line: String) -> String {
    line.push('}');
    if line.contains('\n') { line.replace('\n', " ") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_builder_writes_its_kind() {
        let params = json!({"a": "x\ny"});
        assert_eq!(
            request(7, "tools/call", Some(&params)),
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"x\ny"}}"#
        );
        assert_eq!(
            notification("notifications/initialized", None),
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
        );
        assert_eq!(response(Id::from("a\"b"), &json!({})), r#"{"jsonrpc":"2.0","id":"a\"b","result":{}}"#);
        assert_eq!(
            error(Some(Id::Null.into()), -32700, "no", Some(&json!(1))),
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no","data":1}}"#
        );
        assert_eq!(error(None, 1, "m", None), r#"{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}"#);
        assert_eq!(batch(&["{}".into(), "1".into()]), "[{},1]");
    }

    #[test]
    fn a_raw_id_stands_as_given_and_cannot_end_the_line() {
        assert_eq!(request(IdText::raw("1.50"), "m", None), r#"{"jsonrpc":"2.0","id":1.50,"method":"m"}"#);
        assert!(!request(IdText::raw("1\n"), "m", None).contains('\n'));
        assert_eq!(raw("{\n\"a\":1}\n"), b"{ \"a\":1} ");
    }
}
