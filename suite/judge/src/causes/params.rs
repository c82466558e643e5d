//! The parameters that the methods of the specification require, as far as a reader of requests must know them.

use serde_json::Value;
use wire::Message;
use wire::mcp::LOG_LEVELS;

/// What a parameter must be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Text,
    Object,
    /// An object whose members are strings.
    Texts,
    /// An object that says what to subscribe to: its members are booleans or lists.
    Filter,
    Any,
    /// One of these strings.
    OneOf(&'static [&'static str]),
}
use Kind::{Any, Filter, Object, OneOf, Text, Texts};

/// A parameter, and whether it may be absent.
pub(super) type Params = &'static [(&'static str, Kind, bool)];

const CURSOR: Params = &[("cursor", Text, false)];
const URI: Params = &[("uri", Text, true)];
const TASK: Params = &[("taskId", Text, true)];
const COMPLETION: Params = &[
    ("ref/type", OneOf(&["ref/prompt", "ref/resource"]), true),
    ("argument/name", Text, true),
    ("argument/value", Text, true),
];
/// By method; params of the types in `schema.json` of every revision.
const METHODS: [(&str, Params); 25] = [
    ("completion/complete", COMPLETION),
    ("initialize", &[("protocolVersion", Text, true), ("capabilities", Object, true), ("clientInfo", Object, true)]),
    ("logging/setLevel", &[("level", OneOf(&LOG_LEVELS), true)]),
    ("notifications/cancelled", &[("requestId", Any, true)]),
    ("notifications/initialized", &[]),
    ("notifications/progress", &[("progressToken", Any, true), ("progress", Any, true)]),
    ("notifications/roots/list_changed", &[]),
    ("notifications/tasks/status", &[]),
    ("ping", &[]),
    ("prompts/get", &[("name", Text, true), ("arguments", Texts, false)]),
    ("prompts/list", CURSOR),
    ("resources/list", CURSOR),
    ("resources/read", URI),
    ("resources/subscribe", URI),
    ("resources/templates/list", CURSOR),
    ("resources/unsubscribe", URI),
    ("server/discover", &[]),
    ("subscriptions/listen", &[("notifications", Filter, true)]),
    ("tasks/cancel", TASK),
    ("tasks/get", TASK),
    ("tasks/list", CURSOR),
    ("tasks/result", TASK),
    ("tasks/update", TASK),
    ("tools/call", &[("name", Text, true), ("arguments", Object, false)]),
    ("tools/list", CURSOR),
];

/// What this method requires; none if the specification has no such method.
pub(super) fn required(method: &str) -> Option<Params> {
    METHODS.iter().find(|(name, _)| *name == method).map(|(_, params)| *params)
}

/// Whether the params of this request are what its method requires.
pub(super) fn fit(request: &Message, required: Params) -> bool {
    let params = request.params().unwrap_or(&Value::Null);
    required.iter().all(|(name, kind, must)| match (params.pointer(&format!("/{name}")), kind) {
        (None, _) => !must,
        (Some(value), Text) => value.is_string(),
        (Some(value), Object) => value.is_object(),
        (Some(value), Texts) => value.as_object().is_some_and(|members| members.values().all(Value::is_string)),
        (Some(value), Filter) => {
            let fits = |value: &Value| value.is_boolean() || value.is_array();
            value.as_object().is_some_and(|members| members.values().all(fits))
        }
        (Some(value), OneOf(values)) => value.as_str().is_some_and(|value| values.contains(&value)),
        (Some(_), Any) => true,
    })
}
