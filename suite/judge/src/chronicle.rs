//! A transcript's chronicle beside the verdicts: the tools that are listed, and when each request was sent.

use serde_json::Value;
use verdict::record::Span;
use verdict::transcript::{Event, Kind};

use crate::{Case, Session, View};

/// Tools that are told.
const TOOLS: usize = 2_000;
/// Bytes of their definitions.
const BYTES: usize = 8 << 20;
/// Spans that are told: enough for every session and the beginning of a long one.
const SPANS: usize = 1_500;
/// Characters of what a span is about.
const SHOWN: usize = 80;

/// The definitions of the tools, each name once.
pub(crate) fn tools(view: &View<'_>) -> Vec<Value> {
    let mut seen = std::collections::HashSet::new();
    let mut left = BYTES;
    let fits = |tool: &&crate::Tool| {
        let size = tool.definition.to_string().len();
        let fits = seen.insert(tool.name.clone()) && size <= left;
        left -= if fits { size } else { 0 };
        fits
    };
    view.tools().iter().filter(fits).take(TOOLS).map(|tool| tool.definition.clone()).collect()
}

/// The sessions, and after each what was asked in it.
pub(crate) fn timeline(view: &View<'_>, events: &[Event]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let sessions = || view.sessions.iter().chain(&view.outsiders);
    // The lives of all sessions are told, whatever room is left for requests.
    let mut room = SPANS.saturating_sub(sessions().count());
    for session in sessions().take(SPANS) {
        spans.push(life(session, events));
        for exchange in session.exchanges.iter().take(room) {
            spans.push(span(&Case { view, session, exchange }, events));
        }
        room = room.saturating_sub(session.exchanges.len());
    }
    spans
}

fn life(session: &Session<'_>, events: &[Event]) -> Span {
    let opened = events.iter().find(|event| event.session == session.id && matches!(event.kind, Kind::Open(_)));
    Span {
        session: session.id,
        by: clipped(&session.open.purpose),
        what: String::new(),
        at_us: opened.map_or(0, |event| event.at_us),
        took_us: u64::try_from(session.lasted.as_micros()).ok(),
        outcome: session.exit.map(|(_, exit)| exit.to_string()).unwrap_or_default(),
    }
}

fn span(case: &Case<'_>, events: &[Event]) -> Span {
    let at = |seq: u32| usize::try_from(seq).ok().and_then(|at| events.get(at)).map(|event| event.at_us);
    let began = at(case.exchange.seq).unwrap_or_default();
    let answered = case.answer().and_then(|answer| at(answer.seq)).or_else(|| at(case.exchange.closed?.seq));
    Span {
        session: case.session.id,
        by: case.exchange.send.probe.as_ref().map(|probe| clipped(&probe.scenario)).unwrap_or_default(),
        what: clipped(&what(case)),
        at_us: began,
        took_us: answered.map(|end| end.saturating_sub(began)),
        outcome: outcome(case),
    }
}

fn what(case: &Case<'_>) -> String {
    let name = ["name", "uri"].iter().find_map(|name| case.param(name).and_then(Value::as_str));
    match (case.method(), case.exchange.send.http.as_deref()) {
        (Some(method), _) => format!("{method} {}", name.unwrap_or_default()).trim_end().to_owned(),
        (None, Some(http)) if case.exchange.send.text.is_empty() => format!("HTTP {http}"),
        (None, _) if case.sent().is_some() => "a response".to_owned(),
        (None, _) => "bytes that are not a single message".to_owned(),
    }
}

fn outcome(case: &Case<'_>) -> String {
    let asks = case.exchange.parsed.messages().iter().any(|message| message.kind == wire::Kind::Request);
    match (case.reply(), case.exchange.status) {
        (Some(reply), _) if reply.result().is_some() => "result".to_owned(),
        (Some(_), _) => case.error_code().map_or("error".to_owned(), |code| format!("error {code}")),
        (None, Some((status, _))) => format!("HTTP {status}"),
        (None, None) if asks => "no answer".to_owned(),
        (None, None) => String::new(),
    }
}

fn clipped(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Revision;

    use crate::testing::Script;

    #[test]
    fn tools_and_requests_are_told() {
        let tools = json!({"tools": [{"name": "echo", "inputSchema": {}}, {"name": "echo"}]});
        let judged = Script::new(Revision::V2025_11_25, json!({"tools": {}}))
            .plain("tools/list", json!({}), json!({"result": tools}))
            .unanswered_plainly("tools/call", json!({"name": "echo"}))
            .examined();
        assert_eq!(judged.tools, [json!({"name": "echo", "inputSchema": {}})]);
        let told: Vec<_> = judged.timeline.iter().map(|span| (span.what.as_str(), span.outcome.as_str())).collect();
        let listed = told.iter().position(|told| *told == ("tools/list", "result")).expect("told");
        assert_eq!(told[listed + 1], ("tools/call echo", "no answer"));
    }
}
