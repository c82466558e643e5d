//! The area `completion`, and how other areas learn of values that the server itself suggests.

mod malformed;
mod offered;
mod undeclared;

use serde_json::{Value, json};
use verdict::Intent;
use verdict::probes::values;

use super::Scenario;
use crate::template::variables;
use crate::{ServerProfile, Session};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] =
    &[offered::SCENARIO, offered::CONTEXT, offered::UNKNOWN, malformed::SCENARIO, undeclared::SCENARIO];

/// Prompts, and templates, of which arguments are completed.
const REFERENCES: usize = 5;

/// Something that could be completed.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// `complete-prompt` or `complete-template`.
    intent: Intent,
    reference: Value,
    argument: String,
    /// Another argument of the same reference.
    other: Option<String>,
}

impl Target {
    pub(crate) fn params(&self, value: &str) -> Value {
        json!({"ref": self.reference, "argument": {"name": self.argument, "value": value}})
    }

    /// Returns the reference and argument that are completed, as text.
    pub(crate) fn label(&self) -> String {
        let named = self.reference.get("name").or(self.reference.get("uri")).and_then(Value::as_str);
        format!("{} {}", named.unwrap_or_default(), self.argument)
    }
}

/// Whether it is worth asking: in 2024-11-05 nothing says so.
pub(crate) fn may_complete(profile: &ServerProfile) -> bool {
    profile.declares("completions") || !profile.revision.traits().completions_capability
}

/// The arguments of the first prompts and the variables of the first templates.
pub(crate) fn targets(profile: &ServerProfile) -> Vec<Target> {
    let mut found = Vec::new();
    let prompts = profile.entries("prompts/list").iter().filter_map(|prompt| {
        let reference = json!({"type": "ref/prompt", "name": prompt.get("name")?.as_str()?});
        let arguments = prompt.get("arguments")?.as_array()?;
        let names: Vec<&str> = arguments.iter().filter_map(|argument| argument.get("name")?.as_str()).collect();
        (!names.is_empty()).then_some((Intent::CompletePrompt, reference, names))
    });
    let templates = profile.entries("resources/templates/list").iter().filter_map(|template| {
        let uri = template.get("uriTemplate")?.as_str()?;
        Some((Intent::CompleteTemplate, json!({"type": "ref/resource", "uri": uri}), variables(uri)?))
    });
    for (intent, reference, names) in prompts.take(REFERENCES).chain(templates.take(REFERENCES)) {
        for (at, name) in names.iter().take(2).enumerate() {
            let other = names.iter().enumerate().find(|(place, _)| *place != at).map(|(_, name)| (*name).to_owned());
            let reference = reference.clone();
            found.push(Target { intent, reference, argument: (*name).to_owned(), other });
        }
    }
    found
}

/// The first values that the server suggests, if it does.
pub(super) async fn suggested(
    session: &Session,
    scenario: &str,
    intent: Intent,
    reference: &Value,
    argument: &str,
    chosen: &Value,
) -> Vec<String> {
    let mut params = json!({"ref": reference, "argument": {"name": argument, "value": ""}});
    if chosen.as_object().is_some_and(|chosen| !chosen.is_empty()) {
        params["context"] = json!({"arguments": chosen});
    }
    let about = json!({"value": values::Value::Empty});
    let outcome = session.ask("completion/complete", params).probe(scenario, intent, about).send().await;
    let values = outcome.result().and_then(|result| result.get("completion")?.get("values")?.as_array());
    let texts = values.into_iter().flatten().filter_map(Value::as_str);
    texts.filter(|text| !text.is_empty()).take(2).map(str::to_owned).collect()
}
