use serde_json::{Value, json};
use verdict::transcript::Probe;
use verdict::{Intent, Revision, Status, Transport};

use crate::testing::Script;

const V: Revision = Revision::V2025_06_18;
const UNKNOWN: &str = "tools.call.unknown-tool";
const NONE: [Intent; 0] = [];

fn start() -> Script {
    Script::new(V, json!({"tools": {}, "prompts": {}, "resources": {}}))
}

/// A list of tools with these names, and where the next page begins.
fn page(script: Script, params: Value, names: &[&str], next: Option<&str>) -> Script {
    let tools: Vec<Value> = names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
    let mut result = json!({"tools": tools});
    if !script.look(|view| view.revision.is_handshake()) {
        result["resultType"] = "complete".into();
        result["ttlMs"] = 0.into();
        result["cacheScope"] = "private".into();
    }
    if let Some(next) = next {
        result["nextCursor"] = next.into();
    }
    script.plain("tools/list", params, json!({"result": result}))
}

fn listed(script: Script) -> Script {
    page(script, json!({}), &["echo"], None)
}

fn call(script: Script, answer: Value) -> Script {
    script.plain("tools/call", json!({"name": "nope", "arguments": {}}), answer)
}

fn failure(text: &str) -> Value {
    json!({"result": {"content": [{"type": "text", "text": text}], "isError": true}})
}

fn error(code: i64, text: &str) -> Value {
    json!({"error": {"code": code, "message": text}})
}

fn denial() -> Value {
    failure("MCP error -32602: Tool nope not found")
}

fn changed() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
}

#[test]
fn a_call_of_an_unknown_tool_is_judged() {
    let wrong = call(listed(start()), denial()).understood();
    assert_eq!((wrong.intents(), wrong.fails()), (vec![Intent::UnknownTool], vec![UNKNOWN]));
    let right = call(listed(start()), error(-32602, "Unknown tool: nope")).understood();
    assert_eq!((right.status_of(UNKNOWN), right.fails()), (Status::Pass, vec![]));
    let code = call(listed(start()), error(-32603, "Unknown tool: nope")).understood();
    assert_eq!(code.fails(), ["tools.call.unknown-tool-code"]);
    // As a real client it is not judged for what it is not known to have meant.
    assert_eq!(call(listed(start()), denial()).fails(), Vec::<&str>::new());
}

#[test]
fn a_call_is_judged_in_the_stateless_revision_too() {
    let start = || Script::new(Revision::V2026_07_28, json!({"tools": {}}));
    let mut answer = denial();
    answer["result"]["resultType"] = "complete".into();
    assert_eq!(call(listed(start()), answer).understood().fails(), [UNKNOWN]);
    let unnamed = json!({"name": "nope", "_meta": {}});
    let right = error(-32602, "Unknown tool: nope");
    assert_eq!(listed(start()).plain("tools/call", unnamed, right).understood().intents(), NONE);
}

#[test]
fn a_name_that_may_be_listed_is_not_called_unknown() {
    let more = || page(start(), json!({}), &["echo"], Some("2"));
    let after = page(more(), json!({"cursor": "2"}), &["nope"], None);
    let doubts = [
        ("on a later page", call(after, denial())),
        ("not all was listed", call(more(), denial())),
        ("nothing was listed", call(start(), denial())),
        ("listed afterwards", listed(call(start(), denial()))),
        ("listed afterwards under this name", page(call(listed(start()), denial()), json!({}), &["nope"], None)),
        ("something else may be listed", call(page(start(), json!({"tag": "a"}), &["echo"], None), denial())),
        ("a cursor that is no text", {
            let page = json!({"result": {"tools": [{"name": "echo"}], "nextCursor": 2}});
            call(start().plain("tools/list", json!({}), page), denial())
        }),
        ("the list has changed", call(listed(start()).says_json(&changed()), denial())),
        ("another session has another list", {
            let first = page(start(), json!({}), &["nope"], None);
            call(listed(first.session(false, json!({"tools": {}}))), denial())
        }),
        ("listed in another session", call(listed(start()).session(false, json!({"tools": {}})), denial())),
    ];
    for (why, script) in doubts {
        assert_eq!(script.understood().intents(), NONE, "{why}");
    }
}

#[test]
fn a_list_that_changes_while_the_call_is_answered_tells_nothing() {
    let asked = listed(start()).unanswered_plainly("tools/call", json!({"name": "nope"}));
    let answer = json!({"jsonrpc": "2.0", "id": 3, "error": {"code": -32603, "message": "Unknown tool: nope"}});
    let at_once = listed(start()).unanswered_plainly("tools/call", json!({"name": "nope"})).says_json(&answer);
    assert_eq!(at_once.understood().intents(), [Intent::UnknownTool]);
    assert_eq!(asked.says_json(&changed()).says_json(&answer).understood().intents(), NONE);
}

