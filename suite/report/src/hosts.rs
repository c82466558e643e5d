//! What hosts do not take of a server, by tool and host.

use std::collections::BTreeMap;

use verdict::record::{EFFECTS, HostFact, Record};

/// A word in a table for each of [`EFFECTS`].
const WORDS: [&str; EFFECTS.len()] = ["request", "list", "connection", "tool", "cut off", "changed", "warning"];
/// The row of what concerns no single tool.
const SERVER: &str = "the server";

/// Whether it costs every user of a host a request, a list, the connection or a tool.
pub(crate) fn is_grave(fact: &HostFact) -> bool {
    fact.is_grave_in(&|_| true)
}

/// How it is known, and when it was last confirmed.
pub(crate) fn known(fact: &HostFact) -> String {
    let old = if fact.old { ", which is long ago" } else { "" };
    format!("{}, last confirmed {}{old}", fact.status, fact.confirmed)
}

fn rank(effect: &str) -> usize {
    EFFECTS.iter().position(|name| *name == effect).unwrap_or(EFFECTS.len())
}

/// The worst that each host does to each tool.
pub(crate) struct Matrix<'r> {
    pub(crate) hosts: Vec<&'r str>,
    /// The tools, each with a word for each host; empty where the host takes it. What concerns no single tool stands under `the server`.
    pub(crate) rows: Vec<(&'r str, Vec<&'static str>)>,
}

impl<'r> Matrix<'r> {
    /// The matrix of what happens to every user; none if nothing does.
    pub(crate) fn of(record: &'r Record) -> Option<Self> {
        let mut worst: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for fact in record.hosts.iter().filter(|fact| fact.is_for_all()) {
            for place in &fact.places {
                for host in &fact.hosts {
                    let cell = worst.entry((place.tool.as_deref().unwrap_or(SERVER), host)).or_insert(EFFECTS.len());
                    *cell = rank(fact.effect_in(host)).min(*cell);
                }
            }
        }
        let mut hosts: Vec<&str> = worst.keys().map(|(_, host)| *host).collect();
        let mut tools: Vec<&str> = worst.keys().map(|(tool, _)| *tool).collect();
        for names in [&mut hosts, &mut tools] {
            names.sort_unstable();
            names.dedup();
        }
        let word = |tool, host| worst.get(&(tool, host)).and_then(|rank| WORDS.get(*rank)).map_or("", |word| *word);
        let rows: Vec<_> =
            tools.into_iter().map(|tool| (tool, hosts.iter().map(|host| word(tool, *host)).collect())).collect();
        (!rows.is_empty()).then_some(Self { hosts, rows })
    }
}
