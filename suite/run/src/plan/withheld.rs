//! Tools that are listed and were not called: by which rule, and the flag that changes it.

use std::collections::BTreeMap;

use serde_json::Value;
use verdict::record::Withheld;

use crate::{Calls, Options};

/// Returns the tools that may not be called, by reason.
pub(super) fn withheld(tools: &[Value], options: &Options) -> Vec<Withheld> {
    let mut held: BTreeMap<&str, Vec<(&str, &Value)>> = BTreeMap::new();
    for tool in tools {
        let Some(name) = tool.get("name").and_then(Value::as_str).filter(|name| !options.may_call(name, tool)) else {
            continue;
        };
        let alike = held.entry(options.withheld(name)).or_default();
        if alike.iter().all(|(other, _)| *other != name) {
            alike.push((name, tool));
        }
    }
    let told = |(why, tools): (&str, Vec<(&str, &Value)>)| Withheld {
        why: why.to_owned(),
        flag: least(options, &tools).map(|calls| format!("--calls {}", calls.name())),
        tools: tools.iter().map(|(name, _)| (*name).to_owned()).collect(),
    };
    held.into_iter().map(told).collect()
}

/// The most careful policy with which all of them are called; none for what the user has ruled out.
fn least(options: &Options, tools: &[(&str, &Value)]) -> Option<Calls> {
    let calls_all = |calls: &Calls| {
        let options = Options { calls: *calls, ..options.clone() };
        tools.iter().all(|(name, definition)| options.may_call(name, definition))
    };
    Calls::EVERY.into_iter().filter(|_| options.calls != Calls::None).find(calls_all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_flag_is_the_most_careful_one_that_calls_them_all() {
        let reads = json!({"name": "reads", "annotations": {"readOnlyHint": true}});
        let adds = json!({"name": "adds", "annotations": {"destructiveHint": false}});
        let silent = json!({"name": "silent"});
        let flag = |tools: &[Value], calls: Calls| {
            let options = Options { calls, never: vec!["never".into()], ..Options::default() };
            let held = withheld(tools, &options);
            held.first().map(|held| (held.tools.len(), held.flag.clone().unwrap_or_default()))
        };
        let told = |tools, flag: &str| Some((tools, flag.to_owned()));
        assert_eq!(flag(&[reads.clone(), adds.clone()], Calls::ReadOnly), told(1, "--calls additive"));
        assert_eq!(flag(&[adds.clone(), silent.clone()], Calls::ReadOnly), told(2, "--calls all"));
        assert_eq!(flag(&[adds.clone(), silent.clone()], Calls::Additive), told(1, "--calls all"));
        assert_eq!(flag(std::slice::from_ref(&reads), Calls::None), told(1, ""));
        assert_eq!(flag(&[json!({"name": "never"})], Calls::All), told(1, ""));
        assert_eq!(flag(&[reads, adds, silent], Calls::All), None);
    }
}
