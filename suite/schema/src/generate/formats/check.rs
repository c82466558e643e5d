//! Whether a text is of a format, as strictly as anybody may read it: in every dialect, and closer than the validator
//! alone, which lets some dates through that are none.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::ValidationOptions;
use serde_json::{Value, json};

use super::known::KNOWN;
use crate::Dialect;
use crate::validate::options;

static BUILT_IN: LazyLock<HashMap<&str, jsonschema::Validator>> = LazyLock::new(|| {
    let options = options(Dialect::Draft202012).should_validate_formats(true);
    KNOWN
        .iter()
        .filter_map(|format| Some((format.name, options.build(&json!({"format": format.name})).ok()?)))
        .collect()
});

/// Options that assert every format of the specification.
pub(in crate::generate) fn asserting(dialect: Dialect) -> ValidationOptions<'static> {
    let all = options(dialect).should_validate_formats(true);
    KNOWN.iter().fold(all, |options, format| options.with_format(format.name, |text: &str| is_of(format.name, text)))
}

/// Whether texts of a format can be made and checked.
pub(in crate::generate) fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|format| format.name == name)
}

/// Whether a text is of a format.
pub(in crate::generate) fn is_of(name: &str, text: &str) -> bool {
    is_shaped(name, text) && BUILT_IN.get(name).is_none_or(|format| format.is_valid(&Value::from(text)))
}

fn is_shaped(name: &str, text: &str) -> bool {
    match name {
        "date" => is_like("dddd-dd-dd", text),
        "time" => is_time(text),
        "date-time" => match (text.get(..10), text.get(11..)) {
            (Some(date), Some(time)) => is_like("dddd-dd-dd", date) && is_time(time),
            _ => false,
        },
        "idn-email" => text.split_once('@').is_some_and(|(user, host)| !user.is_empty() && is_host(host)),
        "idn-hostname" => is_host(text),
        _ => true,
    }
}

fn is_time(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked(8) else { return false };
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit());
            if zone.len() == fraction.len() {
                return false;
            }
            zone
        }
        None => rest,
    };
    let is_offset = |zone: &str| zone.starts_with(['+', '-']) && zone.get(1..).is_some_and(|off| is_like("dd:dd", off));
    is_like("dd:dd:dd", clock) && (matches!(zone, "Z" | "z") || is_offset(zone))
}

fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        let plain = |letter: char| letter.is_alphanumeric() || letter == '-';
        !label.is_empty()
            && label.len() < 64
            && label.chars().all(plain)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() < 254 && text.split('.').all(is_label)
}

/// Whether a text has digits where `shape` has `d`, and otherwise what stands there.
fn is_like(shape: &str, text: &str) -> bool {
    let fits = |(shape, letter): (u8, u8)| if shape == b'd' { letter.is_ascii_digit() } else { shape == letter };
    shape.len() == text.len() && shape.bytes().zip(text.bytes()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::super::known::KNOWN;
    use super::is_of;

    #[test]
    fn every_text_of_the_table_is_what_it_is_said_to_be() {
        for format in KNOWN {
            for text in format.right {
                assert!(is_of(format.name, text), "{text:?} is no {}", format.name);
            }
            for text in format.wrong {
                assert!(!is_of(format.name, text), "{text:?} is a {}", format.name);
            }
        }
    }

    #[test]
    fn dates_are_made_of_digits() {
        for (format, text) in [
            ("date", "2.06-06-11"),
            ("date-time", "200.-01-01T00:00:00Z"),
            ("time", "08:00:00-08:0-"),
            ("time", "08:00:00.Z"),
        ] {
            assert!(!is_of(format, text), "{text} is a {format}");
        }
    }
}
