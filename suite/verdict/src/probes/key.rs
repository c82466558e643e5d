//! The keys under which a probe says more than the bytes do.

use serde_json::Value;

use super::tables::{KEY_ROWS, Key, KeyRow, KeyType};

impl KeyType {
    fn matches(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_number(),
            Self::Flag => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Object => value.is_object(),
        }
    }

    /// Its name in the documentation.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Flag => "flag",
            Self::List => "list",
            Self::Object => "object",
        }
    }
}

impl Key {
    fn row(self) -> &'static KeyRow {
        &KEY_ROWS[self as usize]
    }

    /// Its name in a transcript.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The types that its value may have.
    #[must_use]
    pub fn types(self) -> &'static [KeyType] {
        self.row().types
    }

    /// Whether no rule reads it: it is there for people who read transcripts.
    #[must_use]
    pub fn is_background(self) -> bool {
        self.row().background
    }

    /// A sentence about it.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.row().meaning
    }

    /// Whether a value has one of its types, and is one of its values if it has a closed list of them.
    pub(super) fn allows(self, value: &Value) -> bool {
        let allowed = self.row().allowed;
        self.types().iter().any(|kind| kind.matches(value))
            && (allowed.is_empty() || value.as_str().is_none_or(|text| allowed.contains(&text)))
    }
}
