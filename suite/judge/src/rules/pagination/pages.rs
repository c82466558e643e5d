//! Pages and walks, read from the requests of the four lists and their answers.
//!
//! A walk is a request without cursor and, each later in the session, the requests that carry the cursor of the page
//! before. Two walks that follow each other while nothing else goes on make a list the same for both, even if calls of
//! tools change it.

use std::collections::BTreeSet;

use serde_json::Value;
use verdict::Intent;

use crate::{Case, Session, View};

/// A method that paginates.
#[derive(Debug)]
pub(super) struct List {
    /// Its name.
    pub(super) method: &'static str,
    /// The member of the result that holds the page.
    pub(super) array: &'static str,
    /// The member by which entries differ.
    key: &'static str,
    /// The notification by which the server says that the list is another now.
    changed: &'static str,
}

/// Every list of every revision that is walked.
pub(super) static LISTS: [List; 4] = [
    List { method: "tools/list", array: "tools", key: "name", changed: "notifications/tools/list_changed" },
    List { method: "resources/list", array: "resources", key: "uri", changed: "notifications/resources/list_changed" },
    List {
        method: "resources/templates/list",
        array: "resourceTemplates",
        key: "uriTemplate",
        changed: "notifications/resources/list_changed",
    },
    List { method: "prompts/list", array: "prompts", key: "name", changed: "notifications/prompts/list_changed" },
];

impl List {
    /// The list that a request asks for.
    pub(super) fn of(case: &Case<'_>) -> Option<&'static Self> {
        LISTS.iter().find(|list| case.method() == Some(list.method))
    }
}

/// A request of a list without cursor or with a string as cursor, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Page<'v> {
    /// The exchange.
    pub(super) case: Case<'v>,
    /// The list.
    pub(super) list: &'static List,
    /// The cursor sent.
    pub(super) cursor: Option<&'v str>,
    /// The entries by what tells them apart, in their order; none unless a page came.
    pub(super) keys: Option<Vec<String>>,
    /// The cursor of the next page; an empty one counts.
    pub(super) next: Option<&'v str>,
}

impl<'v> Page<'v> {
    /// Reads an exchange; none if it is no such request or nothing is known of its end.
    pub(super) fn of(case: Case<'v>) -> Option<Self> {
        let list = List::of(&case)?;
        let cursor = match case.param("cursor") {
            None => None,
            Some(cursor) => Some(cursor.as_str()?),
        };
        let entries = case.result().and_then(|result| result.get(list.array)).and_then(Value::as_array);
        let keys = entries.map(|entries| entries.iter().map(|entry| key(list, entry)).collect());
        let next = case.result().and_then(|result| result.get("nextCursor")).and_then(Value::as_str);
        case.is_decided().then_some(Self { case, list, cursor, keys, next })
    }

    /// The entries, whatever their order.
    pub(super) fn set(&self) -> Option<BTreeSet<&str>> {
        self.keys.as_ref().map(|keys| keys.iter().map(String::as_str).collect())
    }

    /// Whether both are pages and no entry is on both.
    pub(super) fn shares_nothing(&self, other: &Page<'_>) -> bool {
        matches!((self.set(), other.set()), (Some(own), Some(theirs)) if own.is_disjoint(&theirs))
    }

    /// Whether the server said, since this was asked and before `end` was answered, that the list is another now.
    pub(super) fn changed_before(&self, end: &Page<'_>) -> bool {
        let from = self.case.exchange.seq;
        let to = end.case.answer().map_or(end.case.exchange.seq, |answer| answer.seq);
        let mut incoming = self.case.session.incoming.iter();
        incoming.any(|incoming| (from..=to).contains(&incoming.seq) && incoming.method() == Some(self.list.changed))
    }

    /// Whether its intent is one of these; `None` is ordinary traffic.
    pub(super) fn has_intent(&self, intents: &[Option<Intent>]) -> bool {
        intents.contains(&self.case.intent())
    }
}

fn key(list: &List, entry: &Value) -> String {
    match entry.get(list.key).and_then(Value::as_str) {
        Some(key) => key.to_owned(),
        None => entry.to_string(),
    }
}

