//! Arguments that the user vouches for: what is generated differs from them in one property, so that a tool that looks for a
//! file or an account finds it.

use serde_json::Value;

/// The sample with one property as in the instance, or without it if the instance has none: the named one, else one of those
/// that differ in turn. None if that is not accepted.
pub(super) fn near(
    sample: &Value,
    instance: &Value,
    (named, turn): (Option<&str>, usize),
    accept: impl Fn(&Value) -> bool,
) -> Option<Value> {
    let (from, to) = (instance.as_object()?, sample.as_object()?);
    let mut differing: Vec<&str> =
        from.keys().chain(to.keys().filter(|name| !from.contains_key(*name))).map(String::as_str).collect();
    differing.retain(|name| from.get(*name) != to.get(*name));
    let name = named
        .filter(|name| differing.contains(name))
        .or_else(|| differing.get(turn % differing.len().max(1)).copied())?;
    let mut made = to.clone();
    match from.get(name) {
        Some(value) => made.insert(name.to_owned(), value.clone()),
        None => made.shift_remove(name),
    };
    let made = Value::Object(made);
    accept(&made).then_some(made)
}

/// The name of the property that a place in a schema (`/properties/NAME`) or in arguments (`/NAME`) belongs to.
pub(super) fn property(at: &str) -> Option<String> {
    let name = at.strip_prefix("/properties").unwrap_or(at).split('/').nth(1)?;
    Some(name.replace("~1", "/").replace("~0", "~"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_property_differs_from_the_sample() {
        let sample = json!({"path": "/here", "limit": 5});
        let instance = json!({"path": "x", "limit": -1, "more": true});
        let accept = |_: &Value| true;
        let made = |named, turn| near(&sample, &instance, (named, turn), accept);
        assert_eq!(made(Some("limit"), 0), Some(json!({"path": "/here", "limit": -1})));
        assert_eq!(made(None, 2), Some(json!({"path": "/here", "limit": 5, "more": true})));
        let lacking = json!({"limit": 5});
        assert_eq!(near(&sample, &lacking, (None, 7), accept), Some(lacking.clone()));
        assert_eq!(near(&sample, &sample, (None, 0), accept), None);
        assert_eq!(near(&sample, &instance, (None, 0), |_| false), None);
    }

    #[test]
    fn the_property_is_told_by_the_place() {
        assert_eq!(property("/properties/a~1b/items").as_deref(), Some("a/b"));
        assert_eq!(property("/limit").as_deref(), Some("limit"));
        assert_eq!(property(""), None);
    }
}
