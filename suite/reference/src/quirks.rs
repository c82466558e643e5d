//! Quirks: each makes use of one thing that a server may do, and nothing may be flagged for it.

use serde_json::Value;

use crate::core::{About, Call, Connection};
use crate::settings::Settings;

/// Something a server may do and the plain one does not.
#[derive(Debug)]
pub struct Quirk {
    /// How it is asked for.
    pub name: &'static str,
    /// The allowance of the catalogue that it makes use of, if one names it.
    pub allowance: Option<&'static str>,
    /// What the server does.
    pub what: &'static str,
}

/// All quirks.
pub fn quirks() -> &'static [Quirk] {
    TABLE
}

const fn quirk(name: &'static str, allowance: &'static str, what: &'static str) -> Quirk {
    Quirk { name, allowance: if allowance.is_empty() { None } else { Some(allowance) }, what }
}

static TABLE: &[Quirk] = &[
    quirk("one-page", "pagination.page-size-free", "every list is one page"),
    quirk("out-of-order", "jsonrpc.response.out-of-order", "every other answer comes late, after later ones"),
    quirk("silent-on-malformed", "", "malformed input on stdio is not answered"),
    quirk("no-null-id", "", "errors that answer unreadable input have no id in any revision"),
    quirk("null-id", "", "errors that answer unreadable input have id null in every revision"),
    quirk("no-server-info", "", "results of 2026-07-28 do not name the server"),
    quirk("batches-in-2024-11-05", "jsonrpc.batch.old-revision", "batches are served in 2024-11-05"),
    quirk("invalid-arguments-as-error", "", "invalid arguments get -32602 in 2025-11-25 and later"),
    quirk("invalid-arguments-as-result", "", "invalid arguments get an isError result before 2025-11-25"),
    quirk("many-tools", "", "there are 300 tools more"),
    quirk("no-tools", "tools.list.may-be-empty", "the list of tools is empty"),
    quirk("no-descriptions", "tools.definition.description-optional", "tools have no description"),
    quirk("no-annotations", "tools.annotations.optional-hints", "tools have no annotations"),
    quirk("unusual-resources", "", "a resource has only what it must have"),
    quirk("always-sse", "", "HTTP answers are event streams, however short"),
    quirk("always-json", "progress.optional", "HTTP answers are JSON; what would come before is not sent"),
    quirk("no-session-id", "http.session.optional", "HTTP without session ids"),
    quirk("crlf", "", "lines end with CR LF"),
    quirk("execution-in-2026", "tools.execution.gone-in-2026", "execution is still shown in 2026-07-28"),
    quirk("deprecated-input-requests", "", "in 2026-07-28 too there are tools that ask for roots and sampling"),
];

/// Before an answer goes out.
pub(crate) fn before_answer(_connection: &mut Connection, _call: &Call) {}

/// Changes to a message before it is written.
pub(crate) fn dress(_settings: &Settings, _about: &About<'_>, _message: &mut Value) {}

/// How a message is written.
pub(crate) fn spell(_settings: &Settings, message: &Value) -> String {
    message.to_string()
}
