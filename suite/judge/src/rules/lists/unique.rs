//! No two entries of a list are known by the same name.

use std::collections::HashMap;

use super::{List, Listed, complete};
use crate::{Collector, View};

/// Doubles on one page are doubles. Across pages the list may have changed in between, so they count if every walk shows them.
pub(in crate::rules) fn unique(view: &View<'_>, collector: &mut Collector, list: &'static List, id: &'static str) {
    let walks = complete(view, list);
    let mut across: HashMap<String, u32> = HashMap::new();
    for walk in &walks {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for entry in walk.entries() {
            if entry.name.is_empty() {
                continue;
            }
            let Some(page) = seen.insert(entry.name, entry.page) else {
                collector.witness(id);
                continue;
            };
            let times = across.entry(entry.name.to_owned()).or_default();
            *times += 1;
            if page == entry.page || *times > 1 {
                collector.fail(id, twice_finding(&entry, list));
            } else {
                let reason = format!("the same {} appears on two pages of one walk through the list", list.key);
                collector.inconclusive(id, reason);
            }
        }
    }
}

fn twice_finding(entry: &Listed<'_>, list: &List) -> verdict::Finding {
    let List { things, key, .. } = list;
    let message = format!("Two of the {things} have the same {key}, so clients cannot tell them apart.");
    entry.finding("", message, format!("each {key} once"), "a duplicate")
}
