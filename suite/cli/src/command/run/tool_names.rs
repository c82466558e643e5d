//! Tool names from the user that the server does not list: a typo must not pass silently.

use std::collections::BTreeSet;

use serde_json::Value;
use verdict::transcript::{Event, Kind};

use crate::globs::nearest;

/// Returns a note for each name that no listed tool has; none if the server listed no tools at all.
pub(super) fn unknown_tool_notes<'a>(
    named: impl Iterator<Item = &'a String>,
    transcripts: &[Vec<Event>],
) -> Vec<String> {
    let listed = listed_tools(transcripts);
    if listed.is_empty() {
        return Vec::new();
    }
    let unknown = named.filter(|name| !listed.contains(name.as_str()));
    unknown
        .map(|name| {
            let near = nearest(name, listed.iter().map(String::as_str), 1);
            let hint = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            format!("note: the server does not list a tool named `{name}`{hint}")
        })
        .collect()
}

/// Returns the names of the tools on every page of every list.
fn listed_tools(transcripts: &[Vec<Event>]) -> BTreeSet<String> {
    let events = transcripts.iter().flatten();
    let texts = events.filter_map(|event| match &event.kind {
        Kind::Receive(receive) if receive.text.contains("inputSchema") => Some(&receive.text),
        _ => None,
    });
    let messages = texts.filter_map(|text| serde_json::from_str::<Value>(text).ok());
    let mut names = BTreeSet::new();
    for message in messages {
        let tools = message.pointer("/result/tools").and_then(Value::as_array);
        names.extend(tools.into_iter().flatten().filter_map(|tool| tool.get("name")?.as_str().map(str::to_owned)));
    }
    names
}
