//! The event stream standard's cases, the traps of other parsers, and the limit.

use super::*;

fn read(limit: usize, chunks: &[&[u8]]) -> Vec<Event> {
    let mut framer = SseFramer::new(limit);
    let mut events: Vec<_> = chunks.iter().flat_map(|chunk| framer.push(chunk)).collect();
    events.extend(framer.finish());
    events
}

fn events(text: &str) -> Vec<Event> {
    read(1 << 20, &[text.as_bytes()])
}

fn data(text: &str) -> Event {
    Event { data: Some(text.into()), ..Event::default() }
}

#[test]
fn the_examples_of_the_standard_are_read_as_it_says() {
    let stocks = events("data: YHOO\ndata: +2\ndata: 10\n\n");
    assert_eq!(stocks, [data("YHOO\n+2\n10")]);
    let ids = events(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n");
    let last: Vec<_> = ids.iter().map(|event| (event.data.as_deref(), event.id.as_deref(), &*event.last_id)).collect();
    assert_eq!(
        last,
        [
            (None, None, ""),
            (Some("first event"), Some("1"), "1"),
            (Some("second event"), Some(""), ""),
            (Some(" third event"), None, "")
        ]
    );
    assert_eq!(ids[0].comments, [" test stream"]);
    let empty = events("data\n\ndata\ndata\n\ndata:");
    assert_eq!(empty[..2], [data(""), data("\n")]);
    assert_eq!(empty[2].oddities, [Oddity::Unfinished]);
    assert!(!empty[2].dispatched());
    assert_eq!(events("data:test\n\ndata: test\n\n"), [data("test"), data("test")]);
}

#[test]
fn lines_end_in_three_ways_also_across_chunks() {
    let expected = [data("a\nb"), data("c")];
    for text in
        ["data:a\ndata:b\n\ndata:c\n\n", "data:a\rdata:b\r\rdata:c\r\r", "data:a\r\ndata:b\r\n\r\ndata:c\r\n\r\n"]
    {
        assert_eq!(events(text), expected, "{text:?}");
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(read(100, &bytes), expected, "{text:?} byte by byte");
    }
}

#[test]
fn the_last_id_stays_until_another_is_set() {
    let ids: Vec<_> =
        events("id: 7\ndata: a\n\ndata: b\n\nid\n\ndata: c\n\n").into_iter().map(|event| event.last_id).collect();
    assert_eq!(ids, ["7", "7", "", ""]);
    let resumed = SseFramer::resumed(10, "x").push(b"data: a\n\n");
    assert_eq!((resumed[0].id.as_deref(), &*resumed[0].last_id), (None, "x"));
}

#[test]
fn an_unfinished_event_does_not_move_the_last_id() {
    let last = events("id: 1\ndata: a\n\nid: 2\ndata: b").pop().expect("two events");
    assert_eq!((last.id.as_deref(), &*last.last_id, last.data.as_deref()), (Some("2"), "1", Some("b")));
    assert!(!last.dispatched());
}

#[test]
fn a_byte_order_mark_is_told_and_passed_over_only_at_the_start() {
    let marked = Event { oddities: vec![Oddity::ByteOrderMark], ..data("a") };
    assert_eq!(events("\u{feff}data: a\n\n"), std::slice::from_ref(&marked));
    assert_eq!(read(100, &[b"\xef", b"\xbb", b"\xbfdata: a\n", b"\n"]), [marked]);
    let alone = Event { oddities: vec![Oddity::ByteOrderMark], ..Event::default() };
    assert_eq!(events("\u{feff}\ndata: a\n\n"), [alone, data("a")]);
    assert_eq!(events("data: a\n\n\u{feff}data: b\n\n")[1].oddities, [Oddity::UnknownField("\u{feff}data".into())]);
}

#[test]
fn what_clients_ignore_is_told() {
    let odd = events("id: a\0b\nretry: 1s\nretry:\nretry: 10\nretry: 20\nfoo: bar\nData: x\nevent: a\nevent: b\n\n");
    assert_eq!(
        odd[0].oddities,
        [
            Oddity::NulInId,
            Oddity::BadRetry("1s".into()),
            Oddity::BadRetry(String::new()),
            Oddity::Repeated("retry"),
            Oddity::UnknownField("foo".into()),
            Oddity::UnknownField("Data".into()),
            Oddity::Repeated("event"),
        ]
    );
    assert_eq!((odd[0].id.as_deref(), odd[0].retry, odd[0].event.as_deref()), (None, Some(20), Some("b")));
    assert_eq!(read(100, &[b"data: \xff\n\n"]), [Event { oddities: vec![Oddity::InvalidUtf8], ..data("\u{fffd}") }]);
}

#[test]
fn blank_lines_alone_are_no_blocks() {
    assert_eq!(events("\n\n\r\n\r\r"), []);
    assert_eq!(events(""), []);
}

#[test]
fn a_retry_of_too_many_digits_is_the_greatest() {
    assert_eq!(events("retry: 99999999999999999999999\n\n")[0].retry, Some(u64::MAX));
}

#[test]
fn beyond_the_limit_nothing_is_made_up() {
    let cut = &read(8, &[b"data: abcdef\nid: 5\n\ndata: x\n\n"]);
    assert_eq!(cut[0], Event { oddities: vec![Oddity::OverLimit { dropped: 9 }], ..data("ab") });
    assert_eq!(cut[1], data("x"));
    // A line of which nothing is kept is still no blank one.
    let one = Event { oddities: vec![Oddity::OverLimit { dropped: 12 }], ..data("ab") };
    assert_eq!(read(8, &[b"data: ab\nid: 5\ndata: y\n\n"]), [one]);
    // Cut inside an id, a name, a character.
    assert_eq!(read(5, &[b"id: 12\n\n"])[0].id, None);
    assert_eq!(read(2, &[b"data: 1\n\n"])[0].oddities, [Oddity::OverLimit { dropped: 5 }]);
    assert_eq!(read(7, &["data: ü\n\n".as_bytes()])[0].oddities, [Oddity::OverLimit { dropped: 1 }]);
    assert_eq!(read(0, &[b"data: x\n\n"])[0].oddities, [Oddity::OverLimit { dropped: 7 }]);
}

#[test]
fn two_hundred_megabytes_of_one_line_cost_the_limit() {
    let mut framer = SseFramer::new(1 << 16);
    let chunk = vec![b'x'; 1 << 20];
    framer.push(b"data:");
    for _ in 0..200 {
        assert!(framer.push(&chunk).is_empty());
        assert!(framer.line.bytes.capacity() <= 2 << 16);
    }
    let last = framer.finish().expect("there were bytes");
    assert_eq!(last.data.map(|data| data.len()), Some((1 << 16) - 5));
}

#[test]
fn comments_without_end_are_counted() {
    let mut framer = SseFramer::new(1 << 20);
    framer.push(":\n".repeat(5_000).as_bytes());
    let event = framer.push(b"\n").pop().expect("a block of comments");
    assert_eq!((event.comments.len(), event.oddities), (1_000, vec![Oddity::NotesDropped { count: 4_000 }]));
}
