//! Requests for one tool, resource or prompt with their `Mcp-Name` varied.

use serde_json::{Value, json};
use verdict::probes::values::Expect;

use super::variation::{Variation, send};
use super::{call, encoded, is_modern, tools};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "http/modern-names";
const HEADER: &str = "Mcp-Name";
/// A name that is in no list of the server.
const NOTHING: &str = "mcp-conform-no-such-name";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "http.headers.name-missing-tool",
        "http.headers.name-mismatch-tool",
        "http.headers.name-missing-resource",
        "http.headers.name-mismatch-resource",
        "http.headers.name-missing-prompt",
        "http.headers.name-mismatch-prompt",
        "http.headers.name-base64-accepted",
        "http.headers.name-base64-mismatch",
        "http.headers.name-base64-invalid",
        "http.headers.name-marker-case",
        "http.headers.invalid-characters",
        "http.headers.mismatch-answers-id",
        "http.param.unknown-ignored",
    ],
    stage: Stage::Shared,
    applies: is_modern,
    run: |cx| Box::pin(provoke_names(cx)),
};

async fn provoke_names(cx: Cx) {
    let mut variations = tool(&cx);
    variations.extend(resource(&cx));
    variations.extend(prompt(&cx));
    send(&cx, NAME, variations).await;
}

fn tool(cx: &Cx) -> Vec<Variation> {
    let mut listed = tools(cx);
    let Some((tool, arguments)) = listed.next() else { return Vec::new() };
    // Another one that may be called: a server that goes by the header is found out without harm.
    let other = listed.next().map_or(NOTHING, |(other, _)| other.name.as_str());
    let control = Variation::control("tool", "tools/call", &call(tool, &arguments));
    let refused = |id| control.claim(id, Expect::Refused);
    let served = |id| control.claim(id, Expect::Served);
    let name = tool.name.as_str();
    let invalid = |value: String| refused("http.headers.name-base64-invalid").header(HEADER, Some(&value));
    vec![
        control.clone(),
        refused("http.headers.name-missing-tool").header(HEADER, None),
        refused("http.headers.name-mismatch-tool").header(HEADER, Some(other)),
        served("http.headers.name-base64-accepted").header(HEADER, Some(&encoded(name.as_bytes()))),
        refused("http.headers.name-base64-mismatch").header(HEADER, Some(&encoded(other.as_bytes()))),
        refused("http.headers.name-marker-case")
            .header(HEADER, Some(&encoded(name.as_bytes()).replace("base64", "BASE64"))),
        invalid(encoded(&[0xff, 0xfe, 0xc0])),
        invalid(damaged(name)),
        refused("http.headers.invalid-characters").header(HEADER, Some(&format!("{name}\u{e9}"))).raw(),
        served("http.param.unknown-ignored").header("Mcp-Param-No-Such-Thing", Some("x")),
    ]
}

/// A text in Base64 with a character in it that no variant of Base64 has. (Padding that is missing or too much is wrong by
/// RFC 4648 only where an application does not say otherwise: lenient decoders take it.)
pub(super) fn damaged(text: &str) -> String {
    let good = encoded(text.as_bytes());
    let inside = good.trim_start_matches("=?base64?").trim_end_matches("?=");
    let (begin, end) = inside.split_at(inside.len().min(2));
    format!("=?base64?{begin}!{end}?=")
}

fn resource(cx: &Cx) -> Vec<Variation> {
    let mut uris = cx.profile.entries("resources/list").iter().filter_map(|entry| entry.get("uri")?.as_str());
    let Some(uri) = uris.next() else { return Vec::new() };
    name_variations(
        ("resource", "resources/read"),
        &json!({"uri": uri}),
        uris.next(),
        ["http.headers.name-missing-resource", "http.headers.name-mismatch-resource"],
    )
}

fn prompt(cx: &Cx) -> Vec<Variation> {
    let prompts = cx.profile.entries("prompts/list");
    let name = |entry: &Value| entry.get("name").and_then(Value::as_str).map(str::to_owned);
    let Some((entry, own)) = prompts.iter().find_map(|entry| Some((entry, name(entry)?))) else { return Vec::new() };
    let other = prompts.iter().filter_map(name).find(|other| *other != own);
    let required = |argument: &&Value| argument.get("required") == Some(&Value::Bool(true));
    let given = entry.get("arguments").and_then(Value::as_array).into_iter().flatten().filter(required);
    let arguments: serde_json::Map<String, Value> = given.filter_map(|it| Some((name(it)?, json!("x")))).collect();
    let params = json!({"name": own, "arguments": arguments});
    name_variations(
        ("prompt", "prompts/get"),
        &params,
        other.as_deref(),
        ["http.headers.name-missing-prompt", "http.headers.name-mismatch-prompt"],
    )
}

fn name_variations(
    (key, method): (&str, &str),
    params: &Value,
    other: Option<&str>,
    [missing, mismatch]: [&str; 2],
) -> Vec<Variation> {
    let control = Variation::control(key, method, params);
    vec![
        control.clone(),
        control.claim(missing, Expect::Refused).header(HEADER, None),
        control.claim(mismatch, Expect::Refused).header(HEADER, Some(other.unwrap_or(NOTHING))),
    ]
}
