//! Messages sent on the streams of a session, kept so that a client that lost a connection can come back for the rest.

use std::collections::VecDeque;
use std::fmt;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::core::Action;

/// Streams kept for one session; the oldest that are over give way.
const MOST_STREAMS: usize = 512;
/// Bytes kept of one stream; a longer one is not replayed.
const MOST_BYTES: usize = 8 << 20;

/// Names a stream within its session: the answer to a payload, or one that a GET opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Answer(u64),
    Listening(u64),
}

/// Position of an event: the stream, and how many messages came before and with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) stream: Name,
    pub(super) count: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stream {
            Name::Answer(number) => write!(f, "answer-{number}-{}", self.count),
            Name::Listening(number) => write!(f, "listening-{number}-{}", self.count),
        }
    }
}

impl Position {
    /// Reads an event id back.
    pub(super) fn read(id: &str) -> Option<Self> {
        let mut parts = id.split('-');
        let (kind, number, count) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let stream = match kind {
            "answer" => Name::Answer(number),
            "listening" => Name::Listening(number),
            _ => return None,
        };
        parts.next().is_none().then_some(Self { stream, count })
    }
}

/// One stream: what was sent on it, and who reads it now.
struct Stream {
    name: Name,
    sent: Vec<Action>,
    reader: Option<UnboundedSender<Action>>,
    over: bool,
    bytes: usize,
}

impl Stream {
    fn take(&mut self, action: Action) {
        self.over |= action == Action::End;
        if let Some(reader) = &self.reader {
            // Nobody reads it any more: the client may come back for it.
            let _ = reader.send(action.clone());
        }
        if self.over {
            self.reader = None;
        }
        self.bytes += match &action {
            Action::Send(text) => text.len(),
            Action::Raw(bytes) => bytes.len(),
            _ => 0,
        };
        if self.bytes > MOST_BYTES {
            self.sent.clear();
        } else {
            self.sent.push(action);
        }
    }

    fn is_read(&self) -> bool {
        self.reader.as_ref().is_some_and(|reader| !reader.is_closed())
    }
}

/// Deviations of a replay.
#[derive(Default)]
pub(super) struct Deviations {
    /// Events of other streams are replayed too.
    pub(super) foreign: bool,
    /// The event that the client named comes too.
    pub(super) repeats: bool,
    /// The first two events change places.
    pub(super) backwards: bool,
}

/// The streams of a session.
#[derive(Default)]
pub(super) struct Streams {
    kept: VecDeque<Stream>,
    listening: u64,
}

impl Streams {
    /// A new stream.
    pub(super) fn open(&mut self, name: Name) -> UnboundedReceiver<Action> {
        let (sender, receiver) = unbounded_channel();
        if self.kept.len() >= MOST_STREAMS
            && let Some(at) = self.kept.iter().position(|stream| stream.over || !stream.is_read())
        {
            self.kept.remove(at);
        }
        self.kept.push_back(Stream { name, sent: Vec::new(), reader: Some(sender), over: false, bytes: 0 });
        receiver
    }

    /// A new stream that answers no payload.
    pub(super) fn listen(&mut self) -> (Name, UnboundedReceiver<Action>) {
        self.listening += 1;
        let name = Name::Listening(self.listening);
        (name, self.open(name))
    }

    /// Whether a stream that answers no payload is being read.
    pub(super) fn is_listened_to(&self) -> bool {
        self.kept.iter().any(|stream| matches!(stream.name, Name::Listening(_)) && stream.is_read())
    }

    /// Whether a payload is answered by a stream of its own.
    pub(super) fn is_answer(&self, payload: u64) -> bool {
        self.kept.iter().any(|stream| stream.name == Name::Answer(payload))
    }

    /// Puts something on the stream that answers a payload.
    pub(super) fn answer(&mut self, payload: u64, action: Action) {
        if let Some(stream) = self.kept.iter_mut().find(|stream| stream.name == Name::Answer(payload)) {
            stream.take(action);
        }
    }

