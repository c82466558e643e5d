//! Handles for a state that a tool keeps: made at random, refused when they are nobody's, and no credential.
//!
//! All of it in a session that no other rule looks at.

use base64::Engine as _;
use serde_json::Value;
use verdict::probes::values::Who;
use verdict::{Finding, Intent, Key};

use crate::rules::random::{ENOUGH, is_sequence, varies};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/handles",
    judges: &[
        "tools.stateful.unknown-handle",
        "tools.stateful.handle-opaque",
        "tools.stateful.lifetime-documented",
        "tools.stateful.handle-authorized",
        "security.handle.unguessable",
        "security.handle.not-authentication",
    ],
    judge,
};

const UNKNOWN: &str = RULE.judges[0];
const OPAQUE: &str = RULE.judges[1];
const LIFETIME: &str = RULE.judges[2];
const AUTHORIZED: &str = RULE.judges[3];
const RANDOM: &str = RULE.judges[4];
const CREDENTIAL: &str = RULE.judges[5];

/// How to name the tools.
const TABLE: &str = "a table [handles] in mcp-conform.toml: create = { call = \"TOOL\" }, use = { call = \"TOOL\" } and field = \"NAME\", the member of the result that is the handle";
/// Words by which a description tells how long something lives.
const TIMES: [&str; 17] = [
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "month",
    "expire",
    "lifetime",
    "lives",
    "until",
    "ttl",
    "forever",
    "permanent",
    "session",
    "timeout",
    "time out",
    "restart",
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let made: Vec<(Case<'_>, String)> =
        ours(view, Intent::HandleMade).filter_map(|case| Some((case, handle(&case)?))).collect();
    how_made(view, &made, collector);
    for case in ours(view, Intent::HandleUsed).filter(Case::is_decided) {
        if case.value() == Some(Who::Unknown) {
            check_unknown(&case, collector);
        }
    }
    check_whose(view, collector);
    collector.not_observed(
        UNKNOWN,
        format!("needs {TABLE}; no tool takes an id that the output schema of another tool names"),
    );
    for id in [OPAQUE, LIFETIME, RANDOM] {
        collector.not_observed(id, format!("needs {TABLE}"));
    }
    collector.not_observed(CREDENTIAL, format!("needs a credential (--token-env VARIABLE) and {TABLE}"));
    let users =
        "needs the credentials of two users (--token-env and --second-token-env VARIABLE, or [auth] token and second)";
    collector.not_observed(AUTHORIZED, format!("{users} and {TABLE}"));
}

fn ours<'v>(view: &'v View<'v>, intent: Intent) -> impl Iterator<Item = Case<'v>> {
    let cases = move |session: &'v crate::Session<'v>| {
        session.exchanges.iter().map(move |exchange| Case { view, session, exchange })
    };
    view.outsiders.iter().flat_map(cases).filter(move |case| case.intent() == Some(intent))
}

fn handle(case: &Case<'_>) -> Option<String> {
    crate::handle(case.result()?, case.about_str(Key::Field)?)
}

fn how_made(view: &View<'_>, made: &[(Case<'_>, String)], collector: &mut Collector) {
    let Some((case, first)) = made.first() else { return };
    let shown = |message: &str, expected: &str, actual: &str| Finding {
        actual: actual.into(),
        ..case.finding(message, expected)
    };
    let handles: Vec<&str> = made.iter().map(|(_, handle)| handle.as_str()).collect();
    let enough = handles.len() >= ENOUGH;
    let counts = is_sequence(&handles);
    if enough {
        collector.check(RANDOM, !counts && varies(&handles), || {
            let message = "Handles can be guessed: anyone who has one can guess those of others.";
            let actual = if counts { "sequential handles" } else { "handles that differ in only a few characters" };
            shown(message, "random handles, such as UUIDs", actual)
        });
    } else {
        collector.not_observed(RANDOM, "too few handles were issued to tell how they are generated");
    }
    collector.check(OPAQUE, !counts && !is_readable(first), || {
        let message = "Handles have contents that clients can read and will come to depend on.";
        shown(message, "an opaque string", if counts { "sequential handles" } else { "JSON, in Base64 or plain" })
    });
    let described = case.tool().and_then(|name| view.tool(name));
    let description = described.and_then(|tool| tool.definition.get("description")?.as_str()).unwrap_or_default();
    let description = description.to_lowercase();
    collector.check(LIFETIME, TIMES.iter().any(|word| description.contains(word)), || {
        let message =
            "The description of a tool that returns a handle does not say how long the state behind it is kept.";
        shown(message, "how long it lives", "none")
    });
}

