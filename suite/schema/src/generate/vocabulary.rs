//! Dialects of somebody's own: `$schema` names a meta-schema that is among the documents given. It is read as the dialect
//! that its own `$schema` names, without the keywords of the vocabularies that it leaves out.

use std::sync::Arc;

use serde_json::Value;
use url::Url;

use crate::{Declared, Dialect, declared, pointer, walk};

/// Keywords of the vocabulary that asserts.
const VALIDATION: [&str; 20] = [
    "type",
    "const",
    "enum",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxContains",
    "minContains",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
];
/// Keywords of the vocabularies on what nothing else evaluates.
const UNEVALUATED: [&str; 2] = ["unevaluatedItems", "unevaluatedProperties"];

/// The dialect behind a meta-schema, if it is among the documents; what it leaves out is taken out of the schema.
pub(super) fn own_dialect(schema: &mut Value, named: &str, others: &[(Url, Arc<Value>)]) -> Option<Dialect> {
    let address = Url::parse(named).ok()?;
    let (_, meta) = others.iter().find(|(other, _)| *other == address)?;
    let Declared::Known(dialect) = declared(meta) else { return None };
    let Some(vocabularies) = meta.get("$vocabulary").and_then(Value::as_object) else { return Some(dialect) };
    let lacks = |name: &str| !vocabularies.keys().any(|uri| uri.ends_with(name));
    // In 2019-09 they belong to those that apply schemas.
    let unevaluated = if dialect >= Dialect::Draft202012 { "/unevaluated" } else { "/applicator" };
    let left_out = [("/validation", &VALIDATION[..]), (unevaluated, &UNEVALUATED[..])];
    let left_out: Vec<&str> =
        left_out.into_iter().filter(|(name, _)| lacks(name)).flat_map(|(_, all)| all).copied().collect();
    let places: Vec<String> = walk(schema).into_iter().map(|node| pointer(&node.path)).collect();
    for place in places {
        if let Some(Value::Object(members)) = schema.pointer_mut(&place) {
            members.retain(|keyword, _| !left_out.contains(&keyword.as_str()));
        }
    }
    Some(dialect)
}
