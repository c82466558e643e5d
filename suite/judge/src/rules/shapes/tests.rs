//! Tests of the rule on transcripts: which frames it judges, what it names, what it leaves alone.

use serde_json::{Value, json};
use verdict::{Intent, Revision, Status, Transport};

use crate::testing::Script;

const ALL: [Revision; Revision::ALL.len()] = Revision::ALL;

fn script(revision: Revision) -> Script {
    Script::new(revision, json!({"tools": {"listChanged": true}, "resources": {}, "prompts": {}}))
}

fn tools(revision: Revision, tool: Value) -> Script {
    let mut result = json!({"tools": [tool]});
    if revision.is_stateless() {
        result["resultType"] = json!("complete");
        result["ttlMs"] = json!(0);
        result["cacheScope"] = json!("private");
    }
    script(revision).plain("tools/list", json!({}), json!({"result": result}))
}

#[test]
fn a_plain_tool_passes_everywhere() {
    for revision in ALL {
        let script = tools(revision, json!({"name": "a", "inputSchema": {"type": "object"}, "x": null}));
        assert_eq!(script.status_of("tools.definition.name-string"), Status::Pass, "{revision}");
        assert_eq!(script.status_of("tools.definition.description-string"), Status::NotObserved, "{revision}");
        let fails = script.fails();
        assert!(
            !fails.iter().any(|id| id.starts_with("tools.") || id.starts_with("jsonrpc.")),
            "{revision}: {fails:?}"
        );
    }
}

#[test]
fn what_the_client_gave_is_not_held_against_the_server() {
    let read = |asked: &str, told: &str| {
        let answer = json!({"result": {"contents": [{"uri": told, "text": "x"}]}});
        Script::new(Revision::V2025_11_25, json!({"resources": {}}))
            .plain("resources/read", json!({"uri": asked}), answer)
            .fails_in("resources")
    };
    assert_eq!(read("no uri", "no uri"), Vec::<&str>::new());
    assert_ne!(read("test://x", "no uri"), Vec::<&str>::new());
}

#[test]
fn null_is_not_absent_and_the_tool_is_named() {
    let tool = json!({"name": "a", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": null}});
    let script = tools(Revision::V2025_11_25, tool);
    assert_eq!(script.fails(), ["tools.annotations.hints-boolean"]);
    let finding = &script.verdict("tools.annotations.hints-boolean").findings[0];
    assert_eq!(finding.tool.as_deref(), Some("a"));
    assert_eq!(finding.place.as_deref(), Some("/result/tools/0/annotations/readOnlyHint"));
    assert_eq!((finding.expected.as_str(), finding.actual.as_str()), ("a boolean, or no such member", "null"));
    assert_eq!(
        finding.message,
        "The response to tools/list has a member readOnlyHint of the wrong type; strictly typed clients reject it."
    );
}

#[test]
fn boolean_property_schemas_are_judged_by_the_revision() {
    let tool = json!({"name": "a", "inputSchema": {"type": "object", "properties": {"x": true}}});
    let id = "tools.input-schema.properties-object";
    assert_eq!(tools(Revision::V2025_06_18, tool.clone()).status_of(id), Status::Fail);
    let noted = tools(Revision::V2025_11_25, tool.clone()).verdict(id);
    assert_eq!((noted.status, noted.notes.len()), (Status::Pass, 1));
    let free = tools(Revision::V2026_07_28, tool).verdict(id);
    assert_eq!((free.status, free.notes.len()), (Status::Pass, 0));
}

#[test]
fn envelopes_are_judged_in_every_message() {
    let cases = [
        (json!({"id": 1, "result": {}}), "jsonrpc.message.version-member"),
        (json!({"jsonrpc": "2.0", "method": 5}), "jsonrpc.message.method-string"),
        (json!({"jsonrpc": "2.0", "method": "x", "params": null}), "jsonrpc.message.params-object"),
        (json!({"jsonrpc": "2.0", "id": 1}), "jsonrpc.message.one-kind"),
        (json!(1), "jsonrpc.message.single-object"),
        (json!([]), "jsonrpc.message.single-object"),
        (json!({"jsonrpc": "2.0", "id": 1, "result": {}, "error": null}), "jsonrpc.response.result-xor-error"),
        (json!({"jsonrpc": "2.0", "id": 1, "result": null}), "jsonrpc.response.result-object"),
        (json!({"jsonrpc": "2.0", "id": null, "result": {}}), "jsonrpc.response.success-id-not-null"),
        (json!({"jsonrpc": "2.0", "id": 1, "error": "no"}), "jsonrpc.error.object"),
        (json!({"jsonrpc": "2.0", "id": 1, "error": {"message": "no"}}), "jsonrpc.error.object"),
        (json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "x", "message": "no"}}), "jsonrpc.error.code-integer"),
        (json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": null}}), "jsonrpc.error.message-string"),
        (json!({"jsonrpc": "2.0", "method": "notifications/x", "id": 1}), "jsonrpc.notification.no-id"),
        (json!({"jsonrpc": "2.0", "method": "notifications/x", "params": {"_meta": []}}), "jsonrpc.meta.object"),
    ];
    for (message, id) in cases {
        let script = script(Revision::V2025_06_18).says_json(&message);
        assert!(script.fails().contains(&id), "{message}: {id}");
    }
    let asks = script(Revision::V2025_06_18).says_json(&json!({"jsonrpc": "2.0", "id": null, "method": "ping"}));
    assert!(asks.fails().contains(&"jsonrpc.server-request.id-type"));
}

