//! Session ids as secrets, and sessions as walls: ids that repeat, count up or are short; messages that reach another
//! session.

use std::collections::{BTreeSet, HashMap, HashSet};

use verdict::Intent;

use super::common::{SESSION, events, is_stream};
use super::session::minted;
use super::sse::{token_of, tokens};
use crate::rules::random::{ENOUGH, is_sequence, varies};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/ids",
    judges: &[
        "security.session.id-unique",
        "security.session.id-unguessable",
        "security.session.id-non-deterministic",
        "security.session.no-cross-delivery",
        "security.session.replay-scoped",
    ],
    judge,
};

const UNIQUE: &str = RULE.judges[0];
const RANDOM: &str = RULE.judges[1];
const COUNTS: &str = RULE.judges[2];
const DELIVERY: &str = RULE.judges[3];
const REPLAY: &str = RULE.judges[4];

fn judge(view: &View<'_>, collector: &mut Collector) {
    check_ids(view, collector);
    check_deliveries(view, collector);
    for case in view.probes(Intent::ForeignResume).filter(Case::is_decided) {
        check_replay(&case, collector);
    }
}

fn check_ids(view: &View<'_>, collector: &mut Collector) {
    // An initialize that names a session opens none.
    let fresh: Vec<(Case<'_>, &str)> = minted(view).filter(|(case, _)| case.sent_header(SESSION).is_none()).collect();
    // In the order of issuing: what is shown must be the same whenever the same is judged.
    let mut distinct: Vec<&str> = Vec::new();
    let mut seen = HashSet::new();
    for (case, id) in &fresh {
        let new = seen.insert(*id);
        if new {
            distinct.push(id);
        }
        if fresh.len() > 1 {
            collector.check(UNIQUE, new, || {
                let message = "A session id is issued twice: the holder of the first session has the second one too.";
                let mut finding = case.finding(message, "an id that no earlier session had");
                "an id that was issued before".clone_into(&mut finding.actual);
                finding
            });
        }
    }
    let (Some((case, _)), true) = (fresh.first(), distinct.len() >= ENOUGH || fresh.len() >= ENOUGH) else { return };
    let shown = |message: &str, expected: &str, actual: &str| {
        let mut finding = case.finding(message, expected);
        actual.clone_into(&mut finding.actual);
        finding.wire.extend(distinct.iter().take(4).map(|id| format!("< {SESSION}: {id}")));
        finding
    };
    collector.check(COUNTS, !is_sequence(&distinct), || {
        shown(
            "Session ids count up, so anyone can predict the next one.",
            "ids that cannot be derived from each other",
            "consecutive ids",
        )
    });
    collector.check(RANDOM, distinct.len() < ENOUGH || varies(&distinct), || {
        shown(
            "Session ids differ so little from one to the next that they can be guessed.",
            "ids with at least 128 random bits, such as a random UUID",
            "ids that differ in only a few characters",
        )
    });
}

/// Progress is told in the session of its request alone.
fn check_deliveries(view: &View<'_>, collector: &mut Collector) {
    let mut asked: HashMap<String, BTreeSet<u32>> = HashMap::new();
    for case in view.cases() {
        for token in tokens(case.exchange.parsed.messages()) {
            asked.entry(token).or_default().insert(case.session.id);
        }
    }
    let sessions: BTreeSet<u32> = asked.values().flatten().copied().collect();
    for case in view.cases().filter(is_stream) {
        for incoming in case.received() {
            let progress = incoming.message().filter(|message| message.method() == Some("notifications/progress"));
            let Some(owners) = progress.and_then(token_of).and_then(|token| asked.get(&token)) else { continue };
            let own = owners.contains(&case.session.id);
            if own && sessions.len() < 2 {
                continue;
            }
            collector.check(DELIVERY, own, || {
                let message = "A message of one session is delivered to another session.";
                let mut finding = case.finding(message, "each message in its own session only");
                "progress for a request of another session".clone_into(&mut finding.actual);
                finding.wire.push(incoming.wire());
                finding
            });
        }
    }
}

fn check_replay(case: &Case<'_>, collector: &mut Collector) {
    let texts = |session: &crate::Session<'_>| -> HashSet<String> {
        let telling = |text: &&String| text.contains("\"id\":") || text.contains("\"progressToken\"");
        session
            .incoming
            .iter()
            .filter(|incoming| incoming.seq < case.exchange.seq)
            .map(|incoming| &incoming.receive.text)
            .filter(telling)
            .cloned()
            .collect()
    };
    let own = texts(case.session);
    let others: HashSet<String> =
        case.view.judged().filter(|other| other.id != case.session.id).flat_map(texts).collect();
    let leaked = events(case).find(|event| others.contains(event.data()) && !own.contains(event.data()));
    if case.status().is_some() {
        collector.check(REPLAY, leaked.is_none(), || {
            let message = "A client that sends an event id of another session receives that session's messages.";
            let mut finding = case.finding(message, "nothing from the other session");
            "messages of another session".clone_into(&mut finding.actual);
            finding.wire.extend(leaked.map(|event| event.incoming.wire()));
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::super::scripts::{JSON, OWN, SSE, ask, open, opened, result};
    use super::*;
    use crate::testing::Script;

    const REV: Revision = Revision::V2025_11_25;

    fn mint(mut ids: impl Iterator<Item = String>) -> Script {
        let sent = json!({"jsonrpc": "2.0", "id": 9, "method": "initialize", "params": {}}).to_string();
        let first = opened(REV, ids.next().as_deref());
        ids.fold(first, |script, id| {
            let headers = [JSON, &[("mcp-session-id", id.as_str())]].concat();
            script.request("POST", Intent::Mint, Value::Null, &[], &sent).respond(200, &headers, &result(9))
        })
    }

    /// Like random, and the same in every run.
    fn noise(n: u64) -> u128 {
        u128::from(n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).rotate_left(37)
            ^ u128::from(n + 7).wrapping_mul(0xd1b5_4a32_d192_ed03_aef1_7502_b3f2_aca9)
    }

    #[test]
    fn random_ids_pass() {
        for script in [
            mint((0..20).map(|n| format!("{:032x}", noise(n)))),
            // UUIDv7: a time stamp first.
            mint((0..20).map(|n| {
                format!(
                    "0197a5f0-12ab-7{:03x}-9{:03x}-{:012x}",
                    noise(n) % 4096,
                    noise(n + 50) % 4096,
                    noise(n + 99) % (1 << 48)
                )
            })),
            // Texts with a structure of their own.
            mint((0..20).map(|n| format!("eyJhbGciOi.{}.{:x}", "x".repeat(n as usize % 3), noise(n)))),
        ] {
            assert!(
                [UNIQUE, RANDOM, COUNTS].iter().all(|id| script.status_of(id) == Status::Pass),
                "{:?}",
                script.fails()
            );
        }
    }

    #[test]
    fn repeated_counted_and_short_ids_fail() {
        assert!(mint((0..20).map(|n| format!("{:032x}", noise(n % 5)))).fails().contains(&UNIQUE));
        let counted = mint((95..115).map(|n| format!("session-{n:08}")));
        assert!(counted.fails().contains(&COUNTS) && counted.fails().contains(&RANDOM));
        let short = mint((0..20).map(|n| format!("{:08x}", noise(n) % (1 << 32))));
        assert!(short.fails().contains(&RANDOM) && !short.fails().contains(&COUNTS));
    }

    #[test]
    fn few_ids_say_nothing() {
        let script = mint((0..3).map(|n| n.to_string()));
        assert_eq!((script.status_of(RANDOM), script.status_of(COUNTS)), (Status::NotObserved, Status::NotObserved));
    }

    fn call(id: u32, token: &str) -> String {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"_meta": {"progressToken": token}}})
            .to_string()
    }

    fn progress(token: &str) -> String {
        json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}})
            .to_string()
    }

    #[test]
    fn progress_in_another_session_fails() {
        let script = |second: &str| {
            let script = open(REV).request("POST", None, Value::Null, OWN, &call(7, "a")).head(200, SSE);
            let script = script.sse(&progress("a")).sse(&result(7)).ends().session(false, json!({}));
            let script = script.request("POST", None, Value::Null, OWN, &call(7, "b")).head(200, SSE);
            script.sse(&progress(second)).sse(&result(7)).ends()
        };
        assert_eq!(script("b").status_of(DELIVERY), Status::Pass);
        assert!(script("a").fails().contains(&DELIVERY));
    }

    #[test]
    fn events_of_another_session_are_not_replayed() {
        let script = |event: Option<&str>, status: u16| {
            let script = open(REV).request("POST", None, Value::Null, OWN, &ask(77, "tools/list")).head(200, SSE);
            let script = script.sse(&result(77)).ends().session(false, json!({}));
            let script = script.request("GET", Intent::ForeignResume, Value::Null, OWN, "").head(status, SSE);
            if let Some(event) = event { script.sse(event) } else { script }
        };
        assert_eq!(script(None, 200).status_of(REPLAY), Status::Pass);
        assert_eq!(script(None, 400).status_of(REPLAY), Status::Pass);
        let leaked = script(Some(&result(77)), 200);
        assert!(leaked.fails().contains(&REPLAY));
        assert!(leaked.fails_in("jsonrpc").is_empty(), "it counts as a response that nobody asked for");
    }
}
