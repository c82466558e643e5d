//! Pages of lists: what a tool that takes `limit` and a place gives, and what the page says of itself.

use serde_json::{Map, Value};

use crate::Case;

/// Names of parameters that limit the number of entries, in normalized form.
const LIMITS: [&str; 5] = ["limit", "pagesize", "perpage", "maxresults", "count"];
/// Parameters that say from where.
const PLACES: [&str; 6] = ["offset", "page", "cursor", "after", "pagetoken", "start"];
/// Parameters that choose the format.
const FORMATS: [&str; 3] = ["responseformat", "format", "outputformat"];

/// The result of a tool that takes pages: an object with an array.
pub(super) struct Page {
    /// Every member of the object.
    pub(super) members: Map<String, Value>,
    /// The entries: the longest array.
    pub(super) items: Vec<Value>,
}

impl Page {
    /// The page in a result, structured or as JSON text.
    pub(super) fn of(case: &Case<'_>) -> Option<Self> {
        let result = case.result().filter(|_| !case.is_tool_error())?;
        let properties = case.view.tool(case.tool()?)?.input_schema()?.get("properties")?.as_object()?;
        let takes = |names: &[&str]| properties.keys().any(|name| names.contains(&normalized_name(name).as_str()));
        if !takes(&LIMITS) || !takes(&PLACES) {
            return None;
        }
        let structured = result.get("structuredContent").cloned();
        let value = structured.or_else(|| serde_json::from_str(&text(result)).ok())?;
        let members = value.as_object()?.clone();
        let items = members.values().filter_map(Value::as_array).max_by_key(|items| items.len())?.clone();
        Some(Self { members, items })
    }

    fn member(&self, names: &[&str]) -> Option<&Value> {
        self.members.iter().find(|(name, _)| names.contains(&normalized_name(name).as_str())).map(|(_, value)| value)
    }

    fn number(&self, names: &[&str]) -> Option<u64> {
        self.member(names).and_then(Value::as_u64)
    }

    /// Whether it says that there is more.
    pub(super) fn more(&self) -> Option<bool> {
        self.member(&["hasmore"]).and_then(Value::as_bool)
    }

    /// Where it says that the next page begins.
    pub(super) fn next(&self) -> Option<&Value> {
        self.member(&["nextoffset", "nextcursor", "nextpage", "nextpagetoken", "next"]).filter(|next| !next.is_null())
    }

    /// How many it says that there are in all.
    pub(super) fn total(&self) -> Option<u64> {
        self.number(&["totalcount", "total"])
    }

    /// How many it says that it has.
    pub(super) fn count(&self) -> Option<u64> {
        self.number(&["count"])
    }

    /// From where it says that it was taken.
    pub(super) fn offset(&self) -> Option<u64> {
        self.number(&["offset"])
    }
}

/// A name without what styles differ in.
pub(super) fn normalized_name(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The texts of a result.
pub(super) fn blocks(result: &Value) -> impl Iterator<Item = &str> {
    let blocks = result.get("content").and_then(Value::as_array).into_iter().flatten();
    blocks.filter_map(|block| block.get("text")?.as_str())
}

/// The text of a result.
pub(super) fn text(result: &Value) -> String {
    blocks(result).collect::<Vec<_>>().join("\n")
}

/// It begins as JSON does that is worth cutting; a log line may begin with a bracket, too.
pub(super) fn looks_like_json(text: &str) -> bool {
    let start: String = text.chars().filter(|letter| !letter.is_whitespace()).take(2).collect();
    ["{\"", "[{", "[\"", "[["].contains(&start.as_str())
}

/// An argument of the call by its name in any style.
fn argument<'v>(case: &Case<'v>, names: &[&str]) -> Option<&'v Value> {
    let arguments = case.param("arguments")?.as_object()?;
    arguments.iter().find(|(name, _)| names.contains(&normalized_name(name).as_str())).map(|(_, value)| value)
}

/// How many were asked for.
pub(super) fn limit(case: &Case<'_>) -> Option<u64> {
    argument(case, &LIMITS).and_then(Value::as_u64)
}

/// From which offset.
pub(super) fn offset(case: &Case<'_>) -> Option<u64> {
    argument(case, &["offset"]).and_then(Value::as_u64)
}

/// The format that was asked for.
pub(super) fn format<'v>(case: &Case<'v>) -> Option<&'v str> {
    argument(case, &FORMATS)?.as_str()
}

/// The schema of a tool's parameter for the format.
pub(super) fn format_schema<'v>(case: &Case<'v>) -> Option<&'v Value> {
    let properties = case.view.tool(case.tool()?)?.input_schema()?.get("properties")?.as_object()?;
    properties.iter().find(|(name, _)| FORMATS.contains(&normalized_name(name).as_str())).map(|(_, schema)| schema)
}
