//! From when on no call of a tool is served any more, by a server that served calls of these tools before and still answers other
//! requests. Calls without an answer: whatever it hands out for a call never comes back. Calls that all fail in the same words: a
//! limit is reached, or what is behind the tools is gone. What comes of a later call says nothing of that call.

use std::collections::HashSet;

use verdict::{Intent, Transport};
use wire::Message;

use super::explained::{called_tool, key as message_key};
use super::{Exchange, ExchangeEnd, Session};

/// Calls without an answer, and the tools that they are of: fewer may be tools that take their time.
const CALLS: usize = 10;
const TOOLS: usize = 3;

/// From when on calls are not served. Requests are named by their position in the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dry {
    /// The last call that was served.
    pub(crate) served: u32,
    /// The first one of a tool that was served before, and is not.
    pub(crate) first: u32,
    /// How many of those there are.
    pub(crate) calls: usize,
    /// The tools that they are of.
    pub(crate) tools: usize,
    /// A call that was never served may be at work still, and the others wait for it.
    pub(crate) may_work: bool,
    /// What all say, without their numbers; nothing where they have no answer.
    pub(crate) failure: Option<String>,
}

/// Finds it, and takes the verdict from the calls since.
pub(super) fn note(sessions: &mut [Session<'_>]) -> Option<Dry> {
    // A process has what it hands out for itself.
    let apart = sessions.first().is_some_and(|session| session.open.transport == Transport::Stdio);
    let groups: Vec<&mut [Session<'_>]> = if apart { sessions.chunks_mut(1).collect() } else { vec![sessions] };
    let mut found = None;
    for group in groups {
        let Some(dry) = find(group) else { continue };
        for session in group {
            let since = |exchange: &Exchange<'_>| is_call(exchange) && exchange.seq >= dry.first;
            for at in 0..session.exchanges.len() {
                let fails = || failure(session, &session.exchanges[at]) == dry.failure;
                if since(&session.exchanges[at]) && (dry.failure.is_none() || fails()) {
                    session.exchanges[at].spare(dry.failure.is_some());
                }
            }
        }
        found.get_or_insert(dry);
    }
    found
}

fn find(sessions: &[Session<'_>]) -> Option<Dry> {
    let calls =
        || sessions.iter().flat_map(|session| session.exchanges.iter().map(move |exchange| (session, exchange)));
    let served: Vec<(u32, u32, &str)> = calls()
        .filter_map(|(session, exchange)| Some((served_at(session, exchange)?, exchange.seq, tool(exchange)?)))
        .collect();
    let (last, call, _) = *served.iter().max()?;
    let tools: HashSet<&str> = served.iter().map(|(.., tool)| *tool).collect();
    let later = || calls().filter(|(_, exchange)| exchange.seq > call);
    let known = |exchange| tool(exchange).filter(|tool| tools.contains(tool));
    let silent = later().filter(|(_, exchange)| is_silent(exchange));
    let failed = later().filter(|(_, exchange)| is_valid(exchange));
    let silent: Vec<_> = silent.filter_map(|(_, exchange)| Some((exchange.seq, known(exchange)?, None))).collect();
    let failed: Vec<_> = failed
        .filter_map(|(session, exchange)| Some((exchange.seq, known(exchange)?, Some(failure(session, exchange)?))))
        .collect();
    let lives =
        |since| calls().any(|(_, exchange)| exchange.seq > since && !is_call(exchange) && !exchange.answers.is_empty());
    let found = [silent, failed].into_iter().find_map(|unserved| dry(unserved, call));
    let (mut dry, _) = found.filter(|(_, end)| lives((*end).max(last)))?;
    let key = |exchange: &Exchange<'_>| message_key(&exchange.send.text);
    let keys: HashSet<String> = calls()
        .filter(|(session, exchange)| served_at(session, exchange).is_some())
        .map(|(_, exchange)| key(exchange))
        .collect();
    let mut before = calls().filter(|(_, exchange)| is_call(exchange) && exchange.seq <= dry.first);
    dry.may_work = before.any(|(_, exchange)| exchange.is_unanswered() && !keys.contains(&key(exchange)));
    Some(dry)
}

/// What the calls since show, if there are enough of them and they are all alike; and when there were enough.
fn dry(mut unserved: Vec<(u32, &str, Option<String>)>, served: u32) -> Option<(Dry, u32)> {
    unserved.sort();
    let (first, _, failure) = unserved.first()?.clone();
    let (end, ..) = *unserved.get(CALLS - 1)?;
    let tools = unserved.iter().map(|(_, tool, _)| *tool).collect::<HashSet<_>>().len();
    let alike = unserved.iter().all(|(.., other)| *other == failure);
    (alike && tools >= TOOLS)
        .then_some((Dry { served, first, calls: unserved.len(), tools, may_work: false, failure }, end))
}

fn is_call(exchange: &Exchange<'_>) -> bool {
    exchange.parsed.messages().first().is_some_and(|message| message.method() == Some("tools/call"))
}

fn tool<'v>(exchange: &'v Exchange<'_>) -> Option<&'v str> {
    exchange.parsed.messages().first().and_then(called_tool)
}

fn answers<'v, 't>(session: &'v Session<'t>, exchange: &'v Exchange<'t>) -> impl Iterator<Item = (u32, &'v Message)> {
    let incoming = exchange.answers.iter().filter_map(|at| session.incoming.get(*at));
    incoming.filter_map(|answer| Some((answer.seq, answer.message()?)))
}

/// When a result came that is no failure.
fn served_at(session: &Session<'_>, exchange: &Exchange<'_>) -> Option<u32> {
    let mut answers = answers(session, exchange);
    answers.find(|(_, message)| message.result().is_some_and(|result| result["isError"] != true)).map(|(seq, _)| seq)
}

/// What a failure says, without its numbers.
fn failure(session: &Session<'_>, exchange: &Exchange<'_>) -> Option<String> {
    let (_, message) = answers(session, exchange).next()?;
    let error = message.member("error").and_then(|error| error.get("message"));
    let content = message.result().filter(|result| result["isError"] == true).and_then(|result| result.get("content"));
    let text = error.or(content)?.to_string();
    let mut parts = text.split(|letter: char| letter.is_ascii_digit());
    let first = parts.next()?.to_owned();
    Some(parts.filter(|part| !part.is_empty()).fold(first, |text, part| text + "#" + part))
}

/// With arguments that satisfy the tool's inputSchema.
fn is_valid(exchange: &Exchange<'_>) -> bool {
    exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::ValidCall)
}

/// It was given its time, and has no answer.
fn is_silent(exchange: &Exchange<'_>) -> bool {
    exchange.is_unanswered() && matches!(exchange.end, ExchangeEnd::GaveUp | ExchangeEnd::Settled)
}
