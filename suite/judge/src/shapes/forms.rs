//! Forms of strings: Base64, URIs, MIME types, timestamps.

use serde_json::Value;

use super::row::{Check, Outcome};

/// Standard Base64 with padding.
pub(super) static BASE64: Check = Check {
    expected: "a string in standard Base64 (RFC 4648 section 4, with padding)",
    judge: |value, _| text(value, base64),
};
/// A URI with a scheme.
pub(super) static URI: Check = Check { expected: "a URI with a scheme (RFC 3986)", judge: |value, _| text(value, uri) };
/// A scheme that is none of the usual ones.
pub(super) static SCHEME: Check = Check {
    expected: "a scheme of letters, digits, \"+\", \"-\" and \".\" that begins with a letter (RFC 3986)",
    judge: |value, _| text(value, scheme),
};
/// A MIME type.
pub(super) static MIME: Check = Check { expected: "a MIME type (type/subtype)", judge: |value, _| text(value, mime) };
/// A point in time.
pub(super) static TIME: Check = Check { expected: "an ISO 8601 timestamp", judge: |value, _| text(value, time) };
/// Where an icon can be fetched from.
pub(super) static ICON_SCHEME: Check =
    Check { expected: "an https URL or a data: URI", judge: |value, _| text(value, icon_scheme) };
/// An icon in a data: URI.
pub(super) static ICON_DATA: Check =
    Check { expected: "a data: URI with ;base64 and a payload in Base64", judge: |value, _| text(value, icon_data) };
/// The size of an icon.
pub(super) static ICON_SIZE: Check = Check {
    expected: "entries of the form WIDTHxHEIGHT or the word any",
    judge: |value, _| match value.as_array() {
        None => Outcome::Beside,
        Some(sizes) if sizes.iter().filter_map(Value::as_str).all(is_size) => Outcome::Good,
        Some(_) => Outcome::Bad("an entry in another form"),
    },
};

/// Judges strings only: that it is a string is another row's claim.
fn text(value: &Value, judge: fn(&str) -> Outcome) -> Outcome {
    value.as_str().map_or(Outcome::Beside, judge)
}

fn base64(text: &str) -> Outcome {
    if text.is_empty() {
        return Outcome::Odd("an empty string");
    }
    let bare = text.trim_end_matches('=');
    let odd = bare.bytes().find(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'+' | b'/'));
    match odd {
        Some(_) if text.starts_with("data:") => Outcome::Bad("a data: URI instead of its payload"),
        Some(b'\r' | b'\n') => Outcome::Bad("Base64 with line breaks"),
        Some(b'-' | b'_') if bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) => {
            Outcome::Bad("Base64 in the URL-safe alphabet")
        }
        Some(_) => Outcome::Bad("a string with characters outside the alphabet"),
        None if bare.len() % 4 == 1 || text.len() - bare.len() > 2 => Outcome::Bad("a string of an impossible length"),
        None if !text.len().is_multiple_of(4) => Outcome::Bad("Base64 without the right padding"),
        None => Outcome::Good,
    }
}

fn uri(text: &str) -> Outcome {
    let Some((scheme, rest)) = text.split_once(':') else {
        return Outcome::Bad("a string without a scheme");
    };
    if !is_scheme(scheme) {
        let relative = scheme.is_empty() || scheme.contains(['/', '?', '#']);
        return Outcome::Bad(if relative { "a string without a scheme" } else { "a string with an illegal scheme" });
    }
    if !rest.is_ascii() {
        return Outcome::Bad("a string with characters outside ASCII that are not percent-encoded");
    }
    if !are_escaped(rest) {
        return Outcome::Bad("a string with a % that is not followed by two hexadecimal digits");
    }
    if rest.contains(' ') {
        return Outcome::Bad("a string with a space that is not percent-encoded");
    }
    if rest.contains(|c: char| c.is_ascii_control() || r#""<>\^`{|}"#.contains(c)) {
        return Outcome::Bad("a string with a character that is not allowed in a URI");
    }
    Outcome::Good
}