#[test]
fn a_call_that_means_more_or_came_to_nothing_is_left_alone() {
    let asked = |params: Value| listed(start()).plain("tools/call", params, denial());
    let doubts = [
        ("answered as a tool does", call(listed(start()), json!({"result": {"content": []}}))),
        ("fails otherwise", call(listed(start()), failure("City not found"))),
        ("refused otherwise", call(listed(start()), error(-32602, "arguments.n is missing"))),
        ("speaks of what it was given", asked(json!({"name": "nope", "arguments": {"tool": "nope"}}))),
        ("as a task", asked(json!({"name": "nope", "task": {}}))),
        ("arguments that are none", asked(json!({"name": "nope", "arguments": []}))),
        ("no name", asked(json!({"name": 1}))),
        ("an empty name", asked(json!({"name": ""}))),
        ("no answer", listed(start()).unanswered_plainly("tools/call", json!({"name": "nope"})).gave_up()),
        ("ended", listed(start()).unanswered_plainly("tools/call", json!({"name": "nope"})).exits(0)),
    ];
    for (why, script) in doubts {
        assert_eq!(script.understood().intents(), NONE, "{why}");
    }
    let twice = call(listed(start()), denial()).says_json(&json!({"jsonrpc": "2.0", "id": 3, "result": {}}));
    assert_eq!(twice.understood().intents(), NONE);
}

#[test]
fn a_call_that_is_cancelled_is_left_alone() {
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}});
    let answer = json!({"jsonrpc": "2.0", "id": 3, "error": {"code": -32603, "message": "Unknown tool: nope"}});
    let asked = || listed(start()).unanswered_plainly("tools/call", json!({"name": "nope"}));
    let script = asked().raw_plain(&cancelled.to_string()).says_json(&answer).understood();
    assert_eq!(script.intents(), NONE);
}

#[test]
fn over_http_credentials_may_make_the_difference() {
    let run = |headers: &[(&str, &str)]| {
        let script = Script::over(Transport::Http, V, json!({"tools": {}}));
        let script = listed(script).headers(headers);
        let script = script.unanswered_plainly("tools/call", json!({"name": "nope"})).headers(headers);
        let answer = json!({"jsonrpc": "2.0", "id": 3, "error": {"code": -32603, "message": "Unknown tool: nope"}});
        script.head(200, &[]).body(&answer.to_string()).ends().understood().intents().len()
    };
    assert_eq!(run(&[]), 1);
    assert_eq!(run(&[("Authorization", "Bearer [redacted]")]), 0);
    assert_eq!(run(&[("X-Api-Key", "[redacted]")]), 0);
    assert_eq!(run(&[("Authorization", "Bearer [redacted]"), ("Mcp-Session-Id", "a")]), 1);
}

#[test]
fn strangers_and_the_transcripts_of_runs_are_left_alone() {
    let outsider = call(listed(Script::new(V, json!({"tools": {}})).outsider()), denial());
    assert_eq!(outsider.understood().intents(), NONE);
    let probed = || call(listed(start()), denial()).probe(Intent::WithKey, "ping", json!({}), json!({"result": {}}));
    assert_eq!(probed().understood().intents(), [Intent::WithKey]);
    let script = call(listed(start()), denial()).add(verdict::transcript::Kind::Probe(Probe::new(
        "s",
        Intent::Unknown,
        json!({}),
    )));
    let plain = script.examined();
    assert_eq!(script.meaning().examined().verdicts, plain.verdicts);
}

#[test]
fn an_unknown_prompt_is_judged() {
    const ID: &str = "prompts.get.unknown-name";
    let get = |answer| {
        let listed = start().plain("prompts/list", json!({}), json!({"result": {"prompts": [{"name": "p"}]}}));
        listed.plain("prompts/get", json!({"name": "weather", "arguments": {"city": "Ys"}}), answer).understood()
    };
    assert_eq!(get(error(-32603, "Unknown prompt: weather")).fails(), [ID]);
    assert_eq!(get(error(-32602, "Prompt weather not found")).status_of(ID), Status::Pass);
    assert_eq!(get(error(-32603, "City not found")).intents(), NONE);
    assert_eq!(get(error(-32603, "Prompt not found")).intents(), NONE);
    assert_eq!(get(json!({"result": {"messages": []}})).intents(), NONE);
}

#[test]
fn a_missing_resource_is_judged() {
    const ID: &str = "resources.read.not-found-code";
    let templates = |template: &str| json!({"result": {"resourceTemplates": [{"name": "t", "uriTemplate": template}]}});
    let read = |templates: Option<Value>, uri: &str, answer| {
        let resources = json!({"result": {"resources": [{"name": "a", "uri": "note://a"}]}});
        let script = start().plain("resources/list", json!({}), resources);
        let script = match templates {
            Some(templates) => script.plain("resources/templates/list", json!({}), templates),
            None => script,
        };
        script.plain("resources/read", json!({"uri": uri}), answer).understood()
    };
    let other = || Some(templates("file:///{path}"));
    let denied = || error(-32603, "Resource not found: note://b");
    let wrong = read(other(), "note://b", denied());
    assert_eq!(wrong.fails(), [ID, "resources.read.not-found-data-uri"]);
    assert_eq!(read(Some(error(-32601, "no")), "note://b", denied()).status_of(ID), Status::Fail);
    assert_eq!(read(other(), "note://b", error(-32002, "Resource not found")).status_of(ID), Status::Pass);
    let doubts = [
        ("templates are not known", read(None, "note://b", denied())),
        ("a template makes it", read(Some(templates("note://{id}")), "note://b", denied())),
        ("another scheme", read(other(), "memo://b", error(-32603, "Resource not found: memo://b"))),
        ("about something else", read(other(), "note://b", error(-32603, "City not found"))),
        ("served", read(other(), "note://b", json!({"result": {"contents": []}}))),
    ];
    for (why, script) in doubts {
        assert_eq!(script.intents(), NONE, "{why}");
    }
}

