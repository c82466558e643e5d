//! Requests to the client come only where the client of that session declared that it serves them.
//!
//! The witness is a session whose client declared less than everything and that made the server work: calls of tools,
//! prompts and resources that were answered.

use serde_json::Value;
use verdict::Elicitation;
use verdict::Traits;
use verdict::{Finding, Revision};

use super::handshake::agreed;
use crate::{Case, Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule =
    Rule { name: "lifecycle/requests", judges: &["lifecycle.capabilities.client-requests-backed"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let declared = agreed(view, session).and_then(|greeting| greeting.case.param("capabilities"));
        let Some(declared) = declared else { continue };
        let mut asked = false;
        for incoming in &session.incoming {
            let Some(needed) = needs(incoming, view.revision) else { continue };
            asked = true;
            collector.check(ID, is_declared(declared, needed), || undeclared_finding(incoming, needed));
        }
        if !asked && lacks_any(declared, view.revision) && worked(view, session) {
            collector.witness(ID);
        }
    }
}

/// The client capability that a request of the server needs in a revision.
fn needs(incoming: &Incoming<'_>, revision: Revision) -> Option<&'static str> {
    let message = incoming.message().filter(|message| message.kind == wire::Kind::Request)?;
    let param = |name: &str| message.params().and_then(|params| params.get(name));
    let Traits { elicitation, sampling_tools, .. } = *revision.traits();
    match message.method()? {
        "roots/list" => Some("/roots"),
        "sampling/createMessage" if sampling_tools && (param("tools").is_some() || param("toolChoice").is_some()) => {
            Some("/sampling/tools")
        }
        "sampling/createMessage" => Some("/sampling"),
        "elicitation/create"
            if elicitation == Elicitation::FormAndUrl && param("mode").and_then(Value::as_str) == Some("url") =>
        {
            Some("/elicitation/url")
        }
        "elicitation/create" if elicitation != Elicitation::None => Some("/elicitation"),
        _ => None,
    }
}

fn is_declared(capabilities: &Value, pointer: &str) -> bool {
    capabilities.pointer(pointer).is_some_and(Value::is_object)
}

fn lacks_any(capabilities: &Value, revision: Revision) -> bool {
    let elicitation = revision.traits().elicitation == Elicitation::None || is_declared(capabilities, "/elicitation");
    !(elicitation && is_declared(capabilities, "/roots") && is_declared(capabilities, "/sampling"))
}

/// Whether something was answered that may make a server ask its client.
fn worked(view: &View<'_>, session: &Session<'_>) -> bool {
    let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    cases.any(|case| {
        matches!(case.method(), Some("tools/call" | "prompts/get" | "resources/read")) && case.result().is_some()
    })
}

fn undeclared_finding(incoming: &Incoming<'_>, needed: &str) -> Finding {
    let capability = needed.trim_start_matches('/').replace('/', ".");
    Finding::new(
        "The server sends a request that its client did not declare support for.",
        format!("no such request unless the client declares {capability}"),
        incoming.method().unwrap_or_default(),
        vec![incoming.wire()],
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn with(revision: Revision, capabilities: Value, request: &Value) -> Script {
        let params = json!({"protocolVersion": revision.as_str(), "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}});
        let result = json!({"protocolVersion": revision.as_str(), "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}});
        let script = Script::empty(revision).bare().plain("initialize", params, json!({"result": result}));
        script.means(Intent::Negotiated, json!({"revision": revision.as_str()})).says_json(request)
    }

    fn request(method: &str, params: &Value) -> Value {
        json!({"jsonrpc": "2.0", "id": "s1", "method": method, "params": params})
    }

    #[test]
    fn declared_requests_pass() {
        let roots = request("roots/list", &json!({}));
        assert_eq!(with(Revision::V2024_11_05, json!({"roots": {}}), &roots).status_of(ID), Status::Pass);
    }

    #[test]
    fn undeclared_requests_fail() {
        for method in ["roots/list", "sampling/createMessage", "elicitation/create"] {
            let script = with(Revision::V2025_06_18, json!({}), &request(method, &json!({})));
            assert_eq!(script.status_of(ID), Status::Fail, "{method}");
        }
    }

    #[test]
    fn an_empty_elicitation_capability_means_forms() {
        let url = request(
            "elicitation/create",
            &json!({"mode": "url", "url": "https://example.com", "elicitationId": "1", "message": "m"}),
        );
        let form = request(
            "elicitation/create",
            &json!({"message": "m", "requestedSchema": {"type": "object", "properties": {}}}),
        );
        let run = |request| with(Revision::V2025_11_25, json!({"elicitation": {}}), request).status_of(ID);
        assert_eq!((run(&form), run(&url)), (Status::Pass, Status::Fail));
    }

    #[test]
    fn a_server_that_worked_without_asking_passes() {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        assert_eq!(script.status_of(ID), Status::NotObserved);
        let result = json!({"result": {"content": []}});
        let script = script.plain("tools/call", json!({"name": "echo", "arguments": {}}), result);
        assert_eq!(script.status_of(ID), Status::Pass);
    }
}
