//! Messages of a process that does not write one on each line: found as objects, so that the rest of it can be judged.

use std::time::Duration;

use tokio::time::Instant;
use wire::Limits;
use wire::document::{Object, ObjectFinder};

use super::FRAME;

/// How long a message that stands on no line of its own is held back: the end of its line, or the message itself after a log line
/// that quotes it, may be on its way.
const GRACE: Duration = Duration::from_millis(250);

/// Decides by the first message how the output of a process is read.
#[derive(Debug)]
pub(super) struct Objects {
    finder: ObjectFinder,
    state: State,
}

#[derive(Debug)]
enum State {
    /// No message so far.
    Undecided,
    /// Messages that stand on no line of their own, until when they are held back.
    Held(Vec<Vec<u8>>, Instant),
    /// A line was a message: nothing else is taken for one.
    Lines,
    /// Every object is taken for a message if it can be one.
    Objects,
}

impl Objects {
    /// `known` tells that another process of the server is read by objects.
    pub(super) fn new(known: bool) -> Self {
        let state = if known { State::Objects } else { State::Undecided };
        Self { finder: ObjectFinder::new(FRAME), state }
    }

    /// Takes the bytes that were read and the lines that they finish; gives the messages that are no lines.
    pub(super) fn read<'l>(&mut self, chunk: &[u8], lines: impl Iterator<Item = &'l [u8]>) -> Vec<Vec<u8>> {
        if matches!(self.state, State::Lines) {
            return Vec::new();
        }
        let by_objects = matches!(self.state, State::Objects);
        if !by_objects && lines.into_iter().any(is_message) {
            self.state = State::Lines;
            return Vec::new();
        }
        let found: Vec<Object> =
            self.finder.push(chunk).into_iter().filter(|object| is_message(&object.bytes)).collect();
        let spread = found.iter().any(|object| object.begins_line && object.lines > 0);
        let found: Vec<Vec<u8>> = found.into_iter().map(|object| object.bytes).collect();
        if by_objects || found.is_empty() {
            return found;
        }
        let (mut held, until) = match std::mem::replace(&mut self.state, State::Objects) {
            State::Held(held, until) => (held, until),
            _ => (Vec::new(), Instant::now() + GRACE),
        };
        held.extend(found);
        if spread {
            return held;
        }
        self.state = State::Held(held, until);
        Vec::new()
    }

    /// Until when nothing is decided, if messages are held back.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match &self.state {
            State::Held(_, until) => Some(*until),
            _ => None,
        }
    }

    /// Nothing else came in time, or can come: gives what was held back.
    pub(super) fn release(&mut self) -> Vec<Vec<u8>> {
        match std::mem::replace(&mut self.state, State::Objects) {
            State::Held(held, _) => held,
            state => {
                self.state = state;
                Vec::new()
            }
        }
    }

    /// Whether a line is one of the messages that are found as objects.
    pub(super) fn has(&self, line: &[u8]) -> bool {
        matches!(self.state, State::Objects) && is_message(line)
    }
}

fn is_message(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    wire::parse(bytes, &Limits::default()).has_message()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

    fn read(objects: &mut Objects, text: &str) -> Vec<String> {
        let lines: Vec<&[u8]> =
            text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::as_bytes).collect();
        let found = objects.read(text.as_bytes(), lines.into_iter());
        found.into_iter().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
    }

    #[tokio::test]
    async fn a_message_on_a_line_of_its_own_decides_for_lines() {
        let mut objects = Objects::new(false);
        assert!(read(&mut objects, &format!("a banner\nDEBUG {ANSWER}\n")).is_empty());
        assert!(objects.deadline().is_some(), "the line that quotes a message may stand before it");
        assert!(read(&mut objects, &format!("{ANSWER}\n")).is_empty());
        assert!(objects.deadline().is_none() && objects.release().is_empty());
        assert!(read(&mut objects, &format!("DEBUG {ANSWER}\n")).is_empty());
    }

    #[tokio::test]
    async fn a_message_over_several_lines_decides_for_objects() {
        let mut objects = Objects::new(false);
        let spread = ANSWER.replace(',', ",\n ");
        assert_eq!(read(&mut objects, &format!("{spread}\n")), [spread.as_str()]);
        assert_eq!(read(&mut objects, &format!("{ANSWER}\n")), [ANSWER]);
        assert!(objects.has(ANSWER.as_bytes()) && !objects.has(b"text"));
    }

    #[tokio::test]
    async fn what_has_no_end_of_line_is_held_back_for_a_moment() {
        let mut objects = Objects::new(false);
        assert!(read(&mut objects, ANSWER).is_empty());
        assert!(objects.deadline().is_some());
        assert_eq!(objects.release(), [ANSWER.as_bytes()]);
        assert_eq!(read(&mut objects, ANSWER), [ANSWER]);
    }
}
