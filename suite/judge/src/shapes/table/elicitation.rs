//! Elicitation: forms and URLs.

use verdict::Revision::{V2025_06_18, V2025_11_25};

use super::common::{META, TASK};
use crate::shapes::forms::URI;
use crate::shapes::row::{Ids, Object, Shape, Union, kind, object, opt, req};

static FORM: Ids = &["elicitation.request.form-params", "mrtr.elicitation-form-params"];
static FLAT: Ids = &["elicitation.request.form-flat", "mrtr.elicitation-form-flat"];
static URL: Ids = &["elicitation.request.url-params", "mrtr.elicitation-url-params"];

/// 2025-06-18 has no modes: every request is a form.
pub(in crate::shapes) static ELICITATION: Union = Union {
    tag: "mode",
    tagged_from: V2025_11_25,
    default: Some("form"),
    ids: FORM,
    unknown: FORM,
    variants: &[kind("form", Shape::Struct(&FORM_PARAMS)), kind("url", Shape::Struct(&URL_PARAMS)).from(V2025_11_25)],
};
static FORM_PARAMS: Object = Object {
    rows: &[
        req("message", Shape::String, FORM),
        req("requestedSchema", Shape::Struct(&REQUESTED), FORM),
        opt("task", Shape::As(FORM, &Shape::Struct(&TASK)), FORM).only(V2025_11_25),
    ],
    with: &[&META],
};
pub(in crate::shapes) static URL_PARAMS: Object = Object {
    rows: &[
        req("mode", Shape::Const("url"), URL),
        req("message", Shape::String, URL),
        req("url", Shape::Text(&URI), URL),
        req("elicitationId", Shape::String, URL).only(V2025_11_25),
        opt("task", Shape::As(URL, &Shape::Struct(&TASK)), URL).only(V2025_11_25),
    ],
    with: &[&META],
};
static REQUESTED: Object = object(&[
    req("type", Shape::Const("object"), FORM),
    req("properties", Shape::Map(&Shape::As(FLAT, &PRIMITIVE)), FORM),
    opt("required", Shape::Array(&Shape::String), FORM),
    opt("$schema", Shape::String, FORM).from(V2025_11_25),
]);

/// The rows below name no requirement: which alternative was meant cannot be told, so the whole is one claim.
static PRIMITIVE: Shape = Shape::AnyOf(
    "the schema of a string, a number, a boolean or an enumeration",
    &[
        (V2025_06_18, Shape::Struct(&STRING)),
        (V2025_06_18, Shape::Struct(&NUMBER)),
        (V2025_06_18, Shape::Struct(&BOOLEAN)),
        (V2025_06_18, Shape::Struct(&ENUM)),
        (V2025_11_25, Shape::Struct(&TITLED)),
        (V2025_11_25, Shape::Struct(&MANY)),
        (V2025_11_25, Shape::Struct(&MANY_TITLED)),
    ],
);
static NAMED: Object = object(&[opt("title", Shape::String, &[]), opt("description", Shape::String, &[])]);
static STRING: Object = Object {
    rows: &[
        req("type", Shape::Const("string"), &[]),
        opt("minLength", Shape::Integer, &[]),
        opt("maxLength", Shape::Integer, &[]),
        opt("format", Shape::Enum(&["email", "uri", "date", "date-time"]), &[]),
        opt("default", Shape::String, &[]).from(V2025_11_25),
    ],
    with: &[&NAMED],
};
static NUMBER: Object = Object {
    rows: &[
        req("type", Shape::Enum(&["number", "integer"]), &[]),
        opt("minimum", Shape::Number, &[]),
        opt("maximum", Shape::Number, &[]),
        opt("default", Shape::Number, &[]).from(V2025_11_25),
    ],
    with: &[&NAMED],
};
static BOOLEAN: Object =
    Object { rows: &[req("type", Shape::Const("boolean"), &[]), opt("default", Shape::Boolean, &[])], with: &[&NAMED] };
static WORDS: Shape = Shape::Array(&Shape::String);
/// `enumNames` is held to its type only where no other alternative would take it.
static ENUM: Object = Object {
    rows: &[
        req("type", Shape::Const("string"), &[]),
        req("enum", WORDS, &[]),
        opt("enumNames", WORDS, &[]).only(V2025_06_18),
        opt("default", Shape::String, &[]).from(V2025_11_25),
    ],
    with: &[&NAMED],
};
static TITLED: Object = Object {
    rows: &[
        req("type", Shape::Const("string"), &[]),
        req("oneOf", Shape::Array(&Shape::Struct(&OPTION)), &[]),
        opt("default", Shape::String, &[]),
    ],
    with: &[&NAMED],
};
static OPTION: Object = object(&[req("const", Shape::String, &[]), req("title", Shape::String, &[])]);
static LIST: Object = Object {
    rows: &[
        req("type", Shape::Const("array"), &[]),
        opt("minItems", Shape::Integer, &[]),
        opt("maxItems", Shape::Integer, &[]),
        opt("default", WORDS, &[]),
    ],
    with: &[&NAMED],
};
static MANY: Object = Object { rows: &[req("items", Shape::Struct(&MANY_ITEMS), &[])], with: &[&LIST] };
static MANY_ITEMS: Object = object(&[req("type", Shape::Const("string"), &[]), req("enum", WORDS, &[])]);
static MANY_TITLED: Object = Object { rows: &[req("items", Shape::Struct(&TITLED_ITEMS), &[])], with: &[&LIST] };
static TITLED_ITEMS: Object = object(&[req("anyOf", Shape::Array(&Shape::Struct(&OPTION)), &[])]);
