//! Where fuzzing starts: every method of every revision, every code of an error, and the edges of the grammar.

use serde_json::{Value, json};
use verdict::Revision;
use wire::mcp::meta;

/// Messages that open a conversation in this revision.
#[must_use]
pub fn opening(revision: Revision) -> Vec<String> {
    if !revision.is_handshake() {
        return Vec::new();
    }
    let client = json!({"name": "mcp-conform", "version": "1"});
    let params = json!({"protocolVersion": revision.as_str(), "capabilities": declared(), "clientInfo": client});
    vec![
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string(),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
    ]
}

fn declared() -> Value {
    json!({"roots": {"listChanged": true}, "sampling": {}, "elicitation": {}})
}

/// One good message of every method that a client of this revision may send, with ids from 1.
#[must_use]
pub fn messages(revision: Revision) -> Vec<String> {
    let mut made = Vec::new();
    let requests = requests().into_iter().filter(|(_, from, to)| *from <= revision && revision <= *to);
    for (id, (request, _, _)) in (1..).zip(requests) {
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": request["method"], "params": request["params"]});
        if !revision.is_handshake() {
            message["params"]["_meta"] = meta();
        }
        made.push(message.to_string());
    }
    let notifications = notifications().into_iter().filter(|(_, from, to)| *from <= revision && revision <= *to);
    for (notification, _, _) in notifications {
        let message = json!({"jsonrpc": "2.0", "method": notification["method"], "params": notification["params"]});
        made.push(message.to_string());
    }
    made.extend(answers());
    made
}

fn meta() -> Value {
    json!({
        (meta::PROTOCOL_VERSION): Revision::LATEST.as_str(),
        (meta::CLIENT_CAPABILITIES): declared(),
        (meta::CLIENT_INFO): {"name": "mcp-conform", "version": "1"},
    })
}

type Spoken = (Value, Revision, Revision);

fn requests() -> Vec<Spoken> {
    use Revision::{V2024_11_05 as FIRST, V2025_11_25 as TASKS, V2026_07_28 as LAST};
    let handshake = Revision::LATEST_HANDSHAKE;
    let of = |method: &str, params: Value, from, to| (json!({"method": method, "params": params}), from, to);
    let argument = json!({"name": "a", "value": "b"});
    vec![
        of("ping", json!({}), FIRST, handshake),
        of("tools/list", json!({}), FIRST, LAST),
        of("tools/list", json!({"cursor": "x"}), FIRST, LAST),
        of("tools/call", json!({"name": "echo", "arguments": {"text": "a"}}), FIRST, LAST),
        of("tools/call", json!({"name": "t", "arguments": {}, "_meta": {"progressToken": 7}}), FIRST, handshake),
        of("tools/call", json!({"name": "t", "arguments": {}, "task": {"ttl": 60_000}}), TASKS, handshake),
        of("resources/list", json!({}), FIRST, LAST),
        of("resources/templates/list", json!({}), FIRST, LAST),
        of("resources/read", json!({"uri": "file:///mcp-conform"}), FIRST, LAST),
        of("resources/subscribe", json!({"uri": "file:///mcp-conform"}), FIRST, handshake),
        of("resources/unsubscribe", json!({"uri": "file:///mcp-conform"}), FIRST, handshake),
        of("prompts/list", json!({}), FIRST, LAST),
        of("prompts/get", json!({"name": "p", "arguments": {"a": "b"}}), FIRST, LAST),
        of(
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": argument}),
            FIRST,
            LAST,
        ),
        of(
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": "file:///{a}"}, "argument": argument, "context": {"arguments": {"c": "d"}}}),
            FIRST,
            LAST,
        ),
        of("logging/setLevel", json!({"level": "debug"}), FIRST, handshake),
        of("tasks/get", json!({"taskId": "x"}), TASKS, handshake),
        of("tasks/list", json!({}), TASKS, handshake),
        of("tasks/result", json!({"taskId": "x"}), TASKS, handshake),
        of("tasks/cancel", json!({"taskId": "x"}), TASKS, handshake),
        of("server/discover", json!({}), LAST, LAST),
        of("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}), LAST, LAST),
        of("unknown/method", json!({}), FIRST, LAST),
    ]
}

fn notifications() -> Vec<Spoken> {
    use Revision::{V2024_11_05 as FIRST, V2025_11_25 as TASKS, V2026_07_28 as LAST};
    let handshake = Revision::LATEST_HANDSHAKE;
    let of = |method: &str, params: Value, from, to| (json!({"method": method, "params": params}), from, to);
    vec![
        of("notifications/initialized", json!({}), FIRST, handshake),
        of("notifications/cancelled", json!({"requestId": 1, "reason": "r"}), FIRST, LAST),
        of("notifications/progress", json!({"progressToken": 1, "progress": 1, "total": 2}), FIRST, LAST),
        of("notifications/roots/list_changed", json!({}), FIRST, handshake),
        of("notifications/tasks/status", json!({"taskId": "x", "status": "working"}), TASKS, handshake),
        of("notifications/elicitation/complete", json!({"elicitationId": "x"}), TASKS, handshake),
        of("notifications/unknown", json!({}), FIRST, LAST),
    ]
}

/// Answers to nothing, with every code that any revision names.
fn answers() -> Vec<String> {
    let codes = [
        -32_700, -32_600, -32_601, -32_602, -32_603, -32_000, -32_001, -32_002, -32_020, -32_021, -32_022, -32_042, -1,
    ];
    let error = |code: i64| {
        json!({"jsonrpc": "2.0", "id": 99, "error": {"code": code, "message": "m", "data": {}}}).to_string()
    };
    let mut made: Vec<String> = codes.into_iter().map(error).collect();
    made.push(json!({"jsonrpc": "2.0", "id": 98, "result": {}}).to_string());
    made.push(json!({"jsonrpc": "2.0", "id": "s", "result": {"roots": []}}).to_string());
    made.push(json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32_700, "message": "Parse error"}}).to_string());
    made
}

