//! A list asked for without params is the list asked for with empty ones.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{List, Walk, complete};
use crate::{Case, Collector, View};

/// Judges the requests without params.
pub(in crate::rules) fn bare(view: &View<'_>, collector: &mut Collector, list: &'static List, id: &'static str) {
    let walks = complete(view, list);
    for case in view.probes(list.bare).filter(Case::is_decided) {
        check_answered(&case, &walks, collector, list, id);
    }
}

fn check_answered(case: &Case<'_>, walks: &[Walk<'_>], collector: &mut Collector, list: &List, id: &'static str) {
    let List { method, things, .. } = list;
    let own = walks.iter().filter(|walk| walk.session.id == case.session.id);
    let Some(result) = case.result() else {
        // A list that is not to be had at all says nothing of params.
        if !matches!(case.status(), Some(401 | 403)) && own.count() > 0 {
            let message = format!("{method} without params does not return the list, though params may be omitted.");
            collector.fail(id, case.finding(message, "the same result as with empty params"));
        }
        return;
    };
    let names = |entries: &Value| -> Option<BTreeSet<String>> {
        entries.as_array()?.iter().map(|entry| Some(entry.get(list.key)?.as_str()?.to_owned())).collect()
    };
    let got = result.get(list.member).and_then(names);
    let ordinary: Vec<_> = own.filter(|walk| walk.pages.len() == 1).collect();
    // The list may have changed meanwhile: any of the ordinary answers will do.
    let same = |walk: &&Walk<'_>| got == Some(walk.set().into_iter().map(str::to_owned).collect());
    let comparable = result.get("nextCursor").is_none() && !ordinary.is_empty();
    collector.check(id, !comparable || ordinary.iter().any(same), || {
        let message = format!("{method} without params returns different {things} than with empty params.");
        case.finding(message, format!("the same {things}"))
    });
}
