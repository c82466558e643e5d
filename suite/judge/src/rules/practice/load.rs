//! Many calls, many clients, many errors, on sessions of their own.

use serde_json::Value;
use verdict::{Intent, Key};

use super::sheet::{Sheet, Words};
use super::{finding, probed};
use crate::rules::wording::failure_text;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/load",
    judges: &[
        "practice.rate-limit.survives-burst",
        "practice.rate-limit.says-so",
        "practice.load.concurrent-clients",
        "practice.transport.cleanup",
        "practice.errors.cleanup",
    ],
    judge,
};

const WORDS: &[Words] = &[
    Words {
        id: RULE.judges[0],
        what: "leave some of many concurrent calls unanswered",
        expected: "a result, an error or a refusal for each call",
    },
    Words {
        id: RULE.judges[1],
        what: "refuse calls when many arrive at once without saying that there were too many, so clients do not know to wait",
        expected: "an error that mentions a limit, status 429 or Retry-After",
    },
];

/// Kilobytes in one round that are no chance.
const GROWTH: u64 = 8 << 10;
/// Rounds in a row.
const ROUNDS: usize = 3;

fn judge(view: &View<'_>, collector: &mut Collector) {
    check_burst(view, collector);
    check_clients(view, collector);
    check_dropped(view, collector);
    check_memory(view, collector);
}

fn check_burst(view: &View<'_>, collector: &mut Collector) {
    let mut sheet = Sheet::default();
    let is_control = |case: &Case<'_>| case.about_str(Key::Kind) == Some("control");
    let fine = |case: &Case<'_>| case.result().is_some() && !case.is_tool_error();
    let served = probed(view, Intent::PracticeBurst).any(|case| is_control(&case) && fine(&case));
    for case in probed(view, Intent::PracticeBurst).filter(|case| served && !is_control(case)) {
        let answered = case.answer().is_some() || case.status().is_some();
        sheet.note(RULE.judges[0], &case, answered);
        if answered && !fine(&case) {
            sheet.note(RULE.judges[1], &case, names_limit(&case));
        }
    }
    sheet.tell(collector, WORDS);
}

fn names_limit(case: &Case<'_>) -> bool {
    const WORDS: [&str; 9] = ["rate", "limit", "too many", "throttl", "quota", "busy", "retry", "overload", "capacity"];
    let text = failure_text(case).unwrap_or_default().to_lowercase();
    matches!(case.status(), Some(429 | 503))
        || case.header("retry-after").is_some()
        || WORDS.iter().any(|word| text.contains(word))
}

fn check_clients(view: &View<'_>, collector: &mut Collector) {
    const ID: &str = RULE.judges[2];
    for slow in probed(view, Intent::PracticeSlow).filter(Case::is_decided) {
        let Some(end) = slow.answer().map(|answer| answer.seq) else { continue };
        let others = probed(view, Intent::PracticeMeanwhile).filter(|case| case.exchange.seq > slow.exchange.seq);
        for other in others.filter(|case| case.exchange.seq < end) {
            let first = other.answer().is_some_and(|answer| answer.seq < end);
            collector.check(ID, first, || {
                let message = "While one client's call is running, another client gets no answer.";
                let mut finding = other.finding(message, "an answer before the slow call ends");
                "the answer came after the slow call ended, or not at all".clone_into(&mut finding.actual);
                finding
            });
        }
    }
}

fn check_dropped(view: &View<'_>, collector: &mut Collector) {
    let dropped = probed(view, Intent::PracticeDropped).count();
    for case in probed(view, Intent::PracticeAfter).filter(|_| dropped > 0) {
        collector.check(RULE.judges[3], case.answer().is_some(), || {
            let message = format!(
                "After {dropped} dropped connections, the server no longer answers: what they held was not released."
            );
            case.finding(message, "an answer, as before")
        });
    }
}

