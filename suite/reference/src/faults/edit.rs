//! Rewriting outgoing messages, as data: which messages, and what of them.

use serde_json::Value;

use crate::core::{About, Edits, Kind};

/// Which messages an edit is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum On {
    /// Results answering a method.
    Result(&'static str),
    /// Results of every method but initialize.
    AnyResult,
    /// Errors answering a method.
    Error(&'static str),
    /// Every error that answers a request with a method.
    AnyError,
    Notification(&'static str),
    /// Requests of the server's own.
    Request(&'static str),
    /// Results of a tool that ask for input.
    Input(&'static str),
    /// The definition of a tool in tools/list; the pointer starts there.
    Tool(&'static str),
    /// The result of calling a tool with arguments it takes.
    Call(&'static str),
    /// The answer to a call that was made a task.
    Created,
    /// An entry of the list that a method gives, by name, uri or template; the pointer starts there.
    Entry(&'static str, &'static str),
    /// The result of a method for one prompt or resource.
    Of(&'static str, &'static str),
}

/// A change to a message. Pointers are JSON pointers, values JSON text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Edit {
    /// Puts a value in place, making objects on the way.
    Set(&'static str, &'static str),
    Remove(&'static str),
    /// Replaces the first occurrence in the written text.
    Text(&'static str, &'static str),
    /// Sends further messages; `$id` stands for the id of this one.
    Before(&'static str),
    After(&'static str),
    /// Sends the message again.
    Twice,
    /// Does not send it.
    Drop,
    /// Sends it as the only element of an array.
    Wrap,
}

/// Edits a message.
pub(super) fn edit(rewrites: &[(On, Edit)], about: &About<'_>, message: &mut Value, edits: &mut Edits) {
    for (on, edit) in rewrites {
        if let Some(place) = place(*on, about, message) {
            apply(*edit, place, edits);
        }
    }
}

fn place<'a>(on: On, about: &About<'_>, message: &'a mut Value) -> Option<&'a mut Value> {
    let applies = match on {
        On::Result(method) => about.kind == Kind::Result && about.method == method,
        On::AnyResult => about.kind == Kind::Result && about.method != "initialize",
        On::Error(method) => about.kind == Kind::Error && about.method == method,
        On::AnyError => about.kind == Kind::Error && !about.method.is_empty(),
        On::Notification(method) => about.kind == Kind::Notification && about.method == method,
        On::Request(method) => about.kind == Kind::Request && about.method == method,
        On::Input(tool) => {
            let asks = message["result"]["resultType"] == "input_required";
            about.kind == Kind::Result && about.tool == Some(tool) && asks
        }
        On::Call(tool) => {
            let refused = tool != "fail" && message["result"]["isError"] == true;
            about.kind == Kind::Result && about.tool == Some(tool) && !refused
        }
        On::Created => {
            about.kind == Kind::Result && about.method == "tools/call" && message["result"]["task"].is_object()
        }
        On::Of(method, subject) => {
            about.kind == Kind::Result && about.method == method && about.subject == Some(subject)
        }
        On::Entry(method, key) => {
            if about.kind != Kind::Result || about.method != method {
                return None;
            }
            let is = |entry: &Value| ["name", "uri", "uriTemplate"].iter().any(|member| entry[*member] == key);
            let lists = message["result"].as_object_mut()?.values_mut();
            return lists.filter_map(Value::as_array_mut).flatten().find(|entry| is(entry));
        }
        On::Tool(tool) => {
            if about.kind != Kind::Result || about.method != "tools/list" {
                return None;
            }
            return message["result"]["tools"].as_array_mut()?.iter_mut().find(|each| each["name"] == tool);
        }
    };
    applies.then_some(message)
}

fn apply(edit: Edit, place: &mut Value, edits: &mut Edits) {
    match edit {
        Edit::Set(pointer, text) => {
            let value = serde_json::from_str(text).expect("a test parses every value of the tables");
            set(place, pointer, value);
        }
        Edit::Remove(pointer) => remove(place, pointer),
        Edit::Text(from, to) => edits.texts.push((from, to)),
        Edit::Before(text) => edits.before.push(text.to_owned()),
        Edit::After(text) => edits.after.push(text.to_owned()),
        Edit::Twice => edits.twice = true,
        Edit::Drop => edits.drop = true,
        Edit::Wrap => edits.wrap = true,
    }
}

fn set(mut place: &mut Value, pointer: &str, value: Value) {
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        if place.is_null() {
            *place = Value::Object(serde_json::Map::new());
        }
        place = match place {
            Value::Array(items) => {
                let Some(item) = token.parse::<usize>().ok().and_then(|index| items.get_mut(index)) else { return };
                item
            }
            Value::Object(object) => object.entry(token).or_insert(Value::Null),
            _ => return,
        };
    }
    *place = value;
}

fn remove(place: &mut Value, pointer: &str) {
    let Some((parent, token)) = pointer.rsplit_once('/') else { return };
    let token = token.replace("~1", "/").replace("~0", "~");
    match place.pointer_mut(parent) {
        Some(Value::Object(object)) => {
            object.shift_remove(&token);
        }
        Some(Value::Array(items)) => {
            if let Some(index) = token.parse().ok().filter(|index: &usize| *index < items.len()) {
                items.remove(index);
            }
        }
        _ => {}
    }
}
