//! Instances that break one keyword of a schema each, made from one that satisfies it; the caller checks that they do.
//!
//! `firm` is what no lenient reading could make right: a required property without a default is missing, or an object stands
//! where a required number or string must. Everything else, "5" for 5 or a property too many, some servers take on purpose.

use serde_json::{Map, Value, json};

use super::Invalid;
use super::making::{is_of, kind, make, written};
use super::resolve::resolve;

/// Levels of the instance that are visited.
const DEPTH: usize = 4;
/// Places of the instance that are visited.
const PLACES: usize = 60;
/// Longest string or list made to break a bound.
const LONGEST: u64 = 20_000;

/// Sets of arguments that should break the schema, the gravest first.
pub(super) fn sets(schema: &Value, valid: &Value) -> Vec<Invalid> {
    let mut breaker = Breaker { root: schema, valid, found: Vec::new(), places: 0 };
    breaker.place(schema, "", valid, true, DEPTH);
    breaker.found.sort_by_key(|set| (!set.firm, set.keyword != "required", set.keyword != "type"));
    breaker.found
}

struct Breaker<'s> {
    root: &'s Value,
    valid: &'s Value,
    found: Vec<Invalid>,
    places: usize,
}

impl Breaker<'_> {
    /// Breaks what stands at a place; `required`: every step to it is.
    fn place(&mut self, schema: &Value, at: &str, value: &Value, required: bool, depth: usize) {
        self.places += 1;
        if depth == 0 || self.places > PLACES {
            return;
        }
        let schema = resolve(self.root, schema, 0);
        if !at.is_empty() {
            self.kinds(&schema, at, value, required);
            self.listed(&schema, at);
        }
        match value {
            Value::Object(members) => self.object(&schema, at, members, required, depth),
            Value::Array(items) => self.array(&schema, at, items, depth),
            Value::String(text) => self.text(&schema, at, text),
            Value::Number(number) => self.number(&schema, at, number.as_f64()),
            _ => {}
        }
    }

    fn put(&mut self, keyword: &'static str, at: &str, place: &str, value: Option<Value>, firm: bool) {
        let mut arguments = self.valid.clone();
        if set(&mut arguments, place, value).is_some() {
            self.found.push(Invalid { arguments, keyword, at: at.to_owned(), firm });
        }
    }

    fn kinds(&mut self, schema: &Map<String, Value>, at: &str, value: &Value, required: bool) {
        let Some(kinds) = schema.get("type") else { return };
        let scalar = matches!(kind(schema), Some("string" | "number" | "integer"));
        let coerced = match value {
            Value::Number(number) => json!(number.to_string()),
            Value::String(_) => json!(5),
            Value::Bool(value) => json!(value.to_string()),
            _ => json!("mcp-conform"),
        };
        for (wrong, firm) in
            [(json!({"mcp-conform": true}), required && scalar), (json!([[]]), required && scalar), (coerced, false)]
        {
            if !is_of(&wrong, kinds) {
                self.put("type", at, at, Some(wrong), firm);
            }
        }
    }

    fn listed(&mut self, schema: &Map<String, Value>, at: &str) {
        for keyword in ["enum", "const"] {
            if schema.contains_key(keyword) {
                let wrong = if kind(schema) == Some("string") { json!("mcp-conform-none") } else { json!(987_654) };
                self.put(keyword, at, at, Some(wrong), false);
            }
        }
    }

    fn object(
        &mut self,
        schema: &Map<String, Value>,
        at: &str,
        members: &Map<String, Value>,
        required: bool,
        depth: usize,
    ) {
        let nothing = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&nothing);
        let names: Vec<String> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        for name in &names {
            let default = properties.get(name).is_some_and(|of| resolve(self.root, of, 0).contains_key("default"));
            self.put("required", at, &join(at, name), None, required && !default);
        }
        for (name, of) in properties {
            let needed = required && names.contains(name);
            let place = join(at, name);
            match members.get(name) {
                Some(value) => self.place(of, &place, value, needed, depth - 1),
                None => self.absent(of, &place),
            }
        }
        let unknown = Some(json!(1));
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if schema.get(keyword) == Some(&Value::Bool(false)) {
                self.put(keyword, at, &join(at, "mcp_conform_unknown"), unknown.clone(), false);
            }
        }
        self.dependent(schema, properties, at, members);
    }

    /// A property that the valid arguments leave out: of the wrong type it is wrong all the same.
    fn absent(&mut self, of: &Value, place: &str) {
        let schema = resolve(self.root, of, 0);
        let Some(kinds) = schema.get("type") else { return };
        let wrong = if is_of(&json!({}), kinds) { json!("mcp-conform") } else { json!({"mcp-conform": true}) };
        if !is_of(&wrong, kinds) {
            self.put("type", place, place, Some(wrong), false);
        }
    }

    fn dependent(
        &mut self,
        schema: &Map<String, Value>,
        properties: &Map<String, Value>,
        at: &str,
        members: &Map<String, Value>,
    ) {
        let Some(dependent) = schema.get("dependentRequired").and_then(Value::as_object) else { return };
        for (name, wanted) in dependent {
            let wanted: Vec<&str> = wanted.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let made = members
                .get(name)
                .cloned()
                .or_else(|| make(self.root, properties.get(name).unwrap_or(&Value::Bool(true))));
            let (Some(value), Some(first)) = (made, wanted.first()) else { continue };
            let mut broken = members.clone();
            broken.insert(name.clone(), value);
            broken.shift_remove(*first);
            self.put("dependentRequired", at, at, Some(Value::Object(broken)), false);
        }
    }

    fn array(&mut self, schema: &Map<String, Value>, at: &str, items: &[Value], depth: usize) {
        let length = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
        if length("minItems").is_some_and(|least| least > 0) && !items.is_empty() {
            self.put("minItems", at, at, Some(json!(items[..items.len() - 1])), false);
        }
        let listed = schema.get("items").filter(|items| !items.is_array());
        let another = items.last().cloned().or_else(|| make(self.root, listed.unwrap_or(&Value::Bool(true))));
        if let (Some(most), Some(another)) = (length("maxItems").filter(|most| *most < LONGEST), &another) {
            let mut longer = items.to_vec();
            longer.resize(usize::try_from(most).unwrap_or(0) + 1, another.clone());
            self.put("maxItems", at, at, Some(Value::Array(longer)), false);
        }
        if let (Some(Value::Bool(true)), Some(another)) = (schema.get("uniqueItems"), &another) {
            let mut twice = items.to_vec();
            twice.push(another.clone());
            if items.is_empty() {
                twice.push(another.clone());
            }
            self.put("uniqueItems", at, at, Some(Value::Array(twice)), false);
        }
        self.prefix(schema, at, items);
        if let (Some(of), Some(first)) = (listed, items.first()) {
            // Tools that work off a list often report each item's trouble in an ordinary result.
            self.place(of, &join(at, "0"), first, false, depth - 1);
        }
    }

    fn prefix(&mut self, schema: &Map<String, Value>, at: &str, items: &[Value]) {
        let Some(kinds) =
            schema.get("prefixItems").and_then(|prefix| prefix.get(0)).map(|of| resolve(self.root, of, 0))
        else {
            return;
        };
        let Some(kinds) = kinds.get("type").filter(|_| !items.is_empty()) else { return };
        let wrong = json!({"mcp-conform": true});
        if !is_of(&wrong, kinds) {
            let place = join(at, "0");
            self.put("prefixItems", &place, &place, Some(wrong), false);
        }
    }

    fn text(&mut self, schema: &Map<String, Value>, at: &str, text: &str) {
        let length = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
        if let Some(least) = length("minLength").filter(|least| (1..LONGEST).contains(least)) {
            let short: String = text.chars().take(usize::try_from(least).unwrap_or(1) - 1).collect();
            self.put("minLength", at, at, Some(json!(short)), false);
        }
        if let Some(most) = length("maxLength").filter(|most| *most < LONGEST) {
            let most = usize::try_from(most).unwrap_or(0);
            let fill = text.chars().last().unwrap_or('x');
            let long: String = text.chars().chain(std::iter::repeat(fill)).take(most + 1).collect();
            self.put("maxLength", at, at, Some(json!(long)), false);
        }
        if schema.contains_key("pattern") {
            let least = usize::try_from(length("minLength").unwrap_or(1).clamp(1, 200)).unwrap_or(1);
            for mark in ["!", " ", "a", "\u{e9}"] {
                self.put("pattern", at, at, Some(json!(mark.repeat(least))), false);
            }
        }
    }

    fn number(&mut self, schema: &Map<String, Value>, at: &str, value: Option<f64>) {
        let unit = schema.get("multipleOf").and_then(Value::as_f64).unwrap_or(1.0);
        for (keyword, beyond) in
            [("minimum", -unit), ("maximum", unit), ("exclusiveMinimum", 0.0), ("exclusiveMaximum", 0.0)]
        {
            if let Some(limit) = schema.get(keyword).and_then(Value::as_f64) {
                self.put(keyword, at, at, Some(written(limit + beyond)), false);
            }
        }
        if schema.contains_key("multipleOf")
            && let Some(value) = value
        {
            self.put("multipleOf", at, at, Some(written(value + unit / 2.0)), false);
        }
        if kind(schema) == Some("integer")
            && let Some(value) = value
        {
            self.put("type", at, at, Some(json!(value + 0.5)), false);
        }
    }
}

fn join(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Puts a value at a pointer, or removes what is there. None if there is no such place.
fn set(arguments: &mut Value, place: &str, value: Option<Value>) -> Option<()> {
    let Some((parent, last)) = place.rsplit_once('/') else {
        *arguments = value?;
        return Some(());
    };
    let last = last.replace("~1", "/").replace("~0", "~");
    match (arguments.pointer_mut(parent)?, value) {
        (Value::Object(members), Some(value)) => {
            members.insert(last, value);
            Some(())
        }
        (Value::Object(members), None) => members.shift_remove(&last).map(drop),
        (Value::Array(items), Some(value)) => {
            *items.get_mut(last.parse::<usize>().ok()?)? = value;
            Some(())
        }
        _ => None,
    }
}
