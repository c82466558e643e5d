//! Whether `serde_json` reads the values that were read, compared while it reads: nothing is built twice.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::Message;

/// The text is this value, in which no name repeats.
pub(super) fn value(text: &str, expected: &Value) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(text);
    Same(expected).deserialize(&mut json)?;
    json.end()
}

/// The text is an array of these, in which no name repeats.
pub(super) fn batch(text: &str, expected: &[Message]) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(text);
    json.deserialize_seq(Items(expected.iter().map(Message::but_for_id)))?;
    json.end()
}

#[derive(Clone, Copy)]
struct Same<'v>(&'v Value);

impl Same<'_> {
    fn is<E: Error>(self, value: impl Into<Value>) -> Result<(), E> {
        let value = value.into();
        if *self.0 == value { Ok(()) } else { Err(E::custom(format_args!("{} was read, here is {value}", self.0))) }
    }

    fn differs<E: Error>(self, what: &str) -> E {
        E::custom(format_args!("{} was read, here is {what}", self.0))
    }
}

impl<'de> DeserializeSeed<'de> for Same<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Same<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.is(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.is(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.is(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.is(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.is(value)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if self.0.as_str() == Some(text) { Ok(()) } else { Err(self.differs(text)) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        let Value::Array(expected) = self.0 else { return Err(self.differs("an array")) };
        Items(expected.iter()).visit_seq(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Value::Object(expected) = self.0 else { return Err(self.differs("an object")) };
        for (name, value) in expected {
            members.next_key_seed(Name(name))?.ok_or_else(|| self.differs("an object with fewer members"))?;
            members.next_value_seed(Same(value))?;
        }
        match members.next_key::<String>()? {
            None => Ok(()),
            Some(more) => Err(self.differs(&format!("an object with {more:?} too"))),
        }
    }
}

struct Name<'v>(&'v str);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name {:?}", self.0)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<(), E> {
        if name == self.0 { Ok(()) } else { Err(E::custom(format_args!("{:?} was read, here is {name:?}", self.0))) }
    }
}

struct Items<I>(I);

impl<'de, 'v, I: Iterator<Item = &'v Value>> Visitor<'de> for Items<I> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for expected in self.0 {
            items.next_element_seed(Same(expected))?.ok_or_else(|| A::Error::custom("fewer items than were read"))?;
        }
        match items.next_element::<serde::de::IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(A::Error::custom("more items than were read")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_differs_in_anything_is_noticed() {
        let text = r#"{"a":[1,-2,1.5,"\u0041",null,true,{"b":{}}],"c":"d"}"#;
        let same = json!({"a": [1, -2, 1.5, "A", null, true, {"b": {}}], "c": "d"});
        assert!(value(text, &same).is_ok());
        for (at, other) in [
            ("/a/0", json!(2)),
            ("/a/1", json!(-3)),
            ("/a/2", json!(1.25)),
            ("/a/3", json!("B")),
            ("/a/4", json!(false)),
            ("/a/6", json!({})),
            ("/a/6/b", json!([])),
            ("/a", json!([1, -2])),
            ("/c", json!({})),
            ("", json!({"a": 1})),
        ] {
            let mut changed = same.clone();
            *changed.pointer_mut(at).expect("a place") = other;
            assert!(value(text, &changed).is_err(), "{at}");
        }
        let mut more = same.clone();
        more["e"] = json!(1);
        assert!(value(text, &more).is_err());
        let batch_of = |values: Vec<Value>| values.into_iter().map(Message::from_value).collect::<Vec<_>>();
        assert!(batch("[1,{}]", &batch_of(vec![json!(1), json!({})])).is_ok());
        assert!(batch("[1,{}]", &batch_of(vec![json!(1)])).is_err());
        assert!(batch("[1]", &batch_of(vec![json!(1), json!({})])).is_err());
    }
}
