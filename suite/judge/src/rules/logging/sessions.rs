//! The level that one session sets is that of this session alone.

use verdict::{Intent, Key};

use crate::rules::during::told_of;
use crate::{Case, Collector, Rule, Session, View};

use super::logs;

pub(super) const RULE: Rule = Rule { name: "logging/sessions", judges: &["logging.set-level.session-scope"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
        let calls: Vec<Case<'_>> = cases.filter(|case| case.intent() == Some(Intent::LogSessionCall)).collect();
        let find = |when: &str| calls.iter().find(|case| case.about_str(Key::When) == Some(when));
        let (Some(before), Some(meanwhile), Some(again)) = (find("before"), find("meanwhile"), find("again")) else {
            continue;
        };
        let (first, second, third) = (
            log_messages_after(session, before),
            log_messages_after(session, meanwhile),
            log_messages_after(session, again),
        );
        if first == 0 || second < first && third < first {
            collector.not_observed(ID, "the tool that logs did not log on every call");
            continue;
        }
        if second >= first {
            collector.witness(ID);
        } else if let Some(log) = logs(session).next() {
            let message = "A log level set by one client silences another client's session.";
            let expected = "log messages as before: the level was set in another session";
            collector.fail(
                ID,
                told_of(meanwhile.exchange, log, message, expected, "fewer, until this session set its level again"),
            );
        }
    }
    collector.not_observed(ID, "no tool that logs was found, or a second session could not be opened");
}

/// Log messages from a call to the next thing that is sent.
fn log_messages_after(session: &Session<'_>, call: &Case<'_>) -> usize {
    let from = call.exchange.seq;
    let calls = |exchange: &&crate::Exchange<'_>| exchange.seq > from && exchange.send.probe.is_some();
    let until = session.exchanges.iter().find(calls).map_or(u32::MAX, |next| next.seq);
    logs(session).filter(|log| (from..until).contains(&log.seq)).count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status, Transport};

    use super::ID;
    use crate::testing::Script;

    fn logged(counts: [usize; 3]) -> Status {
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({"logging": {}, "tools": {}}));
        let calls = ["before", "meanwhile", "again"].into_iter().zip(counts);
        let script = calls.fold(script, |script, (when, count)| {
            let script = script.probe_about(
                Intent::LogSessionCall,
                json!({"when": when}),
                "tools/call",
                json!({"name": "t"}),
                json!({"result": {"content": []}}),
            );
            let log =
                json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}});
            (0..count).fold(script, |script, _| script.says_json(&log))
        });
        script.status_of(ID)
    }

    #[test]
    fn one_session_does_not_silence_another() {
        assert_eq!(logged([8, 8, 8]), Status::Pass);
        assert_eq!(logged([8, 0, 8]), Status::Fail);
        assert_eq!(logged([8, 1, 8]), Status::Fail);
        assert_eq!(logged([8, 0, 0]), Status::NotObserved);
        assert_eq!(logged([0, 0, 0]), Status::NotObserved);
    }
}
