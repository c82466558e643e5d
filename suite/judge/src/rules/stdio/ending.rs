//! How a server ends: when its input does, when it is asked to, when nobody reads any more.

use serde_json::Value;
use verdict::transcript::{Ending, Exit, Probe};
use verdict::{Intent, Key};

use super::{finding, last_exchange};
use crate::{Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "stdio/ending",
    judges: &[
        "stdio.shutdown.exits-on-eof",
        "stdio.shutdown.exits-on-immediate-eof",
        "stdio.shutdown.exits-on-eof-mid-request",
        "stdio.shutdown.flushes-pending",
        "stdio.shutdown.clean-exit-status",
        "stdio.shutdown.sigterm",
        "stdio.shutdown.no-orphans",
        "stdio.shutdown.closed-stdout",
    ],
    judge,
};

const IDLE: &str = RULE.judges[0];
const IMMEDIATE: &str = RULE.judges[1];
const MID: &str = RULE.judges[2];
const PENDING: &str = RULE.judges[3];
const STATUS: &str = RULE.judges[4];
const SIGTERM: &str = RULE.judges[5];
const ORPHANS: &str = RULE.judges[6];
const CLOSED: &str = RULE.judges[7];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in &view.sessions {
        let Some((_, exit)) = session.exit else { continue };
        match probe(session, Intent::Eof).and_then(|probe| probe.get(Key::When)).and_then(Value::as_str) {
            Some("idle") => {
                check_eof(
                    session,
                    exit,
                    IDLE,
                    "The server keeps running after its input is closed, so clients must kill it, and every restart costs the wait.",
                    collector,
                );
                check_status(session, exit, collector);
            }
            Some("immediate") => {
                check_eof(
                    session,
                    exit,
                    IMMEDIATE,
                    "The server keeps running although its input ended before any message: a client that failed leaves it behind.",
                    collector,
                );
            }
            Some("mid-request") => {
                check_eof(
                    session,
                    exit,
                    MID,
                    "With a request in flight, the server keeps running after its input is closed: a client that closes it in the middle of a call leaves the server behind.",
                    collector,
                );
            }
            Some("pending") => check_pending(session, collector),
            _ => {}
        }
        check_sigterm(session, exit, collector);
        check_orphans(session, exit, collector);
        check_closed(session, exit, collector);
    }
}

fn probe<'v>(session: &'v Session<'_>, intent: Intent) -> Option<&'v Probe> {
    session.probes.iter().map(|(_, probe)| *probe).find(|probe| probe.intent == intent)
}

fn check_eof(session: &Session<'_>, exit: &Exit, id: &'static str, message: &str, collector: &mut Collector) {
    let actual = match exit.after {
        Ending::Nothing => {
            collector.not_observed(id, "the server exited by itself before its input was closed");
            return;
        }
        Ending::StdinClosed => return collector.witness(id),
        Ending::Terminated => "still running at the time limit; SIGTERM ended it",
        Ending::Killed => "still running at the time limit, even after SIGTERM; SIGKILL ended it",
    };
    collector.fail(id, finding(session, message, "it exits by itself soon after its input ends", actual, end(session)));
}

/// The last exchange, and the end of the input.
fn end(session: &Session<'_>) -> Vec<String> {
    let mut lines = last_exchange(session);
    lines.push("> (end of input)".to_owned());
    lines
}

fn check_status(session: &Session<'_>, exit: &Exit, collector: &mut Collector) {
    if exit.after == Ending::StdinClosed {
        collector.check(STATUS, exit.code == Some(0), || {
            let message = "After its input is closed, the server exits as if something had failed, which supervisors report as a crash.";
            finding(session, message, "exit status 0", &exit.to_string(), end(session))
        });
    }
}

fn check_pending(session: &Session<'_>, collector: &mut Collector) {
    let asked = session
        .exchanges
        .iter()
        .filter(|exchange| exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::PendingAtEof));
    let asked: Vec<_> = asked.collect();
    if asked.is_empty() {
        return;
    }
    let wire = || asked.iter().map(|exchange| format!("> {}", crate::view::clip(&exchange.send.text)));
    collector.check(PENDING, asked.iter().all(|exchange| !exchange.answers.is_empty()), || {
        let message = "Not all requests written before the input was closed are answered: a shell one-liner that pipes requests in gets nothing back.";
        let lines = wire().chain(["> (end of input)".to_owned()]).collect();
        finding(session, message, "an answer to each, then the exit", "answers are missing", lines)
    });
}

fn check_sigterm(session: &Session<'_>, exit: &Exit, collector: &mut Collector) {
    if probe(session, Intent::Sigterm).is_none() || exit.after < Ending::Terminated {
        return;
    }
    collector.check(SIGTERM, exit.after == Ending::Terminated, || {
        let message = "The server does not exit on SIGTERM, so it can only be killed, without a chance to clean up.";
        finding(session, message, "it exits soon after SIGTERM", "SIGKILL was needed", Vec::new())
    });
}

