//! What the server sends, plain or with a quirk, is what the official schemas describe.

use std::collections::{BTreeMap, HashSet};

use mcp_conform_reference::{Options, Output, Revision, Transport, quirks};
use serde_json::{Value, json};

use crate::{common, published};

struct Shapes {
    schema: Value,
    built: BTreeMap<String, jsonschema::Validator>,
    /// What was found good: most messages come again and again.
    good: HashSet<(String, String)>,
}

impl Shapes {
    fn check(&mut self, name: &str, value: &Value) {
        if !self.good.insert((name.to_owned(), value.to_string())) {
            return;
        }
        let schema = &self.schema;
        let place = if schema["$defs"].is_object() { "$defs" } else { "definitions" };
        let validator = self.built.entry(name.to_owned()).or_insert_with(|| {
            assert!(schema[place][name].is_object(), "the schema has no {name}");
            let root = json!({"$schema": schema["$schema"], "allOf": [{"$ref": format!("#/{place}/{name}")}],
                place: schema[place]});
            jsonschema::validator_for(&root).expect("the official schema")
        });
        if let Some(error) = validator.iter_errors(value).next() {
            panic!("{name} at {}: {error}\n{value}", error.instance_path());
        }
    }
}

fn result_shape(method: &str, result: &Value) -> &'static str {
    if result["resultType"] == "input_required" {
        return "InputRequiredResult";
    }
    match method {
        "initialize" => "InitializeResult",
        "server/discover" => "DiscoverResult",
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "completion/complete" => "CompleteResult",
        _ => "EmptyResult",
    }
}

fn notification_shape(method: &str) -> &'static str {
    match method {
        "notifications/progress" => "ProgressNotification",
        "notifications/message" => "LoggingMessageNotification",
        "notifications/tools/list_changed" => "ToolListChangedNotification",
        "notifications/resources/updated" => "ResourceUpdatedNotification",
        "notifications/subscriptions/acknowledged" => "SubscriptionsAcknowledgedNotification",
        "ping" => "PingRequest",
        "notifications/prompts/list_changed" => "PromptListChangedNotification",
        "notifications/resources/list_changed" => "ResourceListChangedNotification",
        "notifications/elicitation/complete" => "ElicitationCompleteNotification",
        _ => panic!("no shape for {method}"),
    }
}

fn check(shapes: &mut Shapes, revision: Revision, method: Option<&str>, message: &Value) {
    if let Some(own) = message["method"].as_str() {
        return shapes.check(notification_shape(own), message);
    }
    if let Some(result) = message.get("result") {
        return shapes.check(result_shape(method.unwrap_or_default(), result), result);
    }
    // JSON-RPC's null id is in no schema, and that there may be none is in the later ones alone.
    if !message["id"].is_null() || revision >= Revision::V2025_11_25 && message.get("id").is_none() {
        let name = if revision >= Revision::V2025_11_25 { "JSONRPCErrorResponse" } else { "JSONRPCError" };
        shapes.check(name, message);
    }
    let code = message["error"]["code"].as_i64();
    match code {
        Some(-32022) if revision == Revision::V2026_07_28 => shapes.check("UnsupportedProtocolVersionError", message),
        Some(-32021) => shapes.check("MissingRequiredClientCapabilityError", message),
        _ => {}
    }
}

#[test]
fn everything_sent_without_a_fault_has_its_official_shape() {
    for revision in Revision::ALL {
        let schema = published::schema(revision.as_str());
        let mut shapes = Shapes { schema, built: BTreeMap::new(), good: HashSet::new() };
        let plain = Options { revisions: vec![revision], ..Options::default() };
        let checked = check_tour(&mut shapes, &plain, revision);
        assert!(checked > 200, "only {checked} messages in {}", revision.as_str());
        check_tour(&mut shapes, &Options { fixtures: true, ..plain.clone() }, revision);
        for quirk in quirks() {
            let options = Options { quirks: vec![quirk.name.to_owned()], ..plain.clone() };
            check_tour(&mut shapes, &options, revision);
        }
    }
}

/// Checks all that is sent on a tour, and counts it. The answers in a batch are checked if they are errors: which
/// request a result is for is not known there.
fn check_tour(shapes: &mut Shapes, options: &Options, revision: Revision) -> usize {
    let mut checked = 0;
    common::tour(options, revision, Transport::Stdio, &mut |seen| {
        for text in common::texts(&seen.outputs) {
            // `serde_json` does not read half of a surrogate pair.
            match serde_json::from_str(&text.replace("\\ud800", "?")).expect("JSON") {
                Value::Array(items) => {
                    for item in items.iter().filter(|item| item.get("error").is_some()) {
                        check(shapes, revision, None, item);
                    }
                }
                message => {
                    check(shapes, revision, seen.method.as_deref(), &message);
                    checked += 1;
                }
            }
        }
        true
    });
    checked
}

#[test]
fn every_quirk_shows_on_the_wire_of_some_revision() {
    // Time does not show in what is sent.
    for quirk in quirks().iter().filter(|quirk| !quirk.carried && quirk.name != "slow-start") {
        let options = Options { quirks: vec![quirk.name.to_owned()], ..Options::default() };
        let shows =
            Revision::ALL.iter().any(|revision| record(&options, *revision) != record(&Options::default(), *revision));
        assert!(shows, "{}", quirk.name);
    }
}

fn record(options: &Options, revision: Revision) -> Vec<Vec<Output>> {
    let mut record = Vec::new();
    common::tour(options, revision, Transport::Stdio, &mut |seen| {
        record.push(seen.outputs.clone());
        true
    });
    record
}

#[test]
fn every_tool_can_be_called() {
    let known: Vec<&str> = common::calls::calls().into_iter().map(|(name, _)| name).collect();
    let mut missing = Vec::new();
    common::tour(&Options::default(), Revision::V2025_11_25, Transport::Stdio, &mut |seen| {
        for text in common::texts(&seen.outputs) {
            let message: Value = serde_json::from_str(text).expect("JSON");
            for tool in message["result"]["tools"].as_array().into_iter().flatten() {
                let name = tool["name"].as_str().expect("a name").to_owned();
                // What changes a list the tour calls elsewhere.
                if !known.contains(&name.as_str()) && !name.contains("_extra") {
                    missing.push(name);
                }
            }
        }
        true
    });
    assert!(missing.is_empty(), "{missing:?} are not in the tour");
}
