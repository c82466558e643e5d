//! The error for a request that needs a capability the client did not declare.

use serde_json::Value;
use verdict::{Intent, Key};

use super::common::{MISSING_CAPABILITY, data, declared_capabilities};
use crate::rules::jsonrpc::common::is_codeless;
use crate::{Case, Collector, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "discover/capability",
    judges: &[
        "discover.missing-capability.code",
        "discover.missing-capability.really-missing",
        "discover.missing-capability.retry-with",
        "discover.stateless.capabilities-not-inherited",
    ],
    judge,
};

const CODE: &str = RULE.judges[0];
const REALLY: &str = RULE.judges[1];
const RETRY: &str = RULE.judges[2];
const INHERITED: &str = RULE.judges[3];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(|case| case.error_code() == Some(MISSING_CAPABILITY)) {
        collector.witness(CODE);
        if let (Some(required), Some(declared)) = (data(&case, "requiredCapabilities"), declared_capabilities(&case)) {
            check_really(&case, required, declared, collector);
        }
    }
    for all in view.probes(Intent::CapabilityAll) {
        for none in view.probes(Intent::CapabilityNone).filter(|none| none.tool() == all.tool()) {
            if !asks(&all) {
                if asks_as_before(&all, &none) {
                    check_code(&none, collector);
                }
                continue;
            }
            check_code(&none, collector);
            if none.session.id == all.session.id && none.about(Key::Turn) == Some(&Value::from(2)) {
                check_inherited(&all, &none, collector);
            }
        }
    }
    for case in view.probes(Intent::CapabilityListed).filter(|case| case.reply().is_some()) {
        collector.check(RETRY, case.error_code() != Some(MISSING_CAPABILITY), || {
            let message = "A request that declares exactly the capabilities that the error requires is refused with the same error, so clients cannot find out what is missing.";
            case.finding(message, "any answer other than error -32021")
        });
    }
}

/// The answer asks for input that only a client with capabilities can give.
fn asks(case: &Case<'_>) -> bool {
    let inputs = case.result().and_then(|result| result.get("inputRequests"));
    inputs.and_then(Value::as_object).is_some_and(|inputs| !inputs.is_empty())
}

/// What asks a client for input until 2025-11-25, and the word for what the client needs for it.
const ASKING: [(&str, &str); 3] =
    [("elicitation/create", "elicitation"), ("sampling/createMessage", "sampling"), ("roots/list", "roots")];

/// With everything declared the client is sent a request of its own, as in older revisions, and the call waits for that; without,
/// the error names just what such a request needs.
fn asks_as_before(all: &Case<'_>, none: &Case<'_>) -> bool {
    let words = none.error().and_then(|error| error.get("message")).and_then(Value::as_str).unwrap_or_default();
    let asked = |method: &str| {
        let own = all.session.incoming.iter().filter(|incoming| incoming.seq > all.exchange.seq);
        own.filter_map(Incoming::message).any(|message| message.method() == Some(method) && message.id.is_some())
    };
    all.reply().is_none() && ASKING.iter().any(|(method, word)| words.to_lowercase().contains(word) && asked(method))
}

/// With everything declared the tool asks for input: without it, it may do without or say -32021.
fn check_code(none: &Case<'_>, collector: &mut Collector) {
    let other = none.error().is_some() && !is_codeless(none) && none.error_code() != Some(MISSING_CAPABILITY);
    if !none.is_tool_error() && !other {
        return;
    }
    let message = "A tool that asks the client for input refuses a client without the required capability with something other than -32021, so the client does not learn what is missing.";
    collector.fail(
        CODE,
        none.finding(
            message,
            "error -32021 (missing client capability), or a result that does not need the capability",
        ),
    );
}

fn check_really(case: &Case<'_>, required: &Value, declared: &Value, collector: &mut Collector) {
    let Some(required) = required.as_object() else { return };
    let present = required.iter().find(|(name, wanted)| has(declared, name, wanted));
    collector.check(REALLY, present.is_none(), || {
        let message = "The error for a missing client capability lists one that the request declares, so clients cannot tell what is missing.";
        let mut finding = case.finding(message, "only capabilities that the request does not declare");
        finding.actual = format!("{} among them", present.map_or("", |(name, _)| name));
        finding
    });
}

/// Whether a capability, with what is wanted inside of it, is declared. An elicitation without modes is one with forms.
fn has(declared: &Value, name: &str, wanted: &Value) -> bool {
    let Some(own) = declared.get(name) else { return false };
    let forms = |own: &Value| name == "elicitation" && own.as_object().is_some_and(serde_json::Map::is_empty);
    let inside = wanted.as_object().into_iter().flatten();
    inside.into_iter().all(|(sub, _)| own.get(sub).is_some() || (sub == "form" && forms(own)))
}

