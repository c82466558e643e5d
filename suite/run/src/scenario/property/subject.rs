//! The subjects of generated requests: a tool, a prompt, a resource template, or something that is completed. What they have
//! in common is a schema of the arguments, and a request that is built from them.

use std::collections::HashSet;

use schema::Break;
use serde_json::{Map, Value, json};
use verdict::Intent;

use crate::scenario::completion::Target;
use crate::scenario::observations::looks_slow;
use crate::scenario::prompts::arguments;
use crate::template::{expand, variables};
use crate::{Options, Tool};

/// Names of the scenarios.
pub(super) const TOOLS: &str = "tools/generated-calls";
pub(super) const PROMPTS: &str = "prompts/generated";
pub(super) const TEMPLATES: &str = "resources/generated-templates";
pub(super) const COMPLETIONS: &str = "completion/generated";

/// Cases of what takes strings alone: more of them show nothing new.
const FEW: usize = 30;
/// Of these so many in a hundred lack something required.
const LACKING: usize = 20;
/// Strings that go wrong in careless programs; the first is one that goes right.
const TELLING: [&str; 17] = [
    "a",
    "",
    "\"",
    "\u{1f600}",
    "%",
    "\\",
    "'",
    "\u{e9}",
    " ",
    "a\nb",
    "{}",
    "<b>&amp;",
    "\u{0}",
    "0",
    "$(x)",
    "__proto__",
    "null",
];

/// Something that is asked for with generated arguments.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// The name that identifies it among its kind.
    pub(super) name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Tool(Tool),
    /// Its definition, and the values that the user vouches for.
    Prompt(Value, Map<String, Value>),
    Template(Value),
    Completion(Target),
}

impl Subject {
    pub(super) fn tool(tool: &Tool) -> Self {
        Self { name: tool.name.clone(), kind: Kind::Tool(tool.clone()) }
    }

    /// A prompt that takes arguments; none if it takes none.
    pub(super) fn prompt(definition: &Value, options: &Options) -> Option<Self> {
        let name = definition.get("name")?.as_str()?.to_owned();
        let own: Vec<&str> = arguments(definition).iter().map(|(name, _)| *name).collect();
        let told = options.prompts.get(&name).and_then(Value::as_object).cloned().unwrap_or_default();
        let told = told.into_iter().filter(|(name, value)| own.contains(&name.as_str()) && value.is_string()).collect();
        (!own.is_empty()).then(|| Self { name, kind: Kind::Prompt(definition.clone(), told) })
    }

    /// A resource template whose variables are all simple ones.
    pub(super) fn template(definition: &Value) -> Option<Self> {
        let name = definition.get("uriTemplate")?.as_str()?.to_owned();
        variables(&name)?;
        Some(Self { name, kind: Kind::Template(definition.clone()) })
    }

    pub(super) fn completion(target: Target) -> Self {
        Self { name: target.label(), kind: Kind::Completion(target) }
    }

