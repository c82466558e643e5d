//! JSON that is no valid request object.

use verdict::{Intent, Key, Level};
use wire::mcp::code;

use super::common::{
    exchange_of_channel, felled, is_client_error, is_codeless, is_fatal, is_mismatch, is_page, is_silent, milder,
    placed, survived,
};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/invalid-request",
    judges: &[
        "jsonrpc.invalid-request.code",
        "jsonrpc.invalid-request.answered",
        "jsonrpc.invalid-request.not-executed",
        "jsonrpc.invalid-request.params-not-object",
        "jsonrpc.invalid-request.survives",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::InvalidRequest).filter(Case::is_decided) {
        check_code(&case, collector);
        check_answered(&case, collector);
        check_executed(&case, collector);
        check_survives(&case, collector);
    }
    for case in view.probes(Intent::ParamsNotObject).filter(Case::is_decided) {
        check_params(&case, collector);
        check_survives(&case, collector);
    }
}

fn kind<'v>(case: &Case<'v>) -> &'v str {
    case.about_str(Key::Kind).unwrap_or("object")
}

fn check_code(case: &Case<'_>, collector: &mut Collector) {
    if let Some(code) = case.error_code().or_else(|| channel_code(case)) {
        collector.check("jsonrpc.invalid-request.code", code == code::INVALID_REQUEST || is_mismatch(case), || {
            placed(
                case,
                kind(case),
                "The error for JSON that is not a valid request has a code other than -32600.",
                "error -32600 (invalid request)",
            )
        });
    }
}

/// Over HTTP the code of an error on the same channel, whatever its id.
fn channel_code(case: &Case<'_>) -> Option<i64> {
    let own = |incoming: &&crate::Incoming<'_>| {
        exchange_of_channel(case.session, incoming.receive.channel).is_some_and(|other| other.seq == case.exchange.seq)
    };
    let found = case.session.incoming.iter().filter(own).find(|incoming| !is_page(case.session, incoming));
    found.and_then(|incoming| incoming.message()).and_then(wire::Message::error_code)
}

fn check_answered(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.invalid-request.answered";
    // Serving it is leniency, judged apart.
    if is_fatal(case) || case.result().is_some() {
        return;
    }
    if case.error().is_some() || is_client_error(case) {
        collector.witness(ID);
    } else if kind(case) == "no-method" {
        // It may pass for a response with defects, and those are ignored.
    } else if is_silent(case) {
        // The official SDKs keep silent on purpose: told, but not held against anybody.
        let told = "JSON that is not a valid request is dropped silently, as most SDKs do.";
        let finding = milder(placed(case, kind(case), told, "an error -32600"), Level::Advice);
        // Who answers others may have been late with this one: an error without an id is nobody's.
        if answers_others(case) { collector.suspect(ID, case, finding) } else { collector.fail(ID, finding) }
    } else if case.status().is_some() {
        collector.fail(
            ID,
            placed(
                case,
                kind(case),
                "A body that is not a valid request is accepted as if it were one.",
                "an HTTP status from 400 to 499, or an error -32600",
            ),
        );
    }
}

fn answers_others(case: &Case<'_>) -> bool {
    let mut others = case.view.probes(Intent::InvalidRequest).filter(|other| other.session.id == case.session.id);
    others.any(|other| other.error().is_some())
}

fn check_executed(case: &Case<'_>, collector: &mut Collector) {
    if matches!(kind(case), "no-version" | "version-1.0") && !is_fatal(case) {
        collector.check("jsonrpc.invalid-request.not-executed", case.result().is_none(), || {
            placed(
                case,
                kind(case),
                "A message without \"jsonrpc\": \"2.0\" is processed as if it had it.",
                "an error -32600, or no response",
            )
        });
    }
}

fn check_params(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.invalid-request.params-not-object";
    if is_codeless(case) {
        return;
    }
    if is_silent(case) {
        if !is_fatal(case) {
            let told = "A request whose params is not an object is dropped silently.";
            collector.fail(ID, milder(placed(case, kind(case), told, "error -32600 or -32602"), Level::Advice));
        }
        return;
    }
    let refused = matches!(case.error_code(), Some(code::INVALID_REQUEST | code::INVALID_PARAMS)) || is_mismatch(case);
    let bare = case.reply().is_none() && is_client_error(case);
    collector.check(ID, refused || bare, || {
        placed(
            case,
            kind(case),
            "A request whose params is not an object is not refused with the right error.",
            "error -32600 or -32602",
        )
    });
}

