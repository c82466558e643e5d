//! Names of failures, limits, repeated names, and what becomes of ids on the way.

use serde_json::{Value, json};

use super::*;
use crate::{Id, Kind};

fn read(text: &str) -> Parsed {
    parse(text.as_bytes(), &Limits::default())
}

fn why(bytes: &[u8]) -> Unreadable {
    match parse(bytes, &Limits::default()).content {
        Content::Unreadable(why) => why,
        other => panic!("{other:?}"),
    }
}

fn id(text: &str) -> Option<Id> {
    read(text).messages()[0].id.clone()
}

#[test]
fn what_is_against_the_grammar_is_not_json_at_its_position() {
    for (text, position) in [
        ("{\"a\":1,}", 7),
        ("{\"id\":01}", 7),
        ("nope", 1),
        ("{}\n {}", 4),
        ("\n\nx", 2),
        ("{\"a\":NaN}", 5),
        ("\"\t\"", 1),
        ("'a'", 0),
    ] {
        match why(text.as_bytes()) {
            Unreadable::NotJson { at, reason } => {
                assert!(at.abs_diff(position) <= 1, "{text:?} at {at}: {reason}");
                assert!(!reason.contains("line"), "{reason}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
    assert_eq!(why("\u{feff}{}".as_bytes()), Unreadable::NotJson { at: 0, reason: "byte order mark".into() });
}

#[test]
fn legal_json_that_cannot_be_held_is_not_called_not_json() {
    for (text, position) in
        [("{\"a\":1e400}", 9), ("{\"id\":1e400}", 10), ("[\"\\ud800\",1e400]", 14), ("{\"id\":[\n1e400]}", 13)]
    {
        match why(text.as_bytes()) {
            Unreadable::Unholdable { at, .. } => assert!(at.abs_diff(position) <= 1, "{text:?} at {at}"),
            other => panic!("{text:?}: {other:?}"),
        }
    }
    assert!(matches!(why(b"[1e400,"), Unreadable::NotJson { .. }));
}

#[test]
fn half_of_a_surrogate_pair_is_read_as_what_stands_for_no_character() {
    let text = r#"{"id":"a\ud83d","result":{"text":"b\udc00c","\ud83d":"\ud83d\ude00"}}"#;
    let parsed = parse(text.as_bytes(), &Limits::default());
    let [message] = parsed.messages() else { panic!("{parsed:?}") };
    assert_eq!(message.id, Some(Id::String("a\u{fffd}".into())));
    assert_eq!(message.result(), Some(&json!({"text": "b\u{fffd}c", "\u{fffd}": "\u{1f600}"})));
    let sent = parse_sent(text.as_bytes(), &Limits::default());
    assert!(matches!(sent.content, Content::Unreadable(Unreadable::Unholdable { .. })), "{sent:?}");
    assert_eq!(value(r#"["\ud83d",1]"#), Some(json!(["\u{fffd}", 1])));
    assert_eq!((value(r#"["\ud83d",1e400]"#), value(r#"["\ud83d""#)), (None, None));
}

#[test]
fn the_other_failures_have_their_own_names() {
    assert_eq!(why(b""), Unreadable::Empty);
    assert_eq!(why(b" \r\n\t"), Unreadable::Empty);
    assert_eq!(why(b"{\"a\":\"\xff\"}"), Unreadable::NotUtf8 { at: 6 });
    let limits = Limits { bytes: 4, ..Limits::default() };
    let large = parse("ab€cdef".as_bytes(), &limits);
    assert_eq!(large.content, Content::Unreadable(Unreadable::TooLarge { limit: 4 }));
    assert_eq!(parse(b"[[]]", &limits).messages().len(), 1);
}

#[test]
fn depth_is_counted_to_the_last_level() {
    let nest = |levels: usize| [vec![b'['; levels], vec![b']'; levels]].concat();
    assert_eq!(parse(&nest(MAX_DEPTH), &Limits::default()).messages().len(), 1);
    assert_eq!(why(&nest(MAX_DEPTH + 1)), Unreadable::TooDeep { limit: MAX_DEPTH });
    assert_eq!(why(&nest(1 << 20)), Unreadable::TooDeep { limit: MAX_DEPTH });
    assert!(matches!(why(&vec![b'['; 1 << 20]), Unreadable::NotJson { .. }));
    let id = |levels: usize| [b"{\"id\":".to_vec(), nest(levels), b"}".to_vec()].concat();
    assert_eq!(parse(&id(MAX_DEPTH - 1), &Limits::default()).messages().len(), 1);
    assert_eq!(why(&id(MAX_DEPTH)), Unreadable::TooDeep { limit: MAX_DEPTH });
    let flat = Limits { depth: 1, ..Limits::default() };
    assert_eq!(parse(b"{\"a\":1}", &flat).messages().len(), 1);
    assert_eq!(parse(b"{\"a\":{}}", &flat).content, Content::Unreadable(Unreadable::TooDeep { limit: 1 }));
    let any = Limits { depth: usize::MAX, ..Limits::default() };
    assert_eq!(parse(&nest(1_000), &any).content, Content::Unreadable(Unreadable::TooDeep { limit: MAX_DEPTH }));
}

#[test]
fn values_are_counted_with_those_in_ids() {
    let limits = Limits { values: 4, ..Limits::default() };
    assert_eq!(parse(b"{\"id\":[1,2]}", &limits).messages().len(), 1);
    for text in ["{\"id\":[1,2,3]}", "[1,2,3,4]", "{\"a\":{\"b\":{\"c\":{\"d\":1}}}}"] {
        assert_eq!(
            parse(text.as_bytes(), &limits).content,
            Content::Unreadable(Unreadable::TooMany { limit: 4 }),
            "{text}"
        );
    }
}

#[test]
fn repeated_names_are_pointed_at_and_the_last_one_stays() {
    let parsed = read(r#"[{"id":1,"a/b":{"~":1,"\u007e":2},"id":"x","a/b":3}]"#);
    assert_eq!(parsed.duplicates, ["/0/a~1b/~0", "/0/id", "/0/a~1b"]);
    let message = &parsed.messages()[0];
    assert_eq!((message.id.clone(), message.member("a/b")), (Some(Id::from("x")), Some(&3.into())));
    assert!(parsed.repeats());
    assert!(!read(r#"{"a":{"a":1},"b":[{"a":1},{"a":1}]}"#).repeats());
}

#[test]
fn repeated_names_beyond_the_bound_are_counted() {
    let members = vec!["\"a\":1"; 5_001].join(",");
    let many = read(&format!("{{{members}}}"));
    assert_eq!((many.duplicates.len(), many.more_duplicates), (1_000, 4_000));
    let long = read(&format!("{{\"{}\":{{{members}}}}}", "x".repeat(30_000)));
    assert_eq!((long.duplicates.len(), long.more_duplicates), (2, 4_998));
}

#[test]
fn an_id_is_exact_also_in_a_batch_and_under_an_escaped_name() {
    let big = "340282366920938463463374607431768211456";
    assert_eq!(id(&format!("{{\"id\": {big} }}")), Some(Id::Integer(big.into())));
    assert_eq!(id(&format!("[{{\"\\u0069d\":{big}}}]")), Some(Id::Integer(big.into())));
    assert_eq!(id("{\"id\":-0}"), Some(Id::Integer("-0".into())));
    assert_eq!(id("{\"id\":1.50E+1}"), Some(Id::Number("1.50E+1".into())));
    assert_eq!(id("{\"id\":\"\\u00fc\"}"), Some(Id::from("ü")));
    assert_eq!(id("{\"id\":null}"), Some(Id::Null));
    assert_eq!(id("{\"params\":{\"id\":1}}"), None);
    assert_eq!(id("[[{\"id\":1}]]"), None);
}

#[test]
fn a_batch_keeps_what_is_no_message() {
    let batch = read("[1,{},[],{\"method\":\"m\"}]");
    let kinds: Vec<_> = batch.messages().iter().map(|message| message.kind).collect();
    assert_eq!(kinds, [Kind::Invalid, Kind::Invalid, Kind::Invalid, Kind::Notification]);
    assert_eq!(read("[]").content, Content::Batch(Vec::new()));
    assert!(matches!(read("1").content, Content::One(_)));
}

#[test]
fn a_private_name_of_serde_json_is_an_ordinary_name() {
    let parsed = read(r#"{"result":{"$serde_json::private::RawValue":"[1,"}}"#);
    assert_eq!(
        parsed.messages()[0].but_for_id().pointer("/result/$serde_json::private::RawValue"),
        Some(&"[1,".into())
    );
}

#[test]
fn objects_of_any_size_hold_their_members_in_order_and_the_last_of_those_with_one_name() {
    for size in [0, 1, 15, 16, 17, 40] {
        for again in [0, 14, 15, 16, 39] {
            let member = |at: usize, of: usize| format!("\"m{at}\":{{\"of\":[{of}]}}");
            let mut members: Vec<String> = (0..size).map(|at| member(at, at)).collect();
            members.extend((again < size).then(|| member(again, 1_000)));
            let text = format!("{{{}}}", members.join(","));
            let parsed = parse(text.as_bytes(), &Limits::default());
            let [message] = parsed.messages() else { panic!("{parsed:?}") };
            let expected: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(message.but_for_id().to_string(), expected.to_string());
            let repeated = (again < size).then(|| format!("/m{again}"));
            assert_eq!(parsed.duplicates, repeated.into_iter().collect::<Vec<_>>(), "{size} {again}");
        }
    }
}
