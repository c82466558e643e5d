//! From when on no call of a tool is answered any more, by a server that served calls of these tools before and still answers other
//! requests: whatever it hands out for a call never comes back. That a later call has no answer says nothing of that call.

use std::collections::HashSet;

use serde_json::Value;
use verdict::Transport;

use super::explained::called_tool;
use super::{Exchange, ExchangeEnd, Session};

/// Calls without an answer, and the tools that they are of: fewer may be tools that take their time.
const CALLS: usize = 10;
const TOOLS: usize = 3;

/// From when on calls are not answered. Requests are named by their position in the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dry {
    /// The last call that was served.
    pub(crate) served: u32,
    /// The first one of a tool that was served before, and has no answer.
    pub(crate) first: u32,
    /// How many of those there are.
    pub(crate) calls: usize,
    /// The tools that they are of.
    pub(crate) tools: usize,
    /// A call that was never served may be at work still, and the others wait for it.
    pub(crate) may_work: bool,
}

/// Finds it, and takes the verdict from the calls since.
pub(super) fn note(sessions: &mut [Session<'_>]) -> Option<Dry> {
    // A process has what it hands out for itself.
    let apart = sessions.first().is_some_and(|session| session.open.transport == Transport::Stdio);
    let groups: Vec<&mut [Session<'_>]> = if apart { sessions.chunks_mut(1).collect() } else { vec![sessions] };
    let mut found = None;
    for group in groups {
        let Some(dry) = find(group) else { continue };
        let exchanges = group.iter_mut().flat_map(|session| &mut session.exchanges);
        exchanges.filter(|exchange| is_call(exchange) && exchange.seq >= dry.first).for_each(Exchange::note_lost);
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
    let silent = calls().filter(|(_, exchange)| exchange.seq > call && is_silent(exchange));
    let silent = silent.filter_map(|(_, exchange)| Some((exchange.seq, tool(exchange)?)));
    let mut silent: Vec<(u32, &str)> = silent.filter(|(_, tool)| tools.contains(tool)).collect();
    silent.sort_unstable();
    let (first, (end, _)) = (silent.first()?.0, *silent.get(CALLS - 1)?);
    let tools = silent.iter().map(|(_, tool)| tool).collect::<HashSet<_>>().len();
    let lives =
        calls().any(|(_, exchange)| exchange.seq > end.max(last) && !is_call(exchange) && !exchange.answers.is_empty());
    if tools < TOOLS || !lives {
        return None;
    }
    let once = calls().filter(|(session, exchange)| served_at(session, exchange).is_some());
    let once: HashSet<String> = once.map(|(_, exchange)| exchange.key()).collect();
    let mut before = calls().filter(|(_, exchange)| is_call(exchange) && exchange.seq <= first);
    let may_work = before.any(|(_, exchange)| exchange.is_unanswered() && !once.contains(&exchange.key()));
    Some(Dry { served: call, first, calls: silent.len(), tools, may_work })
}

fn is_call(exchange: &Exchange<'_>) -> bool {
    exchange.parsed.messages().first().is_some_and(|message| message.method() == Some("tools/call"))
}

fn tool<'v>(exchange: &'v Exchange<'_>) -> Option<&'v str> {
    exchange.parsed.messages().first().and_then(called_tool)
}

/// When a result came that is no failure.
fn served_at(session: &Session<'_>, exchange: &Exchange<'_>) -> Option<u32> {
    let mut answers = exchange.answers.iter().filter_map(|at| session.incoming.get(*at));
    let fine = |result: &Value| result["isError"] != true;
    answers.find(|answer| answer.message().and_then(wire::Message::result).is_some_and(fine)).map(|answer| answer.seq)
}

/// It was given its time, and has no answer.
fn is_silent(exchange: &Exchange<'_>) -> bool {
    exchange.is_unanswered() && matches!(exchange.end, ExchangeEnd::GaveUp | ExchangeEnd::Settled)
}
