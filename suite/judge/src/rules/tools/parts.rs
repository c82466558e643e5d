//! Tools that do many things in one call: the result says of each item of an argument whether it was refused.

use serde_json::Value;

use super::came::arguments;
use crate::Case;

/// How deep in a result the list of outcomes is looked for.
const DEPTH: usize = 4;

/// Whether the item of `at`, a JSON Pointer into the arguments of `case`, was refused by itself: the result has a list
/// with one entry for each item, and the entry of this one tells of a failure.
pub(super) fn refuses_item(case: &Case<'_>, at: &str) -> bool {
    let (Some(result), arguments) = (case.result(), arguments(case)) else { return false };
    let texts = result["content"].as_array().into_iter().flatten().filter_map(|block| block["text"].as_str());
    let mut documents: Vec<Value> = texts.filter_map(|text| serde_json::from_str(text).ok()).collect();
    documents.push(result["structuredContent"].clone());
    items(&arguments, at).any(|item| documents.iter().any(|document| tells_of(document, item, DEPTH)))
}

/// An item of a list: its index and how many there are.
#[derive(Clone, Copy)]
struct Item {
    index: usize,
    of: usize,
}

/// The items that `at` is or lies in, outermost first.
fn items<'a>(arguments: &'a Value, at: &'a str) -> impl Iterator<Item = Item> + 'a {
    at.match_indices('/').filter_map(move |(slash, _)| {
        let of = arguments.pointer(&at[..slash])?.as_array()?.len();
        let index = at[slash + 1..].split('/').next()?.parse().ok()?;
        Some(Item { index, of })
    })
}

fn tells_of(document: &Value, item: Item, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match document {
        Value::Array(entries) if entries.len() == item.of && entries.get(item.index).is_some_and(is_failure) => true,
        Value::Array(entries) => entries.iter().any(|entry| tells_of(entry, item, depth)),
        Value::Object(members) => members.values().any(|member| tells_of(member, item, depth)),
        _ => false,
    }
}

/// Whether an outcome says, in one of the usual ways, that it is a failure.
fn is_failure(outcome: &Value) -> bool {
    outcome.as_object().is_some_and(|members| {
        members.iter().any(|(name, value)| match name.to_ascii_lowercase().as_str() {
            "ok" | "success" | "succeeded" => value == false,
            "iserror" | "is_error" | "failed" => value == true,
            "error" => value.is_object() || value.as_str().is_some_and(|words| !words.is_empty()),
            "status" => value.as_str().is_some_and(|word| {
                ["error", "failed", "failure", "rejected"].contains(&word.to_ascii_lowercase().as_str())
            }),
            _ => false,
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    const REJECTED: &str = "tools.call.invalid-arguments-rejected";

    /// A call whose second of two items lacks its path.
    fn second_of_two(result: Value) -> Script {
        let item = json!({"type": "object", "required": ["path"]});
        let schema = json!({"type": "object", "properties": {"items": {"type": "array", "items": item}}});
        let tools = json!({"result": {"tools": [{"name": "write", "inputSchema": schema}]}});
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}})).plain("tools/list", json!({}), tools);
        let about = json!({"tool": "write", "keyword": "required", "at": "/items/1", "firm": true});
        let call = json!({"name": "write", "arguments": {"items": [{"path": "a"}, {}]}});
        script.probe_about(Intent::InvalidCall, about, "tools/call", call, json!({"result": result}))
    }

    fn structured(results: Value) -> Value {
        json!({"content": [], "structuredContent": {"data": {"results": results}}})
    }

    #[test]
    fn an_item_that_is_refused_by_itself_is_not_accepted() {
        let (good, bad) = (json!({"ok": true}), json!({"ok": false, "index": 2}));
        let told = second_of_two(structured(json!([good, bad])));
        assert_ne!(told.status_of(REJECTED), Status::Fail);
        assert_eq!(told.verdict(REJECTED).notes.len(), 1);
        let text = r#"[{"path": "a"}, {"error": "path must be a string"}]"#;
        let told = second_of_two(json!({"content": [{"type": "text", "text": text}]}));
        assert_ne!(told.status_of(REJECTED), Status::Fail);
        // Another item failed, or the list is of something else.
        for results in [json!([bad, good]), json!([good, good]), json!([bad]), json!([good, bad, bad])] {
            assert_eq!(second_of_two(structured(results)).status_of(REJECTED), Status::Fail);
        }
    }
}
