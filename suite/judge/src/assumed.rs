//! What cannot be judged because the tester had to assume something to understand the server at all: the defect itself is one
//! finding, and what follows from it is none.

use verdict::probes::values::Reading;

use crate::view::{assumed_capabilities, is_assumed};
use crate::{Collector, View};

/// Requirements about ids. Where ids come back wrong all of them break, by one defect.
const ABOUT_IDS: &[&str] = &[
    "jsonrpc.response.no-unknown-id",
    "jsonrpc.response.exactly-one",
    "jsonrpc.response.id-edge-values",
    "jsonrpc.response.id-beyond-double",
    "jsonrpc.id.string-and-integer-accepted",
    "jsonrpc.id.null-not-served",
    "jsonrpc.id.wrong-type-not-served",
    "jsonrpc.id.fractional",
    "jsonrpc.error.same-id",
    "jsonrpc.parse-error.id",
];

/// Requirements about lines. Where messages are no lines all of them break, by one defect, which one of three others names.
const ABOUT_LINES: &[&str] = &[
    "stdio.framing.lf-only-output",
    "stdio.stdout.valid-message",
    "stdio.stdout.no-blank-lines",
    "stdio.stdout.nothing-unprompted",
    "stdio.shutdown.flushes-pending",
];

/// Requirements about what was declared. Where nothing was, all of them break, by one defect.
const ABOUT_CAPABILITIES: &[&str] = &[
    "completion.capability-declared",
    "completion.undeclared",
    "completion.served",
    "lifecycle.capabilities.declared-served",
    "lifecycle.capabilities.notifications-backed",
    "logging.capability-declared",
    "logging.set-level.undeclared",
    "prompts.capability.declared",
    "prompts.capability.undeclared-method-not-found",
    "resources.capability.declared",
    "resources.capability.undeclared-method-not-found",
    "tools.capability.declared",
    "tools.capability.undeclared-method-not-found",
];

/// Requirements that are tried on `server/discover`, or say what its result has. Where it is not answered all of them break, by
/// one defect.
const ABOUT_DISCOVER: &[&str] = &[
    "completion.capability-declared",
    "discover.result.server-info",
    "discover.version.unsupported-code",
    "http.status.missing-meta-400",
    "http.version-header.unsupported",
    "jsonrpc.invalid-request.code",
    "jsonrpc.request-meta.missing-client-capabilities",
    "jsonrpc.request-meta.missing-meta",
    "jsonrpc.request-meta.missing-protocol-version",
    "jsonrpc.request-meta.optional-wrong-type",
    "jsonrpc.request-meta.wrong-type",
    "jsonrpc.server-info.in-result-meta",
    "logging.capability-declared",
];

/// Requirements that break where the announced path is not one of the host that was given: nobody announced it there.
const ABOUT_ORIGIN: &[&str] = &["lifecycle.initialize.answered", "sse.post.endpoint-exists"];

