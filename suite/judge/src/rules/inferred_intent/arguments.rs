//! Requests that leave out what the definition requires: what no lenient reading could make right.

use serde_json::{Value, json};
use verdict::Transport;
use wire::mcp::code;

use super::lists::Lists;
use super::{given, has_only};
use crate::Case;
use crate::rules::common::error_text;
use crate::rules::lists::{PROMPTS, TOOLS};

pub(super) fn tool<'v>(case: &Case<'v>, lists: &Lists<'v>) -> Option<Value> {
    let name = named(case)?;
    let schema = lists.definition(&TOOLS, name)?.get("inputSchema")?;
    let given = given(case)?;
    let mut required = schema.get("required")?.as_array()?.iter().filter_map(Value::as_str);
    let missing = required.find(|name| !given.contains_key(*name))?;
    // The server itself knows what to take instead.
    let replaced = schema.get("properties").and_then(|all| all.get(missing)?.get("default")).is_some();
    let certain = !replaced && (is_served(case) || names(case, missing)) && lists.offer(case, &TOOLS, name);
    certain.then(|| json!({"tool": name, "keyword": "required", "at": "", "firm": true}))
}

pub(super) fn prompt<'v>(case: &Case<'v>, lists: &Lists<'v>) -> Option<Value> {
    let name = named(case)?;
    let declared = lists.definition(&PROMPTS, name)?.get("arguments")?.as_array()?;
    let given = given(case)?;
    let required = declared.iter().filter(|argument| argument.get("required") == Some(&Value::Bool(true)));
    let mut names = required.filter_map(|argument| argument.get("name")?.as_str());
    let missing = names.find(|name| !given.contains_key(*name))?;
    // Whether an error is about this, only the same request with the argument would show.
    let served = case.result()?.get("messages").is_some_and(Value::is_array);
    (served && lists.offer(case, &PROMPTS, name)).then(|| json!({"argument": missing}))
}

/// Returns the name that a request asks for, where no change of its definition can have escaped the client.
fn named<'v>(case: &Case<'v>) -> Option<&'v str> {
    let told = case.view.revision.is_handshake() && case.view.transport != Transport::Http;
    case.param("name")?.as_str().filter(|_| told && has_only(case, &["name", "arguments", "_meta"]))
}

/// A result that has nothing to do with tasks, and is no failure.
fn is_served(case: &Case<'_>) -> bool {
    let served = |result: &Value| result.get("content").is_some_and(Value::is_array) && result.get("task").is_none();
    !case.is_tool_error() && case.result().is_some_and(served)
}

/// A refusal that names it: what says nothing of the arguments may have another cause.
fn names(case: &Case<'_>, argument: &str) -> bool {
    let named = |text: &str| {
        let mut words = text.split(|letter: char| !letter.is_alphanumeric() && !"_-".contains(letter));
        words.any(|word| word.eq_ignore_ascii_case(argument))
    };
    let blocks = case.result().filter(|_| case.is_tool_error()).and_then(|result| result.get("content")?.as_array());
    let mut texts = blocks.into_iter().flatten().filter_map(|block| block.get("text")?.as_str());
    texts.any(named) || (case.error_code() == Some(code::INVALID_PARAMS) && named(&error_text(case)))
}
