//! From when on a server that runs somewhere else accepts no connection any more. What was under way then ended with it, and what came
//! later reached nobody: neither says anything of the message. Only where a single one was under way, or several of one kind, it is
//! what ended the server.

use std::collections::HashSet;

use verdict::{Intent, Transport};

use super::{Came, FAILURES, Failing, came, is_request};
use crate::view::{Exchange, ExchangeEnd, Session, is_unreached};

/// A request over HTTP, and what came of it.
struct Message<'v, 't> {
    exchange: &'v Exchange<'t>,
    /// It had a response.
    served: bool,
    /// When its connection ended without a response, or over HTTP+SSE the stream that was to bring one.
    gone: Option<u32>,
}

impl Message<'_, '_> {
    /// There was no connection to send it on.
    fn is_unreached(&self) -> bool {
        self.exchange.closed.and_then(|closed| closed.fault).is_some_and(is_unreached)
    }

    /// It is a message, and was sent.
    fn is_sent(&self) -> bool {
        self.exchange.send.http.as_deref() == Some("POST") && !self.is_unreached()
    }
}

/// All that came to nothing with it, by `seq`, and what shows it.
pub(super) fn find(sessions: &[Session<'_>]) -> Option<(HashSet<u32>, Failing)> {
    let messages = || sessions.iter().flat_map(messages);
    // Responses may be on their way for a while: what was answered last was served when it was sent, for all that is known.
    let served = messages().filter(|message| message.served).map(|message| message.exchange.seq).max()?;
    let gone = || messages().filter(|message| message.gone.is_some_and(|end| end > served));
    let end = gone().filter_map(|message| message.gone).min()?;
    let mut later: Vec<u32> = gone()
        .filter(|message| message.exchange.seq > end && is_request(message.exchange) && message.is_unreached())
        .map(|message| message.exchange.seq)
        .collect();
    later.sort_unstable();
    let noticed = sessions.iter().flat_map(|session| &session.probes);
    let noticed = noticed.map(|(_, probe)| probe.intent).any(|intent| intent == Intent::NobodyListens);
    if later.len() < FAILURES && !noticed {
        return None;
    }
    // What the tester let go of may have ended it as well.
    let left = messages().filter(|message| message.exchange.aborted.is_some_and(|at| (served..end).contains(&at)));
    let mut under_way: Vec<&Exchange<'_>> = gone()
        .filter(|message| message.exchange.seq < end && message.is_sent())
        .chain(left)
        .map(|message| message.exchange)
        .collect();
    under_way.sort_by_key(|exchange| exchange.seq);
    let suspects: Vec<u32> = under_way.iter().map(|exchange| exchange.seq).collect();
    let alike = is_of_one_kind(&under_way);
    let known = later.first().or(suspects.first()).copied();
    let known = known.or_else(|| gone().map(|message| message.exchange.seq).min())?;
    let failed = gone().map(|message| message.exchange.seq).filter(|seq| !alike || !suspects.contains(seq));
    // A notification is not seen to be dealt with: while requests are under way, it is none of the suspects.
    let beside =
        sessions.iter().filter(|session| ended_at(session).is_some_and(|end| end > served) && !suspects.is_empty());
    let beside =
        beside.flat_map(|session| &session.exchanges).filter(|exchange| !is_request(exchange) && is_gone(exchange));
    let failed = failed.chain(beside.map(|exchange| exchange.seq)).collect();
    Some((failed, Failing { suspects, known, after: None, dropped: false, ended: true, alike }))
}

/// Whether there is only one, or all are of one scenario, whose rules know what they were sent for.
fn is_of_one_kind(exchanges: &[&Exchange<'_>]) -> bool {
    let scenario = |exchange: &&Exchange<'_>| exchange.send.probe.as_ref().map(|probe| probe.scenario.clone());
    let Some(first) = exchanges.first() else { return false };
    exchanges.len() == 1
        || scenario(first).is_some() && exchanges.iter().all(|exchange| scenario(exchange) == scenario(first))
}

fn messages<'v, 't>(session: &'v Session<'t>) -> impl Iterator<Item = Message<'v, 't>> {
    let over = ended_at(session);
    session.exchanges.iter().map(move |exchange| {
        let (served, gone) = match came(session, exchange) {
            Came::Served(_) => (true, None),
            Came::Gone(end) => (false, Some(end)),
            _ => (false, over.filter(|_| is_request(exchange) && is_gone(exchange))),
        };
        Message { exchange, served, gone }
    })
}

/// Over HTTP+SSE when the stream that is to bring all responses ended.
fn ended_at(session: &Session<'_>) -> Option<u32> {
    session.fall.filter(|fall| fall.ended && session.open.transport == Transport::Sse).map(|fall| fall.seq)
}

fn is_gone(exchange: &Exchange<'_>) -> bool {
    matches!(exchange.end, ExchangeEnd::Gone { .. })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Transport};

    use crate::ExchangeEnd;
    use crate::testing::Script;

    const RESET: &str = "the connection was reset";

    fn text(id: u32) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#)
    }

    fn ask(script: Script, id: u32) -> Script {
        script.request("POST", Intent::Unknown, Value::Null, &[], &text(id))
    }

    fn served() -> Script {
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({"tools": {}}));
        ask(script, 70).respond(200, &[], r#"{"jsonrpc":"2.0","id":70,"result":{}}"#)
    }

    fn fails(script: Script, id: u32, fault: &str) -> Script {
        let script = ask(script, id);
        let channel = script.last_channel();
        script.ends_on(channel, Some(fault))
    }

    fn alone(script: Script, id: u32) -> Script {
        fails(script, id, RESET)
    }

    fn refused(script: Script, id: u32) -> Script {
        fails(script, id, "no connection: Connection refused")
    }

    /// How each of the requests ended, and the suspects.
    fn ends(script: &Script) -> (Vec<bool>, Option<usize>) {
        script.look(|view| {
            let gone = ExchangeEnd::Gone { alone: false };
            let failing = |case: crate::Case<'_>| case.exchange.failing && case.exchange.end == gone;
            let suspects = view.failing.as_ref().map(|failing| failing.suspects.len());
            (view.calls("tools/list").map(failing).collect(), suspects)
        })
    }

    #[test]
    fn what_was_under_way_when_the_server_ended_says_nothing() {
        let refused_thrice = |script: Script| (73..76).fold(script, refused);
        let two = |alike| {
            let script = ask(served(), 71);
            let script = if alike { ask(script, 72) } else { script.raw_plain(&text(72)) };
            let last = script.last_channel();
            script.ends_on(last - 1, Some(RESET)).ends_on(last, Some(RESET))
        };
        assert_eq!(ends(&refused_thrice(two(false))), (vec![false, true, true, true, true, true], Some(2)));
        let alike = vec![false, false, false, true, true, true];
        assert_eq!(ends(&refused_thrice(two(true))), (alike, Some(2)));
        assert_eq!(ends(&refused_thrice(alone(served(), 71))), (vec![false, false, true, true, true], Some(1)));
        assert_eq!(ends(&alone(served(), 71)), (vec![false, false], None), "it may be there again at once");
        let resets = (71..76).fold(served(), alone);
        assert_eq!(ends(&resets).1, None, "somebody listens");
        let noticed = refused(alone(served(), 71), 72).means(Intent::NobodyListens, Value::Null);
        assert_eq!(ends(&noticed), (vec![false, false, true], Some(1)));
    }
}