/// Every page of a session, in the order of the requests.
pub(super) fn pages<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> Vec<Page<'v>> {
    let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    cases.filter_map(Page::of).collect()
}

/// The first page of a list as an ordinary request in this session saw it.
pub(super) fn first_page<'v>(view: &'v View<'v>, session: &'v Session<'v>, list: &List) -> Option<Page<'v>> {
    let plain = [None, Some(Intent::Walk), Some(Intent::WalkOnce), Some(Intent::WalkTwice), Some(Intent::FirstPage)];
    let mut pages = pages(view, session).into_iter();
    pages.find(|page| {
        page.list.method == list.method && page.cursor.is_none() && page.has_intent(&plain) && page.keys.is_some()
    })
}

/// From the first page on as far as the cursors led.
#[derive(Debug)]
pub(super) struct Walk<'v> {
    /// The list.
    pub(super) list: &'static List,
    /// At least one page.
    pub(super) pages: Vec<Page<'v>>,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending<'v> {
    /// The last page named no further one.
    Complete,
    /// The last request got no page.
    Refused,
    /// The last page named a cursor that the walk had used before.
    Repeats(&'v str),
    /// It was broken off.
    Cut,
}

impl<'v> Walk<'v> {
    /// The last page.
    pub(super) fn last(&self) -> &Page<'v> {
        &self.pages[self.pages.len() - 1]
    }

    /// How it ended.
    pub(super) fn ending(&self) -> Ending<'v> {
        let last = self.last();
        match last.next {
            _ if last.keys.is_none() => Ending::Refused,
            None => Ending::Complete,
            Some(next) if self.pages.iter().any(|page| page.cursor == Some(next)) => Ending::Repeats(next),
            Some(_) => Ending::Cut,
        }
    }

    /// Every entry, whatever its page.
    pub(super) fn set(&self) -> BTreeSet<&str> {
        self.pages.iter().filter_map(Page::set).flatten().collect()
    }

    /// Whether the server said, since the walk began and before `end` was answered, that the list is another now.
    pub(super) fn changed_before(&self, end: &Page<'_>) -> bool {
        self.pages[0].changed_before(end)
    }
}

/// The intents of the walks of one session.
const WALKS: [&[Option<Intent>]; 3] =
    [&[None, Some(Intent::Walk)], &[Some(Intent::WalkOnce)], &[Some(Intent::WalkTwice)]];

/// The walks of one list in one session.
fn walks<'v>(view: &'v View<'v>, session: &'v Session<'v>, list: &'static List) -> [Option<Walk<'v>>; 3] {
    let all: Vec<Page<'v>> = pages(view, session).into_iter().filter(|page| page.list.method == list.method).collect();
    WALKS.map(|intents| chain(list, all.iter().filter(|page| page.has_intent(intents))))
}

/// The two walks of one list in one session that can be compared.
pub(super) fn pair<'v>(
    view: &'v View<'v>,
    session: &'v Session<'v>,
    list: &'static List,
) -> Option<(Walk<'v>, Walk<'v>)> {
    let [_, once, twice] = walks(view, session, list);
    once.zip(twice)
}

/// Each page of the chain is later than the one before, so it ends.
fn chain<'p, 'v: 'p>(list: &'static List, mut pages: impl Iterator<Item = &'p Page<'v>>) -> Option<Walk<'v>> {
    let mut walk = Walk { list, pages: vec![pages.find(|page| page.cursor.is_none())?.clone()] };
    while let Some(next) = walk.last().next {
        let Some(page) = pages.find(|page| page.cursor == Some(next)) else { break };
        walk.pages.push(page.clone());
    }
    Some(walk)
}

/// Every walk of every list in the judged sessions, list by list.
pub(super) fn all<'v>(view: &'v View<'v>) -> Vec<Vec<Walk<'v>>> {
    let of = |list: &'static List| view.judged().flat_map(|session| walks(view, session, list)).flatten().collect();
    LISTS.iter().map(of).collect()
}
