//! Single inputs: what is malformed, odd, or large.

use std::time::Duration;

use serde_json::json;
use verdict::Transport;
use verdict::probes::values::Expect;

use super::{Cx, Input, Scenario, Stage, allowed, nesting, params, pour, request, thorough};
use crate::{Piece, survey::LISTS};

const NAME: &str = "robust/inputs";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "robust.oversized-line",
        "robust.deep-nesting",
        "robust.invalid-utf8",
        "robust.not-json",
        "robust.duplicate-keys",
        "robust.huge-ids",
        "robust.numbers",
        "robust.slow-write",
        "robust.crlf",
        "robust.blank-lines",
        "robust.lone-surrogates",
        "robust.nul",
        "robust.out-of-order",
        "robust.stray-response",
        "robust.prototype-keys",
    ],
    stage: Stage::Last,
    applies: allowed,
    run: |cx| Box::pin(run(cx)),
};

/// Responses that answer nothing.
const STRAYS: usize = 50;
/// Empty lines.
const BLANKS: usize = 1_000;
/// Characters of a long id.
const LONG: usize = 64 << 10;
/// Names that mean something to a language.
const NAMES: [&str; 4] = ["__proto__", "constructor", "toString", "hasOwnProperty"];

async fn run(cx: Cx) {
    let mut inputs = not_json(&cx);
    inputs.extend(texts(&cx));
    inputs.extend(values(&cx));
    inputs.extend(ids(&cx));
    inputs.extend(order(&cx));
    inputs.extend(prototypes(&cx));
    inputs.extend(large(&cx));
    inputs.retain(|input| cx.wants(input.of));
    pour(&cx, NAME, &inputs).await;
}

/// What the server answers when nothing is wrong; in 2026-07-28 it is named in the head, too.
fn method(cx: &Cx) -> String {
    if cx.profile.is_handshake() { json!(cx.session.sign()) } else { json!(cx.profile.liveness()) }.to_string()
}

fn not_json(cx: &Cx) -> Vec<Input> {
    const ID: &str = "robust.not-json";
    let bare = format!("{{\"id\":7101,\"method\":{}}}", method(cx));
    let mut inputs: Vec<Input> = [
        ("a word", "mcp-conform"),
        ("null", "null"),
        ("a number", "42"),
        ("a string", "\"ping\""),
        ("{}", "{}"),
        ("[]", "[]"),
    ]
    .into_iter()
    .map(|(kind, text)| Input::new(ID, kind, Expect::NoResult, text))
    .collect();
    inputs.push(Input::new(ID, "no jsonrpc", Expect::Any, bare).ids(&["7101"]));
    inputs
}

/// Bytes and characters.
fn texts(cx: &Cx) -> Vec<Input> {
    let (name, plain) = (method(cx), |id: &str, member: &str| request(id, &method(cx), &params(cx, member)));
    let spliced = |id: &str, bytes: &[u8]| {
        let text = plain(id, "\"<>\"");
        let (head, tail) = text.split_once("<>").unwrap_or((&text, ""));
        [head.as_bytes(), bytes, tail.as_bytes()].concat()
    };
    const UTF8: &str = "robust.invalid-utf8";
    const NUL: &str = "robust.nul";
    const HALF: &str = "robust.lone-surrogates";
    let longer = name.trim_matches('"');
    let mut inputs = vec![
        Input::new(
            UTF8,
            "FF FE before a message",
            Expect::Any,
            [b"\xff\xfe".as_slice(), plain("7201", "1").as_bytes()].concat(),
        ),
        Input::new(UTF8, "an overlong form", Expect::Any, spliced("7202", b"\xc0\xaf")),
        Input::new(UTF8, "a character cut off", Expect::Any, spliced("7203", b"\xe2\x82")),
        Input::new(UTF8, "a lone continuation byte", Expect::Any, [plain("7204", "1").as_bytes(), b"\x80"].concat()),
        Input::new(
            NUL,
            "NUL behind a method",
            Expect::NoResult,
            request("7211", &format!("\"{longer}\\u0000x\""), &params(cx, "1")),
        )
        .ids(&["7211"]),
        Input::new(NUL, "NUL in params", Expect::Any, plain("7212", "\"a\\u0000b\"")).ids(&["7212"]),
        Input::new(NUL, "a raw NUL", Expect::Any, spliced("7213", b"\0")).ids(&["7213"]),
        Input::new(HALF, "in an id", Expect::Any, plain("\"\\ud800\"", "1")),
        Input::new(
            HALF,
            "in a method",
            Expect::Any,
            request("7222", &format!("\"{longer}\\ud800\""), &params(cx, "1")),
        )
        .ids(&["7222"]),
        Input::new(HALF, "in params", Expect::Any, plain("7223", "\"a\\ud800b\"")).ids(&["7223"]),
        Input::new(HALF, "a pair the wrong way round", Expect::Any, plain("7224", "\"\\udc00\\ud800\"")).ids(&["7224"]),
    ];
    if cx.profile.transport == Transport::Stdio {
        let cr = plain("7231", "1").replace(",\"method\"", ",\r\"method\"");
        inputs.push(Input::new("robust.crlf", "between tokens", Expect::Any, cr).ids(&["7231"]));
        inputs.push(Input::new("robust.blank-lines", "many", Expect::Any, "\n".repeat(BLANKS - 1)));
    }
    inputs
}