fn check_inherited(all: &Case<'_>, none: &Case<'_>, collector: &mut Collector) {
    if !none.is_decided() || none.reply().is_none() {
        return;
    }
    collector.check(INHERITED, !asks(none), || {
        let message =
            "A request without client capabilities is answered as if those of the previous request still applied.";
        let mut finding = none.finding(message, "no request for input");
        finding.actual = "a result that asks for input".to_owned();
        finding.wire.splice(0..0, all.wire());
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::{CODE, INHERITED, REALLY, RETRY};
    use crate::testing::Script;

    fn call(script: Script, intent: Intent, about: Value, capabilities: Value, answer: Value) -> Script {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": capabilities});
        script.probe_about(intent, about, "tools/call", json!({"name": "ask", "arguments": {}, "_meta": meta}), answer)
    }

    fn none(script: Script, turn: u32, answer: Value) -> Script {
        call(script, Intent::CapabilityNone, json!({"turn": turn}), json!({}), answer)
    }

    fn start() -> Script {
        Script::new(Revision::V2026_07_28, json!({"tools": {}}))
    }

    fn asked() -> Script {
        call(start(), Intent::CapabilityAll, json!({}), json!({"elicitation": {"form": {}, "url": {}}}), asks())
    }

    fn asks() -> Value {
        let input = json!({"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {"type": "object", "properties": {}}}});
        json!({"result": {"resultType": "input_required", "inputRequests": {"a": input}}})
    }

    fn missing(required: Value) -> Value {
        json!({"error": {"code": -32021, "message": "no", "data": {"requiredCapabilities": required}}})
    }

    fn complete(is_error: bool) -> Value {
        json!({"result": {"resultType": "complete", "content": [{"type": "text", "text": "."}], "isError": is_error}})
    }

    #[test]
    fn a_server_that_asks_as_older_ones_do_refuses_clients_with_the_right_error_too() {
        let meta = json!({"io.modelcontextprotocol/clientCapabilities": {"sampling": {}}});
        let params = json!({"name": "ask", "arguments": {}, "_meta": meta});
        let request = r#"{"jsonrpc":"2.0","id":0,"method":"sampling/createMessage","params":{}}"#;
        let error = |code: i64, words: &str| json!({"error": {"code": code, "message": words}});
        let script = |request: &str, refusal: Value| {
            let asked = start().unanswered(Intent::CapabilityAll, "tools/call", params.clone());
            none(asked.says(request), 1, refusal).status_of(CODE)
        };
        let words = "client does not support sampling";
        assert_eq!(script(request, error(-32600, words)), Status::Fail);
        assert_ne!(script(request, error(-32021, words)), Status::Fail);
        assert_ne!(script(request, error(-32600, "no such file")), Status::Fail);
        assert_ne!(script(r#"{"jsonrpc":"2.0","method":"notifications/message"}"#, error(-32600, words)), Status::Fail);
    }

    #[test]
    fn the_error_of_the_page_passes() {
        let script = none(asked(), 2, missing(json!({"elicitation": {}})));
        for id in [CODE, REALLY, INHERITED] {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
        assert!(script.fails_in("discover").is_empty(), "{:?}", script.fails());
    }

    #[test]
    fn a_server_may_do_without() {
        let script = none(asked(), 2, complete(false));
        assert_eq!((script.status_of(CODE), script.status_of(INHERITED)), (Status::NotObserved, Status::Pass));
    }

    #[test]
    fn other_refusals_fail() {
        let other = |code: i64| json!({"error": {"code": code, "message": "no"}});
        for answer in [other(-32601), other(-32602), complete(true)] {
            assert_eq!(none(asked(), 1, answer).status_of(CODE), Status::Fail);
        }
        // Nothing shows that it is the capability that is missing.
        let script = call(start(), Intent::CapabilityAll, json!({}), json!({"sampling": {}}), complete(true));
        assert_eq!(none(script, 1, complete(true)).status_of(CODE), Status::NotObserved);
    }

    #[test]
    fn only_what_is_missing_is_listed() {
        let declared = |declared: Value, required: Value| {
            call(start(), Intent::CapabilityOthers, json!({}), declared, missing(required)).status_of(REALLY)
        };
        let both = || json!({"elicitation": {}, "roots": {}});
        assert_eq!(declared(json!({"roots": {}}), both()), Status::Fail);
        assert_eq!(declared(json!({"roots": {}}), json!({"elicitation": {}})), Status::Pass);
        assert_eq!(declared(json!({"elicitation": {}}), json!({"elicitation": {"form": {}}})), Status::Fail);
        assert_eq!(declared(json!({"elicitation": {}}), json!({"elicitation": {"url": {}}})), Status::Pass);
    }

    #[test]
    fn what_was_asked_for_is_enough() {
        let listed = |answer| call(start(), Intent::CapabilityListed, json!({}), json!({"elicitation": {}}), answer);
        assert_eq!(listed(asks()).status_of(RETRY), Status::Pass);
        assert_eq!(listed(missing(json!({"elicitation": {}}))).status_of(RETRY), Status::Fail);
    }

    #[test]
    fn capabilities_of_the_request_before_do_not_count() {
        assert_eq!(none(asked(), 2, asks()).status_of(INHERITED), Status::Fail);
    }
}
