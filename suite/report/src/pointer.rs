//! Locates the subject of a finding in the text of a message: a member, by JSON pointer, or a header.

use std::ops::Range;

/// Limit of nesting.
const DEPTH: usize = 64;

/// Returns the range of a place in a received line (`< ...`): a member of the message, or of the part of it that is shown, or a header.
pub(crate) fn subject_range(line: &str, place: &str) -> Option<Range<usize>> {
    let rest = line.strip_prefix("< ")?;
    if !place.starts_with('/') {
        let (name, _) = rest.split_once(':')?;
        return name.eq_ignore_ascii_case(place).then_some(line.len() - rest.len()..line.len());
    }
    // An entry of a list stands alone, with dots for what is around it.
    let part = rest.strip_prefix("\u{2026} ").unwrap_or(rest);
    let skipped = line.len() - part.len();
    member_range(part, place).map(|range| range.start + skipped..range.end + skipped)
}

/// Returns the range of the member that a JSON pointer names, including its name; `*` matches any item. None if the text is
/// truncated or not JSON.
fn member_range(text: &str, pointer: &str) -> Option<Range<usize>> {
    let steps: Vec<String> =
        pointer.strip_prefix('/')?.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    reader.seek(&steps, 0, 0)
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    /// Finds the value at these steps; `from` is the start of its name.
    fn seek(&mut self, steps: &[String], from: usize, depth: usize) -> Option<Range<usize>> {
        self.blank();
        let Some((step, rest)) = steps.split_first() else {
            let from = if from == 0 { self.at } else { from };
            self.skip(0)?;
            return Some(from..self.at);
        };
        if depth > DEPTH {
            return None;
        }
        match self.peek()? {
            b'{' => self.in_object(step, rest, depth),
            b'[' => self.in_array(step, rest, depth),
            _ => None,
        }
    }

    fn in_object(&mut self, step: &str, rest: &[String], depth: usize) -> Option<Range<usize>> {
        self.at += 1;
        loop {
            self.blank();
            let begin = self.at;
            if self.peek()? != b'"' {
                return None;
            }
            self.string()?;
            let name: Option<String> =
                std::str::from_utf8(&self.text[begin..self.at]).ok().and_then(|name| serde_json::from_str(name).ok());
            self.blank();
            if self.peek()? != b':' {
                return None;
            }
            self.at += 1;
            if name.as_deref() == Some(step) {
                return self.seek(rest, if rest.is_empty() { begin.max(1) } else { 0 }, depth + 1);
            }
            self.next_of(depth)?;
        }
    }

    fn in_array(&mut self, step: &str, rest: &[String], depth: usize) -> Option<Range<usize>> {
        let wanted = if step == "*" { None } else { Some(step.parse::<usize>().ok()?) };
        self.at += 1;
        for item in 0.. {
            if wanted.is_none_or(|wanted| wanted == item) {
                let before = self.at;
                let found = self.seek(rest, 0, depth + 1);
                if found.is_some() || wanted.is_some() {
                    return found;
                }
                self.at = before;
            }
            self.next_of(depth)?;
        }
        None
    }

    /// Moves past a value and the comma after it; none at the end of the container.
    fn next_of(&mut self, depth: usize) -> Option<()> {
        self.skip(depth)?;
        self.blank();
        (self.peek()? == b',').then(|| self.at += 1)
    }

    fn skip(&mut self, depth: usize) -> Option<()> {
        self.blank();
        match self.peek()? {
            b'"' => self.string(),
            b'{' | b'[' if depth <= DEPTH => {
                let mut open = 0_usize;
                loop {
                    match self.peek()? {
                        b'"' => {
                            self.string()?;
                            continue;
                        }
                        b'{' | b'[' => open += 1,
                        b'}' | b']' => open -= 1,
                        _ => {}
                    }
                    self.at += 1;
                    if open == 0 {
                        return Some(());
                    }
                }
            }
            b'{' | b'[' => None,
            _ => {
                let end = self.text[self.at..].iter().position(|byte| b",]} \n\t\r".contains(byte));
                self.at += end.filter(|end| *end > 0)?;
                Some(())
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek()? {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                _ => self.at += 1,
            }
        }
    }

    fn blank(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::member_range;

    fn marked(text: &str, pointer: &str) -> Option<String> {
        member_range(text, pointer).map(|range| text[range].to_owned())
    }

    #[test]
    fn the_member_is_found_with_its_name() {
        let text = r#"{"id": 1, "result": {"tools": [{"name": "a]"}, {"name": "b", "n/a": [1, 2]}]}}"#;
        let found = |pointer| marked(text, pointer);
        assert_eq!(found("/result/tools/1/name").as_deref(), Some(r#""name": "b""#));
        assert_eq!(found("/result/tools/1/n~1a/1").as_deref(), Some("2"));
        assert_eq!(found("/result/tools/*/n~1a").as_deref(), Some(r#""n/a": [1, 2]"#));
        assert_eq!(found("/id").as_deref(), Some(r#""id": 1"#));
        assert_eq!(found("/result/no"), None);
        assert_eq!(found("tools/call"), None);
    }

    #[test]
    fn text_that_was_cut_is_no_trouble() {
        let text = r#"{"a":{"b":"xyz"#;
        assert_eq!(marked(text, "/a/b"), None);
        assert_eq!(marked("{\"a\"", "/a"), None);
        assert_eq!(marked(&"[".repeat(500), "/0/0"), None);
    }
}
