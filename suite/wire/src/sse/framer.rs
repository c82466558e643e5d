//! The parser of an event stream: bytes in any chunks to blocks, bounded and linear.

use std::borrow::Cow;

use super::{Event, Oddity};

/// How many comments, and how many oddities, of one block are kept.
const MAX_NOTES: usize = 1_000;
/// How many characters of a stray name or value are kept.
const MAX_EXCERPT: usize = 80;

/// Splits a stream into blocks. Holds a small multiple of its limit, however long lines and blocks are.
#[derive(Debug, Clone)]
pub struct SseFramer {
    limit: usize,
    line: Line,
    block: Event,
    /// Bytes of the block's finished lines, which count against the limit.
    kept: usize,
    dropped: usize,
    notes_dropped: usize,
    last_id: String,
    first_line: bool,
    /// The last byte was a carriage return: a line feed now belongs to it.
    after_cr: bool,
}

/// The line that is not finished yet.
#[derive(Debug, Clone, Default)]
struct Line {
    bytes: Vec<u8>,
    /// Bytes came, kept or not: a line that was dropped whole is not blank.
    started: bool,
    /// Bytes were dropped, so what is kept may end inside a name, a number or a character.
    cut: bool,
}

impl SseFramer {
    /// Keeps at most `limit` bytes of a block's lines.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Line::default(),
            block: Event::default(),
            kept: 0,
            dropped: 0,
            notes_dropped: 0,
            last_id: String::new(),
            first_line: true,
            after_cr: false,
        }
    }

    /// Starts with the id that an earlier stream left behind.
    #[must_use]
    pub fn resumed(limit: usize, last_id: &str) -> Self {
        Self { last_id: last_id.into(), ..Self::new(limit) }
    }

    /// Takes the next bytes of the stream and gives the blocks that they finish.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        let mut rest = chunk;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(at) = rest.iter().position(|b| matches!(b, b'\n' | b'\r')) {
            self.take(&rest[..at]);
            events.extend(self.end_line());
            let after = &rest[at + 1..];
            rest = match rest[at] {
                b'\r' if after.is_empty() => {
                    self.after_cr = true;
                    after
                }
                b'\r' => after.strip_prefix(b"\n").unwrap_or(after),
                _ => after,
            };
        }
        self.take(rest);
        events
    }

    /// The stream has ended: the block that was not finished, if anything of it came.
    #[must_use]
    pub fn finish(mut self) -> Option<Event> {
        if self.line.started {
            self.field();
        }
        if self.is_blank() {
            return None;
        }
        self.note(Oddity::Unfinished);
        let mut event = self.close();
        // The id of an event that is discarded never becomes the last one.
        event.last_id = self.last_id;
        Some(event)
    }

    /// The last event id that a client holds now: what it would send to resume.
    #[must_use]
    pub fn last_id(&self) -> &str {
        &self.last_id
    }

    /// Bytes held for the block that is not finished yet; never more than the limit.
    #[must_use]
    pub fn held(&self) -> usize {
        self.kept + self.line.bytes.len()
    }

    fn take(&mut self, part: &[u8]) {
        let kept = part.len().min(self.limit.saturating_sub(self.held()));
        self.line.bytes.extend_from_slice(&part[..kept]);
        self.line.started |= !part.is_empty();
        self.line.cut |= kept < part.len();
        self.dropped = self.dropped.saturating_add(part.len() - kept);
    }

    fn is_blank(&self) -> bool {
        self.block == Event::default() && self.dropped == 0
    }

    fn end_line(&mut self) -> Option<Event> {
        let blank = !self.line.started || self.is_byte_order_mark();
        self.field();
        if !blank || self.is_blank() {
            return None;
        }
        let event = self.close();
        self.last_id.clone_from(&event.last_id);
        Some(event)
    }

    /// A first line of nothing but the mark is a blank one.
    fn is_byte_order_mark(&self) -> bool {
        self.first_line && !self.line.cut && self.line.bytes == b"\xef\xbb\xbf"
    }

    fn close(&mut self) -> Event {
        let mut event = std::mem::take(&mut self.block);
        event.last_id = event.id.as_ref().unwrap_or(&self.last_id).clone();
        self.kept = 0;
        match std::mem::take(&mut self.notes_dropped) {
            0 => {}
            count => event.oddities.push(Oddity::NotesDropped { count }),
        }
        match std::mem::take(&mut self.dropped) {
            0 => {}
            dropped => event.oddities.push(Oddity::OverLimit { dropped }),
        }
        event
    }

    fn note(&mut self, oddity: Oddity) {
        if self.block.oddities.len() < MAX_NOTES || oddity == Oddity::Unfinished {
            self.block.oddities.push(oddity);
        } else {
            self.notes_dropped += 1;
        }
    }

    /// Takes the line, which has ended, as a field or a comment.
    fn field(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        let first = std::mem::take(&mut self.first_line);
        self.kept += line.bytes.len();
        let text = self.decode(&line);
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) if first => {
                self.note(Oddity::ByteOrderMark);
                rest
            }
            _ => &*text,
        };
        if let Some((name, value)) = split(text, line.cut) {
            self.set(name, value, line.cut);
        }
        line.bytes.clear();
        self.line.bytes = line.bytes;
    }

    /// The text of a line. Where a cut went through a character, its first bytes are no fault of the stream.
    fn decode<'l>(&mut self, line: &'l Line) -> Cow<'l, str> {
        let bytes = match std::str::from_utf8(&line.bytes) {
            Err(error) if line.cut && error.error_len().is_none() => &line.bytes[..error.valid_up_to()],
            _ => &line.bytes,
        };
        let text = String::from_utf8_lossy(bytes);
        if matches!(text, Cow::Owned(_)) {
            self.note(Oddity::InvalidUtf8);
        }
        text
    }

    /// Of a line that was cut, only text is used: half a name, an id or a number would be a lie.
    fn set(&mut self, name: &str, value: &str, cut: bool) {
        match name {
            "" => self.comment(value),
            "data" => match &mut self.block.data {
                None => self.block.data = Some(value.into()),
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
            },
            _ if cut => {}
            "event" => {
                let earlier = self.block.event.replace(value.into());
                self.repeated("event", earlier.is_some());
            }
            "id" if value.contains('\0') => self.note(Oddity::NulInId),
            "id" => {
                let earlier = self.block.id.replace(value.into());
                self.repeated("id", earlier.is_some());
            }
            "retry" => self.retry(value),
            name => self.note(Oddity::UnknownField(excerpt(name))),
        }
    }

    fn comment(&mut self, text: &str) {
        if self.block.comments.len() < MAX_NOTES {
            self.block.comments.push(text.into());
        } else {
            self.notes_dropped += 1;
        }
    }

    fn retry(&mut self, value: &str) {
        if value.is_empty() || !value.bytes().all(|b| b.is_ascii_digit()) {
            return self.note(Oddity::BadRetry(excerpt(value)));
        }
        // Digits alone can only fail by being too many.
        let earlier = self.block.retry.replace(value.parse().unwrap_or(u64::MAX));
        self.repeated("retry", earlier.is_some());
    }

    fn repeated(&mut self, field: &'static str, earlier: bool) {
        if earlier {
            self.note(Oddity::Repeated(field));
        }
    }
}

/// Name and value of a field; the name of a comment is empty. `None`: a blank line, or a cut one whose name is not whole.
fn split(line: &str, cut: bool) -> Option<(&str, &str)> {
    match line.split_once(':') {
        Some(("", comment)) => Some(("", comment)),
        Some((name, value)) => Some((name, value.strip_prefix(' ').unwrap_or(value))),
        None => (!line.is_empty() && !cut).then_some((line, "")),
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(MAX_EXCERPT).collect()
}

#[cfg(test)]
mod tests;