#[test]
fn an_error_may_lack_its_id() {
    let script = script(Revision::V2025_06_18).raw(Intent::Unknown, Value::Null, "{");
    let script = script.says_json(&json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "no"}}));
    assert_eq!(script.fails(), [""; 0]);
}

#[test]
fn arrays_are_legal_in_one_revision() {
    let batch = json!([{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}}]);
    for revision in ALL {
        let failed = script(revision).says_json(&batch).fails().contains(&"jsonrpc.message.single-object");
        assert_eq!(failed, revision != Revision::V2025_03_26, "{revision}");
    }
    assert!(script(Revision::V2025_03_26).says("[]").fails().contains(&"jsonrpc.message.single-object"));
    let sent = r#"[{"jsonrpc":"2.0","id":"b","method":"ping"}]"#;
    let answer = r#"[{"jsonrpc":"2.0","id":"b","result":{}}]"#;
    let old = script(Revision::V2024_11_05).raw(Intent::Batch, Value::Null, sent).says(answer);
    assert_eq!(old.fails(), [""; 0]);
}

#[test]
fn odd_ids_of_the_tester_excuse_the_answer() {
    let script = script(Revision::V2025_06_18).raw(
        Intent::IdNull,
        Value::Null,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    );
    let script = script.says_json(&json!({"jsonrpc": "2.0", "id": null, "result": {}}));
    assert!(!script.fails().contains(&"jsonrpc.response.success-id-not-null"));
}

