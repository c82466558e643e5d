//! Log levels that are none, in `logging/setLevel` and in the `_meta` of 2026-07-28; levels that are.

use serde_json::Value;
use verdict::{Finding, Intent, Key, Level};
use wire::mcp::code;

use super::LOG_LEVEL;
use crate::rules::common::{is_bare_refusal, is_unserved};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "logging/refused",
    judges: &[
        "logging.set-level.invalid-level",
        "logging.set-level.missing-level",
        "logging.per-request.every-level",
        "logging.per-request.invalid-level",
        "logging.per-request.without-capability",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::LogLevelInvalid).filter(Case::is_decided) {
        let message = "An unknown log level";
        check_refused(&case, "logging.set-level.invalid-level", message, collector);
    }
    for case in view.probes(Intent::LogLevelMissing).filter(Case::is_decided) {
        check_refused(&case, "logging.set-level.missing-level", "logging/setLevel without a level", collector);
    }
    for case in view.probes(Intent::LogRequest).filter(Case::is_decided) {
        check_served(&case, collector);
    }
    for case in view.probes(Intent::LogRequestInvalid).filter(Case::is_decided) {
        check_invalid(&case, collector);
    }
}

fn check_refused(case: &Case<'_>, id: &'static str, what: &str, collector: &mut Collector) {
    if case.answer().is_none() && case.status().is_none() {
        // That every request is answered is a matter of its own.
        return;
    }
    if is_unserved(case) {
        return collector.not_observed(id, "the server does not serve logging/setLevel");
    }
    collector.check(id, case.error_code() == Some(code::INVALID_PARAMS), || {
        let mut finding = match case.error() {
            Some(_) => case.finding(format!("{what} is refused with a code other than -32602."), "error -32602"),
            None if is_bare_refusal(case) => {
                case.finding(format!("{what} is refused by its HTTP status alone."), "error -32602")
            }
            None => case.finding(
                format!(
                    "{what} is accepted, so a client that makes this mistake never learns why its setting has no effect."
                ),
                "error -32602",
            ),
        };
        finding.place = kind(case);
        finding
    });
}

fn kind(case: &Case<'_>) -> Option<String> {
    case.about_str(Key::Kind).map(str::to_owned)
}

fn check_served(case: &Case<'_>, collector: &mut Collector) {
    let id = if case.view.declares("logging") {
        "logging.per-request.every-level"
    } else {
        "logging.per-request.without-capability"
    };
    // Only where the same request without a level gets a result.
    let plain = |other: &Case<'_>| {
        other.result().is_some() && other.param("_meta").is_some_and(|meta| meta.get(LOG_LEVEL).is_none())
    };
    if !case.method().is_some_and(|method| case.view.calls(method).any(|other| plain(&other))) {
        return;
    }
    collector.check(id, case.result().is_some(), || {
        let level = case.param("_meta").and_then(|meta| meta.get(LOG_LEVEL)).and_then(Value::as_str);
        let mut finding =
            case.finding("A request that asks for log messages at a valid level is not served.", "the ordinary result");
        finding.place = level.map(str::to_owned);
        finding
    });
}

fn check_invalid(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "logging.per-request.invalid-level";
    if case.answer().is_none() && case.status().is_none() {
        return;
    }
    let declared = case.view.declares("logging");
    collector.check(ID, case.error_code() == Some(code::INVALID_PARAMS), || {
        let message = if case.error().is_some() {
            "A request with an unknown log level is refused with a code other than -32602."
        } else {
            "A request with an unknown log level is served as if the level were valid."
        };
        let finding = Finding { place: kind(case), ..case.finding(message, "error -32602") };
        // A server that does not log has no use for the field: ignoring it is common.
        if declared { finding } else { Finding { level: Some(Level::Advice), ..finding } }
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    fn set(intent: Intent, params: Value, answer: Value) -> Script {
        Script::new(Revision::V2025_11_25, json!({"logging": {}})).probe(intent, "logging/setLevel", params, answer)
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    #[test]
    fn levels_that_do_not_exist_are_refused_by_code() {
        let cases = [
            (Intent::LogLevelInvalid, json!({"level": "loud"}), "logging.set-level.invalid-level"),
            (Intent::LogLevelMissing, json!({}), "logging.set-level.missing-level"),
        ];
        for (intent, params, id) in cases {
            assert_eq!(set(intent, params.clone(), error(-32602)).status_of(id), Status::Pass);
            assert_eq!(set(intent, params.clone(), error(-32603)).fails_in("logging"), [id]);
            assert_eq!(set(intent, params, json!({"result": {}})).fails_in("logging"), [id]);
        }
    }

    fn list(intent: Option<Intent>, capabilities: Value, level: Value, answer: Value) -> Script {
        let list = json!({"result": {"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"}});
        let script = Script::new(Revision::V2026_07_28, capabilities).plain("tools/list", json!({}), list.clone());
        let meta =
            json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/logLevel": level});
        let answer = if answer.is_null() { list } else { answer };
        script.probe(intent.unwrap_or(Intent::LogRequest), "tools/list", json!({"_meta": meta}), answer)
    }

    #[test]
    fn a_server_that_knows_no_levels_at_all_is_told_so_elsewhere() {
        let absent = set(Intent::LogLevelInvalid, json!({"level": "loud"}), error(-32601));
        assert_eq!(absent.status_of("logging.set-level.invalid-level"), Status::NotObserved);
    }

    #[test]
    fn a_legal_level_in_a_request_is_served() {
        const ID: &str = "logging.per-request.every-level";
        let logging = || json!({"tools": {}, "logging": {}});
        assert_eq!(list(None, logging(), json!("alert"), Value::Null).status_of(ID), Status::Pass);
        assert_eq!(list(None, logging(), json!("alert"), error(-32602)).fails_in("logging"), [ID]);
        let verdict = list(None, json!({"tools": {}}), json!("alert"), error(-32602))
            .verdict("logging.per-request.without-capability");
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
    }

    #[test]
    fn another_value_is_refused_unless_the_server_does_not_log() {
        const ID: &str = "logging.per-request.invalid-level";
        let ask = |capabilities, answer| list(Some(Intent::LogRequestInvalid), capabilities, json!("loud"), answer);
        let logging = || json!({"tools": {}, "logging": {}});
        assert_eq!(ask(logging(), error(-32602)).status_of(ID), Status::Pass);
        assert_eq!(ask(logging(), error(-32600)).fails_in("logging"), [ID]);
        assert_eq!(ask(logging(), Value::Null).verdict(ID).level, Level::Should);
        assert_eq!(ask(json!({"tools": {}}), Value::Null).verdict(ID).level, Level::Advice);
    }
}
