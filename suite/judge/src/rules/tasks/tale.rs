//! Transcripts of tasks for the tests of this area.

use serde_json::{Value, json};
use verdict::{Intent, Revision, Transport};
use wire::mcp::meta;

use crate::testing::Script;

pub(super) const ID: &str = "0f3c1b7e9d5a42868b1d";
const AT: &str = "2026-01-01T00:00:00Z";

/// A server of tasks with a tool of each kind.
pub(super) fn start() -> Script {
    list(Script::new(Revision::V2025_11_25, capabilities()))
}

/// Begins a transcript over HTTP.
pub(super) fn over_http() -> Script {
    list(Script::over(Transport::Http, Revision::V2025_11_25, capabilities()))
}

/// A server that knows no tasks.
pub(super) fn without() -> Script {
    list(Script::new(Revision::V2025_11_25, json!({"tools": {}})))
}

pub(super) fn capabilities() -> Value {
    json!({"tools": {}, "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}})
}

pub(super) fn list(script: Script) -> Script {
    let tool = |name: &str, support: &str| json!({"name": name, "inputSchema": {"type": "object", "additionalProperties": false}, "execution": {"taskSupport": support}});
    let tools = json!([tool("never", "forbidden"), tool("may", "optional"), tool("must", "required")]);
    script.plain("tools/list", json!({}), json!({"result": {"tools": tools}}))
}

/// A task in this status.
pub(super) fn task(id: &str, status: &str) -> Value {
    let mut task = json!({"taskId": id, "status": status, "createdAt": AT, "lastUpdatedAt": AT, "ttl": 60_000});
    if status == "failed" {
        task["statusMessage"] = json!("The disk is full.");
    }
    task
}

/// The params of a call of `may` as a task.
pub(super) fn params() -> Value {
    json!({"name": "may", "arguments": {}, "task": {"ttl": 60_000}, "_meta": {"progressToken": "p"}})
}

/// A call that is answered with a task; `slow` if it is known to take its time.
pub(super) fn made(script: Script, id: &str, slow: bool) -> Script {
    made_as(script, json!({"slow": slow}), params(), json!({"result": {"task": task(id, "working")}}))
}

pub(super) fn made_as(script: Script, about: Value, params: Value, answer: Value) -> Script {
    script.probe_about(Intent::TaskCreate, about, "tools/call", params, answer)
}

/// `tasks/get` of the task, and a task in this status.
pub(super) fn get(script: Script, status: &str) -> Script {
    asked(script, "tasks/get", json!({"result": task(ID, status)}))
}

/// Something asked about the task.
pub(super) fn asked(script: Script, method: &str, answer: Value) -> Script {
    script.plain(method, json!({"taskId": ID}), answer)
}

/// The result of the task.
pub(super) fn outcome() -> Value {
    json!({"result": {"content": [], "_meta": related(ID)}})
}

/// `_meta` that names a task.
pub(super) fn related(id: &str) -> Value {
    json!({(meta::RELATED_TASK): {"taskId": id}})
}

/// Adds the same call without a task.
pub(super) fn plain(script: Script, when: &str, answer: Value) -> Script {
    let params = json!({"name": "may", "arguments": {}});
    script.probe_about(Intent::TaskPlain, json!({"when": when}), "tools/call", params, answer)
}

pub(super) fn refusal(code: i64) -> Value {
    json!({"error": {"code": code, "message": "there is no such task"}})
}

/// A notification.
pub(super) fn tell(script: Script, method: &str, params: Value) -> Script {
    script.says_json(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
}
