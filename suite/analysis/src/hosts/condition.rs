//! Whether a definition is what a host refuses: the conditions of the table, evaluated on the tools of a server.

use schema::{Step, pointer, walk};
use serde_json::Value;
use verdict::record::HostPlace;

use super::code;
use super::table::{JsonKind, Schema, Test, Tools, When};

/// A tool with the schemas in it, which many conditions look at.
pub(super) struct Definition<'t> {
    tool: &'t Value,
    input: Vec<Place<'t>>,
    output: Vec<Place<'t>>,
}

/// A schema within a tool.
struct Place<'t> {
    path: Vec<Step>,
    schema: &'t Value,
}

impl<'t> Definition<'t> {
    pub(super) fn new(tool: &'t Value) -> Self {
        let places = |member: &str| {
            let nodes = tool.get(member).map(walk).unwrap_or_default();
            nodes.into_iter().map(|node| Place { path: node.path, schema: node.schema }).collect()
        };
        Self { tool, input: places("inputSchema"), output: places("outputSchema") }
    }

    fn name(&self) -> Option<String> {
        Some(self.tool.get("name")?.as_str()?.to_owned())
    }
}

/// The places at which the tools of a server are what a condition on definitions describes.
pub(super) fn places_in(when: &When, tools: &[Definition<'_>]) -> Vec<HostPlace> {
    let each = |found: &dyn Fn(&Definition<'_>) -> Vec<String>| {
        let places = |tool| found(tool).into_iter().map(|at| HostPlace { tool: tool.name(), at }).collect::<Vec<_>>();
        tools.iter().flat_map(places).collect()
    };
    match when {
        When::Input(test) => each(&|tool| in_schema(test, &tool.input, "/inputSchema")),
        When::Output(test) => each(&|tool| in_schema(test, &tool.output, "/outputSchema")),
        When::Schema(test) => each(&|tool| {
            let both = [(&tool.input, "/inputSchema"), (&tool.output, "/outputSchema")];
            both.into_iter().flat_map(|(places, from)| in_schema(test, places, from)).collect()
        }),
        When::Tool(test) => each(&|tool| if passes(test, tool.tool, tool.tool) { vec![String::new()] } else { vec![] }),
        When::Tools(test) => together(test, tools),
        When::Any(all) => all.iter().flat_map(|when| places_in(when, tools)).collect(),
        When::Answer(_) | When::Broken(_) | When::Wire(_) | When::StartsAfter(_) | When::Unseen(_) => vec![],
    }
}

fn in_schema(test: &Schema, places: &[Place<'_>], from: &str) -> Vec<String> {
    let Some(root) = places.first() else { return vec![] };
    let (test, wanted): (&Test, fn(&[Step]) -> bool) = match test {
        Schema::Root(test) => (test, <[Step]>::is_empty),
        Schema::Node(test) => (test, |_| true),
        Schema::Inline(test) => {
            (test, |path| !path.iter().any(|step| matches!(step, Step::Entry("$defs" | "definitions", _))))
        }
        Schema::Property(test) => (test, |path| matches!(path.last(), Some(Step::Property(_)))),
        Schema::RootProperty(test) => (test, |path| matches!(path, [Step::Property(_)])),
        Schema::RootKey(test) => return root_keys(test, root.schema, from),
    };
    let found = places.iter().filter(|place| wanted(&place.path) && passes(test, place.schema, root.schema));
    found.map(|place| format!("{from}{}", pointer(&place.path))).collect()
}

fn root_keys(test: &Test, root: &Value, from: &str) -> Vec<String> {
    let names = root.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name);
    let found = names.filter(|name| passes(test, &Value::String((*name).clone()), root));
    found.map(|name| format!("{from}{}", pointer(&[Step::Property(name.clone())]))).collect()
}

fn together(test: &Tools, tools: &[Definition<'_>]) -> Vec<HostPlace> {
    let all = || vec![HostPlace { tool: None, at: String::new() }];
    match test {
        Tools::AtLeast(number) if tools.len() >= *number => all(),
        Tools::Lack(names) if names.iter().any(|name| tools.iter().all(|tool| tool.name().as_ref() != Some(name))) => {
            all()
        }
        Tools::AtLeast(_) | Tools::Lack(_) => vec![],
        Tools::Code(name) => {
            let definitions: Vec<&Value> = tools.iter().map(|tool| tool.tool).collect();
            let found = code::of_tools(name).map(|code| code(&definitions)).unwrap_or_default();
            found.into_iter().map(|name| HostPlace { tool: Some(name), at: String::new() }).collect()
        }
    }
}

/// Whether a value passes a test; `root` is the schema, or the definition, that it stands in.
pub(super) fn passes(test: &Test, value: &Value, root: &Value) -> bool {
    let member = |name: &String| value.get(name).is_some();
    let text = value.as_str();
    (test.has.is_empty() || test.has.iter().any(member))
        && (test.lacks.is_empty() || value.is_object() && !test.lacks.iter().any(member))
        && test.member.iter().all(|(name, test)| value.get(name).is_some_and(|value| passes(test, value, root)))
        && test.some.as_ref().is_none_or(|test| parts(value).iter().any(|part| passes(test, part, root)))
        && test.of_type.as_ref().is_none_or(|name| is_of_type(value, name))
        && test.kind.is_none_or(|kind| is_kind(value, kind))
        && test.is.as_ref().is_none_or(|wanted| wanted == value)
        && test.matches.as_ref().is_none_or(|pattern| text.is_some_and(|text| pattern.0.is_match(text)))
        && test.longer_than.is_none_or(|most| text.is_some_and(|text| text.chars().count() > most))
        && test.code.as_ref().is_none_or(|name| code::of_value(name).is_some_and(|code| code(value, root)))
        && (test.any.is_empty() || test.any.iter().any(|test| passes(test, value, root)))
        && test.not.as_ref().is_none_or(|test| !passes(test, value, root))
}

fn parts(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => vec![],
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value.get("type") {
        Some(Value::String(own)) => own == name,
        Some(Value::Array(all)) => all.iter().any(|own| own == name),
        _ => false,
    }
}

fn is_kind(value: &Value, kind: JsonKind) -> bool {
    match kind {
        JsonKind::Null => value.is_null(),
        JsonKind::Boolean => value.is_boolean(),
        JsonKind::Number => value.is_number(),
        JsonKind::String => value.is_string(),
        JsonKind::Array => value.is_array(),
        JsonKind::Object => value.is_object(),
    }
}
