//! The fields of `_meta` that a request of 2026-07-28 must, may and need not have.

use verdict::{Intent, Key, Transport};
use wire::mcp::code;

use super::common::{agreed, essence, is_bare_refusal, is_codeless, is_mismatch, is_served, placed, unclaimed};
use crate::{Case, Collector, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/request-meta",
    judges: &[
        "jsonrpc.request-meta.missing-meta",
        "jsonrpc.request-meta.missing-protocol-version",
        "jsonrpc.request-meta.missing-client-capabilities",
        "jsonrpc.request-meta.wrong-type",
        "jsonrpc.request-meta.optional-wrong-type",
        "jsonrpc.request-meta.client-info-optional",
        "jsonrpc.request-meta.client-info-no-influence",
        "jsonrpc.request-meta.empty-capabilities-accepted",
        "jsonrpc.request-meta.unknown-capability-tolerated",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::RequestMeta).filter(Case::is_decided) {
        match kind(&case) {
            "missing-meta" | "no-params" => check_refused("jsonrpc.request-meta.missing-meta", &case, collector),
            "missing-version" => check_refused("jsonrpc.request-meta.missing-protocol-version", &case, collector),
            "missing-capabilities" => {
                check_refused("jsonrpc.request-meta.missing-client-capabilities", &case, collector)
            }
            "client-info-without-name" | "sampling-boolean" => check_optional(&case, collector),
            "no-client-info" => {
                let message = "A request without clientInfo is not served, although clientInfo is optional.";
                check_served("jsonrpc.request-meta.client-info-optional", &case, message, collector);
                check_influence(&case, collector);
            }
            "other-client-info" => check_influence(&case, collector),
            "empty-capabilities" => {
                let message = "A request from a client without capabilities is not served.";
                check_served("jsonrpc.request-meta.empty-capabilities-accepted", &case, message, collector);
            }
            "unknown-capability" => {
                let message =
                    "A request is not served because its client has a capability that the server does not know.";
                check_served("jsonrpc.request-meta.unknown-capability-tolerated", &case, message, collector);
            }
            _ => check_refused("jsonrpc.request-meta.wrong-type", &case, collector),
        }
    }
}

fn kind<'v>(case: &Case<'v>) -> &'v str {
    case.about_str(Key::Kind).unwrap_or_default()
}

fn check_refused(id: &'static str, case: &Case<'_>, collector: &mut Collector) {
    if is_codeless(case) {
        return;
    }
    let era_plain = case.view.transport == Transport::Http
        || matches!(kind(case), "missing-capabilities")
        || kind(case).starts_with("capabilities-");
    let version =
        matches!(kind(case), "missing-meta" | "no-params" | "missing-version" | "version-number" | "meta-array");
    if case.error_code() == Some(code::INVALID_PARAMS)
        || (kind(case) == "version-number" && case.error_code() == Some(code::UNSUPPORTED_PROTOCOL_VERSION))
    {
        return collector.witness(id);
    }
    if kind(case) == "meta-array"
        && (case.error_code() == Some(code::INVALID_REQUEST) || is_bare_refusal(case) || is_nameless(case))
    {
        return collector.note(id, "a request whose _meta is not an object is refused as an invalid request");
    }
    if version && is_mismatch(case) {
        collector.witness(id);
        return collector.note(id, "a version that is only in the header is answered with -32020");
    }
    if !era_plain && !case.view.is_modern_only() {
        // The server may have taken it for a request of an older revision, and there it may do as it likes: also serve
        // it before a handshake.
        return match case.reply() {
            Some(_) if case.result().is_some() => {
                collector.note(
                    id,
                    "a request without a version is served, which is allowed for requests of older revisions",
                );
            }
            Some(_) => collector.witness(id),
            None => collector
                .not_observed(id, "without a version, the server may take the request for one of an older revision"),
        };
    }
    if kind(case) == "capabilities-array" && case.result().is_some() {
        // Some languages do not tell an empty array from an empty object.
        return collector.note(id, "clientCapabilities [] is read as {}");
    }
    let message = if case.error_code().is_some() {
        "A request with a missing or mistyped required _meta field gets the wrong error code."
    } else {
        "A request with a missing or mistyped required _meta field is not refused."
    };
    collector.fail(id, placed(case, kind(case), message, "error -32602 (invalid params)"));
}

