//! Values for the arguments of a prompt: told in the configuration, suggested by the server, or made up.

use serde_json::{Map, Value, json};
use verdict::Intent;
use verdict::probes::values::Values;

use super::arguments;
use crate::scenario::Cx;
use crate::scenario::completion::{may_complete, suggested};

/// Where values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scenario) enum Source {
    /// None is required.
    None,
    /// The user or the server vouches for them.
    ServerHints,
    /// Nobody does.
    Made,
}

impl Source {
    pub(super) fn value(self) -> Values {
        match self {
            Self::None => Values::None,
            Self::ServerHints => Values::Told,
            Self::Made => Values::Made,
        }
    }
}

/// Returns arguments for a prompt, and where they come from: the user's own if given, else values for the required ones only.
pub(in crate::scenario) async fn required(cx: &Cx, scenario: &str, prompt: &Value) -> (Value, Source) {
    let name = prompt.get("name").and_then(Value::as_str).unwrap_or_default();
    if let Some(told) = cx.options.prompts.get(name) {
        return (told.clone(), Source::ServerHints);
    }
    let mut values = Map::new();
    let mut source = Source::None;
    for (argument, _) in arguments(prompt).into_iter().filter(|(_, required)| *required) {
        let reference = json!({"type": "ref/prompt", "name": name});
        let chosen = Value::Object(values.clone());
        let found = if may_complete(&cx.profile) {
            suggested(&cx.session, scenario, Intent::CompletePrompt, &reference, argument, &chosen).await
        } else {
            Vec::new()
        };
        source = match (source, found.is_empty()) {
            (Source::Made, _) | (_, true) => Source::Made,
            _ => Source::ServerHints,
        };
        let value = found.into_iter().next().unwrap_or_else(|| plausible_value(prompt, argument).to_owned());
        values.insert(argument.to_owned(), Value::String(value));
    }
    (Value::Object(values), source)
}

/// Something plausible, by what the name and the description of an argument speak of.
fn plausible_value(prompt: &Value, name: &str) -> &'static str {
    const KINDS: [(&[&str], &str); 9] = [
        (&["url", "uri", "link"], "https://example.com/"),
        (&["email"], "tester@example.com"),
        (&["date"], "2026-01-31"),
        (&["json"], "{}"),
        (&["path", "file"], "README.md"),
        (&["number", "count", "limit", "temperature", "amount", "numeric", "integer", "_id", "id "], "1"),
        (&["boolean", "true or false", "whether"], "true"),
        (&["language"], "English"),
        (&["code"], "print(1)"),
    ];
    let listed = prompt.get("arguments").and_then(Value::as_array).into_iter().flatten();
    let about = listed.into_iter().find(|argument| argument.get("name").and_then(Value::as_str) == Some(name));
    let description = about.and_then(|argument| argument.get("description")?.as_str()).unwrap_or_default();
    let text = format!("{name} {description}").to_lowercase();
    let kind = KINDS.iter().find(|(words, _)| words.iter().any(|word| text.contains(word)));
    kind.map_or("example", |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_made_by_what_the_argument_is_about() {
        let prompt = json!({"name": "p", "arguments": [
            {"name": "page", "description": "URL of the page"}, {"name": "city"}, {"name": "temperature"}]});
        assert_eq!(plausible_value(&prompt, "page"), "https://example.com/");
        assert_eq!((plausible_value(&prompt, "city"), plausible_value(&prompt, "temperature")), ("example", "1"));
    }
}
