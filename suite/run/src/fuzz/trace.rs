//! What a conversation shows: features, by which new behaviour is recognised, and problems, by the rules.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::time::Duration;

use fuzz::{features, pattern};
use judge::Criteria;
use verdict::Finding;
use verdict::transcript::{Event, Kind};
use wire::{IdKey, Limits, Message, parse};

use super::converse::Conversation;
use crate::Session;

/// Bytes of an answer that are looked at.
const LOOKED: usize = 256 << 10;

/// The features of the events of a conversation.
pub(super) fn seen(events: &[Event], took: Duration) -> Vec<u64> {
    let mut asked: HashMap<IdKey, String> = HashMap::new();
    let mut found = vec![hash(&class(took))];
    for event in events {
        match &event.kind {
            Kind::Send(send) => {
                for message in messages(&send.text) {
                    let method = message.method().unwrap_or("?");
                    if let Some(key) = message.id.as_ref().and_then(wire::Id::key) {
                        asked.insert(key, method.to_owned());
                    }
                }
            }
            Kind::Receive(receive) => {
                for message in messages(&receive.text) {
                    let key = message.id.as_ref().and_then(wire::Id::key);
                    let about = key.and_then(|key| asked.get(&key)).map_or("", String::as_str);
                    found.extend(features(&message, about));
                }
            }
            Kind::Status { status, .. } => found.push(hash(&("status", status))),
            Kind::Stderr { text, .. } => found.push(hash(&("stderr", pattern(text)))),
            Kind::Exit(exit) => found.push(hash(&("exit", exit.code, exit.signal))),
            Kind::GaveUp { .. } => found.push(hash(&"unanswered")),
            _ => {}
        }
    }
    found
}

/// How long something took, roughly.
fn class(took: Duration) -> (&'static str, u32) {
    let class = match took.as_millis() {
        0..300 => 0,
        300..1_500 => 1,
        _ => 2,
    };
    ("class", class)
}

fn messages(text: &str) -> Vec<Message> {
    if text.len() > LOOKED {
        return Vec::new();
    }
    parse(text.as_bytes(), &Limits::default()).messages().to_vec()
}

/// The opening of a session, how far it goes, and one conversation, as a transcript that can be judged.
pub(super) fn split_conversation(
    session: &Session,
    opened: usize,
    conversation: &Conversation,
    to: usize,
) -> Vec<Event> {
    session.events(|events| {
        let to = to.min(events.len());
        [&events[..opened.min(to)], &events[conversation.from.min(to)..to]].concat()
    })
}

/// Returns the findings of the rules in these events, with the requirements they break, except for requirements that are known.
pub(super) fn wrong(
    events: &[Event],
    criteria: &Criteria,
    known: &dyn Fn(&str) -> bool,
) -> Vec<(&'static str, Finding)> {
    let mut found = fuzz::wrong(events, criteria);
    found.retain(|(id, _)| !known(id));
    found
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
