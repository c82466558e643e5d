//! Which dialect a schema declares, and whether it is valid under the meta-schema of one.

use std::fmt;

use jsonschema::Draft;
use serde_json::Value;

use crate::Flaw;

/// A dialect that can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the dialects")]
pub enum Dialect {
    Draft4,
    Draft6,
    Draft7,
    Draft201909,
    Draft202012,
}

/// The value of `$schema`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declared {
    /// There is none.
    Absent,
    /// A dialect that can be judged.
    Known(Dialect),
    /// Another text: a custom dialect, perhaps.
    Unknown(String),
    /// No string.
    NotString,
}

impl Dialect {
    const ALL: [(Self, &str); 5] = [
        (Self::Draft4, "json-schema.org/draft-04/schema"),
        (Self::Draft6, "json-schema.org/draft-06/schema"),
        (Self::Draft7, "json-schema.org/draft-07/schema"),
        (Self::Draft201909, "json-schema.org/draft/2019-09/schema"),
        (Self::Draft202012, "json-schema.org/draft/2020-12/schema"),
    ];

    /// The dialect with this identifier; `http` and `https`, with and without the `#` at the end, are the same.
    #[must_use]
    pub fn named(uri: &str) -> Option<Self> {
        let bare = uri.strip_suffix('#').unwrap_or(uri);
        let bare = bare.strip_prefix("https://").or_else(|| bare.strip_prefix("http://"))?;
        Self::ALL.into_iter().find(|(_, known)| *known == bare).map(|(dialect, _)| dialect)
    }

    pub(crate) fn draft(self) -> Draft {
        match self {
            Self::Draft4 => Draft::Draft4,
            Self::Draft6 => Draft::Draft6,
            Self::Draft7 => Draft::Draft7,
            Self::Draft201909 => Draft::Draft201909,
            Self::Draft202012 => Draft::Draft202012,
        }
    }

    /// Drafts to 7 ignore whatever stands beside `$ref`.
    pub(crate) fn ref_hides_siblings(self) -> bool {
        self <= Self::Draft7
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft201909 => "2019-09",
            Self::Draft202012 => "2020-12",
        })
    }
}

/// Reads the `$schema` of a schema's root.
#[must_use]
pub fn declared(schema: &Value) -> Declared {
    match schema.get("$schema") {
        None => Declared::Absent,
        Some(Value::String(uri)) => Dialect::named(uri).map_or_else(|| Declared::Unknown(uri.clone()), Declared::Known),
        Some(_) => Declared::NotString,
    }
}

/// The first thing that makes a schema invalid under the meta-schema of a dialect. What hangs on `format` (a `pattern`
/// that is "not a regex") is no flaw: the engine asked does not read all that ECMA-262 allows.
#[must_use]
pub fn meta_flaw(schema: &Value, dialect: Dialect) -> Option<Flaw> {
    let validator = match dialect {
        Dialect::Draft4 => jsonschema::draft4::meta::validator(),
        Dialect::Draft6 => jsonschema::draft6::meta::validator(),
        Dialect::Draft7 => jsonschema::draft7::meta::validator(),
        Dialect::Draft201909 => jsonschema::draft201909::meta::validator(),
        Dialect::Draft202012 => jsonschema::draft202012::meta::validator(),
    };
    // A known dialect under another spelling of its name must not be looked up by that name.
    let errors = validator.iter_errors(schema);
    let flaws = errors.map(|error| Flaw::of(&error)).filter(|flaw| flaw.keyword != "format");
    flaws.min_by(|one, other| (&one.at, &one.keyword).cmp(&(&other.at, &other.keyword)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn spellings_of_a_dialect_are_one() {
        for uri in ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema"] {
            assert_eq!(declared(&json!({"$schema": uri})), Declared::Known(Dialect::Draft7));
        }
        assert_eq!(declared(&json!({"$schema": "urn:mine"})), Declared::Unknown("urn:mine".into()));
        assert_eq!(declared(&json!({"$schema": 7})), Declared::NotString);
        assert_eq!(declared(&json!({})), Declared::Absent);
    }

    #[test]
    fn array_items_are_draft_7_and_not_2020_12() {
        let schema = json!({"type": "object", "properties": {"a": {"items": [{"type": "string"}]}}});
        assert_eq!(meta_flaw(&schema, Dialect::Draft7), None);
        let flaw = meta_flaw(&schema, Dialect::Draft202012).expect("items must be a schema");
        assert_eq!(flaw.at, "/properties/a/items");
    }

    #[test]
    fn an_unreadable_pattern_is_no_flaw() {
        for dialect in [Dialect::Draft4, Dialect::Draft7, Dialect::Draft202012] {
            assert_eq!(meta_flaw(&json!({"pattern": "[^]"}), dialect), None, "{dialect}");
        }
    }

    #[test]
    fn wrong_types_are_flaws_in_every_dialect() {
        for (dialect, _) in Dialect::ALL {
            assert!(meta_flaw(&json!({"properties": {"a": {"type": "text"}}}), dialect).is_some(), "{dialect}");
            assert!(meta_flaw(&json!({"properties": {"a": {"required": true}}}), dialect).is_some(), "{dialect}");
            assert!(meta_flaw(&json!({"x-own": 1, "format": "unheard-of"}), dialect).is_none(), "{dialect}");
        }
    }
}