    /// Puts something on one stream that answers no payload, rather one that is being read.
    pub(super) fn announce(&mut self, action: Action) {
        let listening = |stream: &&mut Stream| matches!(stream.name, Name::Listening(_));
        let read = self.kept.iter().position(|stream| matches!(stream.name, Name::Listening(_)) && stream.is_read());
        let stream = match read {
            Some(at) => self.kept.get_mut(at),
            None => self.kept.iter_mut().rev().find(listening),
        };
        if let Some(stream) = stream {
            stream.take(action);
        }
    }

    /// Announces something on every stream of a GET.
    pub(super) fn announce_everywhere(&mut self, action: &Action) {
        for stream in self.kept.iter_mut().filter(|stream| matches!(stream.name, Name::Listening(_))) {
            stream.take(action.clone());
        }
    }

    /// Returns the events of a stream after this position, and those still to come; `None` if it is not known.
    pub(super) fn resume(&mut self, from: Position, deviations: &Deviations) -> Option<UnboundedReceiver<Action>> {
        let elsewhere = |stream: &&Stream| deviations.foreign && stream.name != from.stream;
        let foreign: Vec<Action> = self.kept.iter().filter(elsewhere).flat_map(|stream| stream.sent.clone()).collect();
        let stream = self.kept.iter_mut().find(|stream| stream.name == from.stream)?;
        if from.count > stream.sent.len() || stream.bytes > MOST_BYTES {
            return None;
        }
        let (sender, receiver) = unbounded_channel();
        let known = if deviations.repeats { from.count.saturating_sub(1) } else { from.count };
        let mut rest = stream.sent[known..].to_vec();
        if deviations.backwards && rest.len() > 1 {
            rest.swap(0, 1);
        }
        let foreign = foreign.into_iter().filter(|action| *action != Action::End);
        for action in foreign.chain(rest) {
            let _ = sender.send(action);
        }
        stream.reader = (!stream.over).then_some(sender);
        Some(receiver)
    }

    /// Ends every stream, and forgets it.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
    }

    /// Lets go of the stream that answers a payload.
    pub(super) fn forget(&mut self, payload: u64) {
        self.kept.retain(|stream| stream.name != Name::Answer(payload));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(text: &str) -> Action {
        Action::Send(text.to_owned())
    }

    fn rest(mut receiver: UnboundedReceiver<Action>) -> Vec<Action> {
        std::iter::from_fn(|| receiver.try_recv().ok()).collect()
    }

    #[test]
    fn a_stream_is_resumed_after_the_position_and_goes_on() {
        let mut streams = Streams::default();
        drop(streams.open(Name::Answer(1)));
        streams.open(Name::Answer(2));
        for text in ["a", "b"] {
            streams.answer(1, send(text));
            streams.answer(2, send("other"));
        }
        let resumed =
            streams.resume(Position { stream: Name::Answer(1), count: 1 }, &Deviations::default()).expect("it is kept");
        streams.answer(1, Action::End);
        assert_eq!(rest(resumed), [send("b"), Action::End]);
        assert!(streams.resume(Position { stream: Name::Answer(3), count: 0 }, &Deviations::default()).is_none());
        assert!(streams.resume(Position { stream: Name::Answer(1), count: 9 }, &Deviations::default()).is_none());
    }

    #[test]
    fn what_is_announced_goes_to_one_stream_that_is_read() {
        let mut streams = Streams::default();
        let (_, gone) = streams.listen();
        drop(gone);
        let (_, first) = streams.listen();
        let (_, second) = streams.listen();
        streams.announce(send("a"));
        assert_eq!((rest(first), rest(second)), (vec![send("a")], vec![]));
    }

    #[test]
    fn event_ids_are_read_back() {
        for stream in [Name::Answer(7), Name::Listening(1)] {
            let position = Position { stream, count: 3 };
            assert_eq!(Position::read(&position.to_string()), Some(position));
        }
        assert!(
            ["", "no-such-event", "answer-1", "answer-1-2-3", "answer-x-1"]
                .iter()
                .all(|id| Position::read(id).is_none())
        );
    }
}
