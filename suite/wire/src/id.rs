//! Ids as they were spelled, and the key by which an answer is matched to its request.
//!
//! A `serde_json::Value` rounds integers beyond 64 bits, so an id is built from the raw text of the member.

use std::fmt;

use crate::surrogate::from_str;

/// The `id` member of a message, exact.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Id {
    /// `null`.
    Null,
    /// An integer without fraction and exponent: its decimal text, of any length.
    Integer(String),
    /// A number with a fraction or an exponent, as spelled.
    Number(String),
    /// A string, decoded.
    String(String),
    /// Something that no id may be: `boolean`, `array` or `object`.
    Other(&'static str),
}

/// An id in the form in which ids are compared: `"7"` and `7` differ, `7` and `7.0` do not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IdKey {
    /// A decimal number in its only normal form: `-`, digits without zeros at either end, `e`, the exponent.
    Number(String),
    /// A decoded string.
    String(String),
}

impl Id {
    /// The id spelled by `raw`, the JSON text of one value without surrounding space.
    #[must_use]
    pub fn from_raw(raw: &str) -> Self {
        match raw.as_bytes().first() {
            Some(b'"') => from_str(raw).map_or(Self::Other("string"), Self::String),
            Some(b'-' | b'0'..=b'9') if raw.bytes().any(|b| matches!(b, b'.' | b'e' | b'E')) => {
                Self::Number(raw.into())
            }
            Some(b'-' | b'0'..=b'9') => Self::Integer(raw.into()),
            Some(b'[') => Self::Other("array"),
            Some(b'{') => Self::Other("object"),
            Some(b't' | b'f') => Self::Other("boolean"),
            _ => Self::Null,
        }
    }

    /// The key for matching; `None` for `null` and for what is no id.
    #[must_use]
    pub fn key(&self) -> Option<IdKey> {
        match self {
            Self::Integer(text) | Self::Number(text) => Some(IdKey::Number(normal(text))),
            Self::String(text) => Some(IdKey::String(text.clone())),
            Self::Null | Self::Other(_) => None,
        }
    }

    /// Whether this is a number with a value that is not whole. `1.0` and `1e2` are whole.
    #[must_use]
    pub fn is_fractional(&self) -> bool {
        match self {
            Self::Number(text) => normal(text).rsplit_once('e').is_some_and(|(_, exponent)| exponent.starts_with('-')),
            _ => false,
        }
    }

    /// One JSON text for this id. For [`Id::Other`], whose content is not kept, the emptiest value of its type.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Integer(text) | Self::Number(text) => text.clone(),
            Self::String(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::Other("array") => "[]".into(),
            Self::Other("object") => "{}".into(),
            Self::Other(_) => "false".into(),
        }
    }
}

impl IdKey {
    /// The key of the number that a string spells, for servers that return numbers as strings.
    #[must_use]
    pub fn unquoted(&self) -> Option<Self> {
        let Self::String(text) = self else { return None };
        let digits = text.strip_prefix('-').unwrap_or(text);
        let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        whole.then(|| Self::Number(normal(text)))
    }
}

impl From<i64> for Id {
    fn from(number: i64) -> Self {
        Self::Integer(number.to_string())
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other(what) => write!(f, "({what})"),
            id => f.write_str(&id.to_json()),
        }
    }
}

/// Brings a decimal number to one form, on its text: no rounding at any size. `120`, `1.2e2` and `12.0E+1` all give `12e1`.
fn normal(text: &str) -> String {
    let (sign, unsigned) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = [whole, fraction].concat();
    let kept = digits.trim_end_matches('0').len();
    let dropped = digits.len() - kept;
    digits.truncate(kept);
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return "0e0".into();
    }
    match exponent.parse::<i64>().ok().and_then(|e| shift(e, dropped, fraction.len())) {
        Some(exponent) => format!("{sign}{digits}e{exponent}"),
        // An exponent beyond 64 bits: no number a message can hold, so its spelling is as good a key as any.
        None => text.into(),
    }
}

fn shift(exponent: i64, up: usize, down: usize) -> Option<i64> {
    exponent.checked_add(i64::try_from(up).ok()?)?.checked_sub(i64::try_from(down).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(raw: &str) -> Option<IdKey> {
        Id::from_raw(raw).key()
    }

    #[test]
    fn a_string_and_a_number_never_match() {
        assert_ne!(key("7"), key("\"7\""));
    }

    #[test]
    fn integers_are_exact_at_any_size() {
        assert_ne!(key("9007199254740993"), key("9007199254740992"));
        assert_ne!(key("340282366920938463463374607431768211457"), key("340282366920938463463374607431768211456"));
        assert_eq!(Id::from_raw("18446744073709551616"), Id::Integer("18446744073709551616".into()));
    }

    #[test]
    fn escapes_do_not_change_a_string() {
        assert_eq!(key(r#""\u00fc""#), key("\"ü\""));
    }

    #[test]
    fn a_number_matches_its_other_spellings() {
        for (a, b) in [
            ("120", "1.2e2"),
            ("12.0E+1", "120"),
            ("0", "-0"),
            ("0.0", "0e7"),
            ("0.0015", "1.5e-3"),
            ("100", "1e2"),
            ("-5", "-5.000"),
        ] {
            assert_eq!(key(a), key(b), "{a} {b}");
        }
        for (a, b) in [("1", "-1"), ("1", "10"), ("0.1", "1"), ("1.5", "15"), ("1e-1", "1e1")] {
            assert_ne!(key(a), key(b), "{a} {b}");
        }
    }

    #[test]
    fn only_a_value_that_is_not_whole_is_fractional() {
        assert!(Id::from_raw("1.5").is_fractional());
        assert!(Id::from_raw("1e-1").is_fractional());
        for whole in ["1", "1.0", "10e-1", "0.0e-5", "1e2", "\"1.5\"", "null"] {
            assert!(!Id::from_raw(whole).is_fractional(), "{whole}");
        }
    }

    #[test]
    fn null_and_what_is_no_id_have_no_key() {
        for raw in ["null", "true", "[]", "{}"] {
            assert_eq!(key(raw), None, "{raw}");
        }
    }

    #[test]
    fn an_exponent_of_any_length_is_survived() {
        assert!(key("1e99999999999999999999999999").is_some());
        assert!(key("1.5e-9223372036854775808").is_some());
    }
}
