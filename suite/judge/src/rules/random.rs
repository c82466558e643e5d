//! Whether what a server made can be guessed: numbers in a row, or so little that changes from one to the next.

use std::collections::BTreeSet;

/// Without so many nothing can be said of how they are made.
pub(super) const ENOUGH: usize = 10;
/// Bits that change from one to the next. Half of a random UUID: time stamps and fixed parts are common beside what is random.
const BITS: f64 = 60.0;

/// Whether the ids are numbers in a row, behind whatever they have in common.
pub(super) fn is_sequence(ids: &[&str]) -> bool {
    if ids.len() < ENOUGH {
        return false;
    }
    let common = common_prefix(ids);
    let numbers = |radix: u32| -> Option<BTreeSet<u128>> {
        ids.iter()
            .map(|id| u128::from_str_radix(id.get(common..).filter(|rest| !rest.is_empty())?, radix).ok())
            .collect()
    };
    [10, 16].into_iter().filter_map(numbers).any(|numbers| {
        let span = numbers.last().zip(numbers.first()).map_or(u128::MAX, |(last, first)| last - first);
        numbers.len() == ids.len() && span <= 8 * ids.len() as u128
    })
}

/// Bytes that all have in common, less the digits just before the difference: they belong to the number.
fn common_prefix(ids: &[&str]) -> usize {
    let Some((first, rest)) = ids.split_first() else { return 0 };
    let same = rest.iter().map(|id| first.bytes().zip(id.bytes()).take_while(|(one, other)| one == other).count());
    let mut length = same.min().unwrap_or(0);
    while length > 0 && first.as_bytes()[length - 1].is_ascii_digit() {
        length -= 1;
    }
    length
}

/// Whether enough changes from one to the next.
pub(super) fn varies(ids: &[&str]) -> bool {
    varying_bits(ids) >= BITS
}

/// How much the ids can differ, by the characters that stand where they do differ. Ids of several lengths are texts with a
/// structure of their own: nothing is said of them.
fn varying_bits(ids: &[&str]) -> f64 {
    let length = ids.first().map_or(0, |id| id.len());
    if ids.iter().any(|id| id.len() != length || !id.is_ascii()) {
        return f64::INFINITY;
    }
    let column = |at: usize| -> BTreeSet<u8> { ids.iter().map(|id| id.as_bytes()[at]).collect() };
    let varying: Vec<BTreeSet<u8>> = (0..length).map(column).filter(|column| column.len() > 1).collect();
    let all: BTreeSet<u8> = varying.iter().flatten().copied().collect();
    let within = |known: fn(&u8) -> bool| all.iter().all(known);
    let symbols: f64 = if within(u8::is_ascii_digit) {
        10.0
    } else if within(|byte| byte.is_ascii_hexdigit()) {
        16.0
    } else {
        64.0
    };
    varying.iter().map(|column| symbols.min(2.0 * column.len() as f64).log2()).sum()
}
