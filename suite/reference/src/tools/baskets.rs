//! Tools that keep a state for the client, which brings a handle with every call (2026-07-28).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::core::failure;
use crate::core::{Call, Connection, Reply, Server};
use crate::deviation::Deviation;

/// More baskets than this are not kept.
const MOST: usize = 1_000;
/// The tool that takes a handle.
const ADD: &str = "add_to_basket";

/// A basket, and its handle.
pub(super) fn open(connection: &Connection, call: &Call) -> Reply {
    let server = &connection.server;
    let Ok(random) = random() else { return Reply::Result(failure("There is no basket left. Try again later.")) };
    let mut state = server.state();
    state.opened += 1;
    let handle = if server.deviates(Deviation::HandlesAreCounted) {
        format!("basket-{}", state.opened)
    } else if server.deviates(Deviation::HandlesAreReadable) {
        URL_SAFE_NO_PAD.encode(json!({"basket": random, "owner": "you"}).to_string())
    } else {
        random
    };
    if state.baskets.len() < MOST {
        state.baskets.insert(handle.clone(), call.caller.clone());
    }
    Reply::Result(super::content::structured(call, &json!({"basket_id": handle})))
}

/// Something into a basket that there is, and that is the caller's.
pub(super) fn add(connection: &Connection, call: &Call, arguments: &Value) -> Reply {
    let server = &connection.server;
    let handle = arguments["basket_id"].as_str().unwrap_or_default();
    let owner = server.state().baskets.get(handle).cloned();
    let lax = server.deviates(Deviation::HandlesOpenToAll) || server.deviates(Deviation::HandlesReplaceTokens);
    let own = owner.is_some_and(|owner| owner == call.caller || lax);
    if !own && !server.deviates(Deviation::UnknownHandlesAccepted) {
        return Reply::Result(failure("There is no such basket, or it is gone. Open one with open_basket."));
    }
    Reply::Result(json!({"content": [super::content::text("It is in the basket.")]}))
}

/// Whether a fault has the handle of a basket stand for a token.
pub(crate) fn opens(server: &Server, body: &[u8]) -> bool {
    if !server.deviates(Deviation::HandlesReplaceTokens) {
        return false;
    }
    let message: Value = serde_json::from_slice(body).unwrap_or_default();
    let params = &message["params"];
    let handle = params["arguments"]["basket_id"].as_str().unwrap_or_default();
    let name = params["name"].as_str().unwrap_or_default();
    (name == ADD || name == super::public_name(&server.settings, ADD)) && server.state().baskets.contains_key(handle)
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
