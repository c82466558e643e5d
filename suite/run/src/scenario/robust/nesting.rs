//! Values nested a thousand times and more, written without being kept.

use verdict::probes::values::Expect;

use super::{Cx, Input, params, request, thorough};
use crate::Piece;

const ID: &str = "robust.deep-nesting";

pub(super) fn inputs(cx: &Cx, method: &str) -> Vec<Input> {
    let levels: &[usize] = if thorough(cx) { &[1_000, 10_000, 100_000] } else { &[1_000] };
    let mut inputs = Vec::new();
    for (at, levels) in levels.iter().enumerate() {
        let (array, object) = ((7900 + 2 * at).to_string(), (7901 + 2 * at).to_string());
        inputs.push(input(&array, arrays(*levels), request(&array, method, &params(cx, "<>")), "arrays", *levels));
        inputs.push(input(&object, objects(*levels), request(&object, method, &params(cx, "<>")), "objects", *levels));
    }
    inputs
}

fn input(id: &str, nested: Vec<Piece>, text: String, kind: &'static str, levels: usize) -> Input {
    let (head, tail) = text.split_once("<>").unwrap_or((&text, ""));
    let mut pieces = vec![Piece::Bytes(head.into())];
    pieces.extend(nested);
    pieces.push(Piece::Bytes(tail.into()));
    Input { pieces, weighs: (levels > 1_000).then_some(levels * 8), ..Input::new(ID, kind, Expect::Any, "").ids(&[id]) }
}

fn fill(byte: u8, count: usize, shown: String) -> Piece {
    Piece::Fill { byte, count, shown }
}

fn arrays(levels: usize) -> Vec<Piece> {
    vec![fill(b'[', levels, format!("[\"{levels} levels\"")), fill(b']', levels, "]".to_owned())]
}

fn objects(levels: usize) -> Vec<Piece> {
    vec![Piece::Bytes(format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels)).into_bytes())]
}
