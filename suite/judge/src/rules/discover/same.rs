//! Equal requests get equal answers, on every connection and beside other requests.

use serde_json::Value;
use verdict::probes::values::Side;
use verdict::{Intent, Key, Transport};

use crate::rules::jsonrpc::common::essence;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "discover/same",
    judges: &[
        "discover.result.connection-independent",
        "discover.stateless.lists-not-history-dependent",
        "discover.stateless.interleaving",
    ],
    judge,
};

const CONNECTION: &str = RULE.judges[0];
const LISTS: &str = RULE.judges[1];
const MIXED: &str = RULE.judges[2];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for fresh in view.probes(Intent::SameOn).filter(|case| case.value() == Some(Side::Fresh)) {
        let side = |side: Side| {
            let same = |case: &Case<'_>| case.method() == fresh.method() && case.value() == Some(side);
            view.probes(Intent::SameOn).find(same)
        };
        let Some(busy) = side(Side::Busy) else { continue };
        let [fresh_again, busy_again, used_again] = [Side::FreshAgain, Side::BusyAgain, Side::UsedAgain].map(side);
        compare([fresh, busy], [fresh_again, busy_again], [Some(fresh), fresh_again], collector);
        // Of these two, one may have been asked at another time: what the busy one says shows whether time matters.
        if let Some(used) = side(Side::Used) {
            compare([fresh, used], [Some(fresh), used_again], [Some(busy), busy_again], collector);
        }
    }
    collector.not_observed(LISTS, "the server declares no list");
    for mixed in view.probes(Intent::Mixed) {
        let alone = |turn: u64| {
            let same = |case: &Case<'_>| {
                case.session.id == mixed.session.id
                    && case.about(Key::Key) == mixed.about(Key::Key)
                    && case.about(Key::Turn).and_then(Value::as_u64) == Some(turn)
            };
            view.probes(Intent::Alone).find(same)
        };
        if let (Some(before), Some(after)) = (alone(1), alone(2)) {
            beside_others(&before, &mixed, &after, collector);
        }
    }
}