/// Refused as no valid request, by an error without its id: `jsonrpc.error.same-id` says so.
fn is_nameless(case: &Case<'_>) -> bool {
    let refusal = unclaimed(case.session, case.exchange.seq).filter(|_| case.reply().is_none());
    refusal.and_then(Incoming::message).and_then(wire::Message::error_code) == Some(code::INVALID_REQUEST)
}

fn check_optional(case: &Case<'_>, collector: &mut Collector) {
    let clean = case.error_code() == Some(code::INVALID_PARAMS) || case.result().is_some();
    collector.check("jsonrpc.request-meta.optional-wrong-type", clean, || {
        placed(
            case,
            kind(case),
            "A mistyped optional _meta field is neither ignored nor refused as invalid.",
            "error -32602, or the normal result",
        )
    });
}

fn check_served(id: &'static str, case: &Case<'_>, message: &str, collector: &mut Collector) {
    if case.result().is_some() {
        collector.witness(id);
    } else if is_served(case) || is_served_otherwise(case) {
        collector.fail(
            id,
            placed(case, case.method().unwrap_or_default(), message, "the same result as for any other client"),
        );
    } else {
        collector.not_observed(id, "the same request is not served without the variation either");
    }
}

/// Whether the same method got a result from a client that declared an unknown capability.
fn is_served_otherwise(case: &Case<'_>) -> bool {
    case.view.probes(Intent::RequestMeta).any(|other| {
        kind(&other) == "unknown-capability" && other.method() == case.method() && other.result().is_some()
    })
}

