//! Escaped halves of surrogate pairs: JSON by its grammar, and no character (RFC 8259, section 8.2). JavaScript and Python write
//! one where they cut a text in the middle of an emoji, and read it again; `serde_json` reads none.

use serde::de::DeserializeOwned;

/// The escape of U+FFFD, which stands for what is no character.
const REPLACEMENT: &[u8] = b"\\ufffd";

/// Reads a JSON text, with U+FFFD for every half that stands alone.
pub(crate) fn from_str<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&replace_halves(text)?).ok())
}

/// The text with every escaped half that stands alone replaced by an escaped U+FFFD, of the same length: offsets stay what they
/// are. `None` if there is none. The text must be well-formed.
pub(crate) fn replace_halves(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let (mut at, mut found) = (0, false);
    while let Some(next) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        at += next;
        at += match (unit(&bytes, at), unit(&bytes, at + REPLACEMENT.len())) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 2 * REPLACEMENT.len(),
            (Some(0xd800..0xe000), _) => {
                bytes[at..at + REPLACEMENT.len()].copy_from_slice(REPLACEMENT);
                found = true;
                REPLACEMENT.len()
            }
            (Some(_), _) => REPLACEMENT.len(),
            // A backslash and one character.
            (None, _) => 2,
        };
    }
    String::from_utf8(bytes).ok().filter(|_| found)
}

/// The UTF-16 code unit that is escaped here.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + REPLACEMENT.len())?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::replace_halves;

    #[test]
    fn halves_that_stand_alone_are_replaced_and_nothing_else() {
        for (text, expected) in [
            (r#""a\ud83d""#, Some(r#""a\ufffd""#)),
            (r#""\udc00b""#, Some(r#""\ufffdb""#)),
            (r#""\uD83d\ud83D\uDe00""#, Some(r#""\ufffd\ud83D\uDe00""#)),
            (r#""\ud83d\u0041\n""#, Some(r#""\ufffd\u0041\n""#)),
            (r#""\udc00\ud83d""#, Some(r#""\ufffd\ufffd""#)),
            (r#""\ud83d\ude00""#, None),
            (r#""\\ud83d""#, None),
            (r#""\\\ud83d""#, Some(r#""\\\ufffd""#)),
            (r#""\"é""#, None),
            (r#"[1,"#, None),
            (r"\u12", None),
            (r"\", None),
        ] {
            assert_eq!(replace_halves(text).as_deref(), expected, "{text}");
        }
    }
}