/// JSON, as it is or in Base64.
fn is_readable(handle: &str) -> bool {
    use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
    let structured =
        |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).is_ok_and(|value| value.is_object() || value.is_array());
    let bare = handle.trim_end_matches('=');
    let decoded = URL_SAFE_NO_PAD.decode(bare).or_else(|_| STANDARD_NO_PAD.decode(bare));
    structured(handle.as_bytes()) || decoded.is_ok_and(|bytes| structured(&bytes))
}

/// A result that is no error.
fn is_served(case: &Case<'_>) -> bool {
    case.result().is_some() && !case.is_tool_error()
}

fn check_unknown(case: &Case<'_>, collector: &mut Collector) {
    // A tool that was only guessed to take a handle may have a good answer for an id that is nothing's.
    if is_served(case) && case.about(Key::Told) != Some(&Value::Bool(true)) {
        return collector
            .note(UNKNOWN, "a tool takes an id that another one returns, and answers one that was never issued");
    }
    if case.answer().is_none() {
        return;
    }
    collector.check(UNKNOWN, case.is_tool_error(), || {
        let message = if is_served(case) {
            "A handle that was never issued is accepted as valid."
        } else {
            "A handle that was never issued leads to a protocol error, which models do not see, so they cannot ask for another."
        };
        case.finding(message, "a result with isError true that says so")
    });
}

