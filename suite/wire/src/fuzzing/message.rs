//! Properties of reading and writing messages.

use serde_json::Value;

use super::grammar::{self, Scan};
use super::same;
use crate::parse::parse;
use crate::parsed::{Content, Limits, MAX_DEPTH, Parsed, Unreadable};
use crate::{Alike, Id, IdKey, Kind, LineFramer, Message, SseFramer, write};

/// Reading agrees with the grammar and with `serde_json`, names every failure rightly, finds exactly the repeated names,
/// keeps ids, what it has read it reads again, and what an answer with another id is it knows without reading.
pub fn message(bytes: &[u8]) {
    for limits in [Limits::default(), Limits { bytes: 64, depth: 3, values: 8 }] {
        let parsed = parse(bytes, &limits);
        if let Some((text, scan)) = named(bytes, &limits, &parsed) {
            same_value(text, &parsed);
            same_facts(&parsed, &scan);
            parsed.messages().iter().for_each(|message| reads_again(message, text, &parsed));
            shares(text, &parsed);
        }
    }
}

/// Checks the name of a failure; gives the text and its scan when there is none.
fn named<'b>(bytes: &'b [u8], limits: &Limits, parsed: &Parsed) -> Option<(&'b str, Scan<'b>)> {
    let why = match &parsed.content {
        Content::Unreadable(why) => Some(why),
        Content::One(_) | Content::Batch(_) => None,
    };
    if bytes.len() > limits.bytes {
        assert_eq!(why, Some(&Unreadable::TooLarge { limit: limits.bytes }));
        return None;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            assert_eq!(why, Some(&Unreadable::NotUtf8 { at: error.valid_up_to() }));
            return None;
        }
    };
    let Some(scan) = grammar::scan(text) else {
        match why {
            Some(Unreadable::Empty) => assert!(blank(text)),
            Some(Unreadable::NotJson { at, .. }) => assert!(*at <= text.len() && !blank(text)),
            other => panic!("against the grammar, yet {other:?}"),
        }
        return None;
    };
    match why {
        None => {
            assert!(scan.holdable && scan.depth <= limits.depth.min(MAX_DEPTH) && scan.values <= limits.values);
            return Some((text, scan));
        }
        Some(Unreadable::TooDeep { limit }) => assert!(scan.depth > *limit),
        Some(Unreadable::TooMany { limit }) => assert!(scan.values > *limit),
        Some(Unreadable::Unholdable { at, .. }) => assert!(!scan.holdable && *at <= text.len()),
        Some(other) => panic!("well-formed, yet {other:?}"),
    }
    None
}

/// White space to JSON, which has no form feed.
fn blank(text: &str) -> bool {
    text.trim_matches([' ', '\t', '\n', '\r']).is_empty()
}

fn same_value(text: &str, parsed: &Parsed) {
    // With this name `serde_json` does not read what stands there: see `read`.
    if text.contains("$serde_json") || text.contains("\\u") {
        return;
    }
    let same = match &parsed.content {
        // Of members with one name the last stays: only who has read all of them can compare.
        _ if parsed.repeats() => serde_json::from_str(text).map(|read| same_content(&parsed.content, &read)),
        Content::One(message) => same::value(text, message.but_for_id()),
        Content::Batch(batch) => same::batch(text, batch),
        Content::Unreadable(why) => panic!("{why} was scanned"),
    };
    same.unwrap_or_else(|error| panic!("serde_json reads something else, or nothing: {error}"));
}

fn same_content(content: &Content, value: &Value) {
    match (content, value) {
        (Content::Batch(batch), Value::Array(items)) => {
            assert!(batch.iter().map(Message::but_for_id).eq(items), "{items:?}");
        }
        (Content::One(message), value) => assert_eq!(message.but_for_id(), value),
        (content, value) => panic!("{content:?} is not {value:?}"),
    }
}

