//! The outcome of a slow call that is cancelled, compared with one that is not.

use serde_json::Value;
use verdict::{Finding, Intent, Key, Transport};

use crate::rules::during::{answer, meta, param, told_of};
use crate::{Case, Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "cancellation/slow",
    judges: &[
        "cancellation.no-response-after",
        "cancellation.no-further-messages",
        "cancellation.stops-work",
        "cancellation.only-the-named-request",
        "cancellation.id-type-sensitive",
        "cancellation.reason-optional",
        "cancellation.without-request-meta",
    ],
    judge,
};

const RESPONSE: &str = "cancellation.no-response-after";
const FURTHER: &str = "cancellation.no-further-messages";
const WORK: &str = "cancellation.stops-work";
const NAMED: &str = "cancellation.only-the-named-request";

/// The outcome of a cancelled call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Silent,
    Error,
    Result,
}

/// The moments that matter.
#[derive(Clone, Copy)]
struct Watch {
    grace: u32,
    over: u32,
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let moment =
            |intent: Intent| session.probes.iter().find(|(_, probe)| probe.intent == intent).map(|(seq, _)| *seq);
        let (Some(grace), Some(over)) = (moment(Intent::CancelGrace), moment(Intent::CancelOver)) else { continue };
        if session.open.confirm {
            for id in RULE.judges {
                collector.repeated(id);
            }
        }
        check_watched(view, session, Watch { grace, over }, collector);
    }
}

fn of<'v>(view: &'v View<'v>, session: &'v Session<'v>, intent: Intent) -> Vec<Case<'v>> {
    let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    cases.filter(|case| case.intent() == Some(intent)).collect()
}

fn check_watched(view: &View<'_>, session: &Session<'_>, watch: Watch, collector: &mut Collector) {
    let controls = of(view, session, Intent::SlowControl);
    // A call that takes a credential tells nothing of cancellation.
    let Some(control) = controls.first().filter(|control| control.status() != Some(401)) else { return };
    let Some(end) = answer(session, control.exchange).filter(|end| end.seq < watch.over) else {
        if control.may_be_lost() {
            return;
        }
        let message = "While one call was cancelled, another was never answered.";
        return collector.suspect(
            NAMED,
            control,
            control.finding(message, "the result of the call that was not cancelled"),
        );
    };
    if end.seq < watch.grace || control.result().is_none() {
        let reason = "no tool was found that runs long enough to be cancelled; one can be named in the configuration (triggers.slow)";
        for id in RULE.judges {
            collector.not_observed(id, reason);
        }
        return;
    }
    collector.witness(NAMED);
    let visible = beats(session, control).any(|beat| beat.seq > watch.grace);
    let cancelled = of(view, session, Intent::SlowCancelled);
    let ends: Vec<(&Case<'_>, End)> = cancelled.iter().map(|case| (case, came(case, watch))).collect();
    for (case, end) in &ends {
        // Over HTTP the tester of 2026-07-28 drops the connection: nothing can be seen any more.
        if case.exchange.aborted.is_none() {
            check_one(case, *end, watch, visible, collector);
        }
    }
    check_alike(&ends, collector);
    for twin in of(view, session, Intent::SlowTwin) {
        let answered = answer(session, twin.exchange).is_some_and(|answer| answer.seq < watch.over);
        collector.check("cancellation.id-type-sensitive", answered, || {
            twin.finding(
                "A call was cancelled by its id with a different type: 7 and \"7\" are different ids.",
                "the result of the call",
            )
        });
    }
}

fn came(case: &Case<'_>, watch: Watch) -> End {
    match answer(case.session, case.exchange).filter(|answer| answer.seq < watch.over) {
        None => End::Silent,
        Some(_) if case.result().is_some() => End::Result,
        Some(_) => End::Error,
    }
}

/// The progress of a call.
fn beats<'v>(session: &'v Session<'v>, case: &Case<'v>) -> impl Iterator<Item = &'v Incoming<'v>> {
    let token = meta(case.exchange, "progressToken").cloned();
    let progress = session.incoming.iter().filter(|incoming| incoming.method() == Some("notifications/progress"));
    progress.filter(move |incoming| token.is_some() && param(incoming, "progressToken") == token.as_ref())
}

