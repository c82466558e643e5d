//! The envelope of JSON-RPC, and errors whose data has a shape.

use verdict::Revision::{V2025_11_25, V2026_07_28};
use wire::mcp::code;

use super::checks::NOT_EMPTY;
use super::elicitation::URL_PARAMS;
use crate::shapes::row::{Object, Shape, object, opt, req};

pub(in crate::shapes) static REQUEST: Shape = Shape::Struct(&REQUEST_ENVELOPE);
pub(in crate::shapes) static NOTIFICATION: Shape = Shape::Struct(&NOTIFICATION_ENVELOPE);
pub(in crate::shapes) static RESPONSE: Shape = Shape::Struct(&RESPONSE_ENVELOPE);
pub(in crate::shapes) static ERROR: Shape = Shape::Struct(&ERROR_ENVELOPE);

static VERSION: Object = object(&[req("jsonrpc", Shape::Const("2.0"), &["jsonrpc.message.version-member"])]);
static CALL: Object = Object {
    rows: &[
        req("method", Shape::String, &["jsonrpc.message.method-string"]),
        opt("params", Shape::Object, &["jsonrpc.message.params-object"]),
    ],
    with: &[&VERSION],
};
static REQUEST_ENVELOPE: Object =
    Object { rows: &[req("id", Shape::Token, &["jsonrpc.server-request.id-type"]).until(V2025_11_25)], with: &[&CALL] };
static NOTIFICATION_ENVELOPE: Object = Object { rows: &[], with: &[&CALL] };
static RESPONSE_ENVELOPE: Object = Object {
    rows: &[
        req("id", Shape::Token, &["jsonrpc.response.success-id-not-null"]),
        req("result", Shape::Object, &["jsonrpc.response.result-object"]),
        opt("error", Shape::Absent, &["jsonrpc.response.result-xor-error"]),
    ],
    with: &[&VERSION],
};
/// The id may be null or absent where it could not be read; whether it is the right one is for a rule to say.
static ERROR_ENVELOPE: Object = Object {
    rows: &[
        req("error", Shape::Struct(&ERROR_BODY), &["jsonrpc.error.object"]),
        opt("result", Shape::Absent, &["jsonrpc.response.result-xor-error"]),
    ],
    with: &[&VERSION],
};
static ERROR_BODY: Object = object(&[
    req("code", Shape::Any, &["jsonrpc.error.object"]),
    opt("code", Shape::Integer, &["jsonrpc.error.code-integer"]),
    req("message", Shape::Any, &["jsonrpc.error.object"]),
    opt("message", Shape::String, &["jsonrpc.error.message-string"]),
]);

/// Errors with data, by code and revision; the shape is that of the error object.
pub(in crate::shapes) static ERRORS: &[(i64, verdict::Revision, Shape)] = &[
    (code::URL_ELICITATION_REQUIRED, V2025_11_25, Shape::Struct(&URL_REQUIRED)),
    (code::MISSING_CLIENT_CAPABILITY, V2026_07_28, Shape::Struct(&CAPABILITY_MISSING)),
    (code::UNSUPPORTED_PROTOCOL_VERSION, V2026_07_28, Shape::Struct(&VERSION_UNSUPPORTED)),
];
static URL_REQUIRED: Object =
    object(&[req("data", Shape::Struct(&URL_REQUIRED_DATA), &["elicitation.url-required.error-data"])]);
static URL_REQUIRED_DATA: Object = object(&[req(
    "elicitations",
    Shape::Array(&Shape::Also(&["elicitation.url-required.error-data"], &Shape::Struct(&URL_PARAMS))),
    &["elicitation.url-required.error-data"],
)]);
static CAPABILITY_MISSING: Object =
    object(&[req("data", Shape::Struct(&CAPABILITY_MISSING_DATA), &["discover.missing-capability.data"])]);
static CAPABILITY_MISSING_DATA: Object = object(&[
    req("requiredCapabilities", Shape::Map(&Shape::Object), &["discover.missing-capability.data"]),
    opt("requiredCapabilities", Shape::Is(&NOT_EMPTY), &["discover.missing-capability.data"]),
    opt("requiredCapabilities", Shape::Struct(&CLIENT), &["discover.missing-capability.data"]),
]);
/// The client capabilities that have parts.
static CLIENT: Object = object(&[
    opt("elicitation", Shape::Struct(&ELICITATION), &["discover.missing-capability.data"]),
    opt("sampling", Shape::Struct(&SAMPLING), &["discover.missing-capability.data"]),
    opt("experimental", Shape::Map(&Shape::Object), &["discover.missing-capability.data"]),
    opt("extensions", Shape::Map(&Shape::Object), &["discover.missing-capability.data"]),
]);
static ELICITATION: Object = object(&[
    opt("form", Shape::Object, &["discover.missing-capability.data"]),
    opt("url", Shape::Object, &["discover.missing-capability.data"]),
]);
static SAMPLING: Object = object(&[
    opt("context", Shape::Object, &["discover.missing-capability.data"]),
    opt("tools", Shape::Object, &["discover.missing-capability.data"]),
]);
static VERSION_UNSUPPORTED: Object =
    object(&[req("data", Shape::Struct(&VERSION_UNSUPPORTED_DATA), &["discover.version.unsupported-supported-list"])]);
static VERSION_UNSUPPORTED_DATA: Object = object(&[
    req("supported", Shape::Array(&Shape::String), &["discover.version.unsupported-supported-list"]),
    opt("supported", Shape::Is(&NOT_EMPTY), &["discover.version.unsupported-supported-list"]),
    req("requested", Shape::String, &["discover.version.unsupported-requested-echo"]).mute(),
]);
