//! Calls of tools with parameters that are mirrored into headers, those headers varied.

use serde_json::{Value, json};
use verdict::probes::values::Expect;

use super::names::damaged;
use super::variation::{Variation, send};
use super::{call, encoded, is_modern, tools};
use crate::Tool;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "http/modern-parameters";
/// Tools that are examined.
const TOOLS: usize = 3;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "http.param.match-accepted",
        "http.param.mismatch-rejected",
        "http.param.missing-rejected",
        "http.param.null-needs-no-header",
        "http.param.absent-needs-no-header",
        "http.param.header-without-argument",
        "http.param.base64-decoded",
        "http.param.base64-invalid",
        "http.param.half-marked-is-literal",
        "http.param.invalid-characters",
        "http.param.integer-numeric",
        "http.param.boolean-lower-case",
        "http.param.nested-path",
        "http.param.name-case-insensitive",
    ],
    stage: Stage::Shared,
    applies: is_modern,
    run: |cx| Box::pin(provoke_parameters(cx)),
};

/// A parameter with `x-mcp-header`.
struct Mark {
    /// Property by property from the root.
    path: Vec<String>,
    header: String,
    optional: bool,
}

async fn provoke_parameters(cx: Cx) {
    let mut variations = Vec::new();
    let marked = tools(&cx).map(|(tool, arguments)| (tool, arguments, marks(tool)));
    for (tool, arguments, marks) in marked.filter(|(.., marks)| !marks.is_empty()).take(TOOLS) {
        let control =
            Variation::control(&format!("parameters of {}", tool.name), "tools/call", &call(tool, &arguments));
        variations.push(control.clone());
        // All headers as they should be: that is its own control.
        let complete = control.claim("http.param.match-accepted", Expect::NoMismatch).with("control", Value::Null);
        variations.push(complete);
        for mark in &marks {
            if let Some(value) = arguments.pointer(&mark.pointer()) {
                let probe = Probe { control: &control, tool, arguments: &arguments, mark, value };
                variations.extend(probe.any());
                variations.extend(probe.typed());
            }
        }
    }
    send(&cx, NAME, variations).await;
}

/// One mirrored parameter that has a value.
struct Probe<'a> {
    control: &'a Variation,
    tool: &'a Tool,
    arguments: &'a Value,
    mark: &'a Mark,
    value: &'a Value,
}

impl Probe<'_> {
    fn claim(&self, id: &str, expect: Expect) -> Variation {
        self.control.claim(id, expect).with("place", json!(self.mark.header))
    }

    fn refused(&self, id: &str, value: Option<&str>) -> Variation {
        self.claim(id, Expect::Refused).header(&self.mark.header, value)
    }

    /// Whatever the type.
    fn any(&self) -> Vec<Variation> {
        let header = self.mark.header.as_str();
        let plain = header_value(self.value);
        let other = different_value(self.value);
        let mut variations = vec![
            self.refused("http.param.mismatch-rejected", Some(&other)),
            self.refused("http.param.missing-rejected", None),
            self.refused("http.param.invalid-characters", Some(&format!("{plain}\u{e9}"))).raw(),
            // The header that is set otherwise is the same but for its name.
            self.claim("http.param.name-case-insensitive", Expect::NoMismatch)
                .header(&header.to_uppercase(), Some(&mirrored(&plain)))
                .verbatim(),
        ];
        if self.mark.path.len() > 1 {
            variations.push(self.refused("http.param.nested-path", Some(&other)));
        }
        if self.mark.optional {
            let absent =
                |id, expect| self.claim(id, expect).params(call(self.tool, &without(self.arguments, &self.mark.path)));
            variations.push(absent("http.param.absent-needs-no-header", Expect::NoMismatch));
            let lonely = absent("http.param.header-without-argument", Expect::Refused);
            variations.push(lonely.header(header, Some(&mirrored(&plain))));
            let null = self.claim("http.param.null-needs-no-header", Expect::NoMismatch);
            variations.push(null.params(self.with(&Value::Null)));
        }
        variations
    }

    fn typed(&self) -> Vec<Variation> {
        let header = self.mark.header.as_str();
        match self.value {
            Value::String(text) => {
                let beyond = "Zürich ✓";
                let decoded = self.claim("http.param.base64-decoded", Expect::NoMismatch);
                let mut variations = vec![
                    decoded.clone().header(header, Some(&encoded(text.as_bytes()))),
                    decoded.params(self.with(&json!(beyond))),
                ];
                variations.push(self.refused("http.param.base64-invalid", Some(&damaged(text))));
                variations.extend(["=?base64?YQ==", "YQ==?=", "=?BASE64?YQ==?="].map(|literal| {
                    let same = self.claim("http.param.half-marked-is-literal", Expect::NoMismatch);
                    same.params(self.with(&json!(literal))).header(header, Some(literal))
                }));
                variations
            }
            Value::Bool(flag) => {
                let capital = if *flag { "True" } else { "False" };
                vec![self.refused("http.param.boolean-lower-case", Some(capital))]
            }
            Value::Number(number) if number.is_i64() => {
                let same = self.claim("http.param.integer-numeric", Expect::NoMismatch);
                vec![same.header(header, Some(&format!("{number}.0")))]
            }
            _ => Vec::new(),
        }
    }

    /// The call with another value.
    fn with(&self, value: &Value) -> Value {
        let mut arguments = self.arguments.clone();
        if let Some(place) = arguments.pointer_mut(&self.mark.pointer()) {
            *place = value.clone();
        }
        call(self.tool, &arguments)
    }
}

impl Mark {
    fn pointer(&self) -> String {
        self.path.iter().map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1"))).collect()
    }
}

fn header_value(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// As the session mirrors it.
fn mirrored(plain: &str) -> String {
    crate::session::field_value(plain)
}

fn different_value(value: &Value) -> String {
    match value {
        Value::Bool(flag) => (!flag).to_string(),
        Value::Number(number) => number.as_i64().map_or("1".to_owned(), |number| number.wrapping_add(1).to_string()),
        _ => "mcp-conform-other".to_owned(),
    }
}

fn without(arguments: &Value, path: &[String]) -> Value {
    let mut arguments = arguments.clone();
    if let Some((last, parents)) = path.split_last() {
        let parent = parents.iter().try_fold(&mut arguments, |value, step| value.get_mut(step));
        if let Some(members) = parent.and_then(Value::as_object_mut) {
            members.shift_remove(last);
        }
    }
    arguments
}

fn marks(tool: &Tool) -> Vec<Mark> {
    let mut found = Vec::new();
    if let Some(schema) = tool.input_schema() {
        walk(schema, &mut Vec::new(), &mut found);
    }
    found
}

fn walk(schema: &Value, path: &mut Vec<String>, found: &mut Vec<Mark>) {
    const DEPTH: usize = 32;
    let properties = schema.get("properties").and_then(Value::as_object).filter(|_| path.len() < DEPTH);
    let required = schema.get("required").and_then(Value::as_array);
    for (name, property) in properties.into_iter().flatten() {
        path.push(name.clone());
        if let Some(header) = property.get("x-mcp-header").and_then(Value::as_str) {
            let optional = !required.is_some_and(|names| names.iter().any(|known| known == name));
            found.push(Mark { path: path.clone(), header: format!("Mcp-Param-{header}"), optional });
        }
        walk(property, path, found);
        path.pop();
    }
}
