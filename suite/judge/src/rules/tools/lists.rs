//! What `tools/list` gave: walks over its pages, and every definition in them.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;
use verdict::Finding;

use crate::view::clip;
use crate::{Case, Session, View};

/// One walk from the first page on.
#[derive(Debug)]
pub(super) struct Walk<'v> {
    /// Where.
    pub(super) session: &'v Session<'v>,
    /// The pages, in order.
    pub(super) pages: Vec<Case<'v>>,
    next: Option<&'v str>,
}

/// A tool as listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'v> {
    /// The request of its page.
    pub(super) case: Case<'v>,
    /// Which page of the walk.
    pub(super) page: usize,
    /// Its name; empty if that is no string, of which the shapes speak.
    pub(super) name: &'v str,
    /// Its definition.
    pub(super) definition: &'v Value,
}

impl<'v> Walk<'v> {
    /// Every page was asked for.
    pub(super) fn is_complete(&self) -> bool {
        self.next.is_none()
    }

    /// When its first request was sent.
    pub(super) fn start(&self) -> u32 {
        self.pages.first().map_or(0, |page| page.exchange.seq)
    }

    /// When its last answer came.
    pub(super) fn end(&self) -> u32 {
        self.pages.last().and_then(Case::answer).map_or(u32::MAX, |answer| answer.seq)
    }

    /// Its tools, in order.
    pub(super) fn tools(&self) -> Vec<Listed<'v>> {
        let pages = self.pages.iter().enumerate();
        pages.flat_map(|(page, case)| definitions(case).map(move |it| listed(*case, page, it))).collect()
    }

    /// Their names, in order.
    pub(super) fn names(&self) -> Vec<&'v str> {
        self.tools().iter().map(|tool| tool.name).collect()
    }

    /// Their names.
    pub(super) fn set(&self) -> BTreeSet<&'v str> {
        self.names().into_iter().collect()
    }

    /// Whether two walks gave the same definitions, in whatever order.
    pub(super) fn same(&self, other: &Self) -> bool {
        let sorted = |walk: &Self| {
            let mut texts: Vec<String> = walk.tools().iter().map(|tool| canonical(tool.definition)).collect();
            texts.sort();
            texts
        };
        sorted(self) == sorted(other)
    }
}

/// Every walk of the judged sessions, by session and beginning. Requests of scenarios with another intent do not count.
pub(super) fn walks<'v>(view: &'v View<'v>) -> Vec<Walk<'v>> {
    let mut found = Vec::new();
    for session in view.judged() {
        let mut own: Vec<Walk<'v>> = Vec::new();
        for exchange in &session.exchanges {
            let case = Case { view, session, exchange };
            let asks = case.method() == Some("tools/list") && is_ordinary(&case);
            let Some(result) = case.result().filter(|result| asks && result["tools"].is_array()) else { continue };
            let next = result.get("nextCursor").and_then(Value::as_str);
            match case.param("cursor") {
                None => own.push(Walk { session, pages: vec![case], next }),
                Some(cursor) => {
                    let open = own.iter_mut().find(|walk| walk.next.is_some() && walk.next == cursor.as_str());
                    if let Some(walk) = open {
                        walk.pages.push(case);
                        walk.next = next;
                    }
                }
            }
        }
        found.extend(own);
    }
    found
}

/// The survey walks once at the beginning and again after each phase; scenarios that walk the whole list say so as well.
pub(super) fn is_ordinary(case: &Case<'_>) -> bool {
    matches!(case.intent(), None | Some("walk" | "walk-after" | "walk-once" | "walk-twice"))
}

/// The complete walks.
pub(super) fn complete<'v>(view: &'v View<'v>) -> Vec<Walk<'v>> {
    walks(view).into_iter().filter(Walk::is_complete).collect()
}

/// Every definition of every walk, each once.
pub(super) fn all<'v>(view: &'v View<'v>) -> Vec<Listed<'v>> {
    let mut seen = HashSet::new();
    let tools = walks(view).into_iter().flat_map(|walk| walk.tools());
    tools.filter(|tool| seen.insert(canonical(tool.definition))).collect()
}

fn definitions<'v>(case: &Case<'v>) -> impl Iterator<Item = &'v Value> + use<'v> {
    case.result().and_then(|result| result.get("tools")).and_then(Value::as_array).into_iter().flatten()
}

fn listed<'v>(case: Case<'v>, page: usize, definition: &'v Value) -> Listed<'v> {
    let name = definition.get("name").and_then(Value::as_str).unwrap_or_default();
    Listed { case, page, name, definition }
}

/// The same text for equal values, whatever the order of members.
fn canonical(value: &Value) -> String {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    sorted.to_string()
}

impl<'v> Listed<'v> {
    /// A member of the definition that is an object.
    pub(super) fn schema(&self, member: &str) -> Option<&'v Value> {
        self.definition.get(member).filter(|value| value.is_object())
    }

    /// A finding about this definition; `place` is a pointer into it.
    pub(super) fn finding(
        &self,
        place: impl Into<String>,
        message: impl Into<String>,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Finding {
        let mut finding = self.case.finding(message, expected);
        finding.actual = actual.into();
        finding.tool = Some(self.name.to_owned());
        finding.place = Some(place.into()).filter(|place| !place.is_empty());
        finding.wire = vec![
            format!("> {}", clip(&self.case.exchange.send.text)),
            format!("< \u{2026} {} \u{2026}", clip(&self.definition.to_string())),
        ];
        finding.stderr.clear();
        finding
    }
}
