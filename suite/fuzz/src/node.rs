//! A JSON text as a tree that can hold what a map cannot: a name twice, and values that are spelled oddly or are no JSON.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A value in the text of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Written as it is: numbers, literals, and whatever a mutation puts here.
    Raw(String),
    /// A string, decoded.
    Text(String),
    /// An array.
    Array(Vec<Node>),
    /// An object; names may repeat.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// Reads a text; none if it is no JSON, or nested deeper than `serde_json` goes.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The text, in one line unless something raw holds a line feed.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::new();
        self.put(&mut text);
        text
    }

    fn put(&self, out: &mut String) {
        match self {
            Self::Raw(raw) => out.push_str(raw),
            Self::Text(text) => quoted(text, out),
            Self::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { "," });
                    item.put(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (at, (name, value)) in members.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { "," });
                    quoted(name, out);
                    out.push(':');
                    value.put(out);
                }
                out.push('}');
            }
        }
    }

    /// The last member of this name.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The last member of this name, to be changed.
    pub fn member_mut(&mut self, name: &str) -> Option<&mut Self> {
        let Self::Object(members) = self else { return None };
        members.iter_mut().rev().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Every member of this name.
    pub fn members<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Self> {
        let members = if let Self::Object(members) = self { members.as_slice() } else { &[] };
        members.iter().filter(move |(known, _)| known == name).map(|(_, value)| value)
    }

    /// Sets a member, in place of the one that is there.
    pub fn set(&mut self, name: &str, value: Self) {
        let Self::Object(members) = self else { return };
        match members.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => members.push((name.to_owned(), value)),
        }
    }

    /// The first value in it.
    #[must_use]
    pub fn first(&self) -> Option<&Self> {
        match self {
            Self::Raw(_) | Self::Text(_) => None,
            Self::Array(items) => items.first(),
            Self::Object(members) => members.first().map(|(_, value)| value),
        }
    }

    /// How many values there are in it, itself among them.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + match self {
            Self::Raw(_) | Self::Text(_) => 0,
            Self::Array(items) => items.iter().map(Self::count).sum(),
            Self::Object(members) => members.iter().map(|(_, value)| value.count()).sum(),
        }
    }

    /// The value at a position of [`Node::count`], in the order of the text.
    pub fn nth(&mut self, at: usize) -> Option<&mut Self> {
        if at == 0 {
            return Some(self);
        }
        let mut left = at - 1;
        let parts: Vec<&mut Self> = match self {
            Self::Raw(_) | Self::Text(_) => return None,
            Self::Array(items) => items.iter_mut().collect(),
            Self::Object(members) => members.iter_mut().map(|(_, value)| value).collect(),
        };
        for part in parts {
            let count = part.count();
            if left < count {
                return part.nth(left);
            }
            left -= count;
        }
        None
    }

    /// Every string in it, names among them.
    pub fn strings(&self, tell: &mut dyn FnMut(&str)) {
        match self {
            Self::Raw(_) => {}
            Self::Text(text) => tell(text),
            Self::Array(items) => items.iter().for_each(|item| item.strings(tell)),
            Self::Object(members) => members.iter().for_each(|(name, value)| {
                tell(name);
                value.strings(tell);
            }),
        }
    }
}

fn quoted(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Raw("null".to_owned()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Raw(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Raw(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Raw(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Raw(serde_json::Value::from(value).to_string()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut read = Vec::new();
        while let Some(item) = items.next_element()? {
            read.push(item);
        }
        Ok(Node::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Node, A::Error> {
        let mut read = Vec::new();
        while let Some(member) = members.next_entry()? {
            read.push(member);
        }
        Ok(Node::Object(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_repeat_and_everything_is_written_again() {
        let text = r#"{"id":1,"id":"a","params":{"x":[1.5,null,true,-3,"\"\n"]}}"#;
        let mut node = Node::read(text).expect("JSON");
        assert_eq!(node.write(), text);
        assert_eq!(node.members("id").count(), 2);
        assert_eq!(node.count(), 10);
        assert_eq!(node.nth(9), Some(&mut Node::Text("\"\n".into())));
        assert_eq!(node.nth(10), None);
    }
}
