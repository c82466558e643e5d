//! Features of earlier revisions that 2026-07-28 removed: GET, DELETE, session ids, and the handshake.

use verdict::Intent;
use wire::mcp::meta;

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/gone",
    judges: &[
        "http.get.removed-405",
        "http.delete.removed-405",
        "http.session.not-minted",
        "http.compat.legacy-initialize-400",
    ],
    judge,
};

const GET: &str = RULE.judges[0];
const DELETE: &str = RULE.judges[1];
const MINTED: &str = RULE.judges[2];
const INITIALIZE: &str = RULE.judges[3];

fn judge(view: &View<'_>, collector: &mut Collector) {
    match view.shakes_hands() {
        Some(false) => {
            for (intent, id) in [(Intent::ModernGet, GET), (Intent::ModernDelete, DELETE)] {
                view.probes(intent).for_each(|case| check_removed(id, &case, collector));
            }
            view.greetings()
                .filter(|case| case.intent() == Some(Intent::LegacyInitialize))
                .for_each(|case| check_greeted(&case, collector));
        }
        Some(true) => {
            for id in [GET, DELETE, INITIALIZE] {
                collector.not_applicable(id, "the server also serves older revisions");
            }
        }
        None => {
            for id in [GET, DELETE, INITIALIZE] {
                collector.not_observed(id, "it is unknown whether the server also serves older revisions");
            }
        }
    }
    for case in view.cases().filter(is_modern) {
        check_minted(&case, collector);
    }
}

fn check_removed(id: &'static str, case: &Case<'_>, collector: &mut Collector) {
    let Some(status) = case.status().filter(|status| !matches!(status, 401 | 403 | 429 | 503)) else { return };
    collector.check(id, status == 405, || {
        let message = "An HTTP method that this revision does not support is not refused with 405, so older clients do not learn that it was removed.";
        case.finding(message, "status 405 (method not allowed)")
    });
}

fn check_greeted(case: &Case<'_>, collector: &mut Collector) {
    let Some(status) = case.status() else { return };
    collector.check(INITIALIZE, status == 400 && case.error().is_some(), || {
        let message = "An initialize is not refused with status 400 and a JSON-RPC error, so older clients do not learn why they are not served.";
        let mut finding = case.finding(message, "status 400 and a JSON-RPC error");
        if case.reply().is_some() {
            finding.actual = format!("{} with status {status}", case.outcome());
        }
        finding
    });
}

/// Whether header and body of a request name the judged revision.
fn is_modern(case: &Case<'_>) -> bool {
    let judged = Some(case.view.revision.as_str());
    let meta = case.param("_meta").and_then(|meta| meta.get(meta::PROTOCOL_VERSION));
    case.sent_header("MCP-Protocol-Version") == judged && meta.and_then(serde_json::Value::as_str) == judged
}

fn check_minted(case: &Case<'_>, collector: &mut Collector) {
    if case.status().is_none() {
        return;
    }
    collector.check(MINTED, case.header("Mcp-Session-Id").is_none(), || {
        let message =
            "The response to a self-contained request has a session id, which clients may keep and send back for no purpose.";
        let mut finding = case.finding(message, "no Mcp-Session-Id");
        finding.actual = "an Mcp-Session-Id header".to_owned();
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Level, Revision, Status, Transport};

    use super::{DELETE, GET, INITIALIZE, MINTED};
    use crate::testing::Script;

    fn start() -> Script {
        Script::over(Transport::Http, Revision::V2026_07_28, json!({}))
    }

    const GREETING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
    const REFUSAL: &str = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}}"#;
    const OPENED: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}"#;

    #[test]
    fn get_and_delete_are_gone_where_there_is_no_older_revision() {
        for (method, intent, id) in [("GET", Intent::ModernGet, GET), ("DELETE", Intent::ModernDelete, DELETE)] {
            let sent = |status| start().request(method, intent, json!({}), &[], "").respond(status, &[], "");
            assert_eq!(sent(405).foreign(GREETING, REFUSAL).status_of(id), Status::Pass);
            let verdict = sent(404).foreign(GREETING, REFUSAL).verdict(id);
            assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
            assert_eq!(sent(200).foreign(GREETING, OPENED).status_of(id), Status::NotApplicable);
            assert_eq!(sent(200).status_of(id), Status::NotObserved);
        }
    }

    #[test]
    fn initialize_is_refused_with_a_body() {
        let greeted = |status, body: &str| {
            let script = start().undecided().request("POST", Intent::LegacyInitialize, json!({}), &[], GREETING);
            script.respond(status, &[], body).status_of(INITIALIZE)
        };
        assert_eq!(greeted(400, REFUSAL), Status::Pass);
        assert_eq!((greeted(404, REFUSAL), greeted(400, "")), (Status::Fail, Status::Fail));
        assert_eq!(greeted(200, OPENED), Status::NotApplicable);
    }

    #[test]
    fn no_session_id_is_given_out() {
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": "server/discover", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}});
        let asked = |version: &str, headers: &[(&str, &str)]| {
            let sent = [("MCP-Protocol-Version", version)];
            start()
                .request("POST", None, json!({}), &sent, &body.to_string())
                .respond(200, headers, "")
                .status_of(MINTED)
        };
        assert_eq!(asked("2026-07-28", &[]), Status::Pass);
        assert_eq!(asked("2026-07-28", &[("mcp-session-id", "x")]), Status::Fail);
        // By its header that is a request of another revision.
        assert_eq!(asked("2025-11-25", &[("mcp-session-id", "x")]), Status::NotObserved);
    }
}
