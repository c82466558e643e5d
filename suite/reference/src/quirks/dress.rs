//! Quirks that change what a message says.

use serde_json::{Value, json};

use super::spell;
use crate::Revision;
use crate::core::{About, Kind};
use crate::settings::Settings;

/// Changes to a message before it is written.
pub(super) fn dress(settings: &Settings, about: &About<'_>, message: &mut Value) {
    if settings.quirk("error-data") && about.kind == Kind::Error && message["error"].get("data").is_none() {
        message["error"]["data"] = json!(["anything", 7, null, {"at": "all"}]);
    }
    if settings.quirk("float-progress") && about.method == "notifications/progress" {
        let progress = message["params"]["progress"].as_f64().unwrap_or_default();
        message["params"]["progress"] = json!(progress / 8.0);
        remove(&mut message["params"], "total");
    }
    if about.kind == Kind::Result {
        dress_result(settings, about, &mut message["result"]);
    }
    if settings.quirk("unknown-members") {
        add_members(about, message);
    }
}

fn dress_result(settings: &Settings, about: &About<'_>, result: &mut Value) {
    if settings.quirk("no-instructions") {
        remove(result, "instructions");
    }
    if settings.quirk("ttl-per-page") && result.get("nextCursor").is_none() && result.get("ttlMs").is_some() {
        result["ttlMs"] = json!(1);
    }
    if settings.quirk("stale-hints") && result.get("ttlMs").is_some() {
        result["ttlMs"] = json!(3_600_000);
    }
    let lists = ["tools", "resources", "resourceTemplates", "prompts", "contents"];
    if settings.quirk("early-hints") && lists.iter().any(|name| result[*name].is_array()) {
        result["ttlMs"] = json!(60_000);
        result["cacheScope"] = json!("public");
    }
    if settings.quirk("private-cache") && result.get("cacheScope").is_some() {
        result["cacheScope"] = json!("private");
        result["ttlMs"] = json!(0);
    }
    if settings.quirk("unlisted-link") && about.tool == Some("link_poem") && result["isError"] != true {
        let link = json!({"type": "resource_link", "uri": "weather://Bern", "name": "bern"});
        result["content"] = json!([link]);
    }
    if settings.quirk("long-texts") {
        lengthen(result);
    }
    if settings.quirk("half-surrogates") {
        extend_texts(result, spell::HALF, "");
    }
    let structured = settings.quirk("structured-without-schema") && about.tool == Some("version");
    if structured && about.revision >= Some(Revision::V2025_06_18) {
        let value = json!({"version": env!("CARGO_PKG_VERSION")});
        result["content"] = json!([{"type": "text", "text": value.to_string()}]);
        result["structuredContent"] = value;
    }
}

/// Characters of a long description, and of white space behind a text.
const LONG: [usize; 2] = [20_000, 10_000];

fn lengthen(result: &mut Value) {
    extend_texts(result, &" And so on.".repeat(LONG[0] / 11), &" ".repeat(LONG[1]));
}

/// Adds something to the descriptions in a list, and something to the texts of a tool.
fn extend_texts(result: &mut Value, description: &str, text: &str) {
    for list in ["tools", "resources", "resourceTemplates", "prompts"] {
        extend(result, list, "description", description);
    }
    extend(result, "content", "text", text);
}

fn extend(result: &mut Value, list: &str, member: &str, more: &str) {
    for item in result.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(text) = item[member].as_str() {
            item[member] = json!(format!("{text}{more}"));
        }
    }
}

fn remove(place: &mut Value, name: &str) {
    if let Some(object) = place.as_object_mut() {
        object.shift_remove(name);
    }
}

/// Members that nobody knows, in the objects that are open.
fn add_members(about: &About<'_>, message: &mut Value) {
    let extra = || json!({"com.example": ["unknown", 1, null]});
    match about.kind {
        Kind::Result => {
            let result = &mut message["result"];
            for place in ["capabilities", "serverInfo"] {
                if result[place].is_object() {
                    result[place]["x-extra"] = extra();
                }
            }
            let lists = ["tools", "resources", "resourceTemplates", "prompts", "content", "contents", "messages"];
            for list in lists {
                for item in result.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
                    item["x-extra"] = extra();
                }
            }
            // The result of ping is to be empty.
            if about.method != "ping" {
                result["x-extra"] = extra();
            }
        }
        Kind::Notification if message["params"].is_object() => message["params"]["x-extra"] = extra(),
        _ => {}
    }
}

/// Changes to a tool before it is shown.
pub(super) fn show(settings: &Settings, revision: Revision, tool: &mut Value) {
    if settings.quirk("false-hints") && tool["name"] == "bump_counter" && tool.get("annotations").is_some() {
        tool["annotations"] = json!({"readOnlyHint": true});
    }
    if tool["name"] != "greet" {
        return;
    }
    let schema = &mut tool["inputSchema"];
    if settings.quirk("schema-keywords") {
        schema["title"] = json!("Greeting");
        schema["$comment"] = json!("Whom to greet, and how.");
        schema["anyOf"] = json!([{"required": []}, {"required": ["name"]}]);
        schema["if"] = json!({"required": ["loud"]});
        schema["then"] = json!(true);
        schema["examples"] = json!([{"name": "Ann"}]);
        schema["x-thing"] = json!({"any": "thing"});
    }
    if settings.quirk("draft-07-tuples") && revision <= Revision::V2025_06_18 {
        schema["properties"]["pair"] = json!({"type": "array", "items": [{"type": "string"}, {"type": "number"}]});
    }
}
