//! How faults have the tools of [`super::schemas`] check their arguments, and what they do with some of them. All of it
//! shows with the right arguments alone.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Value, json};

use super::measured::depth;
use super::schemas::NAMES;
use crate::core::{Action, Connection, Reply};
use crate::error::RpcError;
use crate::settings::Settings;

const OVERLOOKS: &str = "tools.call.invalid-arguments-rejected";
const REFUSES: &str = "tools.call.valid-arguments-accepted";
const FALLS: &str = "jsonrpc.response.every-request-answered";

/// Integers beyond which doubles have gaps.
const SAFE: f64 = 9_007_199_254_740_991.0;

/// The faults in the way, for one tool.
pub(super) struct Careless<'a> {
    settings: &'a Settings,
    concerned: bool,
}

impl<'a> Careless<'a> {
    pub(super) fn new(settings: &'a Settings, tool: &str) -> Self {
        Self { settings, concerned: NAMES.contains(&tool) }
    }

    /// The ways in which the server is to break a requirement here: there may be several.
    fn variants(&self, id: &str) -> impl Iterator<Item = &'static str> {
        let all = self.settings.faults().iter().filter(move |fault| self.concerned && fault.id == id);
        all.map(|fault| fault.variant)
    }

    fn has(&self, id: &str, variant: &str) -> bool {
        self.concerned && self.settings.faulty_as(id, variant)
    }

    /// Whether something wrong with the arguments goes unnoticed.
    pub(super) fn overlooks(&self, error: &ValidationError<'_>) -> bool {
        self.variants(OVERLOOKS).any(|variant| misses_by_one(variant, error) || misses(variant, error))
    }

    /// Whether good arguments are refused.
    pub(super) fn refuses(&self, arguments: &Value) -> bool {
        self.variants(REFUSES).any(|variant| refuses(variant, arguments))
    }

    /// What comes of arguments that a fault cannot cope with.
    pub(super) fn falls(&self, connection: &mut Connection, arguments: &Value) -> Option<Reply> {
        let text = arguments["text"].as_str();
        if self.has("tools.error.execution-in-result", "quotes") && text.is_some_and(|text| text.contains(['"', '\\']))
        {
            return Some(RpcError::new(-32603, "unterminated string").into());
        }
        if self.has(FALLS, "hang") && arguments["step"].as_f64() == Some(0.0) {
            return Some(Reply::Later);
        }
        let falls = self.variants(FALLS).any(|variant| match variant {
            "empty-text" => text == Some(""),
            "unicode" => text.is_some_and(|text| !text.is_ascii()),
            "big-integer" => arguments["from"].as_f64().is_some_and(|from| from.abs() > SAFE),
            "deep" => depth(&arguments["sum"]) > 3,
            _ => false,
        });
        falls.then(|| {
            connection.act(Action::Exit(1));
            Reply::Later
        })
    }

    pub(super) fn prices_in_words(&self, service: &str) -> bool {
        service == "overnight" && self.has("tools.structured.conforms", "branch")
    }

    pub(super) fn has_null_for_nothing(&self) -> bool {
        self.has("tools.structured.conforms", "empty")
    }
}

/// Bounds that let the next value beyond pass.
fn misses_by_one(variant: &str, error: &ValidationError<'_>) -> bool {
    let value = error.instance().as_f64();
    let beyond = |limit: &Value, by: f64| value.zip(limit.as_f64()).is_some_and(|(value, limit)| value == limit + by);
    let counted = || match error.instance().as_ref() {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    } as u64;
    match (variant, error.kind()) {
        ("minimum", Kind::Minimum { limit }) => beyond(limit, -1.0),
        ("maximum", Kind::Maximum { limit }) => beyond(limit, 1.0),
        ("exclusive-minimum", Kind::ExclusiveMinimum { limit })
        | ("exclusive-maximum", Kind::ExclusiveMaximum { limit }) => beyond(limit, 0.0),
        ("min-length", Kind::MinLength { limit })
        | ("min-items", Kind::MinItems { limit })
        | ("min-properties", Kind::MinProperties { limit }) => counted() + 1 == *limit,
        ("max-length", Kind::MaxLength { limit })
        | ("max-items", Kind::MaxItems { limit })
        | ("max-properties", Kind::MaxProperties { limit }) => counted() == *limit + 1,
        _ => false,
    }
}