fn check_one(case: &Case<'_>, end: End, watch: Watch, visible: bool, collector: &mut Collector) {
    let late = beats(case.session, case).find(|beat| beat.seq > watch.grace);
    match end {
        // It could not be cancelled, or was not: both are allowed.
        End::Result => {
            let note = "the call finished and was answered despite the cancellation, which is allowed for a server that cannot cancel";
            for id in [RESPONSE, FURTHER, WORK] {
                collector.note(id, note);
            }
            let after = answer(case.session, case.exchange).is_some_and(|answer| answer.seq > watch.grace);
            if after && case.view.revision.is_handshake() {
                collector.witness(RESPONSE);
            }
            return;
        }
        End::Error => {
            let message =
                "A cancelled call is still answered with an error; by then, clients have forgotten the request.";
            collector.suspect(RESPONSE, case, case.finding(message, "no response to a cancelled request"));
            let after = answer(case.session, case.exchange).is_some_and(|answer| answer.seq > watch.grace);
            if after {
                collector.suspect(
                    FURTHER,
                    case,
                    case.finding("Messages arrive for a cancelled request.", "no further messages for it"),
                );
            }
        }
        End::Silent => collector.witness(RESPONSE),
    }
    match late {
        Some(beat) => {
            let message = "A cancelled call continues: it still reports progress, though its result will never come.";
            let finding = |message| {
                told_of(
                    case.exchange,
                    beat,
                    message,
                    "the work stops and nothing more is sent",
                    "progress long after the cancellation",
                )
            };
            collector.suspect(WORK, case, finding(message));
            collector.suspect(FURTHER, case, finding("Progress is sent for a cancelled request."));
        }
        None if visible && end != End::Error => {
            collector.witness(WORK);
            collector.witness(FURTHER);
        }
        None => {}
    }
}

