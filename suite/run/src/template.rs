//! URI templates as scenarios need them: what they could make, and what they make of values. Simple expressions only.

/// The variables of a template made of `{name}` and `{+name}` alone; `None` if there is any other expression, or none.
pub(crate) fn variables(template: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut rest = template;
    while let Some((_, after)) = rest.split_once('{') {
        let (expression, tail) = after.split_once('}')?;
        let name = expression.strip_prefix('+').unwrap_or(expression);
        let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte));
        if !plain {
            return None;
        }
        found.push(name);
        rest = tail;
    }
    (!found.is_empty()).then_some(found)
}

/// Puts values in place of the variables, in order.
pub(crate) fn expand(template: &str, values: &[String]) -> String {
    let mut made = String::new();
    let mut rest = template;
    let mut values = values.iter();
    while let Some((literal, after)) = rest.split_once('{') {
        let Some((expression, tail)) = after.split_once('}') else { break };
        made.push_str(literal);
        let reserved = expression.starts_with('+');
        made.push_str(&encode(values.next().map_or("", String::as_str), reserved));
        rest = tail;
    }
    made.push_str(rest);
    made
}

fn encode(value: &str, reserved: bool) -> String {
    use std::fmt::Write as _;
    let mut encoded = String::new();
    for (at, byte) in value.bytes().enumerate() {
        let digit = |ahead: usize| value.as_bytes().get(at + ahead).is_some_and(u8::is_ascii_hexdigit);
        let keep = byte.is_ascii_alphanumeric()
            || b"-._~".contains(&byte)
            || (reserved && b":/?#[]@!$&'()*+,;=".contains(&byte))
            || (reserved && byte == b'%' && digit(1) && digit(2));
        if keep {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// Whether a template could make this text, whatever its expressions stand for.
pub(crate) fn may_match(template: &str, text: &str) -> bool {
    let Some((head, _)) = template.split_once('{') else { return template == text };
    let tail = template.rsplit_once('}').map_or("", |(_, tail)| tail);
    text.len() >= head.len() + tail.len() && text.starts_with(head) && text.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_take_the_place_of_variables() {
        assert_eq!(variables("a://{b}/{+c}"), Some(vec!["b", "c"]));
        assert_eq!(expand("a://{b}/{+c}?x", &["1 2".to_owned(), "d/e".to_owned()]), "a://1%202/d/e?x");
        assert_eq!(expand("a:{+b}{c}", &["%zz%2f".to_owned(), "%2f".to_owned()]), "a:%25zz%2f%252f");
        for other in ["a://b", "a:{?b}", "a:{b*}", "a:{b,c}", "a:{b"] {
            assert_eq!(variables(other), None, "{other}");
        }
    }

    #[test]
    fn what_could_match_is_told_by_the_ends() {
        assert!(may_match("a://{b}/c", "a://x/y/c"));
        assert!(!may_match("a://{b}/c", "a://c"));
        assert!(may_match("{+path}", ""));
        assert!(!may_match("a:b", "a:c"));
    }
}
