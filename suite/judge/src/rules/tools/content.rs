//! Resources in tool results: whether they can be had, and whether the server says that it has resources.

use verdict::Intent;
use wire::mcp::code;

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/content",
    judges: &[
        "tools.content.link-fetchable",
        "tools.content.embedded-refetchable",
        "tools.content.embedded-needs-resources",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::LinkFetch).filter(Case::is_decided) {
        let message = "The URI of a resource_link in a tool's result cannot be read, so the link leads nowhere.";
        check_fetched(&case, collector, "tools.content.link-fetchable", message);
    }
    for case in view.probes(Intent::EmbeddedFetch).filter(Case::is_decided) {
        let message = "The URI of a resource embedded in a tool's result cannot be read again.";
        check_fetched(&case, collector, "tools.content.embedded-refetchable", message);
    }
    for case in view.calls("tools/call").filter(Case::is_decided) {
        let embedded = case.result().and_then(|result| result["content"].as_array()).into_iter().flatten();
        if embedded.into_iter().any(|block| block["type"] == "resource") {
            collector.check("tools.content.embedded-needs-resources", view.declares("resources"), || {
                let message =
                    "A tool's result embeds a resource, but the server does not declare the resources capability.";
                case.finding(message, "capabilities.resources")
            });
        }
    }
}

fn check_fetched(case: &Case<'_>, collector: &mut Collector, id: &'static str, message: &str) {
    if case.result().is_some() {
        collector.witness(id);
    } else if matches!(case.error_code(), Some(code::RESOURCE_NOT_FOUND | code::INVALID_PARAMS)) {
        let uri = case.param("uri").and_then(serde_json::Value::as_str).unwrap_or_default();
        if uri.starts_with("file:") {
            // It may lie on the client's own disk.
            collector.note(id, "a file: URI in a tool's result cannot be read through the server");
            collector.not_observed(id, "only file: URIs were seen, which may be the client's own");
        } else {
            collector.fail(id, case.finding(message, "the contents of the resource"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    fn fetch(revision: Revision, intent: Intent, uri: &str, answer: Value) -> Script {
        let script = Script::new(revision, json!({"tools": {}, "resources": {}}));
        script.probe(intent, "resources/read", json!({"uri": uri}), answer)
    }

    fn lost() -> Value {
        json!({"error": {"code": -32002, "message": "Resource not found"}})
    }

    fn found(uri: &str) -> Value {
        json!({"result": {"contents": [{"uri": uri, "text": "x"}]}})
    }

    #[test]
    fn a_link_that_leads_nowhere_fails() {
        const ID: &str = "tools.content.link-fetchable";
        assert!(fetch(Revision::V2025_11_25, Intent::LinkFetch, "demo://a", lost()).fails().contains(&ID));
        assert_eq!(
            fetch(Revision::V2025_11_25, Intent::LinkFetch, "demo://a", found("demo://a")).status_of(ID),
            Status::Pass
        );
        assert_eq!(
            fetch(Revision::V2025_11_25, Intent::LinkFetch, "file:///a", lost()).status_of(ID),
            Status::NotObserved
        );
    }

    #[test]
    fn an_embedded_resource_that_is_gone_fails_in_old_revisions() {
        const ID: &str = "tools.content.embedded-refetchable";
        assert!(fetch(Revision::V2024_11_05, Intent::EmbeddedFetch, "demo://a", lost()).fails().contains(&ID));
        assert_eq!(
            fetch(Revision::V2024_11_05, Intent::EmbeddedFetch, "demo://a", found("demo://a")).status_of(ID),
            Status::Pass
        );
        assert!(!fetch(Revision::V2025_11_25, Intent::EmbeddedFetch, "demo://a", lost()).fails().contains(&ID));
    }

    #[test]
    fn embedded_resources_need_the_capability() {
        const ID: &str = "tools.content.embedded-needs-resources";
        let call = |capabilities| {
            let result = json!({"content": [{"type": "resource", "resource": {"uri": "demo://a", "text": "x"}}]});
            Script::new(Revision::V2025_11_25, capabilities).plain(
                "tools/call",
                json!({"name": "a"}),
                json!({"result": result}),
            )
        };
        assert_eq!(call(json!({"tools": {}})).fails(), [ID]);
        assert_eq!(call(json!({"tools": {}, "resources": {}})).status_of(ID), Status::Pass);
    }
}