/// Checks what users other than its owner get for a handle.
fn check_whose(view: &View<'_>, collector: &mut Collector) {
    let used = |who: Who| ours(view, Intent::HandleUsed).filter(move |case| case.value() == Some(who));
    let own: Vec<Case<'_>> = used(Who::Own).collect();
    if own.is_empty() {
        return;
    }
    if !own.iter().all(is_served) {
        for id in [AUTHORIZED, CREDENTIAL] {
            collector.not_observed(id, "the call that takes the handle did not succeed for its owner either");
        }
        return;
    }
    for case in used(Who::Nobody).filter(|case| case.is_decided() && case.status().is_some()) {
        if ours(view, Intent::NobodyLetIn).any(|case| is_served(&case)) {
            collector.not_applicable(CREDENTIAL, "the server also serves clients without a credential");
            continue;
        }
        collector.check(CREDENTIAL, !is_served(&case), || {
            let message = "A call without a credential is served because it carries a handle: anyone who obtains a handle is let in.";
            case.finding(message, "HTTP status 401")
        });
    }
    let let_in = ours(view, Intent::SecondLetIn).any(|case| case.result().is_some());
    for case in used(Who::Second).filter(|case| case.is_decided() && case.status().is_some()) {
        if !let_in {
            collector.not_observed(AUTHORIZED, "the second user's credential is not accepted here");
            continue;
        }
        collector.check(AUTHORIZED, !is_served(&case), || {
            case.finding("A handle of one user also works for another user.", "an error, or a result with isError true")
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::{AUTHORIZED, CREDENTIAL, LIFETIME, OPAQUE, RANDOM, UNKNOWN};
    use crate::testing::Script;

    fn start(description: &str) -> Script {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"tools": {}}));
        let tool = json!({"name": "open", "description": description, "inputSchema": {"type": "object"}});
        let list = json!({"result": {"resultType": "complete", "tools": [tool]}});
        script.plain("tools/list", json!({}), list).outsider()
    }

    fn made(handles: &[String]) -> Script {
        handles.iter().fold(start("Opens a basket. It is kept for an hour."), |script, handle| {
            let result = json!({"result": {"structuredContent": {"id": handle}, "content": []}});
            script.probe_about(
                Intent::HandleMade,
                json!({"field": "id", "tool": "open"}),
                "tools/call",
                json!({"name": "open"}),
                result,
            )
        })
    }

    fn random() -> Vec<String> {
        (1..=12_u64)
            .map(|n| {
                format!("{:016x}{:016x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15), n.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
            })
            .collect()
    }

    #[test]
    fn handles_are_random_and_opaque() {
        let good = made(&random());
        for id in [RANDOM, OPAQUE, LIFETIME] {
            assert_eq!(good.status_of(id), Status::Pass, "{id}");
        }
        let counted: Vec<String> = (1..=12).map(|n| format!("basket-{n}")).collect();
        assert_eq!(made(&counted).status_of(RANDOM), Status::Fail);
        assert_eq!(made(&counted).status_of(OPAQUE), Status::Fail);
        assert_eq!(made(&random()[..3]).status_of(RANDOM), Status::NotObserved);
        let readable = made(&["eyJiYXNrZXQiOjF9".to_owned()]);
        assert_eq!(readable.status_of(OPAQUE), Status::Fail);
        let silent = start("Opens a basket.").probe_about(
            Intent::HandleMade,
            json!({"field": "id", "tool": "open"}),
            "tools/call",
            json!({"name": "open"}),
            json!({"result": {"structuredContent": {"id": "a"}}}),
        );
        assert_eq!(silent.status_of(LIFETIME), Status::Fail);
    }

    fn used(script: Script, who: &str, told: bool, answer: Value) -> Script {
        let about = json!({"who": who, "told": told});
        let status = if answer.is_null() { 401 } else { 200 };
        let body = json!({"jsonrpc": "2.0", "id": format!("u-{who}"), "result": answer}).to_string();
        let sent =
            json!({"jsonrpc": "2.0", "id": format!("u-{who}"), "method": "tools/call", "params": {"name": "put"}});
        let script = script.request("POST", Intent::HandleUsed, about, &[], &sent.to_string());
        script.respond(status, &[], if answer.is_null() { "" } else { &body })
    }

    fn done() -> Value {
        json!({"content": []})
    }

    fn failed() -> Value {
        json!({"content": [], "isError": true})
    }

    #[test]
    fn a_handle_that_was_never_given_is_refused() {
        let unknown = |told: bool, answer: Value| used(start(""), "unknown", told, answer).verdict(UNKNOWN);
        assert_eq!(unknown(true, failed()).status, Status::Pass);
        assert_eq!(unknown(true, done()).status, Status::Fail);
        let guessed = unknown(false, done());
        assert_eq!((guessed.status, guessed.notes.len()), (Status::NotObserved, 1));
    }

    #[test]
    fn a_handle_is_no_credential() {
        let nobody =
            |answer: Value| used(used(start(""), "own", true, done()), "nobody", true, answer).status_of(CREDENTIAL);
        assert_eq!(nobody(Value::Null), Status::Pass);
        assert_eq!(nobody(done()), Status::Fail);
        let open = start("").probe(Intent::NobodyLetIn, "tools/list", json!({}), json!({"result": {"tools": []}}));
        let open = used(used(open, "own", true, done()), "nobody", true, done());
        assert_eq!(open.status_of(CREDENTIAL), Status::NotApplicable);
    }

    #[test]
    fn a_handle_is_one_users() {
        let second = |let_in: bool, answer: Value| {
            let result =
                if let_in { json!({"result": {"tools": []}}) } else { json!({"error": {"code": 1, "message": "no"}}) };
            let script =
                used(start(""), "own", true, done()).probe(Intent::SecondLetIn, "tools/list", json!({}), result);
            used(script, "second", true, answer).status_of(AUTHORIZED)
        };
        assert_eq!(second(true, failed()), Status::Pass);
        assert_eq!(second(true, done()), Status::Fail);
        assert_eq!(second(false, failed()), Status::NotObserved);
    }
}
