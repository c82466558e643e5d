//! Requests that a server makes of its client: its own until 2025-11-25, input requests from 2026-07-28 on.

use verdict::Revision::{self, V2025_03_26, V2025_11_25, V2026_07_28};

use super::checks::{COUNT, ONLY_META, UNIT};
use super::common::{Entry, META, TASK};
use super::content::{AUDIO, CONTENT, IMAGE, ROLES, TEXT};
use super::elicitation::ELICITATION;
use super::tools::TOOL;
use crate::shapes::row::{Ids, Object, Shape, Union, kind, object, opt, req, whole};

/// Requests that a server may send, as whole messages.
pub(in crate::shapes) static REQUESTS: &[Entry] = &[
    ("ping", Revision::FIRST, Revision::LATEST_HANDSHAKE, Shape::Struct(&PING)),
    ("roots/list", Revision::FIRST, Revision::LATEST_HANDSHAKE, Shape::Struct(&LIST_ROOTS)),
    ("sampling/createMessage", Revision::FIRST, Revision::LATEST_HANDSHAKE, Shape::Struct(&CREATE_MESSAGE)),
    ("elicitation/create", verdict::Revision::V2025_06_18, V2025_11_25, Shape::Struct(&ELICIT)),
];
/// Any other request.
pub(in crate::shapes) static REQUEST: Shape = Shape::Struct(&LIST_ROOTS);

/// The entries of `inputRequests`.
pub(in crate::shapes) static INPUT_REQUEST: Union = Union {
    tag: "method",
    tagged_from: V2026_07_28,
    default: None,
    ids: &["mrtr.input-requests-object"],
    unknown: &["mrtr.input-requests-methods"],
    variants: &[
        kind("elicitation/create", Shape::Struct(&ELICIT)),
        kind("sampling/createMessage", Shape::Struct(&CREATE_MESSAGE)),
        kind("roots/list", Shape::Struct(&LIST_ROOTS)),
    ],
};

static PING: Object = object(&[opt("params", Shape::Struct(&PING_PARAMS), &["ping.server-ping-shape"])]);
static PING_PARAMS: Object = Object { rows: &[whole(&ONLY_META, &["ping.server-ping-shape"])], with: &[&META] };
static LIST_ROOTS: Object = object(&[opt("params", Shape::Struct(&META), &["jsonrpc.message.params-object"])]);
static ELICIT: Object = object(&[req(
    "params",
    Shape::Tagged(&ELICITATION),
    &["elicitation.request.form-params", "mrtr.elicitation-form-params"],
)]);
static CREATE_MESSAGE: Object = object(&[req("params", Shape::Struct(&SAMPLING), SAMPLE)]);

static SAMPLE: Ids = &["sampling.request.params", "mrtr.sampling-params"];
static MESSAGES: Ids = &["sampling.request.message-shape"];
static SAMPLING: Object = Object {
    rows: &[
        req("messages", Shape::Array(&Shape::Struct(&MESSAGE)), SAMPLE),
        req("maxTokens", Shape::Number, SAMPLE),
        opt("maxTokens", Shape::Is(&COUNT), SAMPLE).noted(),
        opt("systemPrompt", Shape::String, SAMPLE),
        opt("includeContext", Shape::Enum(&["none", "thisServer", "allServers"]), SAMPLE),
        opt("temperature", Shape::Number, SAMPLE),
        opt("stopSequences", Shape::Array(&Shape::String), SAMPLE),
        opt("metadata", Shape::Object, SAMPLE),
        opt("modelPreferences", Shape::Struct(&PREFERENCES), SAMPLE),
        opt("tools", Shape::As(SAMPLE, &Shape::Array(&Shape::Struct(&TOOL))), SAMPLE).from(V2025_11_25),
        opt("toolChoice", Shape::Struct(&TOOL_CHOICE), SAMPLE).from(V2025_11_25),
        opt("task", Shape::As(SAMPLE, &Shape::Struct(&TASK)), SAMPLE).only(V2025_11_25),
    ],
    with: &[&META],
};
static PREFERENCES: Object = object(&[
    opt("hints", Shape::Array(&Shape::Struct(&HINT)), SAMPLE),
    opt("costPriority", Shape::Is(&UNIT), SAMPLE),
    opt("speedPriority", Shape::Is(&UNIT), SAMPLE),
    opt("intelligencePriority", Shape::Is(&UNIT), SAMPLE),
]);
static HINT: Object = object(&[opt("name", Shape::String, SAMPLE)]);
static TOOL_CHOICE: Object = object(&[opt("mode", Shape::Enum(&["auto", "required", "none"]), SAMPLE)]);

static MESSAGE: Object = object(&[
    req("role", Shape::Enum(ROLES), MESSAGES),
    req("content", Shape::OneOrMany(&Shape::Tagged(&SAMPLED), V2025_11_25), MESSAGES),
    opt("_meta", Shape::Object, &["jsonrpc.meta.object"]).from(V2025_11_25),
]);
static SAMPLED: Union = Union {
    tag: "type",
    tagged_from: Revision::FIRST,
    default: None,
    ids: MESSAGES,
    unknown: MESSAGES,
    variants: &[
        kind("text", Shape::As(MESSAGES, &Shape::Struct(&TEXT))),
        kind("image", Shape::As(MESSAGES, &Shape::Struct(&IMAGE))),
        kind("audio", Shape::As(MESSAGES, &Shape::Struct(&AUDIO))).from(V2025_03_26),
        kind("tool_use", Shape::Struct(&TOOL_USE)).from(V2025_11_25),
        kind("tool_result", Shape::Struct(&TOOL_RESULT)).from(V2025_11_25),
    ],
};
static TOOL_USE: Object = object(&[
    req("id", Shape::String, MESSAGES),
    req("name", Shape::String, MESSAGES),
    req("input", Shape::Object, MESSAGES),
    opt("_meta", Shape::Object, &["jsonrpc.meta.object"]),
]);
static TOOL_RESULT: Object = object(&[
    req("toolUseId", Shape::String, MESSAGES),
    req("content", Shape::As(MESSAGES, &Shape::Array(&Shape::Tagged(&CONTENT))), MESSAGES),
    opt("structuredContent", Shape::Object, MESSAGES).until(V2025_11_25),
    opt("isError", Shape::Boolean, MESSAGES),
    opt("_meta", Shape::Object, &["jsonrpc.meta.object"]),
]);