    /// Returns its kind; `None` for a tool.
    pub(super) fn sort(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Tool(_) => None,
            Kind::Prompt(..) => Some("prompt"),
            Kind::Template(_) => Some("template"),
            Kind::Completion(_) => Some("completion"),
        }
    }

    pub(super) fn scenario(&self) -> &'static str {
        match self.kind {
            Kind::Tool(_) => TOOLS,
            Kind::Prompt(..) => PROMPTS,
            Kind::Template(_) => TEMPLATES,
            Kind::Completion(_) => COMPLETIONS,
        }
    }

    pub(super) fn method(&self) -> &'static str {
        match self.kind {
            Kind::Tool(_) => "tools/call",
            Kind::Prompt(..) => "prompts/get",
            Kind::Template(_) => "resources/read",
            Kind::Completion(_) => "completion/complete",
        }
    }

    /// Returns the intent of a request with valid or invalid arguments.
    pub(super) fn intent(&self, valid: bool) -> Intent {
        match (&self.kind, valid) {
            (Kind::Tool(_), true) => Intent::ValidCall,
            (Kind::Tool(_), false) => Intent::InvalidCall,
            (Kind::Prompt(..), true) => Intent::GeneratedPrompt,
            (Kind::Prompt(..), false) => Intent::PromptMissingArgument,
            (Kind::Template(_), _) => Intent::GeneratedTemplate,
            (Kind::Completion(_), _) => Intent::GeneratedCompletion,
        }
    }

    pub(super) fn params(&self, arguments: &Value) -> Value {
        match &self.kind {
            Kind::Tool(_) | Kind::Prompt(..) => json!({"name": self.name, "arguments": arguments}),
            Kind::Template(_) => {
                let text = |name: &&str| arguments[*name].as_str().unwrap_or_default().to_owned();
                let values: Vec<String> = variables(&self.name).iter().flatten().map(text).collect();
                json!({"uri": expand(&self.name, &values)})
            }
            Kind::Completion(target) => target.params(arguments["value"].as_str().unwrap_or_default()),
        }
    }

    /// Who it is, for rules.
    pub(super) fn about(&self) -> Map<String, Value> {
        let key = if self.sort().is_some() { "subject" } else { "tool" };
        let kind = self.sort().map(|sort| ("kind".to_owned(), json!(sort)));
        std::iter::once((key.to_owned(), json!(self.name))).chain(kind).collect()
    }

    /// The first of what a prompt requires that is not there.
    pub(super) fn lacks(&self, given: &Value) -> Option<String> {
        let Kind::Prompt(definition, _) = &self.kind else { return None };
        let mut required = arguments(definition).into_iter().filter(|(_, required)| *required);
        required.find(|(name, _)| given.get(*name).is_none()).map(|(name, _)| name.to_owned())
    }

    /// The request that lists it and what is answered, as far as rules look at it.
    pub(super) fn listed(&self) -> Option<(&'static str, Value)> {
        match &self.kind {
            Kind::Tool(tool) => Some(("tools/list", json!({"tools": [tool.definition]}))),
            Kind::Prompt(definition, _) => Some(("prompts/list", json!({"prompts": [definition]}))),
            Kind::Template(definition) => {
                Some(("resources/templates/list", json!({"resourceTemplates": [definition]})))
            }
            Kind::Completion(_) => None,
        }
    }

    /// Returns the schema of its arguments; `None` for a tool without an input schema.
    pub(super) fn schema(&self) -> Option<Value> {
        match &self.kind {
            Kind::Tool(tool) => tool.input_schema().cloned(),
            Kind::Prompt(definition, _) => Some(strings(&arguments(definition), &json!({"type": "string"}))),
            Kind::Template(_) => {
                let names: Vec<(&str, bool)> = self.names().into_iter().map(|name| (name, true)).collect();
                // An empty one may make the URI of something else, and so may dots, which clients and servers take away.
                Some(strings(&names, &json!({"type": "string", "minLength": 1, "not": {"pattern": "^\\.+$"}})))
            }
            Kind::Completion(_) => Some(strings(&[("value", true)], &json!({"type": "string"}))),
        }
    }

    /// Its properties, if it takes strings alone.
    fn names(&self) -> Vec<&str> {
        match &self.kind {
            Kind::Tool(_) => Vec::new(),
            Kind::Prompt(definition, _) => arguments(definition).into_iter().map(|(name, _)| name).collect(),
            Kind::Template(_) => variables(&self.name).unwrap_or_default(),
            Kind::Completion(_) => vec!["value"],
        }
    }

    /// Arguments that are tried first: each of the telling strings, in one property after the other. The others have what the
    /// user vouches for, or the same string.
    pub(super) fn telling(&self) -> Vec<Value> {
        let names = self.names();
        let told = if let Kind::Prompt(_, told) = &self.kind { told.clone() } else { Map::new() };
        let made = |(at, text): (usize, &&str)| {
            let place = names.get(at % names.len().max(1))?;
            let mut arguments: Map<String, Value> =
                names.iter().map(|name| ((*name).to_owned(), json!(text))).collect();
            arguments.extend(told.clone());
            arguments.insert((*place).to_owned(), json!(text));
            Some(Value::Object(arguments))
        };
        TELLING.iter().enumerate().filter_map(made).collect()
    }

    /// How many cases the user wants.
    pub(super) fn cases(&self, options: &Options) -> u32 {
        self.as_tool().map_or(options.cases, |tool| options.cases_of(&tool.definition))
    }

    /// Whether it gets fewer calls than others: then none is made that only makes a finding simpler.
    pub(super) fn is_limited(&self, options: &Options) -> bool {
        self.as_tool().is_some_and(|tool| options.is_limited(&tool.definition))
    }

    /// How many cases there may be, and how many of them invalid.
    pub(super) fn share(&self, cases: usize) -> (usize, usize) {
        if self.sort().is_none() {
            return (cases, cases / 2);
        }
        let cases = cases.min(FEW);
        (cases, if matches!(self.kind, Kind::Prompt(..)) { cases * LACKING / 100 } else { 0 })
    }

    /// Whether arguments that break this tell anything.
    pub(super) fn may_break(&self, one: &Break) -> bool {
        match self.kind {
            Kind::Tool(_) => true,
            Kind::Prompt(..) => one.keyword == "required",
            Kind::Template(_) | Kind::Completion(_) => false,
        }
    }

    /// The tool, if it is one.
    pub(super) fn as_tool(&self) -> Option<&Tool> {
        if let Kind::Tool(tool) = &self.kind { Some(tool) } else { None }
    }

    pub(super) fn is_slow(&self) -> bool {
        self.as_tool().is_some_and(looks_slow)
    }
}

/// An object with a property for each name, and nothing else.
fn strings(names: &[(&str, bool)], of: &Value) -> Value {
    let mut seen = HashSet::new();
    let required: Vec<&str> =
        names.iter().filter(|(name, required)| *required && seen.insert(*name)).map(|(name, _)| *name).collect();
    let properties: Map<String, Value> = names.iter().map(|(name, _)| ((*name).to_owned(), of.clone())).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