/// However it was said, the cancellation has the same effect.
fn check_alike(ends: &[(&Case<'_>, End)], collector: &mut Collector) {
    let find = |reason: bool, meta: bool| {
        ends.iter().find(|(case, _)| {
            case.about(Key::Reason) == Some(&Value::Bool(reason)) && case.about(Key::Meta) == Some(&Value::Bool(meta))
        })
    };
    let mut compare = |id: &'static str,
                       one: Option<&(&Case<'_>, End)>,
                       other: Option<&(&Case<'_>, End)>,
                       what: &str| {
        let (Some((case, one)), Some((_, other))) = (one, other) else { return };
        if case.view.transport == Transport::Http && case.exchange.aborted.is_some() {
            return;
        }
        if one == other || *one != End::Result {
            return collector.witness(id);
        }
        let finding: Finding = case
            .finding(format!("A cancellation {what} has no effect, although the other form does."), "the same effect");
        collector.suspect(id, case, finding);
    };
    compare("cancellation.reason-optional", find(false, false), find(true, false), "without a reason");
    compare("cancellation.reason-optional", find(true, false), find(false, false), "with a reason");
    compare("cancellation.without-request-meta", find(true, false), find(true, true), "without _meta");
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use super::{FURTHER, NAMED, RESPONSE, WORK};
    use crate::testing::Script;

    fn ask(script: &mut Script, intent: Intent, about: Value, id: &str) {
        let text = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "slow", "_meta": {"progressToken": id, "io.modelcontextprotocol/protocolVersion": "2026-07-28"}}});
        let next = std::mem::replace(script, Script::empty(Revision::LATEST));
        *script = next.raw(intent, about, &text.to_string());
    }

    fn cancel(script: Script, id: &str) -> Script {
        let text = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        script.raw(Intent::SlowCancel, Value::Null, &text.to_string())
    }

    fn beat(script: Script, id: &str, progress: i32) -> Script {
        let params = json!({"progressToken": id, "progress": progress});
        script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))
    }

    fn end(script: Script, id: &str, members: &Value) -> Script {
        let mut message = json!({"jsonrpc": "2.0", "id": id});
        message["result"] = members.clone();
        if members.get("code").is_some() {
            message = json!({"jsonrpc": "2.0", "id": id, "error": members});
        }
        script.says_json(&message)
    }

    fn done() -> Value {
        json!({"resultType": "complete", "content": []})
    }

    /// A control and two cancelled calls, `with` what comes after the grace.
    fn story(revision: Revision, confirm: bool, with: impl Fn(Script) -> Script) -> Script {
        let mut script = Script::new(revision, json!({"tools": {}}));
        if confirm {
            script = scene(script, &with).session(true, json!({"tools": {}}));
        }
        scene(script, &with)
    }

    fn scene(mut script: Script, with: &impl Fn(Script) -> Script) -> Script {
        ask(&mut script, Intent::SlowControl, Value::Null, "c");
        ask(&mut script, Intent::SlowCancelled, json!({"reason": true, "meta": false}), "x");
        ask(&mut script, Intent::SlowCancelled, json!({"reason": false, "meta": false}), "y");
        let script = beat(beat(beat(script, "c", 1), "x", 1), "y", 1);
        let script = cancel(cancel(script, "x"), "y").means(Intent::CancelGrace, Value::Null);
        let script = with(beat(script, "c", 2));
        end(script, "c", &done()).means(Intent::CancelOver, Value::Null)
    }

    #[test]
    fn silence_after_a_cancellation_passes() {
        let script = story(Revision::V2026_07_28, false, |script| script);
        for id in [RESPONSE, FURTHER, WORK, NAMED, "cancellation.reason-optional"] {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn a_server_may_ignore_it() {
        for revision in [Revision::V2025_06_18, Revision::V2026_07_28] {
            let ignored = |script: Script| end(end(beat(beat(script, "x", 2), "y", 2), "x", &done()), "y", &done());
            let script = story(revision, true, ignored);
            assert!(script.fails_in("cancellation").is_empty());
            assert!(!script.verdict(WORK).notes.is_empty());
        }
    }

    #[test]
    fn progress_without_a_result_fails_once_it_was_seen_twice() {
        let going_on = |script: Script| beat(beat(script, "x", 2), "y", 2);
        assert_eq!(story(Revision::V2025_06_18, false, going_on).status_of(WORK), Status::Inconclusive);
        assert_eq!(story(Revision::V2025_06_18, true, going_on).fails_in("cancellation"), [WORK]);
        let script = story(Revision::V2026_07_28, true, going_on);
        assert_eq!(script.fails_in("cancellation"), [FURTHER, WORK]);
        assert_eq!(script.verdict(FURTHER).level, Level::Must);
    }

    #[test]
    fn an_error_is_a_response_too() {
        let error = json!({"code": -32800, "message": "cancelled"});
        let refused = |script: Script| end(end(script, "x", &error), "y", &error);
        assert_eq!(story(Revision::V2025_06_18, true, refused).fails_in("cancellation"), [RESPONSE]);
    }

    #[test]
    fn a_reason_makes_no_difference() {
        let one = |script: Script| end(script, "y", &done());
        assert_eq!(story(Revision::V2025_06_18, true, one).fails_in("cancellation"), ["cancellation.reason-optional"]);
    }

    #[test]
    fn the_others_go_on() {
        let scene = |mut script: Script| {
            ask(&mut script, Intent::SlowControl, Value::Null, "c");
            script.means(Intent::CancelGrace, Value::Null).means(Intent::CancelOver, Value::Null)
        };
        let start = || Script::new(Revision::V2025_06_18, json!({"tools": {}}));
        assert_eq!(scene(start()).status_of(NAMED), Status::Inconclusive);
        assert_eq!(scene(scene(start()).session(true, json!({}))).fails_in("cancellation"), [NAMED]);
    }

    #[test]
    fn a_quick_tool_shows_nothing() {
        let mut script = Script::new(Revision::V2025_06_18, json!({"tools": {}}));
        ask(&mut script, Intent::SlowControl, Value::Null, "c");
        let script =
            end(script, "c", &done()).means(Intent::CancelGrace, Value::Null).means(Intent::CancelOver, Value::Null);
        assert_eq!(script.status_of(WORK), Status::NotObserved);
    }
}
