//! Tool definitions.

use verdict::Revision::{V2025_03_26, V2025_06_18, V2025_11_25};

use super::checks::{DISTINCT, SUBSCHEMAS};
use super::content::ICONS;
use crate::shapes::forms::URI;
use crate::shapes::row::{Object, Shape, object, opt, req};

pub(in crate::shapes) static TOOL: Object = object(&[
    req("name", Shape::String, &["tools.definition.name-string"]),
    opt("title", Shape::String, &["tools.definition.title-string"]).from(V2025_06_18),
    opt("description", Shape::String, &["tools.definition.description-string"]),
    req("inputSchema", Shape::Struct(&INPUT_SCHEMA), &["tools.input-schema.is-object"]),
    opt("outputSchema", Shape::Struct(&OUTPUT_SCHEMA), &["tools.output-schema.is-object"]).from(V2025_06_18),
    opt("annotations", Shape::Struct(&HINTS), &["tools.annotations.is-object"]).from(V2025_03_26),
    opt("execution", Shape::Struct(&EXECUTION), &["tools.execution.is-object"]).only(V2025_11_25),
    opt("icons", ICONS, &["tools.definition.icons-array"]).from(V2025_11_25),
    opt("_meta", Shape::Object, &["tools.definition.meta-object", "jsonrpc.meta.object"]).from(V2025_06_18),
]);

static INPUT_SCHEMA: Object = Object {
    rows: &[
        req("type", Shape::Const("object"), &["tools.input-schema.root-type-object"]),
        opt("properties", Shape::Object, &["tools.input-schema.properties-object"]),
        opt("properties", Shape::Is(&SUBSCHEMAS), &["tools.input-schema.properties-object"]),
        opt("required", Shape::Array(&Shape::String), &["tools.input-schema.required-strings"]),
        opt("required", Shape::Is(&DISTINCT), &["tools.input-schema.required-strings"]),
        opt("$schema", Shape::String, &["tools.input-schema.dollar-schema-string"]).from(V2025_11_25),
    ],
    with: &[&DIALECT],
};

/// The root is free from 2026-07-28 on.
static OUTPUT_SCHEMA: Object = Object {
    rows: &[
        req("type", Shape::Const("object"), &["tools.output-schema.root-type-object"]).until(V2025_11_25),
        opt("properties", Shape::Object, &["tools.output-schema.properties-required-shape"]).until(V2025_11_25),
        opt("properties", Shape::Is(&SUBSCHEMAS), &["tools.output-schema.properties-required-shape"])
            .until(V2025_11_25),
        opt("required", Shape::Array(&Shape::String), &["tools.output-schema.properties-required-shape"])
            .until(V2025_11_25),
    ],
    with: &[&DIALECT],
};

static DIALECT: Object =
    object(&[opt("$schema", Shape::Text(&URI), &["jsonrpc.schema.dialect-declaration"]).from(V2025_11_25)]);

static HINTS: Object = object(&[
    opt("title", Shape::String, &["tools.annotations.title-string"]),
    opt("readOnlyHint", Shape::Boolean, &["tools.annotations.hints-boolean"]),
    opt("destructiveHint", Shape::Boolean, &["tools.annotations.hints-boolean"]),
    opt("idempotentHint", Shape::Boolean, &["tools.annotations.hints-boolean"]),
    opt("openWorldHint", Shape::Boolean, &["tools.annotations.hints-boolean"]),
]);

static EXECUTION: Object = object(&[opt(
    "taskSupport",
    Shape::Enum(&["forbidden", "optional", "required"]),
    &["tools.execution.task-support-enum", "tasks.tool-support.value"],
)]);