/// Every `%` is followed by two hexadecimal digits.
pub(super) fn are_escaped(text: &str) -> bool {
    let hex = |part: &str| part.len() >= 2 && part.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    text.split('%').skip(1).all(hex)
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn scheme(text: &str) -> Outcome {
    match text.split_once(':').map(|(scheme, _)| scheme) {
        None | Some("http" | "https" | "file" | "git" | "") => Outcome::Beside,
        Some(scheme) if scheme.contains(['/', '?', '#']) => Outcome::Beside,
        Some(scheme) if is_scheme(scheme) => Outcome::Good,
        Some(_) => Outcome::Bad("a scheme with an illegal character"),
    }
}

fn mime(text: &str) -> Outcome {
    let essence = text.split(';').next().unwrap_or(text).trim_end();
    let token = |part: &str| {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        !part.is_empty() && part.bytes().all(legal)
    };
    match essence.split_once('/') {
        Some((kind, subtype)) if token(kind) && token(subtype) => Outcome::Good,
        _ => Outcome::Bad("a string in another form"),
    }
}

fn icon_scheme(text: &str) -> Outcome {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("https" | "data") => Outcome::Good,
        Some("http") => Outcome::Odd("an http URL, which clients are told not to accept"),
        Some(scheme) if is_scheme(scheme) => Outcome::Bad("a URI with another scheme"),
        _ => Outcome::Beside,
    }
}

fn icon_data(text: &str) -> Outcome {
    let Some(rest) = text.get(..5).filter(|start| start.eq_ignore_ascii_case("data:")).map(|_| &text[5..]) else {
        return Outcome::Beside;
    };
    let Some((head, payload)) = rest.split_once(',') else {
        return Outcome::Bad("a data: URI without a comma");
    };
    if !head.to_ascii_lowercase().ends_with(";base64") {
        return Outcome::Bad("a data: URI without ;base64");
    }
    // In a URI the padding may be percent-encoded.
    match base64(&payload.replace("%3D", "=").replace("%3d", "=").replace("%2B", "+").replace("%2F", "/")) {
        Outcome::Good => Outcome::Good,
        _ => Outcome::Bad("a data: URI whose payload is not Base64"),
    }
}

fn is_size(size: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    size == "any" || size.split_once('x').is_some_and(|(width, height)| digits(width) && digits(height))
}

/// A date-time with offset is beyond doubt; other spellings of ISO 8601 (a date alone, local time, the basic format) are
/// odd; what holds other characters is no timestamp.
fn time(text: &str) -> Outcome {
    if is_date_time(text) {
        return Outcome::Good;
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let legal = |byte: u8| byte.is_ascii_digit() || b"-+:.,TtZzWw ".contains(&byte);
    let begins = text.bytes().take(4).filter(u8::is_ascii_digit).count() == 4;
    let only_digits = digits == text.len() && digits != 8;
    if begins && text.bytes().all(legal) && !only_digits && fields_fit(text) {
        Outcome::Odd("a timestamp without an offset, or in a less common form of ISO 8601")
    } else {
        Outcome::Bad("a string in another form")
    }
}

/// `YYYY-MM-DDTHH:MM[:SS[.f]]` and an offset.
fn is_date_time(text: &str) -> bool {
    let Some((date, clock)) = text.split_once(['T', 't']) else { return false };
    let Some(at) = clock.find(['Z', 'z', '+', '-']) else { return false };
    let (clock, offset) = clock.split_at(at);
    let offset = offset.strip_prefix(['+', '-']).unwrap_or(offset);
    is_date(date)
        && is_clock(clock)
        && (offset.eq_ignore_ascii_case("z") || pairs(&offset.replacen(':', "", 1), &[24, 60]))
}

fn is_date(date: &str) -> bool {
    let mut parts = date.split('-');
    let mut next = |len: usize| parts.next().filter(|part| part.len() == len).and_then(number);
    let (year, month, day) = (next(4), next(2), next(2));
    year.is_some()
        && month.is_some_and(|month| (1..=12).contains(&month))
        && day.is_some_and(|day| (1..=31).contains(&day))
        && parts.next().is_none()
}

fn is_clock(clock: &str) -> bool {
    let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, "0"));
    let seconds = clock.split(':').count() > 1 && clock.split(':').all(|part| part.len() == 2);
    seconds && pairs(&clock.replace(':', ""), &[25, 60, 61]) && number(fraction).is_some()
}

