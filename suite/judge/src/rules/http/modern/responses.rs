//! A response that a client posts has no meaning in 2026-07-28, where servers send no requests.
//!
//! Only the client is forbidden to send it: a server that accepts it as it accepts notifications is no worse for it,
//! which is noted.

use verdict::{Intent, Key};

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "http/responses", judges: &["http.post.client-response-refused"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::ModernResponse).filter(Case::is_decided) {
        let Some(status) = case.status().filter(|status| !matches!(status, 401 | 403 | 429 | 503)) else { continue };
        if status == 202 {
            collector
                .note(ID, "a posted response is accepted with 202, although there is nothing that it could answer");
        }
        collector.check(ID, status == 202 || (400..500).contains(&status), || {
            let message = "A posted response, which answers nothing in this revision, is treated as something else.";
            let mut finding = case.finding(message, "a 4xx status");
            finding.actual = format!("HTTP status {status}");
            finding.place = case.about_str(Key::Kind).map(str::to_owned);
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status, Transport};

    use super::ID;
    use crate::testing::Script;

    fn posted(status: u16) -> Script {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({}));
        let body = r#"{"jsonrpc":"2.0","id":"r","result":{}}"#;
        script.request("POST", Intent::ModernResponse, json!({"kind": "result"}), &[], body).respond(status, &[], "")
    }

    #[test]
    fn a_posted_response_is_refused_or_let_pass() {
        assert_eq!(posted(400).status_of(ID), Status::Pass);
        let accepted = posted(202).verdict(ID);
        assert_eq!((accepted.status, accepted.notes.len()), (Status::Pass, 1));
        for status in [200, 500] {
            assert!(posted(status).fails_in("http").contains(&ID));
        }
    }
}
