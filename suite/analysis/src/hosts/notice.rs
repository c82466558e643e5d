//! What crossed the wire in a run, as far as facts about hosts are about it: each result is looked at once.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use judge::{Case, View};
use serde_json::Value;
use verdict::record::{HostPlace, Noticed};

use super::condition::passes;
use super::table::{Answer, Fact, When};
use super::{table, wire};

/// Notices what facts about hosts are about. A fact that nothing could show is left out.
#[must_use]
pub fn notice(view: &View<'_>) -> Vec<Noticed> {
    let facts: Vec<(&Fact, Vec<&When>)> = table().fact.iter().map(|fact| (fact, leaves(&fact.when))).collect();
    let mut noticed: BTreeMap<&str, BTreeSet<HostPlace>> = BTreeMap::new();
    let mut answers: BTreeMap<&str, Vec<(&str, &Answer)>> = BTreeMap::new();
    for (fact, leaf) in facts.iter().flat_map(|(fact, leaves)| leaves.iter().map(|leaf| (fact.id.as_str(), *leaf))) {
        match leaf {
            When::Answer(answer) => answers.entry(&answer.method).or_default().push((fact, answer)),
            leaf => seen(leaf, view).into_iter().for_each(|places| noticed.entry(fact).or_default().extend(places)),
        }
    }
    let tools: BTreeMap<&str, &Value> =
        view.tools().iter().rev().map(|tool| (tool.name.as_str(), &tool.definition)).collect();
    for (method, answers) in answers {
        for case in view.calls(method) {
            look_at(method, &case, &answers, &tools, &mut noticed);
        }
    }
    let noticed = noticed.into_iter();
    noticed.map(|(fact, places)| Noticed { fact: fact.to_owned(), places: places.into_iter().collect() }).collect()
}

/// What a condition on the wire shows; none if nothing was seen that could show it.
fn seen(when: &When, view: &View<'_>) -> Option<Vec<HostPlace>> {
    match when {
        When::Wire(name) => wire::function(name).and_then(|code| code(view)),
        When::StartsAfter(seconds) => wire::starts_after(view, Duration::from_secs(*seconds)),
        _ => None,
    }
}

fn leaves(when: &When) -> Vec<&When> {
    match when {
        When::Any(all) => all.iter().flat_map(leaves).collect(),
        leaf => vec![leaf],
    }
}

fn look_at<'f>(
    method: &str,
    case: &Case<'_>,
    answers: &[(&'f str, &Answer)],
    tools: &BTreeMap<&str, &Value>,
    noticed: &mut BTreeMap<&'f str, BTreeSet<HostPlace>>,
) {
    let Some(result) = case.result() else { return };
    let tool = case.tool();
    let definition = tool.and_then(|name| tools.get(name)).copied();
    if method == "tools/call" && definition.is_none() {
        // A host calls what was listed: how the call of another name is answered never reaches it.
        return;
    }
    for (fact, answer) in answers {
        let places = noticed.entry(fact).or_default();
        if passes(&answer.result, result, definition.unwrap_or(&Value::Null)) {
            places.insert(HostPlace { tool: tool.map(str::to_owned), at: format!("{method} result") });
        }
    }
}
