//! Event streams (`text/event-stream`) by the rules of the WHATWG standard, and every fault that a lenient reader hides.
//!
//! A block is everything up to a blank line. Each block that holds anything is told, also one that dispatches nothing
//! because it has no `data`; the last one is told as unfinished when the stream ends before its blank line.

/// How many comments and oddities of one block are kept.
const MAX_NOTES: usize = 1_000;
/// How many characters of a stray name or value are kept.
const MAX_EXCERPT: usize = 80;

/// One block of the stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// The `event` field; the last one if there are several.
    pub event: Option<String>,
    /// The `data` fields joined by line feeds; `None`: no data field, so nothing is dispatched.
    pub data: Option<String>,
    /// The `id` field, if this block sets it.
    pub id: Option<String>,
    /// The last event id that a client holds after this block.
    pub last_id: String,
    /// The `retry` field in milliseconds.
    pub retry: Option<u64>,
    /// Comments, without the colon, spaces kept.
    pub comments: Vec<String>,
    /// What the standard's parser passes over in silence.
    pub oddities: Vec<Oddity>,
}

/// Something a lenient reader hides.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Oddity {
    /// The stream starts with a byte order mark (allowed).
    ByteOrderMark,
    /// A field name that the standard does not know, shortened. Ignored by clients.
    UnknownField(String),
    /// `event`, `id` or `retry` more than once in a block; the last one counts.
    Repeated(&'static str),
    /// A `retry` that is not made of digits, shortened. Ignored by clients.
    BadRetry(String),
    /// A NUL in an `id`. The field is ignored by clients.
    NulInId,
    /// Bytes that are no UTF-8, replaced.
    InvalidUtf8,
    /// The stream ended before the blank line. The event is discarded by clients.
    Unfinished,
    /// Bytes (of lines or parts of lines) beyond the limit, which were not kept.
    OverLimit {
        /// How many.
        dropped: usize,
    },
}

impl Event {
    /// Whether a client dispatches it: it has data and its blank line.
    #[must_use]
    pub fn dispatched(&self) -> bool {
        self.data.is_some() && !self.oddities.contains(&Oddity::Unfinished)
    }
}

/// Splits a stream into blocks.
#[derive(Debug, Clone)]
pub struct SseFramer {
    limit: usize,
    line: Vec<u8>,
    /// Whether the line has bytes at all, kept or not: a line that was dropped whole is not blank.
    started: bool,
    block: Event,
    /// Bytes of the block's finished lines that count against the limit.
    kept: usize,
    dropped: usize,
    last_id: String,
    first_line: bool,
    /// The last byte was a carriage return: a line feed now belongs to it.
    after_cr: bool,
}

impl SseFramer {
    /// Keeps at most `limit` bytes of a block's lines.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            started: false,
            block: Event::default(),
            kept: 0,
            dropped: 0,
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
        if self.started {
            self.field();
        }
        if self.is_blank() {
            return None;
        }
        // The id of an event that is discarded never becomes the last one.
        let last_id = std::mem::take(&mut self.last_id);
        self.note(Oddity::Unfinished);
        let mut event = self.close();
        event.last_id = last_id;
        Some(event)
    }

    /// The last event id that a client holds now: what it would send to resume.
    #[must_use]
    pub fn last_id(&self) -> &str {
        &self.last_id
    }

    /// Bytes held for the block that is not finished yet.
    #[must_use]
    pub fn held(&self) -> usize {
        self.kept + self.line.len()
    }

    fn take(&mut self, part: &[u8]) {
        self.started |= !part.is_empty();
        let kept = part.len().min(self.limit.saturating_sub(self.kept + self.line.len()));
        self.line.extend_from_slice(&part[..kept]);
        self.dropped = self.dropped.saturating_add(part.len() - kept);
    }

    fn is_blank(&self) -> bool {
        self.block == Event::default() && self.dropped == 0
    }

    fn end_line(&mut self) -> Option<Event> {
        if std::mem::take(&mut self.started) {
            let bom_only = self.first_line && self.line == b"\xef\xbb\xbf" && self.dropped == 0;
            self.field();
            if !bom_only {
                return None;
            }
        }
        self.first_line = false;
        if self.is_blank() {
            return None;
        }
        let event = self.close();
        self.last_id.clone_from(&event.last_id);
        Some(event)
    }

    fn close(&mut self) -> Event {
        let mut event = std::mem::take(&mut self.block);
        event.last_id = event.id.clone().unwrap_or_else(|| self.last_id.clone());
        self.kept = 0;
        match std::mem::take(&mut self.dropped) {
            0 => {}
            dropped => event.oddities.push(Oddity::OverLimit { dropped }),
        }
        event
    }

    fn note(&mut self, oddity: Oddity) {
        if self.block.oddities.len() < MAX_NOTES {
            self.block.oddities.push(oddity);
        }
    }

    /// Takes the line as a field or a comment.
    fn field(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.kept += line.len();
        let text = String::from_utf8_lossy(&line);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            self.note(Oddity::InvalidUtf8);
        }
        let mut text = &*text;
        if std::mem::take(&mut self.first_line)
            && let Some(rest) = text.strip_prefix('\u{feff}')
        {
            self.note(Oddity::ByteOrderMark);
            text = rest;
        }
        if text.is_empty() {
            return;
        }
        let (name, value) = text.split_once(':').unwrap_or((text, ""));
        let value = if name.is_empty() { value } else { value.strip_prefix(' ').unwrap_or(value) };
        self.set(name, value);
    }

    fn set(&mut self, name: &str, value: &str) {
        match name {
            "" if self.block.comments.len() < MAX_NOTES => self.block.comments.push(value.into()),
            "" => self.dropped = self.dropped.saturating_add(value.len() + 1),
            "data" => match &mut self.block.data {
                None => self.block.data = Some(value.into()),
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
            },
            "event" => {
                if self.block.event.replace(value.into()).is_some() {
                    self.note(Oddity::Repeated("event"));
                }
            }
            "id" if value.contains('\0') => self.note(Oddity::NulInId),
            "id" => {
                if self.block.id.replace(value.into()).is_some() {
                    self.note(Oddity::Repeated("id"));
                }
            }
            "retry" => self.retry(value),
            name => self.note(Oddity::UnknownField(excerpt(name))),
        }
    }

    fn retry(&mut self, value: &str) {
        if value.is_empty() || !value.bytes().all(|b| b.is_ascii_digit()) {
            return self.note(Oddity::BadRetry(excerpt(value)));
        }
        // Digits alone can only fail by being too many.
        if self.block.retry.replace(value.parse().unwrap_or(u64::MAX)).is_some() {
            self.note(Oddity::Repeated("retry"));
        }
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(MAX_EXCERPT).collect()
}
