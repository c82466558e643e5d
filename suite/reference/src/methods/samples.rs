//! The resources, templates and prompts on offer.

use serde_json::{Value, json};

use crate::core::Server;
use crate::deviation::Deviation;
use crate::tools::content::PNG;
use crate::{Revision, fixtures};

/// The resource that a tool can change.
pub(crate) const COUNTER: &str = "memory://counter";
pub(crate) const CITIES: [&str; 6] = ["Aarhus", "Athens", "Bergen", "Bern", "Lisbon", "Lyon"];

/// A resource: uri, name, title, mimeType, text (or Base64 if it is an image).
const FIXED: [[&str; 5]; 6] = [
    ["memory://readme", "readme", "Read me", "text/plain", "Everything here lives in memory."],
    ["memory://poem", "poem", "A poem", "text/markdown", "# Roses\n\nare *red*\n"],
    ["memory://pixel", "pixel", "One pixel", "image/png", PNG],
    ["memory://settings", "settings", "Settings", "application/json", "{\"verbose\": false}"],
    ["memory://empty", "empty", "Nothing", "text/plain", ""],
    ["file:///notes/today.txt", "today", "Notes of today", "text/plain", "Nothing happened.\n"],
];
/// A folder that a quirk lists.
pub(super) const FOLDER: &str = "file:///notes";
const EXTRA: &str = "memory://extra";
/// The resource that only the first user of a server with authorization may read.
pub(super) const DIARY: &str = "memory://diary";
const DIARIST: &str = "ada";

pub(super) fn resources(server: &Server, revision: Revision, caller: Option<&str>) -> Vec<Value> {
    let mut list: Vec<Value> = FIXED
        .iter()
        .map(|[uri, name, title, mime, text]| {
            let size = if *mime == "image/png" { decoded_len(text) } else { text.len() };
            let mut resource = json!({"uri": uri, "name": name, "description": format!("{title}."), "mimeType": mime});
            // 2024-11-05 has size in its schema alone.
            resource["size"] = json!(size);
            if revision >= Revision::V2025_06_18 {
                resource["title"] = json!(title);
            }
            resource
        })
        .collect();
    if server.state().extra_resource {
        list.push(json!({"uri": EXTRA, "name": "extra"}));
    }
    if server.deviates(Deviation::OwnResourcePerServer) {
        list.push(json!({"uri": format!("memory://own{}", server.nonce()), "name": "own"}));
    }
    if server.deviates(Deviation::ReadsHideResource) && server.state().served {
        list.pop();
    }
    list.push(json!({"uri": COUNTER, "name": "counter", "description": "A number that tools change.",
        "mimeType": "text/plain", "annotations": annotations(revision)}));
    if server.settings.fixtures() {
        list.extend(fixtures::list_entries("resources", revision));
    }
    if caller == Some(DIARIST) {
        list.push(json!({"uri": DIARY, "name": "diary", "mimeType": "text/plain"}));
    }
    if server.quirk("unusual-resources") {
        list.push(json!({"uri": "memory://bare", "name": "bare"}));
        list.push(json!({"uri": FOLDER, "name": "notes", "mimeType": "inode/directory"}));
    }
    if server.quirk("empty-lists") { Vec::new() } else { list }
}

fn annotations(revision: Revision) -> Value {
    let mut annotations = json!({"audience": ["user", "assistant"], "priority": 0.5});
    if revision >= Revision::V2025_06_18 {
        annotations["lastModified"] = json!("2026-01-12T15:00:58Z");
    }
    annotations
}

fn decoded_len(base64: &str) -> usize {
    base64.len() / 4 * 3 - base64.bytes().rev().take_while(|byte| *byte == b'=').count()
}

pub(super) fn templates(server: &Server, revision: Revision) -> Vec<Value> {
    let mut cities = json!({"uriTemplate": "weather://{city}", "name": "weather",
        "description": "The made-up weather of a city.", "mimeType": "text/plain"});
    let mut shouts = json!({"uriTemplate": "shout://{word}", "name": "shout",
        "description": "A word in capitals.", "mimeType": "text/plain"});
    if revision >= Revision::V2025_06_18 {
        cities["title"] = json!("Weather");
        shouts["title"] = json!("Shout");
    }
    let mut list = vec![cities, shouts];
    if server.settings.fixtures() {
        list.extend(fixtures::list_entries("templates", revision));
    }
    if server.quirk("empty-lists") { Vec::new() } else { list }
}

