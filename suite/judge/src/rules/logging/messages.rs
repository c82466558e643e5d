//! Log messages come from servers that declare logging, in moderation, and without secrets. Passive.
//!
//! The user's credential is [`REDACTED`] in every transcript.

use verdict::transcript::REDACTED;
use verdict::{Intent, Key};

use super::logs;
use crate::rules::during::{frame_finding, open_at, told_of};
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "logging/messages",
    judges: &["logging.capability-declared", "logging.rate-limited", "logging.no-credentials", "logging.deprecated"],
    judge,
};

/// Messages for one request that nobody can call limited.
const FLOOD: usize = 1_000;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let declared = view.declares("logging");
    for session in view.judged() {
        for log in logs(session) {
            collector.check("logging.capability-declared", declared, || {
                let message =
                    "The server sends log messages but does not declare logging, so clients do not expect them.";
                frame_finding(log, message, "logging among the declared capabilities, or no messages", "a log message")
            });
        }
        check_rate(session, collector);
        check_redacted(session, collector);
    }
    for case in view.probes(Intent::LogCanary).filter(|case| case.answer().is_some()) {
        check_canary(&case, collector);
    }
    if view.revision.is_stateless() && declared {
        collector.witness("logging.deprecated");
        collector.note("logging.deprecated", "logging is deprecated as of this revision; it works until it is removed");
    }
}

/// Messages that came while one request alone was under way.
fn check_rate(session: &Session<'_>, collector: &mut Collector) {
    let mut counts: Vec<(u32, usize)> = Vec::new();
    for log in logs(session) {
        let mut open = open_at(session, log.seq);
        let (Some(request), None) = (open.next(), open.next()) else { continue };
        match counts.iter_mut().find(|(seq, _)| *seq == request.seq) {
            Some((_, count)) => *count += 1,
            None => counts.push((request.seq, 1)),
        }
        let count = counts.iter().find(|(seq, _)| *seq == request.seq).map_or(0, |(_, count)| *count);
        if count == FLOOD + 1 {
            let message = "One request triggers a flood of log messages, which buries everything else.";
            let actual = format!("more than {FLOOD} for one request");
            collector.fail("logging.rate-limited", told_of(request, log, message, "a limited number", actual));
        }
    }
    if !counts.is_empty() {
        collector.witness("logging.rate-limited");
    }
}

fn check_redacted(session: &Session<'_>, collector: &mut Collector) {
    let authorized = |exchange: &crate::Exchange<'_>| {
        exchange.send.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
    };
    if !session.exchanges.iter().any(authorized) {
        return;
    }
    for log in logs(session) {
        collector.check("logging.no-credentials", !log.receive.text.contains(REDACTED), || {
            let message = "A log message contains the credential that the client sent.";
            frame_finding(log, message, "no credentials in logs", "the credential of the client")
        });
    }
}

fn check_canary(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "logging.no-credentials";
    let Some(canary) = case.about_str(Key::Canary) else { return };
    let found = logs(case.session).find(|log| log.receive.text.contains(canary));
    match found {
        Some(log) => {
            let message = "A log message contains the value of an argument whose name marks it as a secret.";
            let expected = "no passwords, tokens or keys in logs";
            collector.fail(ID, told_of(case.exchange, log, message, expected, "the secret argument of a call"));
        }
        // Silence proves nothing; a message that leaves the secret out does.
        None if logs(case.session).any(|log| log.seq > case.exchange.seq) => collector.witness(ID),
        None => collector.not_observed(ID, "nothing was logged when a secret was sent"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    const DECLARED: &str = "logging.capability-declared";
    const SECRET: &str = "logging.no-credentials";

    fn log(script: Script, data: &str) -> Script {
        let params = json!({"level": "info", "data": data});
        script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/message", "params": params}))
    }

    fn start(capabilities: Value) -> Script {
        Script::new(Revision::V2025_11_25, capabilities)
    }

    #[test]
    fn only_who_declares_it_logs() {
        assert_eq!(log(start(json!({"logging": {}})), "a").status_of(DECLARED), Status::Pass);
        assert_eq!(log(start(json!({})), "a").fails_in("logging"), [DECLARED]);
        assert_eq!(start(json!({})).status_of(DECLARED), Status::NotObserved);
    }

    #[test]
    fn a_flood_for_one_request_is_one() {
        let many = |count: usize| {
            let mut script = start(json!({"logging": {}}));
            script.ask(None, "tools/call", json!({"name": "x"}));
            (0..count).fold(script, |script, _| log(script, "a"))
        };
        assert_eq!(many(1_001).fails(), ["logging.rate-limited"]);
        assert_eq!(many(100).status_of("logging.rate-limited"), Status::Pass);
    }

    #[test]
    fn a_secret_is_not_logged() {
        let call = |text: &str| {
            let about = json!({"canary": "s3cret"});
            let mut script = start(json!({"logging": {}}));
            script.ask(Some((Intent::LogCanary, about)), "tools/call", json!({"arguments": {"password": "s3cret"}}));
            let mut script = if text.is_empty() { script } else { log(script, text) };
            script.answer(json!({"result": {"content": []}}));
            script
        };
        assert_eq!(call("with s3cret").fails(), [SECRET]);
        assert_eq!(call("with a password").status_of(SECRET), Status::Pass);
        assert_eq!(call("").status_of(SECRET), Status::NotObserved);
    }

    #[test]
    fn declaring_it_is_only_noted_in_2026() {
        let script = Script::new(Revision::V2026_07_28, json!({"logging": {}}));
        let verdict = script.verdict("logging.deprecated");
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
    }
}