/// Other checks that are not what they should be.
fn misses(variant: &str, error: &ValidationError<'_>) -> bool {
    let instance = error.instance().as_ref();
    let is_below = !error.instance_path().to_string().is_empty();
    let text = || instance.as_str().unwrap_or_default();
    match (variant, error.kind()) {
        ("multiple-of", Kind::MultipleOf { .. })
        | ("not", Kind::Not { .. })
        | ("one-of", Kind::OneOfMultipleValid { .. }) => true,
        ("min-bytes", Kind::MinLength { limit }) => text().len() as u64 >= *limit,
        ("enum-case", Kind::Enum { options }) => options
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .any(|one| one.eq_ignore_ascii_case(text())),
        ("const-case", Kind::Constant { expected_value }) => {
            expected_value.as_str().is_some_and(|one| one.eq_ignore_ascii_case(text()))
        }
        ("pattern-anywhere", Kind::Pattern { pattern }) => is_found(pattern.trim_matches(['^', '$']), instance),
        ("pattern-start", Kind::Pattern { pattern }) => is_found(pattern.trim_end_matches('$'), instance),
        ("unknown-below", Kind::AdditionalProperties { .. }) | ("required-below", Kind::Required { .. }) => is_below,
        ("unique-text", Kind::UniqueItems) => are_unlike(instance, false),
        ("unique-order", Kind::UniqueItems) => are_unlike(instance, true),
        ("first-item", _) => {
            error.instance_path().to_string().split('/').any(|step| step.parse::<usize>().is_ok_and(|at| at > 0))
        }
        ("null", Kind::Type { .. }) => instance.is_null(),
        ("coerced", Kind::Type { .. }) => text().parse::<f64>().is_ok(),
        ("fraction", Kind::Type { .. }) => instance.is_f64(),
        ("names", Kind::PropertyNames { .. }) | ("format", Kind::Format { .. }) => true,
        _ => false,
    }
}

fn is_found(pattern: &str, text: &Value) -> bool {
    jsonschema::validator_for(&json!({"pattern": pattern})).is_ok_and(|validator| validator.is_valid(text))
}

/// Whether no two items are written alike; numbers by their value if it is the order of members that counts.
fn are_unlike(items: &Value, by_value: bool) -> bool {
    let written =
        |item: &Value| item.as_f64().filter(|_| by_value).map_or_else(|| item.to_string(), |number| number.to_string());
    let mut all: Vec<String> = items.as_array().into_iter().flatten().map(written).collect();
    let count = all.len();
    all.sort();
    all.dedup();
    all.len() == count
}

/// Whether a fault takes good arguments for bad ones.
fn refuses(variant: &str, arguments: &Value) -> bool {
    let of = |name: &str| &arguments[name];
    let name = of("name").as_str().unwrap_or_default();
    match variant {
        "whole-float" => ["grams", "insured", "from", "step"].iter().any(|name| of(name).is_f64()),
        "bytes" => name.len() > 12,
        "utf16" => name.encode_utf16().count() > 12,
        "longest" => name.chars().count() == 12,
        "anchored" => of("code").as_str().is_some_and(|code| code.len() != 3),
        "exclusive" => ["grams", "step"].iter().any(|name| [1, 30_000, -10, 10].iter().any(|bound| of(name) == bound)),
        "fullest" => of("tags").as_array().is_some_and(|tags| tags.len() == 4),
        "empty-list" => of("ratings") == &json!([]),
        "null" => of("floor").is_null() && arguments.get("floor").is_some(),
        "branch" => of("method")["kind"] == "bank",
        "leap-day" => of("day").as_str().is_some_and(|day| day.ends_with("-02-29")),
        "falsy" => of("insured") == &json!(0),
        "nested" => depth(of("sum")) > 1,
        _ => false,
    }
}
