//! The reader behind [`crate::parse()`]: builds values as `serde_json::Value` does, and on the way sees what `Value` forgets
//! (repeated names, the raw text of an id) and stops at the limits.
//!
//! It does not go through `Value`'s own reader, which takes a member `$serde_json::private::RawValue` for an order.

mod members;
mod walk;

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::id::Id;
use crate::message::Message;
use crate::parsed::{Content, Limits};
use members::Members;
use walk::{Path, Step, Walk};

/// Why reading stopped; whether the text is JSON at all is not known yet.
pub(crate) enum Failure {
    TooDeep(usize),
    TooMany(usize),
    /// An error of `serde_json`, and the offset its position counts from.
    Json {
        error: serde_json::Error,
        base: usize,
    },
}

/// The content, the pointers of repeated members, and how many more there were.
pub(crate) fn read(text: &str, limits: &Limits) -> (Result<Content, Failure>, Vec<String>, usize) {
    let mut walk = Walk::new(text, limits);
    let mut json = serde_json::Deserializer::from_str(text);
    let outcome = Top(&mut walk).deserialize(&mut json).and_then(|content| json.end().map(|()| content));
    let result = outcome.map_err(|error| walk.failure.take().unwrap_or(Failure::Json { error, base: 0 }));
    (result, walk.duplicates, walk.more)
}

/// Reads any value.
struct Node<'w, 't, 'p> {
    walk: &'w mut Walk<'t>,
    path: &'p Path<'p>,
}

impl<'de> DeserializeSeed<'de> for Node<'_, 'de, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.walk.count()?;
        deserializer.deserialize_any(self)
    }
}

/// The scalars, which every visitor here turns into values in the same way.
macro_rules! scalars {
    ($output:ty, $wrap:expr) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any JSON value")
        }

        fn visit_unit<E>(self) -> Result<$output, E> {
            Ok($wrap(Value::Null))
        }

        fn visit_bool<E>(self, value: bool) -> Result<$output, E> {
            Ok($wrap(Value::Bool(value)))
        }

        fn visit_i64<E>(self, value: i64) -> Result<$output, E> {
            Ok($wrap(value.into()))
        }

        fn visit_u64<E>(self, value: u64) -> Result<$output, E> {
            Ok($wrap(value.into()))
        }

        fn visit_f64<E>(self, value: f64) -> Result<$output, E> {
            Ok($wrap(value.into()))
        }

        fn visit_str<E>(self, value: &str) -> Result<$output, E> {
            Ok($wrap(value.into()))
        }

        fn visit_string<E>(self, value: String) -> Result<$output, E> {
            Ok($wrap(value.into()))
        }
    };
}

impl<'de> Visitor<'de> for Node<'_, 'de, '_> {
    type Value = Value;

    scalars!(Value, |value: Value| value);

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.walk.enter(self.path)?;
        let mut array = Vec::new();
        loop {
            let path = self.path.child(Step::Index(array.len()));
            match items.next_element_seed(Node { walk: self.walk, path: &path })? {
                Some(item) => array.push(item),
                None => break,
            }
        }
        // Messages are made of small arrays, and those that grow have room for more.
        array.shrink_to_fit();
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        self.walk.enter(self.path)?;
        let mut object = Members::new(self.walk);
        while let Some(name) = members.next_key::<String>()? {
            let path = self.path.child(Step::Name(&name));
            let value = members.next_value_seed(Node { walk: self.walk, path: &path })?;
            object.insert(self.walk, self.path, name, value);
        }
        Ok(object.into_value(self.walk))
    }
}

/// Reads one message: an object whose `id` is also kept as spelled.
struct Envelope<'w, 't, 'p> {
    walk: &'w mut Walk<'t>,
    path: &'p Path<'p>,
}

impl<'de> DeserializeSeed<'de> for Envelope<'_, 'de, '_> {
    type Value = Message;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Message, D::Error> {
        self.walk.count()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Envelope<'_, 'de, '_> {
    type Value = Message;

    scalars!(Message, |value: Value| Message::with_id(value, None));

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Message, A::Error> {
        let value = Node { walk: self.walk, path: self.path }.visit_seq(items)?;
        Ok(Message::with_id(value, None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Message, A::Error> {
        self.walk.enter(self.path)?;
        let (mut object, mut id) = (Members::new(self.walk), None);
        while let Some(name) = members.next_key::<String>()? {
            let path = self.path.child(Step::Name(&name));
            let value = if name == "id" {
                let raw = members.next_value::<&RawValue>()?.get();
                let value = again(self.walk, &path, raw)?;
                id = Some(Id::from_raw(raw));
                value
            } else {
                members.next_value_seed(Node { walk: self.walk, path: &path })?
            };
            object.insert(self.walk, self.path, name, value);
        }
        Ok(Message::with_id(object.into_value(self.walk), id))
    }
}

/// Reads the raw text of an id once more, as a value.
fn again<'de, E: de::Error>(walk: &mut Walk<'de>, path: &Path<'_>, raw: &'de str) -> Result<Value, E> {
    let value = Node { walk, path }.deserialize(&mut serde_json::Deserializer::from_str(raw));
    value.map_err(|error| {
        let base = walk.base(raw);
        walk.stop(Failure::Json { error, base })
    })
}

/// Reads what a frame or a body holds: a message or a batch of them.
struct Top<'w, 't>(&'w mut Walk<'t>);

impl<'de> DeserializeSeed<'de> for Top<'_, 'de> {
    type Value = Content;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Content, D::Error> {
        self.0.count()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Top<'_, 'de> {
    type Value = Content;

    scalars!(Content, |value: Value| Content::One(Message::with_id(value, None)));

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Content, A::Error> {
        Envelope { walk: self.0, path: &Path::ROOT }.visit_map(members).map(Content::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Content, A::Error> {
        self.0.enter(&Path::ROOT)?;
        let mut batch = Vec::new();
        loop {
            let path = Path::ROOT.child(Step::Index(batch.len()));
            match items.next_element_seed(Envelope { walk: self.0, path: &path })? {
                Some(message) => batch.push(message),
                None => return Ok(Content::Batch(batch)),
            }
        }
    }
}
