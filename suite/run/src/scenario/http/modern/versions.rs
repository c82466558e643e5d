//! A plain request with its version, its method, or a header that means nothing here varied.

use serde_json::json;
use verdict::Revision;
use verdict::probes::values::Expect;
use wire::mcp::code;
use wire::mcp::meta;

use super::is_modern;
use super::variation::{Variation, send};
use crate::scenario::discover::PAST;
use crate::scenario::jsonrpc::list;
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::LISTS;

const NAME: &str = "http/modern-headers";
const VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "http.version-header.required",
        "http.version-header.mismatch",
        "http.version-header.mismatch-legacy-header",
        "http.headers.method-missing",
        "http.headers.method-mismatch",
        "http.headers.method-case-sensitive",
        "http.headers.name-only-where-required",
        "http.headers.whitespace-trimmed",
        "http.headers.invalid-characters",
        "http.headers.duplicates",
        "http.headers.mismatch-answers-id",
        "http.session.header-ignored",
        "http.session.not-minted",
        "http.resume.last-event-id-ignored",
    ],
    stage: Stage::Shared,
    applies: is_modern,
    run: |cx| Box::pin(provoke_headers(cx)),
};

async fn provoke_headers(cx: Cx) {
    let method = list(&cx.profile).map_or("server/discover", |(method, _)| method);
    let other = if method == "prompts/list" { "tools/list" } else { "prompts/list" };
    let control = Variation::control("plain", method, &json!({}));
    let refused = |id| control.claim(id, Expect::Refused);
    let served = |id| control.claim(id, Expect::Served);
    let blanks = format!(" \t {method} \t");
    let mut variations = vec![
        control.clone(),
        refused("http.version-header.required").header(VERSION, None),
        // No server implements that one, so the other error has a case too.
        refused("http.version-header.mismatch")
            .params(json!({"_meta": {(meta::PROTOCOL_VERSION): PAST}}))
            .with("also", json!([code::UNSUPPORTED_PROTOCOL_VERSION])),
        refused("http.version-header.mismatch-legacy-header")
            .header(VERSION, Some(Revision::LATEST_HANDSHAKE.as_str())),
        refused("http.headers.method-missing").header(METHOD, None),
        refused("http.headers.method-mismatch").header(METHOD, Some(other)),
        refused("http.headers.method-case-sensitive").header(METHOD, Some(&method.to_uppercase())),
        served("http.headers.whitespace-trimmed").header(METHOD, Some(&blanks)).verbatim(),
        refused("http.headers.invalid-characters").header(METHOD, Some(&format!("{method}\u{1}"))).raw(),
        refused("http.headers.duplicates").also(METHOD, other).raw(),
        served("http.session.header-ignored").header("Mcp-Session-Id", Some("bogus")),
        served("http.resume.last-event-id-ignored").header("Last-Event-ID", Some("no-such-event")),
    ];
    let lists = LISTS.iter().filter(|(_, _, capability)| cx.profile.declares(capability)).map(|(method, ..)| *method);
    let lists = lists.chain(["server/discover"]);
    // Their own control: what they have is all that they need.
    variations.extend(lists.map(|method| {
        Variation::control(method, method, &json!({}))
            .claim("http.headers.name-only-where-required", Expect::NoMismatch)
            .with("control", serde_json::Value::Null)
    }));
    send(&cx, NAME, variations).await;
}
