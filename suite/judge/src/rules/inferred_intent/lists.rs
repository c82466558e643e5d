//! Lists at each point in time: a name counts as unknown only beside a list that is complete and still valid.

use std::collections::HashMap;

use serde_json::Value;
use verdict::transcript::REDACTED;

use super::{has_only, is_anybody};
use crate::rules::lists::{List, PROMPTS, RESOURCES, TEMPLATES, TOOLS, Walk, complete};
use crate::{Case, Session, View};

/// The lists of a recording.
pub(super) struct Lists<'v> {
    view: &'v View<'v>,
    /// Those that were walked to their end.
    walks: Vec<Walk<'v>>,
    /// Every entry of every page, by method and name, with its definition if that is the same wherever it stands.
    entries: HashMap<(&'static str, &'v str), Option<&'v Value>>,
}

impl<'v> Lists<'v> {
    pub(super) fn new(view: &'v View<'v>) -> Self {
        let mut lists = Self { view, walks: Vec::new(), entries: HashMap::new() };
        for list in [&TOOLS, &PROMPTS, &RESOURCES, &TEMPLATES] {
            lists.walks.extend(complete(view, list).into_iter().filter(is_whole));
            let pages = view.calls(list.method).filter_map(|page| page.result()?.get(list.member)?.as_array());
            pages.flatten().for_each(|entry| lists.enter(list, entry));
        }
        lists
    }

    fn enter(&mut self, list: &'static List, entry: &'v Value) {
        let Some(name) = entry.get(list.key).and_then(Value::as_str) else { return };
        let known = self.entries.entry((list.method, name)).or_insert(Some(entry));
        *known = known.filter(|known| *known == entry);
    }

    /// The last complete list before a request, unless it was said to have changed before the answer came.
    pub(super) fn before(&self, case: &Case<'v>, list: &List) -> Option<&Walk<'v>> {
        let (asked, answered) = (case.exchange.seq, case.answer()?.seq);
        let own = |walk: &&Walk<'_>| {
            walk.list.method == list.method && walk.session.id == case.session.id && walk.end() < asked
        };
        let walk = self.walks.iter().rfind(own)?;
        let changed = |session: &Session<'_>| {
            let mut notices = session.incoming.iter().filter(|incoming| incoming.method() == Some(list.notice));
            notices.any(|notice| (walk.start()..=answered).contains(&notice.seq))
        };
        (!self.view.sessions.iter().any(changed)).then_some(walk)
    }

    /// Whether a name was certainly not offered when it was asked for. It may be in no list of any time and any session, for
    /// such a server offers it now and then.
    pub(super) fn lack(&self, case: &Case<'v>, list: &'static List, name: &str) -> bool {
        !self.entries.contains_key(&(list.method, name)) && self.before(case, list).is_some()
    }

    /// The only definition that a name ever had.
    pub(super) fn definition(&self, list: &'static List, name: &str) -> Option<&'v Value> {
        self.entries.get(&(list.method, name)).copied().flatten()
    }

    /// Whether a name was certainly offered when it was asked for.
    pub(super) fn offer(&self, case: &Case<'v>, list: &'static List, name: &str) -> bool {
        self.before(case, list).is_some_and(|walk| walk.names().contains(&name))
    }

    /// Every name that was ever listed.
    pub(super) fn names(&self, list: &'static List) -> impl Iterator<Item = &'v str> {
        self.entries.keys().filter(move |(method, _)| *method == list.method).map(|(_, name)| *name)
    }
}

/// Nothing is missing from the list.
fn is_whole(walk: &Walk<'_>) -> bool {
    let last = walk.pages.last().and_then(Case::result);
    last.is_some_and(|result| result.get("nextCursor").is_none_or(Value::is_null))
        && walk.pages.iter().all(|page| has_only(page, &["cursor", "_meta"]) && is_anybody(page))
        && walk.names().iter().all(|name| !name.is_empty() && !name.contains(REDACTED))
}
