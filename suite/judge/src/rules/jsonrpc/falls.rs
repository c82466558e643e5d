//! Messages over which the server fell, and a fresh process that was sent nothing else fell again: whatever is well-formed is owed an
//! answer, and so is what comes after it.

use verdict::{Finding, Intent, Key};

use crate::rules::tools::{what_is_called, what_is_silenced};
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule { name: "jsonrpc/falls", judges: &[ANSWERED], judge };

const ANSWERED: &str = "jsonrpc.response.every-request-answered";

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged().filter(|session| session.fall.is_some()) {
        for exchange in session.exchanges.iter().filter(|exchange| view.is_silencing(session, exchange)) {
            let case = Case { view, session, exchange };
            collector.fail(ANSWERED, finding(session, &[case], &case));
        }
        let reproduced = session.exchanges.iter().filter(|exchange| view.is_reproduced(session, exchange));
        let sent: Vec<Case<'_>> = reproduced.map(|exchange| Case { view, session, exchange }).collect();
        if let Some(last) = sent.last() {
            collector.fail(ANSWERED, finding(session, &sent, last));
        }
    }
}

fn finding(session: &Session<'_>, sent: &[Case<'_>], last: &Case<'_>) -> Finding {
    let ended = session.fall.is_some_and(|fall| fall.ended);
    let who = who(sent, last);
    let message = if ended {
        format!("{who} ends the server: anyone who sends this makes everything that it offers unavailable.")
    } else {
        what_is_silenced(&who)
    };
    let mut finding = last.finding(message, expected(last));
    finding.wire = sent.iter().flat_map(Case::wire).collect();
    finding.actual = actual(session, last);
    finding.place = last.tool().is_none().then(|| last.method().map(str::to_owned)).flatten();
    let scenario = |case: &Case<'_>| {
        let probe = case.exchange.send.probe.as_ref()?;
        let of = probe.get(Key::Of).and_then(serde_json::Value::as_str);
        Some(of.filter(|_| probe.intent == Intent::Reproduced).unwrap_or(&probe.scenario).to_owned())
    };
    finding.shown_by = sent.iter().filter_map(scenario).collect();
    finding.shown_by.dedup();
    finding.fells()
}

/// Names what was sent, as the beginning of a sentence.
fn who(sent: &[Case<'_>], last: &Case<'_>) -> String {
    let one = match (last.method(), last.tool()) {
        (Some(_), Some(_)) => what_is_called(last),
        (Some(method), None) => format!("`{method}`"),
        (None, _) if last.exchange.asks_for_none() => "A response to a request of its own".to_owned(),
        // Text that is JSON and no message: half a surrogate pair, for one.
        (None, _) => "This message".to_owned(),
    };
    match sent.len() {
        1 => one,
        many => format!(
            "{one} behind {}",
            if many == 2 { "another message".to_owned() } else { format!("{} other messages", many - 1) }
        ),
    }
}

fn expected(last: &Case<'_>) -> &'static str {
    if last.exchange.asks_for_none() { "a server that goes on answering requests" } else { "an answer" }
}

/// How the server fell, and what that meant for a message.
pub(in crate::rules) fn actual(session: &Session<'_>, last: &Case<'_>) -> String {
    let none = last.exchange.asks_for_none();
    match (session.fall.is_some_and(|fall| fall.ended), session.exit) {
        (true, Some((_, exit))) if none => format!("the server {exit}, and no later request is answered"),
        (true, Some((_, exit))) => format!("no answer: the server {exit}"),
        (true, None) => "the server closed its output".to_owned(),
        (false, _) if none => "no later request is answered".to_owned(),
        (false, _) => "no answer, and none to anything after it".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Level, Revision, Status};

    use super::ANSWERED;
    use crate::testing::Script;

    fn call(name: &str) -> Script {
        let tools = json!({"result": {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}});
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}})).plain("tools/list", json!({}), tools);
        let mut script = script.session(true, json!({"tools": {}}));
        let about = json!({"of": "tools/calls", "tool": name, "minimal": true});
        script.ask(Some((Intent::Reproduced, about)), "tools/call", json!({"name": name, "arguments": {}}));
        script
    }

    #[test]
    fn a_call_that_fells_a_fresh_process_is_a_must() {
        let verdict = call("add").exits(1).verdict(ANSWERED);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Must));
        let finding = &verdict.findings[0];
        assert_eq!((finding.tool.as_deref(), finding.fell), (Some("add"), true));
        assert_eq!(finding.shown_by, ["tools/calls"]);
        assert!(finding.message.contains("ends the server"), "{}", finding.message);
    }

    #[test]
    fn a_call_after_which_a_careful_session_is_silent_is_a_must_and_nothing_else_is_said_of_it() {
        let tools = json!({"result": {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}});
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}})).plain("tools/list", json!({}), tools);
        let script = script.careful(json!({"tools": {}})).settled();
        let script = script.unanswered(Intent::ValidCall, "tools/call", json!({"name": "add", "arguments": {}}));
        let script = script.unanswered_plainly("ping", json!({})).gave_up();
        assert_eq!(script.fails(), [ANSWERED]);
        assert_eq!(script.verdict(ANSWERED).level, Level::Must);
    }

    #[test]
    fn what_cannot_be_read_is_not_called_a_response() {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}})).session(true, json!({"tools": {}}));
        let text = r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"a\ud800b"}}"#;
        let script = script.raw(Intent::Reproduced, json!({"of": "tools/calls"}), text);
        let verdict = script.exits(1).verdict(ANSWERED);
        assert!(verdict.findings[0].message.starts_with("This message ends the server"), "{verdict:?}");
    }

    #[test]
    fn a_process_that_goes_on_shows_nothing() {
        let mut script = call("add");
        script.answer(json!({"result": {"content": []}}));
        assert_ne!(script.status_of(ANSWERED), Status::Fail);
    }
}
