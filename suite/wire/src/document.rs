//! JSON objects in a stream that is not framed as it should be: spread over lines, behind headers or text, one after the other.
//!
//! Memory is bounded by the limit, and each byte is looked at once. What looked like an object and turns out to be none is given up at
//! the end of its line.

/// Finds the objects of a stream, whatever stands between them.
#[derive(Debug, Clone)]
pub struct ObjectFinder {
    limit: usize,
    object: Vec<u8>,
    depth: u32,
    in_string: bool,
    escaped: bool,
    /// Line feeds inside the object so far.
    lines: usize,
    /// The object is larger than the limit: nothing of it is kept, and it is followed to its end.
    over: bool,
    /// Only white space came between the last line feed, or the beginning, and the object.
    clean: bool,
    blank: bool,
}

/// An object, as it stood in the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Its bytes, from brace to brace.
    pub bytes: Vec<u8>,
    /// How many lines it spans beyond the first.
    pub lines: usize,
    /// Whether it began a line.
    pub begins_line: bool,
}

impl ObjectFinder {
    /// Keeps at most `limit` bytes of an object; a larger one is passed over.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            object: Vec::new(),
            depth: 0,
            in_string: false,
            escaped: false,
            lines: 0,
            over: false,
            clean: true,
            blank: true,
        }
    }

    /// Takes the next bytes of the stream and gives the objects that they finish.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<Object> {
        chunk.iter().filter_map(|byte| self.take(*byte)).collect()
    }

    fn take(&mut self, byte: u8) -> Option<Object> {
        if self.depth == 0 {
            if byte == b'{' {
                self.clean = self.blank;
                (self.depth, self.lines) = (1, 0);
                self.object.push(byte);
            }
            self.blank = byte == b'\n' || self.blank && byte.is_ascii_whitespace();
            return None;
        }
        self.lines += usize::from(byte == b'\n');
        // No string goes over the end of a line: what began was no object.
        if self.in_string && byte == b'\n' {
            self.reset();
            self.blank = true;
            return None;
        }
        self.keep(byte);
        self.step(byte);
        if self.depth > 0 {
            return None;
        }
        if self.over {
            self.reset();
            self.blank = false;
            return None;
        }
        let object = Object { bytes: std::mem::take(&mut self.object), lines: self.lines, begins_line: self.clean };
        self.blank = false;
        Some(object)
    }

    fn keep(&mut self, byte: u8) {
        self.over |= self.object.len() >= self.limit;
        if self.over {
            self.object.clear();
        } else {
            self.object.push(byte);
        }
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            let escaped = std::mem::take(&mut self.escaped);
            match byte {
                b'\\' if !escaped => self.escaped = true,
                b'"' if !escaped => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b']' => self.depth -= 1,
            _ => {}
        }
    }

    fn reset(&mut self) {
        self.object.clear();
        (self.depth, self.in_string, self.escaped, self.over) = (0, false, false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(stream: &str) -> Vec<String> {
        let whole = ObjectFinder::new(100).push(stream.as_bytes());
        let mut finder = ObjectFinder::new(100);
        let split: Vec<Object> = stream.as_bytes().chunks(1).flat_map(|byte| finder.push(byte)).collect();
        assert_eq!(whole, split, "chunk borders change nothing");
        whole.into_iter().map(|object| String::from_utf8_lossy(&object.bytes).into_owned()).collect()
    }

    #[test]
    fn objects_are_found_whatever_stands_between_them() {
        assert_eq!(found("{\"a\":1}{\"b\":{}}\n"), ["{\"a\":1}", "{\"b\":{}}"]);
        assert_eq!(found("Content-Length: 8\r\n\r\n{\"a\":[]}Content"), ["{\"a\":[]}"]);
        assert_eq!(found("[INFO] sends {\"a\":\"}\\\"{\"} now\n"), ["{\"a\":\"}\\\"{\"}"]);
        assert_eq!(found("{\n  \"a\": 1\n}\n"), ["{\n  \"a\": 1\n}"]);
        assert!(found("nothing\nhere ]}\n").is_empty());
    }

    #[test]
    fn what_is_no_object_is_given_up_at_the_end_of_the_line_and_what_is_too_large_as_a_whole() {
        assert_eq!(found("{\"torn\n{\"a\":1}\n"), ["{\"a\":1}"]);
        let long = format!("{{\"a\":\"{}\"}}\n{{\"b\":1}}", "x".repeat(200));
        assert_eq!(found(&long), ["{\"b\":1}"]);
        let nested = format!("{{\"a\":\"{}\",\"c\":{{\"d\":1}}}}{{\"b\":1}}", "x".repeat(200));
        assert_eq!(found(&nested), ["{\"b\":1}"], "what is in it is no message");
    }

    #[test]
    fn it_is_told_where_an_object_stands() {
        let mut finder = ObjectFinder::new(100);
        let places: Vec<(usize, bool)> = finder
            .push(b" {\"a\":1}\nx {}\n{\n}{}\n")
            .iter()
            .map(|object| (object.lines, object.begins_line))
            .collect();
        assert_eq!(places, [(0, true), (0, false), (1, true), (0, false)]);
    }
}