fn check_survives(case: &Case<'_>, collector: &mut Collector) {
    if let Some(alive) = survived(case) {
        collector.check("jsonrpc.invalid-request.survives", alive, || {
            felled(
                placed(
                    case,
                    kind(case),
                    "After JSON that is not a valid request, the server stops answering.",
                    "the next request is answered",
                ),
                case,
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Level, Revision, Status, Transport};

    use crate::testing::Script;

    fn sent(transport: Transport, revision: Revision, kind: &str, text: &str) -> Script {
        Script::over(transport, revision, json!({})).settled().raw(Intent::InvalidRequest, json!({"kind": kind}), text)
    }

    fn scalar(transport: Transport) -> Script {
        sent(transport, Revision::V2025_11_25, "scalar", "7")
    }

    fn old() -> Script {
        sent(Transport::Stdio, Revision::V2025_11_25, "version-1.0", r#"{"jsonrpc":"1.0","id":90,"method":"ping"}"#)
    }

    fn error(id: &str, code: i64) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"x"}}}}"#)
    }

    #[test]
    fn the_right_code_passes_with_null_and_with_the_id() {
        for id in ["null", "90"] {
            let script = old().says(&error(id, -32600)).plain("ping", json!({}), json!({"result": {}}));
            assert!(script.fails_in("jsonrpc").is_empty());
            for topic in ["code", "answered", "not-executed", "survives"] {
                assert_eq!(script.status_of(&format!("jsonrpc.invalid-request.{topic}")), Status::Pass, "{topic}");
            }
        }
    }

    #[test]
    fn another_code_fails_but_a_header_mismatch_of_2026_does_not() {
        assert_eq!(
            scalar(Transport::Stdio).says(&error("null", -32700)).settled().fails_in("jsonrpc"),
            ["jsonrpc.invalid-request.code"]
        );
        let modern =
            sent(Transport::Http, Revision::V2026_07_28, "scalar", "7").status(400).says(&error("null", -32020));
        assert_eq!(modern.status_of("jsonrpc.invalid-request.code"), Status::Pass);
        let older = scalar(Transport::Http).status(400).says(&error("null", -32020));
        assert_eq!(older.status_of("jsonrpc.invalid-request.code"), Status::Fail);
    }

    #[test]
    fn silence_on_stdio_is_advice_and_acceptance_over_http_fails() {
        let verdict = scalar(Transport::Stdio).settled().verdict("jsonrpc.invalid-request.answered");
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        assert_eq!(scalar(Transport::Http).status(202).fails_in("jsonrpc"), ["jsonrpc.invalid-request.answered"]);
        assert!(scalar(Transport::Http).status(400).fails_in("jsonrpc").is_empty());
    }

    #[test]
    fn silence_of_a_server_that_answers_others_is_doubted() {
        const ID: &str = "jsonrpc.invalid-request.answered";
        let answered = scalar(Transport::Stdio).says(&error("null", -32600));
        let script = answered.raw(Intent::InvalidRequest, json!({"kind": "boolean"}), "true").settled();
        assert_eq!(script.status_of(ID), Status::Inconclusive);
    }

    #[test]
    fn serving_another_version_is_advice_and_nothing_else() {
        let script = old().says(r#"{"jsonrpc":"2.0","id":90,"result":{}}"#).settled();
        assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.invalid-request.not-executed"]);
    }

    #[test]
    fn a_server_that_ends_fails_survival_alone() {
        assert_eq!(scalar(Transport::Stdio).exits(1).fails_in("jsonrpc"), ["jsonrpc.invalid-request.survives"]);
    }

    #[test]
    fn params_of_another_type_are_refused_with_either_code() {
        let sent = || {
            let script = Script::new(Revision::V2025_11_25, json!({"tools": {}})).settled();
            script.raw(
                Intent::ParamsNotObject,
                json!({"kind": "array"}),
                r#"{"jsonrpc":"2.0","id":91,"method":"tools/list","params":[]}"#,
            )
        };
        const ID: &str = "jsonrpc.invalid-request.params-not-object";
        for code in [-32600, -32602] {
            assert_eq!(sent().says(&error("91", code)).status_of(ID), Status::Pass);
        }
        assert_eq!(sent().says(&error("91", -32603)).fails_in("jsonrpc"), [ID]);
        assert_eq!(sent().settled().verdict(ID).level, Level::Advice);
        assert!(sent().says(r#"{"jsonrpc":"2.0","id":91,"result":{"tools":[]}}"#).fails_in("jsonrpc").contains(&ID));
    }
}