/// Up to as many two-digit numbers as there are bounds, each below its own.
fn pairs(digits: &str, bounds: &[u64]) -> bool {
    let fits = |(at, bound): (usize, &u64)| {
        digits.get(at * 2..at * 2 + 2).is_none_or(|pair| number(pair).is_some_and(|pair| pair < *bound))
    };
    !digits.is_empty()
        && digits.len().is_multiple_of(2)
        && digits.len() <= bounds.len() * 2
        && bounds.iter().enumerate().all(fits)
}

fn number(digits: &str) -> Option<u64> {
    let digits = digits.get(..digits.len().min(18))?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.parse().ok()).flatten()
}

/// The month, where the spelling is the usual one up to there.
fn fields_fit(text: &str) -> bool {
    let month = text.get(4..7).and_then(|part| part.strip_prefix('-')).and_then(number);
    month.is_none_or(|month| (1..=12).contains(&month))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_the_standard_alphabet_with_padding() {
        for good in ["TWFu", "TWE=", "TQ==", "+/+/"] {
            assert_eq!(base64(good), Outcome::Good, "{good}");
        }
        for bad in
            ["TWE", "TQ=", "TQ===", "A", "-_-_", "TW\nFu", "data:image/png;base64,TWFu", "TW Fu", "T=Fu", "====", "ü"]
        {
            assert!(matches!(base64(bad), Outcome::Bad(_)), "{bad}");
        }
    }

    #[test]
    fn uris_have_a_scheme_and_legal_characters() {
        for good in
            ["file:///a%20b", "https://e.org/?q=1#f", "urn:x:y", "my-app+v1.2://x", "x:", "http://[::1]/", "mailto:a@b"]
        {
            assert_eq!(uri(good), Outcome::Good, "{good}");
        }
        for bad in ["", "/a", "a b", "my_app://x", "file:///a b", "file:///ü", "file:///{id}", "a:%2", "1a:b", "./a:b"]
        {
            assert!(matches!(uri(bad), Outcome::Bad(_)), "{bad}");
        }
    }

    #[test]
    fn only_custom_schemes_are_judged_as_such() {
        assert_eq!(scheme("my_app://x"), Outcome::Bad("a scheme with an illegal character"));
        assert_eq!(scheme("app://x"), Outcome::Good);
        assert_eq!(scheme("file:///x"), Outcome::Beside);
        assert_eq!(scheme("/x:y"), Outcome::Beside);
    }

    #[test]
    fn mime_types_may_have_parameters() {
        assert_eq!(mime("text/plain; charset=utf-8"), Outcome::Good);
        assert_eq!(mime("application/vnd.x+json"), Outcome::Good);
        for bad in ["", "text", "text/", "/x", "a b/c", "text/a/b"] {
            assert!(matches!(mime(bad), Outcome::Bad(_)), "{bad}");
        }
    }

    #[test]
    fn timestamps_need_an_offset_to_be_beyond_doubt() {
        for good in [
            "2025-11-25T10:30:00Z",
            "2025-11-25T10:30Z",
            "2025-11-25T10:30:00.123456+01:00",
            "2025-11-25T10:30:00+0100",
        ] {
            assert_eq!(time(good), Outcome::Good, "{good}");
        }
        for odd in ["2025-11-25", "2025-11-25T10:30:00", "20251125T103000Z", "2025-11-25 10:30:00Z", "2025-W48"] {
            assert!(matches!(time(odd), Outcome::Odd(_)), "{odd}");
        }
        for bad in [
            "",
            "now",
            "1763980200",
            "25/11/2025",
            "Tue, 25 Nov 2025 10:30:00 GMT",
            "2025-13-01T00:00:00Z",
            "yesterday",
        ] {
            assert!(matches!(time(bad), Outcome::Bad(_)), "{bad}");
        }
    }

    #[test]
    fn icons_come_by_https_or_data() {
        assert_eq!(icon_scheme("https://e.org/i.png"), Outcome::Good);
        assert!(matches!(icon_scheme("http://e.org/i.png"), Outcome::Odd(_)));
        assert!(matches!(icon_scheme("javascript:alert(1)"), Outcome::Bad(_)));
        assert_eq!(icon_data("data:image/png;base64,TWFu"), Outcome::Good);
        assert!(matches!(icon_data("data:image/svg+xml,<svg/>"), Outcome::Bad(_)));
        assert_eq!(icon_data("https://e.org"), Outcome::Beside);
        assert!(is_size("48x48") && is_size("any") && !is_size("48") && !is_size("48x") && !is_size("48X48"));
    }
}
