//! The Origin check of a server on this machine, over HTTP+SSE: a page on a foreign site must neither read the stream nor
//! post messages.

use verdict::{Intent, Key, Transport};

use super::common::posted;
use crate::{Case, Collector, Rule, View};

const READS: &str = "security.origin.get-validated";
const POSTS: &str = "security.origin.sse-post-validated";

pub(super) const RULE: Rule = Rule { name: "sse/origin", judges: &[READS, POSTS], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::ForeignReads).filter(over_sse) {
        check_reads(&case, collector);
    }
    for case in view.probes(Intent::ForeignPosts).filter(over_sse) {
        check_posts(&case, collector);
    }
}

fn over_sse(case: &Case<'_>) -> bool {
    case.session.open.transport == Transport::Sse
}

fn is_loopback(case: &Case<'_>) -> bool {
    case.about(Key::Loopback).and_then(serde_json::Value::as_bool) == Some(true)
}

fn check_reads(case: &Case<'_>, collector: &mut Collector) {
    let Some(status) = posted(case) else { return };
    match status {
        400..500 => collector.witness(READS),
        200..300 if !is_loopback(case) => {
            collector.inconclusive(
                READS,
                "the stream is open to foreign sites, which a public server may allow intentionally",
            );
        }
        200..300 => {
            let told = "The Origin of requests for the stream is not checked: a web page that reaches a server on this machine, for example by DNS rebinding, gets a session with it.";
            let mut finding = case.finding(told, "a 4xx status, preferably 403");
            finding.actual = format!("HTTP status {status}");
            collector.fail(READS, finding);
        }
        _ => collector.inconclusive(READS, "a request from a foreign site is neither served nor refused as such"),
    }
}

fn check_posts(case: &Case<'_>, collector: &mut Collector) {
    let Some(status) = posted(case) else { return };
    let served = case.result().is_some();
    match status {
        400..500 if !served => collector.witness(POSTS),
        _ if served && !is_loopback(case) => {
            collector
                .inconclusive(POSTS, "foreign sites may post messages, which a public server may allow intentionally");
        }
        _ if served => {
            let told = "The Origin of posted messages is not checked: a web page that reaches a server on this machine, for example by DNS rebinding, uses its tools.";
            let mut finding = case.finding(told, "a 4xx status, preferably 403, and nothing on the stream");
            finding.actual = "the request is answered".to_owned();
            collector.fail(POSTS, finding);
        }
        _ => collector.inconclusive(POSTS, "a request from a foreign site is neither executed nor refused as such"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status, Transport};

    use super::{POSTS, READS};
    use crate::testing::Script;

    const EVIL: &[(&str, &str)] = &[("Origin", "http://evil.example")];

    fn script() -> Script {
        Script::over(Transport::Sse, Revision::V2024_11_05, json!({}))
    }

    fn reads(status: u16, loopback: bool) -> Script {
        script().request("GET", Intent::ForeignReads, json!({"loopback": loopback}), EVIL, "").head(status, &[])
    }

    fn posts(status: u16, loopback: bool) -> Script {
        let text = r#"{"jsonrpc":"2.0","id":"foreign","method":"ping"}"#;
        script().posting(status).raw(Intent::ForeignPosts, json!({"loopback": loopback}), text)
    }

    const PONG: &str = r#"{"jsonrpc":"2.0","id":"foreign","result":{}}"#;

    #[test]
    fn foreign_pages_that_are_refused_pass() {
        for status in [403, 400, 421] {
            assert_eq!(reads(status, true).status_of(READS), Status::Pass);
            assert_eq!(posts(status, true).settled().status_of(POSTS), Status::Pass);
        }
    }

    #[test]
    fn foreign_pages_that_are_served_on_this_machine_fail() {
        assert_eq!(reads(200, true).fails(), [READS]);
        assert_eq!(posts(202, true).says(PONG).fails(), [POSTS]);
    }

    #[test]
    fn elsewhere_nothing_is_decided() {
        assert_eq!(reads(200, false).status_of(READS), Status::Inconclusive);
        assert_eq!(posts(202, false).says(PONG).status_of(POSTS), Status::Inconclusive);
        assert_eq!(posts(202, true).settled().status_of(POSTS), Status::Inconclusive);
    }
}
