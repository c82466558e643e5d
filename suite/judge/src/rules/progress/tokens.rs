//! Tokens of either type, at their edges and at the same time; and what is no token.

use serde_json::Value;
use verdict::{Intent, Key, Revision};
use wire::mcp::code;

use super::beat::beats_of;
use crate::rules::during::param;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "progress/tokens",
    judges: &["progress.token-string-and-integer", "progress.concurrent-tokens", "progress.token-invalid-type"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::ProgressToken).filter(Case::is_decided) {
        check_served(&case, collector);
    }
    for case in view.probes(Intent::ProgressPair).filter(|case| case.is_decided() && case.result().is_some()) {
        check_own(&case, collector);
    }
    for case in view.probes(Intent::ProgressInvalid).filter(Case::is_decided) {
        check_invalid(&case, collector);
    }
}

fn check_served(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "progress.token-string-and-integer";
    if case.error().is_some() && is_served_without(case) {
        let message = "A request with a progress token is not served, though the token is one that clients may send.";
        return collector.fail(ID, case.finding(message, "the ordinary result"));
    }
    if case.result().is_none() {
        return;
    }
    if case.about(Key::Known) != Some(&Value::Bool(true)) {
        // Whether it would report progress is not known: only the request itself was served.
        return collector.witness(ID);
    }
    if case.session.open.confirm {
        collector.repeated(ID);
    }
    if beats_of(case.session, case.exchange).is_empty() {
        let kind = case.about_str(Key::Kind).unwrap_or_default();
        let message = "A tool that reports progress under other tokens reports none under this one: the token is treated as absent.";
        let mut finding = case.finding(message, "progress under this token as under others");
        finding.place = Some(format!("token {kind}"));
        finding.actual = "no progress".to_owned();
        collector.suspect(ID, case, finding);
    } else {
        collector.witness(ID);
    }
}

/// Whether another call of the method, and of the same tool, got a result.
fn is_served_without(case: &Case<'_>) -> bool {
    let alike = |other: &Case<'_>| other.tool() == case.tool() && other.result().is_some();
    case.method().is_some_and(|method| case.view.calls(method).any(|other| alike(&other)))
}

fn check_own(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "progress.concurrent-tokens";
    if case.session.open.confirm {
        collector.repeated(ID);
    }
    if beats_of(case.session, case.exchange).is_empty() {
        let message =
            "One of two concurrent calls gets no progress, although the tool reports it: the tokens get mixed up.";
        let mut finding = case.finding(message, "progress for each call under its own token");
        finding.actual = "no progress under the token of this call".to_owned();
        return collector.suspect(ID, case, finding);
    }
    collector.witness(ID);
}

fn check_invalid(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "progress.token-invalid-type";
    let token = case.param("_meta").and_then(|meta| meta.get("progressToken"));
    let progress = case.session.incoming.iter().filter(|incoming| incoming.method() == Some("notifications/progress"));
    let used = progress
        .filter(|incoming| incoming.seq > case.exchange.seq)
        .any(|incoming| param(incoming, "progressToken") == token);
    let orderly = case.result().is_some()
        || case.error_code() == Some(code::INVALID_PARAMS)
        || case.status().is_some_and(|status| status == 400);
    if !used && case.answer().is_none() && case.view.revision <= Revision::V2025_06_18 {
        return collector.note(ID, "a request whose progressToken is neither a string nor an integer gets no answer");
    }
    collector.check(ID, orderly && !used, || {
        let message = if used {
            "A progress token that is neither a string nor an integer is used in notifications."
        } else {
            "A request whose progress token is neither a string nor an integer gets no proper answer."
        };
        case.finding(message, "error -32602, or the result without progress")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::{Script, declared};

    const BOTH: &str = "progress.token-string-and-integer";
    const PAIR: &str = "progress.concurrent-tokens";

    fn start() -> Script {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        script.plain("tools/call", json!({"name": "slow"}), json!({"result": {"content": []}}))
    }

    fn params(token: &Value) -> Value {
        json!({"name": "slow", "_meta": {"progressToken": token}})
    }

    fn call(mut script: Script, intent: Intent, token: Value, beats: usize, answer: Value) -> Script {
        let about = declared(intent, json!({"kind": "zero", "known": true}));
        script.ask(Some((intent, about)), "tools/call", params(&token));
        for at in 0..beats {
            let params = json!({"progressToken": token, "progress": at});
            script = script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}));
        }
        script.answer(answer);
        script
    }

    fn done() -> Value {
        json!({"result": {"content": []}})
    }

    #[test]
    fn a_falsy_token_is_one() {
        assert_eq!(call(start(), Intent::ProgressToken, json!(0), 2, done()).status_of(BOTH), Status::Pass);
        let once = call(start(), Intent::ProgressToken, json!(0), 0, done());
        assert_eq!(once.status_of(BOTH), Status::Inconclusive);
        let again = call(once.session(true, json!({"tools": {}})), Intent::ProgressToken, json!(0), 0, done());
        assert_eq!(again.fails(), [BOTH]);
    }

    #[test]
    fn refusing_a_token_fails_and_silence_about_progress_is_allowed() {
        let refused = json!({"error": {"code": -32602, "message": "bad token"}});
        assert_eq!(call(start(), Intent::ProgressToken, json!(-1), 0, refused).fails(), [BOTH]);
        let script = start().probe(Intent::ProgressToken, "tools/call", params(&json!("a")), done());
        assert_eq!(script.status_of(BOTH), Status::Pass);
    }

    #[test]
    fn two_calls_at_once_each_have_their_own() {
        let both = call(
            call(start(), Intent::ProgressPair, json!("a"), 1, done()),
            Intent::ProgressPair,
            json!("b"),
            1,
            done(),
        );
        assert_eq!(both.status_of(PAIR), Status::Pass);
        let one = call(
            call(start(), Intent::ProgressPair, json!("a"), 0, done()),
            Intent::ProgressPair,
            json!("b"),
            2,
            done(),
        );
        assert_eq!(one.status_of(PAIR), Status::Inconclusive);
    }

    #[test]
    fn what_is_no_token_is_refused_or_ignored() {
        const ID: &str = "progress.token-invalid-type";
        let ask = |answer| start().probe(Intent::ProgressInvalid, "tools/call", params(&json!({"a": 1})), answer);
        assert_eq!(ask(done()).status_of(ID), Status::Pass);
        assert_eq!(ask(json!({"error": {"code": -32602, "message": "no"}})).status_of(ID), Status::Pass);
        let verdict = ask(json!({"error": {"code": -32603, "message": "no"}})).verdict(ID);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
    }
}
