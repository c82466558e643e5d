//! Pagination: opaque cursors that are bound to their list and carry nothing a process would have to remember.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::core::{Call, Server};
use crate::error::RpcError;

const PAGE_SIZE: usize = 4;

/// One page of a list, as a result under the list's own name.
pub(super) fn page(server: &Server, call: &Call, name: &str, items: Vec<Value>) -> Result<Value, RpcError> {
    let size = if server.quirk("one-page") { items.len().max(1) } else { PAGE_SIZE };
    let start = match call.params.get("cursor") {
        None | Some(Value::Null) => 0,
        Some(Value::String(text)) => offset(server, name, text, items.len())
            .ok_or_else(|| RpcError::invalid_params("the cursor is not one of this list"))?,
        Some(_) => return Err(RpcError::invalid_params("cursor must be a string")),
    };
    let end = (start + size).min(items.len());
    let mut result = json!({name: items[start..end]});
    if end < items.len() {
        result["nextCursor"] = json!(cursor(name, end));
    }
    Ok(result)
}

fn cursor(name: &str, offset: usize) -> String {
    let seal = format!("{name}:{offset}")
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    URL_SAFE_NO_PAD.encode(format!("{name}:{offset}:{seal:08x}"))
}

/// Where a cursor points, if it is one we would give out for this list.
fn offset(_server: &Server, name: &str, text: &str, len: usize) -> Option<usize> {
    let decoded = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let offset: usize = decoded.split(':').nth(1)?.parse().ok()?;
    (offset <= len && cursor(name, offset) == text).then_some(offset)
}
