//! Newline framing (stdio): bytes in any chunks to lines, with how each ended and what did not fit.
//!
//! Memory is bounded by the limit however long a line is, time is linear, and chunk borders change nothing.

/// Splits a stream at line feeds.
#[derive(Debug, Clone)]
pub struct LineFramer {
    limit: usize,
    bytes: Vec<u8>,
    dropped: usize,
    /// A carriage return at the end so far: content, unless a line feed comes next.
    held: bool,
}

/// One line, without what ended it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The bytes, at most as many as the limit.
    pub bytes: Vec<u8>,
    /// How it ended.
    pub end: End,
    /// Bytes beyond the limit, which were not kept.
    pub dropped: usize,
}

/// How a line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
    /// The end of the stream: the line was never finished.
    Eof,
}

impl LineFramer {
    /// Keeps at most `limit` bytes of a line.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, bytes: Vec::new(), dropped: 0, held: false }
    }

    /// Takes the next bytes of the stream and gives the lines that they finish.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut rest = chunk;
        while let Some(at) = rest.iter().position(|&b| b == b'\n') {
            self.take(&rest[..at]);
            let end = if std::mem::take(&mut self.held) { End::CrLf } else { End::Lf };
            frames.push(self.frame(end));
            rest = &rest[at + 1..];
        }
        self.take(rest);
        frames
    }

    /// The stream has ended: the bytes after the last line feed, if there are any.
    #[must_use]
    pub fn finish(mut self) -> Option<Frame> {
        if std::mem::take(&mut self.held) {
            self.store(b"\r");
        }
        let rest = self.frame(End::Eof);
        (!rest.bytes.is_empty() || rest.dropped > 0).then_some(rest)
    }

    /// Bytes held for the line that is not finished yet.
    #[must_use]
    pub fn held(&self) -> usize {
        self.bytes.len()
    }

    fn frame(&mut self, end: End) -> Frame {
        Frame { bytes: std::mem::take(&mut self.bytes), end, dropped: std::mem::take(&mut self.dropped) }
    }

    fn take(&mut self, part: &[u8]) {
        let Some((&last, body)) = part.split_last() else { return };
        if std::mem::take(&mut self.held) {
            self.store(b"\r");
        }
        self.held = last == b'\r';
        self.store(if self.held { body } else { part });
    }

    fn store(&mut self, part: &[u8]) {
        let kept = part.len().min(self.limit - self.bytes.len());
        // Doubling, but never beyond the limit.
        if self.bytes.capacity() - self.bytes.len() < kept {
            let goal = (self.bytes.capacity() * 2).clamp(self.bytes.len() + kept, self.limit);
            self.bytes.reserve_exact(goal - self.bytes.len());
        }
        self.bytes.extend_from_slice(&part[..kept]);
        self.dropped = self.dropped.saturating_add(part.len() - kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(limit: usize, chunks: &[&[u8]]) -> Vec<Frame> {
        let mut framer = LineFramer::new(limit);
        let mut frames: Vec<_> = chunks.iter().flat_map(|chunk| framer.push(chunk)).collect();
        frames.extend(framer.finish());
        frames
    }

    fn frame(bytes: &[u8], end: End, dropped: usize) -> Frame {
        Frame { bytes: bytes.into(), end, dropped }
    }

    #[test]
    fn each_end_is_told_apart() {
        let expected =
            [frame(b"a", End::Lf, 0), frame(b"b", End::CrLf, 0), frame(b"", End::Lf, 0), frame(b"c\r", End::Eof, 0)];
        assert_eq!(frames(10, &[b"a\nb\r\n\nc\r"]), expected);
        assert_eq!(frames(10, &[b"a", b"\nb\r", b"\n", b"", b"\nc", b"\r"]), expected);
    }

    #[test]
    fn a_return_inside_a_line_is_content() {
        assert_eq!(frames(10, &[b"a\rb\r\r\n"]), [frame(b"a\rb\r", End::CrLf, 0)]);
    }

    #[test]
    fn nothing_after_the_last_line_feed_is_no_frame() {
        assert_eq!(frames(10, &[]), []);
        assert_eq!(frames(10, &[b"a\n"]), [frame(b"a", End::Lf, 0)]);
    }

    #[test]
    fn bytes_beyond_the_limit_are_counted_and_the_next_line_is_whole() {
        assert_eq!(
            frames(3, &[b"abcde\nabc\r\nx"]),
            [frame(b"abc", End::Lf, 2), frame(b"abc", End::CrLf, 0), frame(b"x", End::Eof, 0)]
        );
        assert_eq!(frames(0, &[b"ab"]), [frame(b"", End::Eof, 2)]);
    }

    #[test]
    fn two_hundred_megabytes_without_a_line_feed_cost_the_limit() {
        let (limit, chunk) = (100_000, [b'x'; 8_192]);
        let mut framer = LineFramer::new(limit);
        for _ in 0..25_600 {
            assert!(framer.push(&chunk).is_empty());
            assert!(framer.bytes.capacity() <= limit);
        }
        let last = framer.finish().expect("there were bytes");
        assert_eq!((last.bytes.len(), last.dropped), (limit, 25_600 * 8_192 - limit));
    }
}
