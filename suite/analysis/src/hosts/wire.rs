//! What the table of hosts says of the wire by the name of a function.

use std::collections::BTreeSet;
use std::time::Duration;

use judge::{Case, Session, View, is_ordinary};
use serde_json::Value;
use verdict::record::HostPlace;
use verdict::transcript::Via;
use verdict::{Era, Intent};

/// A function of what crossed the wire: the places, or none if nothing was seen that could show it.
pub(super) type OfWire = fn(&View<'_>) -> Option<Vec<HostPlace>>;

const OF_WIRE: [(&str, OfWire); 5] = [
    ("text_before_first_message", text_before_first_message),
    ("text_between_messages", text_between_messages),
    ("call_answered_with_error_status", call_answered_with_error_status),
    ("sets_cookie", sets_cookie),
    ("offers_nothing", offers_nothing),
];

/// Calls that a model makes, beside ordinary ones.
const MODELS: [Intent; 4] =
    [Intent::GeneratedTool, Intent::InvalidCall, Intent::UnknownTool, Intent::CallWithoutArguments];

/// The function of this name.
pub(super) fn function(name: &str) -> Option<OfWire> {
    OF_WIRE.iter().find(|(own, _)| *own == name).map(|(_, code)| *code)
}

fn place(at: &str) -> HostPlace {
    HostPlace { tool: None, at: at.to_owned() }
}

/// Whether even the fastest start took longer: a run starts several processes at once, which slows them down.
pub(super) fn starts_after(view: &View<'_>, limit: Duration) -> Option<Vec<HostPlace>> {
    let took = |case: Case<'_>| Some(case.answer()?.at.saturating_sub(case.exchange.at));
    let fastest = view.greetings().filter_map(took).min()?;
    Some(if fastest > limit { vec![place("initialize")] } else { vec![] })
}

fn text_before_first_message(view: &View<'_>) -> Option<Vec<HostPlace>> {
    let first = view.sessions.iter().filter_map(|session| session.incoming.first());
    let mut lines = first.filter(|incoming| incoming.receive.via == Via::Line).peekable();
    lines.peek()?;
    let is_behind = |text: &str| {
        let message =
            text.split_once('{').filter(|(before, _)| !before.is_empty()).map(|(_, rest)| format!("{{{rest}"));
        message
            .is_some_and(|message| serde_json::from_str::<Value>(&message).is_ok_and(|it| it.get("jsonrpc").is_some()))
    };
    let is_odd = lines.any(|incoming| is_behind(&incoming.receive.text));
    Some(if is_odd { vec![place("the first line of standard output")] } else { vec![] })
}

/// A last word on the way out harms nobody: a message has to come after it.
fn text_between_messages(view: &View<'_>) -> Option<Vec<HostPlace>> {
    let lines = |session: &'_ Session<'_>| -> Vec<bool> {
        let lines = session.incoming.iter().filter(|incoming| incoming.receive.via == Via::Line);
        lines.map(|incoming| incoming.message().is_some()).collect()
    };
    let mut seen = view.judged().map(lines).filter(|lines| !lines.is_empty()).peekable();
    seen.peek()?;
    let is_odd = seen.any(|lines| lines.iter().skip_while(|is_message| **is_message).any(|is_message| *is_message));
    Some(if is_odd { vec![place("a line of standard output")] } else { vec![] })
}

fn call_answered_with_error_status(view: &View<'_>) -> Option<Vec<HostPlace>> {
    let is_plain = |case: &Case<'_>| case.intent().is_none_or(|intent| is_ordinary(intent) || MODELS.contains(&intent));
    let calls = view.calls("tools/call").filter(|case| case.status().is_some() && is_plain(case));
    // The clients that this is about speak no revision without a handshake.
    let calls: Vec<Case<'_>> = calls.filter(|_| view.revision.era() == Era::Handshake).collect();
    let failed = calls.iter().filter(|case| case.status().is_some_and(|status| status == 400 || status >= 500));
    let tools: BTreeSet<Option<&str>> = failed.map(Case::tool).collect();
    let hit = |tool: Option<&str>| HostPlace { tool: tool.map(str::to_owned), at: "tools/call".to_owned() };
    (!calls.is_empty()).then(|| tools.into_iter().map(hit).collect())
}

fn sets_cookie(view: &View<'_>) -> Option<Vec<HostPlace>> {
    let mut heads = view.cases().filter(|case| case.exchange.status.is_some()).peekable();
    heads.peek()?;
    Some(if heads.any(|case| case.header("set-cookie").is_some()) { vec![place("Set-Cookie")] } else { vec![] })
}

fn offers_nothing(view: &View<'_>) -> Option<Vec<HostPlace>> {
    let listed = |method: &str, member: &str| {
        let mut results = view.calls(method).filter_map(|case| case.result()?.get(member)?.as_array());
        results.any(|list| !list.is_empty())
    };
    let lists = [("tools/list", "tools"), ("prompts/list", "prompts"), ("resources/list", "resources")];
    let asked = lists.iter().any(|(method, _)| view.calls(method).next().is_some());
    let offers = lists.iter().any(|(method, member)| listed(method, member));
    (asked || offers).then(|| if offers { vec![] } else { vec![place("tools/list")] })
}