/// Compares what a fresh connection and a used one say, and if they differ what both say when they are asked again, where nothing
/// differs between the two of `steady`.
fn compare(
    [fresh, busy]: [Case<'_>; 2],
    again: [Option<Case<'_>>; 2],
    steady: [Option<Case<'_>>; 2],
    collector: &mut Collector,
) {
    let discovers = busy.method() == Some("server/discover");
    let id = if discovers { CONNECTION } else { LISTS };
    let told = |case: &Case<'_>| case.result().map(essence);
    let (Some(first), Some(here)) = (told(&fresh), told(&busy)) else { return };
    if first == here {
        return collector.witness(id);
    }
    let [Some(second), Some(last)] = again.map(|case| case.as_ref().and_then(told)) else { return };
    if here == second || second == last {
        return collector.witness(id);
    }
    let [before, after] = steady.map(|case| case.as_ref().and_then(told));
    if before != after || here != last {
        return collector.inconclusive(id, "the answer differs from one request to the next on any connection");
    }
    if !discovers && may_have_changed(&busy) {
        return collector.not_observed(id, "a tool may have changed the in-memory state of the session's process");
    }
    let message = if discovers {
        "server/discover answers differently on a used connection than on a fresh one, so what a client can rely on depends on the connection."
    } else {
        "A list on a used connection differs from the one on a fresh connection, so what a client sees depends on earlier requests."
    };
    let mut finding = busy.finding(message, "the same answer as on a fresh connection");
    finding.place = busy.method().map(str::to_owned);
    finding.actual = "another answer".to_owned();
    finding.wire.splice(0..0, fresh.wire());
    collector.fail(id, finding);
}

/// On stdio each connection has a process of its own, and tools that were called may have changed what it knows.
fn may_have_changed(busy: &Case<'_>) -> bool {
    let before = busy.session.exchanges.iter().filter(|exchange| exchange.seq < busy.exchange.seq);
    let mut before = before.map(|exchange| Case { exchange, ..*busy });
    busy.view.transport == Transport::Stdio && before.any(|case| case.method() == Some("tools/call"))
}

fn beside_others(before: &Case<'_>, mixed: &Case<'_>, after: &Case<'_>, collector: &mut Collector) {
    let (Some(one), Some(other)) = (outcome(before), outcome(after)) else { return };
    // What differs from one time to the next by itself says nothing.
    if one != other || !mixed.is_decided() {
        return;
    }
    if outcome(mixed).as_ref() == Some(&one) {
        return collector.witness(MIXED);
    }
    if mixed.result().is_none() {
        return collector.inconclusive(
            MIXED,
            "a request that is served alone is refused alongside others, possibly because of their number",
        );
    }
    let message = "A request is answered differently when requests from other clients arrive at the same time, so one client's data or settings reach another.";
    let mut finding = mixed.finding(message, "the same answer as when sent alone");
    finding.place = mixed.method().map(str::to_owned);
    finding.actual = "another answer".to_owned();
    finding.wire.splice(0..0, before.wire());
    collector.fail(MIXED, finding);
}

/// Returns the part of an answer that must not differ: the result without volatile values, or the code of the error.
fn outcome(case: &Case<'_>) -> Option<Value> {
    case.result().map(essence).or_else(|| case.error_code().map(Value::from))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::{CONNECTION, LISTS, MIXED};
    use crate::testing::Script;

    fn start() -> Script {
        Script::new(Revision::V2026_07_28, json!({"prompts": {}}))
    }

    fn listed(name: &str) -> Value {
        json!({"result": {"resultType": "complete", "prompts": [{"name": name}], "ttlMs": 0, "cacheScope": "public"}})
    }

    fn told(instructions: &str) -> Value {
        json!({"result": {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}, "instructions": instructions, "ttlMs": 0, "cacheScope": "public"}})
    }

    fn sides(method: &str, answers: [Value; 4]) -> Script {
        let mut script = start();
        for (at, answer) in answers.into_iter().enumerate() {
            let side = ["fresh", "busy", "fresh-again", "busy-again"][at];
            script = if at % 2 == 0 { script.session(false, json!({"prompts": {}})) } else { script.resume(1) };
            script = script.probe_about(Intent::SameOn, json!({"side": side}), method, json!({}), answer);
        }
        script
    }

    #[test]
    fn every_connection_is_told_the_same() {
        let same = sides("prompts/list", ["a", "a", "a", "a"].map(listed));
        assert_eq!(same.status_of(LISTS), Status::Pass);
        let same = sides("server/discover", ["a", "a", "a", "a"].map(told));
        assert_eq!(same.status_of(CONNECTION), Status::Pass);
    }

    #[test]
    fn where_two_connections_are_told_the_same_no_other_is_asked() {
        let ask = |script: Script, side: &str, name| {
            script.probe_about(Intent::SameOn, json!({"side": side}), "prompts/list", json!({}), listed(name))
        };
        let fresh = |name| ask(ask(start(), "busy", "a").session(false, json!({"prompts": {}})), "fresh", name);
        assert_eq!(fresh("a").status_of(LISTS), Status::Pass);
        assert_eq!(fresh("b").status_of(LISTS), Status::NotObserved);
    }

    #[test]
    fn a_difference_that_stays_with_the_connection_fails() {
        let apart = sides("prompts/list", ["a", "b", "a", "b"].map(listed));
        assert_eq!(apart.status_of(LISTS), Status::Fail);
        let apart = sides("server/discover", ["a", "b", "a", "b"].map(told));
        assert_eq!(apart.status_of(CONNECTION), Status::Fail);
    }

    #[test]
    fn a_process_in_which_no_tool_was_called_has_no_excuse() {
        let mut script = start();
        let sides = [("busy", "c"), ("fresh", "a"), ("used", "b"), ("busy-again", "c"), ("used-again", "b")];
        for (side, name) in sides {
            script = script.probe_about(Intent::SameOn, json!({"side": side}), "prompts/list", json!({}), listed(name));
        }
        assert_eq!(script.status_of(LISTS), Status::Fail);
    }

    #[test]
    fn what_changes_on_the_busy_connection_meanwhile_changes_by_itself() {
        let mut script = start();
        let sides = [("busy", "a"), ("fresh", "a"), ("used", "b"), ("busy-again", "b"), ("used-again", "b")];
        for (side, name) in sides {
            script = script.probe_about(Intent::SameOn, json!({"side": side}), "prompts/list", json!({}), listed(name));
        }
        assert_eq!(script.status_of(LISTS), Status::Inconclusive);
    }

    #[test]
    fn a_tool_may_change_what_its_own_process_lists() {
        let mut script = start();
        for (at, name) in ["a", "b", "a", "b"].into_iter().enumerate() {
            let side = ["fresh", "busy", "fresh-again", "busy-again"][at];
            script = if at % 2 == 0 { script.session(false, json!({"prompts": {}})) } else { script.resume(1) };
            if side == "busy" {
                let refused = json!({"error": {"code": -32602, "message": "no"}});
                script = script.plain("tools/call", json!({"name": "a"}), refused);
            }
            script = script.probe_about(Intent::SameOn, json!({"side": side}), "prompts/list", json!({}), listed(name));
        }
        assert_eq!(script.status_of(LISTS), Status::NotObserved);
    }

    #[test]
    fn a_change_over_time_is_none_of_the_connection() {
        for names in [["a", "b", "b", "b"], ["a", "b", "c", "c"], ["a", "b", "a", "a"]] {
            assert_eq!(sides("prompts/list", names.map(listed)).status_of(LISTS), Status::Pass, "{names:?}");
        }
        let ever = sides("prompts/list", ["a", "b", "c", "d"].map(listed));
        assert_eq!(ever.status_of(LISTS), Status::Inconclusive);
    }

    fn mixed([before, mixed, after]: [Value; 3]) -> Script {
        let ask = |script: Script, intent: Intent, about, answer| {
            script.probe_about(intent, about, "prompts/list", json!({}), answer)
        };
        let script = ask(start(), Intent::Alone, json!({"key": 1, "turn": 1}), before);
        let script = ask(script, Intent::Mixed, json!({"key": 1}), mixed);
        ask(script, Intent::Alone, json!({"key": 1, "turn": 2}), after)
    }

    #[test]
    fn requests_of_others_change_nothing() {
        assert_eq!(mixed(["a", "a", "a"].map(listed)).status_of(MIXED), Status::Pass);
        let refused = || json!({"error": {"code": -32602, "message": "x"}});
        assert_eq!(mixed([refused(), refused(), refused()]).status_of(MIXED), Status::Pass);
        assert_eq!(mixed(["a", "b", "a"].map(listed)).status_of(MIXED), Status::Fail);
        // Too many at once, perhaps.
        assert_eq!(mixed([listed("a"), refused(), listed("a")]).status_of(MIXED), Status::Inconclusive);
    }

    #[test]
    fn what_changes_by_itself_says_nothing() {
        assert_eq!(mixed(["a", "b", "c"].map(listed)).status_of(MIXED), Status::NotObserved);
    }
}
