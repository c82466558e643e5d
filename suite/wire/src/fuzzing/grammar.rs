//! A second opinion on JSON: the grammar of RFC 8259 written out by hand, sharing nothing with the reader under test.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use crate::surrogate::from_str;

/// Contents of a well-formed text.
#[derive(Debug, Default)]
pub(super) struct Scan<'t> {
    pub(super) depth: usize,
    pub(super) values: usize,
    /// Every number fits a double.
    pub(super) holdable: bool,
    pub(super) duplicates: Vec<String>,
    /// The raw text of the last `id` of each message, by its place in the batch (0 without a batch).
    pub(super) ids: BTreeMap<usize, &'t str>,
}

/// `None`: not well-formed.
pub(super) fn scan(text: &str) -> Option<Scan<'_>> {
    let scan = Scan { holdable: true, ..Scan::default() };
    let mut scanner = Scanner { text, at: 0, open: Vec::new(), scan };
    scanner.space();
    loop {
        let start = scanner.at;
        if !scanner.value()? {
            continue;
        }
        if scanner.ended(start)? {
            return Some(scanner.scan);
        }
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Open<'t>>,
    scan: Scan<'t>,
}

struct Open<'t> {
    start: usize,
    inside: Inside<'t>,
}

enum Inside<'t> {
    Array(usize),
    Object { names: Names<'t>, name: Cow<'t, str> },
}

/// The names of an object so far: a list as long as looking at each is quicker than hashing.
#[derive(Default)]
struct Names<'t> {
    few: Vec<Cow<'t, str>>,
    many: HashSet<Cow<'t, str>>,
}

impl<'t> Names<'t> {
    /// Whether it was not there.
    fn insert(&mut self, name: Cow<'t, str>) -> bool {
        const FEW: usize = 12;
        if self.many.is_empty() {
            if self.few.contains(&name) {
                return false;
            }
            if self.few.len() < FEW {
                self.few.push(name);
                return true;
            }
            self.many = self.few.drain(..).collect();
        }
        self.many.insert(name)
    }
}

impl<'t> Scanner<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// One value, or the start of one: `false` when a first member or item comes next.
    fn value(&mut self) -> Option<bool> {
        self.scan.values += 1;
        let start = self.at;
        let inside = match self.peek()? {
            b'"' => return self.string().map(|_| true),
            b'-' | b'0'..=b'9' => return self.number().map(|()| true),
            b'[' => Inside::Array(0),
            b'{' => Inside::Object { names: Names::default(), name: Cow::Borrowed("") },
            _ => return self.word().map(|()| true),
        };
        self.at += 1;
        self.space();
        self.scan.depth = self.scan.depth.max(self.open.len() + 1);
        let object = matches!(inside, Inside::Object { .. });
        if self.eat(if object { b'}' } else { b']' }) {
            return Some(true);
        }
        self.open.push(Open { start, inside });
        if object {
            self.name()?;
        }
        Some(false)
    }

    /// A value that began at `start` is complete; goes on to the next one. `true` at the end of the text.
    fn ended(&mut self, mut start: usize) -> Option<bool> {
        loop {
            self.member_ended(start);
            self.space();
            let comma = self.eat(b',');
            self.space();
            match self.open.last_mut() {
                None => return (!comma && self.at == self.text.len()).then_some(true),
                Some(Open { inside: Inside::Array(index), .. }) if comma => *index += 1,
                Some(Open { inside: Inside::Object { .. }, .. }) if comma => self.name()?,
                Some(Open { inside, start: outer }) => {
                    let close = if matches!(inside, Inside::Array(_)) { b']' } else { b'}' };
                    start = *outer;
                    if !self.eat(close) {
                        return None;
                    }
                    self.open.pop();
                    continue;
                }
            }
            return Some(false);
        }
    }

    fn member_ended(&mut self, start: usize) {
        let raw = &self.text[start..self.at];
        let nth = match self.open.as_slice() {
            [Open { inside: Inside::Array(nth), .. }, _] => Some(*nth),
            [_] => Some(0),
            _ => None,
        };
        let Some(Open { inside: Inside::Object { names, name }, .. }) = self.open.last_mut() else { return };
        if name == "id"
            && let Some(nth) = nth
        {
            self.scan.ids.insert(nth, raw);
        }
        if !names.insert(name.clone()) {
            let pointer = self.open.iter().map(Open::step).collect();
            self.scan.duplicates.push(pointer);
        }
    }

    fn name(&mut self) -> Option<()> {
        let (token, escaped) = self.string()?;
        let decoded = match escaped {
            true => from_str(token).map_or(Cow::Borrowed(token), Cow::Owned),
            false => Cow::Borrowed(&token[1..token.len() - 1]),
        };
        self.space();
        if !self.eat(b':') {
            return None;
        }
        self.space();
        if let Some(Open { inside: Inside::Object { name, .. }, .. }) = self.open.last_mut() {
            *name = decoded;
        }
        Some(())
    }

    /// The token, and whether anything in it is escaped.
    fn string(&mut self) -> Option<(&'t str, bool)> {
        let (start, mut escaped) = (self.at, false);
        if !self.eat(b'"') {
            return None;
        }
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => {
                    escaped = true;
                    self.escape()?;
                }
                0..0x20 => return None,
                _ => {}
            }
        }
        let token = &self.text[start..self.at];
        Some((token, escaped))
    }

    fn escape(&mut self) -> Option<()> {
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => {
                let digits = self.text.as_bytes().get(self.at..self.at + 4)?;
                self.at += 4;
                digits.iter().all(u8::is_ascii_hexdigit).then_some(())
            }
            _ => None,
        }
    }

    fn number(&mut self) -> Option<()> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        let exponent = self.eat(b'e') || self.eat(b'E');
        if exponent {
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            self.digits()?;
        }
        // A double has 309 digits before the point: what is shorter and has no exponent fits.
        if exponent || self.at - start > 300 {
            self.scan.holdable &= self.text[start..self.at].parse::<f64>().is_ok_and(f64::is_finite);
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn word(&mut self) -> Option<()> {
        let word = ["null", "true", "false"].into_iter().find(|word| self.text[self.at..].starts_with(word))?;
        self.at += word.len();
        Some(())
    }
}

impl Open<'_> {
    fn step(&self) -> String {
        match &self.inside {
            Inside::Array(index) => format!("/{index}"),
            Inside::Object { name, .. } => format!("/{}", name.replace('~', "~0").replace('/', "~1")),
        }
    }
}