/// Lines that no client writes, each with a name.
#[must_use]
pub fn edges() -> Vec<(&'static str, Vec<u8>)> {
    let deep = |open: &str, close: &str, depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
    let request = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let mut made: Vec<(&'static str, Vec<u8>)> = vec![
        ("invalid-utf8", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc0\xaf\xff\"}".to_vec()),
        ("byte-order-mark", [b"\xef\xbb\xbf", request("1").as_bytes()].concat()),
        ("truncated", br#"{"jsonrpc":"2.0","id":1,"meth"#.to_vec()),
        ("carriage-returns", b"{\"jsonrpc\":\"2.0\",\r\"id\":1,\r\"method\":\"ping\"}\r".to_vec()),
    ];
    let texts = [
        ("blank", " ".to_owned()),
        ("not-json", "hello".to_owned()),
        ("number", "42".to_owned()),
        ("null", "null".to_owned()),
        ("string", "\"ping\"".to_owned()),
        ("empty-object", "{}".to_owned()),
        ("empty-batch", "[]".to_owned()),
        ("batch", format!("[{},{},3]", request("1"), request("2"))),
        ("nested-batch", format!("[[{}]]", request("1"))),
        ("no-version", r#"{"id":1,"method":"ping"}"#.to_owned()),
        ("wrong-version", r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#.to_owned()),
        ("id-null", request("null")),
        ("id-fraction", request("1.5")),
        ("id-huge", request("123456789012345678901234567890")),
        ("id-beyond-double", request("1e400")),
        ("id-object", request("{}")),
        ("id-array", request("[1]")),
        ("id-true", request("true")),
        ("id-empty-string", request("\"\"")),
        ("id-twice", r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#.to_owned()),
        ("method-twice", r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#.to_owned()),
        ("method-number", r#"{"jsonrpc":"2.0","id":1,"method":7}"#.to_owned()),
        ("method-missing", r#"{"jsonrpc":"2.0","id":1}"#.to_owned()),
        ("params-array", r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#.to_owned()),
        ("params-string", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}"#.to_owned()),
        ("params-null", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#.to_owned()),
        ("result-and-error", r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#.to_owned()),
        ("method-and-result", r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#.to_owned()),
        (
            "numbers",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":[1e400,-0,1e-400,9007199254740993]}}"#.to_owned(),
        ),
        ("nan", r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":NaN}}"#.to_owned()),
        ("lone-surrogate", r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"s":"\ud800"}}"#.to_owned()),
        ("nul", r#"{"jsonrpc":"2.0","id":1,"method":"ping\u0000","params":{"\u0000":"\u0000"}}"#.to_owned()),
        ("separators", "{\"jsonrpc\":\"2.0\",\"id\":\"\u{2028}\u{85}\",\"method\":\"ping\"}".to_owned()),
        ("prototype", r#"{"jsonrpc":"2.0","id":1,"method":"toString","params":{"__proto__":{"x":1}}}"#.to_owned()),
        (
            "deep-arrays",
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{}}}}}"#, deep("[", "]", 600)),
        ),
        (
            "deep-objects",
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}}"#, deep("{\"a\":", "}", 600)),
        ),
        ("escaped-names", r#"{"jsonrpc":"2.0","\u0069d":1,"m\u0065thod":"ping"}"#.to_owned()),
    ];
    made.extend(texts.into_iter().map(|(name, text)| (name, text.into_bytes())));
    made
}

/// Conversations after the opening: each good message alone, each edge before a good request, and some that only make
/// sense together.
#[must_use]
pub fn conversations(revision: Revision) -> Vec<Vec<Vec<u8>>> {
    let good: Vec<Vec<u8>> = messages(revision).into_iter().map(String::into_bytes).collect();
    let list =
        good.iter().find(|line| String::from_utf8_lossy(line).contains("tools/list")).cloned().unwrap_or_default();
    let mut made: Vec<Vec<Vec<u8>>> = good.iter().map(|line| vec![line.clone()]).collect();
    made.extend(edges().into_iter().map(|(_, line)| vec![line, list.clone()]));
    let cancel = |id: i64| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    made.push(vec![list.clone(), cancel(2).to_string().into_bytes(), list.clone()]);
    made.push(vec![list.clone(), list]);
    made.push(good);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_messages_and_edges_have_names() {
        for revision in Revision::ALL {
            let made = messages(revision);
            assert!(made.len() > 20, "{revision}");
            for line in &made {
                let parsed = wire::parse(line.as_bytes(), &wire::Limits::default());
                assert!(parsed.messages().iter().all(|message| message.kind != wire::Kind::Invalid), "{line}");
            }
        }
        let names: std::collections::BTreeSet<_> = edges().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), edges().len());
    }
}
