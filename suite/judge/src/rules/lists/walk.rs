//! Walks over the pages of a list, and every definition in them.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;
use verdict::{Finding, Intent};

use super::List;
use crate::view::clip;
use crate::{Case, Session, View};

/// One walk from the first page on.
#[derive(Debug)]
pub(in crate::rules) struct Walk<'v> {
    /// Which list.
    pub(in crate::rules) list: &'static List,
    /// Where.
    pub(in crate::rules) session: &'v Session<'v>,
    /// The pages, in order.
    pub(in crate::rules) pages: Vec<Case<'v>>,
    next: Option<&'v str>,
}

/// An entry as listed.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Listed<'v> {
    /// Which list.
    pub(in crate::rules) list: &'static List,
    /// The request of its page.
    pub(in crate::rules) case: Case<'v>,
    /// Which page of the walk.
    pub(in crate::rules) page: usize,
    /// Its name or URI; empty if that is not a string, which the shapes report.
    pub(in crate::rules) name: &'v str,
    /// Its definition.
    pub(in crate::rules) definition: &'v Value,
}

impl<'v> Walk<'v> {
    /// Every page was asked for.
    pub(in crate::rules) fn is_complete(&self) -> bool {
        self.next.is_none()
    }

    /// When its first request was sent.
    pub(in crate::rules) fn start(&self) -> u32 {
        self.pages.first().map_or(0, |page| page.exchange.seq)
    }

    /// When its last answer came.
    pub(in crate::rules) fn end(&self) -> u32 {
        self.pages.last().and_then(Case::answer).map_or(u32::MAX, |answer| answer.seq)
    }

    /// Its entries, in order.
    pub(in crate::rules) fn entries(&self) -> Vec<Listed<'v>> {
        let list = self.list;
        let pages = self.pages.iter().enumerate();
        pages
            .flat_map(|(page, case)| definitions(list, case).map(move |it| listed_entry(list, *case, page, it)))
            .collect()
    }

    /// Their names, in order.
    pub(in crate::rules) fn names(&self) -> Vec<&'v str> {
        self.entries().iter().map(|tool| tool.name).collect()
    }

    /// Their names.
    pub(in crate::rules) fn set(&self) -> BTreeSet<&'v str> {
        self.names().into_iter().collect()
    }

    /// Whether two walks gave the same definitions, in whatever order.
    pub(in crate::rules) fn same(&self, other: &Self) -> bool {
        let counted = |walk: &Self| {
            let mut counts: HashMap<&'v Value, usize> = HashMap::new();
            walk.entries().iter().for_each(|tool| *counts.entry(tool.definition).or_default() += 1);
            counts
        };
        counted(self) == counted(other)
    }
}

/// Every walk of the judged sessions, by session and beginning. Requests of scenarios with another intent do not count.
pub(in crate::rules) fn walks<'v>(view: &'v View<'v>, list: &'static List) -> Vec<Walk<'v>> {
    let mut found: Vec<Walk<'v>> = Vec::new();
    for case in view.calls(list.method).filter(is_ordinary) {
        let Some(result) = case.result().filter(|result| result[list.member].is_array()) else { continue };
        let (session, next) = (case.session, result.get("nextCursor").and_then(Value::as_str));
        match case.param("cursor") {
            None => found.push(Walk { list, session, pages: vec![case], next }),
            Some(cursor) => {
                let mut own = found.iter_mut().filter(|walk| std::ptr::eq(walk.session, session));
                if let Some(walk) = own.find(|walk| walk.next.is_some() && walk.next == cursor.as_str()) {
                    walk.pages.push(case);
                    walk.next = next;
                }
            }
        }
    }
    found
}

/// The survey walks once at the beginning and again after each phase; scenarios that walk the whole list say so as well.
pub(in crate::rules) fn is_ordinary(case: &Case<'_>) -> bool {
    matches!(case.intent(), None | Some(Intent::Walk | Intent::WalkAfter | Intent::WalkOnce | Intent::WalkTwice))
}

/// The complete walks.
pub(in crate::rules) fn complete<'v>(view: &'v View<'v>, list: &'static List) -> Vec<Walk<'v>> {
    walks(view, list).into_iter().filter(Walk::is_complete).collect()
}

/// Every definition of every walk, each once; the order of members does not count.
pub(in crate::rules) fn all<'v>(view: &'v View<'v>, list: &'static List) -> Vec<Listed<'v>> {
    let mut seen = HashSet::new();
    let entries = walks(view, list).into_iter().flat_map(|walk| walk.entries());
    entries.filter(|entry| seen.insert(entry.definition)).collect()
}

fn definitions<'v>(list: &List, case: &Case<'v>) -> impl Iterator<Item = &'v Value> + use<'v> {
    case.result().and_then(|result| result.get(list.member)).and_then(Value::as_array).into_iter().flatten()
}

fn listed_entry<'v>(list: &'static List, case: Case<'v>, page: usize, definition: &'v Value) -> Listed<'v> {
    let name = definition.get(list.key).and_then(Value::as_str).unwrap_or_default();
    Listed { list, case, page, name, definition }
}

impl<'v> Listed<'v> {
    /// A member of the definition that is an object.
    pub(in crate::rules) fn schema(&self, member: &str) -> Option<&'v Value> {
        self.definition.get(member).filter(|value| value.is_object())
    }

    /// A finding about this definition; `place` is a pointer into it.
    pub(in crate::rules) fn finding(
        &self,
        place: impl Into<String>,
        message: impl Into<String>,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Finding {
        let mut finding = self.case.finding(message, expected);
        finding.actual = actual.into();
        finding.place = Some(place.into()).filter(|place| !place.is_empty());
        if self.list.member == "tools" {
            finding.tool = Some(self.name.to_owned());
        } else {
            let within = finding.place.map_or(String::new(), |place| format!(" {place}"));
            finding.place = Some(format!("{}{within}", clip(self.name)));
        }
        finding.wire = vec![
            format!("> {}", clip(&self.case.exchange.send.text)),
            format!("< \u{2026} {} \u{2026}", clip(&self.definition.to_string())),
        ];
        finding.stderr.clear();
        finding
    }
}
