//! Promises that a tool's annotations make about repeated calls.

use serde_json::Value;

/// Why the same call of a tool is answered alike each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// It only reads.
    Reads,
    /// A repetition changes nothing.
    Repeats,
}

/// The promise of a tool's definition; none where what it answers may depend on the world outside (`openWorldHint`), or where what
/// it destroys may well not be there the second time.
#[must_use]
pub fn promise(definition: &Value) -> Option<Promise> {
    let hints = definition.get("annotations")?;
    let hint = |name: &str| hints.get(name).and_then(Value::as_bool);
    match () {
        () if hint("openWorldHint") != Some(false) => None,
        () if hint("readOnlyHint") == Some(true) => Some(Promise::Reads),
        () if hint("idempotentHint") == Some(true) && hint("destructiveHint") == Some(false) => Some(Promise::Repeats),
        () => None,
    }
}