#[test]
fn an_unknown_method_is_judged() {
    const ID: &str = "jsonrpc.method-not-found.code";
    let sent =
        |capabilities, method, answer| Script::new(V, capabilities).plain(method, json!({}), answer).understood();
    assert_eq!(sent(json!({}), "acme/none", error(-32603, "Method not found: acme/none")).fails(), [ID]);
    assert_eq!(sent(json!({}), "acme/none", error(-32601, "Method not found")).status_of(ID), Status::Pass);
    let denied = || error(-32603, "Unknown method");
    let named = |method: &str| error(-32603, &format!("Unknown method: {method}"));
    for (capabilities, method, answer) in [
        (json!({"experimental": {"acme": {}}}), "acme/none", named("acme/none")),
        (json!({}), "acme/none", denied()),
        (json!({}), "acme/none", error(-32603, "no city of this name")),
        (json!({}), "acme/none", json!({"result": {}})),
        (json!({}), "tasks/update", named("tasks/update")),
        (json!({}), "completion/complete", named("completion/complete")),
        (json!({}), "Tools/List", named("Tools/List")),
    ] {
        assert_eq!(sent(capabilities, method, answer).intents(), NONE, "{method}");
    }
}

/// A call of a tool that needs `city` and `unit`, which has a default.
fn forecast(script: Script, arguments: Value, answer: Value) -> Script {
    let properties = json!({"city": {"type": "string"}, "unit": {"type": "string", "default": "C"}});
    let schema = json!({"type": "object", "properties": properties, "required": ["unit", "city"]});
    let tools = json!({"result": {"tools": [{"name": "forecast", "inputSchema": schema}]}});
    let script = script.plain("tools/list", json!({}), tools);
    let good = json!({"name": "forecast", "arguments": {"city": "Bern", "unit": "C"}});
    let script = script.plain("tools/call", good, json!({"result": {"content": [{"type": "text", "text": "rain"}]}}));
    script.plain("tools/call", json!({"name": "forecast", "arguments": arguments}), answer).understood()
}

#[test]
fn a_call_without_a_required_argument_is_judged() {
    const ID: &str = "tools.call.invalid-arguments-rejected";
    let served = || json!({"result": {"content": [{"type": "text", "text": "rain"}]}});
    let bare = || json!({"unit": "C"});
    assert_eq!(forecast(start(), bare(), served()).fails(), [ID]);
    assert_eq!(forecast(start(), bare(), failure("city is required")).status_of(ID), Status::Pass);
    let later =
        forecast(Script::new(Revision::V2025_11_25, json!({"tools": {}})), bare(), error(-32602, "city: required"));
    assert_eq!(later.fails(), ["tools.call.invalid-arguments-as-execution-error"]);
    let doubts = [
        ("all is given", forecast(start(), json!({"unit": "C", "city": "Ys"}), served())),
        ("what has a default is missing", forecast(start(), json!({"city": "Ys"}), served())),
        ("fails for something else", forecast(start(), bare(), failure("network unreachable"))),
        ("refused for something else", forecast(start(), bare(), error(-32603, "city is required"))),
        ("the definition changes", forecast(page(start(), json!({}), &["forecast"], None), bare(), served())),
        ("over HTTP", forecast(Script::over(Transport::Http, V, json!({"tools": {}})), bare(), served())),
    ];
    for (why, script) in doubts {
        assert_eq!(script.intents(), NONE, "{why}");
    }
}

#[test]
fn a_prompt_without_a_required_argument_is_judged() {
    let get = |arguments: Value, answer| {
        let prompt = json!({"name": "p", "arguments": [{"name": "city", "required": true}, {"name": "unit"}]});
        let listed = start().plain("prompts/list", json!({}), json!({"result": {"prompts": [prompt]}}));
        listed.plain("prompts/get", json!({"name": "p", "arguments": arguments}), answer).understood()
    };
    let served = || json!({"result": {"messages": []}});
    assert_eq!(get(json!({}), served()).fails(), ["prompts.get.missing-required-argument"]);
    assert_eq!(get(json!({"city": "Ys"}), served()).intents(), NONE);
    assert_eq!(get(json!({}), error(-32603, "city is required")).intents(), NONE);
}
