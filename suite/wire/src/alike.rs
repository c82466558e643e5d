//! Answers that differ in their ids alone, as servers give them to requests that are asked again.

use crate::{Content, Id, Message, Parsed};

/// What an answer's text may begin with before the id. Most libraries write it there, or at the very end; that of Python sets spaces.
const BEGINNINGS: [&str; 4] = [r#"{"jsonrpc":"2.0","id":"#, r#"{"jsonrpc": "2.0", "id": "#, r#"{"id": "#, r#"{"id":"#];
const LAST_MEMBER: [&str; 2] = [r#","id":"#, r#", "id": "#];
/// More digits a counted id does not have.
const DIGITS: usize = 15;

/// A message's text without its id, where that is a whole number at one end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Alike<'t> {
    pub(crate) head: &'t str,
    pub(crate) tail: &'t str,
}

impl<'t> Alike<'t> {
    /// The text without its id, and the id; `None` if it is not at one end. Says nothing of whether the rest is JSON.
    #[must_use]
    pub fn of(text: &'t str) -> Option<(Self, &'t str)> {
        at_the_beginning(text).or_else(|| at_the_end(text)).filter(|(_, id)| is_counted(id))
    }
}

fn at_the_beginning(text: &str) -> Option<(Alike<'_>, &str)> {
    let beginning = BEGINNINGS.into_iter().find(|beginning| text.starts_with(beginning))?;
    let (head, rest) = text.split_at(beginning.len());
    let (id, tail) = rest.split_at(rest.find(',')?);
    Some((Alike { head, tail }, id))
}

/// The last brace closes the message, so that what is before it is a member of the message.
fn at_the_end(text: &str) -> Option<(Alike<'_>, &str)> {
    let before = text.strip_suffix('}')?;
    let id = &before[before.trim_end_matches(|digit: char| digit.is_ascii_digit()).len()..];
    let head = before.strip_suffix(id)?;
    let is_last = LAST_MEMBER.iter().any(|member| head.ends_with(member));
    is_last.then_some((Alike { head, tail: "}" }, id))
}

fn is_counted(id: &str) -> bool {
    let digits = !id.is_empty() && id.len() <= DIGITS && id.bytes().all(|digit| digit.is_ascii_digit());
    digits && (id == "0" || !id.starts_with('0'))
}

impl Parsed {
    /// What a text is that differs from this one's in the id alone, as [`Alike`] shows; `None` if this is no answer without a defect.
    #[must_use]
    pub fn with_id(&self, id: &str) -> Option<Self> {
        let Content::One(message) = &self.content else { return None };
        if !message.is_answer() || !message.defects.is_empty() || self.repeats() {
            return None;
        }
        let shared = message.shared.with_id(id.parse().ok()?);
        let message = Message { kind: message.kind, id: Some(Id::from_raw(id)), defects: Vec::new(), shared };
        Some(Self { content: Content::One(message), duplicates: Vec::new(), more_duplicates: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, parse};

    fn read(text: &str) -> Parsed {
        parse(text.as_bytes(), &Limits::default())
    }

    #[test]
    fn answers_that_differ_in_their_ids_are_alike() {
        let pairs = [
            (r#"{"jsonrpc":"2.0","id":7,"result":{"a":1}}"#, r#"{"jsonrpc":"2.0","id":12,"result":{"a":1}}"#),
            (r#"{"id":0,"jsonrpc":"2.0","result":{}}"#, r#"{"id":10,"jsonrpc":"2.0","result":{}}"#),
            (r#"{"jsonrpc": "2.0", "id": 3, "result": {}}"#, r#"{"jsonrpc": "2.0", "id": 4, "result": {}}"#),
            (r#"{"id": 3, "jsonrpc": "2.0", "result": {}}"#, r#"{"id": 4, "jsonrpc": "2.0", "result": {}}"#),
            (r#"{"jsonrpc": "2.0", "result": {}, "id": 3}"#, r#"{"jsonrpc": "2.0", "result": {}, "id": 4}"#),
            (r#"{"result":{},"jsonrpc":"2.0","id":1}"#, r#"{"result":{},"jsonrpc":"2.0","id":123456789012345}"#),
        ];
        for (first, second) in pairs {
            let (alike, _) = Alike::of(first).expect("it has an id");
            let (again, id) = Alike::of(second).expect("it has an id");
            assert_eq!(alike, again);
            let (first, shared) = (read(first), read(first).with_id(id).expect("it is an answer"));
            let [first, shared, second] = [&first, &shared, &read(second)].map(|parsed| parsed.messages()[0].clone());
            assert!(shared == second && shared != first);
            assert_eq!(
                [crate::write::message(&shared), shared.into_value().to_string()],
                [crate::write::message(&second), second.into_value().to_string()]
            );
        }
    }

    #[test]
    fn a_text_without_such_an_id_is_like_no_other() {
        for text in [
            r#"{"jsonrpc":"2.0","id":"7","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":07,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1234567890123456,"result":{}}"#,
            r#"{"jsonrpc":"2.0","result":{"id":7}}"#,
            r#"{"result":{},"x-id":7}"#,
            r#"{"result":{},"id":-7}"#,
            r#"{"result":{},"id":}"#,
            "",
        ] {
            assert_eq!(Alike::of(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_sound_answer_stands_for_no_other() {
        for text in [
            r#"{"jsonrpc":"2.0","id":7}"#,
            r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":""}}"#,
            r#"{"id":7,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{},"id":8}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{"a":1,"a":2}}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":"#,
        ] {
            assert_eq!(read(text).with_id("9"), None, "{text}");
        }
    }
}