fn check_influence(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.request-meta.client-info-no-influence";
    let Some(plain) = case.method().and_then(|method| agreed(case.view, method)) else { return };
    let Some(result) = case.result().map(essence) else { return };
    collector.check(ID, result == plain, || {
        let mut finding = placed(
            case,
            case.method().unwrap_or_default(),
            "The result depends on the client's clientInfo.",
            "the same result for every clientInfo",
        );
        finding.actual = "another result".to_owned();
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const TOPICS: [(&str, &str); 4] = [
        ("missing-meta", "jsonrpc.request-meta.missing-meta"),
        ("missing-version", "jsonrpc.request-meta.missing-protocol-version"),
        ("missing-capabilities", "jsonrpc.request-meta.missing-client-capabilities"),
        ("capabilities-string", "jsonrpc.request-meta.wrong-type"),
    ];

    fn varied(transport: Transport, kind: &str, answer: Value) -> Script {
        let script = Script::over(transport, Revision::V2026_07_28, json!({"tools": {}}));
        let script = script.probe(Intent::Control, "tools/list", json!({}), listed(&["a"]));
        let script = script.probe(Intent::Control, "tools/list", json!({}), listed(&["a"]));
        script.probe_about(Intent::RequestMeta, json!({"kind": kind}), "tools/list", json!({}), answer)
    }

    fn listed(names: &[&str]) -> Value {
        let tools: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
        json!({"result": {"resultType": "complete", "tools": tools}})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    #[test]
    fn a_required_field_is_required() {
        for (kind, id) in TOPICS {
            assert_eq!(varied(Transport::Stdio, kind, error(-32602)).status_of(id), Status::Pass, "{kind}");
            assert_eq!(varied(Transport::Http, kind, listed(&["a"])).status_of(id), Status::Fail, "{kind}");
            assert_eq!(varied(Transport::Http, kind, error(-32603)).status_of(id), Status::Fail, "{kind}");
        }
    }

    #[test]
    fn on_stdio_serving_it_is_a_fault_where_there_is_no_older_revision() {
        let (kind, id) = TOPICS[0];
        let served = || varied(Transport::Stdio, kind, listed(&["a"]));
        assert_eq!((served().status_of(id), served().verdict(id).notes.len()), (Status::NotObserved, 1));
        let greeting = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
        let refusal = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}}"#;
        let modern_only = served().foreign(greeting, refusal);
        assert_eq!(modern_only.status_of(id), Status::Fail);
        let (kind, id) = TOPICS[2];
        assert_eq!(varied(Transport::Stdio, kind, listed(&["a"])).status_of(id), Status::Fail);
    }

    #[test]
    fn on_stdio_a_server_of_both_eras_may_take_it_for_an_older_request() {
        for (kind, id) in &TOPICS[..2] {
            assert_eq!(varied(Transport::Stdio, kind, error(-32601)).status_of(id), Status::Pass, "{kind}");
        }
        let (kind, id) = TOPICS[2];
        assert_eq!(varied(Transport::Stdio, kind, error(-32601)).status_of(id), Status::Fail);
    }

    #[test]
    fn over_http_a_version_that_only_the_header_has_may_be_a_mismatch() {
        let id = "jsonrpc.request-meta.missing-protocol-version";
        assert_eq!(varied(Transport::Http, "missing-version", error(-32020)).status_of(id), Status::Pass);
        let id = "jsonrpc.request-meta.missing-client-capabilities";
        assert_eq!(varied(Transport::Http, "missing-capabilities", error(-32020)).status_of(id), Status::Fail);
    }

    #[test]
    fn lenient_readings_of_types_are_known() {
        const ID: &str = "jsonrpc.request-meta.wrong-type";
        assert_eq!(varied(Transport::Http, "version-number", error(-32022)).status_of(ID), Status::Pass);
        let array = varied(Transport::Stdio, "capabilities-array", listed(&["a"])).verdict(ID);
        assert_eq!((array.status, array.notes.len()), (Status::NotObserved, 1));
    }

    #[test]
    fn an_error_without_id_may_be_the_refusal() {
        const ID: &str = "jsonrpc.request-meta.wrong-type";
        let sent = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":[]}}"#;
        let (greeting, refused) = (r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, -32022);
        let refusal = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{refused},"message":"no"}}}}"#);
        let script = || Script::new(Revision::V2026_07_28, json!({"tools": {}}));
        let asked = || script().raw(Intent::RequestMeta, json!({"kind": "meta-array"}), sent);
        let modern_only = |script: Script| script.gave_up().foreign(greeting, &refusal).status_of(ID);
        let nameless = r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"}}"#;
        assert_eq!(modern_only(asked().says(nameless)), Status::NotObserved);
        assert_eq!(modern_only(asked()), Status::Fail);
    }

    #[test]
    fn optional_fields_are_optional() {
        for (kind, id) in [
            ("no-client-info", "jsonrpc.request-meta.client-info-optional"),
            ("empty-capabilities", "jsonrpc.request-meta.empty-capabilities-accepted"),
            ("unknown-capability", "jsonrpc.request-meta.unknown-capability-tolerated"),
        ] {
            assert_eq!(varied(Transport::Stdio, kind, listed(&["a"])).status_of(id), Status::Pass, "{kind}");
            assert_eq!(varied(Transport::Stdio, kind, error(-32602)).status_of(id), Status::Fail, "{kind}");
        }
        const ID: &str = "jsonrpc.request-meta.optional-wrong-type";
        assert_eq!(varied(Transport::Stdio, "sampling-boolean", error(-32602)).status_of(ID), Status::Pass);
        assert_eq!(varied(Transport::Stdio, "sampling-boolean", error(-32603)).status_of(ID), Status::Fail);
    }

    #[test]
    fn a_server_that_refuses_every_client_without_capabilities_is_found_by_one_that_has_some() {
        const ID: &str = "jsonrpc.request-meta.empty-capabilities-accepted";
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
        let script = script.probe(Intent::Control, "tools/list", json!({}), error(-32602));
        let ask = |script: Script, kind: &str, answer| {
            script.probe_about(Intent::RequestMeta, json!({"kind": kind}), "tools/list", json!({}), answer)
        };
        let script = ask(script, "empty-capabilities", error(-32602));
        assert_eq!(script.status_of(ID), Status::NotObserved);
        assert_eq!(ask(script, "unknown-capability", listed(&["a"])).status_of(ID), Status::Fail);
    }

    #[test]
    fn a_server_that_refuses_initialize_has_one_era() {
        const ID: &str = "jsonrpc.request-meta.missing-meta";
        let script = Script::empty(Revision::V2026_07_28).undecided();
        let script = script.plain("initialize", json!({}), error(-32601)).bare();
        let script = script.probe_about(
            Intent::RequestMeta,
            json!({"kind": "missing-meta"}),
            "tools/list",
            json!({}),
            error(-32600),
        );
        assert_eq!(script.status_of(ID), Status::Fail);
    }

    #[test]
    fn the_name_of_the_client_changes_nothing() {
        const ID: &str = "jsonrpc.request-meta.client-info-no-influence";
        assert_eq!(varied(Transport::Stdio, "other-client-info", listed(&["a"])).status_of(ID), Status::Pass);
        assert_eq!(varied(Transport::Stdio, "other-client-info", listed(&["a", "b"])).status_of(ID), Status::Fail);
    }
}