/// The contents of a resource, `None` if there is none of this uri.
pub(crate) fn contents(server: &Server, uri: &str) -> Option<Value> {
    if uri == COUNTER {
        let counter = server.state().counter;
        return Some(json!({"uri": uri, "mimeType": "text/plain", "text": counter.to_string()}));
    }
    if uri == EXTRA && server.state().extra_resource {
        return Some(json!({"uri": uri, "mimeType": "text/plain", "text": "extra"}));
    }
    if uri == "memory://bare" && server.quirk("unusual-resources") {
        return Some(json!({"uri": uri, "text": "bare"}));
    }
    if let Some([_, _, _, mime, text]) = FIXED.iter().find(|fixed| fixed[0] == uri) {
        let member = if *mime == "image/png" { "blob" } else { "text" };
        return Some(json!({"uri": uri, "mimeType": mime, member: text}));
    }
    if let Some(contents) = fixtures::contents(server, uri) {
        return Some(contents);
    }
    let (scheme, word) = uri.split_once("://")?;
    let text = match scheme {
        _ if !is_segment(word) => return None,
        "weather" => format!("It is mild in {word}."),
        "shout" => format!("{}!", word.to_uppercase()),
        _ => return None,
    };
    Some(json!({"uri": uri, "mimeType": "text/plain", "text": text}))
}

/// The contents of a resource for somebody.
pub(super) fn contents_for(server: &Server, uri: &str, caller: Option<&str>) -> Option<Value> {
    if uri == DIARY { diary(server, caller) } else { contents(server, uri) }
}

/// Contents that are not for everybody.
fn diary(server: &Server, caller: Option<&str>) -> Option<Value> {
    let allowed = caller == Some(DIARIST) || server.deviates(Deviation::DiaryIsOpen);
    (caller.is_some() && allowed).then(|| json!({"uri": DIARY, "mimeType": "text/plain", "text": "Dear diary."}))
}

/// One path segment that leads nowhere else.
fn is_segment(word: &str) -> bool {
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte);
    (1..=200).contains(&word.len()) && word.bytes().all(harmless) && !word.bytes().all(|byte| byte == b'.')
}

/// Returns the contents of the folder.
pub(super) fn folder() -> Value {
    let note = |name: &str| json!({"uri": format!("{FOLDER}/{name}"), "mimeType": "text/plain", "text": name});
    json!([note("today.txt"), note("tomorrow.txt")])
}

pub(super) fn prompts(server: &Server, revision: Revision) -> Vec<Value> {
    let argument = |name: &str, description: &str, required: bool| json!({"name": name, "description": description, "required": required});
    let mut list = vec![
        json!({"name": "greeting", "description": "Says hello."}),
        json!({"name": "postcard", "description": "A postcard from a city.",
            "arguments": [argument("city", "Where from.", true), argument("mood", "How it is there.", false)]}),
        json!({"name": "picture", "description": "Asks what is on a picture."}),
        json!({"name": "summary", "description": "Asks for a summary of an embedded text."}),
        json!({"name": "wish", "description": "A wish.", "arguments": [argument("for_whom", "Whose wish.", false)]}),
    ];
    if revision >= Revision::V2025_06_18 {
        list[0]["title"] = json!("Greeting");
        list[1]["title"] = json!("Postcard");
        list[1]["arguments"][0]["title"] = json!("City");
    }
    if revision >= Revision::V2025_11_25 {
        list[0]["icons"] = json!([crate::tools::icon()]);
    }
    if revision >= Revision::V2025_03_26 {
        list.push(json!({"name": "sound", "description": "Asks what is to be heard."}));
    }
    if revision >= Revision::V2025_06_18 {
        list.push(json!({"name": "pointer", "description": "Asks about a resource that it links."}));
    }
    if server.settings.fixtures() {
        list.extend(fixtures::prompts(revision));
    }
    if server.deviates(Deviation::ReadsHidePrompt) && server.state().served {
        list.pop();
    }
    if server.state().extra_prompt {
        list.push(json!({"name": "extra"}));
    }
    if server.deviates(Deviation::OwnPromptPerServer) {
        list.push(json!({"name": format!("own{}", server.nonce())}));
    }
    if server.quirk("empty-lists") { Vec::new() } else { list }
}
