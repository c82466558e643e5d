//! What is known about an intent.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::tables::{INTENT_ROWS, Intent, IntentRow, Key};

const UNKNOWN: IntentRow =
    IntentRow { name: "unknown", area: "", meaning: "", needs: &[], may: &[], background: false, untested: None };

static BY_NAME: LazyLock<HashMap<&str, Intent>> =
    LazyLock::new(|| Intent::ALL.iter().map(|intent| (intent.name(), *intent)).collect());

impl Intent {
    fn row(self) -> &'static IntentRow {
        INTENT_ROWS.get(self as usize).unwrap_or(&UNKNOWN)
    }

    /// Its name in a transcript.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the intent of this name, [`Intent::Unknown`] if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        BY_NAME.get(name).copied().unwrap_or(Self::Unknown)
    }

    /// The name of its area.
    #[must_use]
    pub fn area(self) -> &'static str {
        self.row().area
    }

    /// Returns the description of what was sent and of what the keys of the probe say.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.row().meaning
    }

    /// The keys that it always has.
    #[must_use]
    pub fn required_keys(self) -> &'static [Key] {
        self.row().needs
    }

    /// The keys that it may have.
    #[must_use]
    pub fn optional_keys(self) -> &'static [Key] {
        self.row().may
    }

    /// Whether it may have this key.
    #[must_use]
    pub fn declares(self, key: Key) -> bool {
        self.required_keys().contains(&key) || self.optional_keys().contains(&key)
    }

    /// Whether no rule asks for it by name: it is there for people who read transcripts, or so that rules about ordinary
    /// traffic skip it.
    #[must_use]
    pub fn is_background(self) -> bool {
        self.row().background
    }

    /// Why `mcp-conform selftest` cannot show that it is sent and decides a verdict.
    #[must_use]
    pub fn untested(self) -> Option<&'static str> {
        self.row().untested
    }

    /// Whether the id of the request is the oddity that is probed, so that the id of an answer proves nothing elsewhere.
    #[must_use]
    pub fn varies_id(self) -> bool {
        matches!(
            self,
            Self::IdPair
                | Self::IdEdge
                | Self::IdBeyond
                | Self::IdNull
                | Self::IdWrongType
                | Self::IdFractional
                | Self::IdInFlight
                | Self::IdReuse
                | Self::IdShared
        )
    }

    /// Returns what is wrong with the keys or the types of `about`. A key with null counts as left out.
    #[must_use]
    pub fn wrong_about(self, about: &Value) -> Option<String> {
        self.wrong_key(about).or_else(|| {
            let lacks = |key: &&Key| about.get(key.name()).is_none();
            self.required_keys().iter().find(lacks).map(|key| format!("{self} lacks {}", key.name()))
        })
    }

    /// Returns what is wrong with a key that `about` has.
    #[must_use]
    pub fn wrong_key(self, about: &Value) -> Option<String> {
        let members = match about {
            Value::Null => return None,
            Value::Object(members) => members,
            _ => return Some(format!("{self} has an `about` that is no object")),
        };
        let mut members = members.iter().filter(|(_, value)| !value.is_null());
        members.find_map(|(name, value)| {
            let key = Key::ALL.iter().find(|key| key.name() == name && self.declares(**key));
            match key {
                None => Some(format!("{self} does not declare {name}")),
                Some(key) => {
                    (!key.allows(value)).then(|| format!("{self} has {name} of another type or value: {value}"))
                }
            }
        })
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Intent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Intent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer).map(|name| Self::from_name(&name))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_row_stands_at_its_variant_and_has_a_name_of_its_own() {
        assert_eq!(INTENT_ROWS.len(), Intent::ALL.len());
        for intent in Intent::ALL {
            assert_eq!(Intent::from_name(intent.name()), *intent);
            assert_eq!(json!(intent), json!(intent.name()));
            assert_eq!(serde_json::from_value::<Intent>(json!(intent)).expect("its name"), *intent);
        }
        assert!(Key::ALL.is_sorted_by_key(|key| key.name()));
    }

    #[test]
    fn an_unknown_name_is_readable() {
        let intent: Intent = serde_json::from_str("\"of-a-later-version\"").expect("any string");
        assert_eq!((intent, intent.name()), (Intent::Unknown, "unknown"));
        assert!(serde_json::from_str::<Intent>("7").is_err());
    }

    #[test]
    fn keys_are_checked() {
        let wrong = |about| Intent::BesideDropped.wrong_about(&about);
        assert_eq!(wrong(json!({"when": "meanwhile"})), None);
        assert_eq!(wrong(json!({})).as_deref(), Some("beside-dropped lacks when"));
        assert_eq!(wrong(json!([])).as_deref(), Some("beside-dropped has an `about` that is no object"));
        assert_eq!(wrong(json!({"when": 1})).as_deref(), Some("beside-dropped has when of another type or value: 1"));
        let more = wrong(json!({"when": "meanwhile", "tool": "x"}));
        assert_eq!(more.as_deref(), Some("beside-dropped does not declare tool"));
        assert_eq!(Intent::BesideDropped.wrong_key(&json!({})), None);
    }
}
