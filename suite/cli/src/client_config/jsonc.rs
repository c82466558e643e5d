//! Converts JSON with comments and trailing commas, as editors write it, to plain JSON.

/// Returns the text with comments and trailing commas replaced by spaces, so that positions do not change.
pub(super) fn to_json(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut comma = None;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at = end_of_string(&bytes, at);
                comma = None;
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                let end = end_of_comment(&bytes, at);
                bytes[at..end].iter_mut().filter(|byte| !byte.is_ascii_whitespace()).for_each(|byte| *byte = b' ');
                at = end;
            }
            b',' => {
                comma = Some(at);
                at += 1;
            }
            b'}' | b']' => {
                if let Some(comma) = comma.take() {
                    bytes[comma] = b' ';
                }
                at += 1;
            }
            byte => {
                if !byte.is_ascii_whitespace() {
                    comma = None;
                }
                at += 1;
            }
        }
    }
    // Only ASCII was put in place of whole comments.
    String::from_utf8(bytes).unwrap_or_default()
}

fn end_of_string(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn end_of_comment(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from + 2..];
    let found = if bytes[from + 1] == b'/' {
        rest.iter().position(|byte| *byte == b'\n')
    } else {
        rest.windows(2).position(|pair| pair == b"*/").map(|at| at + 2)
    };
    found.map_or(bytes.len(), |at| from + 2 + at)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::to_json;

    #[test]
    fn comments_and_trailing_commas_are_left_out() {
        let text = "{ // servers: \"x\"\n \"a\": [1, 2, /* , */ ], \"u\": \"http://x/*,]*/\", \"q\": \"\\\",}\" ,\n}";
        let value: Value = serde_json::from_str(&to_json(text)).expect("JSON");
        assert_eq!(value, json!({"a": [1, 2], "u": "http://x/*,]*/", "q": "\",}"}));
        assert_eq!(to_json("/* \u{e4} */ 1").trim(), "1");
    }
}
