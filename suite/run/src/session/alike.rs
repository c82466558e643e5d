//! What a server answers again and again: of many requests for a list the answers differ in their ids alone.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use wire::{Alike, Limits, Parsed};

/// Texts that are worth it, and not too long to be kept.
const LENGTHS: RangeInclusive<usize> = 1 << 10..=1 << 20;

/// The last long answer: one like it shares its value.
#[derive(Debug, Default)]
pub(super) struct LastAnswer(RefCell<Option<(String, Parsed)>>);

impl LastAnswer {
    pub(super) fn parse(&self, text: &str) -> Parsed {
        let Some((alike, id)) = Alike::of(text).filter(|_| LENGTHS.contains(&text.len())) else { return parse(text) };
        let mut last = self.0.borrow_mut();
        let known = last.as_ref().filter(|(before, _)| Alike::of(before).is_some_and(|(before, _)| before == alike));
        if let Some(parsed) = known.and_then(|(_, parsed)| parsed.with_id(id)) {
            return parsed;
        }
        let parsed = parse(text);
        *last = Some((text.to_owned(), parsed.clone()));
        parsed
    }
}

fn parse(text: &str) -> Parsed {
    wire::parse(text.as_bytes(), &Limits::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_with_the_same_result_share_it() {
        let last = LastAnswer::default();
        let answer = |id: u32, filler: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":["{}"]}}}}"#, filler.repeat(2000));
            last.parse(&text).messages()[0].clone()
        };
        let [first, second, other, again] = [(1, "a"), (2, "a"), (3, "b"), (4, "a")].map(|(id, of)| answer(id, of));
        assert!(std::ptr::eq(first.but_for_id(), second.but_for_id()));
        assert_eq!(first.result(), again.result());
        assert_ne!(first.result(), other.result());
        let ids = [first, second, other, again].map(|message| message.id);
        assert_eq!(ids, ["1", "2", "3", "4"].map(|id| Some(wire::Id::Integer(id.to_owned()))));
    }
}