#[test]
fn bodies_of_refusals_are_no_messages() {
    let refused = |body: &str| {
        let script = Script::over(Transport::Http, Revision::V2025_06_18, json!({"tools": {}}));
        script.raw(Intent::Unknown, Value::Null, r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#).status(401).says(body)
    };
    assert_eq!(refused(r#"{"error":"invalid_token"}"#).fails(), [""; 0]);
    assert_eq!(refused("[]").fails(), [""; 0]);
    let fails = refused(r#"{"jsonrpc":"2.0","id":9,"error":{"code":"x","message":"no"}}"#).fails();
    assert_eq!(fails, ["jsonrpc.error.code-integer"]);
}

#[test]
fn requests_for_another_revision_say_nothing_of_results() {
    let meta = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2025-11-25"}});
    let legacy = script(Revision::V2026_07_28).plain("tools/list", meta, json!({"result": {"tools": []}}));
    assert!(!legacy.fails().contains(&"jsonrpc.result-type.present"));
    let modern = script(Revision::V2026_07_28).plain("tools/list", json!({}), json!({"result": {"tools": []}}));
    let fails = modern.fails();
    assert!(fails.contains(&"jsonrpc.result-type.present") && fails.contains(&"caching.hints.tools-list"));
}

#[test]
fn other_results_of_a_call_are_told_apart() {
    let asks = json!({"resultType": "input_required", "requestState": "s"});
    let script = script(Revision::V2026_07_28);
    let script = script.plain("tools/call", json!({"name": "a"}), json!({"result": asks}));
    assert!(!script.fails().contains(&"tools.call.content-array"));
    let task = json!({"taskId": "t", "status": "working", "createdAt": "2025-11-25T10:30:00Z", "lastUpdatedAt": "2025-11-25T10:30:00Z", "ttl": null});
    let augmented = json!({"name": "a", "task": {}});
    let script = tools(Revision::V2025_11_25, json!({"name": "a", "inputSchema": {"type": "object"}}));
    let script = script.plain("tools/call", augmented, json!({"result": {"task": task}}));
    assert_eq!(script.fails(), [""; 0]);
}

#[test]
fn results_of_extensions_are_not_looked_into() {
    let result = json!({"resultType": "task"});
    let call = |capabilities: Value| {
        let script = Script::new(Revision::V2026_07_28, capabilities);
        script.plain("tools/call", json!({"name": "a"}), json!({"result": result})).fails()
    };
    assert!(call(json!({"tools": {}})).contains(&"tools.call.content-array"));
    let extended = json!({"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    assert!(!call(extended).contains(&"tools.call.content-array"));
}

#[test]
fn input_requests_need_their_result_type() {
    let result = json!({"resultType": "complete", "content": [], "inputRequests": {}});
    let script = script(Revision::V2026_07_28).plain("tools/call", json!({"name": "a"}), json!({"result": result}));
    assert!(script.fails().contains(&"mrtr.result-type"));
}

#[test]
fn a_connection_taken_for_an_older_one_says_nothing() {
    let version = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
    let old_form = json!({"result": {"tools": []}});
    let turned = script(Revision::V2026_07_28).probe(Intent::RequestMeta, "tools/list", json!({}), old_form.clone());
    let turned = turned.plain("tools/list", version.clone(), old_form.clone());
    let verdict = turned.verdict("jsonrpc.result-type.present");
    assert_eq!((verdict.findings.len(), verdict.notes.len()), (0, 1));
    let straight = script(Revision::V2026_07_28).plain("tools/list", version, old_form);
    assert!(straight.fails().contains(&"jsonrpc.result-type.present"));
}

#[test]
fn entries_of_one_result_count_as_one_place() {
    let content = json!([{"type": "image", "mimeType": "image/png"}, {"type": "text", "text": "t"}, {"type": "image", "mimeType": "image/png"}]);
    let script = script(Revision::V2025_06_18);
    let script = script.plain("tools/call", json!({"name": "a"}), json!({"result": {"content": content}}));
    let findings = script.verdict("tools.content.image-data-base64").findings;
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].place.as_deref(), findings[0].count), (Some("/result/content/*/data"), 2));
}

#[test]
fn allowances_are_never_flagged() {
    let called = |result: Value| {
        let mut result = result;
        result["resultType"] = json!("complete");
        move |revision: Revision| script(revision).plain("tools/call", json!({"name": "a"}), json!({"result": result}))
    };
    let results = [
        json!({"content": []}),
        json!({"content": [{"type": "text", "text": "", "later": null}], "x": [null]}),
        json!({"content": [{"type": "text", "text": "no"}], "isError": true}),
        json!({"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "t", "annotations": {"priority": 1}}}]}),
        json!({"content": [], "structuredContent": {"a": null, "b": [1.5, {}]}, "_meta": {"a/b": null}}),
    ];
    for result in results {
        let call = called(result.clone());
        for revision in ALL {
            let fails = call(revision).fails();
            let shapes: Vec<_> = fails.iter().filter(|id| super::ids::JUDGES.contains(id)).collect();
            assert!(shapes.is_empty(), "{revision} {result}: {shapes:?}");
        }
    }
    let free = called(json!({"content": [], "structuredContent": null}));
    assert!(!free(Revision::V2026_07_28).fails().contains(&"tools.structured.is-object"));
    assert!(free(Revision::V2025_11_25).fails().contains(&"tools.structured.is-object"));
}

#[test]
fn what_is_only_described_is_noted() {
    let icons = json!([{"src": "http://e.org/i.png", "sizes": ["48"]}]);
    let resource = json!({"uri": "a:b", "name": "a", "size": 1.5, "mimeType": "text", "icons": icons, "annotations": {"lastModified": "2025-11-25"}});
    let script =
        script(Revision::V2025_11_25).plain("resources/list", json!({}), json!({"result": {"resources": [resource]}}));
    let noted = [
        "resources.definition.size-number",
        "resources.definition.mime-type-string",
        "resources.definition.icons-valid",
        "resources.definition.last-modified-iso",
    ];
    for id in noted {
        let verdict = script.verdict(id);
        assert!(verdict.findings.is_empty() && !verdict.notes.is_empty(), "{id}: {verdict:?}");
    }
}

#[test]
fn tasks_and_links_of_other_revisions_are_not_taken_for_granted() {
    let execution =
        json!({"name": "a", "inputSchema": {"type": "object"}, "execution": null, "outputSchema": {"type": "array"}});
    let later = tools(Revision::V2026_07_28, execution.clone()).fails();
    assert!(!later.contains(&"tools.execution.is-object") && !later.contains(&"tools.output-schema.root-type-object"));
    let then = tools(Revision::V2025_11_25, execution).fails();
    assert!(then.contains(&"tools.execution.is-object") && then.contains(&"tools.output-schema.root-type-object"));
    let link = json!({"result": {"content": [{"type": "resource_link", "uri": "a:b", "name": "n"}]}});
    let early = script(Revision::V2025_03_26).plain("tools/call", json!({"name": "a"}), link);
    let finding = &early.verdict("tools.call.content-known-type").findings[0];
    assert_eq!(finding.actual, "\"resource_link\", which only a later revision defines");
}

#[test]
fn what_comes_of_strings_that_were_made_up_has_the_form_that_they_gave_it() {
    const ID: &str = "prompts.get.embedded-resource-uri";
    let get = |about: Value| {
        let content = json!({"type": "resource", "resource": {"uri": "doc of a", "text": ""}});
        let result = json!({"messages": [{"role": "user", "content": content}]});
        let params = json!({"name": "p", "arguments": {"of": "a"}});
        let script = script(Revision::V2025_11_25);
        script.probe_about(Intent::GeneratedPrompt, about, "prompts/get", params, json!({"result": result}))
    };
    assert_ne!(get(json!({"subject": "p", "kind": "prompt", "case": 0})).status_of(ID), Status::Fail);
    assert_eq!(get(json!({})).status_of(ID), Status::Fail);
}
