//! Handles for the state of a tool, as results carry them.

use serde_json::Value;

/// The handle in the result of a call: the member `field`, or what a JSON pointer leads to, of the structured content or else
/// of a text that is JSON.
#[must_use]
pub fn handle(result: &Value, field: &str) -> Option<String> {
    let pointer = if field.starts_with('/') { field.to_owned() } else { format!("/{field}") };
    let text = result.pointer("/content/0/text").and_then(Value::as_str);
    let written: Option<Value> = text.and_then(|text| serde_json::from_str(text).ok());
    let found = result.get("structuredContent").and_then(|content| content.pointer(&pointer)).cloned();
    match found.or_else(|| written?.pointer(&pointer).cloned())? {
        Value::String(handle) => Some(handle),
        Value::Number(handle) => Some(handle.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::handle;

    #[test]
    fn a_handle_is_found_in_structured_content_or_in_text() {
        let structured = json!({"structuredContent": {"basket": {"id": "a"}}, "content": []});
        assert_eq!(handle(&structured, "/basket/id").as_deref(), Some("a"));
        let text = json!({"content": [{"type": "text", "text": "{\"id\": 7}"}]});
        assert_eq!(handle(&text, "id").as_deref(), Some("7"));
        assert_eq!(handle(&json!({"content": []}), "id"), None);
    }
}