/// Takes back what was found only because of an assumption.
pub(crate) fn withdraw(view: &View<'_>, collector: &mut Collector) {
    if view.judged().any(|session| session.by_objects) {
        let reason = "messages do not stand on lines of their own, so that nothing more can be said of lines";
        ABOUT_LINES.iter().for_each(|id| collector.withdraw(id, reason));
    }
    if assumed_capabilities(view).is_some() {
        let reason = "the server declared no capabilities, and was taken to have those that it serves";
        ABOUT_CAPABILITIES.iter().for_each(|id| collector.withdraw(id, reason));
    }
    // Also in a session with which nothing came about.
    let assumed = |reading: Reading| {
        let mut probes = view.sessions.iter().flat_map(|session| &session.probes);
        probes.any(|(_, probe)| is_assumed(probe, reading))
    };
    if assumed(Reading::Origin) {
        let reason = "the announced URI is on another origin, and its path was tried on the one that was given";
        ABOUT_ORIGIN.iter().for_each(|id| collector.withdraw(id, reason));
    }
    if assumed(Reading::Modern) {
        let reason = "server/discover is not answered as it should be, and this is tried on it";
        ABOUT_DISCOVER.iter().for_each(|id| collector.withdraw(id, reason));
    }
    let mut readings = view.judged().filter_map(|session| session.reading);
    let reason = match readings.find(|reading| *reading != Reading::Errors) {
        Some(Reading::TextIds) => "the ids of all responses are strings, so that nothing more can be said of ids",
        Some(Reading::Order) => "responses do not bear the ids of their requests, and were told apart by their order",
        _ => return,
    };
    ABOUT_IDS.iter().for_each(|id| collector.withdraw(id, reason));
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    #[test]
    fn what_is_taken_back_is_required() {
        for id in [
            super::ABOUT_IDS,
            super::ABOUT_LINES,
            super::ABOUT_CAPABILITIES,
            super::ABOUT_DISCOVER,
            super::ABOUT_ORIGIN,
        ]
        .concat()
        {
            assert!(verdict::requirement(id).is_some(), "{id}");
        }
        // Whatever is judged by ids falls with them, but for the finding itself.
        let rule = crate::rules::all().find(|rule| rule.name == "jsonrpc/id").expect("it exists");
        assert!(rule.judges.iter().all(|id| *id == "jsonrpc.response.id-echo" || super::ABOUT_IDS.contains(id)));
    }

    #[test]
    fn a_missing_server_discover_is_one_finding() {
        let refused = json!({"error": {"code": -32601, "message": "Method not found"}});
        let missing = |script: Script| {
            script.probe(Intent::VersionUnsupported, "server/discover", json!({"kind": "discover"}), refused.clone())
        };
        let script = || Script::new(Revision::V2026_07_28, json!({}));
        let plain = missing(script()).fails();
        assert!(plain.contains(&"discover.version.unsupported-code"), "{plain:?}");
        let assumed = missing(script().means(Intent::Assumed, json!({"reading": "modern"})));
        assert_eq!(assumed.status_of("discover.version.unsupported-code"), Status::NotObserved);
    }

    #[test]
    fn a_path_that_nobody_announced_here_may_be_missing() {
        let script = Script::streaming(Revision::V2024_11_05).streams().tells("endpoint", "http://inner:1/m");
        let script = script.means(Intent::NotAnnounced, json!({"why": "foreign"}));
        let script = script.means(Intent::Assumed, json!({"reading": "origin"}));
        let script = script.request(
            "POST",
            Intent::Walk,
            json!(null),
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
        );
        assert_eq!(script.respond(405, &[], "").fails(), ["sse.endpoint-event.same-origin"]);
    }

    fn read(reading: &str) -> Script {
        Script::new(Revision::V2025_11_25, json!({})).means(Intent::Assumed, json!({"reading": reading}))
    }

    fn ping(script: Script, id: u32) -> Script {
        script.raw_plain(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#))
    }

    #[test]
    fn ids_as_strings_are_one_finding() {
        let script = ping(ping(read("text-ids"), 70), 71);
        let script = script.says(r#"{"jsonrpc":"2.0","id":"71","result":{}}"#);
        let script = script.says(r#"{"jsonrpc":"2.0","id":"70","result":{}}"#).settled();
        assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.response.id-echo"]);
        assert_eq!(script.status_of("jsonrpc.response.every-request-answered"), Status::Pass);
        assert_eq!(script.status_of("jsonrpc.response.exactly-one"), Status::NotObserved);
    }

    #[test]
    fn errors_without_ids_are_one_finding_and_other_ids_prove_nothing() {
        for error_id in ["null", "\"error\"", "0"] {
            let unknown = |script: Script, id: u32| {
                let script = script.raw_plain(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"no/such"}}"#));
                let error = r#"{"code":-32601,"message":"Method not found"}"#;
                script.says(&format!(r#"{{"jsonrpc":"2.0","id":{error_id},"error":{error}}}"#))
            };
            let script = unknown(unknown(read("errors"), 70), 71);
            let script = script.plain("ping", json!({}), json!({"result": {}})).settled();
            assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.error.same-id"]);
            assert_ne!(script.status_of("jsonrpc.response.every-request-answered"), Status::Fail);
            assert_eq!(script.status_of("jsonrpc.response.id-echo"), Status::NotObserved);
        }
    }

    #[test]
    fn of_a_server_that_loses_answers_silence_says_nothing_more() {
        let pinged = |script: Script| ping(ping(script, 70), 71).says(r#"{"jsonrpc":"2.0","id":71,"result":{}}"#);
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let probe = json!({"name": "no_such_tool", "arguments": {}});
        let plain = pinged(script.unanswered(Intent::UnknownTool, "tools/call", probe)).settled();
        assert_eq!(plain.status_of("tools.call.unknown-tool"), Status::Fail);
        let assumed = plain.means(Intent::Assumed, json!({"reading": "losses"}));
        assert_eq!(assumed.status_of("jsonrpc.response.every-request-answered"), Status::Fail);
        assert_ne!(assumed.status_of("tools.call.unknown-tool"), Status::Fail);
    }

    #[test]
    fn of_a_server_that_gives_no_errors_silence_says_nothing_more() {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let probe = json!({"name": "no_such_tool", "arguments": {}});
        let silent = ping(script.unanswered(Intent::UnknownTool, "tools/call", probe), 70)
            .says(r#"{"jsonrpc":"2.0","id":70,"result":{}}"#)
            .settled()
            .means(Intent::Assumed, json!({"reading": "no-errors"}));
        assert_eq!(silent.status_of("jsonrpc.response.every-request-answered"), Status::Fail);
        assert_ne!(silent.status_of("tools.call.unknown-tool"), Status::Fail);
        let errs = silent.plain("no/such", json!({}), json!({"error": {"code": -32601, "message": "no"}}));
        assert_eq!(errs.status_of("tools.call.unknown-tool"), Status::Fail, "it does after all");
    }

    #[test]
    fn answers_without_ids_come_in_order() {
        let script = ping(ping(read("order"), 70), 71);
        let one = script.says(r#"{"jsonrpc":"2.0","id":null,"result":{}}"#);
        let both = one.says(r#"{"jsonrpc":"2.0","id":null,"result":{}}"#).settled();
        assert_eq!(both.fails_in("jsonrpc"), ["jsonrpc.response.success-id-not-null"]);
        assert_eq!(both.status_of("jsonrpc.response.every-request-answered"), Status::Pass);
        let zero = ping(read("order"), 70).says(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#).settled();
        assert_eq!(zero.fails_in("jsonrpc"), ["jsonrpc.response.id-echo"]);
    }

    #[test]
    fn after_one_that_was_given_up_no_order_is_believed() {
        let script = ping(ping(read("order"), 70).gave_up(), 71);
        let script = script.says(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"late"}}"#);
        assert!(script.look(|view| view.calls("ping").all(|case| case.answer().is_none())));
    }

    #[test]
    fn a_server_that_declares_nothing_is_taken_to_have_declared_what_it_serves() {
        let plain = || Script::new(Revision::V2025_11_25, json!(null));
        let tools = json!({"result": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}});
        let listed = |script: Script| script.probe(Intent::ToolsUndeclared, "tools/list", json!({}), tools.clone());
        let missing = listed(plain()).fails();
        assert!(missing.contains(&"tools.capability.declared"), "{missing:?}");
        let declared = json!({"reading": "capabilities", "declared": {"tools": {}}});
        let assumed = listed(plain().means(Intent::Assumed, declared));
        assert!(!assumed.fails().contains(&"tools.capability.declared"));
        assert_eq!(assumed.status_of("tools.capability.declared"), Status::NotObserved);
    }
}
