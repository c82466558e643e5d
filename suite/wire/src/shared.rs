//! The JSON value of a message, which answers that differ in their ids alone share.

use std::sync::Arc;

use serde_json::{Map, Value};

/// A value, and the id in its place where it is shared with another message.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    value: Arc<Value>,
    id: Option<Value>,
}

impl Shared {
    pub(crate) fn new(value: Value) -> Self {
        Self { value: Arc::new(value), id: None }
    }

    /// The same object with another number as its id.
    pub(crate) fn with_id(&self, id: u64) -> Self {
        Self { value: Arc::clone(&self.value), id: Some(id.into()) }
    }

    /// The value, but for its id.
    pub(crate) fn but_for_id(&self) -> &Value {
        &self.value
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        /// Up to here a look at each name is cheaper than a hash; messages have four members or so.
        const FEW: usize = 8;
        let members = self.object()?;
        if name == "id" && self.id.is_some() {
            return self.id.as_ref();
        }
        if members.len() > FEW {
            return members.get(name);
        }
        members.iter().find_map(|(key, value)| (key == name).then_some(value))
    }

    pub(crate) fn object(&self) -> Option<&Map<String, Value>> {
        self.value.as_object()
    }

    pub(crate) fn into_value(self) -> Value {
        let mut value = Arc::unwrap_or_clone(self.value);
        if let (Some(place), Some(id)) = (value.get_mut("id"), self.id) {
            *place = id;
        }
        value
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        match (self.object(), other.object()) {
            (Some(own), Some(others)) => {
                own.len() == others.len() && own.keys().all(|name| self.get(name) == other.get(name))
            }
            _ => self.value == other.value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_shared_has_an_id_of_its_own() {
        let first = Shared::new(json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
        let second = first.with_id(2);
        assert_eq!([first.get("id"), second.get("id")], [Some(&json!(1)), Some(&json!(2))]);
        assert_eq!(first.get("result"), second.get("result"));
        assert!(first != second && first == second.with_id(1));
        assert_eq!(second.into_value().to_string(), r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
        assert_eq!(first.into_value()["id"], 1);
    }
}
