//! Requests over HTTP that fail with a status alone although the server serves them at other times: what is behind that is one defect,
//! of the server or of what stands before it, and no word about what was asked.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use verdict::Intent;
use wire::Content;

use super::{Came, Post, drops, is_failure, is_request, post};
use crate::view::{Exchange, SESSION_ID, Session};

/// Requests that fail now and then. Requests are named by their position in the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Faltering {
    /// The first that was served at other times.
    pub(crate) failed: u32,
    /// The same when it was served.
    pub(crate) served: u32,
    /// How many failed that were served at other times.
    pub(crate) times: usize,
    /// There are several, and each came next after the tester had closed a stream: of the first, the request whose stream that was.
    pub(crate) dropped: Option<u32>,
}

/// What a request has in common with others that ask the same in the same way.
type Question = (String, Vec<(String, String)>, Option<Intent>);

/// Finds them, and takes back what came of them, and of others that failed for the same reason.
pub(in crate::view) fn note(sessions: &mut [Session<'_>]) -> Option<Faltering> {
    let (failed, faltering) = find(sessions)?;
    super::take_back(sessions, &failed);
    Some(faltering)
}

fn find(sessions: &[Session<'_>]) -> Option<(HashSet<u32>, Faltering)> {
    let mut posts: Vec<Post<'_, '_>> = sessions.iter().flat_map(all_posts).collect();
    posts.sort_by_key(|post| post.exchange.seq);
    let failures: Vec<&Post<'_, '_>> = posts.iter().filter(|post| status(post).is_some()).collect();
    if failures.is_empty() {
        return None;
    }
    let mut seen: HashMap<Question, Seen> = HashMap::new();
    posts.iter().for_each(|post| seen.entry(question(post.exchange)).or_default().add(post));
    let of = |post: &Post<'_, '_>| seen.get(&question(post.exchange)).copied().unwrap_or_default();
    let known: Vec<&Post<'_, '_>> = failures.iter().copied().filter(|post| of(post).falters()).collect();
    let first = known.iter().find(|post| is_request(post.exchange) && !is_beside(post.exchange))?;
    let dropped: Vec<(u32, u32)> = sessions.iter().flat_map(drops).collect();
    let cause = |post: &Post<'_, '_>| follows(post, &posts, &dropped);
    let by_drop = known.len() > 1 && known.iter().all(|post| cause(post).is_some());
    let alike = |post: &Post<'_, '_>| known.len() > 1 && of(post).is_single() && status(post) == status(first);
    let spared = |post: &Post<'_, '_>| of(post).falters() || if by_drop { cause(post).is_some() } else { alike(post) };
    let faltering = Faltering {
        failed: first.exchange.seq,
        served: of(first).served?,
        times: known.iter().filter(|post| is_request(post.exchange)).count(),
        dropped: cause(first).filter(|_| by_drop),
    };
    Some((failures.iter().filter(|post| spared(post)).map(|post| post.exchange.seq).collect(), faltering))
}

/// A rule of its own judges what was sent to see what a closed stream does to others.
fn is_beside(exchange: &Exchange<'_>) -> bool {
    exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::BesideDropped)
}

/// The one that it failed with.
fn status(post: &Post<'_, '_>) -> Option<u16> {
    post.exchange.status.map(|(status, _)| status).filter(|_| matches!(post.came, Came::Failed(_)))
}

/// Also notifications and responses: what stands before the server fails them alike.
fn all_posts<'v, 't>(session: &'v Session<'t>) -> impl Iterator<Item = Post<'v, 't>> {
    let posts = session.exchanges.iter().filter(|exchange| {
        exchange.send.http.as_deref() == Some("POST") && exchange.send.path.is_none() && !exchange.failing
    });
    posts.map(|exchange| post(session, exchange))
}

/// What came of the same question, all in all.
#[derive(Clone, Copy, Default)]
struct Seen {
    answered: usize,
    failed: usize,
    served: Option<u32>,
}

impl Seen {
    fn add(&mut self, post: &Post<'_, '_>) {
        match post.came {
            Came::Failed(_) => self.failed += 1,
            Came::Served(_) | Came::Other if is_taken(post) => {
                self.answered += 1;
                self.served.get_or_insert(post.exchange.seq);
            }
            Came::Other if is_refused(post.exchange) => self.answered += 1,
            Came::Served(_) | Came::Silence(_) | Came::Gone(_) | Came::Other => {}
        }
    }

    /// What fails more often than not may have a reason that we do not see.
    fn falters(&self) -> bool {
        self.failed > 0 && self.answered >= self.failed && self.served.is_some()
    }

    /// What is asked only once may have failed for the same reason as others.
    fn is_single(&self) -> bool {
        self.failed == 1 && self.answered == 0
    }
}

/// A request that was served, or a notification or a response that was accepted.
fn is_taken(post: &Post<'_, '_>) -> bool {
    let accepted = || post.exchange.status.is_some_and(|(status, _)| (200..300).contains(&status));
    post.is_served() || post.exchange.asks_for_none() && accepted()
}

/// The server said something, and be it that it does not serve this.
fn is_refused(exchange: &Exchange<'_>) -> bool {
    exchange.status.is_some_and(|(status, _)| !is_failure(status))
}

/// The message without its id, the headers but for the session's, and why it was sent.
fn question(exchange: &Exchange<'_>) -> Question {
    let send = exchange.send;
    let own = |name: &str| name.eq_ignore_ascii_case(SESSION_ID) || name.eq_ignore_ascii_case("content-length");
    let headers = send.headers.iter().filter(|(name, _)| !own(name)).cloned().collect();
    (asked(exchange), headers, send.probe.as_ref().map(|probe| probe.intent))
}

/// The message without what names it, in whole: what is wrong with a request may be in its `_meta`.
fn asked(exchange: &Exchange<'_>) -> String {
    let Content::One(message) = &exchange.parsed.content else { return exchange.send.text.clone() };
    let mut value = message.clone().into_value();
    if let Some(members) = value.as_object_mut() {
        members.shift_remove("id");
    }
    if let Some(meta) = value.pointer_mut("/params/_meta").and_then(Value::as_object_mut) {
        meta.shift_remove("progressToken");
    }
    value.to_string()
}

/// The request whose stream the tester closed just before: nothing that was sent since had been answered when this one was sent.
fn follows(post: &Post<'_, '_>, posts: &[Post<'_, '_>], dropped: &[(u32, u32)]) -> Option<u32> {
    let (at, request) = dropped.iter().filter(|(at, _)| *at < post.end()).max()?;
    let between = |other: &&Post<'_, '_>| other.exchange.seq > *at && other.end() < post.exchange.seq;
    let cleared = posts.iter().filter(between).any(|other| !matches!(other.came, Came::Silence(_) | Came::Gone(_)));
    (!cleared).then_some(*request)
}