fn same_facts(parsed: &Parsed, scan: &Scan<'_>) {
    assert_eq!(parsed.duplicates.len() + parsed.more_duplicates, scan.duplicates.len());
    if parsed.more_duplicates == 0 {
        assert_eq!(parsed.duplicates, scan.duplicates);
    }
    for (nth, message) in parsed.messages().iter().enumerate() {
        let raw = scan.ids.get(&nth).filter(|_| message.is_object());
        assert_eq!(message.id, raw.map(|raw| Id::from_raw(raw)));
        match (&message.id, raw) {
            (Some(Id::Integer(text) | Id::Number(text)), Some(raw)) => assert_eq!(text, raw),
            (Some(Id::String(text)), Some(_)) => assert_eq!(message.member("id"), Some(&Value::from(text.as_str()))),
            _ => {}
        }
        let number = matches!(message.id, Some(Id::Integer(_) | Id::Number(_)));
        assert_eq!(number, matches!(message.id.as_ref().and_then(Id::key), Some(IdKey::Number(_))));
    }
}

fn reads_again(message: &Message, text: &str, parsed: &Parsed) {
    let line = write::message(message);
    assert!(!line.contains('\n'));
    // Word for word what was read: reading it once more would be doing the same twice.
    if line == text {
        return assert!(!parsed.repeats());
    }
    let limits = Limits { bytes: usize::MAX, ..Limits::default() };
    let again = parse(line.as_bytes(), &limits);
    assert_eq!(again.duplicates, [""; 0]);
    match again.content {
        Content::One(again) => assert_eq!(again, *message),
        // An array inside a batch: alone it is a batch itself.
        Content::Batch(_) => assert!(message.but_for_id().is_array()),
        Content::Unreadable(why) => panic!("cannot read what it wrote: {why}"),
    }
}

/// What differs in its id alone is what reading it finds.
fn shares(text: &str, parsed: &Parsed) {
    let other = "123456789";
    let Some((Alike { head, tail }, _)) = Alike::of(text) else { return };
    let Some(shared) = parsed.with_id(other) else { return };
    let limits = Limits { bytes: usize::MAX, ..Limits::default() };
    assert_eq!(shared, parse(format!("{head}{other}{tail}").as_bytes(), &limits));
}

/// Checks that a message built from the parts of any message survives both framings with the same parts.
pub fn roundtrip(bytes: &[u8]) {
    for message in parse(bytes, &Limits::default()).messages() {
        let id = message.id.clone().unwrap_or_else(|| 7.into());
        let method = message.method().unwrap_or("m");
        let part = message.params().or(message.result()).or(message.error()).unwrap_or(&Value::Null);
        let code = message.error_code().unwrap_or(-32_000);
        let built = [
            (Kind::Request, write::request(&id, method, Some(part))),
            (Kind::Notification, write::notification(method, Some(part))),
            (Kind::Response, write::response(&id, part)),
            (Kind::Error, write::error(Some((&id).into()), code, method, None)),
        ];
        for (kind, line) in built {
            let back = carried(&line);
            assert_eq!(back.kind, kind);
            assert_eq!(back.id.as_ref(), (kind != Kind::Notification).then_some(&id));
            assert_eq!(back.id.as_ref().and_then(Id::key), (kind != Kind::Notification).then(|| id.key()).flatten());
            let body = back.params().or(back.result());
            assert_eq!(body, (kind != Kind::Error).then_some(part));
            let name = back.method().or(back.error_message());
            assert_eq!(name, (kind != Kind::Response).then_some(method));
            assert_eq!(back.error_code(), (kind == Kind::Error).then_some(code));
        }
    }
}

/// Sends a line over both framings and reads what arrives.
fn carried(line: &str) -> Message {
    let mut frames = LineFramer::new(line.len()).push(format!("{line}\r\n").as_bytes());
    let frame = frames.pop().expect("a line feed ends a frame");
    assert_eq!((frames.len(), frame.dropped), (0, 0));
    let mut events = SseFramer::new(line.len() + 6).push(format!("data: {line}\n\n").as_bytes());
    let event = events.pop().expect("a blank line ends an event");
    assert_eq!((events.len(), &event.oddities[..]), (0, &[][..]));
    assert_eq!(event.data.as_deref().map(str::as_bytes), Some(&frame.bytes[..]));
    match parse(&frame.bytes, &Limits { bytes: usize::MAX, ..Limits::default() }).content {
        Content::One(message) => message,
        other => panic!("{line} came back as {other:?}"),
    }
}