fn check_orphans(session: &Session<'_>, exit: &Exit, collector: &mut Collector) {
    let Some(family) = probe(session, Intent::Family).filter(|_| exit.after == Ending::StdinClosed) else { return };
    let left: Vec<&str> =
        family.get(Key::Left).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    if family.get(Key::Started) != Some(&Value::Bool(true)) {
        collector.not_observed(ORPHANS, "the server started no child process");
        return;
    }
    collector.check(ORPHANS, left.is_empty(), || {
        let message =
            "Processes started by the server are still running after it has exited; each session leaves more of them.";
        let lines = left.iter().map(|command| format!("still running: {}", crate::view::clip(command))).collect();
        finding(session, message, "none of its processes remain", "processes remain", lines)
    });
}

fn check_closed(session: &Session<'_>, exit: &Exit, collector: &mut Collector) {
    if probe(session, Intent::ClosedStdout).is_none() {
        return;
    }
    let busy = probe(session, Intent::Processor).and_then(|probe| probe.get(Key::Busy)) == Some(&Value::Bool(true));
    let actual = if busy { "it keeps running, and uses the processor all the time" } else { "it keeps running" };
    collector.check(CLOSED, exit.after <= Ending::StdinClosed, || {
        let message = "When its output is no longer read, the server does not exit, not even when its input is closed.";
        finding(session, message, "it exits, and does not use the processor until then", actual, end(session))
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::transcript::Kind;
    use verdict::{Level, Revision, Status};

    use super::*;
    use crate::testing::Script;

    fn script() -> Script {
        Script::new(Revision::V2026_07_28, json!({"tools": {}}))
    }

    fn ends(script: Script, after: Ending, code: i32) -> Script {
        script.add(Kind::Exit(Exit { code: Some(code), signal: None, after }))
    }

    #[test]
    fn the_end_of_input_ends_a_server_or_it_fails() {
        for (when, id) in [("idle", IDLE), ("immediate", IMMEDIATE), ("mid-request", MID)] {
            let sent = || script().means(Intent::Eof, json!({"when": when}));
            assert_eq!(ends(sent(), Ending::StdinClosed, 0).status_of(id), Status::Pass);
            for after in [Ending::Terminated, Ending::Killed] {
                assert_eq!(ends(sent(), after, 0).fails_in("stdio"), [id]);
            }
            assert_eq!(ends(sent(), Ending::Nothing, 0).status_of(id), Status::NotObserved);
        }
    }

    #[test]
    fn before_2026_it_is_advice() {
        let script = Script::new(Revision::V2025_11_25, json!({})).means(Intent::Eof, json!({"when": "idle"}));
        assert_eq!(ends(script, Ending::Killed, 0).verdict(IDLE).level, Level::Advice);
    }

    #[test]
    fn another_status_fails_unless_the_tester_forced_it() {
        let sent = || script().means(Intent::Eof, json!({"when": "idle"}));
        assert_eq!(ends(sent(), Ending::StdinClosed, 1).fails_in("stdio"), [STATUS]);
        assert_eq!(ends(sent(), Ending::Terminated, 143).status_of(STATUS), Status::NotObserved);
        assert_eq!(ends(sent(), Ending::StdinClosed, 0).status_of(STATUS), Status::Pass);
    }

    #[test]
    fn every_pending_request_must_be_answered() {
        let sent = || script().means(Intent::Eof, json!({"when": "pending"}));
        let answered = sent().probe(Intent::PendingAtEof, "server/discover", json!({}), json!({"result": {}}));
        assert_eq!(ends(answered, Ending::StdinClosed, 0).status_of(PENDING), Status::Pass);
        let dropped = sent().unanswered(Intent::PendingAtEof, "server/discover", json!({}));
        assert_eq!(ends(dropped, Ending::StdinClosed, 0).fails_in("stdio"), [PENDING]);
    }

    #[test]
    fn sigterm_must_do() {
        let sent = || script().means(Intent::Sigterm, json!({}));
        assert_eq!(ends(sent(), Ending::Terminated, 143).status_of(SIGTERM), Status::Pass);
        assert_eq!(ends(sent(), Ending::Killed, 137).fails_in("stdio"), [SIGTERM]);
        assert_eq!(ends(sent(), Ending::Nothing, 0).status_of(SIGTERM), Status::NotObserved);
    }

    #[test]
    fn what_remains_is_named() {
        let family = |started: bool, left: &[&str]| {
            ends(script(), Ending::StdinClosed, 0).means(Intent::Family, json!({"started": started, "left": left}))
        };
        assert_eq!(family(true, &["sleep 1000"]).fails_in("stdio"), [ORPHANS]);
        assert_eq!(family(true, &[]).status_of(ORPHANS), Status::Pass);
        assert_eq!(family(false, &[]).status_of(ORPHANS), Status::NotObserved);
    }

    #[test]
    fn without_a_reader_a_server_ends() {
        let sent = || script().means(Intent::ClosedStdout, json!({}));
        assert_eq!(ends(sent(), Ending::Nothing, 1).status_of(CLOSED), Status::Pass);
        assert_eq!(ends(sent(), Ending::StdinClosed, 1).status_of(CLOSED), Status::Pass);
        let busy = ends(sent().means(Intent::Processor, json!({"busy": true})), Ending::Killed, 0);
        assert_eq!(busy.fails_in("stdio"), [CLOSED]);
        assert!(busy.verdict(CLOSED).findings[0].actual.contains("processor"));
    }
}
