//! The values of keys that rules compare.

use serde::Serialize;

use super::tables::Key;

/// A value of a key that is text, with a variant for each that rules compare.
pub trait KeyValue: Copy + PartialEq + Serialize + Sized + 'static {
    /// The key.
    const KEY: Key;
    /// Every value.
    const ALL: &'static [Self];

    /// Its text in a transcript.
    fn name(self) -> &'static str;

    /// Returns the value with this text.
    #[must_use]
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}