fn check_memory(view: &View<'_>, collector: &mut Collector) {
    const ID: &str = RULE.judges[4];
    let probes = view.sessions.iter().flat_map(|session| &session.probes);
    for (_, probe) in probes.filter(|(_, probe)| probe.intent == Intent::PracticeMemory) {
        let rounds: Vec<u64> =
            probe.get(Key::Rounds).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_u64).collect();
        let growing = rounds.windows(2).filter(|pair| pair[1] >= pair[0] + GROWTH).count();
        if rounds.len() > ROUNDS {
            collector.check(ID, growing < ROUNDS, || {
                let message =
                    "The server's memory grows with every round of failing requests: what they held is not released.";
                finding(message.to_owned(), "memory that levels off", format!("growth in {ROUNDS} rounds of {ROUNDS}"))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::super::tests::listed;
    use super::RULE;
    use crate::testing::Script;

    fn text(text: &str, is_error: bool) -> Value {
        json!({"result": {"content": [{"type": "text", "text": text}], "isError": is_error}})
    }

    fn burst(answer: Option<Value>) -> Script {
        let params = || json!({"name": "get_it"});
        let about = |kind: &str| json!({"tool": "get_it", "kind": kind});
        let script = listed(json!([{"name": "get_it"}]));
        let mut script =
            script.probe_about(Intent::PracticeBurst, about("control"), "tools/call", params(), text("Done.", false));
        let Some(answer) = answer else {
            script.ask(Some((Intent::PracticeBurst, about("one of many"))), "tools/call", params());
            return script.gave_up();
        };
        script.probe_about(Intent::PracticeBurst, about("one of many"), "tools/call", params(), answer)
    }

    #[test]
    fn every_call_of_many_is_answered() {
        const ID: &str = RULE.judges[0];
        assert_eq!(burst(Some(text("Done.", false))).status_of(ID), Status::Pass);
        assert_eq!(burst(Some(text("Too many.", true))).status_of(ID), Status::Pass);
        assert_eq!(burst(None).status_of(ID), Status::Fail);
    }

    #[test]
    fn a_refusal_names_the_limit() {
        const ID: &str = RULE.judges[1];
        assert_eq!(burst(Some(text("Rate limit exceeded.", true))).status_of(ID), Status::Pass);
        assert_eq!(burst(Some(text("Something failed.", true))).status_of(ID), Status::Fail);
        assert_eq!(burst(Some(text("Done.", false))).status_of(ID), Status::NotObserved);
    }

    fn clients(late: bool) -> Status {
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({"tools": {}}));
        let ask = |id: &str, method: &str| json!({"jsonrpc": "2.0", "id": id, "method": method}).to_string();
        let answer = |id: &str| json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string();
        let script = script.request("POST", Intent::PracticeSlow, json!({}), &[], &ask("slow", "tools/call"));
        let slow = script.last_channel();
        let script = script.request("POST", Intent::PracticeMeanwhile, json!({}), &[], &ask("quick", "ping"));
        let quick = script.last_channel();
        let order = if late { [(slow, "slow"), (quick, "quick")] } else { [(quick, "quick"), (slow, "slow")] };
        let script =
            order.iter().fold(script, |script, (channel, id)| script.sse_on(*channel, None, None, &answer(id)));
        script.status_of(RULE.judges[2])
    }

    #[test]
    fn one_client_does_not_wait_for_another() {
        assert_eq!(clients(false), Status::Pass);
        assert_eq!(clients(true), Status::Fail);
    }

    #[test]
    fn the_request_after_many_dropped_ones_is_answered() {
        const ID: &str = RULE.judges[3];
        let script = || {
            Script::over(Transport::Http, Revision::V2025_11_25, json!({}))
                .request("POST", Intent::PracticeDropped, json!({}), &[], "{}")
                .request("POST", Intent::PracticeAfter, json!({}), &[], r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#)
        };
        let answered = script().respond(200, &[], r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
        assert_eq!(answered.status_of(ID), Status::Pass);
        assert_eq!(script().gave_up().status_of(ID), Status::Fail);
    }

    #[test]
    fn memory_that_grows_in_every_round_is_kept() {
        const ID: &str = RULE.judges[4];
        let rounds = |kilobytes: [u64; 4]| {
            let script = Script::new(Revision::V2025_11_25, json!({}));
            script.means(Intent::PracticeMemory, json!({"rounds": kilobytes})).status_of(ID)
        };
        assert_eq!(rounds([50_000, 60_000, 70_000, 80_000]), Status::Fail);
        assert_eq!(rounds([50_000, 60_000, 61_000, 75_000]), Status::Pass);
    }
}
