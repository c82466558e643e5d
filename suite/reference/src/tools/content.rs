//! Content blocks, by what a revision knows of them.

use serde_json::{Value, json};

use crate::Revision;
use crate::core::Call;

/// The smallest PNG: one transparent pixel.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Two silent samples as a WAV file.
pub(crate) const WAV: &str = "UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQQAAAAAAAAA";

pub(super) fn text(text: impl Into<String>) -> Value {
    json!({"type": "text", "text": text.into()})
}

pub(super) fn image() -> Value {
    json!({"type": "image", "data": PNG, "mimeType": "image/png"})
}

pub(crate) fn audio() -> Value {
    json!({"type": "audio", "data": WAV, "mimeType": "audio/wav"})
}

pub(crate) fn link() -> Value {
    json!({"type": "resource_link", "uri": "memory://poem", "name": "poem", "title": "A poem",
        "description": "A poem.", "mimeType": "text/markdown", "size": 19})
}

pub(super) fn embedded_text() -> Value {
    json!({"type": "resource", "resource":
        {"uri": "memory://readme", "mimeType": "text/plain", "text": "Everything here lives in memory."}})
}

pub(super) fn embedded_blob() -> Value {
    json!({"type": "resource", "resource": {"uri": "memory://pixel", "mimeType": "image/png", "blob": PNG}})
}

/// A block with annotations, and with `_meta` where there is such a thing.
pub(super) fn annotated(mut block: Value, priority: f64, revision: Revision) -> Value {
    block["annotations"] = json!({"audience": ["user", "assistant"], "priority": priority});
    if revision >= Revision::V2025_06_18 {
        block["annotations"]["lastModified"] = json!("2026-01-12T15:00:58Z");
        block["_meta"] = json!({"com.example/origin": "reference"});
    }
    block
}

/// Structured content and its twin as text; revisions that know no structured content get the text alone.
pub(super) fn structured(call: &Call, value: &Value) -> Value {
    let mut result = json!({"content": [text(value.to_string())]});
    if call.revision >= Revision::V2025_06_18 {
        result["structuredContent"] = value.clone();
    }
    result
}
