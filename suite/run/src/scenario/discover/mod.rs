//! The area `discover`: versions, capabilities and connections of 2026-07-28.

mod capability;
mod eras;
mod fresh;
mod mixed;
mod removed;
mod same;
mod versions;

use serde_json::{Value, json};
use verdict::{Intent, Revision};
use wire::mcp::meta;

use super::{Cx, Scenario, Stage};
use crate::{ServerProfile, Session};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] =
    &[versions::UNSUPPORTED, removed::SCENARIO, capability::SCENARIO, fresh::SCENARIO, eras::SCENARIO, same::SCENARIO];

/// A version that is older than all, and one that no server can know yet.
pub(super) const PAST: &str = "1999-01-01";
const FUTURE: &str = "2099-12-31";

const VERSION: &str = meta::PROTOCOL_VERSION;
const CAPABILITIES: &str = meta::CLIENT_CAPABILITIES;

fn is_modern(profile: &ServerProfile) -> bool {
    profile.revision.is_stateless()
}

/// A request that names a version, over HTTP in its header too.
async fn ask_in(session: &Session, version: &str, method: &str, mut params: Value, probe: (&str, Intent, Value)) {
    params["_meta"] = json!({VERSION: version});
    let (scenario, intent, about) = probe;
    let ask = session.ask(method, params).header("MCP-Protocol-Version", Some(version));
    ask.probe(scenario, intent, about).send().await;
}

/// The versions that the server lists.
async fn supported(session: &Session) -> Vec<String> {
    if session.is_undiscovered() {
        return Vec::new();
    }
    let outcome = session.ask("server/discover", json!({})).send().await;
    let versions = outcome.result().and_then(|result| result.get("supportedVersions")).and_then(Value::as_array);
    versions.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The versions among them that are opened by a handshake.
fn legacy(versions: &[String]) -> impl Iterator<Item = Revision> + '_ {
    versions.iter().filter_map(|version| version.parse::<Revision>().ok()).filter(|revision| revision.is_handshake())
}

/// A resource that is listed, as params to read it.
fn resource(cx: &Cx) -> Option<Value> {
    let uri = cx.profile.entries("resources/list").first()?.get("uri")?;
    Some(json!({"uri": uri}))
}

/// A prompt that is listed and takes no arguments, as params to get it.
fn prompt(cx: &Cx) -> Option<Value> {
    let required = |argument: &Value| argument.get("required") == Some(&Value::Bool(true));
    let arguments = |entry: &Value| entry.get("arguments").and_then(Value::as_array).cloned().unwrap_or_default();
    let prompts = cx.profile.entries("prompts/list").iter();
    let name = prompts.filter(|entry| !arguments(entry).iter().any(required)).find_map(|entry| entry.get("name"))?;
    Some(json!({"name": name}))
}
