//! Strings of a length, a format, or a pattern.

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Value};

/// Characters of a made string.
const LONGEST: usize = 20_000;

/// A string for a schema; `salt` makes several distinct ones.
pub(super) fn make(schema: &Map<String, Value>, salt: usize) -> Option<String> {
    let length =
        |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
    let (least, most) = (length("minLength").unwrap_or(0), length("maxLength").unwrap_or(LONGEST));
    if least > LONGEST || least > most {
        return None;
    }
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        return matching(pattern, least);
    }
    let base = schema.get("format").and_then(Value::as_str).and_then(formatted).unwrap_or("mcp-conform").to_owned();
    let base = if salt == 0 { base } else { format!("{salt}{base}") };
    let padded = format!("{base:x<least$}");
    Some(padded.chars().take(most).collect())
}

fn formatted(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2026-01-31T12:00:00Z",
        "date" => "2026-01-31",
        "time" => "12:00:00Z",
        "duration" => "PT1H",
        "email" | "idn-email" => "tester@example.com",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" | "iri" | "url" => "https://example.com/",
        "uri-reference" | "iri-reference" => "/a",
        "uri-template" => "/a/{b}",
        "uuid" => "123e4567-e89b-42d3-a456-426614174000",
        "json-pointer" => "/a",
        "relative-json-pointer" => "0",
        "regex" => "a",
        "byte" | "base64" => "YQ==",
        _ => return None,
    })
}

/// A string that matches a pattern, at least `least` characters long if the pattern can be stretched. What it cannot read it
/// leaves to the caller's check.
fn matching(pattern: &str, least: usize) -> Option<String> {
    let hir = regex_syntax::ParserBuilder::new().nest_limit(50).build().parse(pattern).ok()?;
    for more in [0, 1, least.min(LONGEST)] {
        let mut text = String::new();
        spell(&hir, more, &mut text)?;
        if text.chars().count() >= least {
            return Some(text);
        }
    }
    // Without an end in the pattern anything may follow.
    let mut text = String::new();
    spell(&hir, 0, &mut text)?;
    Some(format!("{text:x<least$}"))
}

fn spell(hir: &Hir, more: usize, text: &mut String) -> Option<()> {
    if text.len() > LONGEST {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            text.push(letter(class.ranges().iter().map(|range| (range.start(), range.end())))?)
        }
        HirKind::Class(Class::Bytes(class)) => {
            text.push(letter(class.ranges().iter().map(|range| (char::from(range.start()), char::from(range.end()))))?);
        }
        HirKind::Repetition(repetition) => {
            let least = usize::try_from(repetition.min).ok()?;
            let most = repetition.max.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
            for _ in 0..least.max(more).min(most) {
                spell(&repetition.sub, 0, text)?;
            }
        }
        HirKind::Capture(capture) => spell(&capture.sub, more, text)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| spell(part, more, text))?,
        HirKind::Alternation(parts) => spell(parts.first()?, more, text)?,
    }
    Some(())
}

/// A letter or digit if the class has one, else its first character.
fn letter(ranges: impl Iterator<Item = (char, char)> + Clone) -> Option<char> {
    let liked = ['a', 'A', '1', '-', '_'];
    let within = |wanted: &char| ranges.clone().any(|(low, high)| (low..=high).contains(wanted));
    liked
        .into_iter()
        .find(within)
        .or_else(|| ranges.clone().map(|(low, _)| low).find(|low| !low.is_control()))
        .or_else(|| ranges.clone().next().map(|(low, _)| low))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn made(schema: Value) -> Option<String> {
        make(schema.as_object().expect("a schema"), 0)
    }

    #[test]
    fn patterns_are_spelled_and_stretched() {
        assert_eq!(made(json!({"pattern": "^[A-Z]{2}-\\d{3}(a|b)?$"})).as_deref(), Some("AA-111"));
        assert_eq!(made(json!({"pattern": "^x+$", "minLength": 4})).as_deref(), Some("xxxx"));
        assert_eq!(made(json!({"pattern": "y", "minLength": 3})).as_deref(), Some("yxx"));
        assert_eq!(made(json!({"pattern": "(?=look)"})), None);
    }

    #[test]
    fn lengths_are_kept() {
        assert_eq!(made(json!({"maxLength": 3})).as_deref(), Some("mcp"));
        assert_eq!(made(json!({"minLength": 13})).as_deref(), Some("mcp-conformxx"));
        assert_eq!(made(json!({"minLength": 30_000})), None);
    }
}