/// Numbers, and members that are there twice.
fn values(cx: &Cx) -> Vec<Input> {
    const ID: &str = "robust.numbers";
    const TWICE: &str = "robust.duplicate-keys";
    let plain = |id: &str, member: &str| request(id, &method(cx), &params(cx, member));
    let digits = "7".repeat(400);
    let edge = [("1e400", "1e400", "7301"), ("-0", "-0", "7302"), ("400 digits", digits.as_str(), "7303")];
    let words = [("NaN", "NaN", "7304"), ("Infinity", "Infinity", "7305"), ("-Infinity", "-Infinity", "7306")];
    let mut inputs: Vec<Input> = edge
        .into_iter()
        .map(|(kind, text, id)| Input::new(ID, kind, Expect::Any, plain(id, text)).ids(&[id]))
        .collect();
    inputs.extend(
        words.into_iter().map(|(kind, text, id)| Input::new(ID, kind, Expect::NoResult, plain(id, text)).ids(&[id])),
    );
    let (name, given) = (method(cx), params(cx, "1"));
    let list =
        LISTS.iter().find(|(_, _, capability)| cx.profile.declares(capability)).map_or("x/y", |(list, ..)| *list);
    let twice = |kind, text: String, ids: &[&str]| Input::new(TWICE, kind, Expect::One, text).ids(ids);
    inputs.extend([
        twice(
            "two ids",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":7311,\"id\":7312,\"method\":{name},\"params\":{given}}}"),
            &["7311", "7312"],
        ),
        twice(
            "two methods",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":7313,\"method\":\"{list}\",\"method\":{name},\"params\":{given}}}"),
            &["7313"],
        ),
        twice(
            "two params",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":7314,\"method\":{name},\"params\":{given},\"params\":{given}}}"),
            &["7314"],
        ),
    ]);
    inputs
}

fn ids(cx: &Cx) -> Vec<Input> {
    const ID: &str = "robust.huge-ids";
    let plain = |id: &str| request(id, &method(cx), &params(cx, "1"));
    let long = format!("\"{}\"", "i".repeat(LONG));
    vec![
        Input::new(ID, "a string of 64 KiB", Expect::Once, plain(&long)).ids(&[&long]),
        Input::new(ID, "9007199254740993", Expect::Exact, plain("9007199254740993")).ids(&["9007199254740993"]),
        Input::new(ID, "1e308", Expect::Exact, plain("1e308")).ids(&["1e308"]),
    ]
}

/// Returns inputs that come at the wrong time, or refer to something that never existed.
fn order(cx: &Cx) -> Vec<Input> {
    const ID: &str = "robust.out-of-order";
    const STRAY: &str = "robust.stray-response";
    let note =
        |method: &str, params: &str| format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{method}\",\"params\":{params}}}");
    let mut inputs = vec![
        Input::new(
            ID,
            "cancelled, unknown id",
            Expect::Any,
            note("notifications/cancelled", "{\"requestId\":\"none\",\"reason\":\"x\"}"),
        ),
        Input::new(ID, "cancelled, no id", Expect::Any, note("notifications/cancelled", "{}")),
        Input::new(
            ID,
            "progress, unknown token",
            Expect::Any,
            note("notifications/progress", "{\"progressToken\":\"none\",\"progress\":1}"),
        ),
    ];
    if cx.profile.is_handshake() {
        inputs.push(Input::new(ID, "initialized again", Expect::Any, note("notifications/initialized", "{}")));
    }
    let strays = if cx.profile.transport == Transport::Stdio { STRAYS } else { 5 };
    let stray = |at: usize| format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{}}}}", 7500 + at);
    if cx.profile.transport == Transport::Stdio {
        let text = (0..strays).map(stray).collect::<Vec<_>>().join("\n");
        inputs.push(Input::new(STRAY, "many", Expect::Any, text));
    } else {
        inputs.extend((0..strays).map(|at| Input::new(STRAY, "one of several", Expect::Any, stray(at))));
    }
    let error = "{\"jsonrpc\":\"2.0\",\"id\":7599,\"error\":{\"code\":-32000,\"message\":\"x\"}}";
    inputs.push(Input::new(STRAY, "an error", Expect::Any, error));
    inputs
}

