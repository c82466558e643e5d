//! Hints put to the test: what a tool leaves behind, seen in everything that the server shows.
//!
//! For idempotent tools the first call comes before the looks, and `after` is after the second one. With several tools
//! called together, a look shows that none of them changes anything, or nothing. What repeated calls show is in
//! [`twice`].

use std::collections::BTreeMap;

use serde_json::Value;
use verdict::{Intent, Key};

use super::probed;
use super::sheet::{Sheet, Words};
use super::twice;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/effects",
    judges: &["practice.annotations.read-only-has-no-effect", "practice.annotations.idempotent-truthful"],
    judge,
};

const WORDS: &[Words] = &[
    Words {
        id: RULE.judges[0],
        what: "claim to be read-only but change what the server shows, so clients call them without asking the user",
        expected: "no change, or readOnlyHint false",
    },
    Words {
        id: RULE.judges[1],
        what: "claim to be idempotent but change what the server shows again, so clients repeat them freely",
        expected: "the same after the second call, or idempotentHint false",
    },
];

/// A change must show each time.
const ROUNDS: usize = 2;

#[derive(Default)]
struct Looks<'v> {
    first: Option<Value>,
    second: Option<Value>,
    after: Option<(Value, Option<Case<'v>>)>,
}

impl Looks<'_> {
    /// Returns whether something that does not change by itself was changed; `None` if that was not seen.
    fn changed(&self) -> Option<bool> {
        let (first, second, (after, _)) = (self.first.as_ref()?, self.second.as_ref()?, self.after.as_ref()?);
        Some(first == second && second != after)
    }
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut rounds: BTreeMap<(&str, &str, &str), BTreeMap<u64, Looks<'_>>> = BTreeMap::new();
    for case in probed(view, Intent::PracticeLook).filter(Case::is_decided) {
        let (of, what) = (case.about_str(Key::Of), case.about_str(Key::What));
        let (Some((of, what)), Some(round)) = (of.zip(what), case.about(Key::Round).and_then(Value::as_u64)) else {
            continue;
        };
        let tool = case.about_str(Key::Tool).unwrap_or_default();
        let Some(result) = case.result().cloned().map(without_meta) else { continue };
        let looks = rounds.entry((of, tool, what)).or_default().entry(round).or_default();
        match case.about_str(Key::When) {
            Some("first") => looks.first = Some(result),
            Some("second") => looks.second = Some(result),
            _ => looks.after = Some((result, Some(case))),
        }
    }
    let mut sheet = Sheet::default();
    for ((of, ..), rounds) in &rounds {
        let Some(id) = RULE.judges.iter().copied().find(|id| id == of) else { continue };
        let changes: Vec<bool> = rounds.values().filter_map(Looks::changed).collect();
        let case = rounds.values().find_map(|looks| looks.after.as_ref()?.1);
        if let Some(case) = case.filter(|_| !changes.is_empty()) {
            let always = changes.len() >= ROUNDS && changes.iter().all(|changed| *changed);
            match case.about(Key::Tools).and_then(Value::as_array) {
                Some(tools) if !changes.contains(&true) => {
                    tools.iter().filter_map(Value::as_str).for_each(|tool| sheet.witness(id, tool));
                }
                Some(_) => {}
                None => sheet.note(id, &case, !always),
            }
        }
    }
    sheet.tell(collector, WORDS);
    twice::judge(view, [WORDS[0].id, WORDS[1].id], collector);
}

/// `_meta` may hold times.
fn without_meta(mut result: Value) -> Value {
    if let Some(members) = result.as_object_mut() {
        members.remove("_meta");
    }
    result
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Status};

    use super::super::tests::listed;
    use super::RULE;
    use crate::testing::Script;

    /// Builds a transcript in which a counter is read three times in each round, with these values.
    fn looks(of: &str, shown: &[i32]) -> Script {
        let mut script = listed(json!([{"name": "get_it"}, {"name": "get_count"}]));
        for (at, count) in shown.iter().enumerate() {
            let when = ["first", "second", "after"][at % 3];
            let about = json!({"of": of, "tool": "get_it", "round": at / 3, "when": when, "what": "get_count"});
            let result = json!({"result": {"content": [{"type": "text", "text": count.to_string()}]}});
            script =
                script.probe_about(Intent::PracticeLook, about, "tools/call", json!({"name": "get_count"}), result);
        }
        script
    }

    #[test]
    fn a_change_each_time_is_an_effect() {
        for id in RULE.judges {
            assert_eq!(looks(id, &[1, 1, 2, 2, 2, 3]).status_of(id), Status::Fail);
            assert_eq!(looks(id, &[1, 1, 1, 1, 1, 1]).status_of(id), Status::Pass);
        }
    }

    #[test]
    fn tools_called_together_show_only_that_nothing_changes() {
        for id in RULE.judges {
            let together = |after: i32| {
                let mut script = listed(json!([{"name": "get_it"}, {"name": "get_count"}]));
                for (when, count) in [("first", 1), ("second", 1), ("after", after)] {
                    let about = json!({"of": id, "tools": ["get_it"], "round": 0, "when": when, "what": "get_count"});
                    let result = json!({"result": {"content": [{"type": "text", "text": count.to_string()}]}});
                    let params = json!({"name": "get_count"});
                    script = script.probe_about(Intent::PracticeLook, about, "tools/call", params, result);
                }
                script.status_of(id)
            };
            assert_eq!((together(1), together(2)), (Status::Pass, Status::NotObserved));
        }
    }

    #[test]
    fn what_changes_by_itself_or_once_is_none() {
        for id in RULE.judges {
            assert_eq!(looks(id, &[1, 2, 3, 4, 5, 6]).status_of(id), Status::Pass);
            assert_eq!(looks(id, &[1, 1, 2, 2, 2, 2]).status_of(id), Status::Pass);
            assert_eq!(looks(id, &[1, 1, 2]).status_of(id), Status::Pass);
        }
    }
}
