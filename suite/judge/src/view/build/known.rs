//! Answers that were given before: those that differ in their ids alone share what they say, which is most of what a view holds.

use std::collections::HashMap;
use std::sync::Arc;

use wire::{Alike, Parsed};

use super::limits;

/// Shorter texts are hardly larger than what keeps them.
const SHORTEST: usize = 256;

/// What was parsed, by what its text has in common with others.
#[derive(Default)]
pub(super) struct Known<'t>(HashMap<Alike<'t>, Arc<Parsed>>);

impl<'t> Known<'t> {
    pub(super) fn parse(&mut self, text: &'t str) -> Arc<Parsed> {
        let parse = || Arc::new(wire::parse(text.as_bytes(), &limits()));
        let Some((alike, id)) = Alike::of(text).filter(|_| text.len() >= SHORTEST) else { return parse() };
        let known = self.0.get(&alike).and_then(|known| known.with_id(id));
        known.map_or_else(|| self.keep(alike, parse()), Arc::new)
    }

    fn keep(&mut self, alike: Alike<'t>, parsed: Arc<Parsed>) -> Arc<Parsed> {
        self.0.insert(alike, Arc::clone(&parsed));
        parsed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_before_is_shared() {
        let answer = |id: u32, filler: &str| {
            format!(r#"{{"result":{{"tools":["{}"]}},"jsonrpc":"2.0","id":{id}}}"#, filler.repeat(300))
        };
        let notice = format!(r#"{{"method":"m","params":{{"of":"{}"}},"jsonrpc":"2.0","id":5}}"#, "a".repeat(300));
        let [one, two, three] = [(1, "a"), (2, "b"), (3, "a")].map(|(id, of)| answer(id, of));
        let mut known = Known::default();
        let [one, two, three, first, second] =
            [&one, &two, &three, &notice, &notice].map(|text| known.parse(text).messages()[0].clone());
        assert!(share(&one, &three) && !share(&one, &two));
        assert!(!share(&first, &second), "it is no answer");
        assert_eq!([one, two, three].map(|message| message.id.and_then(|id| id.key())), ["1", "2", "3"].map(key));
    }

    fn share(one: &wire::Message, other: &wire::Message) -> bool {
        std::ptr::eq(one.but_for_id(), other.but_for_id())
    }

    fn key(id: &str) -> Option<wire::IdKey> {
        wire::Id::Integer(id.to_owned()).key()
    }
}
