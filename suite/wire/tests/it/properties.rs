//! The library's properties on generated input: any bytes, bytes that look like what is read, and messages built on purpose.

use mcp_conform_wire::fuzzing::{TARGETS, events, frames, message, roundtrip};
use mcp_conform_wire::{Content, Id, Kind, Limits, parse};
use proptest::collection::vec;
use proptest::prelude::*;

/// Pieces of JSON: most joins of them are broken in interesting places.
fn jsonish() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(
        &[
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u00fc",
            "\\ud800",
            "\\udc00",
            "\\uD834\\uDD1E",
            "null",
            "true",
            "false",
            "0",
            "1",
            "-",
            "-0",
            "01",
            "1.5",
            "1e400",
            "1E-7",
            "e",
            ".",
            "9007199254740993",
            "18446744073709551616",
            " ",
            "\n",
            "\t",
            "\"id\"",
            "\"id\":",
            "\"jsonrpc\":\"2.0\"",
            "\"method\":\"m\"",
            "\"params\":{}",
            "\"result\":{}",
            "\"error\":{\"code\":1,\"message\":\"\"}",
            "\"a\":1",
            "\"a/b~c\":",
            "\u{feff}",
            "ü",
            "\u{0}",
            "{\"a\":",
            "[[",
            "]]",
        ][..],
    );
    vec(piece, 0..40).prop_map(|pieces| pieces.concat().into_bytes())
}

const STREAM: &[&[u8]] = &[
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b":",
    b" ",
    b"data",
    b"data:",
    b"data: x",
    b"event: e",
    b"id: 1",
    b"id:",
    b"id",
    b"id: \0",
    b"retry: 10",
    b"retry: x",
    b"foo: bar",
    b"\xef\xbb\xbf",
    b"\xef\xbb",
    b"\xff",
    b"\xc3",
    b"\xc3\xbc",
    b": c",
    b"\0",
    b"{\"a\":1}",
];

/// Pieces of an event stream.
fn streamish() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(STREAM);
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// JSON with repeated names, as text, together with the pointers of the repetitions.
#[derive(Debug, Clone)]
enum Tree {
    Leaf(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop::sample::select(&["1", "null", "\"x\"", "-0.5e3", "[]", "{}"][..])
        .prop_map(|text| Tree::Leaf(text.into()));
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Tree::Array),
            vec(("[abü/~\"\n]{0,2}", inner), 0..6).prop_map(Tree::Object)
        ]
    })
}

impl Tree {
    /// Writes itself and lists its repetitions; names are spelled in full escapes at every other depth.
    fn write(&self, pointer: &str, escaped: bool, text: &mut String, repeated: &mut Vec<String>) {
        match self {
            Self::Leaf(leaf) => text.push_str(leaf),
            Self::Array(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    item.write(&format!("{pointer}/{index}"), !escaped, text, repeated);
                }
                text.push(']');
            }
            Self::Object(members) => {
                text.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    text.push_str(&spell(name, escaped ^ (index % 2 == 1)));
                    text.push(':');
                    let step = name.replace('~', "~0").replace('/', "~1");
                    let here = format!("{pointer}/{step}");
                    value.write(&here, !escaped, text, repeated);
                    if members[..index].iter().any(|(earlier, _)| earlier == name) {
                        repeated.push(here);
                    }
                }
                text.push('}');
            }
        }
    }
}

fn spell(name: &str, escaped: bool) -> String {
    let escapes = |c: char| if escaped || c < ' ' || c == '"' { format!("\\u{:04x}", u32::from(c)) } else { c.into() };
    format!("\"{}\"", name.chars().map(escapes).collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_property_holds_for_any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        for (_, property) in TARGETS {
            property(&bytes);
        }
    }

    #[test]
    fn messages_hold_for_pieces_of_json(bytes in jsonish()) {
        message(&bytes);
        roundtrip(&bytes);
    }

    #[test]
    fn framings_hold_for_pieces_of_streams(bytes in streamish()) {
        frames(&bytes);
        events(&bytes);
    }

    #[test]
    fn repeated_names_are_found_exactly(tree in tree()) {
        let (mut text, mut repeated) = (String::new(), Vec::new());
        tree.write("", false, &mut text, &mut repeated);
        message(text.as_bytes());
        let parsed = parse(text.as_bytes(), &Limits::default());
        prop_assert!(!matches!(parsed.content, Content::Unreadable(_)), "{}", text);
        prop_assert_eq!(parsed.duplicates, repeated);
    }

    #[test]
    fn an_id_keeps_its_spelling(id in "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,2})?", space in "[ \t\r\n]{0,2}") {
        let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{space}{id}{space},\"method\":\"m\"}}");
        message(text.as_bytes());
        roundtrip(text.as_bytes());
        let parsed = parse(text.as_bytes(), &Limits::default());
        let whole = id.bytes().all(|b| b == b'-' || b.is_ascii_digit());
        let expected = if whole { Id::Integer(id) } else { Id::Number(id) };
        prop_assert_eq!(parsed.messages()[0].id.as_ref(), Some(&expected));
        prop_assert_eq!(parsed.messages()[0].kind, Kind::Request);
    }

    #[test]
    fn a_string_id_is_the_same_however_it_is_escaped(id in any::<String>()) {
        let units: String = id.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        let plain = serde_json::Value::from(id.as_str()).to_string();
        for raw in [format!("\"{units}\""), plain] {
            let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{raw},\"result\":{{}}}}");
            let parsed = parse(text.as_bytes(), &Limits::default());
            prop_assert_eq!(parsed.messages()[0].id.as_ref().and_then(Id::key), Id::String(id.clone()).key());
        }
    }

    #[test]
    fn ids_match_when_their_numbers_are_equal(a in -20i64..20, b in -20i64..20, zeros in 0usize..4) {
        let spelled = Id::from_raw(&format!("{a}{}e-{zeros}", "0".repeat(zeros)));
        prop_assert_eq!(spelled.key() == Id::from(b).key(), a == b);
    }
}
