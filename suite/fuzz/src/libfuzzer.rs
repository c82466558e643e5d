//! Hooks for libFuzzer: a custom mutator, and a dictionary.

use std::sync::OnceLock;

use verdict::Revision;

use crate::words::{MEMBERS, METHODS, SCRAPS, VALUES};
use crate::{Chance, Mutator, conversations};

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One message.
    Message,
    /// One message a line.
    Lines,
}

/// The body of `libfuzzer_sys::fuzz_mutator!`: mutates by structure, and one time in four by bytes (`plain` is
/// `libfuzzer_sys::fuzzer_mutate`). Gives the new size.
pub fn custom(
    shape: Shape,
    data: &mut [u8],
    size: usize,
    most: usize,
    seed: u32,
    plain: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    static MUTATOR: OnceLock<Mutator> = OnceLock::new();
    let mut chance = Chance::new(u64::from(seed));
    if chance.one_in(4) {
        return plain(data, size, most);
    }
    let most = most.min(data.len());
    let seeds = || Revision::ALL.into_iter().flat_map(conversations).flatten();
    let mutator = MUTATOR.get_or_init(|| Mutator::new(seeds()).within(16 << 10));
    let made = match shape {
        Shape::Message => mutator.message(&data[..size], &mut chance),
        Shape::Lines => {
            let lines: Vec<Vec<u8>> = data[..size].split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            mutator.conversation(&lines, &mut chance).join(&b'\n')
        }
    };
    if made.is_empty() || made.len() > most {
        return plain(data, size, most);
    }
    data[..made.len()].copy_from_slice(&made);
    made.len()
}

/// The words of the protocol as a dictionary file for `-dict=`.
#[must_use]
pub fn dictionary() -> String {
    let mut lines = vec![
        "# Words of the protocol and values that programs trip over; made by `cargo run -p mcp-conform-fuzz --example seeds -- corpus`."
            .to_owned(),
    ];
    let quoted = METHODS.iter().chain(&MEMBERS).map(|word| format!("\"{word}\""));
    let values = VALUES.iter().chain(&SCRAPS).map(|value| (*value).to_owned());
    let stream = ["data: ", "event: ", "id: ", "retry: ", "\r\n", "\n\n", "\r", ":", "\u{feff}"].map(str::to_owned);
    for word in quoted.chain(values).chain(stream).filter(|word| !word.is_empty()) {
        let escaped: String = word.bytes().map(escaped).collect();
        lines.push(format!("\"{escaped}\""));
    }
    lines.join("\n") + "\n"
}

fn escaped(byte: u8) -> String {
    match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        0x20..0x7f => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    }
}
