//! Full and minimal valid instances of every definition of a server message.

use serde_json::{Value, json};
use verdict::Revision::{self, V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use wire::Kind;

/// Which of our shapes a definition is compared with.
#[derive(Clone, Copy)]
pub(crate) enum Of {
    /// The result of this method.
    Result(&'static str),
    /// A message of the server with this method.
    Message(&'static str, Kind),
    /// An error with this code.
    Error(i64),
    /// A bare envelope.
    Envelope(Kind),
}

/// An instance of a definition.
pub(crate) struct Sample {
    /// The definition's name in the published schema.
    pub(crate) definition: &'static str,
    /// Our shape.
    pub(crate) of: Of,
    /// The instance.
    pub(crate) value: Value,
    /// What is mutated: a JSON pointer.
    pub(crate) root: &'static str,
}

/// Every instance for one revision.
pub(crate) fn all(revision: Revision) -> Vec<Sample> {
    let mut samples = results(revision);
    samples.extend(lists(revision));
    samples.extend(later_results(revision));
    samples.extend(notifications(revision));
    samples.extend(requests(revision));
    samples.extend(envelopes(revision));
    samples
}

/// A result, with what every result of the revision has.
fn result(definition: &'static str, method: &'static str, revision: Revision, mut value: Value) -> Sample {
    if revision >= V2026_07_28 {
        let members = value.as_object_mut().expect("a result is an object");
        members.entry("resultType").or_insert(json!("complete"));
    }
    Sample { definition, of: Of::Result(method), value, root: "" }
}

/// The same, with caching hints.
fn cached(definition: &'static str, method: &'static str, revision: Revision, mut value: Value) -> Sample {
    if revision >= V2026_07_28 {
        value["ttlMs"] = json!(60);
        value["cacheScope"] = json!("public");
    }
    result(definition, method, revision, value)
}

fn icons() -> Value {
    json!([{"src": "https://e.org/i.png", "mimeType": "image/png", "sizes": ["48x48", "any"], "theme": "dark"}, {"src": "data:image/png;base64,TWFu"}])
}

fn annotations() -> Value {
    json!({"audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2025-11-25T10:30:00Z"})
}

/// Content blocks that the revision defines.
fn content(revision: Revision) -> Value {
    let mut blocks = vec![
        json!({"type": "text", "text": "t", "annotations": annotations(), "_meta": {"a": 1}}),
        json!({"type": "image", "data": "TWFu", "mimeType": "image/png", "annotations": annotations(), "_meta": {}}),
        json!({"type": "resource", "resource": {"uri": "file:///a", "mimeType": "text/plain", "text": "t", "_meta": {}}, "annotations": {}, "_meta": {}}),
        json!({"type": "resource", "resource": {"uri": "file:///b", "mimeType": "image/png", "blob": "TWFu"}}),
    ];
    if revision >= V2025_03_26 {
        blocks.push(json!({"type": "audio", "data": "TWFu", "mimeType": "audio/wav", "annotations": annotations(), "_meta": {}}));
    }
    if revision >= V2025_06_18 {
        blocks.push(json!({"type": "resource_link", "uri": "file:///c", "name": "c", "title": "C", "description": "d", "mimeType": "text/plain", "size": 3,
            "annotations": annotations(), "icons": icons(), "_meta": {}}));
    }
    Value::Array(blocks)
}

fn implementation() -> Value {
    json!({"name": "s", "version": "1", "title": "S", "description": "d", "websiteUrl": "https://e.org", "icons": icons()})
}

fn capabilities() -> Value {
    json!({"tools": {"listChanged": true}, "resources": {"listChanged": true, "subscribe": true}, "prompts": {"listChanged": false},
        "logging": {}, "completions": {}, "experimental": {"a": {}}, "extensions": {"a.b/c": {}},
        "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}})
}

fn tool() -> Value {
    let schema = json!({"type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    json!({"name": "t", "title": "T", "description": "d", "inputSchema": schema, "outputSchema": schema, "icons": icons(), "_meta": {"a": 1},
        "annotations": {"title": "A", "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
        "execution": {"taskSupport": "optional"}})
}

fn task() -> Value {
    json!({"taskId": "t", "status": "working", "statusMessage": "m", "createdAt": "2025-11-25T10:30:00Z", "lastUpdatedAt": "2025-11-25T10:30:00Z",
        "ttl": 1000, "pollInterval": 10})
}

fn lists(revision: Revision) -> Vec<Sample> {
    let resource = json!({"uri": "file:///a", "name": "a", "title": "A", "description": "d", "mimeType": "text/plain", "size": 3,
        "annotations": annotations(), "icons": icons(), "_meta": {}});
    let template = json!({"uriTemplate": "file:///{a}", "name": "a", "title": "A", "description": "d", "mimeType": "text/plain",
        "annotations": annotations(), "icons": icons(), "_meta": {}});
    let prompt = json!({"name": "p", "title": "P", "description": "d", "icons": icons(), "_meta": {},
        "arguments": [{"name": "a", "title": "A", "description": "d", "required": true}, {"name": "b"}]});
    let minimal = json!({"name": "t", "inputSchema": {"type": "object"}});
    vec![
        cached(
            "ListToolsResult",
            "tools/list",
            revision,
            json!({"tools": [tool(), minimal], "nextCursor": "c", "_meta": {"a": 1}}),
        ),
        cached("ListToolsResult", "tools/list", revision, json!({"tools": []})),
        cached(
            "ListResourcesResult",
            "resources/list",
            revision,
            json!({"resources": [resource, {"uri": "a:b", "name": "b"}], "nextCursor": "", "_meta": {}}),
        ),
        cached(
            "ListResourceTemplatesResult",
            "resources/templates/list",
            revision,
            json!({"resourceTemplates": [template, {"uriTemplate": "a:{b}", "name": "b"}], "nextCursor": "c", "_meta": {}}),
        ),
        cached(
            "ListPromptsResult",
            "prompts/list",
            revision,
            json!({"prompts": [prompt, {"name": "q"}], "nextCursor": "c", "_meta": {}}),
        ),
    ]
}

fn results(revision: Revision) -> Vec<Sample> {
    let blocks = content(revision);
    let messages: Vec<Value> =
        blocks.as_array().expect("an array").iter().map(|block| json!({"role": "user", "content": block})).collect();
    let contents = json!([{"uri": "file:///a", "mimeType": "text/plain", "text": "t", "_meta": {}}, {"uri": "file:///b", "blob": "TWFu"}]);
    let mut samples = vec![
        result(
            "CallToolResult",
            "tools/call",
            revision,
            json!({"content": blocks, "isError": false, "structuredContent": {"a": [1]}, "_meta": {"a": 1}}),
        ),
        result("CallToolResult", "tools/call", revision, json!({"content": []})),
        result(
            "GetPromptResult",
            "prompts/get",
            revision,
            json!({"description": "d", "messages": messages, "_meta": {}}),
        ),
        result("GetPromptResult", "prompts/get", revision, json!({"messages": []})),
        cached("ReadResourceResult", "resources/read", revision, json!({"contents": contents, "_meta": {}})),
        result(
            "CompleteResult",
            "completion/complete",
            revision,
            json!({"completion": {"values": ["a", ""], "total": 2, "hasMore": false}, "_meta": {}}),
        ),
        result("CompleteResult", "completion/complete", revision, json!({"completion": {"values": []}})),
    ];
    if revision.is_handshake() {
        let hello = json!({"protocolVersion": revision.as_str(), "capabilities": capabilities(), "serverInfo": implementation(), "instructions": "i", "_meta": {}});
        samples.push(result("InitializeResult", "initialize", revision, hello));
        let hello = json!({"protocolVersion": "x", "capabilities": {}, "serverInfo": {"name": "", "version": ""}});
        samples.push(result("InitializeResult", "initialize", revision, hello));
        for method in ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
            samples.push(result("EmptyResult", method, revision, json!({"_meta": {}})));
        }
    }
    samples
}

fn later_results(revision: Revision) -> Vec<Sample> {
    let mut samples = Vec::new();
    if revision == V2025_11_25 {
        let mut with_meta = task();
        with_meta["_meta"] = json!({"a": 1});
        samples.push(result("CreateTaskResult", "tools/call", revision, json!({"task": task(), "_meta": {}})));
        samples.push(result("GetTaskResult", "tasks/get", revision, with_meta.clone()));
        samples.push(result("CancelTaskResult", "tasks/cancel", revision, with_meta));
        let tasks = json!({"tasks": [task(), {"taskId": "u", "status": "completed", "createdAt": "2025-11-25T10:30:00Z",
            "lastUpdatedAt": "2025-11-25T10:30:00Z", "ttl": null}], "nextCursor": "c", "_meta": {}});
        samples.push(result("ListTasksResult", "tasks/list", revision, tasks));
    }
    if revision == V2026_07_28 {
        let meta = json!({"io.modelcontextprotocol/serverInfo": implementation()});
        let hello = json!({"supportedVersions": ["2026-07-28"], "capabilities": capabilities(), "instructions": "i", "_meta": meta});
        samples.push(cached("DiscoverResult", "server/discover", revision, hello));
        let meta = json!({"io.modelcontextprotocol/subscriptionId": "s", "io.modelcontextprotocol/serverInfo": {"name": "s", "version": "1"}});
        samples.push(result("SubscriptionsListenResult", "subscriptions/listen", revision, json!({"_meta": meta})));
        let requests = json!({"a": {"method": "elicitation/create", "params": form(revision)}, "b": {"method": "elicitation/create", "params": url(revision)},
            "c": {"method": "sampling/createMessage", "params": sampling(revision)}, "d": {"method": "roots/list", "params": {"_meta": {}}}});
        let asks = json!({"resultType": "input_required", "inputRequests": requests, "requestState": "s", "_meta": {}});
        samples.push(result("InputRequiredResult", "tools/call", revision, asks));
        samples.push(result(
            "InputRequiredResult",
            "prompts/get",
            revision,
            json!({"resultType": "input_required", "requestState": "s"}),
        ));
    }
    samples
}

fn form(revision: Revision) -> Value {
    let mut properties = json!({
        "a": {"type": "string", "title": "A", "description": "d", "minLength": 1, "maxLength": 2, "format": "email", "default": "x"},
        "b": {"type": "number", "title": "B", "description": "d", "minimum": 1, "maximum": 2, "default": 1},
        "c": {"type": "boolean", "title": "C", "description": "d", "default": true},
        "d": {"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"], "title": "D", "description": "d", "default": "a"},
    });
    if revision >= V2025_11_25 {
        properties["e"] = json!({"type": "string", "oneOf": [{"const": "a", "title": "A"}], "title": "E", "description": "d", "default": "a"});
        properties["f"] = json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 0, "maxItems": 1, "default": ["a"], "title": "F", "description": "d"});
        properties["g"] = json!({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}, "minItems": 0, "maxItems": 1, "default": ["a"], "title": "G"});
    }
    let schema = json!({"type": "object", "properties": properties, "required": ["a"], "$schema": "https://json-schema.org/draft/2020-12/schema"});
    let mut form = json!({"message": "m", "requestedSchema": schema});
    if revision >= V2025_11_25 {
        form["mode"] = json!("form");
    }
    form
}

fn url(revision: Revision) -> Value {
    let mut url = json!({"mode": "url", "message": "m", "url": "https://e.org"});
    if revision == V2025_11_25 {
        url["elicitationId"] = json!("e");
    }
    url
}

fn sampling(revision: Revision) -> Value {
    let mut messages = vec![
        json!({"role": "user", "content": {"type": "text", "text": "t", "annotations": annotations(), "_meta": {}}, "_meta": {}}),
        json!({"role": "assistant", "content": {"type": "image", "data": "TWFu", "mimeType": "image/png"}}),
    ];
    if revision >= V2025_03_26 {
        messages.push(json!({"role": "user", "content": {"type": "audio", "data": "TWFu", "mimeType": "audio/wav"}}));
    }
    if revision >= V2025_11_25 {
        let used = json!({"type": "tool_use", "id": "i", "name": "n", "input": {}, "_meta": {}});
        let gave = json!({"type": "tool_result", "toolUseId": "i", "content": content(revision), "structuredContent": {}, "isError": false, "_meta": {}});
        messages.push(json!({"role": "assistant", "content": [used]}));
        messages.push(json!({"role": "user", "content": [gave]}));
        messages.push(json!({"role": "assistant", "content": used}));
    }
    json!({"messages": messages, "maxTokens": 10, "systemPrompt": "s", "includeContext": "none", "temperature": 0.5, "stopSequences": ["x"], "metadata": {"a": 1},
        "modelPreferences": {"hints": [{"name": "m"}, {}], "costPriority": 0.5, "speedPriority": 0, "intelligencePriority": 1},
        "tools": [tool()], "toolChoice": {"mode": "auto"}})
}

fn message(definition: &'static str, method: &'static str, kind: Kind, params: Value) -> Sample {
    let mut value = json!({"jsonrpc": "2.0", "method": method, "params": params});
    if kind == Kind::Request {
        value["id"] = json!(1);
    }
    Sample { definition, of: Of::Message(method, kind), value, root: "/params" }
}

fn notifications(revision: Revision) -> Vec<Sample> {
    let mut meta = json!({"a": 1});
    if revision >= V2026_07_28 {
        meta["io.modelcontextprotocol/subscriptionId"] = json!("s");
    }
    let told = |definition, method, mut params: Value| {
        params["_meta"] = meta.clone();
        message(definition, method, Kind::Notification, params)
    };
    let mut samples = vec![
        told("CancelledNotification", "notifications/cancelled", json!({"requestId": 1, "reason": "r"})),
        told(
            "ProgressNotification",
            "notifications/progress",
            json!({"progressToken": "t", "progress": 0.5, "total": 1, "message": "m"}),
        ),
        told(
            "LoggingMessageNotification",
            "notifications/message",
            json!({"level": "info", "data": null, "logger": "l"}),
        ),
        told("ToolListChangedNotification", "notifications/tools/list_changed", json!({})),
        told("PromptListChangedNotification", "notifications/prompts/list_changed", json!({})),
        told("ResourceListChangedNotification", "notifications/resources/list_changed", json!({})),
        told("ResourceUpdatedNotification", "notifications/resources/updated", json!({"uri": "file:///a"})),
    ];
    if revision == V2025_11_25 {
        samples.push(told("TaskStatusNotification", "notifications/tasks/status", task()));
        samples.push(told(
            "ElicitationCompleteNotification",
            "notifications/elicitation/complete",
            json!({"elicitationId": "e"}),
        ));
    }
    if revision == V2026_07_28 {
        let filter = json!({"toolsListChanged": true, "promptsListChanged": false, "resourcesListChanged": true, "resourceSubscriptions": ["file:///a"]});
        samples.push(told(
            "SubscriptionsAcknowledgedNotification",
            "notifications/subscriptions/acknowledged",
            json!({"notifications": filter}),
        ));
    }
    samples
}

fn requests(revision: Revision) -> Vec<Sample> {
    if !revision.is_handshake() {
        return Vec::new();
    }
    let mut asked = sampling(revision);
    if revision == V2025_11_25 {
        asked["task"] = json!({"ttl": 1});
        asked["_meta"] = json!({"progressToken": 1});
    }
    let mut samples = vec![
        message("PingRequest", "ping", Kind::Request, json!({"_meta": {"progressToken": "t"}})),
        message("ListRootsRequest", "roots/list", Kind::Request, json!({"_meta": {"progressToken": "t"}})),
        message("CreateMessageRequest", "sampling/createMessage", Kind::Request, asked),
    ];
    if revision >= V2025_06_18 {
        samples.push(message("ElicitRequest", "elicitation/create", Kind::Request, form(revision)));
    }
    if revision == V2025_11_25 {
        let mut form = form(revision);
        form.as_object_mut().expect("an object").shift_remove("mode");
        form["task"] = json!({});
        samples.push(message("ElicitRequest", "elicitation/create", Kind::Request, form));
        samples.push(message("ElicitRequest", "elicitation/create", Kind::Request, url(revision)));
    }
    samples
}

fn envelopes(revision: Revision) -> Vec<Sample> {
    let newer = revision >= V2025_11_25;
    let (response, error) =
        if newer { ("JSONRPCResultResponse", "JSONRPCErrorResponse") } else { ("JSONRPCResponse", "JSONRPCError") };
    let sample = |definition, kind, value| Sample { definition, of: Of::Envelope(kind), value, root: "" };
    let mut result = json!({});
    if revision >= V2026_07_28 {
        result["resultType"] = json!("complete");
    }
    let failed = json!({"code": -32603, "message": "m", "data": {"a": 1}});
    let mut samples = vec![
        sample(response, Kind::Response, json!({"jsonrpc": "2.0", "id": "a", "result": result})),
        sample(error, Kind::Error, json!({"jsonrpc": "2.0", "id": 1, "error": failed})),
        sample("JSONRPCNotification", Kind::Notification, json!({"jsonrpc": "2.0", "method": "m", "params": {"a": 1}})),
    ];
    if revision.is_handshake() {
        samples.push(sample(
            "JSONRPCRequest",
            Kind::Request,
            json!({"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": 1}}),
        ));
    }
    let failed = |definition, code: i64, data: Value| {
        let value = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "m", "data": data}});
        Sample { definition, of: Of::Error(code), value, root: "/error/data" }
    };
    if revision == V2025_11_25 {
        samples.push(failed("URLElicitationRequiredError", -32042, json!({"elicitations": [url(revision)]})));
    }
    if revision == V2026_07_28 {
        let missing = json!({"requiredCapabilities": {"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}, "context": {}}, "roots": {}}});
        samples.push(failed("MissingRequiredClientCapabilityError", -32021, missing));
        samples.push(failed(
            "UnsupportedProtocolVersionError",
            -32022,
            json!({"supported": ["2026-07-28"], "requested": "x"}),
        ));
    }
    debug_assert!(revision >= V2024_11_05);
    samples
}
