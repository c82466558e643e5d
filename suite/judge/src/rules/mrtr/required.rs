//! Where a result may ask for input, and for what: only where it is allowed, only what the client can do. Passive.

use verdict::Intent;

use crate::rules::asks::{Ask, asks, is_input_required};
use crate::rules::during::{request, told_of};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "mrtr/required",
    judges: &[
        "mrtr.only-supported-methods",
        "mrtr.input-requests-keys-unique",
        "mrtr.capability-respected",
        "mrtr.no-capability-memory",
        "mrtr.deprecated-features",
    ],
    judge,
};

const METHODS: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];

fn judge(view: &View<'_>, collector: &mut Collector) {
    if view.revision.is_handshake() {
        return;
    }
    for case in view.cases() {
        let (Some(result), Some(method)) = (case.result(), case.method()) else { continue };
        if !METHODS.contains(&method) {
            collector.check("mrtr.only-supported-methods", !is_input_required(result), || {
                let message =
                    "A method that does not support it returns an input_required result, so clients cannot continue.";
                case.finding(message, "a complete result or an error")
            });
        } else if is_input_required(result) {
            let Some(answer) = case.answer() else { continue };
            let twice =
                answer.parsed.duplicates.iter().any(|pointer| {
                    pointer.strip_prefix("/result/inputRequests/").is_some_and(|rest| !rest.contains('/'))
                });
            collector.check("mrtr.input-requests-keys-unique", !twice, || {
                case.finding("A key occurs twice in inputRequests, so one of the requests is lost.", "every key once")
            });
        } else if case.intent() == Some(Intent::MrtrForgets) {
            collector.witness("mrtr.capability-respected");
            collector.witness("mrtr.no-capability-memory");
        }
    }
    let refused = view.probes(Intent::MrtrForgets).filter(|case| case.error().is_some()).count();
    collector.witness_times("mrtr.no-capability-memory", u32::try_from(refused).unwrap_or(u32::MAX));
    for ask in asks(view) {
        check_respected(&ask, collector);
    }
}

fn check_respected(ask: &Ask<'_>, collector: &mut Collector) {
    let Some(exchange) = ask.exchange.filter(|exchange| request(exchange).is_some()) else { return };
    let capability = match ask.method {
        "elicitation/create" => "elicitation",
        "sampling/createMessage" => "sampling",
        "roots/list" => "roots",
        _ => return,
    };
    if capability != "elicitation" {
        collector.witness("mrtr.deprecated-features");
        collector.note(
            "mrtr.deprecated-features",
            format!("{capability} is requested, which is deprecated as of this revision"),
        );
    }
    if ask.has(capability) {
        return collector.witness("mrtr.capability-respected");
    }
    let message =
        "An input_required result asks for something that the client did not declare, so the client cannot continue.";
    let finding = |message| {
        let expected = "a result, an error, or a request for input that the capabilities of the request cover";
        told_of(exchange, ask.incoming, message, expected, format!("a request for {}", ask.method))
    };
    collector.fail("mrtr.capability-respected", finding(message));
    let forgets = exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::MrtrForgets);
    if forgets {
        let message = "The capabilities of an earlier request are used for a later one that declares none.";
        collector.fail("mrtr.no-capability-memory", finding(message));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    const RESPECTED: &str = "mrtr.capability-respected";

    fn required() -> Value {
        let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
        let ask = json!({"method": "elicitation/create", "params": {"message": "m", "requestedSchema": schema}});
        json!({"result": {"resultType": "input_required", "inputRequests": {"a": ask}}})
    }

    fn call(intent: Intent, method: &str, capabilities: Value) -> Script {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", KEY: capabilities});
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
        script.probe(intent, method, json!({"name": "x", "_meta": meta}), required())
    }

    const KEY: &str = "io.modelcontextprotocol/clientCapabilities";

    #[test]
    fn a_call_may_ask_for_what_the_client_can_do() {
        let script = call(Intent::Unknown, "tools/call", json!({"elicitation": {}}));
        assert!(script.fails_in("mrtr").is_empty());
        assert_eq!(script.status_of(RESPECTED), Status::Pass);
        assert_eq!(
            call(Intent::Unknown, "tools/call", json!({})).fails_in("mrtr"),
            ["mrtr.elicitation-mode-supported", RESPECTED]
        );
        let forgets = call(Intent::MrtrForgets, "tools/call", json!({}));
        assert!(forgets.fails_in("mrtr").contains(&"mrtr.no-capability-memory"));
    }

    #[test]
    fn a_list_may_not_ask() {
        let script = call(Intent::Unknown, "tools/list", json!({"elicitation": {}}));
        assert!(script.fails_in("mrtr").contains(&"mrtr.only-supported-methods"));
    }

    #[test]
    fn a_key_occurs_once() {
        let mut script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", KEY: {"roots": {}}});
        script.ask(None, "tools/call", json!({"name": "x", "_meta": meta}));
        let script = script.says(
            r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"},"a":{"method":"roots/list"}}}}"#,
        );
        assert_eq!(script.fails_in("mrtr"), ["mrtr.input-requests-keys-unique"]);
    }
}
