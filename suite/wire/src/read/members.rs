//! The members of an object while it is read. Messages are made of small objects: each takes no more room than it has members, and a
//! name is hashed once.

use serde_json::map::Entry;
use serde_json::{Map, Value};

use super::walk::{Path, Walk};

/// So many are told apart by looking at each of them.
const FEW: usize = 16;

/// The members of one object. The last of several with one name stays, as in `Value`.
pub(super) enum Members {
    /// On the pile of the walk, from here on.
    Few(usize),
    Many(Map<String, Value>),
}

impl Members {
    pub(super) fn new(walk: &Walk<'_>) -> Self {
        Self::Few(walk.members.len())
    }

    pub(super) fn insert(&mut self, walk: &mut Walk<'_>, path: &Path<'_>, name: String, value: Value) {
        match self {
            Self::Few(start) => {
                let known = &mut walk.members[*start..];
                if let Some((_, taken)) = known.iter_mut().find(|(other, _)| *other == name) {
                    *taken = value;
                    return walk.duplicate(path, &name);
                }
                let full = known.len() == FEW;
                walk.members.push((name, value));
                if full {
                    *self = Self::Many(walk.members.drain(*start..).collect());
                }
            }
            Self::Many(object) => match object.entry(name) {
                Entry::Vacant(free) => {
                    free.insert(value);
                }
                Entry::Occupied(mut taken) => {
                    walk.duplicate(path, taken.key());
                    taken.insert(value);
                }
            },
        }
    }

    pub(super) fn into_value(self, walk: &mut Walk<'_>) -> Value {
        Value::Object(match self {
            Self::Few(start) => walk.members.drain(start..).collect(),
            // Takes the room for further members back.
            Self::Many(object) => object.into_iter().collect(),
        })
    }
}