fn prototypes(cx: &Cx) -> Vec<Input> {
    const ID: &str = "robust.prototype-keys";
    let mut inputs = Vec::new();
    for (at, name) in NAMES.into_iter().enumerate() {
        let id = (7600 + at).to_string();
        inputs.push(
            Input::new(ID, name, Expect::NoResult, request(&id, &format!("\"{name}\""), &params(cx, "1"))).ids(&[&id]),
        );
        if cx.profile.declares("tools") && cx.profile.tools.iter().all(|tool| tool.name != name) {
            let id = (7610 + at).to_string();
            let call =
                params(cx, "1").replacen("\"x-unknown\":1", &format!("\"name\":\"{name}\",\"arguments\":{{}}"), 1);
            inputs.push(
                Input::new(ID, "as the name of a tool", Expect::NoSuccess, request(&id, "\"tools/call\"", &call))
                    .ids(&[&id]),
            );
        }
    }
    let polluting = params(cx, "1").replacen(
        "\"x-unknown\":1",
        "\"__proto__\":{\"polluted\":true},\"constructor\":{\"prototype\":{\"polluted\":true}}",
        1,
    );
    inputs.push(
        Input::new(ID, "__proto__ as a member", Expect::Any, request("7620", &method(cx), &polluting)).ids(&["7620"]),
    );
    inputs
}

/// Long, deep, slow.
fn large(cx: &Cx) -> Vec<Input> {
    let mut inputs = Vec::new();
    let sizes: &[(&'static str, usize)] = if thorough(cx) {
        &[("1 MiB", 1 << 20), ("16 MiB", 16 << 20), ("64 MiB", 64 << 20)]
    } else {
        &[("1 MiB", 1 << 20)]
    };
    for (at, (kind, size)) in sizes.iter().enumerate() {
        let id = (7700 + at).to_string();
        let text = request(&id, &method(cx), &params(cx, "\"<>\""));
        let (head, tail) = text.split_once("<>").unwrap_or((&text, ""));
        let shown = format!("x… ({kind} of them)");
        let pieces =
            vec![Piece::Bytes(head.into()), Piece::Fill { byte: b'x', count: *size, shown }, Piece::Bytes(tail.into())];
        inputs.push(Input {
            pieces,
            weighs: Some(*size),
            ..Input::new("robust.oversized-line", kind, Expect::Any, "").ids(&[&id])
        });
    }
    if thorough(cx) && cx.profile.transport == Transport::Stdio {
        let pieces = vec![Piece::Fill { byte: b'x', count: 64 << 20, shown: "x… (64 MiB of them)".to_owned() }];
        inputs.push(Input {
            pieces,
            weighs: Some(64 << 20),
            ..Input::new("robust.oversized-line", "64 MiB that are no JSON", Expect::Any, "")
        });
    }
    inputs.extend(nesting::inputs(cx, &method(cx)));
    if cx.profile.transport == Transport::Stdio {
        inputs.push(slow(cx));
    }
    inputs
}

/// A request in pieces.
fn slow(cx: &Cx) -> Input {
    let text = request("7801", &method(cx), &params(cx, "1"));
    let (size, pause) = if thorough(cx) { (1, 100) } else { (text.len() / 12 + 1, 10) };
    // Byte by byte only the end of it: the whole would take half a minute.
    let (head, tail) = text.split_at(if thorough(cx) { text.len().saturating_sub(20) } else { 0 });
    let mut pieces = vec![Piece::Bytes(head.into())];
    for part in tail.as_bytes().chunks(size) {
        pieces.extend([Piece::Pause(Duration::from_millis(pause)), Piece::Bytes(part.to_vec())]);
    }
    Input { pieces, ..Input::new("robust.slow-write", "in pieces", Expect::Once, "").ids(&["7801"]) }
}
