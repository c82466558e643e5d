//! Systematic mutations of a JSON value: every member removed, replaced by each type, unknown members added.

use serde_json::{Value, json};

/// One change at one place.
pub(crate) struct Mutation {
    /// The place, as a JSON pointer.
    pub(crate) at: String,
    change: Change,
}

enum Change {
    Remove,
    Replace(Value),
    Add,
}

impl Mutation {
    /// The value with the change; the value itself if the place is gone.
    pub(crate) fn apply(&self, value: &Value) -> Value {
        let mut value = value.clone();
        match &self.change {
            Change::Replace(other) => {
                if let Some(place) = value.pointer_mut(&self.at) {
                    *place = other.clone();
                }
            }
            Change::Add => {
                if let Some(Value::Object(members)) = value.pointer_mut(&self.at) {
                    members.insert("x-unknown".into(), json!({"any": null}));
                }
            }
            Change::Remove => remove(&mut value, &self.at),
        }
        value
    }
}

fn remove(value: &mut Value, at: &str) {
    let Some((parent, name)) = at.rsplit_once('/') else { return };
    let name = name.replace("~1", "/").replace("~0", "~");
    match value.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.shift_remove(&name);
        }
        Some(Value::Array(items)) => {
            if let Some(at) = name.parse().ok().filter(|at| *at < items.len()) {
                items.remove(at);
            }
        }
        _ => {}
    }
}

fn replacements() -> Vec<Value> {
    vec![
        json!(null),
        json!(0),
        json!(7),
        json!(-1),
        json!(0.5),
        json!(1.5),
        json!(2.0),
        json!("x"),
        json!(""),
        json!(true),
        json!(false),
        json!([]),
        json!(["x"]),
        json!([0]),
        json!([null]),
        json!([{}]),
        json!({}),
        json!({"x": null}),
        json!({"x": {}}),
        json!({"type": "text", "text": "x"}),
    ]
}

/// Every single mutation of what stands below (and at) `root`.
pub(crate) fn mutations(value: &Value, root: &str) -> Vec<Mutation> {
    let mut found = Vec::new();
    if let Some(start) = value.pointer(root) {
        descend(start, root, root.is_empty(), &mut found);
    }
    found
}

fn descend(value: &Value, at: &str, is_root: bool, found: &mut Vec<Mutation>) {
    if !is_root {
        found.push(Mutation { at: at.to_owned(), change: Change::Remove });
        let changes = replacements().into_iter().filter(|other| other != value);
        found.extend(changes.map(|other| Mutation { at: at.to_owned(), change: Change::Replace(other) }));
    }
    match value {
        Value::Object(members) => {
            found.push(Mutation { at: at.to_owned(), change: Change::Add });
            for (name, member) in members {
                descend(member, &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), false, found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                descend(item, &format!("{at}/{index}"), false, found);
            }
        }
        _ => {}
    }
}
