//! Properties of the two framings: chunk borders change nothing, bounds hold, and a plain model gives the same.

use crate::line::{End, Frame, LineFramer};
use crate::sse::{Event, Oddity, SseFramer};

/// Every chunking gives the frames of a plain split at line feeds, and no more than the limit is held.
pub fn frames(bytes: &[u8]) {
    for limit in limits(bytes) {
        let expected = split(limit, bytes);
        for chunks in chunkings(bytes) {
            let mut framer = LineFramer::new(limit);
            let mut frames = Vec::new();
            for chunk in chunks {
                frames.extend(framer.push(chunk));
                assert!(framer.held() <= limit);
            }
            frames.extend(framer.finish());
            assert_eq!(frames, expected, "limit {limit}");
        }
    }
}

fn split(limit: usize, bytes: &[u8]) -> Vec<Frame> {
    let mut lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
    let rest = lines.pop().filter(|rest| !rest.is_empty());
    let ended = lines.into_iter().map(|line| match line.strip_suffix(b"\r") {
        Some(line) => (line, End::CrLf),
        None => (line, End::Lf),
    });
    let all = ended.chain(rest.map(|rest| (rest, End::Eof)));
    all.map(|(line, end)| {
        let kept = line.len().min(limit);
        Frame { bytes: line[..kept].to_vec(), end, dropped: line.len() - kept }
    })
    .collect()
}

/// Every chunking gives the same blocks, no more than the limit is held, and without a limit in the way what is dispatched
/// is what the standard's own steps dispatch. A limit takes bytes away, never blocks.
pub fn events(bytes: &[u8]) {
    let mut blocks = Vec::new();
    for limit in limits(bytes) {
        let mut expected: Option<Vec<Event>> = None;
        for chunks in chunkings(bytes) {
            let mut framer = SseFramer::new(limit);
            let mut events = Vec::new();
            for chunk in chunks {
                events.extend(framer.push(chunk));
                assert!(framer.held() <= limit);
            }
            let last_id = framer.last_id().to_owned();
            events.extend(framer.finish());
            assert!(events.last().is_none_or(|event| event.last_id == last_id));
            match &expected {
                Some(expected) => assert_eq!(&events, expected, "limit {limit}"),
                None => expected = Some(events),
            }
        }
        let events = expected.unwrap_or_default();
        bounded(limit, bytes, &events);
        blocks.push(events.len());
    }
    // A byte order mark that does not fit cannot be told from other bytes.
    assert!(blocks[0] == blocks[1] || bytes.starts_with(b"\xef\xbb\xbf"), "{blocks:?}");
}

fn bounded(limit: usize, bytes: &[u8], events: &[Event]) {
    for event in events {
        let data = event.data.as_ref().map_or(0, String::len);
        // A byte that is no UTF-8 becomes three.
        assert!(data <= 3 * limit, "{data} bytes of data");
    }
    let over = events.iter().flat_map(|event| &event.oddities).any(|oddity| matches!(oddity, Oddity::OverLimit { .. }));
    if over {
        assert!(bytes.len() > limit);
        return;
    }
    let heard: Vec<_> = events
        .iter()
        .filter(|event| event.dispatched())
        .map(|event| {
            let text = |field: &Option<String>| field.clone().unwrap_or_default();
            (text(&event.event), text(&event.data), event.last_id.clone())
        })
        .collect();
    assert_eq!(heard, standard(bytes));
    let invalid = events.iter().any(|event| event.oddities.contains(&Oddity::InvalidUtf8));
    assert!(!invalid || std::str::from_utf8(bytes).is_err());
}

/// The steps of the standard on the decoded text: type, data and last event id of each event it dispatches.
fn standard(bytes: &[u8]) -> Vec<(String, String, String)> {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap_or(&text).split('\n').collect();
    lines.pop();
    let (mut kind, mut data, mut last_id) = (String::new(), String::new(), String::new());
    let mut events = Vec::new();
    for line in lines {
        if line.is_empty() {
            let (kind, mut data) = (std::mem::take(&mut kind), std::mem::take(&mut data));
            if data.pop().is_some() {
                events.push((kind, data, last_id.clone()));
            }
            continue;
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => kind = value.into(),
            "data" => data = data + value + "\n",
            "id" if !value.contains('\0') => last_id = value.into(),
            _ => {}
        }
    }
    events
}

/// A limit that is never reached, and a low one that the bytes themselves decide.
fn limits(bytes: &[u8]) -> [usize; 2] {
    [1 << 20, (hash(bytes) % 32) as usize]
}

/// The bytes in one piece, one by one, in threes, and in pieces whose sizes the bytes themselves decide.
fn chunkings(bytes: &[u8]) -> [Vec<&[u8]>; 4] {
    let (mut state, mut uneven, mut rest) = (hash(bytes), Vec::new(), bytes);
    while !rest.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (chunk, after) = rest.split_at(rest.len().min((state >> 60) as usize));
        uneven.push(chunk);
        rest = after;
    }
    [vec![bytes], bytes.chunks(1).collect(), bytes.chunks(3).collect(), uneven]
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}
