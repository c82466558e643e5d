//! Advice that a requirement of the specification covers: what there is to say is said there.

use verdict::Transport;

use super::finding;
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/elsewhere",
    judges: &[
        "practice.stdio.stdout-protocol-only",
        "practice.stdio.logs-on-stderr",
        "practice.errors.in-result",
        "practice.input.schema-enforced",
        "practice.stdio.exits-on-disconnect",
        "practice.transport.malformed-survived",
        "practice.transport.dns-rebinding",
        "practice.transport.tls",
        "practice.auth.token-required",
        "practice.auth.audience-checked",
        "practice.load.concurrent",
    ],
    judge,
};

const JUDGED: [(&str, &str); 9] = [
    ("practice.errors.in-result", "tools.error.execution-in-result"),
    ("practice.input.schema-enforced", "tools.call.invalid-arguments-rejected"),
    ("practice.stdio.exits-on-disconnect", "stdio.shutdown.exits-on-eof"),
    ("practice.transport.malformed-survived", "jsonrpc.parse-error.survives"),
    ("practice.transport.dns-rebinding", "security.origin.foreign-rejected"),
    ("practice.transport.tls", "security.tls.remote"),
    ("practice.auth.token-required", "auth.challenge.401-without-token"),
    ("practice.auth.audience-checked", "auth.token.wrong-audience"),
    ("practice.load.concurrent", "jsonrpc.response.pipelined-all-answered"),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (id, other) in JUDGED {
        collector.not_observed(id, format!("a requirement of the specification goes further: {other}"));
    }
    if view.transport == Transport::Stdio {
        check_stdout(view, collector);
    }
}

/// The usual cause of a line that is no message is a log that goes the wrong way.
fn check_stdout(view: &View<'_>, collector: &mut Collector) {
    let mut strange: Vec<String> = Vec::new();
    // How a server frames its messages throughout is a finding of its own.
    for (_, incoming) in view.incoming().filter(|(session, _)| !session.by_objects) {
        collector.witness(RULE.judges[0]);
        collector.witness(RULE.judges[1]);
        if incoming.message().is_none() && !incoming.receive.text.trim().is_empty() {
            strange.push(incoming.wire());
        }
    }
    let Some(first) = strange.first() else { return };
    let message =
        "Something other than a message appears on standard output, which is reserved for the protocol.".to_owned();
    let mut other = finding(message, "only messages", "other text".to_owned());
    other.wire = vec![first.clone()];
    collector.fail(RULE.judges[0], other);
    if let Some(line) = strange.iter().find(|line| is_log(line)) {
        let message = "Log lines go to standard output instead of standard error.".to_owned();
        let mut log = finding(message, "logs on standard error", "a log line".to_owned());
        log.wire = vec![line.clone()];
        collector.fail(RULE.judges[1], log);
    }
}

fn is_log(line: &str) -> bool {
    let lower = line.to_lowercase();
    ["info", "debug", "warn", "error", "listening", "started", "running", "connected", "loaded"]
        .iter()
        .any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Revision, Status};

    use super::{JUDGED, RULE};
    use crate::testing::Script;

    #[test]
    fn a_log_line_on_standard_output_is_seen() {
        let script = || Script::new(Revision::V2025_11_25, json!({}));
        assert_eq!(script().status_of(RULE.judges[0]), Status::Pass);
        let chatty = script().says("Server started");
        assert_eq!((chatty.status_of(RULE.judges[0]), chatty.status_of(RULE.judges[1])), (Status::Fail, Status::Fail));
        let odd = script().says("+++");
        assert_eq!((odd.status_of(RULE.judges[0]), odd.status_of(RULE.judges[1])), (Status::Fail, Status::Pass));
    }

    #[test]
    fn what_is_judged_elsewhere_exists_there() {
        assert!(
            JUDGED
                .iter()
                .all(|(id, other)| verdict::requirement(id).is_some() && verdict::requirement(other).is_some())
        );
    }
}
