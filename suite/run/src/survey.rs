//! Walking lists page by page, with a guard against lists that never end.

use std::collections::HashSet;

use serde_json::{Value, json};
use verdict::Intent;
use verdict::transcript::Probe;

use crate::{RequestOutcome, Session};

/// Pages after which a walk is given up.
const PAGES: usize = 1_000;
/// Entries after which a walk is given up.
const ENTRIES: usize = 100_000;

/// The list methods, the member that holds the entries, and the capability behind it.
pub const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "tools", "tools"),
    ("prompts/list", "prompts", "prompts"),
    ("resources/list", "resources", "resources"),
    ("resources/templates/list", "resourceTemplates", "resources"),
];

/// A list, walked.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// The method.
    pub method: &'static str,
    /// The member that holds the entries.
    pub member: &'static str,
    /// Every entry of every page, in order.
    pub entries: Vec<Value>,
    /// Entries on each page.
    pub pages: Vec<usize>,
    /// Every cursor that was issued, in order.
    pub cursors: Vec<String>,
    /// How it ended.
    pub end: WalkEnd,
}

/// How a walk ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WalkEnd {
    /// With a page that has no further cursor.
    #[default]
    Complete,
    /// A cursor came that had been followed before.
    Loop,
    /// Too many pages or entries.
    Endless,
    /// A request got no result.
    Broken,
}

/// Walks a list. The intent `walk` marks the requests of the survey, other intents those of scenarios; `about` says the
/// method and the page number, from 0.
pub async fn walk(
    session: &Session,
    scenario: &str,
    intent: Intent,
    method: &'static str,
    member: &'static str,
) -> Walk {
    let mut walk = Walk { method, member, ..Walk::default() };
    let mut cursor: Option<String> = None;
    let mut followed = HashSet::new();
    loop {
        let params = cursor.as_ref().map_or(json!({}), |cursor| json!({"cursor": cursor}));
        let about = json!({"method": method, "page": walk.pages.len()});
        let outcome = session.page(method, &params, Probe::new(scenario, intent, about)).await;
        let Some(next) = walk.take(&outcome) else { break };
        if !followed.insert(next.clone()) {
            walk.end = WalkEnd::Loop;
            break;
        }
        if walk.pages.len() >= PAGES || walk.entries.len() >= ENTRIES {
            walk.end = WalkEnd::Endless;
            break;
        }
        cursor = Some(next);
    }
    let about = json!({"method": method, "pages": walk.pages.len(), "end": format!("{:?}", walk.end).to_lowercase()});
    session.record_probe(scenario, ended(intent), about);
    walk
}

/// The intent that tells how a walk with this intent ended.
fn ended(walk: Intent) -> Intent {
    match walk {
        Intent::WalkAfter => Intent::WalkAfterEnded,
        Intent::WalkOnce => Intent::WalkOnceEnded,
        Intent::WalkTwice => Intent::WalkTwiceEnded,
        _ => Intent::WalkEnded,
    }
}

impl Walk {
    /// Takes a page; the cursor of the next one, if there is one.
    fn take(&mut self, outcome: &RequestOutcome) -> Option<String> {
        let Some(result) = outcome.result() else {
            self.end = WalkEnd::Broken;
            return None;
        };
        let entries = result.get(self.member).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        self.pages.push(entries.len());
        self.entries.extend_from_slice(entries);
        let next = result.get("nextCursor").and_then(Value::as_str)?.to_owned();
        self.cursors.push(next.clone());
        Some(next)
    }
}

/// Walks every list whose capability is declared, all at the same time.
pub(crate) async fn survey(session: &Session) -> Vec<Walk> {
    let capabilities = session.capabilities();
    let mut tasks = tokio::task::JoinSet::new();
    for (at, (method, member, capability)) in LISTS.into_iter().enumerate() {
        if capabilities.get(capability).is_some_and(Value::is_object) {
            let session = session.clone();
            tasks.spawn_local(async move { (at, walk(&session, "survey", Intent::Walk, method, member).await) });
        }
    }
    let mut walks: Vec<(usize, Walk)> = tasks.join_all().await;
    walks.sort_by_key(|(at, _)| *at);
    walks.into_iter().map(|(_, walk)| walk).filter(|walk| !walk.pages.is_empty()).collect()
}
