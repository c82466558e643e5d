//! Rules about a program that was started without its key.

use serde_json::Value;
use verdict::transcript::Ending;
use verdict::{Intent, Key, Purpose};

use super::finding;
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule { name: "practice/keys", judges: &["practice.auth.missing-key-message"], judge };

const ID: &str = RULE.judges[0];
const EXPECTED: &str = "a message that names the environment variable";
/// Lines of standard error that are shown.
const LINES: usize = 5;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let probes = view.judged().flat_map(|session| &session.probes);
    let mut told = probes.filter(|(_, probe)| probe.intent == Intent::KeyVariable);
    let Some(variable) = told.find_map(|(_, probe)| probe.get(Key::Variable).and_then(Value::as_str)) else {
        return collector.not_observed(ID, "needs a program, and the environment variable that holds its key: key_variable = \"NAME\" in mcp-conform.toml");
    };
    for session in view.outsiders.iter().filter(|session| session.open.is_for(Purpose::WithoutKey)) {
        if session.exit.is_some_and(|(_, exit)| exit.after == Ending::Nothing) {
            check_ended(session, variable, collector);
        } else {
            check_serving(view, session, variable, collector);
        }
    }
    collector.not_observed(ID, "everything works the same without the variable: nothing needed the key");
}

/// It ended by itself: whoever started it reads standard error, or the answer to the first request.
fn check_ended(session: &Session<'_>, variable: &str, collector: &mut Collector) {
    let said = session.stderr.iter().any(|(_, line)| line.contains(variable));
    let answered = session.incoming.iter().any(|incoming| incoming.receive.text.contains(variable));
    collector.check(ID, said || answered, || {
        let message = "Without its key, the program exits and does not say which environment variable is missing.";
        let mut found = finding(message.to_owned(), EXPECTED, "an exit without that name".to_owned());
        found.stderr = session.stderr.iter().rev().take(LINES).rev().map(|(_, line)| (*line).to_owned()).collect();
        found
    });
}

/// It goes on: what worked with the key and does not without it says why.
fn check_serving(view: &View<'_>, session: &Session<'_>, variable: &str, collector: &mut Collector) {
    let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    for (at, case) in cases.enumerate() {
        let opens = at == 0 && case.error().is_some();
        let call = case.intent() == Some(Intent::WithoutKey) && fails(&case) && worked(view, &case);
        if !opens && !call {
            continue;
        }
        let named = case.reply().is_some_and(|reply| wire::write::message(reply).contains(variable));
        collector.check(ID, named, || {
            let message = "A request that needs a key fails without it and does not say which environment variable is missing, so users do not know what to set.";
            case.finding(message, EXPECTED)
        });
    }
}

fn fails(case: &Case<'_>) -> bool {
    case.error().is_some() || case.is_tool_error()
}

/// Whether the same call has a result in a session with the key.
fn worked(view: &View<'_>, case: &Case<'_>) -> bool {
    let same = |other: &Case<'_>| other.tool() == case.tool() && other.param("arguments") == case.param("arguments");
    view.probes(Intent::WithKey).any(|other| same(&other) && other.result().is_some() && !other.is_tool_error())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::transcript::{Kind, Open};
    use verdict::{Intent, Purpose, Revision, Status, Transport};

    use super::super::tests::listed;
    use super::ID;
    use crate::testing::Script;

    /// A server that does this with its key; what follows is said without.
    fn keyed(with: Value) -> Script {
        let script = listed(json!([{"name": "search"}])).means(Intent::KeyVariable, json!({"variable": "API_KEY"}));
        let script = script.probe(Intent::WithKey, "tools/call", json!({"name": "search", "arguments": {}}), with);
        script.bare_as(Open {
            transport: Transport::Stdio,
            purpose: Purpose::WithoutKey.word().to_owned(),
            revision: Some(Revision::V2025_11_25),
            confirm: false,
            outside: true,
            continues: None,
        })
    }

    fn called(with: Value, without: Value) -> Status {
        let params = json!({"name": "search", "arguments": {}});
        let opened = keyed(with).plain("initialize", json!({}), json!({"result": {}}));
        opened.probe(Intent::WithoutKey, "tools/call", params, without).status_of(ID)
    }

    fn result(text: &str, error: bool) -> Value {
        json!({"result": {"content": [{"type": "text", "text": text}], "isError": error}})
    }

    #[test]
    fn a_failing_call_names_the_variable() {
        let fine = || result("Found.", false);
        assert_eq!(called(fine(), result("API_KEY is not set", true)), Status::Pass);
        assert_eq!(called(fine(), result("Request failed", true)), Status::Fail);
        assert_eq!(called(fine(), json!({"error": {"code": -32603, "message": "Unauthorized"}})), Status::Fail);
        // Nothing needed the key; and what fails with it says nothing of it.
        assert_eq!(called(fine(), fine()), Status::NotObserved);
        assert_eq!(called(result("Down", true), result("Down", true)), Status::NotObserved);
    }

    #[test]
    fn a_program_that_ends_names_the_variable() {
        let ended = |line: &str| {
            let stderr = Kind::Stderr { text: line.to_owned(), not_utf8: false };
            keyed(result("Found.", false)).add(stderr).exits(1).status_of(ID)
        };
        assert_eq!(ended("error: API_KEY is not set"), Status::Pass);
        assert_eq!(ended("KeyError"), Status::Fail);
    }

    #[test]
    fn a_refused_opening_names_the_variable() {
        let refused = |message: &str| {
            let error = json!({"error": {"code": -32603, "message": message}});
            keyed(result("Found.", false)).plain("initialize", json!({}), error).status_of(ID)
        };
        assert_eq!(refused("set API_KEY first"), Status::Pass);
        assert_eq!(refused("no"), Status::Fail);
    }

    #[test]
    fn nothing_is_said_of_servers_whose_key_nobody_told() {
        assert_eq!(listed(json!([{"name": "search"}])).status_of(ID), Status::NotObserved);
    }
}
